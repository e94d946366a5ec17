"""A server in process for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.http.playing import Evening, House, laid, settings_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    served = House(settings_in(tmp_path))
    yield served
    served.close()


@pytest.fixture
def evening(house: House) -> Evening:
    return laid(house)
