"""The commands and events of Kingdoms and Rulers.

The limits in JSON schemas and forms come from the types of the command fields.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.kingdoms.rules import (
    MAX_ADDED,
    MAX_CONDITION_MINUTES,
    MAX_CONDITION_ROUNDS,
    MAX_PLAIN_DICE,
    MAX_SOURCES,
    MAX_STAT,
    MIN_STAT,
    Being,
    PoolTestKind,
    Refill,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would also match before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"
LINES = r"^[^\x00-\x08\x0b-\x1f\x7f]+(?<!\n)$(?!\n)"  # may have line breaks, but not at the end

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lowercase letter,"
        " then up to 31 lowercase letters, digits or hyphens",
    ),
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
RollerId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the id of the entity that rolls (default: none, so your seat rolls)",
        extra={"of": "entity"},
    ),
]
TestedId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the id of the entity whose last margin this roll is based on (default: none)",
        extra={"of": "entity"},
    ),
]
OpponentId = Annotated[
    str, Meta(pattern=ID, description="the opponent's id", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the PC (default: your own; the GR must name one)",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name shown to everyone")
]
NewStatName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="the name of the new stat or proficiency",
    ),
]
StatName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="the name of a stat on the entity's sheet",
        extra={"of": "ability"},
    ),
]
WaitingStatName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="the name of a stat that awaits approval (default: all such stats)",
    ),
]
Value = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the stat's value")]
Con = Annotated[
    int,
    Meta(
        ge=MIN_STAT,
        le=MAX_STAT,
        title="Constitution",
        description="the value of CON, for matters of the body",
    ),
]
Cha = Annotated[
    int,
    Meta(
        ge=MIN_STAT,
        le=MAX_STAT,
        title="Charisma",
        description="the value of CHA, for matters between people",
    ),
]
Stats = Annotated[
    tuple[StatName, ...],
    Meta(max_length=MAX_SOURCES, description="the stats that apply to the test"),
]
OpponentStats = Annotated[
    tuple[StatName, ...],
    Meta(max_length=MAX_SOURCES, description="the opponent's stats to add up for the DT"),
]
HalvedStats = Annotated[
    tuple[StatName, ...],
    Meta(
        max_length=MAX_SOURCES,
        description="the opponent's stats of which half (each rounded down) is added to the DT"
        " (default: none)",
    ),
]
OwnStats = Annotated[
    tuple[StatName, ...],
    Meta(
        max_length=MAX_SOURCES,
        description="the entity's own stats to subtract from the DT (default: none)",
    ),
]
Dice = Annotated[
    tuple[
        Annotated[
            int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the number of dice from one source")
        ],
        ...,
    ],
    Meta(
        max_length=2 * MAX_SOURCES,
        description="the number of dice to use from each source: first the test's stats, in order,"
        " then the bonus dice (default: all dice)",
    ),
]
Dt = Annotated[
    int,
    Meta(ge=-99, le=99, description="the DT, from 1 to 12 (a die that rolls higher is a success)"),
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
    Meta(min_length=1, max_length=60, pattern=TEXT, description="the name of the condition"),
]
HeldConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description="the name of one of the entity's conditions",
        extra={"of": "condition"},
    ),
]
Note = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="what the condition does"),
]
Rounds = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_CONDITION_ROUNDS,
        description="the duration in rounds (default: until the GR ends it)",
    ),
]
Minutes = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_CONDITION_MINUTES,
        description="the duration in minutes (default: until the GR ends it)",
    ),
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason, recorded in the log"),
]


# Commands


class CreatePc(Message, frozen=True, tag="kingdoms.CreatePc"):
    """Create a player character."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="kingdoms.CreateNpc"):
    """Create an NPC: a character or thing that the GR plays."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha


class Retire(Message, frozen=True, tag="kingdoms.Retire"):
    """Remove a PC or NPC from the story permanently."""

    entity: EntityId
    reason: Reason


class NameStat(Message, frozen=True, tag="kingdoms.NameStat"):
    """Add a stat to an entity's sheet.

    If the session requires approval, a stat added by a player must be approved by the GR.
    """

    entity: EntityId
    stat: NewStatName
    value: Value


class RenameStat(Message, frozen=True, tag="kingdoms.RenameStat"):
    """Change the name of a stat on an entity's sheet."""

    entity: EntityId
    stat: StatName
    name: NewStatName
    reason: Reason


class RemoveStat(Message, frozen=True, tag="kingdoms.RemoveStat"):
    """Remove a stat from an entity's sheet."""

    entity: EntityId
    stat: StatName
    reason: Reason


class ApproveStats(Message, frozen=True, tag="kingdoms.ApproveStats"):
    """Approve stats that wait for approval and add them to the sheet."""

    entity: EntityId
    stat: WaitingStatName | UnsetType = UNSET


