"""What the book of Kingdoms and Rulers promises whatever is played: pools, margins, order of steps."""

from __future__ import annotations

from hypothesis import given
from msgspec import UNSET

from domain.rulesets.kingdoms import messages as m, ruleset
from domain.rulesets.kingdoms.rules import MAX_POOL, MAX_ROLLS, PoolTestKind, margins
from tests.domain.scripts import script, scripts, seeds

# What can come right before a step of the same entity's test
DT_FIXED = {m.DtSet, m.DtDetermined, m.DtComputed}
POOL_READY = {m.PoolAssembled, m.DiceGranted, m.Refilled, m.PoolAdjusted}
ORDER: dict[type[m.Event], set[type[m.Event]]] = {
    m.PoolAssembled: {m.TestDeclared, m.DiceGranted},
    m.DtSet: POOL_READY | DT_FIXED,
    m.DtDetermined: POOL_READY | DT_FIXED,
    m.DtComputed: POOL_READY | DT_FIXED,
    m.TestRolled: {m.DiceGranted, m.Refilled, m.PoolAdjusted} | DT_FIXED,
    m.Interpreted: {m.TestRolled},
    m.Refilled: {m.Interpreted},
}
NOT_OF_A_TEST = (
    m.DiceRolled
    | m.Retired
    | m.StatAdjusted
    | m.StatNamed
    | m.StatRenamed
    | m.StatRemoved
    | m.StatProposed
    | m.StatRejected
    | m.ConditionSet
    | m.ConditionTicked
    | m.ConditionEnded
)


@scripts
@given(seed=seeds)
def test_a_roll_counts_every_die_once(seed: int) -> None:
    for roll in script(ruleset, seed).events:
        if isinstance(roll, m.TestRolled):
            ones, twelves = roll.faces.count(1), roll.faces.count(12)
            assert roll.margin == roll.successes - roll.failures
            assert roll.pool == len(roll.faces) >= roll.failed >= ones
            assert roll.failures == roll.failed + ones
            assert roll.successes in (roll.pool - roll.failed, roll.pool - roll.failed + twelves)
            assert roll.margin in margins(roll.pool, roll.dt, roll.twelve_succeeds)
            assert 1 <= roll.dt <= 12
            assert (roll.test is PoolTestKind.BASIC) == (roll.passed is not UNSET)


@scripts
@given(seed=seeds)
def test_pools_stay_between_0_and_200(seed: int) -> None:
    for state in script(ruleset, seed).states:
        for test in state.tests.values():
            assert test.pool is UNSET or 0 <= test.pool <= MAX_POOL
            assert test.dt is UNSET or 1 <= test.dt <= 12
            assert len(test.rolls) <= MAX_ROLLS
            assert test.total == sum(roll.margin for roll in test.rolls)
            assert (test.kind is PoolTestKind.EXTENDED) == (test.refill is not UNSET)


@scripts
@given(seed=seeds)
def test_failed_dice_go_before_new_ones_come(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        for event in turn.events:
            if isinstance(event, m.Refilled):
                last = turn.state.tests[event.entity].rolls[-1]
                assert event.removed == last.failed
                assert event.pool == last.pool - event.removed + event.added
                assert abs(event.added) <= abs(event.value)


@scripts
@given(seed=seeds)
def test_the_steps_come_in_the_order_of_the_book(seed: int) -> None:
    last: dict[str, type] = {}
    for event in script(ruleset, seed).events:
        if not isinstance(event, NOT_OF_A_TEST):
            kind, entity = type(event), event.entity  # type: ignore[attr-defined]
            assert kind not in ORDER or last[entity] in ORDER[kind]
            last[entity] = kind


@scripts
@given(seed=seeds)
def test_conditions_have_time_left_and_ascii_keys(seed: int) -> None:
    for state in script(ruleset, seed).states:
        for key, held in (state.conditions or {}).items():
            assert key.isascii()
            assert held.entity in state.entities
            assert held.rounds is UNSET or held.minutes is UNSET
            assert held.rounds is UNSET or held.rounds >= 1
            assert held.minutes is UNSET or held.minutes >= 1


@scripts
@given(seed=seeds)
def test_a_player_writes_nothing_on_a_sheet_that_needs_approval(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        if turn.state.options.gr_approves_stats is True and not turn.by.is_gm:
            assert not any(isinstance(event, m.StatNamed) for event in turn.events)
            created = [event for event in turn.events if isinstance(event, m.EntityCreated)]
            assert all((event.con, event.cha) == (0, 0) for event in created)
