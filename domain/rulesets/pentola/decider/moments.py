"""A moment begins with those who take part, has its order set, or is broken off (RULES 7 and 8)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.messages.commands.moments import EndMoment, SetOrder, StartMoment
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.moments import MomentEnded, MomentStarted, OrderSet
from domain.rulesets.pentola.rules import Being, Phase
from domain.rulesets.pentola.state import State


def decide(state: State, command: StartMoment | SetOrder | EndMoment, by: By) -> tuple[Event, ...]:
    guards.referee(by)
    match command:
        case StartMoment():
            return _start(state, command)
        case SetOrder():
            return _set_order(state, command)
        case EndMoment():
            return (MomentEnded(guards.moment(state).number, command.reason),)


def _start(state: State, command: StartMoment) -> tuple[Event, ...]:
    if state.moment is not UNSET:
        raise Refused("moment-running", number=state.moment.number)
    ids = _participants(state, command)
    if not ids:
        raise Refused("nobody-takes-part")
    if len(ids) > rules.MOST_SIDES:
        raise Refused("too-many-sides", most=rules.MOST_SIDES)
    for entity in ids:
        guards.character(state, entity)
        guards.not_testing(state, entity)
        if guards.is_busy(state, entity):
            raise Refused("action-open", entity=entity)
    return (MomentStarted(state.moments + 1, ids),)


def _participants(state: State, command: StartMoment) -> tuple[str, ...]:
    """Those named; else those of the last moment; else every character, by seat and id."""
    if command.entities is not UNSET:
        _each_once(command.entities)
        return command.entities
    characters = {
        entity: of.seat for entity, of in state.entities.items() if of.being is not Being.THING
    }
    return state.participants or tuple(
        sorted(characters, key=lambda entity: (characters[entity], entity))
    )


def _each_once(ids: Sequence[str]) -> None:
    twice = {entity for entity in ids if ids.count(entity) > 1}
    if twice:
        raise Refused("named-twice", entities=tuple(sorted(twice)))


def _set_order(state: State, command: SetOrder) -> tuple[Event, ...]:
    """Any other way to find the order, before the first thing is declared."""
    moment = guards.moment(state)
    _each_once(command.entities)
    if sorted(command.entities) != sorted(moment.ids):
        raise Refused("not-the-participants", participants=moment.ids)
    if moment.phase is Phase.ACTING or moment.deeds or moment.at not in (UNSET, moment.ids[-1]):
        raise Refused("declared-already", number=moment.number)
    return (OrderSet(moment.ids, command.entities, command.entities[-1], command.reason),)
