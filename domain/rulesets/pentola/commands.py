"""The commands of the Pentola ruleset, with the limits on their fields.

JSON schemas, forms and command-line options are generated from these classes.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.pentola.rules import (
    ACTIONS,
    MAX_MINUTES,
    MAX_ON_SHEET,
    MAX_PERCENT,
    MAX_ROUNDS,
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

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would also match before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"
LINES = r"^[^\x00-\x08\x0b-\x1f\x7f]+(?<!\n)$(?!\n)"  # may have line breaks, but not at the end

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lowercase letter, then lowercase letters, digits or hyphens",
    ),
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
OpponentId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the id of the opponent, who counts as a defender",
        extra={"of": "entity"},
    ),
]
OtherId = Annotated[
    str, Meta(pattern=ID, description="the other entity's id", extra={"of": "entity"})
]
ReceiverId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the id of the character who receives the item",
        extra={"of": "entity"},
    ),
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the PC (default: your own)",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name shown to everyone")
]
Score = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_SCORE,
        description="the score; each point makes a check 3 % likelier to succeed",
    ),
]
Body = Annotated[
    Score, Meta(title="Body (BOD)", description="what it can do with its body, such as climb")
]
Intellect = Annotated[
    Score, Meta(title="Intellect (INT)", description="what it knows, notices and works out")
]
Power = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_SCORE,
        title="Power (POW)",
        description="an optional score (default: the character has no POW)",
    ),
]
NewName = Annotated[
    str,
    Meta(
        min_length=1, max_length=80, pattern=TEXT, description="a name that is not yet on the sheet"
    ),
]
Held = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the name of an entry on the character's sheet",
        extra={"of": "ability"},
    ),
]
Uses = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the item or ability that is used (default: none, so nothing can be used)",
        extra={"of": "ability"},
    ),
]
Bonuses = Annotated[
    tuple[Held, ...],
    Meta(
        max_length=MAX_ON_SHEET,
        description="the relevant bonuses; only the highest one is added",
    ),
]
UsageDie = Annotated[Die, Meta(description="the usage die")]
Tested = Annotated[Characteristic, Meta(description="the characteristic to test")]
Hardness = Annotated[
    Difficulty, Meta(description="the difficulty: easy doubles the goal, hard halves it")
]
Text = Annotated[str, Meta(min_length=1, max_length=200, pattern=TEXT)]
Intent = Annotated[Text, Meta(description="what the character wants to achieve")]
Approach = Annotated[Text, Meta(description="how the character tries to achieve the outcome")]
Declaration = Annotated[
    Text, Meta(description=f"what the character does, such as {', '.join(ACTIONS)}")
]
Counter = Annotated[
    Text, Meta(description=f"how the character reacts, such as {', '.join(REACTIONS)}")
]
Focus = Annotated[
    bool, Meta(description="whether to focus: an easier test, but no other action (default: no)")
]
Extra = Annotated[
    bool, Meta(description="whether this is a third action or reaction (default: no)")
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason to record in the log"),
]
Result = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=LINES,
        description='what happens as a result, such as "the guard lets you pass"',
    ),
]
Aim = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description='what the roll is for, such as "pick the lock"',
    ),
]
ConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description='the name of the condition, such as "hexed"',
    ),
]
HeldConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description="the name of one of the conditions of the character, thing or place",
        extra={"of": "condition"},
    ),
]


class CreatePc(Message, frozen=True, tag="pentola.CreatePc"):
    """Create a player character."""

    entity: NewEntityId
    name: Name
    body: Body
    intellect: Intellect
    power: Power | UnsetType = UNSET
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="pentola.CreateNpc"):
    """Create a non-player character, which the referee plays."""

    entity: NewEntityId
    name: Name
    body: Body
    intellect: Intellect
    power: Power | UnsetType = UNSET


class CreateThing(Message, frozen=True, tag="pentola.CreateThing"):
    """Create a thing or place, for example to set distances to it."""

    entity: NewEntityId
    name: Name


class Retire(Message, frozen=True, tag="pentola.Retire"):
    """Remove a character, thing or place from the story permanently."""

    entity: EntityId
    reason: Reason


class AddBonus(Message, frozen=True, tag="pentola.AddBonus"):
    """Add what a character is trained in or helped by, such as locks +20."""

    entity: EntityId
    bonus: NewName
    source: Annotated[Bonus, Meta(description="the origin of the bonus")]
    percent: Annotated[
        int, Meta(ge=1, le=MAX_PERCENT, description="the percentage that the bonus adds to a goal")
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


class GiveItem(Message, frozen=True, tag="pentola.GiveItem"):
    """Hand an item to another character, with its usage die and pending rolls."""

    entity: EntityId
    item: Held
    to: ReceiverId


class DeclareIntent(Message, frozen=True, tag="pentola.DeclareIntent"):
    """Declare what the character wants to achieve, and optionally how."""

    entity: EntityId
    intent: Intent
    approach: Approach | UnsetType = UNSET


class ExplainApproach(Message, frozen=True, tag="pentola.ExplainApproach"):
    """Explain how the character tries to achieve its declared intent."""

    entity: EntityId
    approach: Approach


class Withdraw(Message, frozen=True, tag="pentola.Withdraw"):
    """Withdraw a character's action before any die is rolled for it."""

    entity: EntityId


