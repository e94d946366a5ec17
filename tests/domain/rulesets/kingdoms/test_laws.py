"""What the book promises whatever is played: pools, margins and the order of steps, over random evenings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain.decider import Refused, fold
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms import ruleset
from domain.rulesets.kingdoms.rules import MAX_POOL, MAX_ROLLS, Kind, Options, Refill, margins
from domain.rulesets.kingdoms.state import State
from domain.tally import Moved
from tests.domain.rulesets.kingdoms.people import GM, Fallen
from tests.scale import scale

DECIDER = ruleset.decider
evenings = settings(
    max_examples=scale(25, 1000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

entities = st.sampled_from(["ana", "ork"])
names = st.sampled_from(["STR", "fear", "CON", "CHA"])
some = st.lists(names, min_size=1, max_size=3).map(tuple)
options = st.builds(Options, twelve_always_succeeds=st.booleans(), whole_stats=st.booleans())
declarations = st.one_of(
    st.builds(m.DeclareTest, entities, st.just(Kind.BASIC), some),
    st.builds(m.DeclareTest, entities, st.just(Kind.EXTENDED), some, st.sampled_from(Refill)),
)
steps: st.SearchStrategy[m.Command] = st.one_of(
    declarations,
    st.builds(m.GrantDice, entities, st.sampled_from(["rope", "high ground"]), st.integers(1, 4)),
    st.builds(m.AssemblePool, entities),
    st.builds(m.AssemblePool, entities, st.lists(st.integers(-3, 5), max_size=4).map(tuple)),
    st.builds(m.SetDt, entities, st.integers(0, 13)),
    st.builds(m.DetermineDt, entities, entities, some, st.one_of(st.just(UNSET), some)),
    st.builds(m.RollTest, entities),
    st.builds(m.Interpret, entities, st.just("so")),
    st.builds(m.EndTest, entities),
    st.builds(m.RollDice, entities, st.integers(1, 5), st.sampled_from([4, 7, 12, 100])),
    st.builds(
        m.AdjustStat, entities, names, st.sampled_from([-99, -3, 0, 3, 99]), st.just("so it is")
    ),
    st.builds(m.AdjustPool, entities, st.sampled_from([0, 7, 200, 201]), st.just("so it is")),
    st.builds(m.DropTest, entities, st.just("so it is")),
)
OPENING: list[m.Command] = [
    m.CreateNpc("ana", "Ana", 2, 3),
    m.NameStat("ana", "STR", 4),
    m.NameStat("ana", "fear", -2),
    m.CreateNpc("ork", "The ork", 4, -1),
    m.NameStat("ork", "STR", 12),
    m.NameStat("ork", "fear", 0),
]


def forward(state: State, entity: str) -> m.Command:
    """The next step of the book's list, so that tests get somewhere."""
    test = state.tests.get(entity)
    if test is None:
        return m.DeclareTest(entity, Kind.EXTENDED, ("STR", "CON"), Refill.CHA)
    if test.pool is UNSET:
        return m.AssemblePool(entity)
    if test.dt is UNSET:
        return m.SetDt(entity, 6)
    return m.Interpret(entity, "so") if test.rolled else m.RollTest(entity)


@dataclass
class Turn:
    """A command, the state before it, what it came to, and the state after; no events where a rule refused."""

    before: State
    command: m.Command
    events: tuple[m.Event, ...]
    after: State


scripts = st.lists(st.one_of(entities, entities, steps), min_size=15, max_size=50)
Script = list[str | m.Command]


def evening(script: Script, opened: Options, seed: int) -> Iterator[Turn]:
    state = DECIDER.initial(opened)
    for nth, step in enumerate([*OPENING, *script]):
        command = forward(state, step) if isinstance(step, str) else step
        try:
            events = DECIDER.decide(state, command, GM, Fallen(f"{seed} {nth}".encode().ljust(32)))
        except Refused:
            events = ()
        after = fold(DECIDER.evolve, state, events)
        yield Turn(state, command, events, after)
        state = after


seeds = st.integers(0, 2**32 - 1)


