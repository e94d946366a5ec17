"""Session-level commands and events (docs/log-format.md)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.decider import Role
from domain.ruleset import Message, Option

SeatId = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$(?!\n)", description="the id of a seat")
]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)",
        description="the display name",
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
        description="the reason, visible to everyone",
    ),
]
NarrationText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]+$(?!\n)",
        description="the text of the narration",
    ),
]
Version = Annotated[int, Meta(ge=1, lt=2**53, description="a version of this session")]
Face = Annotated[int, Meta(ge=1, le=2**32, description="the face shown by a physical die")]
DiceName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)",
        description="the name of the physical die or dice, such as `the red d6`",
    ),
]
Audience = Annotated[
    Literal["gm", "blind", "self"],
    Meta(
        description="who can see this: you and the GM (gm), only the GM (blind), only you (self), "
        "or everyone if omitted"
    ),
]
Draws = Annotated[
    Literal["house", "table"],
    Meta(
        description="who contributes to draws: the server alone (house), "
        "or the server and every present seat with a chain (table)"
    ),
]
Turn = Annotated[int, Meta(ge=1, lt=2**53, description="a turn of this session")]
Hex16 = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)")]
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
Index = Annotated[int, Meta(ge=0, lt=2**32)]
DrawNumber = Annotated[int, Meta(ge=0, lt=2**53, description="the number of a draw, from 0")]
Length = Annotated[int, Meta(ge=1, le=65_536, description="the number of links in the chain")]
PublicKey = Annotated[Hex32, Meta(description="the seat's public key for Ed25519, 32 bytes in hex")]
ChainNumber = Annotated[Index, Meta(description="the number of the seat's chain, from 0")]
ChainAnchor = Annotated[Hex32, Meta(description="the chain's link at position 0, 32 bytes in hex")]
RevealedLink = Annotated[
    Hex32, Meta(description="the link of the seat's chain at `position`, 32 bytes in hex")
]
LinkPosition = Annotated[Index, Meta(description="the position of the link in the chain, from 1")]
ContributionSignature = Annotated[
    Hex64,
    Meta(
        description="the seat's Ed25519 signature for the contribution, 64 bytes in hex; "
        "it covers the link, `seen_size` and `seen_root` (docs/fairness.md)"
    ),
]
Extensions = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$(?!\n)")], ...], Meta(min_length=1)
]
LogFormat = Literal[1, 2]
"""The format of a session's log (docs/log-format.md)."""
NEWEST_FORMAT: LogFormat = 2
"""The format in which new sessions are opened."""


class Parent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The origin of a fork: a session, a version, and the Merkle root at that version."""

    root: Hex32
    session: Hex16
    version: Version


class StoredSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house's data about a secret draw, stored until the secret is opened.

    `salt` is the salt in the commitment to the command. `blind` is part of the draw's seed.
    """

    blind: Hex32
    command: msgspec.Raw
    salt: Hex32
    values: tuple[tuple[int, int], ...]


