"""What requests hold: frozen structs that the schemas of bodies and queries are derived from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Option
from domain.session.messages import (
    Anchored,
    Audience,
    Draws,
    Face,
    Hex32,
    Hex64,
    Index,
    Length,
    Name,
    Reason,
    SeatId,
    Title,
    Turn,
    Version,
)

Limit = Annotated[
    int, Meta(ge=1, le=10_000, description="at most so many; the server may give fewer")
]
After = Annotated[
    int, Meta(ge=0, lt=2**53, description="what comes behind this: the `next` of the page before")
]

Sought = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]

Through = Annotated[SeatId, Meta(description="for the GM and auditors: as this seat sees it")]

Blind = Annotated[
    Hex32, Meta(description="32 random bytes that hide a secret draw; absent: the house makes them")
]

# The union of all rooms' commands has no static type; what is loaded is always a Message.
AnyCommand = Annotated[Any, Meta(extra={"of": "command"})]
Faces = Annotated[
    tuple[Face, ...], Meta(max_length=64, description="in the order the rules ask for them")
]


class Given(msgspec.Struct, frozen=True):
    """A part of a request."""


class Opening(Given, frozen=True):
    """Opens an evening: the one who opens it sits down as its GM."""

    ruleset: Annotated[str, Meta(description="the game that is played", extra={"of": "ruleset"})]
    title: Title
    edition: (
        Annotated[str, Meta(description="absent: the newest", extra={"of": "edition"})] | UnsetType
    ) = UNSET
    options: Annotated[
        dict[str, Option], Meta(description="absent ones are the defaults", extra={"of": "options"})
    ] = {}
    seat: SeatId = "gm"
    name: Name | UnsetType = UNSET
    draws: Draws = "house"


class Commanding(Given, frozen=True):
    """A command of the session's ruleset, with the faces of physical dice where they were rolled at the table."""

    command: AnyCommand
    faces: Faces | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    blind: Blind | UnsetType = UNSET
    target: (
        Annotated[Version, Meta(description="the version that fixed the aim beforehand")]
        | UnsetType
    ) = UNSET


class Asking(Given, frozen=True):
    """A command whose chances are asked for."""

    command: AnyCommand


class Naming(Given, frozen=True):
    name: Name


class Redacting(Given, frozen=True):
    of: Version
    reason: Reason


class Unsealing(Given, frozen=True):
    """Opens a secret turn."""

    turn: Turn


class Chaining(Given, frozen=True):
    """A seat's chain: with `public_key` its first, without the one that follows, from the next draw on.

    The signature is over its SeatTaken or ChainAnchored. `previous_link` is the next one of the chain before.
    """

    anchor: Hex32
    length: Length
    signature: Hex64
    public_key: Hex32 | UnsetType = UNSET
    previous_link: Hex32 | UnsetType = UNSET


class Presenting(Given, frozen=True):
    """Whether a seat takes part in draws; one with a chain signs its PresenceSet."""

    present: bool
    signature: Hex64 | UnsetType = UNSET


class Leaving(Given, frozen=True):
    signature: (
        Annotated[Hex64, Meta(description="of a seat with a chain: over its SeatLeft")] | UnsetType
    ) = UNSET


class Contributing(Given, frozen=True):
    """A seat's link for the draw that waits, signed under the tree that it has seen."""

    chain: Index
    position: Index
    link: Hex32
    seen_size: Version
    seen_root: Hex32
    signature: Hex64


class Looking(Given, frozen=True):
    seen: (
        Annotated[Version, Meta(description="the size of the checkpoint that you hold")] | UnsetType
    ) = UNSET


class Forking(Given, frozen=True):
    """Forks a session: whoever asks sits down as the new one's GM."""

    version: Version
    title: Title | UnsetType = UNSET
    seat: SeatId = "gm"
    name: Name | UnsetType = UNSET


class Inviting(Given, frozen=True):
    """Invites someone to a seat; to one that is held too: its old tokens die when the invitation is taken."""

    role: Annotated[
        Literal["player", "spectator", "auditor"], Meta(description="what the seat may do")
    ]
    seat: SeatId | UnsetType = UNSET
    uses: Annotated[int, Meta(ge=1, le=64, description="how many seats may be taken with it")] = 1
    hours: Annotated[int, Meta(ge=1, le=24 * 366, description="until it expires")] = 24 * 7


