"""The values of each die and deck against their chances, drawn and declared apart, in all and by seat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec import UNSET

from domain.tally import Rolled
from projections.statistics_model import DECLARED, DRAWN, Faces, Test
from projections.tallies import Tally
from workers.statistics.alike import Chances, Rows, added, counted, draws
from workers.statistics.intervals import against
from workers.statistics.verdicts import FACES, Key

DICE = (DRAWN, DECLARED)
BySource = dict[str, dict[str, dict[str, Rows]]]
"""Drawn or declared -> die or deck -> seat -> its draws."""


def by_source(tallies: Iterable[Tally]) -> BySource:
    fallen: dict[str, dict[str, dict[str, list[tuple[Chances, str]]]]] = {dice: {} for dice in DICE}
    for tally in tallies:
        if isinstance(tally.of, Rolled) and tally.dice:
            seats = fallen[tally.dice].setdefault(tally.of.source, defaultdict(list))
            seats[tally.seat].append((tuple(tally.of.chances.items()), tally.of.value))
    return {
        dice: {
            source: {seat: counted(draws) for seat, draws in sorted(seats.items())}
            for source, seats in sorted(sources.items())
        }
        for dice, sources in fallen.items()
    }


def tested(every: BySource) -> dict[Key, Rows]:
    """What is tested: each die or deck by seat, and in all where more than one seat used it."""
    found: dict[Key, Rows] = {}
    for dice, sources in every.items():
        for source, seats in sources.items():
            found |= {Key(FACES, dice, source, seat): rows for seat, rows in seats.items()}
            if len(seats) > 1:
                found[Key(FACES, dice, source)] = added(seats.values())
    return found


def faces(every: BySource, tests: Mapping[Key, Test]) -> dict[str, dict[str, Faces]]:
    return {
        dice: {
            source: _faces(Key(FACES, dice, source), seats, tests)
            for source, seats in sources.items()
        }
        for dice, sources in every.items()
    }


def of_rows(rows: Rows, test: Test | None, seats: Mapping[str, Faces] | None = None) -> Faces:
    return Faces(draws(rows), against(rows), UNSET if test is None else test, dict(seats or {}))


def _faces(key: Key, seats: Mapping[str, Rows], tests: Mapping[Key, Test]) -> Faces:
    """A die that one seat alone used has that seat's test."""
    each = {seat: of_rows(rows, tests[key._replace(seat=seat)]) for seat, rows in seats.items()}
    whole = tests.get(key) or tests[key._replace(seat=next(iter(seats)))]
    return of_rows(added(seats.values()), whole, each)
