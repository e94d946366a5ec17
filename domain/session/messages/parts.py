"""What messages of the frame are made of: texts and numbers within their bounds, and the parts that have fields."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

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
        description="the evening's title",
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
        description="what is told",
    ),
]
Version = Annotated[int, Meta(ge=1, lt=2**53, description="a version of this session")]
Face = Annotated[int, Meta(ge=1, le=2**32, description="a face as it fell on the table")]
Audience = Annotated[
    Literal["gm", "blind", "self"],
    Meta(
        description="gm: the asker and the GM see it; blind: the GM alone; self: the asker alone. Absent: everyone"
    ),
]
Draws = Annotated[
    Literal["house", "table"],
    Meta(
        description="who draws: the house alone, or every seat that is there with a chain of its own, and the house"
    ),
]
Turn = Annotated[int, Meta(ge=1, lt=2**53, description="a turn of this session")]
Hex16 = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)")]
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Hex64 = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
Index = Annotated[int, Meta(ge=0, lt=2**32)]
Length = Annotated[int, Meta(ge=1, le=65_536, description="how many links a chain has")]


class Parent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where a fork comes from: the session, the version, and the root of its tree of that size."""

    root: Hex32
    session: Hex16
    version: Version


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
