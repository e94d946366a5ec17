"""What stands only in the game's own repository: skill points, untrained dice, weapons and armour."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import equipment
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    BaseOnSkills,
    Defence,
    Layer,
    Options,
    Part,
    Skill,
    Taking,
    Term,
    Use,
    Why,
)
from domain.rulesets.fansys.rules.vocabulary import Attack as Weapon
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    BOW,
    COMBAT,
    GM,
    NATURAL,
    P1,
    SAFE,
    SWORD,
    created,
    opened,
    throw,
    with_stats,
)
from tests.domain.rulesets.given import check

POINTS = Options(source_skills=True)

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


def test_background_skills_are_as_many_as_levels() -> None:
    given = [*ANA, *(e.SkillLearned("ana", Skill(name, 1, (DEX,), True)) for name in "abc")]
    background = Options(base_on_skills=BaseOnSkills.BACKGROUND)
    when = c.LearnSkill("ana", "d", 1, DEX, UNSET, True)
    check(given=given, when=when, by=P1, options=background, then="over-background")
    check(given=given, when=when, by=P1, then=[e.SkillLearned("ana", Skill("d", 1, (DEX,), True))])
    replaced = e.SkillLearned("ana", Skill("c", 1, (STR,), True), Skill("c", 1, (DEX,), True))
    check(
        given=given,
        when=c.LearnSkill("ana", "c", 1, STR, UNSET, True),
        by=P1,
        options=background,
        then=[replaced],
    )


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
    then = [e.CheckRolled("ana", Use.SKILL, skill, thrown)]
    check(
        given=[*ANA, opened("ana", name=skill)],
        when=c.Roll("ana"),
        by=P1,
        drawn=drawn,
        options=options,
        then=then,
    )


def test_nor_by_taking_nor_where_it_is_out_of_reach() -> None:
    given = [*ANA, SAFE, opened("ana", name="juggling", tries=100)]
    taken = e.Taken("ana", Use.SKILL, "juggling", 12, (BASE,), 13, 100)
    check(given=given, when=c.Take("ana", Taking.BEST), by=P1, options=POINTS, then=[taken])
    never = e.CheckSettled("ana", Use.SKILL, "juggling", False, Why.SURE)
    beyond = [*ANA, opened("ana", name="juggling", threshold=14)]
    check(given=beyond, when=c.Roll("ana"), by=P1, options=POINTS, then=[never])


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
    plate = Defence(Part.ARMOUR, Layer.STATIC, "half plate", 8)
    check(
        given=ANA,
        when=c.Equip("ana", Item.HALF_PLATE),
        by=P1,
        then=[e.DefenceSet("ana", plate, 0, 18)],
    )
    shield = Defence(Part.DEFLECT, Layer.STATIC, "shield of 3", 3)
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
