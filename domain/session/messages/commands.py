"""What is asked of a session's frame."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.ruleset import Message, Option
from domain.session.messages.parts import (
    Anchored,
    Audience,
    Draws,
    Face,
    Hex16,
    Hex32,
    Hex64,
    Kept,
    Length,
    Name,
    Parent,
    Reason,
    SeatId,
    Title,
    Turn,
    Version,
    Words,
)


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
    kept: Kept | UnsetType = UNSET


class Fork(Message, frozen=True, tag="session.Fork"):
    """A new session begins with the table of a version of this one."""

    child: Hex16
    version: Version


class Close(Message, frozen=True, tag="session.Close"):
    """Ends the evening; `carry` notes down what the next one may start from."""

    carry: bool
