"""Commands: pools, conditions, time, and the GM's hand."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.messages.commands.fields import (
    EntityId,
    NewThing,
    Reason,
    Score,
    SomeEnergy,
    SomeStat,
)
from domain.rulesets.fansys.rules.conditions import Condition
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.words import Gauge, Length, Scene, Unit


class SpendDice(Message, frozen=True, tag="fansys.SpendDice"):
    """Fuel a strong ability with SP or MP dice, at two points each."""

    entity: EntityId
    energy: SomeEnergy
    dice: Annotated[int, Meta(ge=1, le=360, description="how many")]
    ability: NewThing


class Rest(Message, frozen=True, tag="fansys.Rest"):
    """Let a character rest: half of its dice, points, and HP where the rest is long."""

    entity: EntityId
    length: Annotated[Length, Meta(description="a rest, or a long one of about a day")]
    care: (
        Annotated[bool, Meta(description="whether it has medical care all along; absent: no")]
        | UnsetType
    ) = UNSET


class Grant(Message, frozen=True, tag="fansys.Grant"):
    """Give advantage or disadvantage to an entity's next roll; several never stack."""

    entity: EntityId
    twist: Annotated[Twist, Meta(description="plain: take away what was granted")]
    reason: Reason


class SetCondition(Message, frozen=True, tag="fansys.SetCondition"):
    """Put an entity in a condition, for some rounds or until it is lifted."""

    entity: EntityId
    condition: Annotated[Condition, Meta(description="the condition")]
    rounds: (
        Annotated[int, Meta(ge=1, le=9999, description="rounds; absent: until lifted")] | UnsetType
    ) = UNSET


class LiftCondition(Message, frozen=True, tag="fansys.LiftCondition"):
    """Take an entity out of a condition."""

    entity: EntityId
    condition: Annotated[Condition, Meta(description="the condition")]


class PassTime(Message, frozen=True, tag="fansys.PassTime"):
    """Let time pass: conditions run out."""

    amount: Annotated[int, Meta(ge=1, le=1000, description="how many")]
    unit: Annotated[Unit, Meta(description="rounds, minutes, hours or days")]


class SetScene(Message, frozen=True, tag="fansys.SetScene"):
    """Say how safe the place is; it decides what may be taken and what may be learned."""

    scene: Annotated[Scene, Meta(description="safe, quiet (relatively safe), tense, or combat")]
    reason: Reason


class AdjustPool(Message, frozen=True, tag="fansys.AdjustPool"):
    """Set HP, SP, MP or the dice that are left."""

    entity: EntityId
    gauge: Annotated[Gauge, Meta(description="which of them")]
    now: Annotated[int, Meta(ge=-999, le=9999, description="what is left; only HP go below 0")]
    reason: Reason


class AdjustStat(Message, frozen=True, tag="fansys.AdjustStat"):
    """Set a stat; maxima follow."""

    entity: EntityId
    stat: SomeStat
    score: Score
    reason: Reason


Upkeep = SpendDice | Rest | Grant | SetCondition | LiftCondition | AdjustPool | AdjustStat
Time = PassTime | SetScene
Mastery = Upkeep | Time
