"""Attacks, the hit threshold and damage dice, by the rules and rulings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import modifiers, sheet
from domain.rulesets.fansys.rules.dice import ADVANTAGE, PLAIN, Twist
from domain.rulesets.fansys.rules.vocabulary import STR, Energy, Layer, Part, Status, Term
from domain.rulesets.fansys.rules.vocabulary import Attack as Weapon
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    BEN,
    FLAME,
    GHOST,
    GM,
    HOLY,
    MELEE,
    NATURAL,
    P1,
    SWORD,
    TABLE,
    created,
    defence,
    full,
    has_hit,
    left,
    proficient,
    throw,
    with_stats,
)
from tests.domain.rulesets.given import after, check

STRIKE = Weapon("strike", (STR,), NATURAL, MELEE, 0, 2, 1, "strike", False)
FIGHTER = (
    created("ana", "p1", 6, with_stats(str=15, int=18), sp_dice=14, mp_dice=14),
    e.AttackLearned("ana", SWORD),
    e.AttackLearned("ana", FLAME),
    *BEN,
)
NAT, SUP, SIX = Term("Nat", 3), Term("Sup", 3), Term("Base", 2)

STR_, INT_ = Term("STR", 2), Term("INT", 4)
FULL_ARMOUR, NO_COVER = defence("ben", 50), defence("ben", -50)
ATTACKS: list[
    tuple[str, Sequence[Message], Weapon, list[int], tuple[Term, ...], tuple[int, bool, int]]
] = [
    # id, beside the fighter, the attack, the dice, what is added; hit threshold, success, times
    ("a hit", [], SWORD, [6, 4], (SIX, STR_), (10, True, 1)),
    ("meets", [defence("ben", 4)], SWORD, [6, 4], (SIX, STR_), (14, True, 1)),
    ("a miss", [defence("ben", 5)], SWORD, [6, 4], (SIX, STR_), (15, False, 0)),
    ("with Nat", [proficient("ana", "swords")], SWORD, [6, 4], (SIX, NAT, STR_), (10, True, 1)),
    ("with Sup", [proficient("ana", "flame")], FLAME, [6, 4], (SIX, SUP, INT_), (10, True, 1)),
    ("one 12", [], SWORD, [12, 4], (SIX, STR_), (10, True, 2)),
    ("two 12 always hit", [FULL_ARMOUR], SWORD, [12, 12], (SIX, STR_), (60, True, 3)),
    ("a 12 that misses", [FULL_ARMOUR], SWORD, [12, 4], (SIX, STR_), (60, False, 0)),
    ("snake eyes always miss", [NO_COVER], SWORD, [1, 1], (SIX, STR_), (-40, False, 0)),
]


@pytest.mark.parametrize(
    ("given", "weapon", "drawn", "terms", "then"),
    [row[1:] for row in ATTACKS],
    ids=[row[0] for row in ATTACKS],
)
def test_attack(
    given: Sequence[Message],
    weapon: Weapon,
    drawn: list[int],
    terms: tuple[Term, ...],
    then: tuple[int, bool, int],
) -> None:
    rolled = e.AttackRolled("ana", "ben", weapon, throw(*drawn, terms=terms), *then)
    check(
        given=[*FIGHTER, *given],
        when=c.Attack("ana", "ben", weapon.name),
        by=P1,
        drawn=drawn,
        then=[rolled],
    )


def test_everyone_can_strike() -> None:
    then = e.AttackRolled("ana", "ben", STRIKE, throw(6, 4, terms=(BASE,)), 10, True, 1)
    check(given=[*ANA, *BEN], when=c.Attack("ana", "ben"), by=P1, drawn=[6, 4], then=[then])


TWELVES: list[tuple[Twist, list[int], int]] = [
    (ADVANTAGE, [12, 12, 12], 3),  # two are kept
    (ADVANTAGE, [3, 9, 12], 2),
    (Twist.DISADVANTAGE, [3, 9, 12], 1),  # FS-6
    (PLAIN, [12, 1], 2),
]


@pytest.mark.parametrize(("twist", "drawn", "times"), TWELVES)
def test_only_kept_twelves_repeat_the_damage_dice(
    twist: Twist, drawn: list[int], times: int
) -> None:
    given = [*ANA, *BEN, e.Granted("ana", (twist,), twist, "the light")]
    then = e.AttackRolled(
        "ana", "ben", SWORD, throw(*drawn, twist=twist, terms=(BASE,)), 10, True, times
    )
    check(given=given, when=c.Attack("ana", "ben", "sword"), by=P1, drawn=drawn, then=[then])


@pytest.mark.parametrize(
    ("times", "drawn", "points"), [(1, [5], 7), (2, [5, 8], 15), (3, [1, 1, 1], 5)]
)
def test_damage_dice_are_repeated_and_the_bonus_is_not(
    times: int, drawn: list[int], points: int
) -> None:
    rolled = e.DamageRolled("ana", "ben", 8, tuple(drawn), 2, False, points, "sword")
    after_ = sheet.apply_damage(full(), Energy.SP, points, 12)
    harmed = e.Harmed("ben", NATURAL, points, min(points, 12), "sword", full(), after_, Status.OK)
    given = [*ANA, *BEN, has_hit(times=times)]
    check(given=given, when=c.RollDamage("ana"), by=P1, drawn=drawn, then=[rolled, harmed])
    assert after(rolled, [*given, rolled, harmed]).hits == {}


def test_damage_is_never_below_nothing() -> None:
    weak = Weapon("sneeze", (STR,), NATURAL, MELEE, 1, 4, -5, "sneeze", False)
    rolled = e.DamageRolled("ana", "ben", 4, (3,), -5, False, 0, "sneeze")
    harmed = e.Harmed("ben", NATURAL, 0, 0, "sneeze", full(), full(), Status.OK)
    given = [*ANA, *BEN, has_hit(attack=weak)]
    check(given=given, when=c.RollDamage("ana"), by=P1, drawn=[3], then=[rolled, harmed])


DODGE, DEFLECT, ARMOUR, HIDE, AROUND = Part
STATIC, SP, MP = Layer


def has(bonus: int, part: Part = ARMOUR, layer: Layer = STATIC, source: str = "thing") -> Message:
    return defence("ben", bonus, part, layer, source)


HIT: list[tuple[str, Sequence[Message], int]] = [
    ("nothing", [], 10),
    ("all parts add up", [has(1, DODGE), has(2, DEFLECT), has(4), has(3, HIDE)], 20),
    ("two suits of armour are one", [has(4, source="a"), has(5, source="b")], 15),
    ("a penalty counts beside the bonus", [has(4, source="a"), has(-2, source="rust")], 12),
    ("an SP ability changes a part", [has(2, DODGE), has(3, DODGE, SP)], 15),
    ("an MP ability replaces it", [has(2, DODGE), has(3, DODGE, SP), has(4, DODGE, MP)], 14),
    ("though it be worse", [has(9), has(6, ARMOUR, MP)], 16),
    (
        "circumstances add up",
        [has(4, AROUND, STATIC, "cover"), has(-2, AROUND, source="fatigue")],
        12,
    ),
    (
        "but one source counts once",
        [has(4, AROUND, STATIC, "cover"), has(2, AROUND, source="cover")],
        12,
    ),
    (
        "nor twice through an ability",
        [has(4, AROUND, source="wall"), has(2, AROUND, SP, "wall")],
        14,
    ),
    (
        "an SP ability is one too",
        [has(4, AROUND, STATIC, "cover"), has(2, AROUND, SP, "whirl")],
        16,
    ),
    ("set to 0 it is gone", [has(4), has(0)], 10),
]


@pytest.mark.parametrize(("given", "hit"), [row[1:] for row in HIT], ids=[row[0] for row in HIT])
def test_hit_threshold(given: Sequence[Message], hit: int) -> None:
    state = after(BEN[0], [*BEN, *given])
    assert modifiers.hit_threshold(state.entities["ben"].defences) == hit


SHAMBLER = created("ben", "p2", stats=with_stats(cha=0))
VULNERABLE: list[tuple[str, Sequence[Message], Weapon, str | None]] = [
    ("ghost", GHOST, SWORD, "harmless"),
    ("ghost", GHOST, HOLY, None),
    ("ghost", GHOST, FLAME, None),
    ("ben", [SHAMBLER], HOLY, "harmless"),
    ("ben", [SHAMBLER], SWORD, None),
]


@pytest.mark.parametrize(("target", "given", "weapon", "slug"), VULNERABLE)
def test_what_can_be_harmed_by_what(
    target: str, given: Sequence[Message], weapon: Weapon, slug: str | None
) -> None:
    learned = [*ANA, *given, e.AttackLearned("ana", weapon)]
    terms = (BASE,)
    hit: list[Message] | str = slug or [
        e.AttackRolled("ana", target, weapon, throw(9, 8, terms=terms), 10, True, 1)
    ]
    drawn = [] if slug else [9, 8]
    check(given=learned, when=c.Attack("ana", target, weapon.name), by=P1, drawn=drawn, then=hit)
    if slug:
        harm = c.Harm(target, weapon.nature, 3, "a splash", spiritual=weapon.spiritual)
        check(given=learned, when=harm, by=GM, then=slug)


def test_the_disabled_can_be_struck_and_the_destroyed_cannot() -> None:
    hit = e.AttackRolled("ana", "ben", SWORD, throw(9, 8, terms=(BASE,)), 10, True, 1)
    attack = c.Attack("ana", "ben", "sword")
    check(given=[*TABLE, left("ben", hp=0)], when=attack, by=P1, drawn=[9, 8], then=[hit])
    check(given=[*TABLE, left("ben", hp=-26)], when=attack, by=P1, then="destroyed")