class RuleAutomatic(Message, frozen=True, tag="pentola.RuleAutomatic"):
    """Rule that an action succeeds or fails without a test."""

    entity: EntityId
    finding: Annotated[Finding, Meta(description="the reason why no test is needed")]
    result: Result | UnsetType = UNSET


class CallTest(Message, frozen=True, tag="pentola.CallTest"):
    """Call for a test of an action that might fail, if failure would matter."""

    entity: EntityId
    characteristic: Tested
    difficulty: Hardness
    aim: Aim | UnsetType = UNSET


class DemandTest(Message, frozen=True, tag="pentola.DemandTest"):
    """Demand a test that is not part of a declared action, such as "test BOD or fall"."""

    entity: EntityId
    characteristic: Tested
    difficulty: Hardness
    aim: Aim | UnsetType = UNSET


class Oppose(Message, frozen=True, tag="pentola.Oppose"):
    """Name a character who opposes the action being tested."""

    entity: EntityId
    opponent: OpponentId
    characteristic: Tested
    difficulty: Hardness
    competes: (
        Annotated[
            bool,
            Meta(
                description="whether the opponent may oppose without a declared reaction, for"
                " example in a race (default: no)"
            ),
        ]
        | UnsetType
    ) = UNSET
    aim: Aim | UnsetType = UNSET


class ChangeTest(Message, frozen=True, tag="pentola.ChangeTest"):
    """Change a character's test before any die is rolled for the action."""

    entity: EntityId
    characteristic: Tested
    difficulty: Hardness
    reason: Reason
    aim: Aim | UnsetType = UNSET


class CallOff(Message, frozen=True, tag="pentola.CallOff"):
    """Call off a character's test before any die is rolled for the action."""

    entity: EntityId
    reason: Reason


class RuleBonus(Message, frozen=True, tag="pentola.RuleBonus"):
    """Decide whether a doubtful bonus applies to the character's next roll."""

    entity: EntityId
    bonus: Held
    applies: Annotated[bool, Meta(description="whether the bonus applies")]


class RollTest(Message, frozen=True, tag="pentola.RollTest"):
    """Roll d100 for the character's test. A roll below the goal succeeds."""

    entity: EntityId
    bonuses: Bonuses | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class UseAbility(Message, frozen=True, tag="pentola.UseAbility"):
    """Use an ability and roll its usage die."""

    entity: EntityId
    ability: Held
    aim: Aim | UnsetType = UNSET


class UseItem(Message, frozen=True, tag="pentola.UseItem"):
    """Use an item. Its usage die is rolled a minute of game time later."""

    entity: EntityId
    item: Held
    aim: Aim | UnsetType = UNSET


class PassMinute(Message, frozen=True, tag="pentola.PassMinute"):
    """Let a minute or more pass for usage dice and conditions."""

    minutes: (
        Annotated[
            int, Meta(ge=1, le=MAX_MINUTES, description="the number of minutes (default: one)")
        ]
        | UnsetType
    ) = UNSET


class RollUsage(Message, frozen=True, tag="pentola.RollUsage"):
    """Roll the usage die of an item that was used a minute ago."""

    entity: EntityId
    item: Held
    aim: Aim | UnsetType = UNSET


class SetDistance(Message, frozen=True, tag="pentola.SetDistance"):
    """Set the distance between two characters, things or places."""

    entity: EntityId
    other: OtherId
    distance: Annotated[Distance, Meta(description="the new distance")]


class SetCondition(Message, frozen=True, tag="pentola.SetCondition"):
    """Give a character, thing or place a condition.

    Setting a condition again replaces its duration and note.
    """

    entity: EntityId
    name: ConditionName
    rounds: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_ROUNDS,
                description="the duration in moments (default: until the referee ends it)",
            ),
        ]
        | UnsetType
    ) = UNSET
    minutes: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_MINUTES,
                description="the duration in minutes (default: until the referee ends it)",
            ),
        ]
        | UnsetType
    ) = UNSET
    note: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                pattern=TEXT,
                description='what the condition does, such as "all tests are hard"',
            ),
        ]
        | UnsetType
    ) = UNSET


class EndCondition(Message, frozen=True, tag="pentola.EndCondition"):
    """End a condition of a character, thing or place."""

    entity: EntityId
    name: HeldConditionName
    reason: Reason


class Harm(Message, frozen=True, tag="pentola.Harm"):
    """Reduce a character's hit points. At 0, the character is dead."""

    entity: EntityId
    points: Annotated[int, Meta(ge=1, le=MAX_SCORE, description="the number of hit points to lose")]
    reason: Reason


