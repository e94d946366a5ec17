"""Tallies: what an event contributes to statistics, computed from the event alone."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

Probability = tuple[int, int]
"""An exact probability as (numerator, denominator)."""
MAX_SIDES = 100
Points = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="count"):
    """A contribution to the statistics about an entity or, if `entity` begins with `@`, a seat."""

    entity: str


class Rolled(Count, frozen=True, tag="rolled"):
    """A value rolled on a die or drawn from a deck.

    `source`: the die ("d6") or deck. `chances`: the probability of each value at that moment.
    `scale`: the outcomes from worst to best for the entity (the values, if there is no outcome), or
    empty if they are not ranked. `given`: what the probabilities depend on, such as the point on
    the ring, the goal or the DT.
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
    """The final outcome of an action; `rolled` is the outcome before it was altered."""

    use: str
    outcome: str
    rolled: str | UnsetType = UNSET


class Moved(Count, frozen=True, tag="moved"):
    """Points that were gained or, if `by` is negative, spent.

    `now` is the number of points left in the pool.
    """

    pool: str
    by: Points
    why: str
    now: Points | UnsetType = UNSET


class Ticked(Count, frozen=True, tag="ticked"):
    """A condition that began, lost a round or ended.

    `rounds` is the number of rounds that remain.
    """

    condition: str
    rounds: int


class Landed(Count, frozen=True, tag="landed"):
    """A token that reached a point on a board, through a roll or through a change after the roll.

    `at`: the index of that point in `points`. `chances`: the probability of each point that the
    roll could reach. Its keys are indexes, written as text.
    """

    board: str
    points: tuple[str, ...]
    at: int
    how: Literal["rolled", "altered"]
    chances: dict[str, Probability] = {}


class Wore(Count, frozen=True, tag="wore"):
    """A roll of a usage die.

    `left`: the die after the roll, smaller or unchanged, or "" if it is used up. `chance`: the
    probability that the die gets smaller.
    """

    thing: str
    die: str
    left: str
    chance: Probability


class Graded(Count, frozen=True, tag="graded"):
    """The fairness grade of a draw or of physical dice.

    It counts for the seat that asked for them (docs/fairness.md).
    """

    grade: Literal["A", "B", "C", "D"]


class Voided(Count, frozen=True, tag="voided"):
    """A draw that was voided. It counts for the seat that asked for the draw.

    `missing`: the seats that did not contribute.
    """

    k: int
    missing: tuple[str, ...]


def fair_die(sides: int) -> dict[str, Probability]:
    """Return the probability of each face of a fair die.

    Raises ValueError if the die has more than MAX_SIDES sides.
    """
    if sides > MAX_SIDES:
        raise ValueError(f"a die can have at most {MAX_SIDES} sides, not {sides}")
    return {str(face): (1, sides) for face in range(1, sides + 1)}


AnyCount = Rolled | Settled | Moved | Ticked | Landed | Wore | Graded | Voided
Counts = tuple[AnyCount, ...]
