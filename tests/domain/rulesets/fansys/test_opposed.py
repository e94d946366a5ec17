"""Calls, terms, taking, and two set against each other."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    DEX,
    INT,
    STR,
    WIS,
    Check,
    Taking,
    Term,
    Use,
    Why,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    COMBAT,
    GM,
    P1,
    QUIET,
    SAFE,
    TABLE,
    ability,
    is_now,
    opened,
    save,
    throw,
)
from tests.domain.rulesets.given import after, check

POINTS = Term("points", 2)


def test_taking_uses_up_time_and_conditions_run_out_in_it() -> None:
    given = [
        *ANA,
        SAFE,
        is_now("ana", Condition.DEAFENED, 100),
        opened("ana", tries=100, seconds=5),
    ]
    then = [
        e.Taken("ana", Use.SKILL, "locks", 24, (BASE, POINTS), 27, 100),
        e.TimePassed(500, 500),
        e.ConditionTicked("ana", Condition.DEAFENED, 16),  # 84 rounds have begun
    ]
    check(given=given, when=c.Take("ana", Taking.BEST), by=P1, then=then)


def test_care_needs_a_routine_or_a_point_in_the_skill() -> None:
    walking = [*ANA, QUIET, ability("ana", DEX, threshold=8)]
    check(given=walking, when=c.Take("ana", Taking.CARE), by=P1, then="not-routine")
    terms = e.TermsSet("ana", routine=True)
    taken = e.Taken("ana", Use.ABILITY, "DEX", 13, (), 13, 1, 8, True)
    check(given=[*walking, terms], when=c.Take("ana", Taking.CARE), by=P1, then=[taken])


HIDING = c.Oppose(
    "ana", "ben", keeper_skill="stealth", keeper_stat=DEX, challenger_stat=WIS, hidden="ana"
)
KEEPING, CHANGING = opened("ana", name="stealth"), ability("ben", WIS, against="ana")


def test_outside_combat_who_keeps_the_status_quo_rolls() -> None:
    check(given=TABLE, when=HIDING, by=GM, then=[KEEPING, CHANGING])


def test_in_combat_the_threshold_is_13_and_modifier() -> None:
    then = [ability("ben", WIS, threshold=14, against="ana")]
    check(given=[*TABLE, COMBAT], when=HIDING, by=GM, then=then)


def test_the_gm_may_say_otherwise() -> None:
    static = c.Oppose("ana", "ben", keeper_stat=DEX, challenger_stat=WIS, static=True)
    check(given=TABLE, when=static, by=GM, then=[ability("ben", WIS, threshold=13, against="ana")])
    rolled = c.Oppose("ana", "ben", keeper_stat=DEX, challenger_stat=WIS, static=False)
    check(
        given=[*TABLE, COMBAT],
        when=rolled,
        by=GM,
        then=[ability("ana", DEX), ability("ben", WIS, against="ana")],
    )


def test_who_is_to_roll_may_answer_with_care_even_in_combat() -> None:
    taken = e.Taken("ana", Use.SKILL, "stealth", 13, (BASE,), 14, 1)
    given = [*TABLE, COMBAT, KEEPING, CHANGING]
    check(given=given, when=c.Take("ana", Taking.CARE), by=P1, then=[taken, e.TermsSet("ben", 14)])


def test_the_threshold_is_rolled_with_plus_two_and_minus_two() -> None:
    rolled = e.CheckRolled("ana", Use.SKILL, "stealth", throw(12, 3, terms=(BASE,)))
    then = [rolled, e.TermsSet("ben", 18)]
    check(given=[*TABLE, KEEPING, CHANGING], when=c.Roll("ana"), by=P1, drawn=[12, 3], then=then)


UNOPPOSED: list[tuple[Message, By, Message, list[Message]]] = [
    (
        is_now("ana", Condition.PARALYSED),
        P1,
        c.Roll("ana"),
        [
            e.CheckSettled("ana", Use.SKILL, "stealth", False, Why.CONDITION),
            e.CheckSettled("ben", Use.ABILITY, "WIS", True, Why.UNOPPOSED),
        ],
    ),
    (
        QUIET,
        By("p2", P1.role),
        c.FailWillingly("ben"),
        [
            e.CheckSettled("ben", Use.ABILITY, "WIS", False, Why.WILLING),
            e.CheckSettled("ana", Use.SKILL, "stealth", True, Why.UNOPPOSED),
        ],
    ),
    (
        QUIET,
        GM,
        c.RuleCheck("ana", True, "nobody looks up"),
        [
            e.CheckSettled("ana", Use.SKILL, "stealth", True, Why.RULED, "nobody looks up"),
            e.CheckSettled("ben", Use.ABILITY, "WIS", False, Why.UNOPPOSED),
        ],
    ),
    (
        QUIET,
        GM,
        c.Drop("ben", "they talk"),
        [e.Dropped("ben", "they talk"), e.Dropped("ana", "they talk")],
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
    assert state.checks["ana"] == Check(Use.SKILL, "locks", (DEX,), True, 20, True, 16, UNSET, 60)


def test_calls() -> None:
    check(given=ANA, when=c.OpenCheck("ana", "locks"), by=P1, then=[opened("ana")])
    check(
        given=ANA,
        when=c.OpenCheck("ana", "locks", STR, INT),
        by=P1,
        then=[opened("ana", stats=(STR, INT))],
    )
    check(
        given=ANA,
        when=c.OpenCheck("ana", stat=CHA, second_stat=CHA),
        by=P1,
        then=[ability("ana", CHA)],
    )
    check(
        given=ANA,
        when=c.OpenCheck("ana", "locks", threshold=16),
        by=GM,
        then=[opened("ana", threshold=16)],
    )
    check(
        given=ANA,
        when=c.OpenSave("ana", STR, 18, DEX),
        by=GM,
        then=[save("ana", STR, DEX, threshold=18)],
    )
    check(
        given=[*ANA, opened("ana")],
        when=c.SetTerms("ana", tries=20),
        by=GM,
        then=[e.TermsSet("ana", tries=20)],
    )
