"""Reports of sessions that no one played, of any size, and those of the golden sessions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.descriptions import names
from projections.campaign_model import CampaignRecord, CampaignReport, PersonReport, UseCount
from projections.statistics_model import (
    ActionStatistics,
    BoardStatistics,
    ChanceTest,
    ConditionStatistics,
    DrawnValue,
    DrawStatistics,
    Faces,
    Flow,
    Highlight,
    Luck,
    ObservedCount,
    OutcomeCounts,
    Pace,
    PoolStatistics,
    PossibleValue,
    Power,
    RewindStatistics,
    SecretRolls,
    Series,
    SessionReport,
    Streak,
    Successes,
    Tempo,
    TestFinding,
    TestName,
    TestSummary,
    UndoneDraw,
    Usage,
    VoidedDraw,
    VoidedValues,
)
from projections.tallies import session_tallies
from tests.golden.play import Play
from tests.golden.table import TablePlay
from workers.statistics.play import MAX_POINTS

DICE = (("d6", 6), ("d20", 20), ("d100", 100))
RING = ("F", "PF", "PS", "S", "PS", "PF")
Point = TypeVar("Point")
FAIR = "Nothing suspicious about the dice and cards."


def figures(
    seats: int = 4, draws: int = 120, seed: int = 6, dice: Sequence[tuple[str, int]] = DICE
) -> SessionReport:
    """Return a report with something in every part.

    The seats share the draws, and a draw takes three versions. A seat with fewer than 5 draws has
    no percentile.
    """
    chance = random.Random(seed)
    who = [f"p{nth}" for nth in range(1, seats + 1)]
    order = [(3 * nth + 1, chance.choice(who)) for nth in range(draws)]
    fallen = {seat: [at for at, by in order if by == seat] for seat in who}
    gaps = tuple((at, round(chance.expovariate(0.7), 3)) for at, _ in order[1:])
    last = 3 * draws
    luck = {seat: _luck(chance, at) for seat, at in fallen.items() if at}
    entities = {
        seat: replace(of, percentile=UNSET, text=UNSET, tests={}) for seat, of in luck.items()
    }
    streaks = {
        seat: {"lucky": Streak(3, 1, 9, 0.2), "unlucky": Streak(2, 4, 7, 0.6)} for seat in who
    }
    return SessionReport(
        version=last,
        first=1,
        last=last,
        headline="{@p1} was luckiest: better than 9 of 10 sessions. Nothing suspicious.",
        verdicts={"drawn": TestSummary("fair", True, 9, FAIR, (), _power(draws))},
        highlights=(
            Highlight("rarest", "p1", "p1", 4, 4, 0.004, "{p1} rolled 6 (check): S (1 in 6)."),
            Highlight(
                "drought",
                who[-1],
                f"@{who[-1]}",
                7,
                19,
                0.01,
                f"{{@{who[-1]}}} failed 6 times in a row.",
            ),
        ),
        secret={},
        faces={
            "drawn": {name: _faces(chance, sides, draws, who) for name, sides in dice},
            "declared": {"d6 (the red d6)": _faces(chance, 6, 6, who[:1])},
        },
        luck={"drawn": {"seats": luck, "entities": entities}},
        streaks={"drawn": {"seats": streaks, "entities": streaks}},
        results={
            "seats": {seat: {"check": _use(chance, draws), "ruling": _ruled()} for seat in who}
        },
        points={
            seat: {
                "AP": PoolStatistics(
                    {"alter": Flow(0, 7, 3), "failure": Flow(4, 0, 2)}, _level(chance, at)
                )
            }
            for seat, at in fallen.items()
            if at
        },
        conditions={seat: {"Aflame": ConditionStatistics(2, 1, 7, 5)} for seat in who},
        boards={"ring": BoardStatistics(RING, (3, 4, 5, 6, 2, 1), (3.5,) * 6, (2, 4, 6, 7, 1, 1))},
        usage={
            "d12": Usage(
                9, ObservedCount(2, 1.5, 0, 4), ((1, 1.0, 0.84), (2, 0.75, 0.7), (5, 0.5, 0.4))
            )
        },
        rewinds=RewindStatistics(
            2, 3, tuple(_redrawn(chance, seat, 3 * nth + 2) for nth, seat in enumerate(who))
        ),
        tempo=Tempo(
            draws,
            sum(gap for _, gap in gaps),
            1.0,
            {
                seat: Pace(len(at), round(len(at) / draws, 4), 4.2)
                for seat, at in fallen.items()
                if at
            },
            0,
            _thinned(gaps),
        ),
        draws=DrawStatistics(
            {"A": 3, "B": 0, "C": draws, "D": 3},
            {seat: {"A": 1, "C": len(at)} for seat, at in fallen.items()},
            (
                _void(9, who, VoidedValues((PossibleValue(6, 5),), ("{p1} waits.",)), 12),
                _void(20, who),
            ),
            {who[-1]: 2},
        ),
    )


def _thinned(series: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points that the worker keeps of a long series."""
    step = 1
    while len(series[::step]) > MAX_POINTS:
        step *= 2
    kept = tuple(series[::step])
    return kept if not series or kept[-1] == series[-1] else (*kept, series[-1])


