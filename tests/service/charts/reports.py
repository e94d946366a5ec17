"""SessionReport of evenings that nobody played, of any size, and those of the golden ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.descriptions import names
from projections.statistics_model import (
    ActionStatistics,
    BoardStatistics,
    ChanceTest,
    ConditionStatistics,
    DrawnValue,
    DrawStatistics,
    Faces,
    Flow,
    Luck,
    ObservedCount,
    OutcomeCounts,
    Pace,
    PoolStatistics,
    RewindStatistics,
    SessionReport,
    Streak,
    Tempo,
    TestSummary,
    UndoneDraw,
    Usage,
    VoidedDraw,
    VoidedValues,
)
from projections.tallies import session_tallies
from tests.golden.play import Play
from tests.golden.table import TablePlay
from workers.statistics.report import compute_report

DICE = (("d6", 6), ("d20", 20), ("d100", 100))
RING = ("F", "PF", "PS", "S", "PS", "PF")


def figures(
    seats: int = 4, draws: int = 120, seed: int = 6, dice: Sequence[tuple[str, int]] = DICE
) -> SessionReport:
    """Of so many seats with so many draws between them, three versions to a draw; every part has something in it."""
    chance = random.Random(seed)
    who = [f"p{nth}" for nth in range(1, seats + 1)]
    order = [(3 * nth + 1, chance.choice(who)) for nth in range(draws)]
    fallen = {seat: [at for at, by in order if by == seat] for seat in who}
    gaps = tuple((at, round(chance.expovariate(0.7), 3)) for at, _ in order[1:])
    last = 3 * draws
    luck = {seat: _luck(chance, at) for seat, at in fallen.items() if at}
    return SessionReport(
        last,
        1,
        last,
        False,
        {
            "drawn": {name: _faces(chance, sides, draws, who) for name, sides in dice},
            "declared": {"d6": _faces(chance, 6, 3, who[:1])},
        },
        {"seats": luck, "entities": luck},
        {
            "seats": {
                seat: {"above": Streak(3, 1, 9, 0.2), "below": Streak(2, 4, 7, 0.6)} for seat in who
            }
        },
        {"seats": {seat: {"check": _use(chance, draws), "ruling": _ruled()} for seat in who}},
        {
            seat: {
                "AP": PoolStatistics(
                    {"alter": Flow(0, 7, 3), "failure": Flow(4, 0, 2)}, _level(chance, at)
                )
            }
            for seat, at in fallen.items()
            if at
        },
        {seat: {"Aflame": ConditionStatistics(2, 1, 7, 5)} for seat in who},
        {"ring": BoardStatistics(RING, (3, 4, 5, 6, 2, 1), (3.5,) * 6, (2, 4, 6, 7, 1, 1))},
        {
            "d12": Usage(
                9, ObservedCount(2, 1.5, 0, 4), ((1, 1.0, 0.84), (2, 0.75, 0.7), (5, 0.5, 0.4))
            )
        },
        RewindStatistics(
            2, 3, tuple(_redrawn(chance, seat, 3 * nth + 2) for nth, seat in enumerate(who))
        ),
        Tempo(
            draws,
            sum(gap for _, gap in gaps),
            1.0,
            {
                seat: Pace(len(at), round(len(at) / draws, 4), 4.2)
                for seat, at in fallen.items()
                if at
            },
            gaps,
            tuple(order),
        ),
        DrawStatistics(
            {"A": 3, "B": 0, "C": draws, "D": 3},
            {seat: {"A": 1, "C": len(at)} for seat, at in fallen.items()},
            (_void(9, who, VoidedValues(((6, 5),), ("{p1} waits.",)), 12), _void(20, who)),
            {who[-1]: 2},
        ),
        TestSummary(9, 0.01, "fair", "Nothing stands out."),
    )


def _faces(chance: random.Random, sides: int, draws: int, seats: Sequence[str]) -> Faces:
    rolls = [chance.randint(1, sides) for _ in range(draws)]
    means = [draws / sides * chance.uniform(0.7, 1.3) for _ in range(sides)]
    values = {str(value): _seen(rolls.count(value), mean) for value, mean in enumerate(means, 1)}
    apart = (
        {seat: _faces(chance, sides, max(1, draws // len(seats)), ()) for seat in seats}
        if len(seats) > 1
        else {}
    )
    return Faces(draws, values, ChanceTest(4.2, 0.31, 1.0, "chi-square", "fair", sides - 1), apart)


def _seen(times: int, expected: float) -> ObservedCount:
    spread = 2 * expected**0.5
    return ObservedCount(
        times, round(expected, 6), max(0, int(expected - spread)), int(expected + spread) + 1
    )


def _void(
    at: int,
    who: Sequence[str],
    shadow: VoidedValues | UnsetType = UNSET,
    again: int | UnsetType = UNSET,
) -> VoidedDraw:
    return VoidedDraw(at, at // 2, who[0], (who[-1],), shadow, again)


def odd() -> SessionReport:
    """What hardly ever is: a year's pause, a clock that went back, huge and negative pools, chances of nothing."""
    made = figures(2, 9)
    gaps = ((4, 600_000.5), (7, -3.0), (10, 0.0))
    level = ((1, 5e6), (4, -123_456.0), (9, 2.0**53))
    points = {
        "p1": {
            "AP": PoolStatistics({"hit": Flow(2**53, 0, 1)}, level),
            "LP": PoolStatistics({"rest": Flow(0, 0, 1)}, ((3, 0.0),)),
        }
    }
    nothing = ObservedCount(0, 0.0, 0, 0)
    faces = {
        "drawn": {
            "": Faces(0, {"x": nothing}),
            "龍 dice": Faces(1, {"a": ObservedCount(1, 1.0, 1, 1)}),
        }
    }
    return replace(
        made,
        tempo=replace(made.tempo, gaps=gaps, minutes=600_000.0),
        points=points,
        faces=faces,
        boards={
            "r": BoardStatistics(tuple(map(str, range(40))), (1,) * 40, (0.5,) * 40, (1,) * 40)
        },
        results={
            "seats": {"p1": {"!": ActionStatistics({"Ü": OutcomeCounts(0, nothing, nothing)})}}
        },
        draws=replace(made.draws, voids=(VoidedDraw(3, 1, "p1", ()),), missing={}),
    )


