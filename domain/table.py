"""What any table can show: the words of projections and pages. Every part is a map by id; an empty part is absent."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Side = Literal["top", "right", "bottom", "left"]


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table; what is absent is not said."""


class Entity(Part, frozen=True):
    name: str
    seat: str
    kind: str
    status: str
    sheet: dict[str, str] = {}


class Board(Part, frozen=True):
    """`points` clockwise from the start; `at` is the index of the token."""

    shape: Literal["ring", "line"]
    points: tuple[str, ...]
    at: int


class Pool(Part, frozen=True):
    entity: str
    label: str
    now: int
    max: int | UnsetType = UNSET


class Deck(Part, frozen=True):
    """`left` counts the cards still to come; `up` lie in play; `edge` is the one by which these are read.

    The order of the rest exists nowhere.
    """

    left: int
    up: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    edge: Side | UnsetType = UNSET


class Die(Part, frozen=True):
    """A usage die: its sides now and the chain it goes down."""

    sides: int
    chain: tuple[int, ...] = ()


class Condition(Part, frozen=True):
    entity: str
    label: str
    rounds: int | UnsetType = UNSET


class Order(Part, frozen=True):
    """Who acts, first to last; `at` is whose turn it is."""

    ids: tuple[str, ...]
    at: str | UnsetType = UNSET


class Task(Part, frozen=True):
    """Whatever waits to be finished: an open check, a declaration, a draw."""

    seat: str
    label: str
    waits: str
    sheet: dict[str, str] = {}


class Table(Part, frozen=True):
    entities: dict[str, Entity] = {}
    boards: dict[str, Board] = {}
    pools: dict[str, Pool] = {}
    decks: dict[str, Deck] = {}
    dice: dict[str, Die] = {}
    conditions: dict[str, Condition] = {}
    order: dict[str, Order] = {}
    tasks: dict[str, Task] = {}
