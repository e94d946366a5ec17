"""Messages of Kingdoms and Rulers: commands (imperative), then events (past tense).

The fields of the commands carry their bounds. Schemas and forms are derived from them.
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
    Kind,
    Refill,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # the end alone would let a last line break through
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
OpponentId = Annotated[
    str, Meta(pattern=ID, description="the id of the opponent", extra={"of": "entity"})
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
NewStatName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="a new stat or proficiency, in your words",
    ),
]
StatName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="a stat on the sheet",
        extra={"of": "ability"},
    ),
]
Value = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the value of the stat")]
Con = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the value of CON")]
Cha = Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="the value of CHA")]
Stats = Annotated[
    tuple[StatName, ...], Meta(max_length=MAX_SOURCES, description="the stats that are applicable")
]
OpponentStats = Annotated[
    tuple[StatName, ...],
    Meta(max_length=MAX_SOURCES, description="stats of the opponent that make up the DT"),
]
OwnStats = Annotated[
    tuple[StatName, ...],
    Meta(
        max_length=MAX_SOURCES, description="the entity's own stats that lower the DT; absent: none"
    ),
]
Dice = Annotated[
    tuple[Annotated[int, Meta(ge=MIN_STAT, le=MAX_STAT, description="dice of one source")], ...],
    Meta(
        max_length=2 * MAX_SOURCES,
        description="dice from each source in its order: the applicable stats,"
        " then what was granted; absent: all",
    ),
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]


# Commands


class CreatePc(Message, frozen=True, tag="kingdoms.CreatePc"):
    """Bring a player character to the table."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="kingdoms.CreateNpc"):
    """Bring a character or thing of the GR to the table."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha


class NameStat(Message, frozen=True, tag="kingdoms.NameStat"):
    """Write a further stat on the sheet."""

    entity: EntityId
    stat: NewStatName
    value: Value


class DeclareTest(Message, frozen=True, tag="kingdoms.DeclareTest"):
    """Call an entity to a test, and say which stats are applicable."""

    entity: EntityId
    test: Annotated[
        Kind, Meta(description="basic: one roll; extended: many, with a pool that changes")
    ]
    stats: Stats
    refill: (
        Annotated[
            Refill, Meta(description="the stat that refills the pool; only in an extended test")
        ]
        | UnsetType
    ) = UNSET


class GrantDice(Message, frozen=True, tag="kingdoms.GrantDice"):
    """Grant bonus dice to a test, before the pool is assembled."""

    entity: EntityId
    source: Annotated[
        str,
        Meta(
            min_length=1, max_length=40, pattern=TEXT, description="what the dice are granted for"
        ),
    ]
    dice: Annotated[int, Meta(ge=1, le=MAX_STAT, description="how many dice")]


class AssemblePool(Message, frozen=True, tag="kingdoms.AssemblePool"):
    """Assemble the dice pool from the sources of the test."""

    entity: EntityId
    dice: Dice | UnsetType = UNSET


class SetDt(Message, frozen=True, tag="kingdoms.SetDt"):
    """Set the Difficulty Threshold of the next roll."""

    entity: EntityId
    dt: Annotated[
        int, Meta(ge=-99, le=99, description="the DT, from 1 to 12: a die above it is a success")
    ]


class DetermineDt(Message, frozen=True, tag="kingdoms.DetermineDt"):
    """Compute the Difficulty Threshold of the next roll from the stats of an opponent."""

    entity: EntityId
    opponent: OpponentId
    stats: OpponentStats
    less: OwnStats | UnsetType = UNSET


class RollTest(Message, frozen=True, tag="kingdoms.RollTest"):
    """Roll the pool."""

    entity: EntityId


class Interpret(Message, frozen=True, tag="kingdoms.Interpret"):
    """Say what the roll means.

    This ends a basic test. In an extended test the failures are removed and new dice are added.
    """

    entity: EntityId
    text: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what the result means")
    ]


class EndTest(Message, frozen=True, tag="kingdoms.EndTest"):
    """End an extended test."""

    entity: EntityId


class RollDice(Message, frozen=True, tag="kingdoms.RollDice"):
    """Roll dice outside of any test and add them up: XdN."""

    entity: EntityId
    dice: Annotated[int, Meta(ge=1, le=MAX_PLAIN_DICE, description="X, the number of dice")]
    sides: Annotated[
        int, Meta(ge=2, le=100, description="N, their sides: 4, 6, 8, 10, 12, 20 or 100")
    ]
    purpose: (
        Annotated[
            str,
            Meta(min_length=1, max_length=80, pattern=TEXT, description="what it is rolled for"),
        ]
        | UnsetType
    ) = UNSET


class AdjustStat(Message, frozen=True, tag="kingdoms.AdjustStat"):
    """Set a stat that is on the sheet."""

    entity: EntityId
    stat: StatName
    value: Value
    reason: Reason


class AdjustPool(Message, frozen=True, tag="kingdoms.AdjustPool"):
    """Set the dice in the pool of a test."""

    entity: EntityId
    dice: Annotated[int, Meta(ge=0, le=999, description="how many dice there are from now on")]
    reason: Reason


class DropTest(Message, frozen=True, tag="kingdoms.DropTest"):
    """Call a test off, whatever it waits for."""

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


# Events: plain values without bounds, so that a changed bound leaves old logs readable.


class Stat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A stat with its value at that moment."""

    name: str
    value: int


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where dice of a pool come from, and how many."""

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
    """A test was declared; only an extended one has `refill`."""

    entity: str
    test: Kind
    stats: tuple[str, ...]
    refill: Refill | UnsetType = UNSET


class DiceGranted(Message, frozen=True, tag="kingdoms.DiceGranted"):
    entity: str
    source: str
    dice: int


class PoolAssembled(Message, frozen=True, tag="kingdoms.PoolAssembled"):
    """The pool was assembled: `pool` is the sum of the sources, at least 0."""

    entity: str
    sources: tuple[Source, ...]
    pool: int


class DtSet(Message, frozen=True, tag="kingdoms.DtSet"):
    """The GR set the DT; `old` is absent the first time in a test."""

    entity: str
    dt: int
    old: int | UnsetType = UNSET


class DtDetermined(Message, frozen=True, tag="kingdoms.DtDetermined"):
    """An opponent determined the DT.

    `computed` is the sum of its `stats` minus `less`, the entity's own. `dt` is the nearest valid
    DT.
    """

    entity: str
    opponent: str
    stats: tuple[Stat, ...]
    less: tuple[Stat, ...]
    computed: int
    dt: int
    old: int | UnsetType = UNSET


class TestRolled(Message, frozen=True, tag="kingdoms.TestRolled"):
    """Roll `nth` of the test.

    `failed` dice of the pool failed. `total` sums all margins. Only a basic test has `passed`.
    """

    entity: str
    test: Kind
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
    """The pool after roll `nth`: `removed` dice went, `stat` of `value` `added` dice."""

    entity: str
    nth: int
    removed: int
    stat: Refill
    value: int
    added: int
    pool: int


class TestEnded(Message, frozen=True, tag="kingdoms.TestEnded"):
    """A test ended after `rolls` rolls; `total` sums their margins; `pool` dice are put back."""

    entity: str
    test: Kind
    rolls: int
    total: int
    pool: int


class DiceRolled(Message, frozen=True, tag="kingdoms.DiceRolled"):
    """A plain roll: no face is special."""

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
    """A test was called off with `pool` dice in hand."""

    entity: str
    test: Kind
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
