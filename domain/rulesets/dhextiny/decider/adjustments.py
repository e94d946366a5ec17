"""The GM's hand: every number and status can be set, with a reason (RULES 11)."""

from __future__ import annotations

from domain.decider import By, Refused
from domain.rulesets.dhextiny import rules
from domain.rulesets.dhextiny.decider import guards
from domain.rulesets.dhextiny.messages.commands import (
    AdjustAmx,
    AdjustAp,
    AdjustApMax,
    AdjustLp,
    Adjustment,
    AdjustStatus,
    MoveToken,
)
from domain.rulesets.dhextiny.messages.events import (
    Adjusted,
    AmxAdjusted,
    Event,
    StatusAdjusted,
    TokenMoved,
)
from domain.rulesets.dhextiny.rules import Pool, Status
from domain.rulesets.dhextiny.state import State


def decide(state: State, command: Adjustment, by: By) -> tuple[Event, ...]:
    guards.master(by)
    match command:
        case AdjustAp():
            return _adjust_ap(state, command)
        case AdjustApMax():
            return _adjust_ap_max(state, command)
        case AdjustLp():
            return _adjust_lp(state, command)
        case AdjustAmx():
            return _adjust_amx(state, command)
        case AdjustStatus():
            return _adjust_status(state, command)
        case MoveToken():
            return _move_token(state, command)


def _adjust_ap(state: State, command: AdjustAp) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    _within_ap_max(state, command.ap, entity.ap_max)
    return (Adjusted(command.entity, Pool.AP, entity.ap, command.ap, command.reason),)


def _adjust_ap_max(state: State, command: AdjustApMax) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    _within_ap_max(state, entity.ap, command.ap_max)
    return (Adjusted(command.entity, Pool.AP_MAX, entity.ap_max, command.ap_max, command.reason),)


def _within_ap_max(state: State, ap: int, ap_max: int) -> None:
    if state.options.gains_stop_at_ap_max and ap > ap_max:
        raise Refused("over-ap-max", ap=ap, ap_max=ap_max)


def _adjust_lp(state: State, command: AdjustLp) -> tuple[Event, ...]:
    """LP decide between ok, dying and dead; only the dead stay as they are."""
    entity = guards.found(state, command.entity)
    if command.lp > entity.lp_start:
        raise Refused("over-starting-lp", lp=command.lp, start=entity.lp_start)
    adjusted = Adjusted(command.entity, Pool.LP, entity.lp, command.lp, command.reason)
    status = rules.status_at(command.lp, entity.dies_at)
    if entity.status in (Status.DEAD, status):
        return (adjusted,)
    return adjusted, StatusAdjusted(command.entity, entity.status, status, command.reason)


def _adjust_amx(state: State, command: AdjustAmx) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    ability = guards.knows(command.entity, entity, command.ability)
    return (AmxAdjusted(command.entity, command.ability, ability.amx, command.amx, command.reason),)


def _adjust_status(state: State, command: AdjustStatus) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    if command.status is not Status.DEAD and command.status is not rules.status_at(
        entity.lp, entity.dies_at
    ):
        raise Refused(
            "status-against-lp", entity=command.entity, status=command.status, lp=entity.lp
        )
    return (StatusAdjusted(command.entity, entity.status, command.status, command.reason),)


def _move_token(state: State, command: MoveToken) -> tuple[Event, ...]:
    guards.token_free(state)
    return (TokenMoved(state.point, command.point, command.reason),)
