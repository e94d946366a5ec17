"""Statistics for dice and cards: values compared with chance, luck, and streaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, groupby
from math import exp, log, sqrt
from typing import NamedTuple

from msgspec import UNSET

from domain.tally import Rolled
from projections import statistics_model as m
from projections.tallies import Tally
from workers.statistics import intervals, pooled_draws, significance
from workers.statistics.pooled_draws import Chances, Pools
from workers.statistics.significance import FACES, LUCK, Subject

SEATS, ENTITIES = "seats", "entities"
Z_DIGITS = 4
"""The number of decimal places in each z value of a series."""
LOG_OF_ZERO = -1_000.0
"""The number used as the logarithm of 0. Its exponential is 0.0."""
WAYS = {"lucky": 1, "unlucky": -1}

Fallen = dict[str, dict[str, dict[str, Pools]]]
"""Pooled draws, keyed by "drawn" or "declared", then by die or deck, then by seat."""


class RankedDraw(NamedTuple):
    """A draw with at least one better or worse possible result."""

    version: int
    chances: Chances
    value: str


Ranked = dict[str, dict[str, list[RankedDraw]]]
"""Draws in order, keyed by "seats" or "entities", then by the id of the seat or entity."""


def draws_by_source(tallies: Iterable[Tally]) -> Fallen:
    fallen: dict[str, dict[str, dict[str, list[tuple[Chances, str]]]]] = {
        m.DRAWN: {},
        m.DECLARED: {},
    }
    for tally in tallies:
        if isinstance(tally.of, Rolled) and tally.dice:
            seats = fallen[tally.dice].setdefault(tally.of.source, defaultdict(list))
            seats[tally.seat].append((tuple(tally.of.chances.items()), tally.of.value))
    return {
        dice: {
            source: {seat: pooled_draws.pool(draws) for seat, draws in sorted(seats.items())}
            for source, seats in sorted(sources.items())
        }
        for dice, sources in fallen.items()
    }


def faces_to_test(fallen: Fallen) -> dict[Subject, Pools]:
    """Return the draws to test for each die or deck.

    There is one test for each seat that used the die or deck, and one for all seats together if
    more than one seat used it.
    """
    found: dict[Subject, Pools] = {}
    for dice, sources in fallen.items():
        for source, seats in sources.items():
            found |= {Subject(FACES, dice, source, seat): pools for seat, pools in seats.items()}
            if len(seats) > 1:
                found[Subject(FACES, dice, source)] = pooled_draws.merge(seats.values())
    return found


def faces(fallen: Fallen, tests: Mapping[Subject, m.ChanceTest]) -> dict[str, dict[str, m.Faces]]:
    return {
        dice: {
            source: _faces_of_source(Subject(FACES, dice, source), seats, tests)
            for source, seats in sources.items()
        }
        for dice, sources in fallen.items()
    }


def _faces_of_source(
    subject: Subject, seats: Mapping[str, Pools], tests: Mapping[Subject, m.ChanceTest]
) -> m.Faces:
    """Return the face statistics for a die or deck, overall and by seat.

    If only one seat used the die or deck, that seat's test is also the overall test.
    """
    each = {
        seat: _faces(pools, tests[subject._replace(seat=seat)]) for seat, pools in seats.items()
    }
    test = tests.get(subject) or tests[subject._replace(seat=next(iter(seats)))]
    return _faces(pooled_draws.merge(seats.values()), test, each)


def _faces(pools: Pools, test: m.ChanceTest, seats: Mapping[str, m.Faces] | None = None) -> m.Faces:
    return m.Faces(pooled_draws.count(pools), intervals.compare(pools), test, dict(seats or {}))


def ranked_draws(tallies: Iterable[Tally]) -> Ranked:
    """Return the draws that could have had a better or worse result.

    The draws are keyed by seat and by entity.
    """
    found: Ranked = {SEATS: defaultdict(list), ENTITIES: defaultdict(list)}
    for tally in tallies:
        if isinstance(tally.of, Rolled) and tally.dice == m.DRAWN:
            ranked = significance.rank(tally.of)
            if ranked is not None:
                draw = RankedDraw(tally.version, *ranked)
                found[SEATS][tally.seat].append(draw)
                found[ENTITIES][tally.of.entity].append(draw)
    return {group: dict(sorted(ids.items())) for group, ids in found.items()}


def luck_to_test(ranked: Ranked) -> dict[Subject, Pools]:
    return {Subject(LUCK, seat=seat): _pool(draws) for seat, draws in ranked[SEATS].items()}


def luck(ranked: Ranked, tests: Mapping[Subject, m.ChanceTest]) -> dict[str, dict[str, m.Luck]]:
    return {
        group: {
            name: _luck(draws, tests.get(Subject(LUCK, seat=name)) if group == SEATS else None)
            for name, draws in ids.items()
        }
        for group, ids in ranked.items()
    }


def _pool(draws: Iterable[RankedDraw]) -> Pools:
    return pooled_draws.pool((draw.chances, draw.value) for draw in draws)


def _luck(draws: Sequence[RankedDraw], test: m.ChanceTest | None) -> m.Luck:
    trial = significance.try_luck(_pool(draws), tests=False)
    z = round(trial.statistic, significance.DIGITS)
    return m.Luck(trial.draws, z, _z_after_each(draws), UNSET if test is None else test)


def _z_after_each(draws: Iterable[RankedDraw]) -> m.Series:
    total = variance = 0.0
    series = []
    for draw in draws:
        table = significance.luck_of(draw.chances)
        total += table.luck[draw.value] - 0.5
        variance += table.variance
        series.append((draw.version, round(total / sqrt(variance), Z_DIGITS)))
    return tuple(series)


def streaks(ranked: Ranked) -> dict[str, dict[str, dict[str, m.Streak]]]:
    """Return the longest lucky and unlucky streak for each seat and entity.

    The result is keyed by "seats" or "entities", then by id, then by "lucky" or "unlucky".
    """
    return {
        group: {name: _streaks(draws) for name, draws in ids.items()}
        for group, ids in ranked.items()
    }


def _streaks(draws: Sequence[RankedDraw]) -> dict[str, m.Streak]:
    tables = [significance.luck_of(draw.chances) for draw in draws]
    lucks = [table.luck[draw.value] for table, draw in zip(tables, draws, strict=True)]
    sides = [(luck > 0.5) - (luck < 0.5) for luck in lucks]
    found: dict[str, m.Streak] = {}
    for way, side in WAYS.items():
        first, end = _longest(sides, side)
        if length := end - first:
            chances = [table.above if side > 0 else table.below for table in tables]
            p = significance.round_p(chance_of_streak(length, chances))
            found[way] = m.Streak(length, draws[first].version, draws[end - 1].version, p)
    return found


def _longest(sides: Sequence[int], side: int) -> tuple[int, int]:
    """Return the start and end of the longest run of `side` in `sides`.

    If several runs are equally long, return the first. Return (0, 0) if there is no run.
    """
    best, place = (0, 0), 0
    for each, run in groupby(sides):
        length = len(list(run))
        if each == side and length > best[1] - best[0]:
            best = place, place + length
        place += length
    return best


def chance_of_streak(length: int, chances: Sequence[float]) -> float:
    """Return the probability of a streak of at least `length` draws.

    `chances` contains, for each draw, the probability that it is lucky (or unlucky, for an unlucky
    streak). The exact result is the sum, over all draws, of the probability that the draw completes
    the first such streak. Logarithms prevent underflow.
    """
    logs = [0.0, *accumulate(log(chance) if chance else LOG_OF_ZERO for chance in chances)]
    reached = [0.0] * min(length, len(logs))
    for end in range(length, len(logs)):
        first = end - length
        before = (1 - reached[first - 1]) * (1 - chances[first - 1]) if first else 1.0
        reached.append(reached[-1] + before * exp(logs[end] - logs[first]))
    return reached[-1]
