"""What answers about the index and about cosignatures hold."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from service.http.shown import Shown


class IndexEntry(Shown, frozen=True):
    """A session's checkpoint as it was signed when the session opened, forked or closed."""

    number: int
    session: str
    size: int
    note: str


class IndexEntries(Shown, frozen=True):
    """`size` is that of the whole index."""

    size: int
    entries: list[IndexEntry]
    next: int | UnsetType = UNSET


class IndexInclusion(Shown, frozen=True):
    """That an entry's note, byte for byte, is a leaf of the index's tree of that size; hashes in hex."""

    number: int
    size: int
    note: str
    leaf_hash: str
    root: str
    proof: list[str]


class CosignatureShown(Shown, frozen=True):
    """The newest checkpoint that a key cosigned for a seat, and when it says that it did."""

    seat: str
    vkey: str
    size: int
    at: str


class Cosignatures(Shown, frozen=True):
    version: int
    cosignatures: list[CosignatureShown]