class RejectStats(Message, frozen=True, tag="kingdoms.RejectStats"):
    """Reject stats that wait for approval."""

    entity: EntityId
    reason: Reason
    stat: WaitingStatName | UnsetType = UNSET


class DeclareTest(Message, frozen=True, tag="kingdoms.DeclareTest"):
    """Declare a test for an entity and name the stats that apply."""

    entity: EntityId
    test: Annotated[
        PoolTestKind,
        Meta(description="basic (one roll) or extended (several rolls with a changing pool)"),
    ]
    stats: Stats
    refill: (
        Annotated[Refill, Meta(description="the stat that refills the pool in an extended test")]
        | UnsetType
    ) = UNSET
    aim: Aim | UnsetType = UNSET


class GrantDice(Message, frozen=True, tag="kingdoms.GrantDice"):
    """Grant bonus dice for a test.

    In a basic test, this is possible before the pool is assembled. In an extended test, it is also
    possible between the rolls.
    """

    entity: EntityId
    source: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=40,
            pattern=TEXT,
            description="a short name for the source of the bonus dice",
        ),
    ]
    dice: Annotated[int, Meta(ge=1, le=MAX_STAT, description="the number of bonus dice")]


class AssemblePool(Message, frozen=True, tag="kingdoms.AssemblePool"):
    """Assemble the dice pool for a test from its stats and bonus dice."""

    entity: EntityId
    dice: Dice | UnsetType = UNSET


class SetDt(Message, frozen=True, tag="kingdoms.SetDt"):
    """Set the Difficulty Threshold (DT) for the next roll of a test."""

    entity: EntityId
    dt: Dt


class DetermineDt(Message, frozen=True, tag="kingdoms.DetermineDt"):
    """Compute the next roll's Difficulty Threshold (DT) from an opponent's stats."""

    entity: EntityId
    opponent: OpponentId
    stats: OpponentStats
    less: OwnStats | UnsetType = UNSET


class ComputeDt(Message, frozen=True, tag="kingdoms.ComputeDt"):
    """Compute the next roll's Difficulty Threshold (DT) from a number and stats.

    An example is "6 less Cunning". An opponent's stats can be added in full or by half.
    """

    entity: EntityId
    constant: Annotated[
        int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the number to start from, for example 6")
    ]
    less: OwnStats | UnsetType = UNSET
    opponent: OpponentId | UnsetType = UNSET
    stats: OpponentStats | UnsetType = UNSET
    halved: HalvedStats | UnsetType = UNSET


class RollTest(Message, frozen=True, tag="kingdoms.RollTest"):
    """Roll the dice pool for a test."""

    entity: EntityId
    aim: Aim | UnsetType = UNSET


class RunBasicTest(Message, frozen=True, tag="kingdoms.RunBasicTest"):
    """Run a basic test up to its roll in one step, with all dice of the stats."""

    entity: EntityId
    stats: Stats
    dt: Dt
    aim: Aim | UnsetType = UNSET


class Interpret(Message, frozen=True, tag="kingdoms.Interpret"):
    """Describe what the last roll means in the story.

    This ends a basic test. In an extended test, the failed dice are removed and the pool is
    refilled.
    """

    entity: EntityId
    text: Annotated[
        str, Meta(min_length=1, max_length=4000, pattern=LINES, description="what the roll means")
    ]


class EndTest(Message, frozen=True, tag="kingdoms.EndTest"):
    """End an extended test."""

    entity: EntityId


class RollDice(Message, frozen=True, tag="kingdoms.RollDice"):
    """Roll dice (XdN) outside a test and add up the results."""

    dice: Annotated[int, Meta(ge=1, le=MAX_PLAIN_DICE, description="X, the number of dice")]
    # The list of commands shows the odds of an example. The smallest die keeps these odds short.
    sides: Annotated[
        int,
        Meta(
            ge=2,
            le=100,
            description="N, the number of sides: 4, 6, 8, 10, 12, 20 or 100",
            extra={"first": 4},
        ),
    ]
    entity: RollerId | UnsetType = UNSET
    purpose: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=80,
                pattern=TEXT,
                description="what the sum represents, for example damage",
            ),
        ]
        | UnsetType
    ) = UNSET
    add: (
        Annotated[
            int,
            Meta(
                ge=-MAX_ADDED,
                le=MAX_ADDED,
                description="a number to add to the sum, or to subtract if it is negative",
            ),
        ]
        | UnsetType
    ) = UNSET
    margin_of: TestedId | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class AdjustStat(Message, frozen=True, tag="kingdoms.AdjustStat"):
    """Change the value of a stat on an entity's sheet."""

    entity: EntityId
    stat: StatName
    value: Value
    reason: Reason


