"""What only the GM does to entities: fire, rest and death (RULES 7.5, 9.8 and 10)."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.dhextiny import rules
from domain.rulesets.dhextiny.decider import guards
from domain.rulesets.dhextiny.messages.commands import (
    Burn,
    EndRound,
    Kill,
    Mastery,
    Rest,
    SetAflame,
)
from domain.rulesets.dhextiny.messages.events import (
    Burned,
    CaughtFire,
    Event,
    Killed,
    Rested,
    Smouldered,
)
from domain.rulesets.dhextiny.state import State


def decide(state: State, command: Mastery, by: By, chance: Chance) -> tuple[Event, ...]:
    guards.master(by)
    match command:
        case SetAflame():
            return _set_aflame(state, command, chance)
        case EndRound():
            return _end_round(state)
        case Burn():
            return _burn(state, command)
        case Rest():
            return _rest(state, command)
        case Kill():
            return _kill(state, command)


def _set_aflame(state: State, command: SetAflame, chance: Chance) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    if entity.aflame:
        raise Refused("already-aflame", entity=command.entity, rounds=entity.aflame)
    return (
        CaughtFire(command.entity, chance.draw(rules.DIE)),
    )  # a plain roll: the token does not move


def _end_round(state: State) -> tuple[Event, ...]:
    burning = sorted((entity, of.aflame) for entity, of in state.entities.items() if of.aflame)
    if not burning:
        raise Refused("nothing-aflame")
    return tuple(Smouldered(entity, rounds - 1) for entity, rounds in burning)


def _burn(state: State, command: Burn) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    guards.alive(command.entity, entity)
    guards.aflame(command.entity, entity)
    lp = rules.lp_after(entity.lp, command.points)
    return (Burned(command.entity, entity.lp, lp, rules.status_at(lp, entity.dies_at)),)


def _rest(state: State, command: Rest) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    guards.awake(command.entity, entity)
    ap = max(entity.ap, entity.ap_max)  # gains without a cap may have gone above it
    return (Rested(command.entity, ap - entity.ap, ap),)


def _kill(state: State, command: Kill) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    guards.alive(command.entity, entity)
    return (Killed(command.entity, entity.status, command.reason),)
