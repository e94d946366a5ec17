"""What the rules make of a command: events, or Refused before the first draw."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.deckahedron.decider import adjustments, attempts, characters, decks
from domain.rulesets.deckahedron.messages.commands import (
    AdjustRanks,
    Attempt,
    Choose,
    Command,
    CreateCharacter,
    DistributeRanks,
    EndTurn,
    Flip,
    FlipNumber,
    Interpret,
    Introduce,
    MoveCard,
    OpenTurn,
    Reshuffle,
    Retire,
    SetDifficulty,
    TellOutcome,
    Withdraw,
)
from domain.rulesets.deckahedron.messages.events import Event
from domain.rulesets.deckahedron.state import State


def decide(state: State, command: Command, by: By, chance: Chance) -> tuple[Event, ...]:
    """The events of the command; each chapter of the rules has its file."""
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case CreateCharacter() | DistributeRanks() | Introduce() | Retire():
            return characters.decide(state, command, by)
        case (
            Attempt()
            | SetDifficulty()
            | TellOutcome()
            | Withdraw()
            | Flip()
            | Choose()
            | Interpret()
        ):
            return attempts.decide(state, command, by, chance)
        case OpenTurn() | EndTurn() | Reshuffle() | FlipNumber():
            return decks.decide(state, command, by, chance)
        case AdjustRanks() | MoveCard():
            return adjustments.decide(state, command, by)
        case _:
            raise TypeError(command)
