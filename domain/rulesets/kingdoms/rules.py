"""Constants and calculations for Kingdoms and Rulers: dice, thresholds and limits.

RULES.md explains them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

# The first edition in which each changed rule applies. Earlier editions keep the previous rule.
BLANK_TEXT_REFUSED_SINCE = 2  # RULES 11.4
SIMILAR_NAMES_ARE_SAME_SINCE = 2  # RULES 4.2 and 5.4
IDLE_ADJUSTMENTS_REFUSED_SINCE = 2  # RULES 10.3
DICE_GRANTED_BETWEEN_ROLLS_SINCE = 2  # RULES 5.4
NAMED_SEATS_MUST_PLAY_SINCE = 2  # RULES 15.7

DIE = 12
DICE = (4, 6, 8, 10, 12, 20, 100)  # sides of the dice allowed in plain rolls
MIN_DT, MAX_DT = 1, 12

SINGLE, DOUBLE = 1, 2  # successes or failures for one die; a 1 or a 12 counts double

MIN_STAT, MAX_STAT = -99, 99  # the rulebook gives no range

# Limits that keep logs and pages from growing without bound (RULES 2.4, 2.7, 5.7, 9.8 and 14)
MAX_POOL = 200
MAX_PLAIN_DICE = 50
MAX_ADDED = 999  # to the sum of a plain roll
MAX_ROLLS = 40  # in one extended test
MAX_ENTITIES = 64
MAX_STATS = 40  # per entity
MAX_SOURCES = 8  # stats per test; also the maximum number of bonuses per test
MAX_CONDITIONS = 20  # per entity
MAX_CONDITION_ROUNDS = 10_000
MAX_CONDITION_MINUTES = 100_000


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"


class PoolTestKind(StrEnum):
    BASIC = "basic"
    EXTENDED = "extended"


class Refill(StrEnum):
    """The stats that can refill the pool in an extended test. Every entity has both."""

    CON = "CON"
    CHA = "CHA"


class DieResult(StrEnum):
    """The possible results of a single die in a test."""

    TWO_SUCCESSES = "two successes"
    SUCCESS = "success"
    FAILURE = "failure"
    TWO_FAILURES = "two failures"


WORTH = {
    DieResult.TWO_SUCCESSES: DOUBLE,
    DieResult.SUCCESS: SINGLE,
    DieResult.FAILURE: -SINGLE,
    DieResult.TWO_FAILURES: -DOUBLE,
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rule variants, chosen when a session is opened.

    A new option must be unset by default, so that the options that are recorded in old logs are
    still encoded in the same way.
    """

    twelve_always_succeeds: Annotated[
        bool,
        Meta(description="whether a 12 counts as two successes even if the DT is 12 (RULES 7.5)"),
    ] = True
    whole_stats: Annotated[
        bool,
        Meta(description="whether the pool must include all dice from every source (RULES 5.3)"),
    ] = True
    gr_approves_stats: (
        Annotated[
            bool,
            Meta(
                description="whether stats added by players need the GR's approval"
                " (RULES 4.6; default: no)"
            ),
        ]
        | UnsetType
    ) = UNSET


def die_result(face: int, dt: int, twelve_succeeds: bool) -> DieResult:
    if face == 1:
        return DieResult.TWO_FAILURES
    if face == DIE and (twelve_succeeds or face > dt):
        return DieResult.TWO_SUCCESSES
    return DieResult.SUCCESS if face > dt else DieResult.FAILURE


def die_margin(face: int, dt: int, twelve_succeeds: bool) -> int:
    return WORTH[die_result(face, dt, twelve_succeeds)]


def is_passed(margin: int) -> bool:
    return margin > 0


def clamp_dt(dt: int) -> int:
    return max(MIN_DT, min(MAX_DT, dt))


def half(stat: int) -> int:
    """Return half of a stat, rounded down."""
    return stat // 2


def refilled_pool(kept: int, stat: int) -> int:
    """Return the number of dice after adding `stat` dice to the `kept` dice.

    A negative stat removes dice. The result is always between 0 and `MAX_POOL`.
    """
    return max(0, min(MAX_POOL, kept + stat))


def margins(dice: int, dt: int, twelve_succeeds: bool) -> dict[int, int]:
    """Return how many of the 12**dice possible throws result in each margin."""
    return ways(dice, [die_margin(face, dt, twelve_succeeds) for face in range(1, DIE + 1)])


def sums(dice: int, sides: int) -> dict[int, int]:
    """Return how many of the sides**dice possible throws result in each sum."""
    return ways(dice, range(1, sides + 1))


def ways(dice: int, faces: Sequence[int]) -> dict[int, int]:
    """Return how many throws of `dice` dice with these faces result in each sum.

    A die is represented as a polynomial, which is raised to the power `dice`. The coefficients are
    packed into one large integer, `size` bytes each, because Python multiplies large integers
    quickly.
    """
    low, high = min(faces), max(faces)
    size = (len(faces) ** dice).bit_length() // 8 + 1
    die = sum(1 << 8 * size * (face - low) for face in faces)
    power = (die**dice).to_bytes(size * (dice * (high - low) + 1), "little")
    found = (int.from_bytes(power[at : at + size], "little") for at in range(0, len(power), size))
    return {dice * low + nth: number for nth, number in enumerate(found) if number}


def signed(number: int) -> str:
    """Return the number with a sign, for example +2 or -3. Zero has no sign."""
    return f"{number:+d}" if number else "0"


def folded(name: str) -> str:
    """Return the name in a form for comparisons that ignore capitalization and spacing."""
    return " ".join(name.split()).casefold()


def condition_key(entity: str, name: str) -> str:
    """Return the key under which an entity's condition is stored.

    A fork records the state as canonical JSON, whose keys are ASCII. Other characters are escaped.
    """
    return f"{entity}.{folded(name).encode('unicode_escape').decode('ascii')}"
