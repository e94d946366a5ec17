"""The numbers of Kingdoms and Rulers: dice, thresholds, limits, and their arithmetic.

RULES.md has them in sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

DIE = 12
DICE = (4, 6, 8, 10, 12, 20, 100)  # of plain rolls
MIN_DT, MAX_DT = 1, 12

SINGLE, DOUBLE = 1, 2  # successes or failures of one die; a 1 and a 12 give double

MIN_STAT, MAX_STAT = -99, 99  # the book has no range

# Limits, so that no log and no page grows without bound (RULES 2.4, 5.7, 9.8)
MAX_POOL = 200
MAX_PLAIN_DICE = 50
MAX_ROLLS = 40  # in one extended test
MAX_ENTITIES = 64
MAX_STATS = 40  # of one entity
MAX_SOURCES = 8  # of stats in one test, and of bonuses


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"


class Kind(StrEnum):
    """The kinds of tests."""

    BASIC = "basic"
    EXTENDED = "extended"


class Refill(StrEnum):
    """The stats that can refill the pool of an extended test. Every entity has them."""

    CON = "CON"
    CHA = "CHA"


class Die(StrEnum):
    """The results of one die of a test."""

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
    """The GR's choices at the opening: the rules with two readings."""

    twelve_always_succeeds: Annotated[
        bool,
        Meta(
            description="a 12 gives two successes even at DT 12,"
            " where it is not above the DT (RULES 7.5)"
        ),
    ] = True
    whole_stats: Annotated[
        bool, Meta(description="a pool takes all the dice of every source, not fewer (RULES 5.3)")
    ] = True


def die_result(face: int, dt: int, twelve_succeeds: bool) -> Die:
    if face == 1:
        return Die.TWO_FAILURES
    if face == DIE and (twelve_succeeds or face > dt):
        return Die.TWO_SUCCESSES
    return Die.SUCCESS if face > dt else Die.FAILURE


def die_margin(face: int, dt: int, twelve_succeeds: bool) -> int:
    return WORTH[die_result(face, dt, twelve_succeeds)]


def is_passed(margin: int) -> bool:
    return margin > 0


def clamp_dt(dt: int) -> int:
    """Return the valid DT nearest to a computed one."""
    return max(MIN_DT, min(MAX_DT, dt))


def refilled_pool(kept: int, stat: int) -> int:
    """Return the pool after the refill. A stat below zero removes dice, at most all."""
    return max(0, min(MAX_POOL, kept + stat))


def margins(dice: int, dt: int, twelve_succeeds: bool) -> dict[int, int]:
    """Return in how many of the 12**dice throws each margin comes out."""
    return ways(dice, [die_margin(face, dt, twelve_succeeds) for face in range(1, DIE + 1)])


def sums(dice: int, sides: int) -> dict[int, int]:
    """Return in how many of the sides**dice throws each sum comes out."""
    return ways(dice, range(1, sides + 1))


def ways(dice: int, faces: Sequence[int]) -> dict[int, int]:
    """Return in how many of all throws each sum of dice with these faces comes out.

    One die is a polynomial, all dice are its power. The coefficients lie `size` bytes apart in one
    integer: Python multiplies large integers fast, and odds must answer at once.
    """
    low, high = min(faces), max(faces)
    size = (len(faces) ** dice).bit_length() // 8 + 1
    die = sum(1 << 8 * size * (face - low) for face in faces)
    power = (die**dice).to_bytes(size * (dice * (high - low) + 1), "little")
    found = (int.from_bytes(power[at : at + size], "little") for at in range(0, len(power), size))
    return {dice * low + nth: number for nth, number in enumerate(found) if number}


def signed(number: int) -> str:
    """Return a margin as the log writes it: +2, 0, -3."""
    return f"{number:+d}" if number else "0"
