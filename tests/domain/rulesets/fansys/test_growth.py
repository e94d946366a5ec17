"""Characters come, grow, learn, and change hands: by the rules and rulings."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from domain.decider import By
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    INT,
    STR,
    Attack,
    Being,
    Energy,
    Gauge,
    Length,
    Pools,
    Size,
    Skill,
    Status,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    EVEN,
    GM,
    MELEE,
    NATURAL,
    P1,
    TABLE,
    created,
    full,
    left,
    proficient,
)
from tests.domain.rulesets.given import after, check

REST, LONG = Length
SP, MP = Energy


def wish(level: int = 3, sp_dice: int = 0, mp_dice: int = 0, bodiless: bool = False) -> c.Create:
    kind, race = "humanoid", "human"
    return c.Create(
        "ana", "Ana", level, *EVEN, sp_dice, mp_dice, kind, race, Size.MEDIUM, bodiless or UNSET
    )


def test_a_player_brings_a_pc_with_full_pools() -> None:
    then = created("ana", sp_dice=8, mp_dice=2)
    assert then.pools == Pools(26, 26, 52, 52, 8, 8, 37, 37, 2, 2)
    check(when=wish(3, 8, 2), by=P1, then=[then])


def test_the_gm_brings_an_npc_and_hands_it_over() -> None:
    check(when=wish(), by=GM, then=[created("ana", "gm")])
    given = [created("ana", "gm")]
    handed = e.HandedOver("ana", Being.PC, "gm", "p2", "Ben is late")
    check(given=given, when=c.HandOver("ana", "Ben is late", "p2"), by=GM, then=[handed])
    assert after(handed, [*given, handed]).entities["ana"].seat == "p2"
    back = e.HandedOver("ana", Being.NPC, "p2", "gm", "Ben is gone")
    check(given=[*given, handed], when=c.HandOver("ana", "Ben is gone"), by=GM, then=[back])


def test_without_a_physical_form_the_stats_of_the_body_are_zero() -> None:
    (event,) = ruleset.decider.decide(after(wish(), []), wish(bodiless=True), GM, None)  # type: ignore[arg-type]
    assert isinstance(event, e.Created)
    assert (event.bodiless, event.stats) == (True, (0, 0, 0, 11, 11, 11))


CAPACITY = [
    (3, 21, 20, None),
    (3, 22, 0, "over-capacity"),
    (3, 0, 21, "over-capacity"),
    (1, 15, 14, None),
]


@pytest.mark.parametrize(("level", "sp_dice", "mp_dice", "slug"), CAPACITY)
def test_fs_22_capacity(level: int, sp_dice: int, mp_dice: int, slug: str | None) -> None:
    then = slug or [created("ana", "p1", level, sp_dice=sp_dice, mp_dice=mp_dice)]
    check(when=wish(level, sp_dice, mp_dice), by=P1, then=then)


def test_a_level_raises_maxima_and_nothing_else() -> None:
    given = [created("ana", sp_dice=6), left("ana", hp=5, sp=7, sp_max=48, sp_owned=6, sp_dice=2)]
    old = Pools(5, 26, 7, 48, 2, 6, 33, 33, 0, 0)
    new = Pools(5, 27, 7, 60, 2, 6, 33, 44, 0, 0)
    when = c.LevelUp("ana", "the bridge held")
    check(
        given=given, when=when, by=GM, then=[e.LevelGained("ana", 4, "the bridge held", old, new)]
    )


TRAINED = [
    # had: dice left, owned, SP; owned after; then: dice left, SP, SP max
    ((2, 6, 20), 9, (5, 20, 54)),
    ((2, 6, 20), 6, (2, 20, 48)),
    ((5, 6, 48), 3, (3, 42, 42)),
    ((0, 6, 0), 0, (0, 0, 36)),
]


@pytest.mark.parametrize(("had", "owned", "then"), TRAINED)
def test_dice_trained_come_unspent(
    had: tuple[int, int, int], owned: int, then: tuple[int, int, int]
) -> None:
    dice, before, sp = had
    old = Pools(26, 26, sp, 36 + 2 * before, dice, before, 33, 33, 0, 0)
    new = Pools(26, 26, then[1], then[2], then[0], owned, 33, 33, 0, 0)
    given = [*ANA, e.PoolAdjusted("ana", Gauge.SP, "as it begins", full(), old, Status.OK)]
    check(
        given=given,
        when=c.TrainDice("ana", SP, owned),
        by=P1,
        then=[e.DiceTrained("ana", SP, 21, old, new)],
    )


def test_skills_proficiencies_and_attacks_are_learned_and_changed() -> None:
    knots = Skill("knots", 2, (DEX, INT), True)
    learned = e.SkillLearned("ana", knots, UNSET)
    check(given=ANA, when=c.LearnSkill("ana", "knots", 2, DEX, INT, True), by=P1, then=[learned])
    again = e.SkillLearned("ana", Skill("knots", 1, (DEX,), False), knots)
    check(
        given=[*ANA, learned], when=c.LearnSkill("ana", "knots", 1, DEX, DEX), by=P1, then=[again]
    )
    assert [
        held.points for held in after(again, [*ANA, learned, again]).entities["ana"].skills
    ] == [2, 1]
    axe = Attack("axe", (STR,), NATURAL, MELEE, 1, 6, 0, "axe", False)
    when = c.LearnAttack("ana", "axe", STR, NATURAL, MELEE, 1, 6, 0)
    check(given=ANA, when=when, by=P1, then=[e.AttackLearned("ana", axe)])
    check(
        given=[*ANA, e.AttackLearned("ana", axe)],
        when=when,
        by=P1,
        then=[e.AttackLearned("ana", axe, axe)],
    )


def test_a_third_save_is_remarked_on_and_forgetting_is_possible() -> None:
    given = [*ANA, proficient("ana", "STR"), proficient("ana", "DEX"), proficient("ana", "swords")]
    third = e.ProficiencySet("ana", "CON", True, 3)
    check(given=given, when=c.SetProficiency("ana", "CON", True), by=P1, then=[third])
    assert "more than the 2 advised" in ruleset.tell(third)
    check(
        given=given,
        when=c.SetProficiency("ana", "STR", False),
        by=P1,
        then=[e.ProficiencySet("ana", "STR", False, 1)],
    )


def test_who_was_handed_over_speaks_for_it() -> None:
    given = [*TABLE, e.HandedOver("ana", Being.PC, "p1", "p2", "Ana is late")]
    check(given=given, when=c.TrainDice("ana", MP, 0), by=P1, then="not-yours")
    then = [e.DiceTrained("ana", MP, 20, full(), full())]
    check(given=given, when=c.TrainDice("ana", MP, 0), by=By("p2", P1.role), then=then)


def test_a_full_sheet_may_still_be_changed() -> None:
    given = [*ANA, *(e.SkillLearned("ana", Skill(f"s{n}", 0, (DEX,), False)) for n in range(39))]
    changed = e.SkillLearned("ana", Skill("s1", 1, (INT,), False), Skill("s1", 0, (DEX,), False))
    check(given=given, when=c.LearnSkill("ana", "s1", 1, INT), by=P1, then=[changed])
