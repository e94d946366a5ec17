"""The interface that every ruleset implements. All of its functions are pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import inspect

from domain.chance import Chance
from domain.controls import Controls
from domain.decider import By
from domain.differences import Wording
from domain.roll_card import RollCard, no_card
from domain.table import Table
from domain.tally import Counts

Option = bool | int | str
Shape = Literal["dice", "ring", "scale", "deck", "pool", "bars"]
"""What a drawing of a game shows: its dice, or what its dice or cards act on."""
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


NamesBySort = Mapping[str, Mapping[str, tuple[str, ...]]]
"""For each sort of names, the names that each entity has."""


def no_names(_state: object) -> NamesBySort:
    """Return no names, for a ruleset whose abilities are all entries of a sheet."""
    return {}


def no_times(_state: object, _command: object) -> None:
    """Return None, for a ruleset without commands that can be sent a certain number of times."""


class Ruleset(msgspec.Struct, Generic[S, C, E, O], frozen=True, eq=False):
    """One edition of a game's rules. Two rulesets are equal only if they are the same object.

    Each session records the `name` and `edition` of its ruleset. `package` is the Python package
    that contains the text of the rules (RULES.md) and an example session (example_session.json).
    `refusals` holds, for each rule
    that can refuse a command, the reason and advice to the player. `success` returns the
    probability that a command succeeds, or None if the rules do not define success for it. `times`
    returns how many times a command of this kind can be sent for the same entity, such as once for
    each ability that it rolled, or None if the rules set no number. If `named_seats_must_play` is
    set, a command can name only seats of players and the GM.
    `event_fields` describes the fields of events for the API's document: it maps a field's name, or
    the name of one event with it (`Altered.cost`), to what it means.

    People who choose a game read `summary`, a sentence or two, beside a drawing of `shape`.
    `first_values` holds, for a command's kind, values of its fields that a beginner can start with,
    such as the scores of an average character, in the order in which people decide on them.
    `first_steps` lists the kinds of the commands with which a player completes a new character.

    The rest helps pages: `card` returns what they show of an event, or None if it is no roll.
    `controls` says which commands change pools and conditions. `titles` maps the names of commands
    to titles for people; without one, a page shows the name in words.
    `wording` holds the words of sentences about what differs between two tables.
    `names` returns the names to choose from, such as an entity's attacks, for sorts of fields whose
    names are not all entries of the sheet. `gm_title` is the word for the GM in the texts of events
    ("The GM moves ..."): readers see the person's name instead.
    """

    name: str
    edition: str
    title: str
    package: str
    options: type[O]
    state: type[S]
    commands: tuple[type[Message], ...]
    events: tuple[type[Message], ...]
    decider: Decider[S, C, E, O]
    show: Callable[[S], Table]
    describe: Callable[[E], str]
    refusals: Mapping[str, tuple[str, str]]
    tally: Callable[[E], Counts]
    odds: Callable[[S, C], Mapping[str, Fraction] | None]
    carry: Callable[[S], Mapping[str, Option]]
    success: Callable[[S, C], Fraction | None] | None = None
    times: Callable[[S, C], int | None] = no_times
    named_seats_must_play: bool = True
    event_fields: Mapping[str, str] = {}
    summary: str = ""
    shape: Shape = "dice"
    first_values: Mapping[str, Mapping[str, Option]] = {}
    first_steps: tuple[str, ...] = ()
    card: Callable[[E], RollCard | None] = no_card
    controls: Controls = Controls()
    titles: Mapping[str, str] = {}
    names: Callable[[S], NamesBySort] = no_names
    gm_title: str = "GM"
    wording: Wording = Wording()


# Python has no other type for a tuple of different rulesets (docs/decisions/0004).
AnyRuleset = Ruleset[Any, Any, Any, Any]
"""Any ruleset. Session code does not depend on the types of its state and messages."""


@cache
def id_fields(command: type[Message]) -> Mapping[str, str]:
    """Return the command's id fields, each mapped to the kind of thing that it identifies.

    The values are the kinds that the rulesets name, such as "entity", "seat" and "condition".
    """
    return {
        field.encode_name: sort
        for field in message_fields(command)
        if (sort := id_sort(field.type))
    }


def is_likely(type_: inspect.Type) -> bool:
    """Return True if people mostly give an optional field of this type, such as a weapon."""
    match type_:
        case inspect.Metadata(extra={"likely": likely}):
            return bool(likely)
        case inspect.Metadata(type=inner):
            return is_likely(inner)
        case inspect.UnionType(types=types):
            return any(map(is_likely, types))
    return False


@cache
def message_fields(message: type[Message]) -> tuple[inspect.Field, ...]:
    """Return what msgspec knows about the fields of a message."""
    shape = inspect.type_info(message)
    assert isinstance(shape, inspect.StructType)
    return shape.fields


def id_sort(type_: inspect.Type) -> str:
    """Return the kind of thing that a field of this type identifies, or "" if it is no id field."""
    match type_:
        case inspect.Metadata(extra={"of": of}):
            return str(of)
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner):
            return id_sort(inner)
        case inspect.UnionType(types=types):
            return next(filter(None, map(id_sort, types)), "")
    return ""
