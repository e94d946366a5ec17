"""Commands: what a seat may wish. Their fields carry the bounds; schemas, forms and the CLI are derived from them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.kingdoms.rules import (
    LEAST_STAT,
    MOST_PLAIN,
    MOST_SOURCES,
    MOST_STAT,
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
NewStat = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="a new stat or proficiency, in your words",
    ),
]
Stat = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="a stat on the sheet",
        extra={"of": "ability"},
    ),
]
Value = Annotated[int, Meta(ge=LEAST_STAT, le=MOST_STAT, description="the value of the stat")]
Con = Annotated[int, Meta(ge=LEAST_STAT, le=MOST_STAT, description="the value of CON")]
Cha = Annotated[int, Meta(ge=LEAST_STAT, le=MOST_STAT, description="the value of CHA")]
Stats = Annotated[
    tuple[Stat, ...], Meta(max_length=MOST_SOURCES, description="the stats that are applicable")
]
OpponentStats = Annotated[
    tuple[Stat, ...],
    Meta(max_length=MOST_SOURCES, description="stats of the opponent that make up the DT"),
]
OwnStats = Annotated[
    tuple[Stat, ...],
    Meta(
        max_length=MOST_SOURCES,
        description="the entity's own stats that lower the DT; absent: none",
    ),
]
Dice = Annotated[
    tuple[Annotated[int, Meta(ge=LEAST_STAT, le=MOST_STAT, description="dice of one source")], ...],
    Meta(
        max_length=2 * MOST_SOURCES,
        description="dice from each source in its order: the applicable stats, then what was granted; absent: all",
    ),
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]


class CreatePc(Message, frozen=True, tag="kingdoms.CreatePc"):
    """Bring a player character to the table."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="kingdoms.CreateNpc"):
    """Bring somebody or something of the GR to the table."""

    entity: NewEntityId
    name: Name
    con: Con
    cha: Cha


class NameStat(Message, frozen=True, tag="kingdoms.NameStat"):
    """Write a further stat on the sheet."""

    entity: EntityId
    stat: NewStat
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
    dice: Annotated[int, Meta(ge=1, le=MOST_STAT, description="how many dice")]


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
    """Say what the roll means: it ends a basic test, and in an extended one failures go and new dice come."""

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
    dice: Annotated[int, Meta(ge=1, le=MOST_PLAIN, description="X, the number of dice")]
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
    stat: Stat
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


Character = CreatePc | CreateNpc | NameStat
Preparation = DeclareTest | GrantDice | AssemblePool | SetDt | DetermineDt
Rolling = RollTest | Interpret | EndTest | RollDice
Adjustment = AdjustStat | AdjustPool | DropTest
Command = Character | Preparation | Rolling | Adjustment