class Taking(Given, frozen=True):
    """Takes a seat with an invitation's code; `chain` is signed over its SeatTaken, so `seat` is to be named."""

    code: Annotated[
        str,
        Meta(
            min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+$(?!\n)", description="the code"
        ),
    ]
    seat: SeatId | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    chain: Anchored | UnsetType = UNSET


class Page(Given, frozen=True):
    after: After = 0
    limit: Limit = 50


class EventPage(Page, frozen=True, rename={"through": "as"}):
    at: Annotated[Version, Meta(description="as the log stood at this version")] | UnsetType = UNSET
    last: (
        Annotated[Limit, Meta(description="the newest so many of them, instead of `limit`")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class ReviewPage(Page, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class Sight(Given, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class Search(Page, frozen=True, rename={"through": "as"}):
    """All conditions that are given must hold."""

    kind: (
        Annotated[
            Sought, Meta(description="an event's kind, in full or up to a dot, or its bare name")
        ]
        | UnsetType
    ) = UNSET
    seat: Annotated[SeatId, Meta(description="who asked")] | UnsetType = UNSET
    entity: Annotated[Sought, Meta(description="an id that the event holds")] | UnsetType = UNSET
    die: (
        Annotated[Sought, Meta(description="a die such as d6, or a deck as the ruleset names it")]
        | UnsetType
    ) = UNSET
    text: Annotated[Sought, Meta(description="in the told line, in any case")] | UnsetType = UNSET
    since: Annotated[datetime, Meta(description="at this time or later")] | UnsetType = UNSET
    until: Annotated[datetime, Meta(description="at this time or earlier")] | UnsetType = UNSET
    marked: (
        Annotated[bool, Meta(description="only what stands out, or only the rest")] | UnsetType
    ) = UNSET
    undone: (
        Annotated[bool, Meta(description="only what rewinds left behind, or only the rest")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class Following(Given, frozen=True, rename={"through": "as"}):
    after: (
        Annotated[After, Meta(description="go on behind it; absent: from now on")] | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class Moment(Given, frozen=True, rename={"through": "as"}):
    at: (
        Annotated[Version, Meta(description="the version to look at; absent: the newest")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class Counting(Given, frozen=True, rename={"through": "as", "first": "from", "last": "to"}):
    undone: Annotated[bool, Meta(description="with what rewinds left behind")] = False
    through: Through | UnsetType = UNSET
    first: (
        Annotated[Version, Meta(description="the first version that counts; absent: 1")] | UnsetType
    ) = UNSET
    last: Annotated[Version, Meta(description="the last one; absent: the newest")] | UnsetType = (
        UNSET
    )


class Included(Given, frozen=True):
    version: Version
    size: (
        Annotated[Version, Meta(description="the tree's size; absent: the newest version")]
        | UnsetType
    ) = UNSET


class Cosigning(Given, frozen=True):
    """A checkpoint of this session with a seat's cosignature below it."""

    note: Annotated[
        str,
        Meta(min_length=1, max_length=40_000, description="the signed note (C2SP), with that line"),
    ]
    vkey: Annotated[
        str,
        Meta(
            min_length=1, max_length=400, description="the key, named `<origin>/w/<seat>`, type 4"
        ),
    ]


class IndexMoment(Given, frozen=True):
    cosigned: Annotated[
        bool, Meta(description="the newest that a witness cosigned, not the newest of all")
    ] = False


class IndexIncluded(Given, frozen=True):
    number: Annotated[Version, Meta(description="the entry's number")]
    size: (
        Annotated[Version, Meta(description="the tree's size; absent: the newest")] | UnsetType
    ) = UNSET


class IndexGrown(Given, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest size")] | UnsetType = UNSET


class Compared(Given, frozen=True, rename={"older": "from", "newer": "to", "through": "as"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest version")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class Grown(Given, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest version")] | UnsetType = UNSET
