"""Tallies: the counts that an event adds to statistics.

Each count is computed from a single event.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

Probability = tuple[int, int]
"""An exact probability as (numerator, denominator)."""
MAX_SIDES = 100
Points = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="count"):
    """A count in the statistics about an entity or a seat.

    If `entity` begins with `@`, it identifies a seat.
    """

    entity: str


class Rolled(Count, frozen=True, tag="rolled"):
    """A value that was rolled on a die or drawn from a deck.

    `source` is the die, such as "d6", or the deck. `chances` contains the probability of each value
    at the time of the roll. `scale` ranks the outcomes (or, without outcomes, the values) from
    worst to best for the entity, and is empty if they are not ranked. `given` contains what the
    probabilities depend on, such as the token's position or the difficulty.
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
    """The final outcome of an action.

    `rolled` is the outcome of the roll, before anything altered it.
    """

    use: str
    outcome: str
    rolled: str | UnsetType = UNSET


class Moved(Count, frozen=True, tag="moved"):
    """A change to a pool of points. `by` is negative if points were spent.

    `now` is the number of points in the pool after the change.
    """

    pool: str
    by: Points
    why: str
    now: Points | UnsetType = UNSET


class Ticked(Count, frozen=True, tag="ticked"):
    """A change to a condition: it begins, ends, or has fewer rounds left.

    `rounds` is the number of rounds that remain after the change.
    """

    condition: str
    rounds: int


class Landed(Count, frozen=True, tag="landed"):
    """The arrival of a token at a point on a board.

    `how` is "rolled" if the roll moved the token there, or "altered" if the result was changed
    afterwards. `at` is an index into `points`. `chances` contains the probability of each point
    that the roll could reach, keyed by index (as text).
    """

    board: str
    points: tuple[str, ...]
    at: int
    how: Literal["rolled", "altered"]
    chances: dict[str, Probability] = {}


class Wore(Count, frozen=True, tag="wore"):
    """A roll of a usage die.

    `left` is the die after the roll, which is smaller or unchanged, or "" if it is used up.
    `chance` is the probability that the roll makes the die smaller or uses it up.
    """

    thing: str
    die: str
    left: str
    chance: Probability


class Graded(Count, frozen=True, tag="graded"):
    """The fairness grade of a draw or of physical dice (docs/fairness.md).

    It is counted for the seat whose command needed the values.
    """

    grade: Literal["A", "B", "C", "D"]


class Voided(Count, frozen=True, tag="voided"):
    """A draw that was voided.

    It is counted for the seat whose command needed the draw. `missing` lists the seats that did not
    contribute.
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
