"""Draws by grade, the ones that were given up with what they would have been, and who was missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.tally import Graded, Voided
from projections.statistics_model import Draws, Shadow, Void
from projections.tallies import Tally
from workers.statistics.results import total


class Behind(NamedTuple):
    """What stands behind a void: what it would have been, and the version of the seat's next draw of its kind."""

    shadow: Shadow | UnsetType = UNSET
    again: int | UnsetType = UNSET


NOTHING = Behind()


def draws_of(kept: Iterable[Tally], every: Iterable[Tally], shadows: Mapping[int, Behind]) -> Draws:
    """`kept` are graded; `every` void is told, for no rewind unmakes an attempt. `shadows` by k."""
    graded = [tally.of for tally in kept if isinstance(tally.of, Graded)]
    voids = tuple(
        _void(tally, tally.of, shadows) for tally in every if isinstance(tally.of, Voided)
    )
    seats = {
        seat: _grades(each for each in graded if _seat(each) == seat)
        for seat in sorted({*map(_seat, graded)})
    }
    return Draws(
        _grades(graded),
        seats,
        voids,
        total(Counter(seat for void in voids for seat in void.missing)),
    )


def _void(tally: Tally, voided: Voided, shadows: Mapping[int, Behind]) -> Void:
    shadow, again = shadows.get(voided.k, NOTHING)
    return Void(tally.version, voided.k, _seat(voided), voided.missing, shadow, again)


def _grades(graded: Iterable[Graded]) -> dict[str, int]:
    return total(Counter(each.grade for each in graded))


def _seat(count: Graded | Voided) -> str:
    return count.entity.removeprefix("@")
