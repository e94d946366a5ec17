"""What the rules make of a command: events, or Refused before the first draw."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.dhextiny.decider import actions, adjustments, characters, mastery
from domain.rulesets.dhextiny.messages.commands import (
    AdjustAmx,
    AdjustAp,
    AdjustApMax,
    AdjustLp,
    AdjustStatus,
    Alter,
    AlterToF,
    Attack,
    Burn,
    Check,
    Command,
    CreateCreature,
    CreateNpc,
    CreatePc,
    DeathCheck,
    EndRound,
    Kill,
    MoveToken,
    NameAbility,
    PutOut,
    Rest,
    RollAbilities,
    SetAflame,
    Settle,
)
from domain.rulesets.dhextiny.messages.events import Event
from domain.rulesets.dhextiny.state import State


def decide(state: State, command: Command, by: By, chance: Chance) -> tuple[Event, ...]:
    """The events of the command; each chapter of the rules has its file."""
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case CreatePc() | CreateNpc() | CreateCreature() | RollAbilities() | NameAbility():
            return characters.decide(state, command, by, chance)
        case Check() | Attack() | PutOut() | Alter() | AlterToF() | Settle() | DeathCheck():
            return actions.decide(state, command, by, chance)
        case SetAflame() | EndRound() | Burn() | Rest() | Kill():
            return mastery.decide(state, command, by, chance)
        case AdjustAp() | AdjustApMax() | AdjustLp() | AdjustAmx() | AdjustStatus() | MoveToken():
            return adjustments.decide(state, command, by)
        case _:
            raise TypeError(command)
