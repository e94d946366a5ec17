"""The facts that answer. Stored shapes: log.md."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.ruleset import Message, Option
from domain.session.messages.parts import (
    Audience,
    Contribution,
    Draw,
    Draws,
    Hex16,
    Hex32,
    Hex64,
    Index,
    Parent,
)


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
