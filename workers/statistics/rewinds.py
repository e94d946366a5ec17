"""Statistics for draw grades, voided draws, rewinds and undone rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from domain.session.lineage import lineage, within
from domain.verify.void_bias import KnownVoid, void_biases
from projections import statistics_model as m
from projections.tallies import TalliedRewind
from workers.statistics.running import Ever, Live, RollRecord, VoidRecord

UNKNOWN = m.VoidedResult()


def draws(live: Live, ever: Ever, voided: Mapping[int, m.VoidedResult]) -> m.DrawStatistics:
    """Return statistics for draw grades and voided draws.

    Voided draws include those on undone branches, because a rewind does not undo a void.
    """
    total = Counter[str]()
    for grades in live.grades.values():
        total.update(grades)
    voids = tuple(_void(each, voided) for each in ever.voids)
    known = [
        KnownVoid(
            void.version,
            void.missing,
            tuple((each.sides, each.value) for each in void.result.values),
        )
        for void in voids
        if void.result is not UNSET
    ]
    return m.DrawStatistics(
        _sorted(total),
        {seat: _sorted(grades) for seat, grades in sorted(live.grades.items())},
        voids,
        _sorted(ever.missing),
        void_biases(known),
    )


def _void(void: VoidRecord, voided: Mapping[int, m.VoidedResult]) -> m.VoidedDraw:
    found = voided.get(void.draw, UNKNOWN)
    return m.VoidedDraw(void.version, void.draw, void.seat, void.missing, found.result, found.again)


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def rewinds(
    live: Live, ever: Ever, version: int, every: Sequence[TalliedRewind]
) -> m.RewindStatistics:
    """Return statistics for rewinds, with each undone roll and the next roll of the same kind.

    `every` contains the rewinds after the first of the rolls that `ever` has one by one.
    """
    spans = lineage([(rewind.version, rewind.to) for rewind in every], version)
    undone = (roll for roll in ever.rolls if not within(spans, roll.version))
    found = tuple(_undone(roll, ever.rolls, every) for roll in undone)
    return m.RewindStatistics(ever.rewinds, ever.turns - live.turns, tuple(filter(None, found)))


def _undone(
    roll: RollRecord, rolls: Sequence[RollRecord], every: Sequence[TalliedRewind]
) -> m.UndoneDraw | None:
    rewind = next((each.version for each in every if each.to < roll.version < each.version), 0)
    if not rewind:
        return None
    again = next(_alike(roll, rewind, rolls), None)
    return m.UndoneDraw(
        _drawn(roll),
        roll.seat,
        roll.entity,
        roll.use,
        rewind,
        UNSET if again is None else _drawn(again),
    )


def _alike(roll: RollRecord, rewind: int, rolls: Sequence[RollRecord]) -> Iterator[RollRecord]:
    """Yield the rolls after the rewind for the same entity and kind of action."""
    for each in rolls:
        if each.version > rewind and (each.entity, each.use) == (roll.entity, roll.use):
            yield each


def _drawn(roll: RollRecord) -> m.DrawnValue:
    luck = UNSET if roll.luck is None else roll.luck
    return m.DrawnValue(roll.version, roll.value, roll.outcome, luck)
