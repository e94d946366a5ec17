"""Roll cards: what a page shows of an event, such as a roll with its dice and its result.

Every ruleset uses the same format. Pages draw each drawing by its shape, whatever the game is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.table import Side

WORST, BAD, GOOD, BEST = 1, 2, 3, 4
Level = Annotated[
    int, Meta(ge=WORST, le=BEST, description="how good it is for the actor, from 1 (worst) to 4")
]
Note = Annotated[str, Meta(description="a short remark; empty if there is none")]


class CardPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a roll card. Its JSON omits fields that have their default value."""


class DrawnDie(CardPart, frozen=True):
    """A die, and the face that it showed."""

    sides: Annotated[int, Meta(description="the number of sides")]
    face: Annotated[str, Meta(description="the face")]
    dropped: Annotated[bool, Meta(description="true if the face does not count")] = False
    level: Level | UnsetType = UNSET
    mark: Annotated[str, Meta(description="what the face adds, such as +2")] = ""


class DiceDrawing(CardPart, frozen=True, tag_field="shape", tag="dice"):
    """Dice in a row."""

    dice: Annotated[tuple[DrawnDie, ...], Meta(description="the dice, in order")]
    note: Note = ""


class PathDrawing(CardPart, frozen=True, tag_field="shape", tag="path"):
    """The way of a token over the points of a board. The first point is where it began."""

    points: Annotated[tuple[str, ...], Meta(description="the names of the points, in order")]
    note: Note = ""
    words: Annotated[
        dict[str, str], Meta(description="what the names of the points mean, keyed by name")
    ] = {}


class Band(CardPart, frozen=True):
    """A part of a scale whose numbers have the same outcome."""

    low: Annotated[int, Meta(description="its lowest number")]
    high: Annotated[int, Meta(description="its highest number")]
    level: Level
    label: Annotated[str, Meta(description="the outcome")]


class ScaleDrawing(CardPart, frozen=True, tag_field="shape", tag="scale"):
    """A number on a scale, with a goal."""

    value: Annotated[int, Meta(description="the number that was rolled")]
    goal: Annotated[str, Meta(description="the goal, as text")]
    bands: Annotated[tuple[Band, ...], Meta(description="the bands, from the lowest number on")]


class SumPart(CardPart, frozen=True):
    """A part of a sum."""

    label: Annotated[str, Meta(description="where the part comes from")]
    value: Annotated[int, Meta(description="the number that is added")]


class SumDrawing(CardPart, frozen=True, tag_field="shape", tag="sum"):
    """A sum with its parts."""

    parts: Annotated[tuple[SumPart, ...], Meta(description="the parts, in order")]
    total: Annotated[int, Meta(description="the sum")]
    goal: (
        Annotated[int, Meta(description="the number to reach; absent if there is none")] | UnsetType
    ) = UNSET
    goal_label: Annotated[str, Meta(description="the name of the goal, such as HiT")] = ""
    note: Note = ""


class EdgeResult(CardPart, frozen=True):
    """What an edge of a card says."""

    side: Side
    symbol: Annotated[str, Meta(description="the printed symbol")]
    level: Level


class DrawnCard(CardPart, frozen=True):
    """A card that was drawn from a deck."""

    name: Annotated[str, Meta(description="the name on the card")]
    counts: Annotated[bool, Meta(description="whether the card decides the result")] = True
    edges: Annotated[tuple[EdgeResult, ...], Meta(description="its results by edge")] = ()
    read: (
        Annotated[Side, Meta(description="the edge that is read; absent if none is")] | UnsetType
    ) = UNSET


class CardsDrawing(CardPart, frozen=True, tag_field="shape", tag="cards"):
    """Cards in a row."""

    cards: Annotated[tuple[DrawnCard, ...], Meta(description="the cards, in order")]
    note: Note = ""


Drawing = DiceDrawing | PathDrawing | ScaleDrawing | SumDrawing | CardsDrawing
Words = Annotated[
    str,
    Meta(
        description="words with ids in braces, such as `attacks {rat}`; replace each id with its "
        "name in the session's `names`"
    ),
]


class RollCard(CardPart, frozen=True):
    """What a page shows of an event: who did what, what was drawn, and how it came out."""

    entity: Annotated[
        str, Meta(description="the id of the entity that acts, or `@` and the id of a seat")
    ]
    action: Annotated[Words, Meta(description="what the entity does, as a sentence about it")] = ""
    detail: Annotated[Words, Meta(description="how and what for; empty if nothing was said")] = ""
    big: Annotated[str, Meta(description="what is shown largest, such as the total")] = ""
    unit: Annotated[str, Meta(description="what `big` is, such as d100 or total")] = ""
    result: Annotated[Words, Meta(description="the result in words; empty if there is none")] = ""
    note: Annotated[Words, Meta(description="more about the result, such as `6 over`")] = ""
    level: Level | UnsetType = UNSET
    drawings: Annotated[
        tuple[Drawing, ...], Meta(description="drawings of the roll, by their shapes")
    ] = ()
    said: Annotated[
        str, Meta(description="what the seat of the turn said of the result; empty if nothing")
    ] = ""
    continues: Annotated[
        bool,
        Meta(
            description="true if this changes the newest card of the same entity: its result and "
            "level replace those of that card, and its drawings follow"
        ),
    ] = False


def details(*parts: str | UnsetType) -> str:
    """Return those parts that are not empty, separated by dots."""
    return " · ".join(part.strip() for part in parts if part)


def no_card(event: object) -> RollCard | None:
    """Return None. Rulesets without roll cards use this."""
    return None


def plain_dice(sides: int, faces: Iterable[int], note: str = "") -> DiceDrawing:
    """Return a drawing of dice of one kind that all count."""
    return DiceDrawing(tuple(DrawnDie(sides, str(face)) for face in faces), note)
