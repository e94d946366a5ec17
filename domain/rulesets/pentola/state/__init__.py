"""The table between events: characters, what they are about to do and test, the moment, distances."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from domain.rulesets.pentola.rules import (
    Being,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Options,
    Phase,
    Ruling,
    Thing,
    Usable,
)


class HeldBonus(msgspec.Struct, frozen=True):
    name: str
    source: Bonus
    percent: int


class Held(msgspec.Struct, frozen=True):
    """An item or ability; `waiting` rolls wait for their minute, `due` ones for their die."""

    name: str
    usable: Usable
    die: Die
    waiting: int = 0
    due: int = 0


class Entity(msgspec.Struct, frozen=True):
    """`barred` are the bonuses that do not apply to its next roll."""

    name: str
    being: Being
    seat: str
    scores: dict[Characteristic, int] = {}
    bonuses: tuple[HeldBonus, ...] = ()
    held: tuple[Held, ...] = ()
    barred: tuple[str, ...] = ()


class Action(msgspec.Struct, frozen=True):
    """What a character is about to do; with a ruling it is over, and kept until the next."""

    intent: str
    approach: str | UnsetType = UNSET
    ruling: Ruling | UnsetType = UNSET


class Score(msgspec.Struct, frozen=True):
    """A roll against a goal."""

    percent: int
    steps: int
    roll: int


class OpenTest(msgspec.Struct, frozen=True):
    """`action` is the entity whose action is tested: its own, or that which it opposes."""

    action: str
    characteristic: Characteristic
    difficulty: Difficulty
    score: Score | UnsetType = UNSET


class Part(msgspec.Struct, frozen=True):
    """What one participant has in the moment: its roll, and how many things it does."""

    difficulty: Difficulty = Difficulty.NORMAL
    score: Score | UnsetType = UNSET
    things: int = 0
    focus: bool = False


class Deed(msgspec.Struct, frozen=True):
    """A thing declared; `target` is who is moved to or reacted to, `to` the number of the action reacted to."""

    nth: int
    entity: str
    thing: Thing
    intent: str
    approach: str
    target: str | UnsetType = UNSET
    to: int | UnsetType = UNSET


class Moment(msgspec.Struct, frozen=True):
    """`ids` best first once they are ordered; `at` declares or acts, `turn` is the thing it does, `spent` reactions."""

    number: int
    phase: Phase
    ids: tuple[str, ...]
    parts: dict[str, Part]
    deeds: tuple[Deed, ...] = ()
    at: str | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    spent: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True):
    """JSON without null or float: snapshots and forks store it. Order is kept in tuples, never in maps."""

    options: Options
    entities: dict[str, Entity] = {}
    actions: dict[str, Action] = {}
    tests: dict[str, OpenTest] = {}
    distances: dict[str, Distance] = {}
    moments: int = 0
    participants: tuple[str, ...] = ()
    moment: Moment | UnsetType = UNSET


def initial(options: Options) -> State:
    return State(options)