def _luck(chance: random.Random, at: Sequence[int]) -> Luck:
    sums = accumulate(chance.random() - 0.5 for _ in at)
    zs = (round(total / (nth / 12) ** 0.5, 4) for nth, total in enumerate(sums, 1))
    series = tuple(zip(at, zs, strict=True))
    return Luck(
        len(at), series[-1][1], series, ChanceTest(series[-1][1], 0.2, 1.0, "normal", "fair")
    )


def _use(chance: random.Random, draws: int) -> ActionStatistics:
    outcomes = {
        name: OutcomeCounts(
            chance.randint(0, draws),
            ObservedCount(chance.randint(0, draws), draws / 4, 0, draws // 2 + 1),
            ObservedCount(1, 0.5, 0, 1),
        )
        for name in ("F", "PF", "PS", "S")
    }
    return ActionStatistics(outcomes, {"F": {"PF": 2}, "PS": {"S": 1, "PS": 3}})


def _ruled() -> ActionStatistics:
    return ActionStatistics(
        {
            "automatic success": OutcomeCounts(
                3, ObservedCount(0, 0.0, 0, 0), ObservedCount(0, 0.0, 0, 0)
            )
        }
    )


def _level(chance: random.Random, at: Sequence[int]) -> tuple[tuple[int, float], ...]:
    return tuple((version, float(chance.randint(0, 12))) for version in at)


def _redrawn(chance: random.Random, seat: str, at: int) -> UndoneDraw:
    before, after = (round(chance.random(), 4) for _ in range(2))
    undone, following = DrawnValue(at, "3", "F"), DrawnValue(at + 6, "5", "S")
    return UndoneDraw(undone, seat, seat, "d6", "check", at + 4, before, following, after)


GOLDEN = (*RULESETS, "table")
"""The golden evenings: of each game, and of the first one's table that draws together."""


@lru_cache
def golden(which: AnyRuleset | str) -> tuple[SessionReport, dict[str, str]]:
    """The figures of a golden evening as they are stored, and the names at its end."""
    evening = TablePlay(RULESETS[0]).evening if isinstance(which, str) else Play(which).evening
    found = msgspec.json.encode(compute_report(session_tallies(evening.ruleset, evening.facts)))
    return msgspec.json.decode(found, type=SessionReport), names(evening.session)


def named(which: AnyRuleset | str) -> str:
    return which if isinstance(which, str) else which.name
