"""Parts of the game's own repository: conditions, skill points, weapons and armour."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from domain.chance import EnumeratedChance
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e, ruleset
from domain.rulesets.fansys.rules import equipment, modifiers
from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    EXTREME_DISADVANTAGE,
    PLAIN,
    Twist,
)
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    DEX,
    STR,
    WIS,
    AttackProfile as Weapon,
    BaseOnSkills,
    Defence,
    Layer,
    Mode,
    Options,
    Reach,
    RollPurpose,
    Skill,
    Stat,
    Taking,
    Term,
    ThresholdPart,
    Why,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    BEN,
    BOW,
    COMBAT,
    FLAME,
    GM,
    NATURAL,
    P1,
    SAFE,
    SUPERNATURAL,
    SWORD,
    created,
    is_now,
    opened,
    save,
    throw,
    with_stats,
)
from tests.domain.rulesets.given import Case, after, check, each_case

CONDITIONS, POINTS = Options(source_conditions=True), Options(source_skills=True)
C = ConditionName
ARMED = [*ANA, e.AttackLearned("ana", BOW), e.AttackLearned("ana", FLAME), *BEN]

AGAINST: list[tuple[ConditionName, Weapon, Twist]] = [
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
OWN: list[tuple[ConditionName, Weapon, Twist]] = [
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
    who: str, condition: ConditionName, weapon: Weapon, twist: Twist
) -> None:
    given = [*ARMED, is_now(who, condition)]
    for options, expected in ((CONDITIONS, twist), (Options(), PLAIN)):
        (rolled,) = ruleset.decider.decide(
            after(given[0], given, options),
            c.Attack("ana", "ben", weapon.name),
            P1,
            EnumeratedChance(()),
        )
        assert isinstance(rolled, e.AttackRolled)
        assert rolled.throw.twist is expected


SAVES: list[tuple[ConditionName, Stat, Twist]] = [
    (C.RESTRAINED, DEX, DISADVANTAGE),
    (C.RESTRAINED, STR, PLAIN),
    (C.PRONE, STR, DISADVANTAGE),
    (C.PRONE, DEX, DISADVANTAGE),
    (C.BLINDED, WIS, DISADVANTAGE),
    (C.BLINDED, DEX, DISADVANTAGE),
    *((C.CATATONIC, stat, DISADVANTAGE) for stat in Stat),
]


@pytest.mark.parametrize(("condition", "stat", "twist"), SAVES)
def test_conditions_and_saves(condition: ConditionName, stat: Stat, twist: Twist) -> None:
    given = [*ANA, is_now("ana", condition), save("ana", stat)]
    (rolled,) = ruleset.decider.decide(
        after(given[0], given, CONDITIONS), c.Roll("ana"), P1, EnumeratedChance(())
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
def test_saves_that_cannot_be_made(condition: ConditionName, stat: Stat) -> None:
    then = [e.CheckSettled("ana", RollPurpose.SAVE, stat.value, False, Why.CONDITION)]
    check(
        given=[*ANA, is_now("ana", condition), save("ana", stat)],
        when=c.Roll("ana"),
        by=P1,
        options=CONDITIONS,
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
def test_damage_past_the_pools(condition: ConditionName, nature: object, past: bool) -> None:
    given = [*BEN, is_now("ben", condition)]
    for options, absorbed in ((CONDITIONS, 0 if past else 5), (Options(), 5)):
        state = after(given[0], given, options)
        *_, harmed = ruleset.decider.decide(
            state, c.Harm("ben", nature, 5, "a stone"), GM, EnumeratedChance(())
        )  # type: ignore[arg-type]
        assert isinstance(harmed, e.Harmed)
        assert harmed.absorbed == absorbed


@pytest.mark.parametrize(
    ("condition", "slug"),
    [
        (C.IMMOBILISED, "cannot-move"),
        (C.RESTRAINED, "cannot-move"),
        (C.PARALYSED, "cannot-act"),
        (C.STUNNED, "cannot-act"),
    ],
)
def test_no_speed(condition: ConditionName, slug: str) -> None:
    given = [*ANA, e.SpeedSet("ana", Mode.WALK, 0, 30), is_now("ana", condition)]
    when = c.Move("ana", Mode.WALK, 5)
    check(given=given, when=when, by=P1, options=CONDITIONS, then=slug)


CLEVER = created("ana", stats=with_stats(int=15))
DULL = created("ana", stats=with_stats(int=3))
SEVEN = [CLEVER, *(e.SkillLearned("ana", Skill(name, 2, (DEX,), False)) for name in "abcdefg")]
BUDGET: list[tuple[Sequence[Message], Options, c.LearnSkill, str | None]] = [
    # given, options, when, refusal: level 3
    ([CLEVER], POINTS, c.LearnSkill("ana", "knots", 2, DEX), None),
    (SEVEN, POINTS, c.LearnSkill("ana", "h", 1, DEX), None),
    (SEVEN, POINTS, c.LearnSkill("ana", "h", 2, DEX), "no-skill-points-left"),
    (SEVEN, Options(), c.LearnSkill("ana", "h", 2, DEX), None),
    ([DULL], POINTS, c.LearnSkill("ana", "h", 1, DEX), "no-skill-points-left"),
]


@pytest.mark.parametrize(("given", "options", "when", "slug"), BUDGET)
def test_skill_points(
    given: Sequence[Message], options: Options, when: c.LearnSkill, slug: str | None
) -> None:
    then: list[Message] | str = slug or [
        e.SkillLearned("ana", Skill(when.skill, when.points, (DEX,), False))
    ]
    check(given=given, when=when, by=P1, options=options, then=then)


UNTRAINED = [
    # skill, the dice, options, the sum that counts
    ("juggling", [12, 12], POINTS, 12),
    ("juggling", [7, 6], POINTS, 12),
    ("juggling", [6, 6], POINTS, 12),
    ("juggling", [6, 5], POINTS, 11),
    ("juggling", [7, 6], Options(), 13),
    ("locks", [7, 6], POINTS, 13),
]


@pytest.mark.parametrize(("skill", "drawn", "options", "sum_"), UNTRAINED)
def test_no_sum_above_12_without_training(
    skill: str, drawn: list[int], options: Options, sum_: int
) -> None:
    terms = (BASE, Term("points", 2)) if skill == "locks" else (BASE,)
    thrown = throw(*drawn, terms=terms, capped=skill == "juggling" and options is POINTS)
    assert thrown.sum == sum_
    then = [e.CheckRolled("ana", RollPurpose.SKILL, skill, thrown)]
    check(
        given=[*ANA, opened("ana", name=skill)],
        when=c.Roll("ana"),
        by=P1,
        drawn=drawn,
        options=options,
        then=then,
    )


def test_weapons_and_armour_are_taken_from_the_tables() -> None:
    spear = Weapon("spear", (STR,), NATURAL, SWORD.reach, 1, 12, 0, "spear", False)
    check(
        given=ANA,
        when=c.Equip("ana", Item.SPEAR, True),
        by=P1,
        then=[e.AttackLearned("ana", spear)],
    )
    bow = equipment.weapon_attack(Item.LONGBOW, None)
    assert (bow.stats, bow.reach) == ((DEX,), BOW.reach)
    check(given=ANA, when=c.Equip("ana", Item.LONGBOW), by=P1, then=[e.AttackLearned("ana", bow)])
    plate = Defence(ThresholdPart.ARMOUR, Layer.STATIC, "half plate", 8)
    check(
        given=ANA,
        when=c.Equip("ana", Item.HALF_PLATE),
        by=P1,
        then=[e.DefenceSet("ana", plate, 0, 18)],
    )
    shield = Defence(ThresholdPart.DEFLECT, Layer.STATIC, "shield of 3", 3)
    given = [*ANA, e.DefenceSet("ana", plate, 0, 18)]
    check(
        given=given,
        when=c.Equip("ana", Item.SHIELD_3),
        by=P1,
        then=[e.DefenceSet("ana", shield, 0, 21)],
    )
    check(given=[*ANA, COMBAT], when=c.Equip("ana", Item.SPEAR), by=P1, then="in-combat")
    check(
        given=[*ANA, COMBAT],
        when=c.Equip("ana", Item.SPEAR, True),
        by=GM,
        then=[e.AttackLearned("ana", spear)],
    )


CLASSES = {
    "S": "dying helpless paralysed unconscious",
    "A": "catatonic crippled immobilised incapacitated stunned",
    "B": "bleeding blinded charmed restrained surprised",
    "C": "deafened frightened inaudible invisible prone",
    "B/C": "aphonia",
    "S-C": "poisoned diseased",
}


@pytest.mark.parametrize(("name", "members"), CLASSES.items())
def test_classes_of_conditions(name: str, members: str) -> None:
    assert " ".join(modifiers.CLASSES[name]) == members
    assert all(
        modifiers.condition_class(ConditionName(member)) == name for member in members.split()
    )


def test_every_condition_has_one_class() -> None:
    assert sorted(" ".join(CLASSES.values()).split()) == sorted(ConditionName)


WEAPONS = {
    "dagger": "1d4", "short sword": "1d6", "scimitar": "1d8", "rapier": "1d10", "longsword": "1d8 1d12",
    "greatsword": "2d6", "greataxe": "2d8", "club": "1d4", "mace": "1d6", "maul": "2d6", "glaive": "1d12",
    "halberd": "1d10", "spear": "1d8 1d12", "sling": "1d6", "shortbow": "1d6", "longbow": "1d10", "crossbow": "1d10",
}  # fmt: skip
RANGED = {"sling", "shortbow", "longbow", "crossbow"}


@pytest.mark.parametrize(("name", "written"), WEAPONS.items())
def test_weapons(name: str, written: str) -> None:
    weapon = equipment.WEAPONS[Item(name)]
    grips = [(weapon.dice, weapon.sides), *([weapon.two_hands] if weapon.two_hands else [])]
    assert " ".join(f"{number}d{sides}" for number, sides in grips) == written
    assert weapon.reach is (Reach.RANGED if name in RANGED else Reach.MELEE)


def test_a_strike_does_one() -> None:
    strike = equipment.weapon_attack(Item.STRIKE, None)
    assert (strike.dice, strike.bonus) == (0, 1)


@pytest.mark.parametrize(
    ("name", "part", "bonus"),
    [
        ("leather cuirass", ThresholdPart.ARMOUR, 1),
        ("chain shirt", ThresholdPart.ARMOUR, 2),
        ("brigandine", ThresholdPart.ARMOUR, 4),
        ("cuirass", ThresholdPart.ARMOUR, 5),
        ("half plate", ThresholdPart.ARMOUR, 8),
        ("full plate", ThresholdPart.ARMOUR, 9),
        ("buckler", ThresholdPart.DEFLECT, 1),
        ("shield of 2", ThresholdPart.DEFLECT, 2),
        ("shield of 3", ThresholdPart.DEFLECT, 3),
        ("shield of 4", ThresholdPart.DEFLECT, 4),
    ],
)
def test_armour(name: str, part: ThresholdPart, bonus: int) -> None:
    assert equipment.ARMOUR[Item(name)] == (part, bonus)


def test_every_item_is_a_weapon_or_armour() -> None:
    assert sorted([*equipment.WEAPONS, *equipment.ARMOUR]) == sorted(Item)


ROWS: list[Case] = [
    Case(
        "a prone archer against the prone and a swordsman likewise",
        [*ARMED, is_now("ana", C.PRONE), is_now("ben", C.PRONE)],
        P1,
        c.Attack("ana", "ben", "sword"),
        [9, 8],
        [e.AttackRolled("ana", "ben", SWORD, throw(9, 8, terms=(BASE,)), 10, True, 1)],
        CONDITIONS,
    ),
    Case(
        "the incapacitated do nothing",
        [*ARMED, is_now("ana", C.INCAPACITATED)],
        P1,
        c.Attack("ana", "ben"),
        [],
        "cannot-act",
        CONDITIONS,
    ),
    Case(
        "background skills are as many as levels",
        [*ANA, *(e.SkillLearned("ana", Skill(name, 1, (DEX,), True)) for name in "abc")],
        P1,
        c.LearnSkill("ana", "d", 1, DEX, UNSET, True),
        [],
        "over-background",
        Options(base_on_skills=BaseOnSkills.BACKGROUND),
    ),
    Case(
        "background skills are as many as levels",
        [*ANA, *(e.SkillLearned("ana", Skill(name, 1, (DEX,), True)) for name in "abc")],
        P1,
        c.LearnSkill("ana", "d", 1, DEX, UNSET, True),
        [],
        [e.SkillLearned("ana", Skill("d", 1, (DEX,), True))],
    ),
    Case(
        "background skills are as many as levels",
        [*ANA, *(e.SkillLearned("ana", Skill(name, 1, (DEX,), True)) for name in "abc")],
        P1,
        c.LearnSkill("ana", "c", 1, STR, UNSET, True),
        [],
        [e.SkillLearned("ana", Skill("c", 1, (STR,), True), Skill("c", 1, (DEX,), True))],
        Options(base_on_skills=BaseOnSkills.BACKGROUND),
    ),
    Case(
        "nor by taking nor where it is out of reach",
        [*ANA, SAFE, opened("ana", name="juggling", tries=100)],
        P1,
        c.Take("ana", Taking.BEST),
        [],
        [e.Taken("ana", RollPurpose.SKILL, "juggling", 12, (BASE,), 13, 100)],
        POINTS,
    ),
    Case(
        "nor by taking nor where it is out of reach",
        [*ANA, opened("ana", name="juggling", threshold=14)],
        P1,
        c.Roll("ana"),
        [],
        [e.CheckSettled("ana", RollPurpose.SKILL, "juggling", False, Why.SURE)],
        POINTS,
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()
