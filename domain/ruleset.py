"""The shape of a room: the whole of what a ruleset offers, all of it pure."""

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
O = TypeVar("O")  # noqa: E741 the options of a room


class Message(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, gc=False):
    """A command (imperative) or an event (past tense), tagged `<room>.<Name>`."""


class Decider(msgspec.Struct, Generic[S, C, E, O], frozen=True):
    """`decide` judges: it may raise Refused, and may draw. `evolve` copies: it does neither and never counts."""

    initial: Callable[[O], S]
    decide: Callable[[S, C, By, Chance], tuple[E, ...]]
    evolve: Callable[[S, E], S]


class Ruleset(msgspec.Struct, Generic[S, C, E, O], frozen=True):
    """One room. `name` and `edition` are pinned by each session that plays it."""

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


# A heterogeneous tuple of rooms has no other type in Python: this is the one Any of the domain (docs/decisions).
AnyRuleset = Ruleset[Any, Any, Any, Any]
"""Some room: the frame holds its state and messages without knowing their types, and hands them back to it alone."""
