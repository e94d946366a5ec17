"""The commands and events of Kingdoms and Rulers.

The limits in JSON schemas and forms come from the types of the command fields.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.kingdoms.rules import (
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

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lowercase letter,"
        " then up to 31 lowercase letters, digits or hyphens",
    ),
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
OpponentId = Annotated[
    str, Meta(pattern=ID, description="the opponent's id", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the PC (default: your own; the GM must name one)",
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
Value = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the stat's value")]
Con = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the value of CON")]
Cha = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the value of CHA")]
Stats = Annotated[
    tuple[StatName, ...],
    Meta(max_length=MAX_SOURCES, description="the stats that apply to the test"),
]
OpponentStats = Annotated[
    tuple[StatName, ...],
    Meta(max_length=MAX_SOURCES, description="the opponent's stats to add up for the DT"),
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
    """Create an NPC: a character or thing that the GM plays."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha


class NameStat(Message, frozen=True, tag="kingdoms.NameStat"):
    """Add a stat to an entity's sheet."""

    entity: EntityId
    stat: NewStatName
    value: Value


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


class GrantDice(Message, frozen=True, tag="kingdoms.GrantDice"):
    """Grant bonus dice for a test before its pool is assembled."""

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
    dt: Annotated[
        int,
        Meta(
            ge=-99, le=99, description="the DT, from 1 to 12 (a die that rolls higher is a success)"
        ),
    ]


class DetermineDt(Message, frozen=True, tag="kingdoms.DetermineDt"):
    """Compute the next roll's Difficulty Threshold (DT) from an opponent's stats."""

    entity: EntityId
    opponent: OpponentId
    stats: OpponentStats
    less: OwnStats | UnsetType = UNSET


class RollTest(Message, frozen=True, tag="kingdoms.RollTest"):
    """Roll the dice pool for a test."""

    entity: EntityId


class Interpret(Message, frozen=True, tag="kingdoms.Interpret"):
    """Describe what the last roll means in the story.

    This ends a basic test. In an extended test, the failed dice are removed and the pool is
    refilled.
    """

    entity: EntityId
    text: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what the roll means")
    ]


class EndTest(Message, frozen=True, tag="kingdoms.EndTest"):
    """End an extended test."""

    entity: EntityId


class RollDice(Message, frozen=True, tag="kingdoms.RollDice"):
    """Roll dice (XdN) outside a test and add up the results."""

    entity: EntityId
    dice: Annotated[int, Meta(ge=1, le=MAX_PLAIN_DICE, description="X, the number of dice")]
    sides: Annotated[
        int, Meta(ge=2, le=100, description="N, the number of sides: 4, 6, 8, 10, 12, 20 or 100")
    ]
    purpose: (
        Annotated[
            str,
            Meta(min_length=1, max_length=80, pattern=TEXT, description="what the roll is for"),
        ]
        | UnsetType
    ) = UNSET


class AdjustStat(Message, frozen=True, tag="kingdoms.AdjustStat"):
    """Change the value of a stat on an entity's sheet."""

    entity: EntityId
    stat: StatName
    value: Value
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


Command = (
    CreatePc
    | CreateNpc
    | NameStat
    | DeclareTest
    | GrantDice
    | AssemblePool
    | SetDt
    | DetermineDt
    | RollTest
    | Interpret
    | EndTest
    | RollDice
    | AdjustStat
    | AdjustPool
    | DropTest
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


class StatNamed(Message, frozen=True, tag="kingdoms.StatNamed"):
    entity: str
    stat: str
    value: int


class TestDeclared(Message, frozen=True, tag="kingdoms.TestDeclared"):
    """A test was declared.

    `refill` is unset if the test is basic.
    """

    entity: str
    test: PoolTestKind
    stats: tuple[str, ...]
    refill: Refill | UnsetType = UNSET


class DiceGranted(Message, frozen=True, tag="kingdoms.DiceGranted"):
    entity: str
    source: str
    dice: int


class PoolAssembled(Message, frozen=True, tag="kingdoms.PoolAssembled"):
    """The dice pool for a test was assembled.

    `pool` is the total number of dice from all sources, or 0 if the total is negative.
    """

    entity: str
    sources: tuple[DiceSource, ...]
    pool: int


class DtSet(Message, frozen=True, tag="kingdoms.DtSet"):
    """The GM set the Difficulty Threshold (DT) for a test.

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
    """Dice were rolled outside a test, so only their sum counts."""

    entity: str
    sides: int
    faces: tuple[int, ...]
    sum: int
    purpose: str | UnsetType = UNSET


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


Event = (
    EntityCreated
    | StatNamed
    | TestDeclared
    | DiceGranted
    | PoolAssembled
    | DtSet
    | DtDetermined
    | TestRolled
    | Interpreted
    | Refilled
    | TestEnded
    | DiceRolled
    | StatAdjusted
    | PoolAdjusted
    | TestDropped
)
