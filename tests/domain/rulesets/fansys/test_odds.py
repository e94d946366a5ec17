"""Odds in closed form: equal to every branch where those can be walked, quick where not, and true of dice that fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from time import process_time

import pytest
from msgspec.structs import replace
from scipy.stats import chisquare

from domain.chance import Chance, Seeded
from domain.decider import By
from domain.odds import enumerated, odds
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.rules import dice
from domain.rulesets.fansys.rules.dice import PLAIN, Twist
from domain.rulesets.fansys.rules.vocabulary import DEX, STR, Options, Taking
from tests.domain.rulesets.fansys.people import (
    ANA,
    BEN,
    GM,
    NATURAL,
    P1,
    QUIET,
    SWORD,
    ability,
    defence,
    has_hit,
    modifier,
    opened,
    save,
)
from tests.domain.rulesets.given import after
from tests.scale import scale

TABLE = (*ANA, *BEN)
QUICK = 0.05


def granted(twist: Twist) -> e.Granted:
    return e.Granted("ana", (twist,), twist, "so it is")


SMALL: list[tuple[Sequence[Message], Message, By, Options]] = [
    ([opened("ana")], c.Roll("ana"), P1, Options()),
    ([opened("ana", threshold=16)], c.Roll("ana"), P1, Options()),
    (
        [opened("ana", name="juggling", threshold=12)],
        c.Roll("ana"),
        P1,
        Options(source_skills=True),
    ),
    ([opened("ana", name="juggling")], c.Roll("ana"), P1, Options(source_skills=True)),
    ([opened("ana", threshold=99)], c.Roll("ana"), P1, Options()),
    ([save("ana", DEX, threshold=99)], c.Roll("ana"), P1, Options()),
    ([save("ana", DEX, threshold=-50)], c.Roll("ana"), P1, Options()),
    ([save("ana", DEX, STR, threshold=12)], c.Roll("ana", STR), P1, Options()),
    ([ability("ana", STR, threshold=14), granted(Twist.ADVANTAGE)], c.Roll("ana"), P1, Options()),
    ([ability("ana", STR), granted(Twist.DISADVANTAGE)], c.Roll("ana"), P1, Options()),
    ([defence("ben", 6)], c.Attack("ana", "ben", "sword"), P1, Options()),
    ([defence("ben", 6), granted(Twist.DISADVANTAGE)], c.Attack("ana", "ben"), P1, Options()),
    ([has_hit()], c.RollDamage("ana"), P1, Options()),
    ([has_hit(times=3)], c.RollDamage("ana"), P1, Options()),
    ([has_hit(attack=replace(SWORD, sides=4, bonus=-3))], c.RollDamage("ana"), P1, Options()),
    ([], c.Harm("ana", NATURAL, 1, "a fire", 3, 6, True), GM, Options()),
    ([], c.Harm("ana", NATURAL, 7, "a fall"), GM, Options()),
    ([QUIET, opened("ana", threshold=12)], c.Take("ana", Taking.CARE), P1, Options()),
]


@pytest.mark.parametrize(("given", "when", "by", "options"), SMALL)
def test_odds_are_what_every_branch_comes_to(
    given: Sequence[Message], when: Message, by: By, options: Options
) -> None:
    state = after(when, [*TABLE, *given], options)
    chances = odds(ruleset, state, when, by)
    assert chances == enumerated(ruleset, state, when, by)
    assert sum(chances.values()) == 1


@pytest.mark.parametrize("twist", [Twist.EXTREME_ADVANTAGE, Twist.EXTREME_DISADVANTAGE])
def test_four_dice_too(twist: Twist) -> None:
    state = after(ANA[0], [*ANA, granted(twist), save("ana", DEX, threshold=15)])
    assert odds(ruleset, state, c.Roll("ana"), P1) == enumerated(ruleset, state, c.Roll("ana"), P1)


CHANCES = [
    # threshold, modifier, twist; chance of success in an ability check
    (12, 1, PLAIN, Fraction(95, 144)),
    (16, 3, PLAIN, Fraction(78, 144)),
    (28, 0, PLAIN, Fraction(1, 144)),
    (28, 0, Twist.ADVANTAGE, Fraction(34, 1728)),
    (28, 0, Twist.EXTREME_ADVANTAGE, Fraction(771, 20736)),
]


@pytest.mark.parametrize(("threshold", "plus", "twist", "chance"), CHANCES)
def test_known_chances(threshold: int, plus: int, twist: Twist, chance: Fraction) -> None:
    given = [*ANA, modifier(plus), granted(twist), ability("ana", DEX, threshold=threshold)]
    assert odds(ruleset, after(ANA[0], given), c.Roll("ana"), P1)["success"] == chance


LARGE: list[tuple[Sequence[Message], Message, By]] = [
    ([has_hit(attack=replace(SWORD, dice=20, sides=20), times=3)], c.RollDamage("ana"), P1),
    ([], c.Harm("ana", NATURAL, 0, "the end of the world", 20, 20), GM),
    ([granted(Twist.EXTREME_ADVANTAGE), opened("ana", threshold=20)], c.Roll("ana"), P1),
]


@pytest.mark.parametrize(("given", "when", "by"), LARGE)
def test_odds_of_many_dice_come_at_once(given: Sequence[Message], when: Message, by: By) -> None:
    state = after(when, [*TABLE, *given])
    best = min(_seconds(state, when, by) for _ in range(3))
    assert best < QUICK


def _seconds(state: object, when: Message, by: By) -> float:
    for cached in (dice.sums, dice.ways, dice.totals):
        cached.cache_clear()
    start = process_time()
    odds(ruleset, state, when, by)
    return process_time() - start


THROWS = scale(8_000, 100_000)


def seeded(nth: int) -> Seeded:
    return Seeded(lambda: nth.to_bytes(32, "big"))


FALLEN: list[tuple[str, Sequence[Message], Message, By]] = [
    # what is counted, given, when, who
    *((twist.value, [granted(twist), opened("ana")], c.Roll("ana"), P1) for twist in Twist),
    ("success", [opened("ana", threshold=16)], c.Roll("ana"), P1),
    ("hit", [defence("ben", 4)], c.Attack("ana", "ben", "sword"), P1),
    ("d8", [has_hit()], c.RollDamage("ana"), P1),
    ("2d6", [], c.Harm("ana", NATURAL, 0, "a fire", 2, 6), GM),
]


@pytest.mark.parametrize(
    ("given", "when", "by"), [row[1:] for row in FALLEN], ids=[row[0] for row in FALLEN]
)
def test_dice_fall_as_the_odds_say(given: Sequence[Message], when: Message, by: By) -> None:
    state = after(when, [*TABLE, *given])
    chances = odds(ruleset, state, when, by)
    fallen = Counter(outcome(state, when, by, seeded(nth)) for nth in range(THROWS))
    assert set(fallen) <= set(chances)
    p = chisquare(
        [fallen[each] for each in chances], [float(chance * THROWS) for chance in chances.values()]
    ).pvalue
    assert 0.001 < p < 0.999


def outcome(state: object, when: Message, by: By, chance: Chance) -> str:
    event = ruleset.decider.decide(state, when, by, chance)[0]  # type: ignore[arg-type]
    match event:
        case e.CheckRolled(throw=throw, success=success) if not isinstance(success, bool):
            return str(throw.sum)
        case e.CheckRolled(success=success) | e.AttackRolled(success=success):
            return "success" if success else "failure"
        case e.DamageRolled(points=points):
            return str(points)
    raise TypeError(event)
