"""Building blocks for deciders: the acting seat, refusals, and a fold over events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeVar

import msgspec

S = TypeVar("S")
E = TypeVar("E")
Detail = str | int | bool | tuple[str, ...]


class Refused(Exception):
    """Raised when the rules do not allow a command.

    `rule` is the slug (in RULES.md) of the rule that forbids the command. `facts` contains details
    that explain the refusal.
    """

    def __init__(self, rule: str, **facts: Detail) -> None:
        super().__init__(rule)
        self.rule = rule
        self.facts: dict[str, Detail] = facts


class Role(StrEnum):
    HOUSE = "house"
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"
    AUDITOR = "auditor"


class By(msgspec.Struct, frozen=True):
    """The seat that sends a command, and the seat's role."""

    seat: str
    role: Role

    @property
    def is_gm(self) -> bool:
        return self.role is Role.GM

    def require_gm(self) -> None:
        """Raise Refused unless the seat has the GM role."""
        if not self.is_gm:
            raise Refused("gm-only", role=self.role)


def fold(evolve: Callable[[S, E], S], state: S, events: Iterable[E]) -> S:
    for event in events:
        state = evolve(state, event)
    return state