@evenings
@given(scripts, options, seeds)
def test_a_roll_counts_every_die_once(script: Script, opened: Options, seed: int) -> None:
    for roll in (event for turn in evening(script, opened, seed) for event in turn.events):
        if isinstance(roll, m.TestRolled):
            ones, twelves = roll.faces.count(1), roll.faces.count(12)
            assert roll.margin == roll.successes - roll.failures
            assert roll.pool == len(roll.faces) >= roll.failed >= ones
            assert roll.failures == roll.failed + ones
            assert roll.successes in (roll.pool - roll.failed, roll.pool - roll.failed + twelves)
            assert roll.margin in margins(roll.pool, roll.dt, roll.twelve_succeeds)
            assert 1 <= roll.dt <= 12
            assert (roll.test is Kind.BASIC) == (roll.passed is not UNSET)


@evenings
@given(scripts, options, seeds)
def test_pools_are_never_below_none_nor_above_200(
    script: Script, opened: Options, seed: int
) -> None:
    for turn in evening(script, opened, seed):
        for test in turn.after.tests.values():
            assert test.pool is UNSET or 0 <= test.pool <= MAX_POOL
            assert test.dt is UNSET or 1 <= test.dt <= 12
            assert len(test.rolls) <= MAX_ROLLS
            assert test.total == sum(roll.margin for roll in test.rolls)
            assert (test.kind is Kind.EXTENDED) == (test.refill is not UNSET)


@evenings
@given(scripts, options, seeds)
def test_first_dice_go_and_then_dice_come(script: Script, opened: Options, seed: int) -> None:
    for turn in evening(script, opened, seed):
        for event in turn.events:
            if isinstance(event, m.Refilled):
                last = turn.before.tests[event.entity].rolls[-1]
                assert event.removed == last.failed
                assert event.pool == last.pool - event.removed + event.added
                assert abs(event.added) <= abs(event.value)


ORDER: dict[type[m.Event], set[type[m.Event]]] = {
    m.PoolAssembled: {m.TestDeclared, m.DiceGranted},
    m.DtSet: {m.PoolAssembled, m.DtSet, m.DtDetermined, m.Refilled, m.PoolAdjusted},
    m.DtDetermined: {m.PoolAssembled, m.DtSet, m.DtDetermined, m.Refilled, m.PoolAdjusted},
    m.TestRolled: {m.DtSet, m.DtDetermined, m.Refilled, m.PoolAdjusted},
    m.Interpreted: {m.TestRolled},
    m.Refilled: {m.Interpreted},
}
"""What can come right before a step of the same entity's test: the book's list, and the GR's hand."""


@evenings
@given(scripts, options, seeds)
def test_the_steps_come_in_the_order_of_the_book(
    script: Script, opened: Options, seed: int
) -> None:
    last: dict[str, type[m.Event]] = {}
    for event in (event for turn in evening(script, opened, seed) for event in turn.events):
        if isinstance(event, m.DiceRolled | m.StatAdjusted | m.StatNamed):
            continue
        if type(event) in ORDER:
            assert last[event.entity] in ORDER[type(event)]
        last[event.entity] = type(event)


@evenings
@given(scripts, options, seeds)
def test_what_is_counted_is_what_the_pools_moved(
    script: Script, opened: Options, seed: int
) -> None:
    for turn in evening(script, opened, seed):
        counts = [
            count
            for event in turn.events
            for count in ruleset.tally(event)
            if isinstance(count, Moved)
        ]
        for entity in ("ana", "ork"):
            moved, left = (
                [count for count in counts if count.entity == entity],
                pool(turn.after, entity),
            )
            assert left - pool(turn.before, entity) == sum(count.by for count in moved)
            assert [left] * bool(moved) == [count.now for count in moved[-1:]]


def pool(state: State, entity: str) -> int:
    """The dice in hand: none without a test, nor before the pool is assembled."""
    held = state.tests[entity].pool if entity in state.tests else UNSET
    return 0 if held is UNSET else held


@evenings
@given(scripts, options, seeds)
def test_a_restored_table_decides_the_same(script: Script, opened: Options, seed: int) -> None:
    """Also where the snapshot gives its maps back in another order."""
    for nth, turn in enumerate(evening(script, opened, seed)):
        again = msgspec.json.decode(msgspec.json.encode(turn.before), type=State)
        turned = msgspec.structs.replace(
            again,
            entities=dict(reversed(again.entities.items())),
            tests=dict(reversed(again.tests.items())),
        )
        try:
            events = DECIDER.decide(
                turned, turn.command, GM, Fallen(f"{seed} {nth}".encode().ljust(32))
            )
        except Refused:
            events = ()
        assert events == turn.events
