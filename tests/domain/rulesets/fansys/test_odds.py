"""Odds in closed form: equal to the enumeration of all branches, and to known chances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec.structs import replace

from domain.decider import By
from domain.odds import enumerate_odds, odds
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e, ruleset
from domain.rulesets.fansys.rules.dice import PLAIN, Twist
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    Applies,
    Options,
    RollPurpose,
    Status,
    Taking,
    TiedGrant,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    ANNOUNCED,
    BEN,
    GM,
    NATURAL,
    P1,
    QUIET,
    RAT,
    SWORD,
    ability,
    defence,
    full,
    has_hit,
    modifier,
    opened,
    save,
    tied,
)
from tests.domain.rulesets.given import after

TABLE = (*ANA, *BEN, *RAT)
FLANKING = TiedGrant(Twist.ADVANTAGE, RollPurpose.ATTACK, target="ben")
STRENGTH = e.StatAdjusted("ana", STR, 11, 16, "a girdle", full(), full(), Status.OK)


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
    ([has_hit()], c.RollDamage("ana", True), P1, Options()),
    ([has_hit(), modifier(3, applies=Applies.DAMAGE)], c.RollDamage("ana"), P1, Options()),
    ([STRENGTH, has_hit(times=2)], c.RollDamage("ana", True), P1, Options(stat_in_damage=True)),
    ([ANNOUNCED], c.RollAttack("ana"), P1, Options()),
    ([ANNOUNCED, e.AttackTermsSet("ana", bonus=-4, cover=6)], c.RollAttack("ana"), P1, Options()),
    ([ANNOUNCED, granted(Twist.ADVANTAGE)], c.RollAttack("ana"), P1, Options()),
    ([tied(FLANKING)], c.Attack("ana", "ben", "sword"), P1, Options()),
    ([tied(FLANKING)], c.Attack("ana", "rat", "sword"), P1, Options()),
    ([tied(FLANKING), ability("ana", STR, threshold=14)], c.Roll("ana"), P1, Options()),
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
    assert chances == enumerate_odds(ruleset, state, when, by)
    assert sum(chances.values()) == 1


@pytest.mark.long
@pytest.mark.parametrize("twist", [Twist.EXTREME_ADVANTAGE, Twist.EXTREME_DISADVANTAGE])
def test_four_dice_too(twist: Twist) -> None:
    state = after(ANA[0], [*ANA, granted(twist), save("ana", DEX, threshold=15)])
    assert odds(ruleset, state, c.Roll("ana"), P1) == enumerate_odds(
        ruleset, state, c.Roll("ana"), P1
    )


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
