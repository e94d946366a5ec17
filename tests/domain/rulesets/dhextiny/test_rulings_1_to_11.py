"""The rulings on checks and ability points, 1 to 11, and the options that change them."""

from __future__ import annotations

from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import (
    MAX_POINTS,
    PF,
    PS,
    F,
    Options,
    Pool,
    RollPurpose,
    S,
    Status,
)
from tests.domain.rulesets.dhextiny.people import ANA, GM, P1, P2, TABLE, amx, ap, checked
from tests.domain.rulesets.given import Case, Step, check, each_case, play

CHECK, ATTACK = RollPurpose.CHECK, RollPurpose.ATTACK


def test_1_an_attack_hits_with_s_or_ps() -> None:
    for face, result, lost in [
        (3, S, [Pool.LP]),
        (2, PS, [Pool.AP]),
        (4, PS, [Pool.AP]),
        (1, PF, []),
        (5, PF, []),
        (6, F, []),
    ]:
        events = play((P1, m.Attack("ana", "ben"), face), (P1, m.Settle("ana")), given=TABLE)
        assert [event.result for event in events if isinstance(event, m.Settled)] == [result]
        assert [event.pool for event in events if isinstance(event, m.Hit)] == lost


def test_4_a_chosen_f_gains_once() -> None:
    events = play(
        (P1, m.Check("ana"), 4),
        (P1, m.AlterToF("ana", "locks")),
        (P1, m.Settle("ana")),
        given=[*ANA, ap("ana", 6)],
    )
    gains = [event for event in events if isinstance(event, m.Gained)]
    assert gains == [m.Gained("ana", 2, 2, 8)]


def test_5_a_natural_f_altered_away_gains_nothing() -> None:
    events = play(
        (P1, m.Check("ana"), 6),
        (P1, m.Alter("ana", "locks", 1)),
        (P1, m.Settle("ana")),
        given=[*ANA, ap("ana", 6)],
    )
    assert [event for event in events if isinstance(event, m.Gained)] == []


def test_5_with_the_option_a_chosen_f_still_gains_when_settled() -> None:
    options = Options(natural_f_gains_at_once=True)
    steps: list[Step] = [
        (P1, m.Check("ana"), 4),
        (P1, m.AlterToF("ana", "locks")),
        (P1, m.Settle("ana")),
    ]
    assert play(*steps, given=[*ANA, ap("ana", 6)], options=options)[-1] == m.Gained("ana", 2, 2, 8)


def test_6_a_gain_stops_at_ap_max_and_says_so() -> None:
    settled = m.Settled("ana", CHECK, F, 0, F)
    for before, gain in [(9, 2), (10, 2), (11, 1), (12, 0)]:
        then = [settled, m.Gained("ana", nominal=2, gain=gain, ap=before + gain)]
        check(
            given=[*ANA, ap("ana", before), checked("ana", 0, 6)],
            when=m.Settle("ana"),
            by=P1,
            then=then,
        )


def test_6_read_literally_there_is_no_cap_but_the_logs() -> None:
    options, settled = Options(gains_stop_at_ap_max=False), m.Settled("ana", CHECK, F, 0, F)
    for before, gain in [(12, 2), (MAX_POINTS - 1, 1), (MAX_POINTS, 0)]:
        then = [settled, m.Gained("ana", nominal=2, gain=gain, ap=before + gain)]
        given = [*ANA, ap("ana", before), checked("ana", 0, 6)]
        check(given=given, when=m.Settle("ana"), by=P1, then=then, options=options)


def test_9_steps_choose_between_the_two_ps() -> None:
    given = [*ANA, amx("ana", "locks", 7), checked("ana", 0, 6)]
    for steps, point, moved in [(2, 2, 8), (4, 4, 10)]:
        altered = m.Altered("ana", "locks", 0, steps, point, PS, moved, cost=steps, ap=12 - steps)
        check(given=given, when=m.Alter("ana", "locks", steps), by=P1, then=[altered])


