"""How often loaded dice and invented rolls are called out at one look after the end.

The rates are those of the reports of honest statistics before there was a verdict for typed-in
values; the verdict must not have become weaker. Seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from scipy.stats import binom, binomtest

from domain.rulesets.dhextiny import rules
from domain.rulesets.fansys import presentation as fansys
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.vocabulary import Throw
from domain.tally import AnyCount
from projections.statistics_model import DECLARED, DRAWN
from projections.tallies import SessionTallies, Tally
from tests.support.scale import LONG, scale
from tests.workers.test_false_alarms import SEATS, check
from workers.statistics.report import compute_report

SESSIONS = scale(12, 400)
LEVEL = 0.001
"""How seldom a test of this file would fail by chance, if the seeds were not fixed."""

BEFORE = {
    # all dice or one seat's, weight of the six, draws: share of 1,000 sessions called out before
    ("all", 1.5, 60): 0.037,
    ("all", 1.5, 240): 0.147,
    ("all", 1.5, 1_000): 0.915,
    ("all", 2.0, 60): 0.118,
    ("all", 2.0, 240): 0.766,
    ("all", 3.0, 60): 0.573,
    ("all", 3.0, 240): 1.0,
    ("p1", 2.0, 60): 0.019,
    ("p1", 2.0, 240): 0.087,
    ("p1", 3.0, 60): 0.078,
    ("p1", 3.0, 240): 0.566,
    ("p1", 5.0, 60): 0.295,
    ("p1", 5.0, 240): 0.983,
}
GATE = ("all", 3.0, 60)


def ring_session(seed: int, loaded: str, weight: float, draws: int) -> SessionTallies:
    """Play checks of four seats in turn, with a six that is as heavy as `weight` faces."""
    chosen, start = random.Random(f"loaded {seed}"), 0
    tallies = list[Tally]()
    for version in range(1, draws + 1):
        seat = SEATS[version % len(SEATS)]
        heavy = weight if loaded in ("all", seat) else 1.0
        [face] = chosen.choices(range(1, 7), [1, 1, 1, 1, 1, heavy])
        tallies += _tallies(version, seat, DRAWN, check(seat, start, face))
        start = rules.point_ahead(start, face)
    return SessionTallies(draws, tuple(tallies), (), ())


def _tallies(version: int, seat: str, dice: str, counts: tuple[AnyCount, ...]) -> list[Tally]:
    return [
        Tally(version, nth, version, 0, seat, dice, False, False, count)  # type: ignore[arg-type]
        for nth, count in enumerate(counts)
    ]


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("row", BEFORE if LONG else [GATE], ids=str)
def test_a_loaded_die_is_found_as_often_as_before(row: tuple[str, float, int]) -> None:
    loaded, weight, draws = row
    called = detected(
        lambda seed: ring_session(seed, loaded, weight, draws),
        DRAWN,
        f"{loaded} {weight:g}, {draws}",
    )
    before = BEFORE[row]
    assert called >= binom.ppf(LEVEL, SESSIONS, before)


def detected(play: Callable[[int], SessionTallies], origin: str, name: str) -> int:
    """Count the sessions that are called out, and print their share."""
    called = 0
    for seed in range(SESSIONS):
        summary = compute_report(play(seed), is_final=True).verdicts[origin]
        called += bool(summary.found)
    interval = binomtest(called, SESSIONS).proportion_ci(0.95)
    print(
        f"\n{name}: {called} of {SESSIONS} called out, {called / SESSIONS:.1%}"
        f" (95 % interval {interval.low:.1%} to {interval.high:.1%})"
    )
    return called


def fansys_session(seed: int, weight: float, throws: int) -> SessionTallies:
    """Throw 2d12 for checks of four seats in turn, with a twelve that is heavy."""
    chosen = random.Random(f"fansys {seed}")
    tallies = list[Tally]()
    for version in range(1, throws + 1):
        seat = SEATS[version % len(SEATS)]
        dice = tuple(chosen.choices(range(1, 13), [*[1] * 11, weight], k=2))
        tallies += _tallies(version, seat, DRAWN, throw_of(f"pc-{seat}", dice))
    return SessionTallies(throws, tuple(tallies), (), ())


def throw_of(entity: str, dice: tuple[int, ...]) -> tuple[AnyCount, ...]:
    """Return the counts of an untwisted throw against a threshold of 13."""
    adjusted = sum(dice) + 2 * dice.count(12) - 2 * dice.count(1)
    throw = Throw(Twist.PLAIN, dice, dice, adjusted, False, (), 0, adjusted)
    return tuple(fansys._count_throw(entity, fansys.RollPurpose.SKILL, throw, 13))


@pytest.mark.timeout(3_600)
def test_a_d12_with_a_triple_face_is_found_in_60_throws() -> None:
    called = detected(lambda seed: fansys_session(seed, 3.0, 60), DRAWN, "fansys, 60 throws")
    assert called >= binom.ppf(LEVEL, SESSIONS, 0.55)
    assert not LONG or called / SESSIONS >= 0.55


def test_forty_typed_in_successes_are_called_out() -> None:
    """One seat looks at the ring and types the face that leads to the full success."""
    tallies, start = list[Tally](), 0
    for version in range(1, 81):
        seat = SEATS[version % 2]
        by_result = {rules.RING[rules.point_ahead(start, face)]: face for face in range(1, 7)}
        face = by_result["S"] if seat == SEATS[1] else version * 7 % 6 + 1  # type: ignore[index]
        tallies += _tallies(version, seat, DECLARED, check(seat, start, face))
        start = rules.point_ahead(start, face)
    summary = compute_report(SessionTallies(80, tuple(tallies), (), ()), is_final=True).verdicts
    found = {(each.test, each.seat) for each in summary[DECLARED].found}
    for each in summary[DECLARED].found:
        print(each.text, each.rarity)
    assert ("luck", SEATS[1]) in found
    assert ("streak", SEATS[1]) in found
    assert not any(seat == SEATS[0] for test, seat in found if test == "luck")
