"""Commands about moments: who takes part, the order, what is declared."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.pentola.messages.commands.fields import (
    Bonuses,
    Counter,
    Deed,
    EntityId,
    Extra,
    Focus,
    Hardness,
    Intent,
    OtherId,
    Reason,
)
from domain.rulesets.pentola.rules import MOST_SIDES, MOST_THINGS


class StartMoment(Message, frozen=True, tag="pentola.StartMoment"):
    """Count time: start a moment, for which everyone in it rolls initiative."""

    entities: (
        Annotated[
            tuple[EntityId, ...],
            Meta(
                max_length=MOST_SIDES,
                description="who takes part; absent: as in the last moment, at first everyone",
            ),
        ]
        | UnsetType
    ) = UNSET


class SetInitiative(Message, frozen=True, tag="pentola.SetInitiative"):
    """Make somebody's initiative test easy, normal or hard."""

    entity: EntityId
    difficulty: Hardness


class RollInitiative(Message, frozen=True, tag="pentola.RollInitiative"):
    """Roll d100 against INT and a skill or vocation for the order of the moment."""

    entity: EntityId
    bonuses: Bonuses | UnsetType = UNSET


class RollRest(Message, frozen=True, tag="pentola.RollRest"):
    """Roll initiative for all of the referee's characters at once, when the players have rolled."""

    bonuses: Bonuses | UnsetType = UNSET


class DeclareAction(Message, frozen=True, tag="pentola.DeclareAction"):
    """Declare an action for this moment."""

    entity: EntityId
    intent: Intent
    approach: Deed
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET


class DeclareMove(Message, frozen=True, tag="pentola.DeclareMove"):
    """Declare a walk to what is near, or a sprint to what is distant."""

    entity: EntityId
    target: OtherId
    sprint: (
        Annotated[bool, Meta(description="run, and give up the reaction; absent: no")] | UnsetType
    ) = UNSET
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET


class DeclareReaction(Message, frozen=True, tag="pentola.DeclareReaction"):
    """Declare a reaction to an action that somebody lower in the order has declared."""

    entity: EntityId
    approach: Counter
    against: OtherId
    which: (
        Annotated[int, Meta(ge=1, le=MOST_THINGS, description="which action; absent: the first")]
        | UnsetType
    ) = UNSET
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET


class EndDeclaration(Message, frozen=True, tag="pentola.EndDeclaration"):
    """Say that the character has declared all it wants."""

    entity: EntityId


class EndMoment(Message, frozen=True, tag="pentola.EndMoment"):
    """Break the moment off."""

    reason: Reason


class SetOrder(Message, frozen=True, tag="pentola.SetOrder"):
    """Set the order of the moment by another way than initiative rolls."""

    entities: Annotated[
        tuple[EntityId, ...], Meta(max_length=MOST_SIDES, description="everyone in it, best first")
    ]
    reason: Reason


Initiative = StartMoment | SetInitiative | RollInitiative | RollRest | SetOrder | EndMoment
Declaration = DeclareAction | DeclareMove | DeclareReaction | EndDeclaration