CASES = [
    # name, given, by, when, drawn, then
    Case(
        "2 the surcharge for s counts against amx unless the option says no (1)",
        [*ANA, checked("ana", 1, 6)],
        P1,
        m.Alter("ana", "locks", 2),
        [],
        "over-amx",
    ),
    Case(
        "2 the surcharge for s counts against amx unless the option says no (2)",
        [*ANA, checked("ana", 1, 6)],
        P1,
        m.Alter("ana", "locks", 2),
        [],
        [m.Altered("ana", "locks", start=1, steps=2, point=3, result=S, moved=8, cost=4, ap=8)],
        Options(s_surcharge_counts_for_amx=False),
    ),
    Case(
        "2 the surcharge is paid all the same",
        [*ANA, ap("ana", 3), checked("ana", 1, 6)],
        P1,
        m.Alter("ana", "locks", 2),
        [],
        "over-ap",
        Options(s_surcharge_counts_for_amx=False),
    ),
    Case(
        "3 damage is points moved not ap paid",
        [
            *TABLE,
            checked("ana", 0, 2, ATTACK, "locks", "ben"),
            m.Altered("ana", "locks", start=2, steps=1, point=3, result=S, moved=3, cost=3, ap=9),
        ],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, PS, 3, S),
            m.Hit("ana", "ben", S, damage=3, pool=Pool.LP, loss=3, left=3, status=Status.OK),
        ],
    ),
    Case(
        "5 with the option it gains at the roll and pays the move (1)",
        [*ANA, ap("ana", 0)],
        P1,
        m.Check("ana"),
        [6],
        [m.Checked("ana", CHECK, 0, 6, 0, F), m.Gained("ana", 2, 2, 2)],
        Options(natural_f_gains_at_once=True),
    ),
    Case(
        "5 with the option it gains at the roll and pays the move (2)",
        [*ANA, ap("ana", 0), m.Checked("ana", CHECK, 0, 6, 0, F), m.Gained("ana", 2, 2, 2)],
        P1,
        m.Alter("ana", "locks", 2),
        [],
        [m.Altered("ana", "locks", start=0, steps=2, point=2, result=PS, moved=8, cost=2, ap=0)],
        Options(natural_f_gains_at_once=True),
    ),
    Case(
        "5 with the option a natural f that stays gains once",
        [*ANA, ap("ana", 0), checked("ana", 0, 6), m.Gained("ana", 2, 2, 2)],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", CHECK, F, 0, F)],
        Options(natural_f_gains_at_once=True),
    ),
    Case(
        "6 a rest takes nothing from a pool above ap max",
        [*ANA, ap("ana", 14)],
        GM,
        m.Rest("ana"),
        [],
        [m.Rested("ana", 0, 14)],
        Options(gains_stop_at_ap_max=False),
    ),
    Case(
        "7 the move to f needs an ability but neither amx nor ap (1)",
        [*ANA, ap("ana", 0), amx("ana", "locks", 0), checked("ana", 0, 1)],
        P1,
        m.Alter("ana", "locks", 5),
        [],
        [m.Altered("ana", "locks", start=1, steps=5, point=0, result=F, moved=6, cost=0, ap=0)],
    ),
    Case(
        "7 the move to f needs an ability but neither amx nor ap (2)",
        [*ANA, ap("ana", 0), amx("ana", "locks", 0), checked("ana", 0, 1)],
        P1,
        m.AlterToF("ana", "locks"),
        [],
        [m.Altered("ana", "locks", start=1, steps=5, point=0, result=F, moved=6, cost=0, ap=0)],
    ),
    Case(
        "7 the move to f needs an ability but neither amx nor ap (3)",
        [*ANA, ap("ana", 0), amx("ana", "locks", 0), checked("ana", 0, 1)],
        P1,
        m.AlterToF("ana", "sword"),
        [],
        "no-such-ability",
    ),
    Case(
        "8 on f there is no move to f",
        [*ANA, checked("ana", 0, 6)],
        P1,
        m.AlterToF("ana", "locks"),
        [],
        "already-at-f",
    ),
    Case(
        "10 one ability and one move in an action (1)",
        [*ANA, amx("ana", "sword", 3), checked("ana", 0, 4, CHECK, "locks")],
        P1,
        m.Alter("ana", "sword", 1),
        [],
        "one-ability",
    ),
    Case(
        "10 one ability and one move in an action (2)",
        [*ANA, amx("ana", "sword", 3), checked("ana", 0, 4, CHECK, "locks")],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        [m.Altered("ana", "locks", 4, 1, 5, PF, 5, 1, 11)],
    ),
    Case(
        "10 one ability and one move in an action (3)",
        [
            *ANA,
            amx("ana", "sword", 3),
            checked("ana", 0, 4, CHECK, "locks"),
            m.Altered("ana", "locks", 4, 1, 5, PF, 5, 1, 11),
        ],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        "altered-already",
    ),
    Case(
        "11 only the entity whose action it is alters it (1)",
        [*TABLE, checked("ana", 0, 4)],
        P2,
        m.Alter("ben", "sword", 1),
        [],
        "not-its-check",
    ),
    Case(
        "11 only the entity whose action it is alters it (2)",
        [*TABLE, checked("ana", 0, 4)],
        P2,
        m.Alter("ana", "locks", 1),
        [],
        "not-yours",
    ),
    Case(
        "11 only the entity whose action it is alters it (3), also by the gm",
        [*TABLE, checked("ana", 0, 4)],
        GM,
        m.Alter("ana", "locks", 1),
        [],
        [m.Altered("ana", "locks", 4, 1, 5, PF, 5, 1, 11)],
    ),
    Case(
        "11 only the entity whose action it is alters it (4)",
        [*TABLE, checked("rat", 0, 4)],
        GM,
        m.Alter("rat", "gnawing", 1),
        [],
        [m.Altered("rat", "gnawing", 4, 1, 5, PF, 5, 1, 11)],
    ),
]


@each_case(CASES)
def test_case(case: Case) -> None:
    case.check()
