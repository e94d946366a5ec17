"""What stands only in the game's own repository: conditions that bite."""

from __future__ import annotations

import pytest

from domain.chance import Enumerated
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    EXTREME_DISADVANTAGE,
    PLAIN,
    Twist,
)
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    DEX,
    STR,
    WIS,
    Mode,
    Options,
    Stat,
    Use,
    Why,
)
from domain.rulesets.fansys.rules.vocabulary import Attack as Weapon
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    BEN,
    BOW,
    FLAME,
    GM,
    NATURAL,
    P1,
    SUPERNATURAL,
    SWORD,
    is_now,
    save,
    throw,
)
from tests.domain.rulesets.given import after, check

BITE, POINTS = Options(source_conditions=True), Options(source_skills=True)
C = Condition
ARMED = [*ANA, e.AttackLearned("ana", BOW), e.AttackLearned("ana", FLAME), *BEN]

AGAINST: list[tuple[Condition, Weapon, Twist]] = [
    # the target's condition, the attack, what it is rolled with
    (C.UNCONSCIOUS, SWORD, EXTREME_ADVANTAGE),
    (C.UNCONSCIOUS, BOW, PLAIN),
    (C.HELPLESS, SWORD, EXTREME_ADVANTAGE),
    (C.IMMOBILISED, SWORD, ADVANTAGE),
    (C.IMMOBILISED, BOW, ADVANTAGE),
    (C.PRONE, SWORD, ADVANTAGE),
    (C.PRONE, BOW, DISADVANTAGE),
    (C.INCAPACITATED, FLAME, ADVANTAGE),
    (C.PARALYSED, SWORD, PLAIN),
    (C.DEAFENED, SWORD, PLAIN),
]
OWN: list[tuple[Condition, Weapon, Twist]] = [
    # the attacker's condition, the attack, what it is rolled with
    (C.RESTRAINED, SWORD, DISADVANTAGE),
    (C.RESTRAINED, BOW, DISADVANTAGE),
    (C.RESTRAINED, FLAME, PLAIN),
    (C.PRONE, SWORD, DISADVANTAGE),
    (C.PRONE, BOW, PLAIN),
    (C.BLINDED, SWORD, DISADVANTAGE),
    (C.BLINDED, BOW, EXTREME_DISADVANTAGE),
    (C.FRIGHTENED, SWORD, DISADVANTAGE),
    (C.FRIGHTENED, FLAME, DISADVANTAGE),
]
EACH = [*(("ben", *row) for row in AGAINST), *(("ana", *row) for row in OWN)]


@pytest.mark.parametrize(("who", "condition", "weapon", "twist"), EACH)
def test_conditions_and_attacks(
    who: str, condition: Condition, weapon: Weapon, twist: Twist
) -> None:
    given = [*ARMED, is_now(who, condition)]
    for options, expected in ((BITE, twist), (Options(), PLAIN)):
        (rolled,) = ruleset.decider.decide(
            after(given[0], given, options), c.Attack("ana", "ben", weapon.name), P1, Enumerated(())
        )
        assert isinstance(rolled, e.AttackRolled)
        assert rolled.throw.twist is expected


def test_a_prone_archer_against_the_prone_and_a_swordsman_likewise() -> None:
    given = [*ARMED, is_now("ana", C.PRONE), is_now("ben", C.PRONE)]
    then = e.AttackRolled("ana", "ben", SWORD, throw(9, 8, terms=(BASE,)), 10, True, 1)
    when = c.Attack("ana", "ben", "sword")
    check(given=given, when=when, by=P1, drawn=[9, 8], options=BITE, then=[then])


SAVES: list[tuple[Condition, Stat, Twist]] = [
    (C.RESTRAINED, DEX, DISADVANTAGE),
    (C.RESTRAINED, STR, PLAIN),
    (C.PRONE, STR, DISADVANTAGE),
    (C.PRONE, DEX, DISADVANTAGE),
    (C.BLINDED, WIS, DISADVANTAGE),
    (C.BLINDED, DEX, DISADVANTAGE),
    *((C.CATATONIC, stat, DISADVANTAGE) for stat in Stat),
]


@pytest.mark.parametrize(("condition", "stat", "twist"), SAVES)
def test_conditions_and_saves(condition: Condition, stat: Stat, twist: Twist) -> None:
    given = [*ANA, is_now("ana", condition), save("ana", stat)]
    (rolled,) = ruleset.decider.decide(
        after(given[0], given, BITE), c.Roll("ana"), P1, Enumerated(())
    )
    assert isinstance(rolled, e.CheckRolled)
    assert rolled.throw.twist is twist


NO_SAVES = [
    *((C.PARALYSED, stat) for stat in (STR, DEX)),
    *((C.IMMOBILISED, stat) for stat in (STR, DEX)),
    *((C.STUNNED, stat) for stat in (STR, DEX, CHA)),
    (C.HELPLESS, STR),
]


@pytest.mark.parametrize(("condition", "stat"), NO_SAVES)
def test_saves_that_cannot_be_made(condition: Condition, stat: Stat) -> None:
    then = [e.CheckSettled("ana", Use.SAVE, stat.value, False, Why.CONDITION)]
    check(
        given=[*ANA, is_now("ana", condition), save("ana", stat)],
        when=c.Roll("ana"),
        by=P1,
        options=BITE,
        then=then,
    )


SKIPS = [
    # condition, nature, whether the damage goes past SP or MP
    (C.UNCONSCIOUS, NATURAL, True),
    (C.UNCONSCIOUS, SUPERNATURAL, True),
    (C.HELPLESS, NATURAL, True),
    (C.HELPLESS, SUPERNATURAL, True),
    (C.PARALYSED, NATURAL, True),
    (C.PARALYSED, SUPERNATURAL, False),
    (C.PRONE, NATURAL, False),
]


@pytest.mark.parametrize(("condition", "nature", "past"), SKIPS)
def test_damage_past_the_pools(condition: Condition, nature: object, past: bool) -> None:
    given = [*BEN, is_now("ben", condition)]
    for options, absorbed in ((BITE, 0 if past else 5), (Options(), 5)):
        state = after(given[0], given, options)
        *_, harmed = ruleset.decider.decide(
            state, c.Harm("ben", nature, 5, "a stone"), GM, Enumerated(())
        )  # type: ignore[arg-type]
        assert isinstance(harmed, e.Harmed)
        assert harmed.absorbed == absorbed


@pytest.mark.parametrize("condition", [C.IMMOBILISED, C.RESTRAINED, C.PARALYSED])
def test_no_speed(condition: Condition) -> None:
    given = [*ANA, e.SpeedSet("ana", Mode.WALK, 0, 30), is_now("ana", condition)]
    check(given=given, when=c.Move("ana", Mode.WALK, 5), by=P1, options=BITE, then="cannot-move")


def test_the_incapacitated_do_nothing() -> None:
    given = [*ARMED, is_now("ana", C.INCAPACITATED)]
    check(given=given, when=c.Attack("ana", "ben"), by=P1, options=BITE, then="cannot-act")
