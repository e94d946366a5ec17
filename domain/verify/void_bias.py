"""A test of whether voided draws would have had results that differ from chance.

Neither a seat that does not answer nor a server that reports a seat as missing can know the result
of a draw without knowing all links of the draw. If draws are voided only because someone was away,
the results that they would have had are therefore as random as all others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.chance import Values
from domain.session.state import HOUSE
from domain.verify.report import VoidBias

MIN_VALUES = 10
"""The test is a normal approximation, which needs at least this many values."""
MAX_P = 0.01
"""Chance alone causes a warning in at most this share of sessions, however many tests there are."""


class KnownVoid(NamedTuple):
    """A voided draw whose values are known."""

    version: int
    missing: tuple[str, ...]
    values: Values


def void_biases(voids: Sequence[KnownVoid]) -> tuple[VoidBias, ...]:
    """Test whether the results of voided draws are biased, for each missing seat and the server.

    All voided draws count for the server, because it may have turned away any seat's link. Groups
    with fewer than MIN_VALUES values are omitted.
    """
    seats = sorted({seat for void in voids for seat in void.missing})
    groups = {seat: [void for void in voids if seat in void.missing] for seat in seats}
    return tuple(_biases(groups | {HOUSE: list(voids)}))


def significant(biases: Sequence[VoidBias]) -> tuple[VoidBias, ...]:
    """Return the biases that are statistically significant after a Bonferroni correction."""
    return tuple(each for each in biases if each.p < MAX_P / len(biases))


def _biases(groups: dict[str, list[KnownVoid]]) -> Iterator[VoidBias]:
    for seat, voids in groups.items():
        values = tuple(
            (sides, value) for void in voids for sides, value in void.values if sides > 1
        )
        if len(values) >= MIN_VALUES:
            versions = tuple(void.version for void in voids)
            yield VoidBias(seat, versions, len(values), _mean_place(values), _p(values))


def _mean_place(values: Values) -> float:
    """Return the mean position of the values, from 0 (a die's lowest face) to 1 (its highest).

    By chance alone, the mean is 0.5 on average.
    """
    return sum((value - 1) / (sides - 1) for sides, value in values) / len(values)


def _p(values: Values) -> float:
    """Return the probability that fair values deviate from the mean at least as much as these.

    Each value is compared with the mean of its die, in standard deviations of that die, so that
    large dice count as much as small ones.
    """
    deviations = (
        (2 * value - sides - 1) / math.sqrt((sides * sides - 1) / 3) for sides, value in values
    )
    return math.erfc(abs(sum(deviations)) / math.sqrt(2 * len(values)))
