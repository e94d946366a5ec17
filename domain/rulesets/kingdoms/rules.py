"""The book's numbers as data, and plain arithmetic on them: dice, thresholds, limits. RULES.md says them in words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

DIE = 12
DICE = (4, 6, 8, 10, 12, 20, 100)  # that a plain roll may use
LEAST_DT, MOST_DT = 1, 12

SINGLE, DOUBLE = 1, 2
"""Successes or failures that a die gives; a 1 and a 12 give double."""

LEAST_STAT, MOST_STAT = -99, 99  # the book has no range: these hold any that a table may use
MOST_POOL = 200  # RULES 5.7, and of dice in a plain roll 2.4: no log grows without bound
MOST_PLAIN = 50
MOST_ROLLS = 40  # in one extended test, RULES 9.8
MOST_ENTITIES = 64
MOST_STATS = 40  # of one entity
MOST_SOURCES = 8  # of stats in one test, and of bonuses


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"


class Kind(StrEnum):
    """Of a test."""

    BASIC = "basic"
    EXTENDED = "extended"


class Refill(StrEnum):
    """The stats that can refill the pool of an extended test; every entity has them."""

    CON = "CON"
    CHA = "CHA"


class Die(StrEnum):
    """What one die of a test can come to."""

    TWO_SUCCESSES = "two successes"
    SUCCESS = "success"
    FAILURE = "failure"
    TWO_FAILURES = "two failures"


WORTH = {
    Die.TWO_SUCCESSES: DOUBLE,
    Die.SUCCESS: SINGLE,
    Die.FAILURE: -SINGLE,
    Die.TWO_FAILURES: -DOUBLE,
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GR's choices at opening: the rulings with two readings."""

    twelve_always_succeeds: Annotated[
        bool,
        Meta(
            description="a 12 gives two successes even at DT 12, where it is not above the DT (RULES 7.5)"
        ),
    ] = True
    whole_stats: Annotated[
        bool, Meta(description="a pool takes all the dice of every source, not fewer (RULES 5.3)")
    ] = True


def fallen(face: int, dt: int, twelve_succeeds: bool) -> Die:
    """What a die comes to against the DT."""
    if face == 1:
        return Die.TWO_FAILURES
    if face == DIE and (twelve_succeeds or face > dt):
        return Die.TWO_SUCCESSES
    return Die.SUCCESS if face > dt else Die.FAILURE


def worth(face: int, dt: int, twelve_succeeds: bool) -> int:
    """What a die adds to the margin."""
    return WORTH[fallen(face, dt, twelve_succeeds)]


def passed(margin: int) -> bool:
    """Whether a basic test passes with that margin."""
    return margin > 0


def clamped(dt: int) -> int:
    """The DT nearest to what a computation gave."""
    return max(LEAST_DT, min(MOST_DT, dt))


def refilled(kept: int, stat: int) -> int:
    """The pool after the refill; a stat below zero takes dice, but none that are not there."""
    return max(0, min(MOST_POOL, kept + stat))


def margins(dice: int, dt: int, twelve_succeeds: bool) -> dict[int, int]:
    """In how many of the 12**dice throws each margin comes out."""
    return ways(dice, [worth(face, dt, twelve_succeeds) for face in range(1, DIE + 1)])


def sums(dice: int, sides: int) -> dict[int, int]:
    """In how many of the sides**dice throws each sum comes out."""
    return ways(dice, range(1, sides + 1))


def ways(dice: int, faces: Sequence[int]) -> dict[int, int]:
    """In how many of all throws each sum of so many dice comes out, where a die shows one of these faces.

    One die is a polynomial, all of them its power. Its coefficients lie `size` bytes apart in one whole number, for
    Python multiplies such numbers faster than anything that could be written here, and odds must answer at once.
    """
    low, high = min(faces), max(faces)
    size = (len(faces) ** dice).bit_length() // 8 + 1
    die = sum(1 << 8 * size * (face - low) for face in faces)
    power = (die**dice).to_bytes(size * (dice * (high - low) + 1), "little")
    found = (int.from_bytes(power[at : at + size], "little") for at in range(0, len(power), size))
    return {dice * low + nth: number for nth, number in enumerate(found) if number}


def signed(number: int) -> str:
    """A margin as it is written: +2, 0, -3."""
    return f"{number:+d}" if number else "0"
