"""What statistics are computed from: what one event counts for, taken from the event alone."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

Probability = tuple[int, int]
"""An exact chance as (numerator, denominator)."""
MAX_SIDES = 100
Points = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="count"):
    """One thing that an event counts for, of one entity; the frame's are of a seat, under `@`."""

    entity: str


class Rolled(Count, frozen=True, tag="rolled"):
    """A die or card as it fell: `source` names the die ("d6") or deck, `chances` are of each value at that moment.

    `scale` is the outcomes from the worst to the best for the entity, or the values where there is no outcome; empty
    where none is better than another. `given` is what the chances came from: the point on the ring, the goal, the DT.
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
    """An action come to its result; `rolled` is what chance alone had given."""

    use: str
    outcome: str
    rolled: str | UnsetType = UNSET


class Moved(Count, frozen=True, tag="moved"):
    """Points spent (below zero) or gained in one of the entity's pools, which holds `now`."""

    pool: str
    by: Points
    why: str
    now: Points | UnsetType = UNSET


class Ticked(Count, frozen=True, tag="ticked"):
    """A condition that began (`rounds` to go), lost a round or ended (0 to go)."""

    condition: str
    rounds: int


class Landed(Count, frozen=True, tag="landed"):
    """The token of a board came to its point `at`, an index of `points`: by a roll, or altered after the roll.

    `chances` are of each point that the roll could give, by its index as text.
    """

    board: str
    points: tuple[str, ...]
    at: int
    how: Literal["rolled", "altered"]
    chances: dict[str, Probability] = {}


class Wore(Count, frozen=True, tag="wore"):
    """A usage die was rolled: `left` is the die it is now, the same one where it holds, "" where it is expended.

    `chance`: that it goes down.
    """

    thing: str
    die: str
    left: str
    chance: Probability


class Graded(Count, frozen=True, tag="graded"):
    """A draw or declared dice of a seat, and how far its values can be trusted (fairness.md)."""

    grade: Literal["A", "B", "C", "D"]


class Voided(Count, frozen=True, tag="voided"):
    """A draw of a seat that was given up, and the seats that did not answer."""

    k: int
    missing: tuple[str, ...]


def fair_die(sides: int) -> dict[str, Probability]:
    """The chances of a fair die. Raises ValueError of one that no table has, as a bent log may name it."""
    if sides > MAX_SIDES:
        raise ValueError(f"no die has {sides} sides")
    return {str(face): (1, sides) for face in range(1, sides + 1)}


AnyCount = Rolled | Settled | Moved | Ticked | Landed | Wore | Graded | Voided
Counts = tuple[AnyCount, ...]
