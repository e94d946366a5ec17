"""What the rules make of a command: events, or Refused before the first draw."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.kingdoms.decider import adjustments, characters, preparation, rolling
from domain.rulesets.kingdoms.messages.commands import (
    AdjustPool,
    AdjustStat,
    AssemblePool,
    Command,
    CreateNpc,
    CreatePc,
    DeclareTest,
    DetermineDt,
    DropTest,
    EndTest,
    GrantDice,
    Interpret,
    NameStat,
    RollDice,
    RollTest,
    SetDt,
)
from domain.rulesets.kingdoms.messages.events import Event
from domain.rulesets.kingdoms.state import State


def decide(state: State, command: Command, by: By, chance: Chance) -> tuple[Event, ...]:
    """The events of the command; each chapter of the rules has its file."""
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case CreatePc() | CreateNpc() | NameStat():
            return characters.decide(state, command, by)
        case DeclareTest() | GrantDice() | AssemblePool() | SetDt() | DetermineDt():
            return preparation.decide(state, command, by)
        case RollTest() | Interpret() | EndTest() | RollDice():
            return rolling.decide(state, command, by, chance)
        case AdjustStat() | AdjustPool() | DropTest():
            return adjustments.decide(state, command, by)
        case _:
            raise TypeError(command)
