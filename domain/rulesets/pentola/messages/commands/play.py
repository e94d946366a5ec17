"""Commands about characters, what they intend, tests and usage dice; and the referee's hand."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.pentola.messages.commands.fields import (
    Approach,
    Bonuses,
    EntityId,
    Hardness,
    Held,
    Intent,
    Name,
    NewEntityId,
    NewName,
    OpponentId,
    OtherId,
    Power,
    Reason,
    Score,
    SeatId,
    Tested,
    UsageDie,
)
from domain.rulesets.pentola.rules import MOST_PERCENT, Bonus, Characteristic, Distance, Finding


class CreatePc(Message, frozen=True, tag="pentola.CreatePc"):
    """Bring a player character to the table."""

    entity: NewEntityId
    name: Name
    body: Score
    intellect: Score
    power: Power | UnsetType = UNSET
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="pentola.CreateNpc"):
    """Bring a character of the referee to the table."""

    entity: NewEntityId
    name: Name
    body: Score
    intellect: Score
    power: Power | UnsetType = UNSET


class CreateThing(Message, frozen=True, tag="pentola.CreateThing"):
    """Bring a thing or a place to the table, to be near to or far from."""

    entity: NewEntityId
    name: Name


class AddBonus(Message, frozen=True, tag="pentola.AddBonus"):
    """Write a bonus on a character's sheet."""

    entity: EntityId
    bonus: NewName
    source: Annotated[Bonus, Meta(description="what it stems from")]
    percent: Annotated[
        int, Meta(ge=1, le=MOST_PERCENT, description="percent that it adds to a goal")
    ]


class AddItem(Message, frozen=True, tag="pentola.AddItem"):
    """Give a character an item with a usage die."""

    entity: EntityId
    item: NewName
    die: UsageDie


class AddAbility(Message, frozen=True, tag="pentola.AddAbility"):
    """Give a character a special ability with a usage die."""

    entity: EntityId
    ability: NewName
    die: UsageDie


class DeclareIntent(Message, frozen=True, tag="pentola.DeclareIntent"):
    """Say what the character wants to come of it; how may be said at once or afterwards."""

    entity: EntityId
    intent: Intent
    approach: Approach | UnsetType = UNSET


class ExplainApproach(Message, frozen=True, tag="pentola.ExplainApproach"):
    """Say how the character goes about its intent."""

    entity: EntityId
    approach: Approach


class Withdraw(Message, frozen=True, tag="pentola.Withdraw"):
    """Drop what the character is about to do, before a die falls for it."""

    entity: EntityId


class RuleAutomatic(Message, frozen=True, tag="pentola.RuleAutomatic"):
    """Adjudicate without a test: it cannot fail, cannot succeed, or its failure would not matter."""

    entity: EntityId
    finding: Annotated[Finding, Meta(description="why no test is needed")]


class CallTest(Message, frozen=True, tag="pentola.CallTest"):
    """Adjudicate by a test: it can fail, it can succeed, and failure has meaningful consequences."""

    entity: EntityId
    characteristic: Tested
    difficulty: Hardness


class Oppose(Message, frozen=True, tag="pentola.Oppose"):
    """Let somebody oppose the test that was called."""

    entity: EntityId
    opponent: OpponentId
    characteristic: Tested
    difficulty: Hardness


class RuleBonus(Message, frozen=True, tag="pentola.RuleBonus"):
    """Decide in doubt whether a bonus applies to the character's next roll."""

    entity: EntityId
    bonus: Held
    applies: Annotated[bool, Meta(description="whether it may be added")]


class RollTest(Message, frozen=True, tag="pentola.RollTest"):
    """Roll d100 below the goal."""

    entity: EntityId
    bonuses: Bonuses | UnsetType = UNSET


class UseAbility(Message, frozen=True, tag="pentola.UseAbility"):
    """Use an ability and roll its usage die."""

    entity: EntityId
    ability: Held


class UseItem(Message, frozen=True, tag="pentola.UseItem"):
    """Use an item; its usage die is rolled a minute later."""

    entity: EntityId
    item: Held


class PassMinute(Message, frozen=True, tag="pentola.PassMinute"):
    """Let a minute pass: the usage dice of items used before may be rolled."""


class RollUsage(Message, frozen=True, tag="pentola.RollUsage"):
    """Roll the usage die of an item that was used a minute ago."""

    entity: EntityId
    item: Held


class SetDistance(Message, frozen=True, tag="pentola.SetDistance"):
    """Say how far two things or people are apart."""

    entity: EntityId
    other: OtherId
    distance: Annotated[Distance, Meta(description="from now on")]


class AdjustCharacteristic(Message, frozen=True, tag="pentola.AdjustCharacteristic"):
    """Set a characteristic's score."""

    entity: EntityId
    characteristic: Annotated[Characteristic, Meta(description="which")]
    score: Score
    reason: Reason


class AdjustBonus(Message, frozen=True, tag="pentola.AdjustBonus"):
    """Set the percent of a bonus."""

    entity: EntityId
    bonus: Held
    percent: Annotated[
        int, Meta(ge=0, le=MOST_PERCENT, description="percent that it adds to a goal")
    ]
    reason: Reason


class AdjustUsageDie(Message, frozen=True, tag="pentola.AdjustUsageDie"):
    """Refill an item or ability, or set its usage die."""

    entity: EntityId
    held: Held
    die: UsageDie
    reason: Reason


Character = CreatePc | CreateNpc | CreateThing | AddBonus | AddItem | AddAbility
Intention = DeclareIntent | ExplainApproach | Withdraw
Test = RuleAutomatic | CallTest | Oppose | RuleBonus | RollTest
Use = UseAbility | UseItem | PassMinute | RollUsage
Adjustment = SetDistance | AdjustCharacteristic | AdjustBonus | AdjustUsageDie
