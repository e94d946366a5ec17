"""The rulings on harm, fire and the evening, 12 to 22, and the options that read them otherwise."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.dhextiny import carry
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import MIN_LP, PF, PS, Being, F, Options, Pool, S, Status, Use
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
from tests.domain.rulesets.given import after, check, play

CHECK, ATTACK, PUT_OUT = Use.CHECK, Use.ATTACK, Use.PUT_OUT


def attacked(start: int, face: int, target: str = "ben") -> m.Checked:
    return checked("ana", start, face, ATTACK, UNSET, target)


def hits(given: list[Message], settled: m.Settled, hit: m.Hit) -> None:
    check(given=[*TABLE, *given], when=m.Settle("ana"), by=P1, then=[settled, hit])


def test_12_the_gm_rolls_for_creatures_with_the_one_token() -> None:
    given = [*TABLE, checked("ana", 0, 4), m.Settled("ana", CHECK, PS, 4, PS)]
    check(
        given=given,
        when=m.Check("rat"),
        by=GM,
        drawn=[3],
        then=[m.Checked("rat", CHECK, 4, 3, 1, PF)],
    )


def test_13_ap_floor_at_0_and_the_excess_is_lost() -> None:
    hit = m.Hit("ana", "ben", PS, damage=4, pool=Pool.AP, loss=3, left=0, status=Status.OK)
    hits([ap("ben", 3), attacked(0, 4)], m.Settled("ana", ATTACK, PS, 4, PS), hit)


def test_13_an_empty_pool_loses_1_lp_instead() -> None:
    hit = m.Hit("ana", "ben", PS, damage=4, pool=Pool.LP, loss=1, left=5, status=Status.OK)
    hits([ap("ben", 0), attacked(0, 4)], m.Settled("ana", ATTACK, PS, 4, PS), hit)


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


def test_14_the_gm_may_kill() -> None:
    then = [m.Killed("rat", Status.OK, "under the wheel")]
    check(given=TABLE, when=m.Kill("rat", "under the wheel"), by=GM, then=then)


def test_14_lp_that_never_kill_are_counted_down_to_what_a_log_holds() -> None:
    hit = m.Hit("ana", "rat", S, damage=3, pool=Pool.LP, loss=1, left=MIN_LP, status=Status.DYING)
    hits([*dying("rat", MIN_LP + 1), attacked(0, 3, "rat")], m.Settled("ana", ATTACK, S, 3, S), hit)


def test_15_no_ap_on_a_death_check_and_no_gain() -> None:
    died = m.DeathChecked("ana", 0, 6, 0, F, old=0, lp=0, status=Status.DEAD)
    check(
        given=[*ANA, ap("ana", 5), *dying("ana", 0)],
        when=m.DeathCheck("ana"),
        by=P1,
        drawn=[6],
        then=[died],
    )
    given = [*ANA, *dying("ana", 0), m.DeathChecked("ana", 0, 4, 4, PS, 0, 0, Status.DYING)]
    check(given=given, when=m.Alter("ana", "locks", 1), by=P1, then="no-check-open")


def test_15_putting_out_the_flames_may_be_altered() -> None:
    given = [*TABLE, aflame("ben", 4), checked("ana", 0, 1, PUT_OUT, "locks", "ben")]
    altered = m.Altered("ana", "locks", 1, 1, 2, PS, 2, 1, 11)
    check(given=given, when=m.Alter("ana", "locks", 1), by=P1, then=[altered])
    then = [m.Settled("ana", PUT_OUT, PF, 2, PS), m.Extinguished("ana", "ben")]
    check(given=[*given, altered], when=m.Settle("ana"), by=P1, then=then)


def test_16_the_gm_sets_lp_up_to_those_at_the_start() -> None:
    given, then = [*ANA, lp("ana", 2)], [m.Adjusted("ana", Pool.LP, 2, 6, "a potion")]
    check(given=given, when=m.AdjustLp("ana", 6, "a potion"), by=GM, then=then)
    check(given=given, when=m.AdjustLp("ana", 7, "a potion"), by=GM, then="over-starting-lp")


def test_17_fire_takes_what_the_gm_says() -> None:
    check(given=[*ANA], when=m.SetAflame("ana"), by=GM, drawn=[5], then=[m.CaughtFire("ana", 5)])
    burning = [*TABLE, aflame("ana", 2), aflame("rat", 1)]
    check(
        given=burning,
        when=m.EndRound(),
        by=GM,
        then=[m.Smouldered("ana", 1), m.Smouldered("rat", 0)],
    )
    check(given=burning, when=m.Burn("ana", 4), by=GM, then=[m.Burned("ana", 6, 2, Status.OK)])
    check(given=burning, when=m.Burn("ana", 6), by=GM, then=[m.Burned("ana", 6, 0, Status.DYING)])
    check(given=burning, when=m.Burn("ana", 12), by=GM, then=[m.Burned("ana", 6, -6, Status.DEAD)])


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


def test_19_ap_max_and_amx_grow_by_the_gm_alone() -> None:
    check(
        given=ANA,
        when=m.AdjustApMax("ana", 14, "lore"),
        by=GM,
        then=[m.Adjusted("ana", Pool.AP_MAX, 12, 14, "lore")],
    )
    check(
        given=ANA,
        when=m.AdjustAmx("ana", "locks", 4, "lore"),
        by=GM,
        then=[m.AmxAdjusted("ana", "locks", 3, 4, "lore")],
    )
    check(given=ANA, when=m.AdjustApMax("ana", 14, "lore"), by=P1, then="gm-only")
    check(given=ANA, when=m.AdjustAp("ana", 13, "lore"), by=GM, then="over-ap-max")
    check(given=ANA, when=m.AdjustApMax("ana", 11, "a curse"), by=GM, then="over-ap-max")


def test_20_a_death_check_every_turn_until_it_is_decided() -> None:
    fourth = [m.DeathChecked("ana", 4, 3, 1, PF, old=-5, lp=-6, status=Status.DEAD)]
    still = [*ANA, *dying("ana", -5), m.DeathChecked("ana", 0, 4, 4, PS, -5, -5, Status.DYING)]
    check(given=still, when=m.DeathCheck("ana"), by=P1, drawn=[3], then=fourth)
    check(given=[*still, *fourth], when=m.DeathCheck("ana"), by=P1, then="not-dying")


def test_20_a_creature_that_lp_do_not_kill_goes_on_dying() -> None:
    then = [m.DeathChecked("rat", 0, 1, 1, PF, old=-6, lp=-7, status=Status.DYING)]
    check(given=[*RAT, *dying("rat", -6)], when=m.DeathCheck("rat"), by=GM, drawn=[1], then=then)


def test_21_other_rolls_leave_the_token() -> None:
    log = play(
        (P1, m.RollAbilities("ana"), 5), (GM, m.SetAflame("ben"), 3), given=[*ANA, *BEN, at(2)]
    )
    assert log == [m.AbilitiesRolled("ana", 5, 7), m.CaughtFire("ben", 3)]
    assert after(log[0], [at(2), *log]).point == 2


def test_22_lp_above_0_end_the_dying() -> None:
    given = [*ANA, *dying("ana", -2)]
    revived = [
        m.Adjusted("ana", Pool.LP, -2, 1, "salts"),
        m.StatusAdjusted("ana", Status.DYING, Status.OK, "salts"),
    ]
    check(given=given, when=m.AdjustLp("ana", 1, "salts"), by=GM, then=revived)
    check(
        given=given,
        when=m.AdjustLp("ana", -1, "salts"),
        by=GM,
        then=[m.Adjusted("ana", Pool.LP, -2, -1, "salts")],
    )
    check(
        given=[*ANA, dead("ana")],
        when=m.AdjustLp("ana", 1, "salts"),
        by=GM,
        then=[m.Adjusted("ana", Pool.LP, 6, 1, "salts")],
    )


def test_what_happens_to_others_while_a_check_is_open_is_seen_when_it_is_settled() -> None:
    burnt_out = [
        *TABLE,
        aflame("ben", 1),
        checked("ana", 0, 3, PUT_OUT, UNSET, "ben"),
        m.Smouldered("ben", 0),
    ]
    check(given=burnt_out, when=m.Settle("ana"), by=P1, then=[m.Settled("ana", PUT_OUT, S, 3, S)])
    check(
        given=[*TABLE, attacked(0, 3), dead("ben")],
        when=m.Settle("ana"),
        by=P1,
        then=[m.Settled("ana", ATTACK, S, 3, S)],
    )
    check(
        given=[*TABLE, checked("ana", 0, 6), dead("ana")],
        when=m.Settle("ana"),
        by=P1,
        then=[m.Settled("ana", CHECK, F, 0, F)],
    )


def test_an_attempt_to_put_out_the_flames_that_fails() -> None:
    given = [*TABLE, aflame("ana", 4)]
    then = [m.Checked("ana", PUT_OUT, 0, 1, 1, PF, UNSET, "ana")]
    check(given=given, when=m.PutOut("ana", "ana"), by=P1, drawn=[1], then=then)
    check(
        given=[*given, *then],
        when=m.Settle("ana"),
        by=P1,
        then=[m.Settled("ana", PUT_OUT, PF, 1, PF)],
    )