def _power(draws: int) -> Power:
    weights = {"1.5": 0.05, "2": 0.15, "3": 0.57, "5": 0.98}
    return Power(
        "d6",
        draws,
        weights,
        f"With {draws} rolls of the d6, a value that comes 5 times as often as each other one would be found in 98% of sessions. At 2 times as often, it would probably be missed.",
    )


def _faces(chance: random.Random, sides: int, draws: int, seats: Sequence[str]) -> Faces:
    rolls = [chance.randint(1, sides) for _ in range(draws)]
    width = 1 if sides <= 20 else sides // 10
    values = {}
    for first in range(1, sides + 1, width):
        seen = sum(first <= roll < first + width for roll in rolls)
        name = str(first) if width == 1 else f"{first} to {first + width - 1}"
        values[name] = _seen(seen, draws / sides * width * chance.uniform(0.7, 1.3))
    tests: dict[TestName, ChanceTest] = {
        "faces": chance_test("fair", draws, 4.2),
        "repeats": chance_test("fair", draws, 21),
    }
    if sides > 20:
        tests["mean"] = chance_test("fair", draws, 0.4)
    apart = (
        {seat: _faces(chance, sides, max(1, draws // len(seats)), ()) for seat in seats}
        if len(seats) > 1
        else {}
    )
    return Faces(draws, values, tests, apart)


def chance_test(verdict: str, draws: int, statistic: float, chance: float = 0.31) -> ChanceTest:
    """Return a test, which was not run if there are fewer than 10 draws."""
    if draws < 10:
        return ChanceTest(draws, "few")
    return ChanceTest(draws, verdict, statistic, chance, min(1.0, 5 * chance), "exact")  # type: ignore[arg-type]


def _seen(times: int, expected: float) -> ObservedCount:
    spread = 2 * expected**0.5
    return ObservedCount(
        times, round(expected, 6), max(0, int(expected - spread)), int(expected + spread) + 1
    )


def _void(
    at: int,
    who: Sequence[str],
    result: VoidedValues | UnsetType = UNSET,
    again: int | UnsetType = UNSET,
) -> VoidedDraw:
    return VoidedDraw(at, at // 2, who[0], (who[-1],), result, again)


def odd() -> SessionReport:
    """Return a report of rare values: a clock that went back, huge and negative pools, no chances."""
    made = figures(2, 9)
    gaps = ((4, 600_000.5), (7, -3.0), (10, 0.0))
    level = ((1, 5e6), (4, -123_456.0), (9, 2.0**53))
    points = {
        "p1": {
            "AP": PoolStatistics({"hit": Flow(2**53, 0, 2)}, level),
            "LP": PoolStatistics({"rest": Flow(0, 0, 2)}, ((3, 0.0),)),
        }
    }
    nothing = ObservedCount(0, 0.0, 0, 0)
    faces = {
        "drawn": {
            "": Faces(7, {"x": nothing}),
            "龍 dice": Faces(5, {"a": ObservedCount(5, 5.0, 5, 5)}),
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
            "seats": {"p1": {"!": ActionStatistics({"Ü": OutcomeCounts(5, nothing, nothing)})}}
        },
        draws=replace(made.draws, voids=(VoidedDraw(3, 1, "p1", ()),), missing={}),
    )


def _luck(chance: random.Random, at: Sequence[int]) -> Luck:
    sums = accumulate(chance.random() - 0.5 for _ in at)
    zs = (round(total / (nth / 12) ** 0.5, 4) for nth, total in enumerate(sums, 1))
    series = tuple(zip(at, zs, strict=True))
    share = round(chance.random(), 4)
    is_known = len(at) >= 5
    return Luck(
        len(at),
        series[-1][1],
        _thinned(series),
        Successes(len(at) // 2, len(at), round(0.45 * len(at), 6)),
        share if is_known else UNSET,
        f"better than {int(10 * share)} of 10 sessions" if is_known else UNSET,
        len(at) // 10,
        {"luck": chance_test("fair", len(at), series[-1][1])},
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
    nothing = ObservedCount(0, 0.0, 0, 0)
    return ActionStatistics({"automatic success": OutcomeCounts(5, nothing, nothing)})


def _level(chance: random.Random, at: Sequence[int]) -> Series:
    return _thinned([(version, float(chance.randint(0, 12))) for version in at])


def _redrawn(chance: random.Random, seat: str, at: int) -> UndoneDraw:
    before, after = (chance.randint(-50, 50) for _ in range(2))
    return UndoneDraw(
        DrawnValue(at, "3", "F", before),
        seat,
        seat,
        "check",
        at + 4,
        DrawnValue(at + 6, "5", "S", after),
    )


NAMES = {"@gm": "Gwen", "@p1": "Ana", "@p2": "Bo", "@p3": "Pia", "@p4": "Mo", "bo": "Bo Thirsty"}
"""The names of the seats in the reports below."""


def evening(seed: int = 4) -> SessionReport:
    """Return the report of a session of four seats that drew fair values. Mo only rolled once."""
    made = replace(figures(4, 75, seed), secret={"gm": SecretRolls(60, 29)})
    seats = {
        "p1": lucky(20, -0.4, 0.35, "an ordinary session", Successes(9, 20, 10.0)),
        "p2": lucky(20, 1.4, 0.93, "better than 9 of 10 sessions", Successes(12, 20, 9.3)),
        "p3": lucky(15, -1.2, 0.14, "worse than 8 of 10 sessions", Successes(5, 15, 7.5)),
        "p4": Luck(1, 0.5, ((4, 0.5),), Successes(1, 1, 0.5)),
        "gm": lucky(20, 0.2, 0.56, "an ordinary session", Successes(10, 20, 10.0)),
    }
    return replace(
        made,
        headline="{@p2} was luckiest: better than 9 of 10 sessions. Nothing suspicious.",
        verdicts={"drawn": TestSummary("fair", True, 12, FAIR, (), _power(75))},
        highlights=(
            Highlight(
                "rarest",
                "p2",
                "bo",
                71,
                71,
                1 / 216,
                "{bo} rolled 6 + 6 + 6 (attack): perfect (1 in 216).",
            ),
            Highlight(
                "drought",
                "p3",
                "@p3",
                52,
                80,
                1 / 64,
                "{@p3} had 6 rolls in a row without a success (1 in 64).",
            ),
        ),
        luck={"drawn": {"seats": seats, "entities": {}}},
    )


def lucky(draws: int, z: float, share: float, text: str, of: Successes | UnsetType) -> Luck:
    """Return a seat's luck, whose curve has a straight line."""
    series = tuple((3 * nth + 1, round(z * (nth + 1) / draws, 3)) for nth in range(draws))
    tests: dict[TestName, ChanceTest] = {"luck": chance_test("fair", draws, z)}
    return Luck(draws, z, series, of, share, text, 0, tests)


FINDINGS = (
    TestFinding(
        "faces",
        "uneven",
        "{@p1}'s d6 is uneven: 6 came 12 times, 3.3 expected.",
        "Chance alone gives as much in at most 1 of 500 sessions.",
        0.0004,
        0.002,
        "p1",
        "d6",
        "6",
    ),
    TestFinding(
        "luck",
        "unlucky",
        "{@p3}'s 15 rolls were worse than chance explains.",
        "Chance alone gives as much in at most 1 of 250 sessions.",
        0.0007,
        0.004,
        "p3",
    ),
)


def loaded() -> SessionReport:
    """Return the report of a session with two findings."""
    made = evening()
    verdict = TestSummary(
        "uneven", True, 12, "Chance does not explain the dice and cards.", FINDINGS, _power(75)
    )
    return replace(
        made,
        headline=f"{{@p2}} was luckiest: better than 9 of 10 sessions. Suspicious: {FINDINGS[0].text}",
        verdicts={"drawn": verdict},
    )


def typed_in() -> SessionReport:
    """Return the report of a session in which Ana and Bo also typed in the values of physical dice."""
    made = evening()
    text = "{@p1}'s typed-in d6 (the red d6) shows the same value twice in a row less often than chance does."
    rarity = "Chance alone gives as much in at most 1 of 1,000 sessions."
    finding = TestFinding(
        "repeats", "changing", text, rarity, 0.0001, 0.001, source="d6 (the red d6)"
    )
    streak: dict[TestName, ChanceTest] = {
        "luck": chance_test("lucky", 40, 4.1, 0.00002),
        "streak": chance_test("fair", 40, 4),
    }
    seats = {
        "p1": replace(
            lucky(40, 4.1, 0.9999, "better than 999 of 1,000 sessions", Successes(40, 40, 6.7)),
            tests=streak,
        ),
        "p2": Luck(2, 0.1, ((4, 0.1),)),
    }
    return replace(
        made,
        headline=f"{{@p2}} was luckiest: better than 9 of 10 sessions. Suspicious: {text}",
        verdicts=made.verdicts
        | {
            "declared": TestSummary(
                "changing", True, 6, "Chance does not explain the typed-in dice.", (finding,)
            )
        },
        luck=made.luck | {"declared": {"seats": seats, "entities": {}}},
        streaks=made.streaks | {"declared": {"seats": {"p1": {"lucky": Streak(40, 1, 118)}}}},
    )


def of_range() -> SessionReport:
    """Return the report of a range of versions, which has no verdict."""
    made = evening()
    seats = {
        seat: replace(of, percentile=UNSET, text=UNSET, tests={})
        for seat, of in made.luck["drawn"]["seats"].items()
    }
    faces = {
        origin: {source: without_tests(of) for source, of in sources.items()}
        for origin, sources in made.faces.items()
    }
    return replace(
        made,
        first=5,
        headline="",
        verdicts={},
        faces=faces,
        luck={"drawn": {"seats": seats, "entities": {}}},
    )


def without_tests(faces: Faces) -> Faces:
    seats = {seat: without_tests(of) for seat, of in faces.seats.items()}
    return replace(faces, tests={}, seats=seats)


def campaign() -> CampaignReport:
    """Return the report of a campaign of three sessions and three people. Mo rolled only twice."""
    ana = lucky(60, 1.4, 0.93, "better than 9 of 10 sessions", Successes(33, 60, 27.4))
    bo = lucky(50, -1.2, 0.14, "worse than 8 of 10 sessions", Successes(20, 50, 25.0))
    uses = {
        "check": UseCount(45, Successes(25, 45, 22.5)),
        "attack": UseCount(15, Successes(8, 15, 4.9)),
        "aflame": UseCount(3),
    }
    test = chance_test("fair", 112, 4.2)
    declared: dict[TestName, ChanceTest] = {"faces": chance_test("fair", 4, 0)}
    rarest = Highlight("rarest", "p2", "bo", 71, 71, 1 / 216, "{bo} rolled 6 (check): S (1 in 6).")
    drought = Highlight("drought", "p1", "@p1", 9, 30, 1 / 64, "{@p1} failed 6 times in a row.")
    return CampaignReport(
        3,
        1_140,
        312.5,
        "{@ana} was luckiest: better than 9 of 10 sessions. Nothing suspicious so far.",
        {"drawn": TestSummary("fair", False, 5, FAIR.replace(".", " so far."), (), _power(112))},
        {
            "ana": PersonReport(3, 620, 170.25, {"drawn": ana}, uses),
            "bo": PersonReport(3, 500, 130.0, {"drawn": bo}, {"check": UseCount(50)}),
            "mo": PersonReport(1, 20, 12.0, {"drawn": Luck(2, 0.1, ())}, {}),
        },
        {
            "drawn": {"d6": Faces(112, {}, {"faces": test, "repeats": test})},
            "declared": {"d6 (the red d6)": Faces(4, {}, declared)},
        },
        {
            "rarest": CampaignRecord("the-vault", 2, rarest, "bo"),
            "drought": CampaignRecord("no-file", 3, drought),
        },
        (),
    )


GOLDEN = (*RULESETS, "table")
"""The golden sessions: of each game, and of the first one's table that draws together."""


@lru_cache
def golden(which: AnyRuleset | str) -> tuple[SessionReport, dict[str, str]]:
    """Return the report of a golden session as it is stored, and the names at its end."""
    from workers.statistics.report import compute_report

    evening = TablePlay(RULESETS[0]).evening if isinstance(which, str) else Play(which).evening
    found = msgspec.json.encode(compute_report(session_tallies(evening.ruleset, evening.facts)))
    return msgspec.json.decode(found, type=SessionReport), names(evening.session)


def named(which: AnyRuleset | str) -> str:
    return which if isinstance(which, str) else which.name