class Anchored(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A seat's new chain, with the seat's public key."""

    public_key: PublicKey
    length: Length
    anchor: ChainAnchor
    signature: Annotated[
        Hex64,
        Meta(description="the seat's Ed25519 signature for the SeatTaken event, 64 bytes in hex"),
    ]
    previous_link: (
        Annotated[
            Hex32,
            Meta(
                description="in format 2, the link of the seat's old chain that was requested but "
                "never revealed, 32 bytes in hex; absent if there is none"
            ),
        ]
        | UnsetType
    ) = UNSET


class Contribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A link that a seat contributes to a draw."""

    chain: ChainNumber
    link: RevealedLink
    position: LinkPosition
    seat: Annotated[
        str, Meta(description="the id of the seat that contributes; `house` is the server")
    ]
    seen_root: Annotated[
        Hex32,
        Meta(
            description="the root of the Merkle tree of size `seen_size` that the seat last saw, "
            "32 bytes in hex"
        ),
    ]
    seen_size: Annotated[
        int,
        Meta(
            description="the size of the Merkle tree that the seat last saw, as a number of events"
        ),
    ]
    signature: ContributionSignature


class Draw(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """The declaration of draw number `k`.

    Each entry in `contributors` is a (seat, chain, position) tuple. For a secret draw, `blind` is
    the commitment to the 32 bytes that hide the values. `entropy` contains the random bytes that
    the seat sent with its command.
    """

    contributors: tuple[tuple[str, Index, Index], ...]
    k: int
    blind: Hex32 | UnsetType = UNSET
    entropy: Hex32 | UnsetType = UNSET


# Commands.


class Open(Message, frozen=True, tag="session.Open"):
    """Open a session.

    `options` contains the options of the session and of its ruleset. For a fork, `table` is the
    parent's table as canonical JSON, and `audience` is set if that table is secret. `extensions`
    requires format 2.
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
    log_format: LogFormat = 1
    extensions: Extensions | UnsetType = UNSET


class TakeSeat(Message, frozen=True, tag="session.TakeSeat"):
    """Take a seat, with or without a chain."""

    seat: SeatId
    role: Role
    name: Name | UnsetType = UNSET
    chain: Anchored | UnsetType = UNSET


class BringChain(Message, frozen=True, tag="session.BringChain"):
    """Add a public key and a first chain to a seat that has no key yet."""

    chain: Anchored


class TakeHouse(Message, frozen=True, tag="session.TakeHouse"):
    """Take the house's seat, anchor its first chain, and commit to the blind of the first draw."""

    public_key: Hex32
    length: Length
    anchor: Hex32
    signature: Hex64
    next_blind: Hex32 | UnsetType = UNSET


class LeaveSeat(Message, frozen=True, tag="session.LeaveSeat"):
    """Leave a seat. The GM may also remove another seat.

    If the seat has a chain and sends this command itself, it must sign the SeatLeft event. In
    format 2, it must also give the size and root of the Merkle tree that it last saw.
    """

    seat: SeatId
    signature: Hex64 | UnsetType = UNSET
    seen_root: Hex32 | UnsetType = UNSET
    seen_size: Version | UnsetType = UNSET


class SetPresence(Message, frozen=True, tag="session.SetPresence"):
    """Set whether a seat takes part in draws from now on.

    If the seat has a chain and sends this command itself, it must sign the PresenceSet event. In
    format 2, it must also give the size and root of the Merkle tree that it last saw.
    """

    seat: SeatId
    present: bool
    signature: Hex64 | UnsetType = UNSET
    seen_root: Hex32 | UnsetType = UNSET
    seen_size: Version | UnsetType = UNSET


class NameSeat(Message, frozen=True, tag="session.NameSeat"):
    seat: SeatId
    name: Name


class HandOver(Message, frozen=True, tag="session.HandOver"):
    """Hand the GM role over to another seat. The previous GM becomes a player."""

    seat: Annotated[SeatId, Meta(description="the id of the seat that becomes the GM")]


class AnchorChain(Message, frozen=True, tag="session.AnchorChain"):
    """Anchor the seat's next chain.

    `previous_link` belongs to the chain that is being replaced. In format 1, it is the link after
    the last position that a draw requested. In format 2, it is the link at that position.
    """

    length: Length
    anchor: Hex32
    signature: Hex64
    previous_link: Hex32 | UnsetType = UNSET


class Declare(Message, frozen=True, tag="session.Declare"):
    """Send a ruleset command, given as canonical JSON.

    `faces` lists the faces of physical dice in the order in which the rules ask for them. `salt`
    contains 32 bytes that hide the command of a secret draw. `target` is the version of an earlier
    event that states the command's target, such as a sealed narration. `entropy` contains 32 random
    bytes for draw number `k`. `dice_name` names the physical dice. It is recorded only with
    `faces`, and only in format 2.
    """

    command: msgspec.Raw
    faces: tuple[Face, ...] | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    salt: Hex32 | UnsetType = UNSET
    target: Version | UnsetType = UNSET
    entropy: Hex32 | UnsetType = UNSET
    k: DrawNumber | UnsetType = UNSET
    dice_name: DiceName | UnsetType = UNSET


class Rewind(Message, frozen=True, tag="session.Rewind"):
    """Restore the table to an earlier version. The undone events stay in the log."""

    to: Annotated[Version, Meta(description="the version to which the table is restored")]
    reason: Reason


class Narrate(Message, frozen=True, tag="session.Narrate"):
    """Add a narration to the log.

    A narration with an audience is secret until it is opened.
    """

    text: NarrationText
    about: (
        Annotated[
            Version, Meta(description="the version of the event that the narration refers to")
        ]
        | UnsetType
    ) = UNSET
    audience: Audience | UnsetType = UNSET


class Redact(Message, frozen=True, tag="session.Redact"):
    """Delete the text of a narration, or the name of a seat, from the log."""

    of: Version
    reason: Reason


class OpenSeal(Message, frozen=True, tag="session.OpenSeal"):
    """Reveal a secret turn to everyone.

    The house fills in `kept`, the data that it stored about the turn's draw.
    """

    turn: Turn
    kept: StoredSecret | UnsetType = UNSET


class Fork(Message, frozen=True, tag="session.Fork"):
    """Start a new session from this session's table at the given version."""

    child: Hex16
    version: Version


class Close(Message, frozen=True, tag="session.Close"):
    """Close the session."""

    carry_over: Annotated[
        bool,
        Meta(description="true: record the ruleset's options for the next session"),
    ]


# Events.


class Opened(Message, frozen=True, tag="session.Opened"):
    """A session was opened.

    `options` contains every option, including those with default values. `format` is absent in
    format 1. `extensions` names the extensions of the format that the session uses.
    """

    draws: Draws
    edition: str
    log_key: str
    options: dict[str, Option]
    ruleset: str
    title: str
    parent: Parent | UnsetType = UNSET
    extensions: Extensions | UnsetType = UNSET
    format: Literal[2] | UnsetType = UNSET


class Inherited(Message, frozen=True, tag="session.Inherited"):
    """A fork received its initial table. This is the fork's second event."""

    table: msgspec.Raw
    audience: Audience | UnsetType = UNSET


class Forked(Message, frozen=True, tag="session.Forked"):
    """A new session, `child`, was forked from this session."""

    child: Hex16
    version: int


class SeatTaken(Message, frozen=True, tag="session.SeatTaken"):
    """A seat was taken, or its role or chain changed.

    The fields that describe the chain are either all set or all omitted. `previous_link` reveals a
    link of the seat's old chain (see AnchorChain). `next_blind` is the house's commitment to the
    blind of the first draw.
    """

    role: Role
    seat: str
    anchor: Hex32 | UnsetType = UNSET
    chain: Index | UnsetType = UNSET
    length: Index | UnsetType = UNSET
    public_key: Hex32 | UnsetType = UNSET
    signature: Hex64 | UnsetType = UNSET
    previous_link: Hex32 | UnsetType = UNSET
    next_blind: Hex32 | UnsetType = UNSET


class SeatLeft(Message, frozen=True, tag="session.SeatLeft"):
    """A seat was vacated because its holder left or the GM removed them.

    `nth` numbers the seat's SeatLeft and PresenceSet events, which prevents the reuse of a
    signature. In format 2, a signed event contains the size and root of the tree that the seat had
    seen, so that the server cannot record it after a later draw.
    """

    nth: int
    seat: str
    signature: Hex64 | UnsetType = UNSET
    seen_root: Hex32 | UnsetType = UNSET
    seen_size: int | UnsetType = UNSET


class PresenceSet(Message, frozen=True, tag="session.PresenceSet"):
    """A seat started or stopped taking part in draws.

    The event is signed only if the seat has a chain and sent the command itself. `seen_root` and
    `seen_size` are as in SeatLeft.
    """

    nth: int
    present: bool
    seat: str
    signature: Hex64 | UnsetType = UNSET
    seen_root: Hex32 | UnsetType = UNSET
    seen_size: int | UnsetType = UNSET


class SeatNamed(Message, frozen=True, tag="session.SeatNamed"):
    name: str
    seat: str


class ChainAnchored(Message, frozen=True, tag="session.ChainAnchored"):
    """A seat anchored a new chain.

    The seat uses the chain from now on. The exception is the house in format 2: it uses up its
    current chain first.
    """

    anchor: Hex32
    chain: Index
    length: Index
    seat: str
    signature: Hex64
    previous_link: Hex32 | UnsetType = UNSET


class Declared(Message, frozen=True, tag="session.Declared"):
    """A ruleset command was declared. This is the first event of its turn.

    `values` contains the faces of physical dice. In format 2, `dice_name` can name these dice.
    `draw` is present if the command needs drawn values. Everyone can read this event, so
    `command_commitment` replaces `command` in a secret turn that has a draw.
    """

    command: msgspec.Raw | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    command_commitment: Hex32 | UnsetType = UNSET
    dice: Literal["declared"] | UnsetType = UNSET
    dice_name: DiceName | UnsetType = UNSET
    draw: Draw | UnsetType = UNSET
    target: int | UnsetType = UNSET
    values: tuple[tuple[int, int], ...] | UnsetType = UNSET


class Drawn(Message, frozen=True, tag="session.Drawn"):
    """A draw was completed.

    `values` is empty if the turn is secret. `entropy` repeats the declaration's entropy, so that
    the event contains everything from which the seed of a public draw is computed. `next_blind` is
    the house's commitment to the blind of the next draw, which is used if that draw is secret.
    """

    contributions: tuple[Contribution, ...]
    k: int
    values: tuple[tuple[int, int], ...]
    entropy: Hex32 | UnsetType = UNSET
    next_blind: Hex32 | UnsetType = UNSET


class DrawVoided(Message, frozen=True, tag="session.DrawVoided"):
    """A draw was abandoned because the seats in `missing` did not contribute.

    `next_blind` is the same as in Drawn.
    """

    contributions: tuple[Contribution, ...]
    k: int
    missing: tuple[str, ...]
    next_blind: Hex32 | UnsetType = UNSET


class Rewound(Message, frozen=True, tag="session.Rewound"):
    reason: str
    to: int


class Narrated(Message, frozen=True, tag="session.Narrated"):
    text: str
    about: int | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET


class SealOpened(Message, frozen=True, tag="session.SealOpened"):
    """A secret turn was opened.

    `k` is the number of the turn's draw. If the turn had no draw, `turn` is the number of the turn.
    """

    blind: Hex32 | UnsetType = UNSET
    command: msgspec.Raw | UnsetType = UNSET
    k: int | UnsetType = UNSET
    salt: Hex32 | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    values: tuple[tuple[int, int], ...] | UnsetType = UNSET


class Redacted(Message, frozen=True, tag="session.Redacted"):
    """The text of a Narrated or SeatNamed event was deleted.

    The event's leaf stays in the log.
    """

    of: int
    reason: str


class Closed(Message, frozen=True, tag="session.Closed"):
    """The session was closed.

    `carry` contains the options for the next session. `unopened` counts each seat's secret turns
    that were never opened.
    """

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
