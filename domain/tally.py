"""Tallies: what an event adds to the statistics.

Each count is computed from a single event.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

Probability = tuple[int, int]
"""An exact probability as (numerator, denominator)."""
MAX_SIDES = 100
MAX_WAYS = 2**63 - 1
"""The largest denominator of a probability. JSON readers of 64 bits can read it."""
Points = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="count"):
    """A count in the statistics about an entity or a seat.

    If `entity` begins with `@`, it identifies a seat.
    """

    entity: str


class Owned(Count, frozen=True, tag="owned"):
    """An entity got the seat that plays it. The entity's luck is that seat's luck from now on."""

    seat: str


class Rolled(Count, frozen=True, tag="rolled"):
    """A face that a die showed, or a card that was drawn from a deck.

    The statistics compare these values with chance, to find loaded dice and marked cards. `source`
    is the die, such as "d6", or the deck. `left` lists what could come, each entry as likely as
    every other: for a deck, the cards that were left. It is empty for a die whose faces are 1 to
    its number of sides.
    """

    source: str
    value: str
    use: str
    left: tuple[str, ...] = ()


class Attempted(Count, frozen=True, tag="attempted"):
    """The outcome of something that chance decided, such as a check, an attack or its damage.

    The statistics of luck compare the outcome with what else could have come. `chances` contains
    the probability of each outcome at the time. If `is_ranked` is True, they are in order from the
    worst outcome to the best one for the seat that plays the entity; otherwise, the attempt has no
    luck. `successes` lists the outcomes that the rules call a success, and is empty if they name
    none. `value` is what was drawn, as text, such as "4" or "3 + 11". `stakes` is "life" if the
    entity's life hangs on the outcome, "harm" if anyone's harm does, and otherwise "". `is_save`
    is True if the entity defends itself. `given` contains what the probabilities depend on, such
    as the token's position or the difficulty.
    """

    use: str
    value: str
    outcome: str
    chances: dict[str, Probability]
    successes: tuple[str, ...] = ()
    is_ranked: bool = True
    stakes: Literal["", "harm", "life"] = ""
    is_save: bool = False
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

    `rounds` is the number of rounds that remain after the change. `is_set` is True if a command
    set, corrected or lifted the condition, so that no round has passed.
    """

    condition: str
    rounds: int
    is_set: bool = False


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

    It is counted for the seat whose command needed the values. `is_secret` is True if the values
    were secret at first.
    """

    grade: Literal["A", "B", "C", "D"]
    is_secret: bool = False


class Voided(Count, frozen=True, tag="voided"):
    """A draw that was voided. `draw` is its number.

    It is counted for the seat whose command needed the draw. `missing` lists the seats that did not
    contribute.
    """

    draw: int
    missing: tuple[str, ...]


def fair_die(sides: int) -> dict[str, Probability]:
    """Return the probability of each face of a fair die.

    Raises ValueError if the die has more than MAX_SIDES sides.
    """
    if sides > MAX_SIDES:
        raise ValueError(f"a die can have at most {MAX_SIDES} sides, not {sides}")
    return {str(face): (1, sides) for face in range(1, sides + 1)}


@lru_cache(maxsize=256)
def sum_chances(dice: int, sides: int, *, high_is_good: bool) -> dict[str, Probability]:
    """Return the probability of each sum of several fair dice, from the worst sum to the best.

    Return {} if there are so many dice that a probability would be too small to store. Raises
    ValueError if the dice have more than MAX_SIDES sides.
    """
    fair_die(sides)
    whole = sides**dice
    if whole > MAX_WAYS:
        return {}
    ways = {0: 1}
    for _ in range(dice):
        after: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, sides + 1):
                after[total + face] = after.get(total + face, 0) + number
        ways = after
    order = sorted(ways, reverse=not high_is_good)
    return {str(total): reduce(ways[total], whole) for total in order}


def reduce(numerator: int, denominator: int) -> Probability:
    """Return a probability in its lowest terms."""
    common = gcd(numerator, denominator)
    return numerator // common, denominator // common


AnyCount = Owned | Rolled | Attempted | Settled | Moved | Ticked | Landed | Wore | Graded | Voided
Counts = tuple[AnyCount, ...]
