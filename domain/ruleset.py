"""The interface of a ruleset. All of its functions are pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeVar

import msgspec

from domain.chance import Chance
from domain.decider import By
from domain.table import Table
from domain.tally import Counts

Option = bool | int | str
S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741 the options of a ruleset


class Message(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, gc=False):
    """A command (imperative) or an event (past tense), tagged `<ruleset>.<Name>`."""


class Decider(msgspec.Struct, Generic[S, C, E, O], frozen=True):
    """The rules of a game as functions of its state.

    `decide` checks a command; it may draw values and raise Refused. `evolve` applies an event; it
    only copies recorded results, and does neither.
    """

    initial: Callable[[O], S]
    decide: Callable[[S, C, By, Chance], tuple[E, ...]]
    evolve: Callable[[S, E], S]


class Ruleset(msgspec.Struct, Generic[S, C, E, O], frozen=True):
    """A ruleset. Each session records the `name` and `edition` that it plays."""

    name: str
    edition: str
    title: str
    options: type[O]
    state: type[S]
    commands: tuple[type[Message], ...]
    events: tuple[type[Message], ...]
    decider: Decider[S, C, E, O]
    show: Callable[[S], Table]
    describe: Callable[[E], str]
    tally: Callable[[E], Counts]
    odds: Callable[[S, C], Mapping[str, Fraction] | None]
    carry: Callable[[S], Mapping[str, Option]]


# Python has no other type for a tuple of different rulesets (docs/decisions/0004).
AnyRuleset = Ruleset[Any, Any, Any, Any]
"""Any ruleset. A session stores its state and messages without knowing their types."""
