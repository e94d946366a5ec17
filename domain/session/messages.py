"""What is asked of a session's frame, and the facts that answer: commands first, then events. Stored shapes: log.md."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.decider import Role
from domain.ruleset import Message, Option

SeatId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$(?!\n)", description="a seat's id")]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)", description="a name to show")
]
Title = Annotated[
    str, Meta(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)", description="the evening's title")
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=400, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)", description="why, for everyone to read"),
]
Words = Annotated[
    str,
    Meta(min_length=1, max_length=4000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]+$(?!\n)", description="what is told"),
]
Version = Annotated[int, Meta(ge=1, lt=2**53, description="a version of this session")]
Face = Annotated[int, Meta(ge=1, le=2**32, description="a face as it fell on the table")]
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
Index = Annotated[int, Meta(ge=0, lt=2**32)]


class Open(Message, frozen=True, tag="session.Open"):
    """Opens the evening; the options of the room and of the frame share one flat map."""

    ruleset: str
    edition: str
    title: Title
    options: dict[str, Option]
    log_key: str


class TakeSeat(Message, frozen=True, tag="session.TakeSeat"):
    """A seat is taken or, by the house, opened with its chain."""

    seat: SeatId
    role: Role
    name: Name | UnsetType = UNSET


class TakeHouse(Message, frozen=True, tag="session.TakeHouse"):
    """The server takes its own seat and shows the anchor of its first chain."""

    public_key: Hex32
    length: Index
    anchor: Hex32
    signature: Hex64


class LeaveSeat(Message, frozen=True, tag="session.LeaveSeat"):
    """A seat leaves, or the GM removes it."""

    seat: SeatId


class NameSeat(Message, frozen=True, tag="session.NameSeat"):
    seat: SeatId
    name: Name


class HandOver(Message, frozen=True, tag="session.HandOver"):
    """The GM's role goes to another seat; the old GM plays on."""

    to: SeatId


class AnchorChain(Message, frozen=True, tag="session.AnchorChain"):
    """The house anchors its next chain."""

    length: Index
    anchor: Hex32
    signature: Hex64


class Declare(Message, frozen=True, tag="session.Declare"):
    """A wish of the room, as canonical JSON; `faces` are of physical dice, in the order the rules ask for them."""

    command: msgspec.Raw
    faces: tuple[Face, ...] | UnsetType = UNSET


class Rewind(Message, frozen=True, tag="session.Rewind"):
    """Makes the table what it was at a version; nothing is lost."""

    to: Version
    reason: Reason


class Narrate(Message, frozen=True, tag="session.Narrate"):
    text: Words
    about: Version | UnsetType = UNSET


class Close(Message, frozen=True, tag="session.Close"):
    """Ends the evening; `carry` notes down what the next one may start from."""

    carry: bool


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


class Opened(Message, frozen=True, tag="session.Opened"):
    draws: Literal["house", "table"]
    edition: str
    log_key: str
    options: dict[str, Option]
    ruleset: str
    title: str


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
    """`nth` counts the seat's comings and goings from 1."""

    nth: int
    seat: str


class SeatNamed(Message, frozen=True, tag="session.SeatNamed"):
    name: str
    seat: str


class ChainAnchored(Message, frozen=True, tag="session.ChainAnchored"):
    anchor: Hex32
    chain: Index
    length: Index
    seat: str
    signature: Hex64


class Declared(Message, frozen=True, tag="session.Declared"):
    """The wish. `values` only where dice were declared at the table; `draw` only where it needed chance."""

    command: msgspec.Raw
    dice: Literal["declared"] | UnsetType = UNSET
    draw: Draw | UnsetType = UNSET
    values: tuple[tuple[int, int], ...] | UnsetType = UNSET


class Drawn(Message, frozen=True, tag="session.Drawn"):
    contributions: tuple[Contribution, ...]
    k: int
    values: tuple[tuple[int, int], ...]


class Rewound(Message, frozen=True, tag="session.Rewound"):
    reason: str
    to: int


class Narrated(Message, frozen=True, tag="session.Narrated"):
    text: str
    about: int | UnsetType = UNSET


class Closed(Message, frozen=True, tag="session.Closed"):
    carry: dict[str, Option]
    unopened: dict[str, int]


COMMANDS: tuple[type[Message], ...] = (
    Open,
    TakeSeat,
    TakeHouse,
    LeaveSeat,
    NameSeat,
    HandOver,
    AnchorChain,
    Declare,
    Rewind,
    Narrate,
    Close,
)
EVENTS: tuple[type[Message], ...] = (
    Opened,
    SeatTaken,
    SeatLeft,
    SeatNamed,
    ChainAnchored,
    Declared,
    Drawn,
    Rewound,
    Narrated,
    Closed,
)
