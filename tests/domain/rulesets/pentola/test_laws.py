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
    Undeclared,
)
from domain.rulesets.pentola.state import Moment, State
from tests.domain.rulesets.pentola.scenes import ITEM, NPCS, PCS
from tests.domain.scripts import Script, scripts, seeds

IDS = (*PCS.values(), *NPCS)


@cache
def session(seed: int) -> Script:
    """Return a random session that ends with complete moments, which random commands miss."""
    table = Script(ruleset, seed)
    for _ in range(4):
        finish_actions(table)
        play_moment(table)
    finish_actions(table)
    table.do("gm", c.Retire(NPCS[0], "the story goes on without the captain"))
    return table


def finish_actions(table: Script) -> None:
    table.do("gm", c.EndMoment("a bell rings"))
    for entity in (*table.state.tests, *table.state.actions):
        table.do("gm", c.RollTest(entity))
        table.do("gm", c.ExplainApproach(entity, "somehow"))
        table.do("gm", c.RuleAutomatic(entity, table.pick(tuple(Finding))))


def play_moment(table: Script) -> None:
    table.do("gm", c.SetCondition(table.pick(IDS), "hexed", table.random.randint(1, 3)))
    living = tuple(one for one in IDS if table.state.entities[one].hit_points != 0)
    table.do("gm", c.StartMoment(living))
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
    away, uses = table.pick((UNSET, True)), table.pick((UNSET, ITEM))
    commands = (
        c.DeclareAction(entity, "win", "a kick", focus, extra, uses),
        c.DeclareReaction(entity, "a dodge", other, UNSET, UNSET, extra, uses),
        c.DeclareMove(entity, other, table.pick((UNSET, True)), UNSET, extra, away),
    )
    table.do("gm", table.pick(commands))


def act(table: Script, entity: str) -> None:
    for other in IDS:
        table.do("gm", c.UseItem(other, ITEM))
    if table.maybe(0.4):
        table.do("gm", c.RuleAutomatic(entity, table.pick(tuple(Finding))))
    table.do("gm", c.CallTest(entity, Characteristic.BOD, table.pick(tuple(Difficulty))))
    if table.maybe(0.2):
        amend(table, entity)
    for other in IDS:
        if table.maybe(0.2):
            table.do("gm", c.DropReaction(other))
        competes = table.pick((UNSET, UNSET, True))
        table.do("gm", c.Oppose(entity, other, Characteristic.BOD, Difficulty.NORMAL, competes))
    for side in tuple(table.state.tests):
        table.do("gm", c.RollTest(side))


def amend(table: Script, entity: str) -> None:
    """Change the test, call it off, call for it again, and demand one of somebody."""
    difficulty = table.pick(tuple(Difficulty))
    table.do("gm", c.ChangeTest(entity, Characteristic.INT, difficulty, "a slip"))
    table.do("gm", c.CallOff(entity, "a slip"))
    table.do("gm", c.CallTest(entity, Characteristic.BOD, Difficulty.NORMAL))
    table.do("gm", c.DemandTest(table.pick(IDS), Characteristic.BOD, Difficulty.NORMAL))


def test_sessions_reach_every_event_of_a_moment() -> None:
    reached = {type(event) for seed in range(30) for event in session(seed).events}
    optional = {e.Harmed, e.Healed}
    assert set(ruleset.events) - reached <= {e.OrderSet, e.BonusAdjusted} | optional


@scripts
@given(seed=seeds)
def test_every_turn_keeps_the_rules(seed: int) -> None:
    for turn in session(seed).accepted:
        if turn.after.moment is not UNSET:
            check_budget(turn.after.moment)
            check_declarations(turn.after.moment)
            check_uses(turn.after.moment)
        check_tests(turn.after)
        check_conditions(turn.after)
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
    dropped = moment.dropped or ()
    assert len({*moment.spent, *dropped}) == len(moment.spent) + len(dropped)
    assert not set(moment.spent) & set(actions)


def check_uses(moment: Moment) -> None:
    """Check that each use belongs to a declaration of its own, which names what is used."""
    used = moment.used or ()
    assert len(set(used)) == len(used)
    assert all(moment.deeds[nth - 1].uses is not UNSET for nth in used)


def check_tests(state: State) -> None:
    for entity, test in state.tests.items():
        assert state.entities[entity].scores
        if test.undeclared is Undeclared.DEMANDED:
            assert (test.action, test.score) == (entity, UNSET)
        else:
            assert state.actions[test.action].ruling is UNSET
            assert state.tests[test.action].action == test.action
    held = [held for character in state.entities.values() for held in character.held]
    assert all(one.due + one.waiting == 0 for one in held if one.die is Die.EXPENDED)


def check_conditions(state: State) -> None:
    for key, held in state.conditions.items():
        assert key == rules.condition_key(held.entity, held.name)
        assert key.isascii()
        assert UNSET in (held.rounds, held.minutes)
        assert 0 not in (held.rounds, held.minutes)
        assert state.entities[held.entity].retired is UNSET
    count = Counter(held.entity for held in state.conditions.values())
    assert all(each <= rules.MAX_CONDITIONS for each in count.values())


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
        case e.Harmed(entity, lost, left) | e.Healed(entity, lost, left):
            assert lost > 0
            assert left == after.entities[entity].hit_points
            assert 0 <= left <= event.most or isinstance(event, e.Harmed)
        case e.Moved(entity, target, thing, old, new):
            nearer = rules.distance_after(thing, old, False, before.edition)
            farther = rules.distance_after(thing, old, True, before.edition)
            assert new in (nearer, farther, old)
            assert after.distances[rules.pair_key(entity, target)] is new
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


@scripts
@given(seed=seeds)
def test_no_declared_reaction_is_lost_without_a_word(seed: int) -> None:
    """When a die falls for an action, each reaction to it was used, or dropped, or is of a side."""
    for turn in session(seed).accepted:
        moment = turn.state.moment
        for event in turn.events:
            if (
                isinstance(event, e.RolledTest)
                and event.use is not rules.RollPurpose.DEMANDED
                and moment is not UNSET
                and moment.at == event.action
            ):
                waiting = {
                    declaration.entity
                    for declaration in moment.deeds
                    if declaration.to == moment.turn and moment.is_open(declaration)
                }
                assert waiting <= turn.state.tests.keys()


@scripts
@given(seed=seeds)
def test_a_reaction_is_used_or_the_log_says_that_it_is_not(seed: int) -> None:
    """This holds for all reactions of a moment that was not broken off."""
    for turn in session(seed).accepted:
        moment = turn.state.moment
        if moment is not UNSET and e.MomentEnded(moment.number) in turn.events:
            dropped = {event.nth for event in turn.events if isinstance(event, e.ReactionDropped)}
            reactions = [each for each in moment.deeds if each.thing is Thing.REACTION]
            assert all(not moment.is_open(each) or each.nth in dropped for each in reactions)
