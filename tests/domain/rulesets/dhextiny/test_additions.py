"""Checks settled at once, abilities and death rules that the GM changes, harm, and rests."""

from __future__ import annotations

import pytest
from msgspec import UNSET, Raw, UnsetType

from domain.codec import encode
from domain.decider import Refused
from domain.rulesets.dhextiny import messages as m, ruleset
from domain.rulesets.dhextiny.rules import (
    LP_OF_DEATH,
    PF,
    PS,
    RING,
    Being,
    Dies,
    F,
    Options,
    Pool,
    RollPurpose,
    S,
    Status,
)
from domain.session.messages import Declare, Rewind
from tests.domain.rulesets.dhextiny.people import (
    ANA,
    GM,
    P1,
    TABLE,
    aflame,
    amx,
    ap,
    at,
    checked,
    dead,
    dying,
    lp,
    pool,
    rolled_abilities,
    settled,
)
from tests.domain.rulesets.given import Case, after, check, each_case, play
from tests.support.sessions import ScriptedSession

CHECK, ATTACK, PUT_OUT = RollPurpose.CHECK, RollPurpose.ATTACK, RollPurpose.PUT_OUT
SEVERAL = Options(several_abilities_may_pay=True)
BOTH = [*ANA, amx("ana", "climbing", 3)]
R = "for a reason"


def alters(ability: str, start: int, steps: int, cost: int, left: int, moved: int) -> m.Altered:
    point = (start + steps) % 6
    return m.Altered("ana", ability, start, steps, point, RING[point], moved, cost, left)


