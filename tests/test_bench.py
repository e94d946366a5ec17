"""The benchmark's measurements run, and verify what they measure."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.measurement import Measurement
from bench.verification import catch_up, checking, scaling


@pytest.mark.parametrize(
    "measure",
    [lambda: checking(200), lambda: scaling(400, 200), lambda: catch_up(400)],
    ids=["checking", "scaling", "catch_up"],
)
def test_a_measurement_of_a_short_log(measure: Callable[[], Measurement]) -> None:
    assert measure().ratio > 0
