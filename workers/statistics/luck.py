"""Luck: every drawn value's mid-probability against one half, summed up as z, by seat and by entity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

from msgspec import UNSET

from domain.tally import Rolled
from projections.statistics_model import DRAWN, Luck, Series, Test
from projections.tallies import Tally
from workers.statistics.alike import Chances, Rows, counted
from workers.statistics.mids import mids, worth
from workers.statistics.trials import lucky
from workers.statistics.verdicts import DIGITS, LUCK, Key

SEATS, ENTITIES = "seats", "entities"
PLACES = 4
"""Of each z of a series."""


class Worth(NamedTuple):
    """A drawn value that could have been better or worse."""

    version: int
    chances: Chances
    value: str


ByWhom = dict[str, dict[str, list[Worth]]]
"""Seats or entities -> id -> what they drew, in order."""


def by_whom(tallies: Iterable[Tally]) -> ByWhom:
    found: ByWhom = {SEATS: defaultdict(list), ENTITIES: defaultdict(list)}
    for tally in tallies:
        if not isinstance(tally.of, Rolled) or tally.dice != DRAWN:
            continue
        came = worth(tally.of)
        if came is not None:
            each = Worth(tally.version, *came)
            found[SEATS][tally.seat].append(each)
            found[ENTITIES][tally.of.entity].append(each)
    return {group: dict(sorted(ids.items())) for group, ids in found.items()}


def rows_of(draws: Iterable[Worth]) -> Rows:
    return counted((draw.chances, draw.value) for draw in draws)


def tested(every: ByWhom) -> dict[Key, Rows]:
    """What is tested: each seat."""
    return {Key(LUCK, seat=seat): rows_of(draws) for seat, draws in every[SEATS].items()}


def luck(every: ByWhom, tests: Mapping[Key, Test]) -> dict[str, dict[str, Luck]]:
    return {
        group: {
            name: of_rows(
                rows_of(draws),
                tests.get(Key(LUCK, seat=name)) if group == SEATS else None,
                _series(draws),
            )
            for name, draws in ids.items()
        }
        for group, ids in every.items()
    }


def of_rows(rows: Rows, test: Test | None, series: Series = ()) -> Luck:
    trial = lucky(rows, tests=False)
    return Luck(
        trial.draws, round(trial.statistic, DIGITS), series, UNSET if test is None else test
    )


def _series(draws: Iterable[Worth]) -> Series:
    """z after each draw."""
    total = variance = 0.0
    series = []
    for draw in draws:
        mid = mids(draw.chances)
        total += mid.luck[draw.value] - 0.5
        variance += mid.variance
        series.append((draw.version, round(total / sqrt(variance), PLACES)))
    return tuple(series)
