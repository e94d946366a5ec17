"""What must hold before a command: who may, and what is there. Each finds what it guards, or refuses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.rules import Being, Bonus, Characteristic, Phase
from domain.rulesets.pentola.state import Action, Entity, Held, HeldBonus, Moment, Part, State


def referee(by: By) -> None:
    if not by.is_gm:
        raise Refused("gm-only", role=by.role)


def found(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    return state.entities[entity]


def character(state: State, entity: str) -> Entity:
    """One who has characteristics, and can intend and do."""
    of = found(state, entity)
    if of.being is Being.THING:
        raise Refused("not-a-character", entity=entity)
    return of


def own(state: State, entity: str, by: By) -> Entity:
    """A character that the seat speaks for: its own PC, or any for the referee."""
    of = found(state, entity)
    if not by.is_gm and not (of.being is Being.PC and of.seat == by.seat):
        raise Refused("not-yours", entity=entity, seat=of.seat)
    return character(state, entity)


def goal_of(entity: str, of: Entity, characteristic: Characteristic) -> int:
    """The base goal, in percent."""
    return rules.base(score_of(entity, of, characteristic))


def score_of(entity: str, of: Entity, characteristic: Characteristic) -> int:
    if characteristic not in of.scores:
        raise Refused("no-such-characteristic", entity=entity, characteristic=characteristic)
    return of.scores[characteristic]


def bonus(entity: str, of: Entity, name: str) -> HeldBonus:
    for known in of.bonuses:
        if known.name == name:
            return known
    raise Refused("no-such-bonus", entity=entity, bonus=name)


def highest(
    entity: str,
    of: Entity,
    names: Sequence[str] | UnsetType,
    sources: Sequence[Bonus] = tuple(Bonus),
) -> HeldBonus | None:
    """The one that counts of the bonuses that are named: only the highest is added."""
    known = [bonus(entity, of, name) for name in ([] if names is UNSET else names)]
    for one in known:
        if one.source not in sources:
            raise Refused("not-a-skill-or-vocation", bonus=one.name, source=one.source)
        if one.name in of.barred:
            raise Refused("bonus-barred", entity=entity, bonus=one.name)
    return max(known, key=lambda one: one.percent, default=None)


def held(entity: str, of: Entity, name: str) -> Held:
    for known in of.held:
        if known.name == name:
            return known
    raise Refused("not-held", entity=entity, held=name)


def room_on_sheet(entity: str, of: Entity, name: str) -> None:
    names = [*Characteristic, *(one.name for one in of.bonuses), *(one.name for one in of.held)]
    if name in names:
        raise Refused("name-taken", entity=entity, name=name)
    if len(of.bonuses) + len(of.held) >= rules.MOST_ON_A_SHEET:
        raise Refused("sheet-full", entity=entity, most=rules.MOST_ON_A_SHEET)


def open_action(state: State, entity: str) -> Action:
    """What the character is about to do, where no ruling has ended it."""
    action = state.actions.get(entity)
    if action is None or action.ruling is not UNSET:
        raise Refused("no-intent", entity=entity)
    return action


def is_busy(state: State, entity: str) -> bool:
    """Whether something that the character does still waits for its end."""
    action = state.actions.get(entity)
    return action is not None and action.ruling is UNSET


def not_testing(state: State, entity: str) -> None:
    if entity in state.tests:
        raise Refused("in-a-test", entity=entity, action=state.tests[entity].action)


def moment(state: State) -> Moment:
    if state.moment is UNSET:
        raise Refused("no-moment")
    return state.moment


def rolling(state: State) -> Moment:
    running = moment(state)
    if running.phase is not Phase.ROLLING:
        raise Refused("initiative-is-over", phase=running.phase)
    return running


def part(running: Moment, entity: str) -> Part:
    if entity not in running.parts:
        raise Refused("not-in-the-moment", entity=entity)
    return running.parts[entity]
