"""Rewinds: how many, what they undid, and every draw left behind beside the same seat's next of its kind."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.tally import Rolled
from projections.statistics_model import DRAWN, Draw, Redrawn, Rewinds
from projections.tallies import Evening, Rewind, Tally
from workers.statistics.mids import luck
from workers.statistics.verdicts import DIGITS

Kind = tuple[str, str, str]
"""The seat, what was asked for, and the die or deck."""


class Draft(NamedTuple):
    """A drawn value."""

    tally: Tally
    roll: Rolled

    @property
    def kind(self) -> Kind:
        return self.tally.seat, self.roll.use, self.roll.source


class Alike(NamedTuple):
    """The drafts of a kind turn by turn, as they rise; what a turn drew of it is a pool."""

    firsts: list[int]
    """The first version of each pool."""
    pools: list[list[Draft]]


def rewinds(evening: Evening, every: Sequence[Rewind]) -> Rewinds:
    """`every` rewind of the session: one behind the evening's last version may have undone what is in it."""
    drawn = [
        Draft(tally, tally.of)
        for tally in evening.tallies
        if tally.dice == DRAWN and isinstance(tally.of, Rolled)
    ]
    kinds: dict[Kind, dict[int, list[Draft]]] = defaultdict(lambda: defaultdict(list))
    for draft in drawn:
        kinds[draft.kind][draft.tally.turn].append(draft)
    alike = {
        kind: Alike([pool[0].tally.version for pool in of.values()], [*of.values()])
        for kind, of in kinds.items()
    }
    left = _left([draft.tally.version for draft in drawn if draft.tally.undone], every)
    places: Counter[tuple[Kind, int]] = Counter()
    draws = list[Redrawn]()
    for draft in drawn:
        pool = draft.kind, draft.tally.turn
        if draft.tally.undone:
            draws.append(
                _redrawn(draft, places[pool], left[draft.tally.version], alike[draft.kind])
            )
        places[pool] += 1
    return Rewinds(len(evening.rewinds), sum(turn.undone for turn in evening.turns), tuple(draws))


def _left(undone: Iterable[int], every: Sequence[Rewind]) -> dict[int, int]:
    """The version of the first rewind that left each of the rising versions behind."""
    left, standing, coming = dict[int, int](), list[int](), deque(undone)
    for rewind in every:
        while coming and coming[0] < rewind.version:
            standing.append(coming.popleft())
        while standing and standing[-1] > rewind.to:
            left[standing.pop()] = rewind.version
    return left


def _redrawn(draft: Draft, place: int, left: int, alike: Alike) -> Redrawn:
    """Of a pool each die stands beside the one in its `place`."""
    roll, behind = draft.roll, bisect_right(alike.firsts, left)
    pool = alike.pools[behind] if behind < len(alike.pools) else []
    again = pool[place] if place < len(pool) else None
    return Redrawn(
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


def _draw(draft: Draft) -> Draw:
    return Draw(draft.tally.version, draft.roll.value, draft.roll.outcome)


def _luck(roll: Rolled) -> float | UnsetType:
    found = luck(roll)
    return UNSET if found is None else round(found, DIGITS)
