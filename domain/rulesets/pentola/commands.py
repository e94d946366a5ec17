"""Commands of Pentola, with the bounds of their fields.

Schemas, forms and the options of the command line are derived from them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.pentola.rules import (
    ACTIONS,
    MAX_ON_SHEET,
    MAX_PERCENT,
    MAX_SCORE,
    MAX_SIDES,
    MAX_THINGS,
    REACTIONS,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone matches before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
OpponentId = Annotated[
    str, Meta(pattern=ID, description="who opposes it; it defends", extra={"of": "entity"})
]
OtherId = Annotated[
    str, Meta(pattern=ID, description="the id of the other", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID, description="the seat that plays the PC; absent: your own", extra={"of": "seat"}
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name that everyone reads")
]
Score = Annotated[
    int, Meta(ge=1, le=MAX_SCORE, description="the score; the goal is three times as much")
]
Power = Annotated[
    int, Meta(ge=1, le=MAX_SCORE, description="POW, where the table plays with it; absent: none")
]
NewName = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="a new name on the sheet")
]
Held = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="a name on the sheet",
        extra={"of": "ability"},
    ),
]
Bonuses = Annotated[
    tuple[Held, ...],
    Meta(max_length=MAX_ON_SHEET, description="bonuses that are relevant; the highest counts"),
]
UsageDie = Annotated[Die, Meta(description="the usage die")]
Tested = Annotated[Characteristic, Meta(description="what is tested")]
Hardness = Annotated[Difficulty, Meta(description="easy doubles the goal, hard halves it")]
Text = Annotated[str, Meta(min_length=1, max_length=200, pattern=TEXT)]
Intent = Annotated[Text, Meta(description="the outcome that is wanted")]
Approach = Annotated[Text, Meta(description="how it is to be brought about")]
Declaration = Annotated[Text, Meta(description=f"how: {', '.join(ACTIONS)}, or anything else")]
Counter = Annotated[Text, Meta(description=f"how: {', '.join(REACTIONS)}, or anything else")]
Focus = Annotated[bool, Meta(description="the only thing this moment, one step easier; absent: no")]
Extra = Annotated[
    bool, Meta(description="the third thing: all tests this moment one step harder; absent: no")
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]


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
        int, Meta(ge=1, le=MAX_PERCENT, description="percent that it adds to a goal")
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
    """Declare what the character wants to achieve, and how, now or later."""

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
    """Rule without a test: it cannot fail or succeed, or failure does not matter."""

    entity: EntityId
    finding: Annotated[Finding, Meta(description="why no test is needed")]


class CallTest(Message, frozen=True, tag="pentola.CallTest"):
    """Call for a test: it can fail and succeed, and failure has consequences."""

    entity: EntityId
    characteristic: Tested
    difficulty: Hardness


class Oppose(Message, frozen=True, tag="pentola.Oppose"):
    """Let a character oppose the test that was called."""

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
        int, Meta(ge=0, le=MAX_PERCENT, description="percent that it adds to a goal")
    ]
    reason: Reason


class AdjustUsageDie(Message, frozen=True, tag="pentola.AdjustUsageDie"):
    """Refill an item or ability, or set its usage die."""

    entity: EntityId
    held: Held
    die: UsageDie
    reason: Reason


class StartMoment(Message, frozen=True, tag="pentola.StartMoment"):
    """Count time: start a moment, for which everyone in it rolls initiative."""

    entities: (
        Annotated[
            tuple[EntityId, ...],
            Meta(
                max_length=MAX_SIDES,
                description="who takes part; absent: as in the last moment, at first everyone",
            ),
        ]
        | UnsetType
    ) = UNSET


class SetInitiative(Message, frozen=True, tag="pentola.SetInitiative"):
    """Make an initiative test easy, normal or hard."""

    entity: EntityId
    difficulty: Hardness


class RollInitiative(Message, frozen=True, tag="pentola.RollInitiative"):
    """Roll d100 against INT and a skill or vocation for the order of the moment."""

    entity: EntityId
    bonuses: Bonuses | UnsetType = UNSET


class RollRest(Message, frozen=True, tag="pentola.RollRest"):
    """Roll initiative for all of the referee's characters, after the players."""

    bonuses: Bonuses | UnsetType = UNSET


class DeclareAction(Message, frozen=True, tag="pentola.DeclareAction"):
    """Declare an action for this moment."""

    entity: EntityId
    intent: Intent
    approach: Declaration
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
    """Declare a reaction to an action declared lower in the order."""

    entity: EntityId
    approach: Counter
    against: OtherId
    which: (
        Annotated[int, Meta(ge=1, le=MAX_THINGS, description="which action; absent: the first")]
        | UnsetType
    ) = UNSET
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET


class EndDeclaration(Message, frozen=True, tag="pentola.EndDeclaration"):
    """End the declarations of the character."""

    entity: EntityId


class EndMoment(Message, frozen=True, tag="pentola.EndMoment"):
    """Break the moment off."""

    reason: Reason


class SetOrder(Message, frozen=True, tag="pentola.SetOrder"):
    """Set the order of the moment by another way than initiative rolls."""

    entities: Annotated[
        tuple[EntityId, ...], Meta(max_length=MAX_SIDES, description="everyone in it, best first")
    ]
    reason: Reason


Command = (
    CreatePc
    | CreateNpc
    | CreateThing
    | AddBonus
    | AddItem
    | AddAbility
    | DeclareIntent
    | ExplainApproach
    | Withdraw
    | RuleAutomatic
    | CallTest
    | Oppose
    | RuleBonus
    | RollTest
    | UseAbility
    | UseItem
    | PassMinute
    | RollUsage
    | StartMoment
    | SetInitiative
    | RollInitiative
    | RollRest
    | SetOrder
    | EndMoment
    | DeclareAction
    | DeclareMove
    | DeclareReaction
    | EndDeclaration
    | SetDistance
    | AdjustCharacteristic
    | AdjustBonus
    | AdjustUsageDie
)
