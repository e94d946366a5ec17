"""What the rules make of a command: events, or Refused before the first draw."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.pentola.decider import (
    adjustments,
    characters,
    declarations,
    initiative,
    intentions,
    moments,
    testing,
    usage,
)
from domain.rulesets.pentola.messages.commands import Command
from domain.rulesets.pentola.messages.commands.moments import (
    DeclareAction,
    DeclareMove,
    DeclareReaction,
    EndDeclaration,
    EndMoment,
    RollInitiative,
    RollRest,
    SetInitiative,
    SetOrder,
    StartMoment,
)
from domain.rulesets.pentola.messages.commands.play import (
    AddAbility,
    AddBonus,
    AddItem,
    AdjustBonus,
    AdjustCharacteristic,
    AdjustUsageDie,
    CallTest,
    CreateNpc,
    CreatePc,
    CreateThing,
    DeclareIntent,
    ExplainApproach,
    Oppose,
    PassMinute,
    RollTest,
    RollUsage,
    RuleAutomatic,
    RuleBonus,
    SetDistance,
    UseAbility,
    UseItem,
    Withdraw,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.state import State


def decide(state: State, command: Command, by: By, chance: Chance) -> tuple[Event, ...]:
    """The events of the command; each chapter of the rules has its file."""
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case CreatePc() | CreateNpc() | CreateThing() | AddBonus() | AddItem() | AddAbility():
            return characters.decide(state, command, by)
        case DeclareIntent() | ExplainApproach() | Withdraw() | RuleAutomatic():
            return intentions.decide(state, command, by)
        case CallTest() | Oppose() | RuleBonus() | RollTest():
            return testing.decide(state, command, by, chance)
        case UseAbility() | UseItem() | PassMinute() | RollUsage():
            return usage.decide(state, command, by, chance)
        case StartMoment() | SetOrder() | EndMoment():
            return moments.decide(state, command, by)
        case SetInitiative() | RollInitiative() | RollRest():
            return initiative.decide(state, command, by, chance)
        case DeclareAction() | DeclareMove() | DeclareReaction() | EndDeclaration():
            return declarations.decide(state, command, by)
        case SetDistance() | AdjustCharacteristic() | AdjustBonus() | AdjustUsageDie():
            return adjustments.decide(state, command, by)
        case _:
            raise TypeError(command)
