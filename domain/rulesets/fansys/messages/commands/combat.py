"""Commands: attacks, damage, movement."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.messages.commands.fields import (
    TEXT,
    AttackName,
    DamageDice,
    EntityId,
    Sides,
    SomeNature,
    Spiritual,
    TargetId,
)
from domain.rulesets.fansys.rules.words import Mode


class Attack(Message, frozen=True, tag="fansys.Attack"):
    """Roll 2d12 against the target's hit threshold, with an attack of the sheet or the bare hand."""

    entity: EntityId
    target: TargetId
    attack: AttackName | UnsetType = UNSET


class RollDamage(Message, frozen=True, tag="fansys.RollDamage"):
    """Roll the damage of an attack that hit: the target takes it."""

    entity: EntityId


class Harm(Message, frozen=True, tag="fansys.Harm"):
    """Do damage that is no attack's: points, or dice and points, whole or half."""

    entity: EntityId
    nature: SomeNature
    points: Annotated[int, Meta(ge=0, le=999, description="points of damage beside any dice")]
    cause: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what does it")
    ]
    dice: DamageDice | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    half: (
        Annotated[bool, Meta(description="whether it is halved, rounded down; absent: no")]
        | UnsetType
    ) = UNSET
    spiritual: Spiritual | UnsetType = UNSET


class Move(Message, frozen=True, tag="fansys.Move"):
    """Move within one round, one way."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the way of moving")]
    distance: Annotated[int, Meta(ge=1, le=39_996, description="feet")]
    sprint: (
        Annotated[bool, Meta(description="four times the speed and nothing else; absent: no")]
        | UnsetType
    ) = UNSET


Combat = Attack | RollDamage | Harm | Move
