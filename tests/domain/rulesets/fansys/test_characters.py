"""Characters: creation, growth, skills, pools, rest, time and corrections by the GM."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import EnumeratedChance
from domain.decider import By, Refused, fold
from domain.ruleset import Message
from domain.rulesets.fansys import carry, commands as c, events as e, ruleset
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    CON,
    DEX,
    INT,
    STR,
    AttackProfile,
    Being,
    Energy,
    Gauge,
    Length,
    MpStat,
    Options,
    Pools,
    Size,
    Skill,
    Status,
    Unit,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    BEN,
    EVEN,
    GM,
    MELEE,
    NATURAL,
    P1,
    TABLE,
    created,
    full,
    hexed,
    is_now,
    left,
    proficient,
)
from tests.domain.rulesets.given import Case, after, check, each_case

REST, LONG = Length
SP, MP = Energy


def create(level: int = 3, sp_dice: int = 0, mp_dice: int = 0) -> c.Create:
    kind, race = "humanoid", "human"
    return c.Create("ana", "Ana", level, *EVEN, sp_dice, mp_dice, kind, race, Size.MEDIUM)


def test_a_player_brings_a_pc_with_full_pools() -> None:
    then = created("ana", sp_dice=8, mp_dice=2)
    assert then.pools == Pools(26, 26, 52, 52, 8, 8, 37, 37, 2, 2)
    check(when=create(3, 8, 2), by=P1, then=[then])


def test_the_gm_brings_an_npc_and_hands_it_over() -> None:
    check(when=create(), by=GM, then=[created("ana", "gm")])
    given = [created("ana", "gm")]
    handed = e.HandedOver("ana", Being.PC, "gm", "p2", "Ben is late")
    check(given=given, when=c.HandOver("ana", "Ben is late", "p2"), by=GM, then=[handed])
    assert after(handed, [*given, handed]).entities["ana"].seat == "p2"
    back = e.HandedOver("ana", Being.NPC, "p2", "gm", "Ben is gone")
    check(given=[*given, handed], when=c.HandOver("ana", "Ben is gone"), by=GM, then=[back])


def test_without_a_physical_form_the_stats_of_the_body_are_zero() -> None:
    stats = (0, 0, 0, 11, 11, 11)
    when = c.Create("wisp", "Wisp", 3, *stats, 0, 0, "humanoid", "human", Size.MEDIUM, True)
    check(when=when, by=GM, then=[created("wisp", "gm", stats=stats, bodiless=True)])


NAMED: list[c.Create] = [
    c.Create("wisp", "Wisp", 3, *EVEN, 0, 0, "spirit", "wisp", Size.SMALL, True),
    c.Create("wisp", "Wisp", 3, *EVEN, 99, 0, "spirit", "wisp", Size.SMALL),
]


@pytest.mark.parametrize("when", NAMED)
def test_a_character_that_is_refused_is_called_by_its_name(when: c.Create) -> None:
    with pytest.raises(Refused) as refused:
        ruleset.decider.decide(after(when, TABLE), when, GM, EnumeratedChance(()))
    assert refused.value.facts["entity"] == "Wisp"


CAPACITY = [
    (3, 21, 20, None),
    (3, 22, 0, "over-capacity"),
    (3, 0, 21, "over-capacity"),
    (1, 15, 14, None),
]


@pytest.mark.parametrize(("level", "sp_dice", "mp_dice", "slug"), CAPACITY)
def test_fs_22_capacity(level: int, sp_dice: int, mp_dice: int, slug: str | None) -> None:
    then = slug or [created("ana", "p1", level, sp_dice=sp_dice, mp_dice=mp_dice)]
    check(when=create(level, sp_dice, mp_dice), by=P1, then=then)


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
    check(given=[*ANA, learned], when=c.LearnSkill("ana", "knots", 1, DEX), by=P1, then=[again])
    assert [
        held.points for held in after(again, [*ANA, learned, again]).entities["ana"].skills
    ] == [2, 1]
    axe = AttackProfile("axe", (STR,), NATURAL, MELEE, 1, 6, 0, "axe", False)
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
    assert "more than the 2 advised" in ruleset.describe(third)
    check(
        given=given,
        when=c.SetProficiency("ana", "STR", False),
        by=P1,
        then=[e.ProficiencySet("ana", "STR", False, 1)],
    )


SPENT = [
    # dice, SP; how many; dice, SP after
    ((8, 52), 1, (7, 50)),  # FS-23
    ((8, 52), 8, (0, 36)),
    ((3, 1), 1, (2, 0)),  # what there is
    ((3, 1), 4, "over-dice"),
    ((0, 9), 1, "over-dice"),
]


@pytest.mark.parametrize(("had", "number", "then"), SPENT)
def test_spending_dice(had: tuple[int, int], number: int, then: tuple[int, int] | str) -> None:
    old = Pools(26, 26, had[1], 52, had[0], 8, 33, 33, 0, 0)
    given = [*ANA, e.PoolAdjusted("ana", Gauge.SP, "as it begins", full(), old, Status.OK)]
    if isinstance(then, str):
        check(given=given, when=c.SpendDice("ana", SP, number, "a leap"), by=P1, then=then)
        return
    new = Pools(26, 26, then[1], 52, then[0], 8, 33, 33, 0, 0)
    spent = e.DiceSpent("ana", SP, number, "a leap", old, new)
    check(given=given, when=c.SpendDice("ana", SP, number, "a leap"), by=P1, then=[spent])


RESTS: list[tuple[str, Options, Length, bool, Pools, Pools]] = [
    # id, options, length, care, before, after (CON 12, CHA 11, level 3)
    (
        "half of the dice and 18 points",
        Options(),
        REST,
        False,
        Pools(9, 26, 0, 56, 0, 10, 0, 43, 0, 5),
        Pools(9, 26, 28, 56, 5, 10, 24, 43, 3, 5),
    ),
    (
        "never above what is owned",
        Options(),
        REST,
        False,
        Pools(9, 26, 50, 56, 8, 10, 40, 43, 4, 5),
        Pools(9, 26, 56, 56, 10, 10, 43, 43, 5, 5),
    ),
    (
        "MP by CHA, rounded up",
        Options(mp_stat=MpStat.CHA),
        REST,
        False,
        Pools(9, 26, 0, 36, 0, 0, 0, 33, 0, 0),
        Pools(9, 26, 18, 36, 0, 0, 17, 33, 0, 0),
    ),
    (
        "a long rest",
        Options(),
        LONG,
        False,
        Pools(9, 26, 36, 36, 0, 0, 33, 33, 0, 0),
        Pools(10, 26, 36, 36, 0, 0, 33, 33, 0, 0),
    ),
    (
        "with care",
        Options(),
        LONG,
        True,
        Pools(9, 26, 36, 36, 0, 0, 33, 33, 0, 0),
        Pools(11, 26, 36, 36, 0, 0, 33, 33, 0, 0),
    ),
    (
        "not above the maximum",
        Options(),
        LONG,
        True,
        Pools(25, 26, 36, 36, 0, 0, 33, 33, 0, 0),
        Pools(26, 26, 36, 36, 0, 0, 33, 33, 0, 0),
    ),
]


@pytest.mark.parametrize(
    ("options", "length", "care", "old", "new"), [r[1:] for r in RESTS], ids=[r[0] for r in RESTS]
)
def test_rest(options: Options, length: Length, care: bool, old: Pools, new: Pools) -> None:
    given = [*ANA, e.PoolAdjusted("ana", Gauge.HP, "as it begins", full(), old, Status.OK)]
    status = Status.HURT if new.hp <= 13 else Status.OK
    seconds = 86_400 if length is LONG else 3_600
    rested = e.Rested("ana", length, care, old, new, status, seconds, seconds)
    then = [rested, e.TimePassed(seconds, seconds)]
    check(given=given, when=c.Rest("ana", length, care or UNSET), by=GM, options=options, then=then)


NIGHT = e.Rested("ana", LONG, False, full(), full(), Status.OK, 86_400, 86_400)
DAWN = e.TimePassed(86_400, 86_400)
NIGHTS: list[tuple[str, Sequence[Message], c.Rest, int, int]] = [
    # id, events after those of TABLE, the rest; how long it takes, until when
    ("who rests next rests at the same time", [NIGHT, DAWN], c.Rest("ben", LONG), 86_400, 86_400),
    ("nobody rests twice at once", [NIGHT, DAWN], c.Rest("ana", LONG), 86_400, 172_800),
    ("another length is another rest", [NIGHT, DAWN], c.Rest("ben", REST), 3_600, 90_000),
    (
        "so is another number of hours",
        [NIGHT, DAWN],
        c.Rest("ben", LONG, hours=8),
        28_800,
        115_200,
    ),
    (
        "and one after other time",
        [NIGHT, DAWN, e.TimePassed(60, 86_460)],
        c.Rest("ben", LONG),
        86_400,
        172_860,
    ),
]


@pytest.mark.parametrize(
    ("given", "when", "seconds", "until"), [r[1:] for r in NIGHTS], ids=[r[0] for r in NIGHTS]
)
def test_rests_take_time(given: Sequence[Message], when: c.Rest, seconds: int, until: int) -> None:
    rested = e.Rested(when.entity, when.length, False, full(), full(), Status.OK, seconds, until)
    clock = given[-1].clock  # type: ignore[attr-defined]
    passed = [] if until == clock else [e.TimePassed(seconds, until)]
    check(given=[*TABLE, *given], when=when, by=GM, then=[rested, *passed])


def test_a_third_joins_the_same_night() -> None:
    given = [*TABLE, NIGHT, DAWN, replace(NIGHT, entity="ben")]
    state = after(NIGHT, given)
    assert state.resting.who == ("ana", "ben")
    rat = state.entities["rat"].pools
    then = [e.Rested("rat", LONG, False, rat, rat, Status.OK, 86_400, 86_400)]
    check(given=given, when=c.Rest("rat", LONG), by=GM, then=then)


def test_conditions_run_out_in_a_rest() -> None:
    given = [*ANA, is_now("ana", ConditionName.POISONED, 3), hexed("ana", minutes=90)]
    then = [
        e.Rested("ana", REST, False, full(), full(), Status.OK, 3_600, 3_600),
        e.TimePassed(3_600, 3_600),
        e.ConditionTicked("ana", "poisoned", 0),
        e.ConditionTicked("ana", "hexed", minutes=30),
    ]
    check(given=given, when=c.Rest("ana", REST), by=GM, then=then)


ROUND, MINUTE, HOUR, DAY = Unit
TIME: list[tuple[Options, int, Unit, int, int | None]] = [
    # options, amount, unit, seconds, rounds left of 20
    (Options(), 1, ROUND, 6, 19),
    (Options(), 20, ROUND, 120, 0),
    (Options(), 1, MINUTE, 60, 10),
    (Options(round_seconds=5), 1, MINUTE, 60, 8),
    (Options(), 2, HOUR, 7200, 0),
    (Options(clock=100), 3, DAY, 259_200, 0),
]


@pytest.mark.parametrize(("options", "amount", "unit", "seconds", "rounds"), TIME)
def test_time_passes(options: Options, amount: int, unit: Unit, seconds: int, rounds: int) -> None:
    given = [*TABLE, is_now("ben", ConditionName.PRONE), is_now("ben", ConditionName.STUNNED, 20)]
    ticked = e.ConditionTicked("ben", ConditionName.STUNNED, rounds)
    passed = e.TimePassed(seconds, options.clock + seconds, amount, unit)
    check(given=given, when=c.PassTime(amount, unit), by=GM, options=options, then=[passed, ticked])
    state = after(passed, [*given, passed, ticked], options)
    assert state.entities["ben"].conditions == {"prone": 0} | (
        {"stunned": rounds} if rounds else {}
    )
    assert carry(state) == {"clock": options.clock + seconds}


def test_conditions_are_set_anew_and_lifted() -> None:
    prone, stunned = ConditionName.PRONE, ConditionName.STUNNED
    given = [*BEN, is_now("ben", prone), is_now("ben", stunned, 3)]
    check(
        given=given,
        when=c.SetCondition("ben", prone, 2),
        by=GM,
        then=[e.ConditionSet("ben", prone, 2)],
    )
    check(
        given=given,
        when=c.LiftCondition("ben", prone),
        by=GM,
        then=[e.ConditionLifted("ben", prone)],
    )
    check(
        given=given,
        when=c.LiftCondition("ben", stunned),
        by=GM,
        then=[e.ConditionLifted("ben", stunned, 3)],
    )
    lifted: Sequence[Message] = [
        e.ConditionLifted("ben", prone),
        e.ConditionLifted("ben", stunned, 3),
    ]
    assert after(lifted[0], [*given, *lifted]).entities["ben"].conditions == {}


ADJUSTED = [
    (Gauge.HP, -999, {"hp": -999}, Status.DESTROYED),
    (Gauge.HP, 13, {"hp": 13}, Status.HURT),
    (Gauge.SP, 0, {"sp": 0}, Status.OK),
    (Gauge.MP, 36, {"mp": 36}, Status.OK),
    (Gauge.SP_DICE, 1, {"sp_dice": 1}, Status.OK),
    (Gauge.MP_DICE, 0, {"mp_dice": 0}, Status.OK),
]


@pytest.mark.parametrize(("gauge", "now", "changes", "status"), ADJUSTED)
def test_the_gm_sets_what_is_left(
    gauge: Gauge, now: int, changes: dict[str, int], status: Status
) -> None:
    old = full(sp_dice=2, mp_dice=2)
    then = [e.PoolAdjusted("ana", gauge, "a ruling", old, replace(old, **changes), status)]
    given = [created("ana", sp_dice=2, mp_dice=2)]
    check(given=given, when=c.AdjustPool("ana", gauge, now, "a ruling"), by=GM, then=then)


def test_dice_above_the_capacity_stay() -> None:
    when = c.AdjustStat("ana", CON, 5, "a fever")
    given = [created("ana", sp_dice=21)]
    (adjusted,) = ruleset.decider.decide(after(when, given), when, GM, EnumeratedChance(()))
    assert isinstance(adjusted, e.StatAdjusted)
    assert (adjusted.pools.sp_owned, adjusted.pools.sp_dice) == (21, 21)
    fewer = c.TrainDice("ana", SP, 20)
    check(given=[*given, adjusted], when=fewer, by=P1, then="over-capacity")


def test_the_gm_sets_a_stat_and_maxima_follow() -> None:
    given = [created("ana", sp_dice=4)]
    old, new = Pools(26, 26, 44, 44, 4, 4, 33, 33, 0, 0), Pools(14, 14, 8, 8, 4, 4, 33, 33, 0, 0)
    adjusted = e.StatAdjusted("ana", CON, 12, 0, "the curse", old, new, Status.OK)
    check(given=given, when=c.AdjustStat("ana", CON, 0, "the curse"), by=GM, then=[adjusted])
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(Options()), [*given, adjusted])
    assert state.entities["ana"].stats == (11, 11, 0, 11, 11, 11)


ROWS: list[Case] = [
    Case(
        "a level raises maxima and nothing else",
        [created("ana", sp_dice=6), left("ana", hp=5, sp=7, sp_max=48, sp_owned=6, sp_dice=2)],
        GM,
        c.LevelUp("ana", "the bridge held"),
        [],
        [
            e.LevelGained(
                "ana",
                4,
                "the bridge held",
                Pools(5, 26, 7, 48, 2, 6, 33, 33, 0, 0),
                Pools(5, 27, 7, 60, 2, 6, 33, 44, 0, 0),
            )
        ],
    ),
    Case(
        "who was handed over speaks for it",
        [*TABLE, e.HandedOver("ana", Being.PC, "p1", "p2", "Ana is late")],
        P1,
        c.TrainDice("ana", MP, 0),
        [],
        "not-yours",
    ),
    Case(
        "who was handed over speaks for it",
        [*TABLE, e.HandedOver("ana", Being.PC, "p1", "p2", "Ana is late")],
        By("p2", P1.role),
        c.TrainDice("ana", MP, 0),
        [],
        [e.DiceTrained("ana", MP, 20, full(), full())],
    ),
    Case(
        "a full sheet may still be changed",
        [*ANA, *(e.SkillLearned("ana", Skill(f"s{n}", 0, (DEX,), False)) for n in range(39))],
        P1,
        c.LearnSkill("ana", "s1", 1, INT),
        [],
        [e.SkillLearned("ana", Skill("s1", 1, (INT,), False), Skill("s1", 0, (DEX,), False))],
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()
