"""The four words of every room and of the frame: initial, decide, evolve, fold; and how a rule says no."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeVar

import msgspec

S = TypeVar("S")
E = TypeVar("E")
Detail = str | int | bool | tuple[str, ...]


class Refused(Exception):
    """A command that the rules do not allow: the slug of the rule (a heading of RULES.md) and the facts, no prose."""

    def __init__(self, rule: str, **facts: Detail) -> None:
        super().__init__(rule)
        self.rule = rule
        self.facts: dict[str, Detail] = facts


class Role(StrEnum):
    """What a seat may do."""

    HOUSE = "house"
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"
    AUDITOR = "auditor"


class By(msgspec.Struct, frozen=True):
    """Who asks: a seat and its role."""

    seat: str
    role: Role

    @property
    def is_gm(self) -> bool:
        return self.role is Role.GM


def fold(evolve: Callable[[S, E], S], state: S, events: Iterable[E]) -> S:
    """The state after the events."""
    for event in events:
        state = evolve(state, event)
    return state
