"""What requests hold: frozen structs that the schemas of bodies and queries are derived from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Option
from domain.session.messages import Audience, Face, Hex32, Name, SeatId, Title, Turn, Version

Limit = Annotated[int, Meta(ge=1, le=10_000, description="at most so many; the server may give fewer")]
After = Annotated[int, Meta(ge=0, lt=2**53, description="what comes behind this: the `next` of the page before")]

Sought = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]

Through = Annotated[SeatId, Meta(description="for the GM and auditors: as this seat sees it")]

Blind = Annotated[Hex32, Meta(description="32 random bytes that hide a secret draw; absent: the house makes them")]

# The union of all rooms' commands has no static type; what is loaded is always a Message.
AnyCommand = Annotated[Any, Meta(extra={"of": "command"})]
Faces = Annotated[tuple[Face, ...], Meta(max_length=64, description="in the order the rules ask for them")]


class Given(msgspec.Struct, frozen=True):
    """A part of a request."""


class Opening(Given, frozen=True):
    """Opens an evening: the one who opens it sits down as its GM."""

    ruleset: Annotated[str, Meta(description="the game that is played", extra={"of": "ruleset"})]
    title: Title
    edition: Annotated[str, Meta(description="absent: the newest", extra={"of": "edition"})] | UnsetType = UNSET
    options: Annotated[
        dict[str, Option], Meta(description="absent ones are the defaults", extra={"of": "options"})
    ] = {}
    seat: SeatId = "gm"
    name: Name | UnsetType = UNSET


class Commanding(Given, frozen=True):
    """A command of the session's ruleset, with the faces of physical dice where they were rolled at the table."""

    command: AnyCommand
    faces: Faces | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    blind: Blind | UnsetType = UNSET
    target: Annotated[Version, Meta(description="the version that fixed the aim beforehand")] | UnsetType = UNSET


class Asking(Given, frozen=True):
    """A command whose chances are asked for."""

    command: AnyCommand


class Naming(Given, frozen=True):
    name: Name


class Unsealing(Given, frozen=True):
    """Opens a secret turn."""

    turn: Turn


class Forking(Given, frozen=True):
    """Forks a session: whoever asks sits down as the new one's GM."""

    version: Version
    title: Title | UnsetType = UNSET
    seat: SeatId = "gm"
    name: Name | UnsetType = UNSET


class Inviting(Given, frozen=True):
    """Invites someone to a seat; to one that is held too: its old tokens die when the invitation is taken."""

    role: Annotated[Literal["player", "spectator", "auditor"], Meta(description="what the seat may do")]
    seat: SeatId | UnsetType = UNSET
    uses: Annotated[int, Meta(ge=1, le=64, description="how many seats may be taken with it")] = 1
    hours: Annotated[int, Meta(ge=1, le=24 * 366, description="until it expires")] = 24 * 7


class Taking(Given, frozen=True):
    """Takes a seat with an invitation's code."""

    code: Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_-]+$(?!\n)", description="the code")]
    seat: SeatId | UnsetType = UNSET
    name: Name | UnsetType = UNSET


class Page(Given, frozen=True):
    after: After = 0
    limit: Limit = 50


class EventPage(Page, frozen=True, rename={"through": "as"}):
    at: Annotated[Version, Meta(description="as the log stood at this version")] | UnsetType = UNSET
    last: Annotated[Limit, Meta(description="the newest so many of them, instead of `limit`")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class ReviewPage(Page, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class Sight(Given, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class Search(Page, frozen=True, rename={"through": "as"}):
    """All conditions that are given must hold."""

    kind: (
        Annotated[Sought, Meta(description="an event's kind, in full or up to a dot, or its bare name")] | UnsetType
    ) = UNSET
    seat: Annotated[SeatId, Meta(description="who asked")] | UnsetType = UNSET
    entity: Annotated[Sought, Meta(description="an id that the event holds")] | UnsetType = UNSET
    die: Annotated[Sought, Meta(description="a die such as d6, or a deck as the ruleset names it")] | UnsetType = UNSET
    text: Annotated[Sought, Meta(description="in the told line, in any case")] | UnsetType = UNSET
    since: Annotated[datetime, Meta(description="at this time or later")] | UnsetType = UNSET
    until: Annotated[datetime, Meta(description="at this time or earlier")] | UnsetType = UNSET
    marked: Annotated[bool, Meta(description="only what stands out, or only the rest")] | UnsetType = UNSET
    undone: Annotated[bool, Meta(description="only what rewinds left behind, or only the rest")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class Following(Given, frozen=True, rename={"through": "as"}):
    after: Annotated[After, Meta(description="go on behind it; absent: from now on")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class Moment(Given, frozen=True, rename={"through": "as"}):
    at: Annotated[Version, Meta(description="the version to look at; absent: the newest")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class Counting(Given, frozen=True, rename={"through": "as"}):
    undone: Annotated[bool, Meta(description="with what rewinds left behind")] = False
    through: Through | UnsetType = UNSET


class Included(Given, frozen=True):
    version: Version
    size: Annotated[Version, Meta(description="the tree's size; absent: the newest version")] | UnsetType = UNSET


class Compared(Given, frozen=True, rename={"older": "from", "newer": "to", "through": "as"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest version")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class Grown(Given, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest version")] | UnsetType = UNSET
