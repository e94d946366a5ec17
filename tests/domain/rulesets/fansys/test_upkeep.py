"""Dice are spent, characters rest, time passes, the GM sets: by the rules and rulings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from domain.decider import fold
from domain.ruleset import Message
from domain.rulesets.fansys import carry, ruleset
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    CON,
    Energy,
    Gauge,
    Length,
    MpStat,
    Options,
    Pools,
    Status,
    Unit,
)
from tests.domain.rulesets.fansys.people import ANA, BEN, GM, P1, TABLE, created, full, is_now
from tests.domain.rulesets.given import after, check

REST, LONG = Length
SP, MP = Energy

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
    then = [e.Rested("ana", length, care, old, new, status)]
    check(given=given, when=c.Rest("ana", length, care or UNSET), by=GM, options=options, then=then)


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
    given = [*TABLE, is_now("ben", Condition.PRONE), is_now("ben", Condition.STUNNED, 20)]
    ticked = e.ConditionTicked("ben", Condition.STUNNED, rounds)
    passed = e.TimePassed(seconds, options.clock + seconds, amount, unit)
    check(given=given, when=c.PassTime(amount, unit), by=GM, options=options, then=[passed, ticked])
    state = after(passed, [*given, passed, ticked], options)
    assert state.entities["ben"].conditions == {"prone": 0} | (
        {"stunned": rounds} if rounds else {}
    )
    assert carry(state) == {"clock": options.clock + seconds}


def test_conditions_are_set_anew_and_lifted() -> None:
    prone, stunned = Condition.PRONE, Condition.STUNNED
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
    (Gauge.HP, -999, Pools(-999, 26, 36, 36, 0, 0, 33, 33, 0, 0), Status.DESTROYED),
    (Gauge.HP, 13, Pools(13, 26, 36, 36, 0, 0, 33, 33, 0, 0), Status.HURT),
    (Gauge.SP, 0, Pools(26, 26, 0, 36, 0, 0, 33, 33, 0, 0), Status.OK),
    (Gauge.MP, 33, full(), Status.OK),
    (Gauge.SP_DICE, 0, full(), Status.OK),
    (Gauge.MP_DICE, 0, full(), Status.OK),
]


@pytest.mark.parametrize(("gauge", "now", "pools", "status"), ADJUSTED)
def test_the_gm_sets_what_is_left(gauge: Gauge, now: int, pools: Pools, status: Status) -> None:
    then = [e.PoolAdjusted("ana", gauge, "a ruling", full(), pools, status)]
    check(given=ANA, when=c.AdjustPool("ana", gauge, now, "a ruling"), by=GM, then=then)


def test_the_gm_sets_a_stat_and_maxima_follow() -> None:
    given = [created("ana", sp_dice=4)]
    old, new = Pools(26, 26, 44, 44, 4, 4, 33, 33, 0, 0), Pools(14, 14, 8, 8, 4, 4, 33, 33, 0, 0)
    adjusted = e.StatAdjusted("ana", CON, 12, 0, "the curse", old, new, Status.OK)
    check(given=given, when=c.AdjustStat("ana", CON, 0, "the curse"), by=GM, then=[adjusted])
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(Options()), [*given, adjusted])
    assert state.entities["ana"].stats == (11, 11, 0, 11, 11, 11)
