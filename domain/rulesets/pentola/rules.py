"""The numbers of the book as data: goals, steps, outcomes, usage dice, the budget of a moment. RULES.md tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

PERCENT = 100  # the die of every test
TIMES = 3  # goal of a characteristic, RULES 1.3
CRITICAL_PART = 10  # RULES 4.3
MOST_STEPS = 1000  # more than any table can say; a bent log may say more

MOST_SCORE = 100
MOST_PERCENT = 300
MOST_ENTITIES = 100
MOST_ON_A_SHEET = 40
MOST_SIDES = 20
MOST_ROLLS = 20  # usage dice of one item that wait

BUDGET = 2  # things in a moment without a price, RULES 7.2
MOST_THINGS = 3
FOCUS_STEPS, EXTRA_STEPS = 1, -1

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
    """What a bonus stems from."""

    SKILL = "skill"
    VOCATION = "vocation"
    RELATIONSHIP = "relationship"
    REPUTATION = "reputation"


INITIATIVE_BONUSES = (Bonus.SKILL, Bonus.VOCATION)


class Finding(StrEnum):
    """Why there is no need for a test."""

    CANNOT_FAIL = "cannot fail"
    CANNOT_SUCCEED = "cannot succeed"
    NO_CONSEQUENCES = "no consequences"


class Ruling(StrEnum):
    SUCCESS = "automatic success"
    FAILURE = "automatic failure"


RULINGS = {
    Finding.CANNOT_FAIL: Ruling.SUCCESS,
    Finding.CANNOT_SUCCEED: Ruling.FAILURE,
    Finding.NO_CONSEQUENCES: Ruling.SUCCESS,  # it would be tried until it works
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


class Use(StrEnum):
    """What a d100 is rolled for."""

    TEST = "test"
    OPPOSED = "opposed test"
    INITIATIVE = "initiative"


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
DOWN = 1  # the face that steps down


class Thing(StrEnum):
    """What can be declared in a moment."""

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
REACH = {Thing.MOVE: (Distance.NEAR,), Thing.SPRINT: (Distance.NEAR, Distance.DISTANT)}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's choices at opening: the rulings with two readings."""

    steps_stop_at_one: Annotated[
        bool,
        Meta(
            description="a test is never more than one step easier or harder than normal (RULES 3.6)"
        ),
    ] = False


def base(score: int) -> int:
    """The goal of a characteristic, in percent."""
    return TIMES * score


def steps(said: Sequence[int], options: Options) -> int:
    """Steps add up and cancel; where the option says so, to one at most."""
    total = sum(said)
    return max(-1, min(1, total)) if options.steps_stop_at_one else total


def goal(percent: int, steps: int) -> Fraction:
    """Doubled for each step easier, halved for each step harder, never rounded. Raises ValueError of absurd steps."""
    if abs(steps) > MOST_STEPS:
        raise ValueError(f"{steps} steps")
    return percent * Fraction(2) ** steps


def outcome(roll: int, goal: Fraction) -> Outcome:
    if roll == PERCENT:
        return Outcome.FUMBLE
    if roll >= goal:
        return Outcome.FAILURE
    return Outcome.CRITICAL if CRITICAL_PART * roll < goal else Outcome.SUCCESS


@lru_cache
def spread(goal: Fraction) -> Mapping[Outcome, int]:
    """How many of the hundred rolls come to each outcome; what cannot come is left out."""
    return dict(Counter(outcome(roll, goal) for roll in range(1, PERCENT + 1)))


def stepped_down(die: Die, face: int) -> Die:
    """The usage die after its roll."""
    return CHAIN[CHAIN.index(die) + 1] if face == DOWN else die


def apart(one: str, other: str) -> str:
    """The key under which the distance of two is kept."""
    return ".".join(sorted((one, other)))


def in_reach(thing: Thing, distance: Distance) -> bool:
    return distance in REACH.get(thing, ())


QUARTERS = {0: "", 1: "¼", 2: "½", 3: "¾"}


def written(goal: Fraction) -> str:
    """A goal as it is said: 25½ %."""
    whole, rest = divmod(goal, 1)
    return f"{whole}{QUARTERS[int(4 * rest)]} %"
