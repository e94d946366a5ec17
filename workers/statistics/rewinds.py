"""Rewinds: how many, what they undid, and every draw left behind beside the same seat's next of its kind."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.tally import Rolled
from projections.figures import DRAWN, Draw, Redrawn, Rewinds
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


def rewinds(evening: Evening, every: Sequence[Rewind]) -> Rewinds:
    """`every` rewind of the session: one behind the evening's last version may have undone what is in it."""
    drawn = [
        Draft(tally, tally.of) for tally in evening.tallies if tally.dice == DRAWN and isinstance(tally.of, Rolled)
    ]
    kinds: dict[Kind, dict[int, list[Draft]]] = defaultdict(lambda: defaultdict(list))
    for draft in drawn:
        kinds[draft.kind][draft.tally.version].append(draft)
    draws = tuple(_redrawn(draft, kinds[draft.kind], every) for draft in drawn if draft.tally.undone)
    return Rewinds(len(evening.rewinds), sum(turn.undone for turn in evening.turns), draws)


def _redrawn(draft: Draft, alike: Mapping[int, Sequence[Draft]], every: Sequence[Rewind]) -> Redrawn:
    """`alike`: the drafts of its kind by version; of a pool each die stands beside the one in its place."""
    version, roll = draft.tally.version, draft.roll
    left = next(rewind.version for rewind in every if rewind.to < version < rewind.version)
    versions = list(alike)
    behind = versions[bisect_right(versions, left) :][:1]
    pool = alike[behind[0]] if behind else ()
    place = alike[version].index(draft)
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
