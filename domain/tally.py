"""Tallies: what one event contributes to statistics, computed from the event alone."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

Probability = tuple[int, int]
"""An exact probability as (numerator, denominator)."""
MAX_SIDES = 100
Points = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="count"):
    """A contribution to the statistics of an entity, or of a seat, written as `@seat`."""

    entity: str


class Rolled(Count, frozen=True, tag="rolled"):
    """A value of a die or deck.

    `source`: the die ("d6") or deck. `chances`: the probability of each value at that moment.
    `scale`: the outcomes (or values, if there is no outcome) from worst to best for the entity, or
    empty if none is better than another. `given`: what the probabilities depend on, such as the
    point on the ring, the goal or the DT.
    """

    source: str
    value: str
    use: str
    chances: dict[str, Probability] = {}
    outcome: str | UnsetType = UNSET
    outcomes: dict[str, Probability] = {}
    scale: tuple[str, ...] = ()
    given: dict[str, int | str] = {}


class Settled(Count, frozen=True, tag="settled"):
    """The result of an action; `rolled` is the result before it was altered."""

    use: str
    outcome: str
    rolled: str | UnsetType = UNSET


class Moved(Count, frozen=True, tag="moved"):
    """Points spent (negative) or gained in a pool of the entity, which then holds `now`."""

    pool: str
    by: Points
    why: str
    now: Points | UnsetType = UNSET


class Ticked(Count, frozen=True, tag="ticked"):
    """A condition that began, lost a round or ended, with the rounds that remain."""

    condition: str
    rounds: int


class Landed(Count, frozen=True, tag="landed"):
    """A token that reached index `at` of `points`, by a roll or by a change after the roll.

    `chances`: the probability of each point that the roll could give, by its index as text.
    """

    board: str
    points: tuple[str, ...]
    at: int
    how: Literal["rolled", "altered"]
    chances: dict[str, Probability] = {}


class Wore(Count, frozen=True, tag="wore"):
    """A roll of a usage die.

    `left`: the die afterwards: smaller, unchanged, or "" if it is used up. `chance`: the
    probability that it gets smaller.
    """

    thing: str
    die: str
    left: str
    chance: Probability


class Graded(Count, frozen=True, tag="graded"):
    """The grade of a seat's draw or declared dice (docs/fairness.md)."""

    grade: Literal["A", "B", "C", "D"]


class Voided(Count, frozen=True, tag="voided"):
    """A void draw of a seat, and the seats that did not contribute."""

    k: int
    missing: tuple[str, ...]


def fair_die(sides: int) -> dict[str, Probability]:
    """Return the probability of each face. Raises ValueError if the die has too many sides."""
    if sides > MAX_SIDES:
        raise ValueError(f"a die has at most {MAX_SIDES} sides, not {sides}")
    return {str(face): (1, sides) for face in range(1, sides + 1)}


AnyCount = Rolled | Settled | Moved | Ticked | Landed | Wore | Graded | Voided
Counts = tuple[AnyCount, ...]