CASES = [
    # name, given, by, when, drawn, then
    Case(
        "a check settled at once",
        ANA,
        P1,
        m.Check("ana", "locks", settle=True, aim="pick the lock"),
        [4],
        [
            m.Checked("ana", CHECK, 0, 4, 4, PS, "locks", aim="pick the lock"),
            m.Settled("ana", CHECK, PS, 4, PS),
        ],
    ),
    Case(
        "a failure settled at once gains",
        [*ANA, ap("ana", 5)],
        P1,
        m.Check("ana", settle=True),
        [6],
        [
            m.Checked("ana", CHECK, 0, 6, 0, F),
            m.Settled("ana", CHECK, F, 0, F),
            m.Gained("ana", 2, 2, 7),
        ],
    ),
    Case(
        "a failure settled at once gains once, if a rolled F gains at the roll",
        [*ANA, ap("ana", 5)],
        P1,
        m.Check("ana", settle=True),
        [6],
        [
            m.Checked("ana", CHECK, 0, 6, 0, F),
            m.Gained("ana", 2, 2, 7),
            m.Settled("ana", CHECK, F, 0, F),
        ],
        Options(natural_f_gains_at_once=True),
    ),
    Case(
        "an attack settled at once",
        TABLE,
        GM,
        m.Attack("rat", "ana", settle=True),
        [3],
        [
            m.Checked("rat", ATTACK, 0, 3, 3, S, UNSET, "ana"),
            m.Settled("rat", ATTACK, S, 3, S),
            m.Hit("rat", "ana", S, damage=3, pool=Pool.LP, loss=3, left=3, status=Status.OK),
        ],
    ),
    Case(
        "flames put out at once",
        [*TABLE, aflame("ben", 2)],
        P1,
        m.PutOut("ana", "ben", settle=True),
        [2],
        [
            m.Checked("ana", PUT_OUT, 0, 2, 2, PS, UNSET, "ben"),
            m.Settled("ana", PUT_OUT, PS, 2, PS),
            m.Extinguished("ana", "ben"),
        ],
    ),
    Case(
        "settle no is as if it were not there",
        ANA,
        P1,
        m.Check("ana", settle=False),
        [4],
        [m.Checked("ana", CHECK, 0, 4, 4, PS)],
    ),
    Case(
        "the gm interprets any result",
        [*TABLE, *settled("ana", 0, 3)],
        GM,
        m.Interpret("ana", "Wide open."),
        [],
        [m.Interpreted("ana", S, "Wide open.")],
    ),
    Case(
        "the gm interprets while the next check is open",
        [*TABLE, *settled("ana", 0, 4), checked("ben", 4, 3)],
        GM,
        m.Interpret("ana", "It opens, but the pick breaks."),
        [],
        [m.Interpreted("ana", PS, "It opens, but the pick breaks.")],
    ),
    Case(
        "a check aside counts from the token",
        [*TABLE, at(4)],
        GM,
        m.CheckAside("tobin", "gossip", "hear the steps"),
        [3],
        [m.CheckedAside("tobin", 4, 3, 1, PF, "gossip", "hear the steps")],
    ),
    Case(
        "a check aside needs no free token, and gains nothing with F",
        [*TABLE, ap("ana", 5), checked("ben", 0, 4)],
        GM,
        m.CheckAside("ana"),
        [2],
        [m.CheckedAside("ana", 4, 2, 0, F)],
    ),
    Case(
        "the dying make a check aside if the option says so",
        [*TABLE, *dying("ana", 0)],
        GM,
        m.CheckAside("ana"),
        [3],
        [m.CheckedAside("ana", 0, 3, 3, S)],
        Options(dying_may_act=True),
    ),
    Case(
        "a second ability moves on, if several may pay",
        [*BOTH, checked("ana", 0, 1, CHECK, "locks"), alters("locks", 1, 1, 1, 11, 2)],
        P1,
        m.Alter("ana", "climbing", 1),
        [],
        [alters("climbing", 2, 1, 3, 8, 3)],
        SEVERAL,
    ),
    Case(
        "also to F",
        [*BOTH, checked("ana", 0, 1), alters("locks", 1, 1, 1, 11, 2)],
        P1,
        m.AlterToF("ana", "climbing"),
        [],
        [alters("climbing", 2, 4, 0, 11, 6)],
        SEVERAL,
    ),
    Case(
        "a rolled F is no choice, so several may move on from it",
        [*BOTH, checked("ana", 0, 6)],
        P1,
        m.Alter("ana", "climbing", 2),
        [],
        [alters("climbing", 0, 2, 2, 10, 8)],
        SEVERAL,
    ),
    Case(
        "the second ability has its own AMX",
        [*BOTH, checked("ana", 0, 6), alters("locks", 0, 2, 2, 10, 8)],
        P1,
        m.Alter("ana", "climbing", 5),
        [],
        "over-amx",
        SEVERAL,
    ),
    Case(
        "the dying act if the option says so",
        [*ANA, *dying("ana", 0)],
        P1,
        m.Check("ana"),
        [4],
        [m.Checked("ana", CHECK, 0, 4, 4, PS)],
        Options(dying_may_act=True),
    ),
    Case(
        "the dying alter if the option says so",
        [*ANA, *dying("ana", 0), checked("ana", 0, 4)],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        [alters("locks", 4, 1, 1, 11, 5)],
        Options(dying_may_act=True),
    ),
    Case(
        "the dead do not act, whatever the option says",
        [*ANA, dead("ana")],
        P1,
        m.Check("ana"),
        [],
        "dead",
        Options(dying_may_act=True),
    ),
    Case(
        "a granted ability starts at AMX 3",
        TABLE,
        GM,
        m.GrantAbility("ana", "luck", R),
        [],
        [m.AbilityGranted("ana", "luck", 3, R)],
    ),
    Case(
        "or at what the gm says",
        TABLE,
        GM,
        m.GrantAbility("rat", "luck", R, 7),
        [],
        [m.AbilityGranted("rat", "luck", 7, R)],
    ),
    Case(
        "a granted ability takes no place of those that were rolled",
        [*ANA, rolled_abilities("ana", 3), amx("ana", "b", 3), m.AbilityGranted("ana", "x", 3, R)],
        P1,
        m.NameAbility("ana", "c"),
        [],
        [m.AbilityNamed("ana", "c", 3)],
    ),
    Case(
        "a removed ability leaves its place to another one",
        [
            *ANA,
            rolled_abilities("ana", 3),
            amx("ana", "b", 3),
            amx("ana", "c", 3),
            m.AbilityRemoved("ana", "locks", R),
        ],
        P1,
        m.NameAbility("ana", "doors"),
        [],
        [m.AbilityNamed("ana", "doors", 3)],
    ),
    Case(
        "a typo is corrected, also one of spaces alone",
        [*ANA, amx("ana", "climbing ", 3)],
        GM,
        m.RenameAbility("ana", "climbing ", "Climbing", "a typo"),
        [],
        [m.AbilityRenamed("ana", "climbing ", "Climbing", "a typo")],
    ),
    Case(
        "a check goes on with the new name of its ability",
        [*ANA, checked("ana", 0, 4, CHECK, "locks"), m.AbilityRenamed("ana", "locks", "doors", R)],
        P1,
        m.Alter("ana", "doors", 1),
        [],
        [alters("doors", 4, 1, 1, 11, 5)],
    ),
    Case(
        "a removed ability is none to alter with",
        [*ANA, checked("ana", 0, 4), m.AbilityRemoved("ana", "locks", R)],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        "no-such-ability",
    ),
    Case(
        "harm of a fall",
        TABLE,
        GM,
        m.Harm("ana", 4, "a fall"),
        [],
        [m.Harmed("ana", 6, 2, Status.OK, "a fall")],
    ),
    Case(
        "harm that leaves ana dying",
        TABLE,
        GM,
        m.Harm("ana", 6, "a fall"),
        [],
        [m.Harmed("ana", 6, 0, Status.DYING, "a fall")],
    ),
    Case(
        "harm that kills",
        TABLE,
        GM,
        m.Harm("ana", 12, "a fall"),
        [],
        [m.Harmed("ana", 6, -6, Status.DEAD, "a fall")],
    ),
    Case(
        "the lp max grows, and lp up to it",
        [*TABLE, pool("ana", Pool.LP_MAX, 9)],
        GM,
        m.AdjustLp("ana", 9, "a feast"),
        [],
        [m.Adjusted("ana", Pool.LP, 6, 9, "a feast")],
    ),
    Case(
        "the lp max goes down to the lp",
        [*TABLE, lp("ana", 2)],
        GM,
        m.AdjustLpMax("ana", 2, "a curse"),
        [],
        [m.Adjusted("ana", Pool.LP_MAX, 6, 2, "a curse")],
    ),
    Case(
        "all PCs rest that are ok",
        [*TABLE, ap("ana", 4), ap("rat", 4)],
        GM,
        m.RestAll(),
        [],
        [m.Rested("ana", 8, 12), m.Rested("ben", 0, 12)],
    ),
    Case(
        "the dying do not rest with the others",
        [*TABLE, *dying("ana", 0), ap("ben", 4)],
        GM,
        m.RestAll(),
        [],
        [m.Rested("ben", 8, 12)],
    ),
]


