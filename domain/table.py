"""The table of a session in the form that API and pages show, whatever its ruleset.

Every part is a map by id. An empty part is absent.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Side = Literal["top", "right", "bottom", "left"]


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table; absent fields have no value."""


class Entity(Part, frozen=True):
    """A character, creature or thing, and the seat that plays it."""

    name: str
    seat: str
    kind: str
    status: str
    sheet: dict[str, str] = {}


class Board(Part, frozen=True):
    """A board with a token at index `at` of `points`, which are listed clockwise."""

    shape: Literal["ring", "line"]
    points: tuple[str, ...]
    at: int


class Pool(Part, frozen=True):
    """Points of an entity that it can spend."""

    entity: str
    label: str
    now: int
    max: int | UnsetType = UNSET


class Deck(Part, frozen=True):
    """A deck of cards.

    `left`: the number of cards not drawn yet; their order is not fixed. `up`: the cards in play.
    `edge`: the edge by which these are read.
    """

    left: int
    up: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    edge: Side | UnsetType = UNSET


class Die(Part, frozen=True):
    """A usage die: its sides now, and the sides that it steps down through."""

    sides: int
    chain: tuple[int, ...] = ()


class Condition(Part, frozen=True):
    """A condition of an entity, with the rounds that it lasts if that is limited."""

    entity: str
    label: str
    rounds: int | UnsetType = UNSET


class Order(Part, frozen=True):
    """The order of play; `at` is the id whose turn it is."""

    ids: tuple[str, ...]
    at: str | UnsetType = UNSET


class Task(Part, frozen=True):
    """Something that a seat has to finish: an open check, a declaration, a draw."""

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
