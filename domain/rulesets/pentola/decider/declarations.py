"""Worst first, all say what they will do: actions, moves, and reactions to what was declared before (RULES 7 to 9)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.decider import course, guards
from domain.rulesets.pentola.messages.commands.moments import (
    Declaration,
    DeclareAction,
    DeclareMove,
    DeclareReaction,
    EndDeclaration,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.moments import (
    ActionDeclared,
    ReactionDeclared,
    SlotPassed,
)
from domain.rulesets.pentola.rules import BUDGET, MOST_THINGS, Distance, Phase, Thing
from domain.rulesets.pentola.state import Deed, Moment, State

GET_CLOSE = "get close"


def decide(state: State, command: Declaration, by: By) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    moment = _slot(state, command.entity)
    match command:
        case DeclareAction():
            return (_action(moment, command),)
        case DeclareMove():
            return (_move(state, moment, command),)
        case DeclareReaction():
            return (_reaction(moment, command),)
        case EndDeclaration():
            return (_next(moment),)


def _slot(state: State, entity: str) -> Moment:
    """The moment, where it is the entity's time to declare."""
    moment = guards.moment(state)
    guards.part(moment, entity)
    if moment.phase is not Phase.DECLARING or moment.at is UNSET:
        raise Refused("not-declaring", phase=moment.phase)
    if moment.at != entity:
        raise Refused("not-your-slot", entity=entity, declares=moment.at)
    return moment


def _action(moment: Moment, command: DeclareAction) -> ActionDeclared:
    things, focus = _budget(moment, command, Thing.ACTION)
    return ActionDeclared(
        command.entity, _nth(moment), Thing.ACTION, command.intent, command.approach, focus, things
    )


def _move(state: State, moment: Moment, command: DeclareMove) -> ActionDeclared:
    thing = Thing.SPRINT if command.sprint is True else Thing.MOVE
    guards.found(state, command.target)
    distance = state.distances.get(rules.apart(command.entity, command.target))
    if distance is None:
        raise Refused("distance-unknown", entity=command.entity, target=command.target)
    if distance is Distance.CLOSE:
        raise Refused("already-close", entity=command.entity, target=command.target)
    if not rules.in_reach(thing, distance):
        raise Refused("out-of-reach", distance=distance, by=thing)
    things, focus = _budget(moment, command, thing)
    return ActionDeclared(
        command.entity, _nth(moment), thing, GET_CLOSE, thing, focus, things, command.target
    )


def _reaction(moment: Moment, command: DeclareReaction) -> ReactionDeclared:
    to = _declared(moment, command)
    things, focus = _budget(moment, command, Thing.REACTION)
    return ReactionDeclared(
        command.entity, _nth(moment), command.approach, command.against, to.nth, focus, things
    )


def _declared(moment: Moment, command: DeclareReaction) -> Deed:
    """The action that is reacted to: its doer stands lower in the order, and so has declared it."""
    guards.part(moment, command.against)
    if moment.ids.index(command.against) <= moment.ids.index(command.entity):
        raise Refused("not-lower", entity=command.entity, against=command.against)
    which = 1 if command.which is UNSET else command.which
    actions = [
        deed
        for deed in moment.deeds
        if deed.entity == command.against and deed.thing is not Thing.REACTION
    ]
    if which > len(actions):
        raise Refused("not-declared", against=command.against, which=which, declared=len(actions))
    return actions[which - 1]


def _budget(
    moment: Moment, command: DeclareAction | DeclareMove | DeclareReaction, thing: Thing
) -> tuple[int, bool]:
    """How many things the entity does with this one, and whether it focuses on it."""
    before, focus = moment.parts[command.entity], command.focus is True
    things = before.things + rules.TAKES[thing]
    if before.focus or (focus and things > 1):
        raise Refused("focus-is-one-thing", entity=command.entity, things=things)
    if things > MOST_THINGS:
        raise Refused("over-budget", entity=command.entity, things=things, most=MOST_THINGS)
    _extra(command.extra, things)
    return things, focus


def _extra(said: bool | UnsetType, things: int) -> None:
    """The third thing has its price, so it is said; and nothing else is called so."""
    if things > BUDGET and said is not True:
        raise Refused("extra-not-said", things=things, budget=BUDGET)
    if things <= BUDGET and said is True:
        raise Refused("nothing-extra", things=things, budget=BUDGET)


def _nth(moment: Moment) -> int:
    return len(moment.deeds) + 1


def _next(moment: Moment) -> Event:
    """Who declares next, upwards; after the best the turns begin."""
    place = moment.ids.index(moment.at) if moment.at is not UNSET else 0
    return SlotPassed(moment.ids[place - 1]) if place else course.first(moment)
