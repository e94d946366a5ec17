"""The rulings on checks and ability points, 1 to 11, and the options that read them otherwise."""

from __future__ import annotations

from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import MAX_POINTS, PF, PS, F, Options, Pool, S, Status, Use
from tests.domain.rulesets.dhextiny.people import ANA, GM, P1, P2, TABLE, amx, ap, checked
from tests.domain.rulesets.given import Step, check, play

CHECK, ATTACK = Use.CHECK, Use.ATTACK


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


def test_2_the_surcharge_for_s_counts_against_amx_unless_the_option_says_no() -> None:
    given, when = [*ANA, checked("ana", 1, 6)], m.Alter("ana", "locks", 2)
    altered = m.Altered("ana", "locks", start=1, steps=2, point=3, result=S, moved=8, cost=4, ap=8)
    check(given=given, when=when, by=P1, then="over-amx")
    check(
        given=given,
        when=when,
        by=P1,
        then=[altered],
        options=Options(s_surcharge_counts_for_amx=False),
    )


def test_2_the_surcharge_is_paid_all_the_same() -> None:
    options = Options(s_surcharge_counts_for_amx=False)
    given = [*ANA, ap("ana", 3), checked("ana", 1, 6)]
    check(given=given, when=m.Alter("ana", "locks", 2), by=P1, then="over-ap", options=options)


def test_3_damage_is_points_moved_not_ap_paid() -> None:
    altered = m.Altered("ana", "locks", start=2, steps=1, point=3, result=S, moved=3, cost=3, ap=9)
    hit = m.Hit("ana", "ben", S, damage=3, pool=Pool.LP, loss=3, left=3, status=Status.OK)
    given = [*TABLE, checked("ana", 0, 2, ATTACK, "locks", "ben"), altered]
    check(given=given, when=m.Settle("ana"), by=P1, then=[m.Settled("ana", ATTACK, PS, 3, S), hit])


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


def test_5_with_the_option_it_gains_at_the_roll_and_pays_the_move() -> None:
    options = Options(natural_f_gains_at_once=True)
    rolled = [m.Checked("ana", CHECK, 0, 6, 0, F), m.Gained("ana", 2, 2, 2)]
    given = [*ANA, ap("ana", 0)]
    check(given=given, when=m.Check("ana"), by=P1, drawn=[6], then=rolled, options=options)
    altered = m.Altered("ana", "locks", start=0, steps=2, point=2, result=PS, moved=8, cost=2, ap=0)
    check(
        given=[*given, *rolled],
        when=m.Alter("ana", "locks", 2),
        by=P1,
        then=[altered],
        options=options,
    )


def test_5_with_the_option_a_natural_f_that_stays_gains_once() -> None:
    options = Options(natural_f_gains_at_once=True)
    given = [*ANA, ap("ana", 0), checked("ana", 0, 6), m.Gained("ana", 2, 2, 2)]
    check(
        given=given,
        when=m.Settle("ana"),
        by=P1,
        then=[m.Settled("ana", CHECK, F, 0, F)],
        options=options,
    )


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


def test_6_a_rest_takes_nothing_from_a_pool_above_ap_max() -> None:
    options = Options(gains_stop_at_ap_max=False)
    check(
        given=[*ANA, ap("ana", 14)],
        when=m.Rest("ana"),
        by=GM,
        then=[m.Rested("ana", 0, 14)],
        options=options,
    )


def test_7_the_move_to_f_needs_an_ability_but_neither_amx_nor_ap() -> None:
    given = [*ANA, ap("ana", 0), amx("ana", "locks", 0), checked("ana", 0, 1)]
    altered = m.Altered("ana", "locks", start=1, steps=5, point=0, result=F, moved=6, cost=0, ap=0)
    check(given=given, when=m.Alter("ana", "locks", 5), by=P1, then=[altered])
    check(given=given, when=m.AlterToF("ana", "locks"), by=P1, then=[altered])
    check(given=given, when=m.AlterToF("ana", "sword"), by=P1, then="no-such-ability")


def test_8_on_f_there_is_no_move_to_f() -> None:
    check(
        given=[*ANA, checked("ana", 0, 6)],
        when=m.AlterToF("ana", "locks"),
        by=P1,
        then="already-at-f",
    )


def test_9_steps_choose_between_the_two_ps() -> None:
    given = [*ANA, amx("ana", "locks", 7), checked("ana", 0, 6)]
    for steps, point, moved in [(2, 2, 8), (4, 4, 10)]:
        altered = m.Altered("ana", "locks", 0, steps, point, PS, moved, cost=steps, ap=12 - steps)
        check(given=given, when=m.Alter("ana", "locks", steps), by=P1, then=[altered])


def test_10_one_ability_and_one_move_in_an_action() -> None:
    sword = amx("ana", "sword", 3)
    named = [*ANA, sword, checked("ana", 0, 4, CHECK, "locks")]
    check(given=named, when=m.Alter("ana", "sword", 1), by=P1, then="one-ability")
    altered = m.Altered("ana", "locks", 4, 1, 5, PF, 5, 1, 11)
    check(given=named, when=m.Alter("ana", "locks", 1), by=P1, then=[altered])
    check(given=[*named, altered], when=m.Alter("ana", "locks", 1), by=P1, then="altered-already")


def test_11_only_the_entity_whose_action_it_is_alters_it() -> None:
    check(
        given=[*TABLE, checked("ana", 0, 4)],
        when=m.Alter("ben", "sword", 1),
        by=P2,
        then="not-its-check",
    )
    check(
        given=[*TABLE, checked("ana", 0, 4)],
        when=m.Alter("ana", "locks", 1),
        by=P2,
        then="not-yours",
    )
    check(
        given=[*TABLE, checked("ana", 0, 4)],
        when=m.Alter("ana", "locks", 1),
        by=GM,
        then="not-yours",
    )
    altered = m.Altered("rat", "gnawing", 4, 1, 5, PF, 5, 1, 11)
    check(
        given=[*TABLE, checked("rat", 0, 4)],
        when=m.Alter("rat", "gnawing", 1),
        by=GM,
        then=[altered],
    )
