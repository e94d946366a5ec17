"""Statistics for draw grades, voided draws, rewinds and undone draws."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.tally import Graded, Rolled, Voided
from domain.verify.void_bias import KnownVoid, void_biases
from projections import statistics_model as m
from projections.tallies import SessionTallies, TalliedRewind, Tally
from workers.statistics import significance
from workers.statistics.results import sort_counts

Kind = tuple[str, str, str]
"""The kind of a draw: (entity, kind of action, die or deck)."""


class VoidedResult(NamedTuple):
    """The result that a voided draw would have given.

    `shadow` contains the values that the draw would have produced. `again` is the version of the
    seat's next roll for the same kind of command.
    """

    shadow: m.VoidedValues | UnsetType = UNSET
    again: int | UnsetType = UNSET


UNKNOWN = VoidedResult()


def draws(
    counted: Iterable[Tally], every: Iterable[Tally], voided_results: Mapping[int, VoidedResult]
) -> m.DrawStatistics:
    """Return statistics for draw grades and voided draws.

    Grades are taken from `counted`, and voided draws from `every`. `every` also contains undone
    tallies, because a rewind does not undo a void.
    """
    graded = [tally.of for tally in counted if isinstance(tally.of, Graded)]
    voids = tuple(
        _void(tally, tally.of, voided_results) for tally in every if isinstance(tally.of, Voided)
    )
    seats = {
        seat: _grades(each for each in graded if _seat(each) == seat)
        for seat in sorted({*map(_seat, graded)})
    }
    known = [
        KnownVoid(void.version, void.missing, void.shadow.values)
        for void in voids
        if void.shadow is not UNSET
    ]
    return m.DrawStatistics(
        _grades(graded),
        seats,
        voids,
        sort_counts(Counter(seat for void in voids for seat in void.missing)),
        void_biases(known),
    )


def _void(tally: Tally, voided: Voided, voided_results: Mapping[int, VoidedResult]) -> m.VoidedDraw:
    shadow, again = voided_results.get(voided.k, UNKNOWN)
    return m.VoidedDraw(tally.version, voided.k, _seat(voided), voided.missing, shadow, again)


def _grades(graded: Iterable[Graded]) -> dict[str, int]:
    return sort_counts(Counter(each.grade for each in graded))


def _seat(count: Graded | Voided) -> str:
    return count.entity.removeprefix("@")


class Draft(NamedTuple):
    tally: Tally
    roll: Rolled

    @property
    def kind(self) -> Kind:
        return self.roll.entity, self.roll.use, self.roll.source


class DraftsOfKind(NamedTuple):
    """The drawn values of one kind, in order.

    Values from the same turn form a pool.
    """

    firsts: list[int]
    """The version of each pool's first draw."""
    pools: list[list[Draft]]


def rewinds(session: SessionTallies, every: Sequence[TalliedRewind]) -> m.RewindStatistics:
    """Return statistics for rewinds, with each undone draw and the next draw of the same kind.

    `every` must contain all rewinds in the session, because a draw may have been undone by a rewind
    after the last counted version.
    """
    drawn = [
        Draft(tally, tally.of)
        for tally in session.tallies
        if tally.dice == m.DRAWN and isinstance(tally.of, Rolled)
    ]
    kinds: dict[Kind, dict[int, list[Draft]]] = defaultdict(lambda: defaultdict(list))
    for draft in drawn:
        kinds[draft.kind][draft.tally.turn].append(draft)
    alike = {
        kind: DraftsOfKind([pool[0].tally.version for pool in of.values()], [*of.values()])
        for kind, of in kinds.items()
    }
    left = _left([draft.tally.version for draft in drawn if draft.tally.undone], every)
    places: Counter[tuple[Kind, int]] = Counter()
    draws = list[m.UndoneDraw]()
    for draft in drawn:
        pool = draft.kind, draft.tally.turn
        if draft.tally.undone:
            draws.append(
                _redrawn(draft, places[pool], left[draft.tally.version], alike[draft.kind])
            )
        places[pool] += 1
    return m.RewindStatistics(
        len(session.rewinds), sum(turn.undone for turn in session.turns), tuple(draws)
    )


def _left(undone: Iterable[int], every: Sequence[TalliedRewind]) -> dict[int, int]:
    """Map each undone version to the version of the first rewind that undid it.

    `undone` must be in ascending order.
    """
    left, standing, coming = dict[int, int](), list[int](), deque(undone)
    for rewind in every:
        while coming and coming[0] < rewind.version:
            standing.append(coming.popleft())
        while standing and standing[-1] > rewind.to:
            left[standing.pop()] = rewind.version
    return left


def _redrawn(draft: Draft, place: int, left: int, alike: DraftsOfKind) -> m.UndoneDraw:
    """Return an undone draw together with the corresponding draw after the rewind.

    The corresponding draw has the same index in the next pool of the same kind. `left` is the
    version of the rewind.
    """
    roll, behind = draft.roll, bisect_right(alike.firsts, left)
    pool = alike.pools[behind] if behind < len(alike.pools) else []
    again = pool[place] if place < len(pool) else None
    return m.UndoneDraw(
        _draw(draft),
        draft.tally.seat,
        roll.entity,
        roll.source,
        roll.use,
        left,
        _luck(roll),
        UNSET if again is None else _draw(again),
        UNSET if again is None else _luck(again.roll),
    )


def _draw(draft: Draft) -> m.DrawnValue:
    return m.DrawnValue(draft.tally.version, draft.roll.value, draft.roll.outcome)


def _luck(roll: Rolled) -> float | UnsetType:
    found = significance.luck_of_roll(roll)
    return UNSET if found is None else round(found, significance.DIGITS)
