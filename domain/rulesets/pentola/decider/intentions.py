"""Intent, approach, and what the referee rules without a test (RULES 2)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.pentola.decider import course, guards
from domain.rulesets.pentola.messages.commands.play import (
    DeclareIntent,
    ExplainApproach,
    Intention,
    RuleAutomatic,
    Withdraw,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.play import (
    ApproachExplained,
    IntentDeclared,
    Ruled,
    Withdrawn,
)
from domain.rulesets.pentola.rules import RULINGS, Ruling
from domain.rulesets.pentola.state import Action, State


def decide(state: State, command: Intention | RuleAutomatic, by: By) -> tuple[Event, ...]:
    match command:
        case DeclareIntent():
            return _declare_intent(state, command, by)
        case ExplainApproach():
            return _explain_approach(state, command, by)
        case Withdraw():
            return _withdraw(state, command, by)
        case RuleAutomatic():
            guards.referee(by)
            return _rule(state, command)


def _declare_intent(state: State, command: DeclareIntent, by: By) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    if state.moment is not UNSET and command.entity in state.moment.parts:
        raise Refused("in-a-moment", entity=command.entity, number=state.moment.number)
    if guards.is_busy(state, command.entity):
        raise Refused("action-open", entity=command.entity)
    return (IntentDeclared(command.entity, command.intent, command.approach),)


def _explain_approach(state: State, command: ExplainApproach, by: By) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    if guards.open_action(state, command.entity).approach is not UNSET:
        raise Refused("approach-explained", entity=command.entity)
    return (ApproachExplained(command.entity, command.approach),)


def _withdraw(state: State, command: Withdraw, by: By) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    guards.open_action(state, command.entity)
    no_die_fallen(state, command.entity)
    return Withdrawn(command.entity), *course.after(state, command.entity, done=False)


def no_die_fallen(state: State, action: str) -> None:
    rolled = sorted(
        entity
        for entity, test in state.tests.items()
        if test.action == action and test.score is not UNSET
    )
    if rolled:
        raise Refused("rolled-already", action=action, rolled=tuple(rolled))


def _rule(state: State, command: RuleAutomatic) -> tuple[Event, ...]:
    before = state.actions.get(command.entity)
    if before is not None and before.ruling is not UNSET:
        raise Refused("ruled-already", entity=command.entity, ruling=before.ruling)
    adjudicable(state, command.entity)
    ruling = RULINGS[command.finding]
    ruled = Ruled(command.entity, command.finding, ruling)
    return ruled, *course.after(state, command.entity, done=ruling is Ruling.SUCCESS)


def adjudicable(state: State, entity: str) -> Action:
    """What the referee may rule on: intent and approach are known, and there is no ruling yet."""
    guards.character(state, entity)
    before = state.actions.get(entity)
    if before is not None and before.ruling is not UNSET:
        raise Refused("no-test-needed", entity=entity, ruling=before.ruling)
    action = guards.open_action(state, entity)
    if action.approach is UNSET:
        raise Refused("no-approach", entity=entity)
    if entity in state.tests and state.tests[entity].action == entity:
        raise Refused("test-called", entity=entity, difficulty=state.tests[entity].difficulty)
    return action
