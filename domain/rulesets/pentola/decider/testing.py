"""Tests: what the referee calls, who opposes, which bonus counts, and the roll (RULES 3 to 5)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.pentola import contests, rules
from domain.rulesets.pentola.contests import Contender
from domain.rulesets.pentola.decider import course, guards
from domain.rulesets.pentola.decider.intentions import adjudicable, no_die_fallen
from domain.rulesets.pentola.messages.commands.play import CallTest, Oppose, RollTest, RuleBonus
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.play import (
    BonusRuled,
    CalledForTest,
    OpponentNamed,
    OpposedSettled,
    RolledTest,
)
from domain.rulesets.pentola.rules import PASSED, STEPS, Being, Difficulty, Use
from domain.rulesets.pentola.state import OpenTest, Score, State


def decide(
    state: State, command: CallTest | Oppose | RuleBonus | RollTest, by: By, chance: Chance
) -> tuple[Event, ...]:
    match command:
        case CallTest():
            guards.referee(by)
            return _call(state, command)
        case Oppose():
            guards.referee(by)
            return _oppose(state, command)
        case RuleBonus(entity, bonus, applies):
            guards.referee(by)
            guards.bonus(entity, guards.character(state, entity), bonus)
            return (BonusRuled(entity, bonus, applies),)
        case RollTest():
            return _roll(state, command, by, chance)


def _call(state: State, command: CallTest) -> tuple[Event, ...]:
    adjudicable(state, command.entity)
    guards.not_testing(state, command.entity)
    guards.score_of(command.entity, guards.found(state, command.entity), command.characteristic)
    return (CalledForTest(command.entity, command.characteristic, command.difficulty),)


def _oppose(state: State, command: Oppose) -> tuple[Event, ...]:
    guards.character(state, command.entity)
    opponent = guards.character(state, command.opponent)
    if command.entity == command.opponent:
        raise Refused("not-oneself", entity=command.entity)
    test = _test(state, command.entity)
    if test.action != command.entity:
        raise Refused("in-a-test", entity=command.entity, action=test.action)
    no_die_fallen(state, command.entity)
    guards.not_testing(state, command.opponent)
    guards.score_of(command.opponent, opponent, command.characteristic)
    if len(_sides(state, command.entity)) >= rules.MOST_SIDES:
        raise Refused("too-many-sides", most=rules.MOST_SIDES)
    nth = _reaction(state, command)
    return (
        OpponentNamed(
            command.entity, command.opponent, command.characteristic, command.difficulty, nth
        ),
    )


def _reaction(state: State, command: Oppose) -> int | UnsetType:
    """In a moment, the reaction that was declared to this action and is not spent."""
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET or moment.at != command.entity:
        return UNSET
    for deed in moment.deeds:
        if (deed.entity, deed.to) == (
            command.opponent,
            moment.turn,
        ) and deed.nth not in moment.spent:
            return deed.nth
    raise Refused("no-reaction", entity=command.opponent, against=command.entity)


def _test(state: State, entity: str) -> OpenTest:
    if entity not in state.tests:
        raise Refused("no-test", entity=entity)
    return state.tests[entity]


def _sides(state: State, action: str) -> dict[str, OpenTest]:
    return {entity: test for entity, test in state.tests.items() if test.action == action}


def _roll(state: State, command: RollTest, by: By, chance: Chance) -> tuple[Event, ...]:
    of = guards.own(state, command.entity, by)
    test = _test(state, command.entity)
    if test.score is not UNSET:
        raise Refused("rolled-already", action=test.action, rolled=(command.entity,))
    bonus = guards.highest(command.entity, of, command.bonuses)
    base = guards.goal_of(command.entity, of, test.characteristic)
    added = 0 if bonus is None else bonus.percent
    steps = _steps(state, command.entity, test.difficulty)
    score = Score(base + added, steps, chance.draw(rules.PERCENT))
    rolled = RolledTest(
        entity=command.entity,
        action=test.action,
        use=Use.TEST if len(_sides(state, test.action)) == 1 else Use.OPPOSED,
        characteristic=test.characteristic,
        difficulty=test.difficulty,
        percent=score.percent,
        added=added,
        steps=steps,
        roll=score.roll,
        outcome=rules.outcome(score.roll, rules.goal(score.percent, steps)),
        bonus=UNSET if bonus is None else bonus.name,
    )
    return rolled, *_result(state, rolled, score)


def _steps(state: State, entity: str, difficulty: Difficulty) -> int:
    """What the referee said, and what the moment makes of it: focus and the third thing."""
    moment = state.moment
    if moment is UNSET or entity not in moment.parts:
        return rules.steps([STEPS[difficulty]], state.options)
    part = moment.parts[entity]
    focus = rules.FOCUS_STEPS if part.focus else 0
    extra = rules.EXTRA_STEPS if part.things > rules.BUDGET else 0
    return rules.steps([STEPS[difficulty], focus, extra], state.options)


def _result(state: State, rolled: RolledTest, score: Score) -> tuple[Event, ...]:
    """The end of the action, unless another side has yet to roll."""
    if rolled.use is Use.TEST:
        return course.after(state, rolled.action, done=rolled.outcome in PASSED)
    scores = {entity: test.score for entity, test in _sides(state, rolled.action).items()} | {
        rolled.entity: score
    }
    contenders = [
        _contender(state, rolled.action, entity, score) for entity, score in scores.items() if score
    ]
    if len(contenders) < len(scores):
        return ()
    ranking = contests.ranked(contenders)
    settled = OpposedSettled(rolled.action, ranking)
    return settled, *course.after(state, rolled.action, done=ranking[0] == rolled.action)


def _contender(state: State, action: str, entity: str, score: Score) -> Contender:
    """Who acts is opposed; whoever opposes defends."""
    of = state.entities[entity]
    return Contender(
        entity=entity,
        seat=of.seat,
        player=of.being is Being.PC,
        defends=entity != action,
        percent=score.percent,
        steps=score.steps,
        roll=score.roll,
    )
