"""Laws of Pentola, which hold whatever is commanded and however the dice fall."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

from hypothesis import given
from msgspec import UNSET

from domain.rulesets.pentola import commands as c, events as e, rules, ruleset
from domain.rulesets.pentola.rules import (
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    Phase,
    Thing,
)
from domain.rulesets.pentola.state import Moment, State
from tests.domain.rulesets.pentola.scenes import NPCS, PCS
from tests.domain.scripts import Script, scripts, seeds

IDS = (*PCS.values(), *NPCS)


@cache
def session(seed: int) -> Script:
    """Return a random session that ends with complete moments, which random commands do not reach."""
    table = Script(ruleset, seed)
    for _ in range(4):
        finish_actions(table)
        play_moment(table)
    return table


def finish_actions(table: Script) -> None:
    table.do("gm", c.EndMoment("a bell rings"))
    for entity in (*table.state.tests, *table.state.actions):
        table.do("gm", c.RollTest(entity))
        table.do("gm", c.ExplainApproach(entity, "somehow"))
        table.do("gm", c.RuleAutomatic(entity, table.pick(tuple(Finding))))


def play_moment(table: Script) -> None:
    table.do("gm", c.StartMoment(IDS))
    for one, other in pairwise(IDS):
        table.do("gm", c.SetDistance(one, other, table.pick(tuple(Distance))))
    for entity in PCS.values():
        table.do("gm", c.RollInitiative(entity))
    table.do("gm", c.RollRest())
    for entity in reversed(table.state.moment.ids if table.state.moment else ()):
        for _ in range(4):
            declare(table, entity)
        table.do("gm", c.EndDeclaration(entity))
    while table.state.moment and table.state.moment.phase is Phase.ACTING:
        act(table, table.state.moment.at)


def declare(table: Script, entity: str) -> None:
    other, focus, extra = table.pick(IDS), table.pick((UNSET, True)), table.pick((UNSET, True))
    commands = (
        c.DeclareAction(entity, "win", "a kick", focus, extra),
        c.DeclareReaction(entity, "a dodge", other, UNSET, UNSET, extra),
        c.DeclareMove(entity, other, table.pick((UNSET, True)), UNSET, extra),
    )
    table.do("gm", table.pick(commands))


def act(table: Script, entity: str) -> None:
    if table.maybe(0.4):
        table.do("gm", c.RuleAutomatic(entity, table.pick(tuple(Finding))))
    table.do("gm", c.CallTest(entity, Characteristic.BOD, table.pick(tuple(Difficulty))))
    for other in IDS:
        table.do("gm", c.Oppose(entity, other, Characteristic.BOD, Difficulty.NORMAL))
    for side in tuple(table.state.tests):
        table.do("gm", c.RollTest(side))


def test_sessions_reach_every_event_of_a_moment() -> None:
    reached = {type(event) for seed in range(20) for event in session(seed).events}
    assert set(ruleset.events) - reached <= {e.OrderSet, e.BonusAdjusted}


@scripts
@given(seed=seeds)
def test_every_turn_keeps_the_rules(seed: int) -> None:
    for turn in session(seed).accepted:
        if turn.after.moment is not UNSET:
            check_budget(turn.after.moment)
            check_declarations(turn.after.moment)
        check_tests(turn.after)
        for event in turn.events:
            check_event(turn.state, event, turn.after)


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


@scripts
@given(seed=seeds)
def test_the_best_act_first(seed: int) -> None:
    order: dict[int, list[tuple[int, int]]] = {}
    for turn in session(seed).accepted:
        moment = turn.after.moment
        for event in turn.events:
            if isinstance(event, e.TurnCame):
                place = moment.ids.index(event.entity), event.nth
                order.setdefault(moment.number, []).append(place)
    assert all(one < other for places in order.values() for one, other in pairwise(places))