class ChangeStat(Message, frozen=True, tag="kingdoms.ChangeStat"):
    """Raise or lower a stat by a number, for example to apply damage."""

    entity: EntityId
    stat: StatName
    by: Annotated[
        int,
        Meta(
            ge=MIN_STAT - MAX_STAT,
            le=MAX_STAT - MIN_STAT,
            description="the number to add to the stat, or to subtract if it is negative",
        ),
    ]
    reason: Reason


class AdjustPool(Message, frozen=True, tag="kingdoms.AdjustPool"):
    """Set the number of dice in a test's pool."""

    entity: EntityId
    dice: Annotated[int, Meta(ge=0, le=999, description="the new number of dice in the pool")]
    reason: Reason


class DropTest(Message, frozen=True, tag="kingdoms.DropTest"):
    """Cancel a test at any stage."""

    entity: EntityId
    reason: Reason


class SetCondition(Message, frozen=True, tag="kingdoms.SetCondition"):
    """Give an entity a condition for rounds or minutes, or until the GR ends it.

    Setting a condition again replaces its duration and note.
    """

    entity: EntityId
    name: ConditionName
    rounds: Rounds | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    note: Note | UnsetType = UNSET


class EndCondition(Message, frozen=True, tag="kingdoms.EndCondition"):
    """End an entity's condition."""

    entity: EntityId
    name: HeldConditionName
    reason: Reason


class EndRound(Message, frozen=True, tag="kingdoms.EndRound"):
    """End a round and shorten every condition that lasts for rounds by one round."""


class PassMinutes(Message, frozen=True, tag="kingdoms.PassMinutes"):
    """Let minutes pass and shorten every condition that lasts for minutes."""

    minutes: Annotated[
        int,
        Meta(ge=1, le=MAX_CONDITION_MINUTES, description="the number of minutes that pass"),
    ]


Command = (
    CreatePc
    | CreateNpc
    | Retire
    | NameStat
    | RenameStat
    | RemoveStat
    | ApproveStats
    | RejectStats
    | DeclareTest
    | GrantDice
    | AssemblePool
    | SetDt
    | DetermineDt
    | ComputeDt
    | RollTest
    | RunBasicTest
    | Interpret
    | EndTest
    | RollDice
    | AdjustStat
    | ChangeStat
    | AdjustPool
    | DropTest
    | SetCondition
    | EndCondition
    | EndRound
    | PassMinutes
)


# Events. Their fields have no limits, so that old logs stay readable if command limits change.


class StatValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A stat and its value at the time of the event."""

    name: str
    value: int


class DiceSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A source of dice for a pool and the number of dice that it contributes."""

    name: str
    dice: int


class EntityCreated(Message, frozen=True, tag="kingdoms.EntityCreated"):
    entity: str
    name: str
    being: Being
    seat: str
    con: int
    cha: int


class Retired(Message, frozen=True, tag="kingdoms.Retired"):
    entity: str
    reason: str


class StatNamed(Message, frozen=True, tag="kingdoms.StatNamed"):
    entity: str
    stat: str
    value: int


class StatRenamed(Message, frozen=True, tag="kingdoms.StatRenamed"):
    entity: str
    old: str
    new: str
    reason: str


class StatRemoved(Message, frozen=True, tag="kingdoms.StatRemoved"):
    entity: str
    stat: str
    value: int
    reason: str


class StatProposed(Message, frozen=True, tag="kingdoms.StatProposed"):
    """A player added a stat, which awaits approval."""

    entity: str
    stat: str
    value: int


class StatRejected(Message, frozen=True, tag="kingdoms.StatRejected"):
    entity: str
    stat: str
    value: int
    reason: str


class TestDeclared(Message, frozen=True, tag="kingdoms.TestDeclared"):
    """A test was declared.

    `refill` is unset if the test is basic.
    """

    entity: str
    test: PoolTestKind
    stats: tuple[str, ...]
    refill: Refill | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class DiceGranted(Message, frozen=True, tag="kingdoms.DiceGranted"):
    """Bonus dice were granted for a test.

    `pool` is the size of the pool with these dice, or unset if there is no pool yet.
    """

    entity: str
    source: str
    dice: int
    pool: int | UnsetType = UNSET


class PoolAssembled(Message, frozen=True, tag="kingdoms.PoolAssembled"):
    """The dice pool for a test was assembled.

    `pool` is the total number of dice from all sources, or 0 if the total is negative.
    """

    entity: str
    sources: tuple[DiceSource, ...]
    pool: int


class DtSet(Message, frozen=True, tag="kingdoms.DtSet"):
    """The GR set the Difficulty Threshold (DT) for a test.

    `old` is the previous DT, or unset if there was none.
    """

    entity: str
    dt: int
    old: int | UnsetType = UNSET


