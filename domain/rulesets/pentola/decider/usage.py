"""Usage dice: an ability rolls at once, an item a minute after its use (RULES 6)."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.messages.commands.play import (
    PassMinute,
    RollUsage,
    Use,
    UseAbility,
    UseItem,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.play import ItemUsed, RollsDue, UsageRolled
from domain.rulesets.pentola.rules import Die, Usable
from domain.rulesets.pentola.state import Held, State


def decide(state: State, command: Use, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case UseAbility(entity, ability):
            held = _usable(state, by, entity, ability, Usable.ABILITY)
            return (_rolled(entity, held, chance),)
        case UseItem(entity, item):
            return _use_item(entity, _usable(state, by, entity, item, Usable.ITEM))
        case PassMinute():
            guards.referee(by)
            return _pass_minute(state)
        case RollUsage(entity, item):
            held = _usable(state, by, entity, item, Usable.ITEM)
            return (_rolled(entity, _released(entity, held, by), chance),)


def _usable(state: State, by: By, entity: str, name: str, usable: Usable) -> Held:
    held = guards.held(entity, guards.own(state, entity, by), name)
    if held.usable is not usable:
        raise Refused("not-such-a-use", held=name, usable=held.usable)
    if held.die is Die.EXPENDED:
        raise Refused("expended", entity=entity, held=name)
    return held


def _use_item(entity: str, item: Held) -> tuple[Event, ...]:
    if item.waiting + item.due >= rules.MOST_ROLLS:
        raise Refused("too-many-rolls", entity=entity, most=rules.MOST_ROLLS)
    return (ItemUsed(entity, item.name, item.waiting + 1),)


def _pass_minute(state: State) -> tuple[Event, ...]:
    waiting = sorted(
        (entity, item.name, item.due + item.waiting)
        for entity, of in state.entities.items()
        for item in of.held
        if item.waiting
    )
    if not waiting:
        raise Refused("nothing-used")
    return tuple(RollsDue(entity, item, due) for entity, item, due in waiting)


def _released(entity: str, item: Held, by: By) -> Held:
    """The item after one of its rolls; the referee is the clock, so for the referee the minute is over."""
    if not item.due and not item.waiting:
        raise Refused("nothing-used", entity=entity, held=item.name)
    if item.due:
        return Held(item.name, item.usable, item.die, item.waiting, item.due - 1)
    if not by.is_gm:
        raise Refused("minute-not-over", entity=entity, held=item.name)
    return Held(item.name, item.usable, item.die, item.waiting - 1, 0)


def _rolled(entity: str, held: Held, chance: Chance) -> UsageRolled:
    face = chance.draw(rules.SIDES[held.die])
    left = rules.stepped_down(held.die, face)
    due, waiting = (0, 0) if left is Die.EXPENDED else (held.due, held.waiting)
    return UsageRolled(entity, held.name, held.usable, held.die, face, left, due, waiting)