@each_case(CASES)
def test_case(case: Case) -> None:
    case.check()


DEATHS: list[tuple[Dies, Dies, int, Status | None]] = [
    # before, after, its LP, and what becomes of it if that changes
    (Dies.NEVER, Dies.AT_ZERO, 1, None),
    (Dies.NEVER, Dies.AT_ZERO, 0, Status.DEAD),
    (Dies.NEVER, Dies.AT_ZERO, -9, Status.DEAD),
    (Dies.NEVER, Dies.AT_MINUS_SIX, 0, None),
    (Dies.NEVER, Dies.AT_MINUS_SIX, -5, None),
    (Dies.NEVER, Dies.AT_MINUS_SIX, -6, Status.DEAD),
    (Dies.AT_MINUS_SIX, Dies.NEVER, -5, None),
    (Dies.AT_MINUS_SIX, Dies.AT_ZERO, -5, Status.DEAD),
]


@pytest.mark.parametrize(("old", "new", "left", "status"), DEATHS)
def test_the_death_rule_of_a_creature_can_be_changed(
    old: Dies, new: Dies, left: int, status: Status | None
) -> None:
    hound = m.EntityCreated("hound", "Hound", Being.CREATURE, "gm", 12, 9, LP_OF_DEATH[old])
    given = [hound, *(dying("hound", left) if left <= 0 else [lp("hound", left)])]
    then: list[m.Event] = [m.DeathRuleSet("hound", old, new, R, LP_OF_DEATH[new])]
    if status is not None:
        then.append(m.StatusAdjusted("hound", Status.DYING, status, R))
    check(given=given, when=m.SetDeathRule("hound", new, R), by=GM, then=then)


