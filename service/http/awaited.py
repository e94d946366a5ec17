"""What answers about draws hold: one that waits with its proofs, any of them as it stands, what a seat has given."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Raw, UnsetType

from service.http.shown import Event, Shown

Place = tuple[str, int, int]
"""A contributor: the seat, the number of its chain, the position that the draw takes."""

Status = Literal["waiting", "drawn", "void"]


class Opened(Shown, frozen=True):
    """What a leaf commits to: the body as it was hashed, and the salt in hex."""

    body: Raw
    salt: str


class DrawAwaited(Shown, frozen=True):
    """The draw that waits; `came` are the seats that have given. Hashes are in hex.

    `leaf` is its declaration's, with its `opening`; `inclusion` proves it in the tree of `size`, which `checkpoint`
    signs, and `consistency` that this tree begins with the one that was seen.
    """

    k: int
    version: int
    turn: int
    seat: str
    at: str
    deadline: str
    contributors: tuple[Place, ...]
    came: list[str]
    leaf: str
    opening: Opened
    size: int
    inclusion: list[str]
    checkpoint: str
    consistency: list[str]


class DrawState(Shown, frozen=True):
    """Draw `k`: `came` are the seats that have given, `missing` those that have not.

    `events` are those of its turn, as far as it has come; `deadline` where it was not the house's alone.
    """

    k: int
    version: int
    turn: int
    seat: str
    status: Status
    contributors: tuple[Place, ...]
    came: list[str]
    missing: list[str]
    events: list[Event]
    deadline: str | UnsetType = UNSET


class Received(Shown, frozen=True):
    """The contribution as it was signed, and the house's signature (hex) that it holds it."""

    contribution: Raw
    receipt: str


class DrawCalled(Shown, frozen=True):
    """What a stream says to a seat that a draw waits for."""

    k: int
    version: int
    deadline: str
    contributors: tuple[Place, ...]
    came: list[str]
