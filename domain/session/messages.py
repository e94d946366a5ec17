"""What is asked of a session's frame, and the facts that answer: commands first, then events."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.decider import Role
from domain.ruleset import Message, Option

SeatId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$(?!\n)", description="a seat's id")]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)",
        description="a name to show",
    ),
]
Title = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=120,
        pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)",
        description="the session's title",
    ),
]
Reason = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=400,
        pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)",
        description="why, for everyone to read",
    ),
]
Words = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]+$(?!\n)",
        description="the text",
    ),
]
Version = Annotated[int, Meta(ge=1, lt=2**53, description="a version of this session")]
Face = Annotated[int, Meta(ge=1, le=2**32, description="the face of a physical die")]
Audience = Annotated[
    Literal["gm", "blind", "self"],
    Meta(description="gm: you and the GM; blind: only the GM; self: only you; absent: everyone"),
]
Draws = Annotated[
    Literal["house", "table"],
    Meta(
        description="house: the server alone; table: the server and each present seat with a chain"
    ),
]
Turn = Annotated[int, Meta(ge=1, lt=2**53, description="a turn of this session")]
Hex16 = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)")]
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
Index = Annotated[int, Meta(ge=0, lt=2**32)]
Length = Annotated[int, Meta(ge=1, le=65_536, description="the number of links of the chain")]


class Parent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where a fork comes from: the session, the version, and the root of its tree of that size."""

    root: Hex32
    session: Hex16
    version: Version


class StoredSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house keeps of a secret draw until it is opened: what its Declared and its seed were hidden with."""

    blind: Hex32
    command: msgspec.Raw
    salt: Hex32
    values: tuple[tuple[int, int], ...]


class Anchored(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A chain that a seat brings with the key it signs by: the signature is over its SeatTaken (fairness.md)."""

    public_key: Hex32
    length: Length
    anchor: Hex32
    signature: Hex64


class Contribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One seat's link for a draw, signed under the tree it had seen (fairness.md)."""

    chain: Index
    link: Hex32
    position: Index
    seat: str
    seen_root: Hex32
    seen_size: int
    signature: Hex64


