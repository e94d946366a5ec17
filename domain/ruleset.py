"""The interface that every ruleset implements. All of its functions are pure."""

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
    """A command or an event. Its `kind` in JSON is `<ruleset>.<Name>`.

    Commands are named in the imperative, and events in the past tense.
    """


class Decider(msgspec.Struct, Generic[S, C, E, O], frozen=True):
    """The rules of a game as functions of its state.

    `initial` returns the state at the start of a session. `decide` returns the events that a
    command causes. It may draw values, and raises Refused if the command is not allowed. `evolve`
    applies an event to the state, using the results recorded in the event. It never draws values or
    raises Refused.
    """

    initial: Callable[[O], S]
    decide: Callable[[S, C, By, Chance], tuple[E, ...]]
    evolve: Callable[[S, E], S]


class Ruleset(msgspec.Struct, Generic[S, C, E, O], frozen=True):
    """One edition of a game's rules.

    Each session records the `name` and `edition` of its ruleset.
    """

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
"""Any ruleset. Session code does not depend on the types of its state and messages."""
