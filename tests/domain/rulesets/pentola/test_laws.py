"""Laws of Pentola, which hold whatever is commanded and however the dice fall."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain.chance import Enumerated
from domain.decider import fold
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola import rules, ruleset
from domain.rulesets.pentola.rules import Die, Distance, Phase, Thing
from domain.rulesets.pentola.state import Moment, State
from tests.domain.rulesets.pentola.sessions import Turn, random_session
from tests.scale import scale

laws = settings(max_examples=scale(25, 1000), deadline=None)
seeds = st.integers(0, 2**32 - 1)


@cache
def turns(seed: int) -> tuple[Turn, ...]:
    return tuple(random_session(seed))


def test_random_sessions_reach_every_event_and_many_refusals() -> None:
    played = [turn for seed in range(scale(150, 400)) for turn in turns(seed)]
    events = Counter(type(event) for turn in played for event in turn.events)
    assert set(ruleset.events) == set(events)
    assert events[e.RolledTest] > 50
    assert events[e.OpposedSettled] > 10
    assert len({turn.refused for turn in played}) > 30


@laws
@given(seeds)
def test_every_turn_keeps_the_rules(seed: int) -> None:
    for turn in turns(seed):
        assert not (turn.refused and turn.asked)
        if turn.state.moment is not UNSET:
            check_budget(turn.state.moment)
            check_declarations(turn.state.moment)
        check_tests(turn.state)
        for event in turn.events:
            check_event(turn.state, event, fold(ruleset.decider.evolve, turn.state, turn.events))


def check_budget(moment: Moment) -> None:
    taken = Counter[str]()
    for declaration in moment.deeds:
        taken[declaration.entity] += rules.TAKES[declaration.thing]
    for entity, part in moment.parts.items():
        assert part.things == taken[entity] <= rules.MAX_THINGS
        assert part.things == 1 or not part.focus


def check_declarations(moment: Moment) -> None:
    """Check that the worst declare first and react only to what was declared before."""
    ranks = [moment.ids.index(declaration.entity) for declaration in moment.deeds]
    assert moment.phase is Phase.ROLLING or ranks == sorted(ranks, reverse=True)
    actions = {each.nth: each.entity for each in moment.deeds if each.thing is not Thing.REACTION}
    for reaction in moment.deeds:
        if reaction.to is not UNSET:
            assert reaction.to < reaction.nth
            assert actions[reaction.to] == reaction.target
            assert moment.ids.index(reaction.target) > moment.ids.index(reaction.entity)
    assert len(set(moment.spent)) == len(moment.spent)
    assert not set(moment.spent) & set(actions)


def check_tests(state: State) -> None:
    for entity, test in state.tests.items():
        assert state.actions[test.action].ruling is UNSET
        assert state.tests[test.action].action == test.action
        assert state.entities[entity].scores
    held = [held for character in state.entities.values() for held in character.held]
    assert all(one.due + one.waiting == 0 for one in held if one.die is Die.EXPENDED)


def check_event(before: State, event: e.Event, after: State) -> None:
    match event:
        case e.RolledTest() | e.InitiativeRolled():
            character = before.entities[event.entity]
            bonuses = {bonus.name: bonus.percent for bonus in character.bonuses}
            assert event.added == (0 if event.bonus is UNSET else bonuses[event.bonus])
            scores = character.scores.values()
            assert event.percent - event.added in {3 * score for score in scores}
            assert event.bonus not in character.barred
            assert event.outcome is rules.outcome(
                event.roll, rules.goal(event.percent, event.steps)
            )
            assert abs(event.steps) <= (1 if before.options.steps_stop_at_one else 2)
        case e.OpponentNamed(_, opponent):
            assert opponent not in before.tests
        case e.UsageRolled(_, _, _, die, face, left, due, waiting):
            assert die is not Die.EXPENDED
            assert rules.CHAIN.index(left) == rules.CHAIN.index(die) + (face == 1)
            assert 0 <= due + waiting <= rules.MAX_ROLLS
        case e.Moved(entity, target, thing, old):
            assert old in rules.REACH[thing]
            assert after.distances[rules.pair_key(entity, target)] is Distance.CLOSE
        case e.Ordered(ranking, at):
            assert after.moment is not UNSET
            scores = [after.moment.parts[entity].score for entity in ranking]
            goals = [(score.roll, rules.goal(score.percent, score.steps)) for score in scores]
            ranks = [(rules.RANKS.index(rules.outcome(*each)), each[0]) for each in goals]
            assert ranks == sorted(ranks, reverse=True)
            assert at == ranking[-1]


@laws
@given(seeds)
def test_the_best_act_first(seed: int) -> None:
    order: dict[int, list[tuple[int, int]]] = {}
    for turn in turns(seed):
        moment = fold(ruleset.decider.evolve, turn.state, turn.events).moment
        for event in turn.events:
            if isinstance(event, e.TurnCame):
                place = moment.ids.index(event.entity), event.nth
                order.setdefault(moment.number, []).append(place)
    assert all(one < other for places in order.values() for one, other in pairwise(places))


@laws
@given(seeds)
def test_no_rule_depends_on_the_order_of_a_map(seed: int) -> None:
    """A fork stores the state with sorted keys."""
    for turn in turns(seed)[::5]:
        stored = msgspec.json.decode(msgspec.json.encode(turn.state, order="sorted"), type=State)
        assert stored == turn.state
        if not turn.refused and not turn.asked:
            decided = ruleset.decider.decide(stored, turn.command, turn.by, Enumerated(()))
            assert decided == turn.events