class Draw(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What a declaration waits for: draw k, of (seat, chain, position) each."""

    contributors: tuple[tuple[str, Index, Index], ...]
    k: int
    blind: Hex32 | UnsetType = UNSET


class Open(Message, frozen=True, tag="session.Open"):
    """Opens the evening; the options of the room and of the frame share one flat map.

    A fork has its parent's table, as canonical JSON; `audience` where not everyone may see that.
    """

    ruleset: str
    edition: str
    title: Title
    options: dict[str, Option]
    log_key: str
    parent: Parent | UnsetType = UNSET
    table: msgspec.Raw | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    draws: Draws = "house"


class TakeSeat(Message, frozen=True, tag="session.TakeSeat"):
    """A seat is taken, with a chain where it has one of its own."""

    seat: SeatId
    role: Role
    name: Name | UnsetType = UNSET
    chain: Anchored | UnsetType = UNSET


class BringChain(Message, frozen=True, tag="session.BringChain"):
    """A seat that had none brings its key and its first chain."""

    chain: Anchored


class TakeHouse(Message, frozen=True, tag="session.TakeHouse"):
    """The server takes its own seat and shows the anchor of its first chain."""

    public_key: Hex32
    length: Length
    anchor: Hex32
    signature: Hex64


class LeaveSeat(Message, frozen=True, tag="session.LeaveSeat"):
    """A seat leaves, or the GM removes it. One with a chain signs its SeatLeft."""

    seat: SeatId
    signature: Hex64 | UnsetType = UNSET


class SetPresence(Message, frozen=True, tag="session.SetPresence"):
    """A seat says that it is there, or not, for the draws to come. One with a chain signs its PresenceSet."""

    seat: SeatId
    present: bool
    signature: Hex64 | UnsetType = UNSET


class NameSeat(Message, frozen=True, tag="session.NameSeat"):
    seat: SeatId
    name: Name


class HandOver(Message, frozen=True, tag="session.HandOver"):
    """The GM's role goes to another seat; the old GM plays on."""

    to: SeatId


class AnchorChain(Message, frozen=True, tag="session.AnchorChain"):
    """A seat, or the house, anchors its next chain; `previous_link` is the next one of the chain before."""

    length: Length
    anchor: Hex32
    signature: Hex64
    previous_link: Hex32 | UnsetType = UNSET


class Declare(Message, frozen=True, tag="session.Declare"):
    """A wish of the room, as canonical JSON; `faces` are of physical dice, in the order the rules ask for them.

    `blind` are the 32 bytes that hide a secret draw's values; `target` is the version that fixed its aim beforehand.
    """

    command: msgspec.Raw
    faces: tuple[Face, ...] | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    blind: Hex32 | UnsetType = UNSET
    target: Version | UnsetType = UNSET


class Rewind(Message, frozen=True, tag="session.Rewind"):
    """Makes the table what it was at a version; nothing is lost."""

    to: Version
    reason: Reason


class Narrate(Message, frozen=True, tag="session.Narrate"):
    """Words for the log; with an audience a whisper, or a promise that is opened later."""

    text: Words
    about: Version | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET


class Redact(Message, frozen=True, tag="session.Redact"):
    """Takes the words of a narration, or a seat's name, out of the log."""

    of: Version
    reason: Reason


class OpenSeal(Message, frozen=True, tag="session.OpenSeal"):
    """Opens a secret turn for everyone; the house hands in what it kept of its draw."""

    turn: Turn
    kept: StoredSecret | UnsetType = UNSET


class Fork(Message, frozen=True, tag="session.Fork"):
    """A new session begins with the table of a version of this one."""

    child: Hex16
    version: Version


class Close(Message, frozen=True, tag="session.Close"):
    """Ends the evening; `carry` notes down what the next one may start from."""

    carry: bool


class Opened(Message, frozen=True, tag="session.Opened"):
    draws: Draws
    edition: str
    log_key: str
    options: dict[str, Option]
    ruleset: str
    title: str
    parent: Parent | UnsetType = UNSET


class Inherited(Message, frozen=True, tag="session.Inherited"):
    """A fork's second event: the room's state that it goes on from."""

    table: msgspec.Raw
    audience: Audience | UnsetType = UNSET


class Forked(Message, frozen=True, tag="session.Forked"):
    """In the parent: a session that goes on from a version of this one."""

    child: Hex16
    version: int


class SeatTaken(Message, frozen=True, tag="session.SeatTaken"):
    """With a key and a chain where the seat brings its own."""

    role: Role
    seat: str
    anchor: Hex32 | UnsetType = UNSET
    chain: Index | UnsetType = UNSET
    length: Index | UnsetType = UNSET
    public_key: Hex32 | UnsetType = UNSET
    signature: Hex64 | UnsetType = UNSET


class SeatLeft(Message, frozen=True, tag="session.SeatLeft"):
    """`nth` counts the seat's comings and goings from 1, over PresenceSet too, so that no old wish is played again."""

    nth: int
    seat: str
    signature: Hex64 | UnsetType = UNSET


class PresenceSet(Message, frozen=True, tag="session.PresenceSet"):
    """Whether the seat takes part in draws. Without signature another's word, or of a seat without a chain."""

    nth: int
    present: bool
    seat: str
    signature: Hex64 | UnsetType = UNSET


class SeatNamed(Message, frozen=True, tag="session.SeatNamed"):
    name: str
    seat: str


class ChainAnchored(Message, frozen=True, tag="session.ChainAnchored"):
    anchor: Hex32
    chain: Index
    length: Index
    seat: str
    signature: Hex64
    previous_link: Hex32 | UnsetType = UNSET


class Declared(Message, frozen=True, tag="session.Declared"):
    """The wish. `values` only where dice were declared at the table; `draw` only where it needed chance.

    In a secret turn with a draw the command is committed to, for the declaration itself is open.
    """

    command: msgspec.Raw | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    command_commitment: Hex32 | UnsetType = UNSET
    dice: Literal["declared"] | UnsetType = UNSET
    draw: Draw | UnsetType = UNSET
    target: int | UnsetType = UNSET
    values: tuple[tuple[int, int], ...] | UnsetType = UNSET


class Drawn(Message, frozen=True, tag="session.Drawn"):
    """The chance. `values` are empty in a secret turn."""

    contributions: tuple[Contribution, ...]
    k: int
    values: tuple[tuple[int, int], ...]


class DrawVoided(Message, frozen=True, tag="session.DrawVoided"):
    """A draw that some seats did not answer: what came, and the house's own link."""

    contributions: tuple[Contribution, ...]
    k: int
    missing: tuple[str, ...]


class Rewound(Message, frozen=True, tag="session.Rewound"):
    reason: str
    to: int


class Narrated(Message, frozen=True, tag="session.Narrated"):
    text: str
    about: int | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET


class SealOpened(Message, frozen=True, tag="session.SealOpened"):
    """A secret turn is open from now on: its draw `k` with what was kept of it, or `turn` where it had none."""

    blind: Hex32 | UnsetType = UNSET
    command: msgspec.Raw | UnsetType = UNSET
    k: int | UnsetType = UNSET
    salt: Hex32 | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    values: tuple[tuple[int, int], ...] | UnsetType = UNSET


class Redacted(Message, frozen=True, tag="session.Redacted"):
    """The words of a Narrated or a SeatNamed are gone for good: its leaf stands, its opening is nowhere any more."""

    of: int
    reason: str


class Closed(Message, frozen=True, tag="session.Closed"):
    carry: dict[str, Option]
    unopened: dict[str, int]


COMMANDS: tuple[type[Message], ...] = (
    Open,
    TakeSeat,
    BringChain,
    TakeHouse,
    LeaveSeat,
    SetPresence,
    NameSeat,
    HandOver,
    AnchorChain,
    Declare,
    Rewind,
    Narrate,
    Redact,
    OpenSeal,
    Fork,
    Close,
)
EVENTS: tuple[type[Message], ...] = (
    Opened,
    Inherited,
    Forked,
    SeatTaken,
    SeatLeft,
    PresenceSet,
    SeatNamed,
    ChainAnchored,
    Declared,
    Drawn,
    DrawVoided,
    Rewound,
    Narrated,
    Redacted,
    SealOpened,
    Closed,
)
