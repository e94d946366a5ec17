"""The rulings on harm, fire and the session, 12 to 22, and the options that change them."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.rulesets.dhextiny import carry, messages as m
from domain.rulesets.dhextiny.rules import (
    MIN_LP,
    PF,
    PS,
    Being,
    F,
    Options,
    Pool,
    RollPurpose,
    S,
    Status,
)
from tests.domain.rulesets.dhextiny.people import (
    ANA,
    BEN,
    GM,
    P1,
    RAT,
    TABLE,
    aflame,
    ap,
    at,
    checked,
    dead,
    dying,
    lp,
)
from tests.domain.rulesets.given import Case, after, check, each_case, play

CHECK, ATTACK, PUT_OUT = RollPurpose.CHECK, RollPurpose.ATTACK, RollPurpose.PUT_OUT


def attacked(start: int, face: int, target: str = "ben") -> m.Checked:
    return checked("ana", start, face, ATTACK, UNSET, target)


def test_14_the_last_rule_of_death_is_switched_for_each_creature() -> None:
    spared = m.EntityCreated("hound", "The hound", Being.CREATURE, "gm", 12, 9)
    bound = m.EntityCreated("hound", "The hound", Being.CREATURE, "gm", 12, 9, dies_at=-6)
    unimportant = m.EntityCreated("hound", "The hound", Being.CREATURE, "gm", 12, 9, dies_at=0)
    zero = Options(spared_creatures_die_at_zero=True)
    for rule, options, created in [
        (False, Options(), spared),
        (True, Options(), bound),
        (False, zero, unimportant),
        (True, zero, bound),
    ]:
        check(
            when=m.CreateCreature("hound", "The hound", 9, rule),
            by=GM,
            then=[created],
            options=options,
        )
    check(when=m.CreateCreature("hound", "The hound", 9), by=GM, then=[spared])


def test_14_a_creature_is_dying_at_0_lp_and_then_it_depends() -> None:
    cases: list[tuple[int | UnsetType, int, Status]] = [
        (UNSET, 0, Status.DYING),
        (UNSET, -9, Status.DYING),
        (-6, -5, Status.DYING),
        (-6, -6, Status.DEAD),
        (0, 0, Status.DEAD),
    ]
    for dies_at, left, status in cases:
        hound = m.EntityCreated("hound", "The hound", Being.CREATURE, "gm", 12, 9, dies_at)
        given = [*TABLE, hound, lp("hound", left + 3), attacked(0, 3, "hound")]
        hit = m.Hit("ana", "hound", S, damage=3, pool=Pool.LP, loss=3, left=left, status=status)
        check(
            given=given, when=m.Settle("ana"), by=P1, then=[m.Settled("ana", ATTACK, S, 3, S), hit]
        )


def test_18_the_last_result_is_the_first_such_point_clockwise() -> None:
    for options, point in [
        (Options(), 0),
        (Options(point=4), 4),
        (Options(last_result=F), 0),
        (Options(last_result=PF), 1),
        (Options(last_result=PS), 2),
        (Options(last_result=S), 3),
        (Options(point=4, last_result=PS), 4),
        (Options(point=3, last_result=PS), 4),
    ]:
        assert carry(after(m.Check("ana"), [], options)) == {"point": point}


def test_18_the_point_is_what_is_carried_over() -> None:
    ended = after(m.Check("ana"), [*ANA, checked("ana", 0, 4), m.Settled("ana", CHECK, PS, 4, PS)])
    assert carry(ended) == {"point": 4}
    options = Options(point=4)
    check(
        given=ANA,
        when=m.Check("ana"),
        by=P1,
        drawn=[3],
        then=[m.Checked("ana", CHECK, 4, 3, 1, PF)],
        options=options,
    )


def test_21_other_rolls_leave_the_token() -> None:
    log = play(
        (P1, m.RollAbilities("ana"), 5), (GM, m.SetAflame("ben"), 3), given=[*ANA, *BEN, at(2)]
    )
    assert log == [m.AbilitiesRolled("ana", 5, 7), m.CaughtFire("ben", 3)]
    assert after(log[0], [at(2), *log]).point == 2


CASES = [
    # name, given, by, when, drawn, then
    Case(
        "12 the gm rolls for creatures with the one token",
        [*TABLE, checked("ana", 0, 4), m.Settled("ana", CHECK, PS, 4, PS)],
        GM,
        m.Check("rat"),
        [3],
        [m.Checked("rat", CHECK, 4, 3, 1, PF)],
    ),
    Case(
        "13 ap floor at 0 and the excess is lost",
        [*TABLE, ap("ben", 3), attacked(0, 4)],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, PS, 4, PS),
            m.Hit("ana", "ben", PS, damage=4, pool=Pool.AP, loss=3, left=0, status=Status.OK),
        ],
    ),
    Case(
        "13 an empty pool loses 1 lp instead",
        [*TABLE, ap("ben", 0), attacked(0, 4)],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, PS, 4, PS),
            m.Hit("ana", "ben", PS, damage=4, pool=Pool.LP, loss=1, left=5, status=Status.OK),
        ],
    ),
    Case(
        "14 the gm may kill",
        TABLE,
        GM,
        m.Kill("rat", "under the wheel"),
        [],
        [m.Killed("rat", Status.OK, "under the wheel")],
    ),
    Case(
        "14 lp that never kill are counted down to what a log holds",
        [*TABLE, *dying("rat", MIN_LP + 1), attacked(0, 3, "rat")],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, S, 3, S),
            m.Hit(
                "ana", "rat", S, damage=3, pool=Pool.LP, loss=1, left=MIN_LP, status=Status.DYING
            ),
        ],
    ),
    Case(
        "15 no ap on a death check and no gain (1)",
        [*ANA, ap("ana", 5), *dying("ana", 0)],
        P1,
        m.DeathCheck("ana"),
        [6],
        [m.DeathChecked("ana", 0, 6, 0, F, old=0, lp=0, status=Status.DEAD)],
    ),
    Case(
        "15 no ap on a death check and no gain (2)",
        [*ANA, *dying("ana", 0), m.DeathChecked("ana", 0, 4, 4, PS, 0, 0, Status.DYING)],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        "no-check-open",
    ),
    Case(
        "15 putting out the flames may be altered (1)",
        [*TABLE, aflame("ben", 4), checked("ana", 0, 1, PUT_OUT, "locks", "ben")],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        [m.Altered("ana", "locks", 1, 1, 2, PS, 2, 1, 11)],
    ),
    Case(
        "15 putting out the flames may be altered (2)",
        [
            *TABLE,
            aflame("ben", 4),
            checked("ana", 0, 1, PUT_OUT, "locks", "ben"),
            m.Altered("ana", "locks", 1, 1, 2, PS, 2, 1, 11),
        ],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", PUT_OUT, PF, 2, PS), m.Extinguished("ana", "ben")],
    ),
    Case(
        "16 the gm sets lp up to those at the start (1)",
        [*ANA, lp("ana", 2)],
        GM,
        m.AdjustLp("ana", 6, "a potion"),
        [],
        [m.Adjusted("ana", Pool.LP, 2, 6, "a potion")],
    ),
    Case(
        "16 the gm sets lp up to those at the start (2)",
        [*ANA, lp("ana", 2)],
        GM,
        m.AdjustLp("ana", 7, "a potion"),
        [],
        "over-starting-lp",
    ),
    Case(
        "17 fire takes what the gm says (1)",
        [*ANA],
        GM,
        m.SetAflame("ana"),
        [5],
        [m.CaughtFire("ana", 5)],
    ),
    Case(
        "17 fire takes what the gm says (2)",
        [*TABLE, aflame("ana", 2), aflame("rat", 1)],
        GM,
        m.EndRound(),
        [],
        [m.Smouldered("ana", 1), m.Smouldered("rat", 0)],
    ),
    Case(
        "17 fire takes what the gm says (3)",
        [*TABLE, aflame("ana", 2), aflame("rat", 1)],
        GM,
        m.Burn("ana", 4),
        [],
        [m.Burned("ana", 6, 2, Status.OK)],
    ),
    Case(
        "17 fire takes what the gm says (4)",
        [*TABLE, aflame("ana", 2), aflame("rat", 1)],
        GM,
        m.Burn("ana", 6),
        [],
        [m.Burned("ana", 6, 0, Status.DYING)],
    ),
    Case(
        "17 fire takes what the gm says (5)",
        [*TABLE, aflame("ana", 2), aflame("rat", 1)],
        GM,
        m.Burn("ana", 12),
        [],
        [m.Burned("ana", 6, -6, Status.DEAD)],
    ),
    Case(
        "19 ap max and amx grow by the gm alone (1)",
        ANA,
        GM,
        m.AdjustApMax("ana", 14, "lore"),
        [],
        [m.Adjusted("ana", Pool.AP_MAX, 12, 14, "lore")],
    ),
    Case(
        "19 ap max and amx grow by the gm alone (2)",
        ANA,
        GM,
        m.AdjustAmx("ana", "locks", 4, "lore"),
        [],
        [m.AmxAdjusted("ana", "locks", 3, 4, "lore")],
    ),
    Case(
        "19 ap max and amx grow by the gm alone (3)",
        ANA,
        P1,
        m.AdjustApMax("ana", 14, "lore"),
        [],
        "gm-only",
    ),
    Case(
        "19 ap max and amx grow by the gm alone (4)",
        ANA,
        GM,
        m.AdjustAp("ana", 13, "lore"),
        [],
        "over-ap-max",
    ),
    Case(
        "19 ap max and amx grow by the gm alone (5)",
        ANA,
        GM,
        m.AdjustApMax("ana", 11, "a curse"),
        [],
        "over-ap-max",
    ),
    Case(
        "20 a death check every turn until it is decided (1)",
        [*ANA, *dying("ana", -5), m.DeathChecked("ana", 0, 4, 4, PS, -5, -5, Status.DYING)],
        P1,
        m.DeathCheck("ana"),
        [3],
        [m.DeathChecked("ana", 4, 3, 1, PF, old=-5, lp=-6, status=Status.DEAD)],
    ),
    Case(
        "20 a death check every turn until it is decided (2)",
        [
            *ANA,
            *dying("ana", -5),
            m.DeathChecked("ana", 0, 4, 4, PS, -5, -5, Status.DYING),
            m.DeathChecked("ana", 4, 3, 1, PF, old=-5, lp=-6, status=Status.DEAD),
        ],
        P1,
        m.DeathCheck("ana"),
        [],
        "not-dying",
    ),
    Case(
        "20 a creature that lp do not kill goes on dying",
        [*RAT, *dying("rat", -6)],
        GM,
        m.DeathCheck("rat"),
        [1],
        [m.DeathChecked("rat", 0, 1, 1, PF, old=-6, lp=-7, status=Status.DYING)],
    ),
    Case(
        "22 lp above 0 end the dying (1)",
        [*ANA, *dying("ana", -2)],
        GM,
        m.AdjustLp("ana", 1, "salts"),
        [],
        [
            m.Adjusted("ana", Pool.LP, -2, 1, "salts"),
            m.StatusAdjusted("ana", Status.DYING, Status.OK, "salts"),
        ],
    ),
    Case(
        "22 lp above 0 end the dying (2)",
        [*ANA, *dying("ana", -2)],
        GM,
        m.AdjustLp("ana", -1, "salts"),
        [],
        [m.Adjusted("ana", Pool.LP, -2, -1, "salts")],
    ),
    Case(
        "22 lp above 0 end the dying (3)",
        [*ANA, dead("ana")],
        GM,
        m.AdjustLp("ana", 1, "salts"),
        [],
        [m.Adjusted("ana", Pool.LP, 6, 1, "salts")],
    ),
    Case(
        "what happens to others while a check is open is seen when it is settled (1)",
        [
            *TABLE,
            aflame("ben", 1),
            checked("ana", 0, 3, PUT_OUT, UNSET, "ben"),
            m.Smouldered("ben", 0),
        ],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", PUT_OUT, S, 3, S)],
    ),
    Case(
        "what happens to others while a check is open is seen when it is settled (2)",
        [*TABLE, attacked(0, 3), dead("ben")],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", ATTACK, S, 3, S)],
    ),
    Case(
        "what happens to others while a check is open is seen when it is settled (3)",
        [*TABLE, checked("ana", 0, 6), dead("ana")],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", CHECK, F, 0, F)],
    ),
    Case(
        "an attempt to put out the flames that fails (1)",
        [*TABLE, aflame("ana", 4)],
        P1,
        m.PutOut("ana", "ana"),
        [1],
        [m.Checked("ana", PUT_OUT, 0, 1, 1, PF, UNSET, "ana")],
    ),
    Case(
        "an attempt to put out the flames that fails (2)",
        [*TABLE, aflame("ana", 4), m.Checked("ana", PUT_OUT, 0, 1, 1, PF, UNSET, "ana")],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", PUT_OUT, PF, 1, PF)],
    ),
]


@each_case(CASES)
def test_case(case: Case) -> None:
    case.check()
