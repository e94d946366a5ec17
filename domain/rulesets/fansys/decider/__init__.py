"""What the rules make of a command: events, or Refused before the first draw."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.fansys.decider import characters, checks, clock, combat, mastery, rolls, sheets
from domain.rulesets.fansys.messages.commands import Command
from domain.rulesets.fansys.messages.commands.characters import (
    Create,
    Equip,
    HandOver,
    LearnAttack,
    LearnSkill,
    LevelUp,
    SetDefence,
    SetModifier,
    SetProficiency,
    SetSpeed,
    TrainDice,
)
from domain.rulesets.fansys.messages.commands.checks import (
    Drop,
    FailWillingly,
    ForceSave,
    OpenCheck,
    OpenSave,
    Oppose,
    Roll,
    RuleCheck,
    SetTerms,
    Take,
)
from domain.rulesets.fansys.messages.commands.combat import Attack, Harm, Move, RollDamage
from domain.rulesets.fansys.messages.commands.mastery import (
    AdjustPool,
    AdjustStat,
    Grant,
    LiftCondition,
    PassTime,
    Rest,
    SetCondition,
    SetScene,
    SpendDice,
)
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.state import State


def decide(state: State, command: Command, by: By, chance: Chance) -> tuple[Event, ...]:
    """The events of the command; each chapter of the rules has its file."""
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case Create() | HandOver() | LevelUp() | TrainDice():
            return characters.decide(state, command, by)
        case (
            LearnSkill()
            | SetProficiency()
            | LearnAttack()
            | Equip()
            | SetSpeed()
            | SetDefence()
            | SetModifier()
        ):
            return sheets.decide(state, command, by)
        case OpenCheck() | OpenSave() | SetTerms() | ForceSave() | Oppose():
            return checks.decide(state, command, by)
        case Roll() | Take() | FailWillingly() | RuleCheck() | Drop():
            return rolls.decide(state, command, by, chance)
        case Attack() | RollDamage() | Harm() | Move():
            return combat.decide(state, command, by, chance)
        case (
            SpendDice()
            | Rest()
            | Grant()
            | SetCondition()
            | LiftCondition()
            | AdjustPool()
            | AdjustStat()
        ):
            return mastery.decide(state, command, by)
        case PassTime() | SetScene():
            return clock.decide(state, command, by)
        case _:
            raise TypeError(command)
