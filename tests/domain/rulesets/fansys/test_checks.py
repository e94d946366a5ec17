"""Checks: what they add, what needs no roll, terms, taking and contests."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import EnumeratedChance
from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e, ruleset
from domain.rulesets.fansys.decider import checks
from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    PLAIN,
    Twist,
)
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    DEX,
    INT,
    STR,
    WIS,
    Applies,
    BaseOnSkills,
    Options,
    RollPurpose,
    Skill,
    Stat,
    Taking,
    Term,
    TiedGrant,
    UnsettledCheck,
    Why,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    COMBAT,
    GHOST,
    GM,
    P1,
    QUIET,
    SAFE,
    SUPERNATURAL,
    TABLE,
    ability,
    created,
    is_now,
    left,
    modifier,
    opened,
    proficient,
    save,
    throw,
    tied,
    with_stats,
)
from tests.domain.rulesets.given import Case, after, check, each_case, play

POINTS = Term("points", 2)
BACKGROUND = Options(base_on_skills=BaseOnSkills.BACKGROUND)
NEVER = Options(base_on_skills=BaseOnSkills.NEVER)
ADEPT = created("ana", "p1", 6, with_stats(str=15, int=18, wis=8), sp_dice=13, mp_dice=6)
HOBBY = e.SkillLearned("ana", Skill("knots", 1, (DEX, INT), True))

TERMS: list[tuple[str, Sequence[Message], Options, RollPurpose, str, tuple[Stat, ...], str]] = [
    # id, given, options, use, name, stats, what is added
    ("an ability has no Base", [ADEPT], Options(), RollPurpose.ABILITY, "STR", (STR,), "+2 STR"),
    (
        "a skill has Base and points",
        [ADEPT, HOBBY],
        Options(),
        RollPurpose.SKILL,
        "knots",
        (STR,),
        "+2 Base +1 points +2 STR",
    ),
    (
        "two stats, one bonus",
        [ADEPT, HOBBY],
        Options(),
        RollPurpose.SKILL,
        "knots",
        (DEX, INT),
        "+2 Base +1 points +2 DEX and INT",
    ),
    (
        "an unknown skill",
        [ADEPT],
        Options(),
        RollPurpose.SKILL,
        "juggling",
        (STR,),
        "+2 Base +2 STR",
    ),
    (
        "a background skill",
        [ADEPT, HOBBY],
        BACKGROUND,
        RollPurpose.SKILL,
        "knots",
        (CON,),
        "+2 Base +1 points +1 CON",
    ),
    ("no background skill", [ADEPT], BACKGROUND, RollPurpose.SKILL, "juggling", (STR,), "+2 STR"),
    ("Base never", [ADEPT, HOBBY], NEVER, RollPurpose.SKILL, "knots", (STR,), "+1 points +2 STR"),
    (
        "a save without proficiency",
        [ADEPT],
        Options(),
        RollPurpose.SAVE,
        "STR",
        (STR,),
        "+2 Base +2 STR",
    ),
    (
        "a save with Nat",
        [ADEPT, proficient("ana", "STR")],
        Options(),
        RollPurpose.SAVE,
        "STR",
        (STR,),
        "+2 Base +3 Nat +2 STR",
    ),
    (
        "a save with Sup",
        [ADEPT, proficient("ana", "WIS")],
        Options(),
        RollPurpose.SAVE,
        "WIS",
        (WIS,),
        "+2 Base +1 Sup -1 WIS",
    ),
]


@pytest.mark.parametrize(
    ("given", "options", "use", "name", "stats", "added"),
    [r[1:] for r in TERMS],
    ids=[r[0] for r in TERMS],
)
def test_what_is_added(
    given: Sequence[Message],
    options: Options,
    use: RollPurpose,
    name: str,
    stats: tuple[Stat, ...],
    added: str,
) -> None:
    state = after(given[0], given, options)
    terms = checks.check_terms(
        state, state.entities["ana"], UnsettledCheck(use, name, stats, False, 1, False), stats
    )
    assert " ".join(f"{term.value:+d} {term.name}" for term in terms) == added


M = modifier
MODIFIERS: list[tuple[str, Sequence[Message], Options, int]] = [
    # id, modifiers, options, what they come to on a DEX check
    ("different types add up", [M(2, "a", type_="tool"), M(3, "b", type_="mood")], Options(), 5),
    ("of one type the largest", [M(2, "a"), M(3, "b")], Options(), 3),
    ("and the largest penalty", [M(2, "a"), M(3, "b"), M(-1, "c"), M(-4, "d")], Options(), -1),
    (
        "the supernatural never stack",
        [M(2, "a", nature=SUPERNATURAL), M(3, "b", nature=SUPERNATURAL, type_="x")],
        Options(),
        3,
    ),
    ("they are one type more", [M(2, "a", nature=SUPERNATURAL), M(3, "b")], Options(), 5),
    (
        "two types only",
        [M(2, "a", type_="tool"), M(3, "b", type_="mood")],
        Options(two_types=True),
        3,
    ),
    ("set again it is replaced", [M(2), M(5)], Options(), 5),
    ("set to 0 it is gone", [M(2), M(0)], Options(), 0),
    ("for saves alone", [M(2, applies=Applies.SAVE)], Options(), 0),
    ("for a save DC alone", [M(2, applies=Applies.DC)], Options(), 0),
    ("for its stat", [M(2, only="DEX")], Options(), 2),
    ("for another stat", [M(2, only="STR")], Options(), 0),
    (
        "a text that says supernatural is a natural type",
        [M(2, type_="supernatural"), M(3, "b", nature=SUPERNATURAL)],
        Options(),
        5,
    ),
]


@pytest.mark.parametrize(
    ("given", "options", "total"), [r[1:] for r in MODIFIERS], ids=[r[0] for r in MODIFIERS]
)
def test_modifiers(given: Sequence[Message], options: Options, total: int) -> None:
    state = after(given[0], [*ANA, *given], options)
    made = UnsettledCheck(RollPurpose.ABILITY, "DEX", (DEX,), False, 1, False)
    assert checks.sum_terms(checks.check_terms(state, state.entities["ana"], made, (DEX,))) == total


BODILESS, MINDLESS = Why.BODILESS, Why.MINDLESS
GOLEM = created("golem", "gm", 2, with_stats(int=0))
OAK = created("oak", "gm", 2, with_stats(dex=0), mindless=True)
MIST = created("mist", "gm", 2, with_stats(str=0))
SLEEPER = created("sleeper", "gm", 2, with_stats(wis=0))
SURE: list[tuple[str, Message, bool, Why]] = [
    # who, the check, success, why
    ("ghost", save("ghost", CON), True, BODILESS),
    ("ghost", save("ghost", CON, threshold=99), True, BODILESS),
    ("ghost", save("ghost", STR), False, Why.NO_STAT),
    ("golem", save("golem", INT), True, MINDLESS),
    ("golem", save("golem", WIS), True, MINDLESS),
    ("oak", save("oak", WIS), True, MINDLESS),
    ("oak", save("oak", DEX), False, Why.NO_STAT),
    ("oak", ability("oak", DEX), False, Why.NO_STAT),
    ("oak", ability("oak", STR), False, Why.CONDITION),
    ("oak", ability("oak", STR, INT, threshold=-9), False, Why.CONDITION),
    ("mist", opened("mist", name="hiding"), False, Why.CONDITION),
    ("sleeper", save("sleeper", DEX), False, Why.CONDITION),
    ("sleeper", save("sleeper", STR), False, Why.CONDITION),
    ("golem", ability("golem", INT), False, Why.NO_STAT),
    ("ana", ability("ana", DEX, threshold=-2), True, Why.SURE),
    ("ana", ability("ana", DEX, threshold=29), False, Why.SURE),
]


@pytest.mark.parametrize(("who", "waiting", "success", "why"), SURE)
def test_what_needs_no_roll(who: str, waiting: Message, success: bool, why: Why) -> None:
    use, name = waiting.check.use, waiting.check.name  # type: ignore[attr-defined]
    then = [e.CheckSettled(who, use, name, success, why)]
    given = [*TABLE, GOLEM, OAK, MIST, SLEEPER, waiting]
    check(given=given, when=c.Roll(who), by=GM, then=then)


BARRED: list[tuple[ConditionName, Message, Why]] = [
    (ConditionName.HELPLESS, save("ana", STR), Why.CONDITION),
    (ConditionName.IMMOBILISED, save("ana", DEX), Why.CONDITION),
    (ConditionName.PARALYSED, ability("ana", STR, threshold=12), Why.CONDITION),
    (ConditionName.PARALYSED, opened("ana", name="jumping", stats=(DEX,)), Why.CONDITION),
    (ConditionName.UNCONSCIOUS, ability("ana", WIS), Why.CANNOT_ACT),
    (ConditionName.UNCONSCIOUS, save("ana", STR), Why.CONDITION),
    (ConditionName.UNCONSCIOUS, save("ana", DEX), Why.CONDITION),
    (ConditionName.PARALYSED, save("ana", STR), Why.CONDITION),
    (ConditionName.PARALYSED, save("ana", DEX), Why.CONDITION),
    (ConditionName.HELPLESS, ability("ana", DEX), Why.CONDITION),
    (ConditionName.DYING, ability("ana", STR), Why.CONDITION),
    (ConditionName.STUNNED, ability("ana", STR), Why.CONDITION),
    (ConditionName.CATATONIC, opened("ana"), Why.CONDITION),
    (ConditionName.INCAPACITATED, ability("ana", STR), Why.CONDITION),
]


@pytest.mark.parametrize(("condition", "waiting", "why"), BARRED)
def test_what_cannot_be_rolled_fails(condition: ConditionName, waiting: Message, why: Why) -> None:
    use, name = waiting.check.use, waiting.check.name  # type: ignore[attr-defined]
    then = [e.CheckSettled("ana", use, name, False, why)]
    given = [*TABLE, is_now("ana", condition), waiting]
    check(given=given, when=c.Roll("ana"), by=P1, then=then)
    if use is not RollPurpose.SAVE:
        check(given=[*given, SAFE], when=c.Take("ana", Taking.BEST), by=P1, then=then)


ROLLED: list[tuple[ConditionName, Message, str]] = [
    (ConditionName.HELPLESS, save("ana", DEX, threshold=10), "DEX"),
    (ConditionName.IMMOBILISED, save("ana", STR, threshold=10), "STR"),
    (ConditionName.PARALYSED, save("ana", WIS, threshold=10), "WIS"),
    (ConditionName.UNCONSCIOUS, save("ana", WIS, threshold=10), "WIS"),
    (ConditionName.STUNNED, save("ana", CHA, threshold=10), "CHA"),
]


@pytest.mark.parametrize(("condition", "waiting", "name"), ROLLED)
def test_by_the_book_these_are_rolled(
    condition: ConditionName, waiting: Message, name: str
) -> None:
    then = [e.CheckRolled("ana", RollPurpose.SAVE, name, throw(6, 7, terms=(BASE,)), 10, True)]
    check(
        given=[*ANA, is_now("ana", condition), waiting],
        when=c.Roll("ana"),
        by=P1,
        drawn=[6, 7],
        then=then,
    )


GRANTS: list[tuple[Sequence[Twist], Twist, list[int], int]] = [
    ([ADVANTAGE], ADVANTAGE, [3, 9, 12], 23),
    ([DISADVANTAGE], DISADVANTAGE, [3, 9, 12], 12),
    ([ADVANTAGE, ADVANTAGE], ADVANTAGE, [3, 9, 12], 23),
    ([ADVANTAGE, ADVANTAGE, DISADVANTAGE], PLAIN, [3, 9], 12),
    ([ADVANTAGE, EXTREME_ADVANTAGE], EXTREME_ADVANTAGE, [3, 9, 12, 1], 23),
    ([EXTREME_ADVANTAGE, DISADVANTAGE], PLAIN, [3, 9], 12),
    ([ADVANTAGE, PLAIN], PLAIN, [3, 9], 12),
]


@pytest.mark.parametrize(("twists", "twist", "faces", "total"), GRANTS)
def test_granted_twists_wait_for_the_next_roll(
    twists: Sequence[Twist], twist: Twist, faces: list[int], total: int
) -> None:
    log = play(
        *((GM, c.Grant("ana", each, "the light")) for each in twists),
        given=[*ANA, ability("ana", DEX)],
    )
    assert isinstance(log[-1], e.Granted)
    assert log[-1].twist is twist
    rolled = e.CheckRolled("ana", RollPurpose.ABILITY, "DEX", throw(*faces, twist=twist))
    assert rolled.throw.total == total
    check(
        given=[*ANA, ability("ana", DEX), *log],
        when=c.Roll("ana"),
        by=P1,
        drawn=faces,
        then=[rolled],
    )
    assert after(rolled, [*ANA, *log, rolled]).entities["ana"].granted == ()


def test_dropped_dice_save_nobody() -> None:
    twelves = throw(12, 12, 5, twist=DISADVANTAGE)
    assert (twelves.kept, twelves.sum) == ((5, 12), 19)
    then = [
        e.CheckRolled(
            "ana",
            RollPurpose.SAVE,
            "DEX",
            throw(12, 12, 5, twist=DISADVANTAGE, terms=(BASE,)),
            30,
            False,
        )
    ]
    granted = e.Granted("ana", (DISADVANTAGE,), DISADVANTAGE, "the fog")
    check(
        given=[*ANA, granted, save("ana", DEX, threshold=30)],
        when=c.Roll("ana"),
        by=P1,
        drawn=[12, 12, 5],
        then=then,
    )


WILLING: list[tuple[Message, Stat | None, str | None]] = [
    # the check, the save chosen, the refusal
    (save("ana", STR), None, None),
    (save("ana", DEX), None, None),
    (save("ana", INT), None, None),
    (save("ana", WIS), None, None),
    (save("ana", CON), None, "autonomous"),
    (save("ana", CHA), None, "ask-the-gm"),
    (save("ana", CHA, may_yield=True), None, None),
    (save("ana", CON, WIS), WIS, None),
    (save("ana", CON, WIS), CON, "autonomous"),
    (opened("ana"), None, None),
    (ability("ana", CON), None, "autonomous"),
]


@pytest.mark.parametrize(("waiting", "stat", "slug"), WILLING)
def test_failing_willingly(waiting: Message, stat: Stat | None, slug: str | None) -> None:
    use, name = waiting.check.use, waiting.check.name  # type: ignore[attr-defined]
    then = slug or [e.CheckSettled("ana", use, name, False, Why.WILLING)]
    check(given=[*ANA, waiting], when=c.FailWillingly("ana", stat or UNSET), by=P1, then=then)


def test_the_ghost_knows_no_fear_of_poison() -> None:
    assert GHOST[0].bodiless
    given = [*GHOST, save("ghost", CON, WIS, threshold=30)]
    then = [e.CheckSettled("ghost", RollPurpose.SAVE, "CON or WIS", True, Why.BODILESS)]
    check(given=given, when=c.Roll("ghost", CON), by=GM, then=then)


HIDING = c.Oppose(
    "ana", "ben", keeper_skill="stealth", keeper_stat=DEX, challenger_stat=WIS, hidden="ana"
)
KEEPING, CHANGING = opened("ana", name="stealth"), ability("ben", WIS, against="ana")
SEEKING = replace(HIDING, challenger="rat")


UNOPPOSED: list[tuple[Message, By, Message, list[Message]]] = [
    (
        is_now("ana", ConditionName.PARALYSED),
        P1,
        c.Roll("ana"),
        [
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", False, Why.CONDITION),
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", True, Why.UNOPPOSED),
        ],
    ),
    (
        QUIET,
        By("p2", P1.role),
        c.FailWillingly("ben"),
        [
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", False, Why.WILLING),
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", True, Why.UNOPPOSED),
        ],
    ),
    (
        QUIET,
        GM,
        c.RuleCheck("ana", True, "nobody looks up"),
        [
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", True, Why.RULED, "nobody looks up"),
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", False, Why.UNOPPOSED),
        ],
    ),
    (
        QUIET,
        GM,
        c.Drop("ben", "they talk"),
        [e.Dropped("ben", "they talk"), e.Dropped("ana", "they talk")],
    ),
    (
        is_now("ben", ConditionName.UNCONSCIOUS),
        P1,
        c.FailWillingly("ana"),
        [
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", False, Why.WILLING),
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", False, Why.CANNOT_ACT),
        ],
    ),
    (
        is_now("ana", ConditionName.PARALYSED),
        By("p2", P1.role),
        c.FailWillingly("ben"),
        [
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", False, Why.WILLING),
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", False, Why.CONDITION),
        ],
    ),
]


@pytest.mark.parametrize(("given", "by", "when", "then"), UNOPPOSED)
def test_the_other_side_of_what_is_not_rolled(
    given: Message, by: By, when: Message, then: list[Message]
) -> None:
    check(given=[*TABLE, KEEPING, CHANGING, given], when=when, by=by, then=then)


def test_terms_change_only_what_they_name() -> None:
    terms = [
        e.TermsSet("ana", threshold=16),
        e.TermsSet("ana", tries=20, seconds=60),
        e.TermsSet("ana", may_yield=True),
    ]
    state = after(terms[0], [*ANA, opened("ana", routine=True), *terms])
    assert state.checks["ana"] == UnsettledCheck(
        RollPurpose.SKILL, "locks", (DEX,), True, 20, True, 16, UNSET, 60
    )


ROWS: list[Case] = [
    Case(
        "the disabled save and their bodies go on",
        [*ANA, left("ana", hp=0), save("ana", CON, threshold=10)],
        P1,
        c.Roll("ana"),
        [6, 7],
        [
            e.CheckRolled(
                "ana", RollPurpose.SAVE, "CON", throw(6, 7, terms=(BASE, Term("CON", 1))), 10, True
            )
        ],
    ),
    Case(
        "the disabled save and their bodies go on",
        [*ANA, left("ana", hp=0), ability("ana", CON)],
        P1,
        c.Roll("ana"),
        [6, 7],
        [e.CheckRolled("ana", RollPurpose.ABILITY, "CON", throw(6, 7, terms=(Term("CON", 1),)))],
    ),
    Case(
        "the disabled save and their bodies go on",
        [*ANA, left("ana", hp=0), opened("ana")],
        P1,
        c.Roll("ana"),
        [],
        [e.CheckSettled("ana", RollPurpose.SKILL, "locks", False, Why.CANNOT_ACT)],
    ),
    *(
        Case(
            "of two valid saves one is chosen",
            [*ANA, proficient("ana", "CON"), save("ana", CON, WIS, threshold=10)],
            P1,
            c.Roll("ana", stat),
            [5, 5],
            [
                e.CheckRolled(
                    "ana",
                    RollPurpose.SAVE,
                    stat.value,
                    throw(5, 5, terms=added),
                    10,
                    True,
                )
            ],
        )
        for (stat, added) in ((CON, (BASE, Term("CON", 1))), (WIS, (BASE,)))
    ),
    Case(
        "taking uses up time and conditions run out in it",
        [
            *ANA,
            SAFE,
            is_now("ana", ConditionName.DEAFENED, 100),
            opened("ana", tries=100, seconds=5),
        ],
        P1,
        c.Take("ana", Taking.BEST),
        [],
        [
            e.Taken("ana", RollPurpose.SKILL, "locks", 24, (BASE, POINTS), 27, 100),
            e.TimePassed(500, 500),
            e.ConditionTicked("ana", ConditionName.DEAFENED, 16),
        ],
    ),
    Case(
        "care needs a routine or a point in the skill",
        [*ANA, QUIET, ability("ana", DEX, threshold=8)],
        P1,
        c.Take("ana", Taking.CARE),
        [],
        "not-routine",
    ),
    Case(
        "care needs a routine or a point in the skill",
        [*ANA, QUIET, ability("ana", DEX, threshold=8), e.TermsSet("ana", routine=True)],
        P1,
        c.Take("ana", Taking.CARE),
        [],
        [e.Taken("ana", RollPurpose.ABILITY, "DEX", 13, (), 13, 1, 8, True)],
    ),
    Case(
        "outside combat who keeps the status quo rolls", TABLE, GM, HIDING, [], [KEEPING, CHANGING]
    ),
    Case(
        "in combat the threshold is 13 and modifier",
        [*TABLE, COMBAT],
        GM,
        HIDING,
        [],
        [ability("ben", WIS, threshold=14, against="ana")],
    ),
    Case(
        "the gm may say otherwise",
        TABLE,
        GM,
        c.Oppose("ana", "ben", keeper_stat=DEX, challenger_stat=WIS, static=True),
        [],
        [ability("ben", WIS, threshold=13, against="ana")],
    ),
    Case(
        "the gm may say otherwise",
        [*TABLE, COMBAT],
        GM,
        c.Oppose("ana", "ben", keeper_stat=DEX, challenger_stat=WIS, static=False),
        [],
        [ability("ana", DEX), ability("ben", WIS, against="ana")],
    ),
    Case(
        "who is to roll may answer with care even in combat",
        [*TABLE, COMBAT, KEEPING, CHANGING],
        P1,
        c.Take("ana", Taking.CARE),
        [],
        [e.Taken("ana", RollPurpose.SKILL, "stealth", 13, (BASE,), 14, 1), e.TermsSet("ben", 14)],
    ),
    Case(
        "the threshold is rolled with plus two and minus two",
        [*TABLE, KEEPING, CHANGING],
        P1,
        c.Roll("ana"),
        [12, 3],
        [
            e.CheckRolled("ana", RollPurpose.SKILL, "stealth", throw(12, 3, terms=(BASE,))),
            e.TermsSet("ben", 18),
        ],
    ),
    Case("calls", ANA, P1, c.OpenCheck("ana", "locks"), [], [opened("ana")]),
    Case(
        "calls",
        ANA,
        P1,
        c.OpenCheck("ana", "locks", STR, INT),
        [],
        [opened("ana", stats=(STR, INT))],
    ),
    Case(
        "calls",
        ANA,
        P1,
        c.OpenCheck("ana", stat=CHA, second_stat=WIS),
        [],
        [ability("ana", CHA, WIS)],
    ),
    Case(
        "calls",
        ANA,
        GM,
        c.OpenCheck("ana", "locks", threshold=16),
        [],
        [opened("ana", threshold=16)],
    ),
    Case(
        "calls", ANA, GM, c.OpenSave("ana", STR, 18, DEX), [], [save("ana", STR, DEX, threshold=18)]
    ),
    Case(
        "calls",
        [*ANA, opened("ana")],
        GM,
        c.SetTerms("ana", tries=20),
        [],
        [e.TermsSet("ana", tries=20)],
    ),
    Case(
        "what a roll is for goes with it",
        [*ANA, opened("ana", aim="pick the lock")],
        P1,
        c.Roll("ana"),
        [6, 7],
        [
            e.CheckRolled(
                "ana",
                RollPurpose.SKILL,
                "locks",
                throw(6, 7, terms=(BASE, POINTS)),
                aim="pick the lock",
            )
        ],
    ),
    Case(
        "and may be said at the roll",
        [*ANA, ability("ana", DEX, aim="climb", threshold=99)],
        P1,
        c.Roll("ana", aim="climb faster"),
        [],
        [e.CheckSettled("ana", RollPurpose.ABILITY, "DEX", False, Why.SURE, aim="climb faster")],
    ),
    Case(
        "both sides of a contest are for one thing",
        TABLE,
        GM,
        c.Oppose("ana", "ben", keeper_stat=STR, challenger_stat=STR, aim="hold the door"),
        [],
        [
            ability("ana", STR, aim="hold the door"),
            ability("ben", STR, against="ana", aim="hold the door"),
        ],
    ),
    Case(
        "another seeker joins",
        [*TABLE, KEEPING, CHANGING],
        GM,
        SEEKING,
        [],
        [ability("rat", WIS, against="ana")],
    ),
    Case(
        "one roll for all seekers",
        [*TABLE, KEEPING, CHANGING, ability("rat", WIS, against="ana")],
        P1,
        c.Roll("ana"),
        [6, 7],
        [
            e.CheckRolled("ana", RollPurpose.SKILL, "stealth", throw(6, 7, terms=(BASE,))),
            e.TermsSet("ben", 14),
            e.TermsSet("rat", 14),
        ],
    ),
    Case(
        "one seeker gives up and the other does not",
        [*TABLE, KEEPING, CHANGING, ability("rat", WIS, against="ana")],
        By("p2", P1.role),
        c.FailWillingly("ben"),
        [],
        [e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", False, Why.WILLING)],
    ),
    Case(
        "a hider who is ruled out is found by all",
        [*TABLE, KEEPING, CHANGING, ability("rat", WIS, against="ana")],
        GM,
        c.RuleCheck("ana", False, "a sneeze"),
        [],
        [
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", False, Why.RULED, "a sneeze"),
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", True, Why.UNOPPOSED),
            e.CheckSettled("rat", RollPurpose.ABILITY, "WIS", True, Why.UNOPPOSED),
        ],
    ),
    Case(
        "each seeker is judged alone",
        [
            *TABLE,
            KEEPING,
            CHANGING,
            ability("rat", WIS, against="ana"),
            is_now("rat", ConditionName.UNCONSCIOUS),
        ],
        GM,
        c.RuleCheck("ana", False, "a sneeze"),
        [],
        [
            e.CheckSettled("ana", RollPurpose.SKILL, "stealth", False, Why.RULED, "a sneeze"),
            e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", True, Why.UNOPPOSED),
            e.CheckSettled("rat", RollPurpose.ABILITY, "WIS", False, Why.CANNOT_ACT),
        ],
    ),
    Case(
        "the gm fails for a player who is away",
        [*ANA, opened("ana")],
        GM,
        c.FailWillingly("ana"),
        [],
        [e.CheckSettled("ana", RollPurpose.SKILL, "locks", False, Why.WILLING)],
    ),
    *(
        Case(
            "who cannot make the check opposes nobody",
            [*TABLE, COMBAT, unable],
            GM,
            HIDING,
            [],
            [e.CheckSettled("ben", RollPurpose.ABILITY, "WIS", True, Why.UNOPPOSED, against="ana")],
        )
        for unable in (
            is_now("ana", ConditionName.UNCONSCIOUS),
            is_now("ana", ConditionName.PARALYSED),
            is_now("ana", ConditionName.STUNNED),
            left("ana", hp=0),
        )
    ),
    Case(
        "unless the challenger cannot either",
        [
            *TABLE,
            COMBAT,
            is_now("ana", ConditionName.UNCONSCIOUS),
            is_now("ben", ConditionName.UNCONSCIOUS),
        ],
        GM,
        HIDING,
        [],
        [ability("ben", WIS, threshold=14, against="ana")],
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()


TIED: list[tuple[TiedGrant, Message, Twist, int]] = [
    # the grant, the check that is rolled; what it is rolled with, grants left
    (TiedGrant(ADVANTAGE, RollPurpose.ATTACK), save("ana", DEX), PLAIN, 1),
    (TiedGrant(ADVANTAGE, RollPurpose.SAVE), save("ana", DEX), ADVANTAGE, 0),
    (TiedGrant(ADVANTAGE, RollPurpose.SAVE, "DEX"), save("ana", DEX), ADVANTAGE, 0),
    (TiedGrant(ADVANTAGE, RollPurpose.SAVE, "DEX"), save("ana", STR), PLAIN, 1),
    (TiedGrant(ADVANTAGE, RollPurpose.SKILL, "locks"), opened("ana"), ADVANTAGE, 0),
    (TiedGrant(ADVANTAGE, RollPurpose.SKILL, "stealth"), opened("ana"), PLAIN, 1),
    (
        TiedGrant(DISADVANTAGE, RollPurpose.ABILITY, "STR"),
        ability("ana", STR, DEX),
        DISADVANTAGE,
        0,
    ),
    (TiedGrant(ADVANTAGE, RollPurpose.ABILITY, "INT"), ability("ana", STR, DEX), PLAIN, 1),
]


@pytest.mark.parametrize(("grant", "waiting", "twist", "left_over"), TIED)
def test_a_grant_for_one_kind_of_roll_waits_for_it(
    grant: TiedGrant, waiting: Message, twist: Twist, left_over: int
) -> None:
    given = [*ANA, tied(grant), waiting]
    (rolled,) = ruleset.decider.decide(
        after(waiting, given), c.Roll("ana"), P1, EnumeratedChance(())
    )
    assert isinstance(rolled, e.CheckRolled)
    assert rolled.throw.twist is twist
    assert len(after(waiting, [*given, rolled]).grants.get("ana", ())) == left_over


FLANKING = TiedGrant(ADVANTAGE, RollPurpose.ATTACK, target="ben")


def test_grants_for_one_kind_of_roll_are_added_and_taken_back() -> None:
    grant = c.Grant("ana", ADVANTAGE, "height", RollPurpose.ATTACK, target="ben")
    check(given=TABLE, when=grant, by=GM, then=[tied(FLANKING)])
    dimmed = TiedGrant(DISADVANTAGE, RollPurpose.ATTACK, target="ben")
    given = [*TABLE, tied(FLANKING)]
    check(
        given=given,
        when=c.Grant("ana", DISADVANTAGE, "height", RollPurpose.ATTACK, target="ben"),
        by=GM,
        then=[tied(FLANKING, dimmed, twist=PLAIN)],
    )
    strike = TiedGrant(ADVANTAGE, RollPurpose.ATTACK, "strike")
    fists = c.Grant("ana", ADVANTAGE, "height", RollPurpose.ATTACK, "strike")
    check(given=TABLE, when=fists, by=GM, then=[tied(strike)])
    reflex = c.Grant("ana", ADVANTAGE, "height", RollPurpose.SAVE, "DEX")
    quick = TiedGrant(ADVANTAGE, RollPurpose.SAVE, "DEX")
    check(given=TABLE, when=reflex, by=GM, then=[tied(quick)])
    check(given=given, when=grant, by=GM, then="nothing-changes")
    taken_back = e.Granted("ana", (), PLAIN, "height", RollPurpose.ATTACK, target="ben", tied=())
    check(
        given=given,
        when=c.Grant("ana", PLAIN, "height", RollPurpose.ATTACK, target="ben"),
        by=GM,
        then=[taken_back],
    )
    all_back = e.Granted("ana", (), PLAIN, "height", tied=())
    check(given=given, when=c.Grant("ana", PLAIN, "height"), by=GM, then=[all_back])
    assert after(all_back, [*given, all_back]).grants == {}