class DtDetermined(Message, frozen=True, tag="kingdoms.DtDetermined"):
    """The Difficulty Threshold (DT) was computed from an opponent's stats.

    `computed` is the sum of the opponent's `stats` minus the sum of the entity's own stats in
    `less`. `dt` is the valid DT nearest to `computed`.
    """

    entity: str
    opponent: str
    stats: tuple[StatValue, ...]
    less: tuple[StatValue, ...]
    computed: int
    dt: int
    old: int | UnsetType = UNSET


class DtComputed(Message, frozen=True, tag="kingdoms.DtComputed"):
    """The Difficulty Threshold (DT) was computed from a number and stats.

    `computed` is the sum of `constant`, the opponent's `stats` and half of each of the opponent's
    stats in `halved`, minus the sum of the entity's own stats in `less`. `dt` is the valid DT
    nearest to `computed`. `halved` contains the full values of these stats.
    """

    entity: str
    constant: int
    stats: tuple[StatValue, ...]
    halved: tuple[StatValue, ...]
    less: tuple[StatValue, ...]
    computed: int
    dt: int
    opponent: str | UnsetType = UNSET
    old: int | UnsetType = UNSET


class TestRolled(Message, frozen=True, tag="kingdoms.TestRolled"):
    """The dice pool for a test was rolled for the `nth` time.

    `failed` is the number of dice that failed. `total` is the sum of the margins of all rolls so
    far. `passed` is unset in an extended test.
    """

    entity: str
    test: PoolTestKind
    nth: int
    pool: int
    dt: int
    twelve_succeeds: bool
    faces: tuple[int, ...]
    successes: int
    failures: int
    margin: int
    failed: int
    total: int
    passed: bool | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Interpreted(Message, frozen=True, tag="kingdoms.Interpreted"):
    entity: str
    nth: int
    text: str


class Refilled(Message, frozen=True, tag="kingdoms.Refilled"):
    """The pool was refilled after roll number `nth` and now contains `pool` dice.

    First, `removed` failed dice were taken out. Then `added` dice were added for `stat`, which had
    the value `value`. If `added` is negative, dice were removed instead.
    """

    entity: str
    nth: int
    removed: int
    stat: Refill
    value: int
    added: int
    pool: int


class TestEnded(Message, frozen=True, tag="kingdoms.TestEnded"):
    """A test ended after `rolls` rolls, with `pool` dice left in its pool.

    `total` is the sum of the margins of all rolls.
    """

    entity: str
    test: PoolTestKind
    rolls: int
    total: int
    pool: int


class DiceRolled(Message, frozen=True, tag="kingdoms.DiceRolled"):
    """Dice were rolled outside a test, so only their sum counts.

    If a seat rolled without an entity, `entity` is `@` followed by the seat's id. `sum` includes
    `added`. `margin_of` is the entity whose test this roll is based on, and `margin` is the margin
    of the last roll in that test.
    """

    entity: str
    sides: int
    faces: tuple[int, ...]
    sum: int
    purpose: str | UnsetType = UNSET
    added: int | UnsetType = UNSET
    margin_of: str | UnsetType = UNSET
    margin: int | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class StatAdjusted(Message, frozen=True, tag="kingdoms.StatAdjusted"):
    entity: str
    stat: str
    old: int
    new: int
    reason: str


class PoolAdjusted(Message, frozen=True, tag="kingdoms.PoolAdjusted"):
    entity: str
    old: int
    new: int
    reason: str


class TestDropped(Message, frozen=True, tag="kingdoms.TestDropped"):
    """A test was cancelled while its pool had `pool` dice."""

    entity: str
    test: PoolTestKind
    pool: int
    reason: str


class ConditionSet(Message, frozen=True, tag="kingdoms.ConditionSet"):
    """An entity got a condition, or the condition's duration or note changed.

    If `rounds` and `minutes` are unset, the condition lasts until the GR ends it.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="kingdoms.ConditionTicked"):
    """Time passed for a condition.

    Either `rounds` or `minutes` is the time that is left. At 0, the condition ends.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class ConditionEnded(Message, frozen=True, tag="kingdoms.ConditionEnded"):
    """The GR ended a condition.

    `rounds` is the number of rounds that were left, or unset if the condition did not last for
    rounds.
    """

    entity: str
    name: str
    reason: str
    rounds: int | UnsetType = UNSET


Event = (
    EntityCreated
    | Retired
    | StatNamed
    | StatRenamed
    | StatRemoved
    | StatProposed
    | StatRejected
    | TestDeclared
    | DiceGranted
    | PoolAssembled
    | DtSet
    | DtDetermined
    | DtComputed
    | TestRolled
    | Interpreted
    | Refilled
    | TestEnded
    | DiceRolled
    | StatAdjusted
    | PoolAdjusted
    | TestDropped
    | ConditionSet
    | ConditionTicked
    | ConditionEnded
)
