"""Tables: the game state as the API and the web pages show it.

All rulesets use the same format. Each field of Table maps ids to parts, and empty maps are omitted
from the JSON.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Side = Literal["top", "right", "bottom", "left"]
PoolKind = Literal["health", "harm", "stamina", "magic", "luck", "other"]


class TablePart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the table. Its JSON omits fields that have their default value."""


class Entity(TablePart, frozen=True):
    """A character, creature or thing, and the seat that plays it."""

    name: Annotated[str, Meta(description="the name to display")]
    seat: Annotated[str, Meta(description="the id of the seat that plays the entity")]
    kind: Annotated[
        str, Meta(description="what the entity is, in the ruleset's words, such as PC or NPC")
    ]
    status: Annotated[
        str, Meta(description="the entity's status, in the ruleset's words, such as ok or retired")
    ]
    sheet: Annotated[
        dict[str, str], Meta(description="the entries of the entity's sheet as text, keyed by name")
    ] = {}
    summary: Annotated[
        str, Meta(description="what to show of the sheet on one line; empty if nothing is chosen")
    ] = ""
    stats: Annotated[
        dict[str, str], Meta(description="the few numbers to show in boxes, keyed by short names")
    ] = {}
    rolls: Annotated[
        dict[str, str], Meta(description="the notations of saved rolls, keyed by name")
    ] = {}


class Board(TablePart, frozen=True):
    """A board with a token."""

    shape: Annotated[
        Literal["ring", "line"],
        Meta(description="the board's shape; in a ring, the first point follows the last"),
    ]
    points: Annotated[
        tuple[str, ...],
        Meta(description="the board's points, in order, which is clockwise for a ring"),
    ]
    index: Annotated[
        int, Meta(description="the index in `points` of the point where the token is, from 0")
    ]
    levels: Annotated[
        tuple[int, ...],
        Meta(
            description="how good each point is, from 1 (worst) to 4; empty if no point is better "
            "than another"
        ),
    ] = ()


class Pool(TablePart, frozen=True):
    """A supply of points or dice that an entity can spend, or a counter."""

    entity: Annotated[
        str,
        Meta(
            description="the id of the entity that the pool belongs to, "
            "or `the table` if it belongs to no entity"
        ),
    ]
    label: Annotated[str, Meta(description="the pool's name, such as HP")]
    now: Annotated[
        int, Meta(description="the current number of points or dice; it can be negative")
    ]
    max: (
        Annotated[int, Meta(description="the maximum of `now`; absent if there is none")]
        | UnsetType
    ) = UNSET
    kind: Annotated[
        PoolKind,
        Meta(description="what the pool is, so that pages give it the same colour in every game"),
    ] = "other"
    slots: Annotated[
        bool, Meta(description="true if pages show each point as a dot instead of a bar")
    ] = False
    meaning: Annotated[
        str,
        Meta(description="what an abbreviated label stands for, such as hit points; empty if none"),
    ] = ""


class Deck(TablePart, frozen=True):
    """A deck of cards."""

    remaining: Annotated[
        int,
        Meta(description="the number of undrawn cards, which are not in any fixed order yet"),
    ]
    up: Annotated[tuple[str, ...], Meta(description="the cards in play")] = ()
    discard: Annotated[tuple[str, ...], Meta(description="the discarded cards")] = ()
    edge: (
        Annotated[
            Side,
            Meta(
                description="the edge of the cards in play from which their results are read; "
                "absent if there is none"
            ),
        ]
        | UnsetType
    ) = UNSET
    shuffles_at: Annotated[
        int,
        Meta(description="the deck is shuffled when so few cards are left; 0 if it never is"),
    ] = 0


class Die(TablePart, frozen=True):
    """A usage die."""

    sides: Annotated[
        int, Meta(description="the current number of sides, or 0 if the die is used up")
    ]
    chain: Annotated[
        tuple[int, ...],
        Meta(
            description="the sizes that the die steps down through, as numbers of sides, "
            "from the current size on"
        ),
    ] = ()


class Condition(TablePart, frozen=True):
    """A condition that affects an entity."""

    entity: Annotated[str, Meta(description="the id of the entity that has the condition")]
    label: Annotated[str, Meta(description="the condition's name")]
    rounds: (
        Annotated[
            int,
            Meta(
                description="the number of rounds that remain (in a game that counts moments, "
                "of moments); absent if the duration is not limited in rounds"
            ),
        ]
        | UnsetType
    ) = UNSET
    minutes: (
        Annotated[
            int,
            Meta(
                description="the number of minutes of game time that remain; "
                "absent if the duration is not limited in minutes"
            ),
        ]
        | UnsetType
    ) = UNSET
    note: (
        Annotated[str, Meta(description="what the condition does; absent if there is no note")]
        | UnsetType
    ) = UNSET
    helps: Annotated[
        bool, Meta(description="true if the rules say that the condition is a benefit")
    ] = False


