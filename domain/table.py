"""Tables: the game state as the API and the web pages show it.

All rulesets use the same format. Each field of Table maps ids to parts, and empty maps are omitted
from the JSON.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Side = Literal["top", "right", "bottom", "left"]


class TablePart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table. Its JSON omits fields that have their default value."""


class Entity(TablePart, frozen=True):
    """A character, creature or thing, and the seat that plays it."""

    name: str
    seat: str
    kind: str
    status: str
    sheet: dict[str, str] = {}


class Board(TablePart, frozen=True):
    """A board with a token.

    `points` lists the points of the board in order, which is clockwise for a ring. `at` is the
    index of the point where the token is.
    """

    shape: Literal["ring", "line"]
    points: tuple[str, ...]
    at: int


class Pool(TablePart, frozen=True):
    """A supply of points that an entity can spend."""

    entity: str
    label: str
    now: int
    max: int | UnsetType = UNSET


class Deck(TablePart, frozen=True):
    """A deck of cards.

    `left` is the number of undrawn cards, which are not in any fixed order yet. `up` lists the
    cards in play. `edge` is the edge of these cards from which their results are read.
    """

    left: int
    up: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    edge: Side | UnsetType = UNSET


class Die(TablePart, frozen=True):
    """A usage die.

    `sides` is the current number of sides. `chain` lists the sizes that the die steps down through.
    """

    sides: int
    chain: tuple[int, ...] = ()


class Condition(TablePart, frozen=True):
    """A condition that affects an entity.

    If the duration is limited, `rounds` or `minutes` is the time that remains. `note` says what the
    condition does.
    """

    entity: str
    label: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class Order(TablePart, frozen=True):
    """The order in which entities act. `at` is the id of the entity whose turn it is."""

    ids: tuple[str, ...]
    at: str | UnsetType = UNSET


class Task(TablePart, frozen=True):
    """Something that a seat has to complete, such as a check or a declaration.

    `waits` states what the seat has to do next.
    """

    seat: str
    label: str
    waits: str
    sheet: dict[str, str] = {}


class Table(TablePart, frozen=True):
    entities: dict[str, Entity] = {}
    boards: dict[str, Board] = {}
    pools: dict[str, Pool] = {}
    decks: dict[str, Deck] = {}
    dice: dict[str, Die] = {}
    conditions: dict[str, Condition] = {}
    order: dict[str, Order] = {}
    tasks: dict[str, Task] = {}
