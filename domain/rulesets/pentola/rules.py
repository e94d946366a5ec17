"""Constants and calculations from the rulebook, such as goals, steps and usage dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

PERCENT = 100  # sides of the die for all tests
GOAL_PER_SCORE = 3  # percent (RULES 1.3)
CRITICAL_PART = 10  # a roll below a tenth of the goal is critical (RULES 4.3)
MAX_STEPS = 1000  # more than real play can reach, but a forged log may exceed it

MAX_SCORE = 100
MAX_PERCENT = 300
MAX_ENTITIES = 100
MAX_ON_SHEET = 40
MAX_SIDES = 20
MAX_ROLLS = 20  # pending usage rolls for one item
MAX_CONDITIONS = 20  # for one entity
MAX_ROUNDS = 10_000  # moments that a condition lasts
MAX_MINUTES = 100_000
MOMENTS_PER_MINUTE = 20  # a moment is about three seconds (RULES 7.1)

BUDGET = 2  # actions and reactions per moment without a penalty (RULES 7.2)
MAX_THINGS = 3
FOCUS_STEPS, EXTRA_STEPS = 1, -1

# The first edition in which each changed rule applies. Earlier editions keep the previous rule.
BLANKS_ARE_REFUSED_SINCE = 2  # RULES 1.9
NAMES_ARE_FOLDED_SINCE = 2  # RULES 1.6, for new names and for names on a sheet
WITHDRAWALS_SAY_WHAT_SINCE = 2  # RULES 2.8
TIES_ARE_EXPLAINED_SINCE = 2  # RULES 5.8
MOMENTS_BLOCK_MINUTES_SINCE = 2  # RULES 6.8
REACTIONS_ARE_SETTLED_SINCE = 2  # RULES 7.15
USES_ARE_DECLARED_SINCE = 2  # RULES 7.17
UNUSED_REACTIONS_ARE_SAID_SINCE = 2  # RULES 7.18
FAR_IS_APPROACHED_SINCE = 2  # RULES 9.8
VAIN_MOVES_ARE_SAID_SINCE = 2  # RULES 9.7
NOTHING_CHANGES_SINCE = 2  # RULES 10.2
NAMED_SEATS_MUST_PLAY_SINCE = 2  # RULES 15.4
THE_DEAD_GIVE_NOTHING_SINCE = 2  # RULES 16.5

ACTIONS = (
    "exercise a knack",
    "attack",
    "move",
    "apply a dweomer",
    "channel a miracle",
    "throw a grappling hook",
    "drink a potion",
    "use a matrix or scroll",
)
REACTIONS = ("parry", "block", "dodge", "interfere with another action")


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"
    THING = "thing"


class Characteristic(StrEnum):
    BOD = "BOD"
    INT = "INT"
    POW = "POW"


class Bonus(StrEnum):
    """The origin of a bonus."""

    SKILL = "skill"
    VOCATION = "vocation"
    RELATIONSHIP = "relationship"
    REPUTATION = "reputation"


INITIATIVE_BONUSES = (Bonus.SKILL, Bonus.VOCATION)


class Finding(StrEnum):
    """The reason why no test is needed."""

    CANNOT_FAIL = "cannot fail"
    CANNOT_SUCCEED = "cannot succeed"
    NO_CONSEQUENCES = "no consequences"


class Ruling(StrEnum):
    SUCCESS = "automatic success"
    FAILURE = "automatic failure"


RULINGS = {
    Finding.CANNOT_FAIL: Ruling.SUCCESS,
    Finding.CANNOT_SUCCEED: Ruling.FAILURE,
    Finding.NO_CONSEQUENCES: Ruling.SUCCESS,  # the character could keep trying
}


class Difficulty(StrEnum):
    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


STEPS = {Difficulty.EASY: 1, Difficulty.NORMAL: 0, Difficulty.HARD: -1}


class Outcome(StrEnum):
    FUMBLE = "fumble"
    FAILURE = "failure"
    SUCCESS = "success"
    CRITICAL = "critical"


RANKS = tuple(Outcome)  # worst to best
PASSED = (Outcome.SUCCESS, Outcome.CRITICAL)


class RollPurpose(StrEnum):
    """The purpose of a d100 roll."""

    TEST = "test"
    DEMANDED = "demanded test"
    OPPOSED = "opposed test"
    INITIATIVE = "initiative"


class Undeclared(StrEnum):
    """The reason why a test is not part of a declared action or reaction.

    Focus does not help with such a test.
    """

    DEMANDED = "demanded"
    COMPETING = "competing"


class TieBreak(StrEnum):
    """The rule that breaks a tie between two sides with the same outcome and roll."""

    PLAYER = "player"
    DEFENDER = "defender"
    GOAL = "goal"
    ORDER = "order"


class Usable(StrEnum):
    ITEM = "item"
    ABILITY = "ability"


class Die(StrEnum):
    """The chain of usage dice, best first."""

    D20 = "d20"
    D12 = "d12"
    D10 = "d10"
    D8 = "d8"
    D6 = "d6"
    D4 = "d4"
    EXPENDED = "expended"


CHAIN = tuple(Die)
SIDES = {Die.D20: 20, Die.D12: 12, Die.D10: 10, Die.D8: 8, Die.D6: 6, Die.D4: 4, Die.EXPENDED: 0}
DOWN = 1  # the face that moves the die one step down the chain


class Thing(StrEnum):
    """What a character can declare during a moment (RULES 7.2)."""

    ACTION = "action"
    REACTION = "reaction"
    MOVE = "move"
    SPRINT = "sprint"


TAKES = {Thing.ACTION: 1, Thing.REACTION: 1, Thing.MOVE: 1, Thing.SPRINT: 2}


class Phase(StrEnum):
    ROLLING = "rolling"
    DECLARING = "declaring"
    ACTING = "acting"


class Distance(StrEnum):
    CLOSE = "close"
    NEAR = "near"
    DISTANT = "distant"
    FAR = "far"


DISTANCES = tuple(Distance)  # nearest first
TOWARDS: Mapping[Thing, Mapping[Distance, Distance]] = {
    Thing.MOVE: {Distance.NEAR: Distance.CLOSE},
    Thing.SPRINT: {Distance.NEAR: Distance.CLOSE, Distance.DISTANT: Distance.CLOSE},
}
AWAY: Mapping[Thing, Mapping[Distance, Distance]] = {
    Thing.MOVE: {Distance.CLOSE: Distance.NEAR, Distance.NEAR: Distance.DISTANT},
    Thing.SPRINT: {
        Distance.CLOSE: Distance.DISTANT,
        Distance.NEAR: Distance.DISTANT,
        Distance.DISTANT: Distance.FAR,
    },
}
"""TOWARDS and AWAY map the distance before a move or sprint to the distance after it."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options for ambiguous and optional rules, chosen when a session is opened.

    An option that was added later is unset by default, so that the options that are recorded in old
    logs are still encoded in the same way.
    """

    steps_stop_at_one: Annotated[
        bool,
        Meta(description="limit each test to one step easier or harder than normal (RULES 3.6)"),
    ] = False
    hit_points: (
        Annotated[
            bool,
            Meta(
                description="count hit points; a character with 0 hit points is dead (RULES 16.1;"
                " default: no)"
            ),
        ]
        | UnsetType
    ) = UNSET


def base(score: int) -> int:
    """Return the goal, as a percentage, for a characteristic's score, before any bonus."""
    return GOAL_PER_SCORE * score


