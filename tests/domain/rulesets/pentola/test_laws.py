"""What holds for any evening of this room, whatever is commanded and however the dice fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain.chance import Enumerated
from domain.decider import fold
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola import rules, ruleset
from domain.rulesets.pentola.rules import CHAIN, RANKS, Die, Distance, Phase, Thing
from domain.rulesets.pentola.state import Moment, State
from tests.domain.rulesets.pentola.scripts import Turn, evening
from tests.scale import scale

evenings = settings(max_examples=scale(25, 1000), deadline=None)
seeds = st.integers(0, 2**32 - 1)


@lru_cache(maxsize=2048)
def played(seed: int) -> tuple[Turn, ...]:
    return tuple(evening(seed))


def moments(seed: int) -> Iterator[Moment]:
    yield from (turn.state.moment for turn in played(seed) if turn.state.moment is not UNSET)


def after(turn: Turn) -> State:
    return fold(ruleset.decider.evolve, turn.state, turn.events)


def test_these_evenings_get_everywhere() -> None:
    turns = [turn for seed in range(scale(150, 400)) for turn in played(seed)]
    events = Counter(type(event) for turn in turns for event in turn.events)
    assert set(ruleset.events) == set(events)
    assert events[e.RolledTest] > 50
    assert events[e.OpposedSettled] > 10
    assert events[e.Moved] > 0
    assert len({turn.refused for turn in turns}) > 30


@evenings
@given(seeds)
def test_what_is_refused_is_refused_before_a_die_falls(seed: int) -> None:
    for turn in played(seed):
        assert not (turn.refused and turn.asked)


@evenings
@given(seeds)
def test_nobody_does_more_than_the_budget(seed: int) -> None:
    for moment in moments(seed):
        taken = Counter[str]()
        for declaration in moment.deeds:
            taken[declaration.entity] += rules.TAKES[declaration.thing]
        for entity, part in moment.parts.items():
            assert part.things == taken[entity] <= rules.MAX_THINGS
            assert part.things == 1 or not part.focus


@evenings
@given(seeds)
def test_the_worst_declare_first_and_react_only_to_what_was_declared(seed: int) -> None:
    for moment in moments(seed):
        if moment.phase is not Phase.ROLLING:
            ranks = [moment.ids.index(declaration.entity) for declaration in moment.deeds]
            assert ranks == sorted(ranks, reverse=True)
        actions = {
            declaration.nth: declaration
            for declaration in moment.deeds
            if declaration.thing is not Thing.REACTION
        }
        for declaration in moment.deeds:
            if declaration.to is not UNSET:
                assert declaration.to < declaration.nth
                assert actions[declaration.to].entity == declaration.target
                assert moment.ids.index(actions[declaration.to].entity) > moment.ids.index(
                    declaration.entity
                )
        assert len(set(moment.spent)) == len(moment.spent)
        assert not set(moment.spent) & set(actions)


@evenings
@given(seeds)
def test_the_best_act_first(seed: int) -> None:
    turns: dict[int, list[tuple[int, int]]] = {}
    for turn in played(seed):
        now = after(turn)
        for event in turn.events:
            if isinstance(event, e.TurnCame):
                moment = now.moment
                assert moment is not UNSET
                turns.setdefault(moment.number, []).append(
                    (moment.ids.index(event.entity), event.nth)
                )
    assert all(one < other for course in turns.values() for one, other in pairwise(course))


@evenings
@given(seeds)
def test_an_order_is_by_outcome_and_roll(seed: int) -> None:
    for turn in played(seed):
        for event in turn.events:
            if isinstance(event, e.Ordered):
                moment = after(turn).moment
                assert moment is not UNSET
                scores = [moment.parts[entity].score for entity in event.ranking]
                stands = [
                    (rules.outcome(s.roll, rules.goal(s.percent, s.steps)), s.roll)
                    for s in scores
                    if s
                ]
                assert len(stands) == len(event.ranking)
                ranked = [(RANKS.index(outcome), roll) for outcome, roll in stands]
                assert ranked == sorted(ranked, reverse=True)
                assert event.at == event.ranking[-1]


@evenings
@given(seeds)
def test_a_roll_is_what_the_sheet_makes_of_it(seed: int) -> None:
    for turn in played(seed):
        for event in turn.events:
            if isinstance(event, e.RolledTest | e.InitiativeRolled):
                of = turn.state.entities[event.entity]
                bonuses = {one.name: one.percent for one in of.bonuses}
                assert event.added == (0 if event.bonus is UNSET else bonuses[event.bonus])
                assert (event.percent - event.added) in {3 * score for score in of.scores.values()}
                assert event.bonus not in of.barred
                assert event.outcome is rules.outcome(
                    event.roll, rules.goal(event.percent, event.steps)
                )
                assert abs(event.steps) <= (1 if turn.state.options.steps_stop_at_one else 2)


@evenings
@given(seeds)
def test_tests_are_of_open_actions_and_one_to_a_character(seed: int) -> None:
    for turn in played(seed):
        for entity, test in turn.state.tests.items():
            assert turn.state.actions[test.action].ruling is UNSET
            assert turn.state.tests[test.action].action == test.action
            assert turn.state.entities[entity].scores
        for event in turn.events:
            if isinstance(event, e.OpponentNamed):
                assert event.opponent not in turn.state.tests


@evenings
@given(seeds)
def test_usage_dice_go_down_alone(seed: int) -> None:
    for turn in played(seed):
        for event in turn.events:
            if isinstance(event, e.UsageRolled):
                assert event.die is not Die.EXPENDED
                assert CHAIN.index(event.left) == CHAIN.index(event.die) + (event.face == 1)
            if isinstance(event, e.UsageRolled | e.UsageDieAdjusted):
                assert 0 <= event.due + event.waiting <= rules.MAX_ROLLS
        for of in turn.state.entities.values():
            assert all(held.due + held.waiting == 0 for held in of.held if held.die is Die.EXPENDED)


@evenings
@given(seeds)
def test_a_move_ends_close(seed: int) -> None:
    for turn in played(seed):
        for event in turn.events:
            if isinstance(event, e.Moved):
                assert event.old in rules.REACH[event.thing]
                assert (
                    after(turn).distances[rules.pair_key(event.entity, event.target)]
                    is Distance.CLOSE
                )


@evenings
@given(seeds)
def test_a_snapshot_with_its_keys_sorted_is_the_same_state_to_every_rule(seed: int) -> None:
    """A fork stores the state with sorted keys, so no rule may hang on the order of a map."""
    for turn in played(seed)[::5]:
        raw = msgspec.json.encode(turn.state, order="sorted")
        stored = msgspec.json.decode(raw, type=State)
        assert stored == turn.state
        if not turn.refused and not turn.asked:
            assert (
                ruleset.decider.decide(stored, turn.command, turn.by, Enumerated(())) == turn.events
            )