@pytest.mark.parametrize("options", [Options(), Options(spared_creatures_die_at_zero=True)])
@pytest.mark.parametrize(("dies", "dies_at"), LP_OF_DEATH.items())
def test_a_creature_dies_by_its_own_rule_whatever_the_option_says(
    options: Options, dies: Dies, dies_at: int | UnsetType
) -> None:
    hound = m.EntityCreated("hound", "Hound", Being.CREATURE, "gm", 12, 9, dies_at)
    when = m.CreateCreature("hound", "Hound", 9, dies=dies)
    check(when=when, by=GM, then=[hound], options=options)


def test_a_new_rule_of_death_is_followed() -> None:
    given = [*TABLE, m.DeathRuleSet("rat", Dies.NEVER, Dies.AT_ZERO, R, 0)]
    assert play((GM, m.Harm("rat", 4, "a boot")), given=given) == [
        m.Harmed("rat", 4, 0, Status.DEAD, "a boot")
    ]


def test_a_check_aside_changes_nothing_on_the_table() -> None:
    for given in ([*TABLE, *settled("ana", 0, 4)], [*TABLE, checked("ben", 0, 4)]):
        aside = play((GM, m.CheckAside("tobin", "gossip"), 2), given=given)
        assert after(m.RestAll(), [*given, *aside]) == after(m.RestAll(), given)


def test_the_table_waits_for_an_interpretation_of_ps_and_pf() -> None:
    for face, result, waits in [(1, PF, True), (2, PS, True), (3, S, False), (6, F, False)]:
        given = [*TABLE, *settled("ana", 0, face)]
        tasks = ruleset.show(after(m.RestAll(), given)).tasks
        assert list(tasks) == ["interpretation"] * waits
        told = [*given, m.Interpreted("ana", result, "So it goes.")]
        assert ruleset.show(after(m.RestAll(), told)).tasks == {}


def test_tasks_of_the_table_belong_to_a_seat_only_while_a_check_is_open() -> None:
    given = [*TABLE, *settled("ana", 0, 4), *dying("ben", 0), at(0), checked("ana", 0, 4)]
    tasks = ruleset.show(after(m.RestAll(), given)).tasks
    assert {name: task.seat for name, task in tasks.items()} == {
        "check": "p1",
        "ben.death": "",
        "interpretation": "",
    }


def test_while_several_abilities_may_pay_the_check_waits_to_be_altered() -> None:
    given = [*BOTH, checked("ana", 0, 1), alters("locks", 1, 1, 1, 11, 2)]
    for options, waits in [(Options(), "settle"), (SEVERAL, "alter or settle")]:
        assert ruleset.show(after(m.RestAll(), given, options)).tasks["check"].waits == waits
    to_f = [*BOTH, checked("ana", 0, 1), alters("locks", 1, 5, 0, 12, 6)]
    assert ruleset.show(after(m.RestAll(), to_f, SEVERAL)).tasks["check"].waits == "settle"


@pytest.mark.parametrize("way", ["settle", "rewind"])
def test_the_gm_ends_a_secret_check_that_only_its_player_sees(way: str) -> None:
    evening = ScriptedSession(ruleset=ruleset)
    evening.do("p1", m.CreatePc("ana", "Ana"))
    before = evening.session.version
    evening.do("p1", Declare(Raw(encode(m.Check("ana"))), audience="self"))
    with pytest.raises(Refused, match="check-open"):
        evening.do("gm", m.MoveToken(3, R))
    evening.do("gm", m.Settle("ana") if way == "settle" else Rewind(before, R))
    assert evening.do("gm", m.MoveToken(3, R))