def steps(said: Sequence[int], options: Options) -> int:
    """Return the sum of the difficulty steps in `said`.

    If the option `steps_stop_at_one` is set, the sum is clamped to the range from -1 to 1.
    """
    total = sum(said)
    return max(-1, min(1, total)) if options.steps_stop_at_one else total


def goal(percent: int, steps: int) -> Fraction:
    """Return `percent`, doubled for each easier step and halved for each harder step.

    Raises ValueError if there are more than MAX_STEPS steps, which only a forged log can contain.
    """
    if abs(steps) > MAX_STEPS:
        raise ValueError(
            f"The log contains a test with {steps} steps, but at most {MAX_STEPS} are possible."
        )
    return percent * Fraction(2) ** steps


def outcome(roll: int, goal: Fraction) -> Outcome:
    if roll == PERCENT:
        return Outcome.FUMBLE
    if roll >= goal:
        return Outcome.FAILURE
    return Outcome.CRITICAL if CRITICAL_PART * roll < goal else Outcome.SUCCESS


@lru_cache
def outcome_counts(goal: Fraction) -> Mapping[Outcome, int]:
    """Return how many of the 100 possible rolls give each outcome."""
    return dict(Counter(outcome(roll, goal) for roll in range(1, PERCENT + 1)))


def max_hit_points(body: int, power: int | UnsetType) -> int:
    """Return a character's maximum hit points. Without POW, BOD counts twice (RULES 16.2)."""
    return (body + (body if power is UNSET else power) + 1) // 2


def step_down(die: Die, face: int) -> Die:
    return CHAIN[CHAIN.index(die) + 1] if face == DOWN else die


def pair_key(one: str, other: str) -> str:
    """Return the key in `State.distances` for the distance between two entities."""
    return ".".join(sorted((one, other)))


def folded(name: str) -> str:
    """Return the name in a form for comparisons that ignore capitalization and spacing."""
    return " ".join(name.split()).casefold()


def condition_key(entity: str, name: str) -> str:
    """Return the key in `State.conditions` for a condition of an entity.

    A fork stores the state as canonical JSON, whose keys are ASCII. Other characters are escaped.
    """
    return f"{entity}.{folded(name)}".encode("unicode_escape").decode("ascii")


def distance_after(thing: Thing, distance: Distance, away: bool, edition: int) -> Distance | None:
    """Return the distance after a move or sprint, or None if it is impossible at `distance`."""
    if away:
        return AWAY.get(thing, {}).get(distance)
    if (thing, distance) == (Thing.SPRINT, Distance.FAR) and edition >= FAR_IS_APPROACHED_SINCE:
        return Distance.DISTANT
    return TOWARDS.get(thing, {}).get(distance)


QUARTERS = {0: "", 1: "¼", 2: "½", 3: "¾"}


def goal_text(goal: Fraction) -> str:
    """Return the goal as text, for example "25½ %"."""
    whole, rest = divmod(goal, 1)
    return f"{whole}{QUARTERS[int(4 * rest)]} %"