class Heal(Message, frozen=True, tag="pentola.Heal"):
    """Restore a character's hit points, up to the maximum."""

    entity: EntityId
    points: Annotated[
        int, Meta(ge=1, le=MAX_SCORE, description="the number of hit points to regain")
    ]
    reason: Reason


class AdjustCharacteristic(Message, frozen=True, tag="pentola.AdjustCharacteristic"):
    """Set the score of a character's characteristic."""

    entity: EntityId
    characteristic: Annotated[Characteristic, Meta(description="the characteristic to set")]
    score: Score
    reason: Reason


class AdjustBonus(Message, frozen=True, tag="pentola.AdjustBonus"):
    """Set the percentage that a bonus adds to a goal."""

    entity: EntityId
    bonus: Held
    percent: Annotated[
        int, Meta(ge=0, le=MAX_PERCENT, description="the percentage that the bonus adds to a goal")
    ]
    reason: Reason


class AdjustUsageDie(Message, frozen=True, tag="pentola.AdjustUsageDie"):
    """Set the usage die of an item or ability, for example to refill it."""

    entity: EntityId
    held: Held
    die: UsageDie
    reason: Reason


class StartMoment(Message, frozen=True, tag="pentola.StartMoment"):
    """Start a moment, beginning with an initiative roll for every participant."""

    entities: (
        Annotated[
            tuple[EntityId, ...],
            Meta(
                max_length=MAX_SIDES,
                description="the participants (default: as in the last moment, or all characters)",
            ),
        ]
        | UnsetType
    ) = UNSET
    aim: Aim | UnsetType = UNSET


class SetInitiative(Message, frozen=True, tag="pentola.SetInitiative"):
    """Set the difficulty of a participant's initiative test."""

    entity: EntityId
    difficulty: Hardness
    aim: Aim | UnsetType = UNSET


class RollInitiative(Message, frozen=True, tag="pentola.RollInitiative"):
    """Roll d100 against INT for initiative, with an optional skill or vocation bonus."""

    entity: EntityId
    bonuses: Bonuses | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class RollRest(Message, frozen=True, tag="pentola.RollRest"):
    """Roll initiative for all remaining NPCs after all players have rolled.

    The dice are rolled in the order in which the NPCs were named when the moment began.
    """

    bonuses: Bonuses | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class DeclareAction(Message, frozen=True, tag="pentola.DeclareAction"):
    """Declare an action for the current moment."""

    entity: EntityId
    intent: Intent
    approach: Declaration
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET
    uses: Uses | UnsetType = UNSET


class DeclareMove(Message, frozen=True, tag="pentola.DeclareMove"):
    """Declare a walk or a sprint, towards a target or away from it."""

    entity: EntityId
    target: OtherId
    sprint: (
        Annotated[
            bool,
            Meta(description="whether to sprint, which also uses up the reaction (default: no)"),
        ]
        | UnsetType
    ) = UNSET
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET
    away: (
        Annotated[
            bool, Meta(description="whether to move away from the target (default: towards it)")
        ]
        | UnsetType
    ) = UNSET


class DeclareReaction(Message, frozen=True, tag="pentola.DeclareReaction"):
    """Declare a reaction to an action by a participant lower in the turn order."""

    entity: EntityId
    approach: Counter
    against: OtherId
    which: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MAX_THINGS,
                description="which of the other entity's actions to react to (default: the first)",
            ),
        ]
        | UnsetType
    ) = UNSET
    focus: Focus | UnsetType = UNSET
    extra: Extra | UnsetType = UNSET
    uses: Uses | UnsetType = UNSET


class DropReaction(Message, frozen=True, tag="pentola.DropReaction"):
    """Drop the character's declared reaction to the action whose turn it is."""

    entity: EntityId


class EndDeclaration(Message, frozen=True, tag="pentola.EndDeclaration"):
    """Stop declaring actions and reactions for this moment."""

    entity: EntityId


class EndMoment(Message, frozen=True, tag="pentola.EndMoment"):
    """End the current moment early."""

    reason: Reason


class SetOrder(Message, frozen=True, tag="pentola.SetOrder"):
    """Set the turn order without initiative rolls."""

    entities: Annotated[
        tuple[EntityId, ...], Meta(max_length=MAX_SIDES, description="all participants, best first")
    ]
    reason: Reason


Command = (
    CreatePc
    | CreateNpc
    | CreateThing
    | Retire
    | AddBonus
    | AddItem
    | AddAbility
    | GiveItem
    | DeclareIntent
    | ExplainApproach
    | Withdraw
    | RuleAutomatic
    | CallTest
    | DemandTest
    | Oppose
    | ChangeTest
    | CallOff
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
    | DropReaction
    | EndDeclaration
    | SetDistance
    | SetCondition
    | EndCondition
    | Harm
    | Heal
    | AdjustCharacteristic
    | AdjustBonus
    | AdjustUsageDie
)