class Order(TablePart, frozen=True):
    """The order in which entities act."""

    ids: Annotated[
        tuple[str, ...], Meta(description="the ids of the entities, in the order in which they act")
    ]
    current: (
        Annotated[
            str,
            Meta(
                description="the id of the entity whose turn it is; absent if it is no one's turn"
            ),
        ]
        | UnsetType
    ) = UNSET
    number: (
        Annotated[
            int,
            Meta(
                description="the number of the round; absent if the ruleset does not count rounds"
            ),
        ]
        | UnsetType
    ) = UNSET
    used: Annotated[
        dict[str, int],
        Meta(description="the number of actions that each entity has used, keyed by id"),
    ] = {}
    budget: Annotated[
        int, Meta(description="the number of actions that each entity has; 0 if it is not limited")
    ] = 0


class Forecast(TablePart, frozen=True):
    """How likely each outcome of a roll to come is, for each difficulty."""

    label: Annotated[str, Meta(description="what is rolled, such as 7 dice")]
    measure: Annotated[str, Meta(description="what the difficulties are, such as DT")]
    outcomes: Annotated[tuple[str, ...], Meta(description="the outcomes, from the worst on")]
    percent: Annotated[
        dict[str, tuple[int, ...]],
        Meta(description="the rounded percentages of the outcomes, in their order, by difficulty"),
    ]
    chosen: Annotated[
        str, Meta(description="the difficulty that is set; empty if none is set yet")
    ] = ""


class TargetForecast(TablePart, frozen=True):
    """The defence of an attack's target, and the chance to hit it."""

    defence: Annotated[
        dict[str, int],
        Meta(description="the parts of the target's defence, keyed by name, such as dodge"),
    ]
    needed: Annotated[int, Meta(description="the lowest sum of the attacker's dice that hits")]
    percent: Annotated[
        dict[str, int],
        Meta(description="the rounded percentage of hits, keyed by how the dice are rolled"),
    ]
    chosen: Annotated[
        str, Meta(description="how the dice of this attack are rolled, which is a key of `percent`")
    ]


class AttackForecast(TablePart, frozen=True):
    """The attack that an entity can make next, against each of a few targets."""

    label: Annotated[str, Meta(description="the name of the attack")]
    measure: Annotated[str, Meta(description="what the sum of a target's `defence` is, as HiT")]
    lowest: Annotated[int, Meta(description="the lowest possible sum of the attacker's dice")]
    weights: Annotated[
        dict[str, tuple[int, ...]],
        Meta(
            description="how often each sum comes, relative to the others, from `lowest` on, "
            "keyed by how the dice are rolled"
        ),
    ]
    targets: Annotated[
        dict[str, TargetForecast],
        Meta(description="the targets, keyed by their ids, from the likeliest one on"),
    ]


class Task(TablePart, frozen=True):
    """Something that has to be completed, such as a check or a declaration."""

    seat: Annotated[
        str,
        Meta(
            description="the id of the seat that the task is assigned to, "
            "or an empty text if it is assigned to no seat"
        ),
    ]
    label: Annotated[str, Meta(description="what the task is, such as check or turn")]
    waits: Annotated[
        str,
        Meta(
            description="what has to be done next, by the seat or by the GM, "
            "such as roll or the GM's difficulty"
        ),
    ]
    sheet: Annotated[
        dict[str, str], Meta(description="the details of the task as text, keyed by name")
    ] = {}


class Table(TablePart, frozen=True):
    entities: Annotated[dict[str, Entity], Meta(description="the entities, keyed by id")] = {}
    boards: Annotated[dict[str, Board], Meta(description="the boards, keyed by id")] = {}
    pools: Annotated[dict[str, Pool], Meta(description="the pools and counters, keyed by id")] = {}
    decks: Annotated[
        dict[str, Deck],
        Meta(description="the decks, keyed by their ids or by the ids of their entities"),
    ] = {}
    dice: Annotated[dict[str, Die], Meta(description="the usage dice, keyed by id")] = {}
    conditions: Annotated[
        dict[str, Condition], Meta(description="the conditions, keyed by id")
    ] = {}
    order: Annotated[dict[str, Order], Meta(description="the turn orders, keyed by id")] = {}
    tasks: Annotated[dict[str, Task], Meta(description="the open tasks, keyed by id")] = {}
    forecasts: Annotated[
        dict[str, Forecast],
        Meta(description="the chances of rolls to come, keyed by id, such as ana.STR"),
    ] = {}
    attacks: Annotated[
        dict[str, AttackForecast],
        Meta(description="the attacks that entities can make next, keyed by the attacker's id"),
    ] = {}
