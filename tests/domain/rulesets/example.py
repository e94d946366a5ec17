"""The shape of a room's example: what the tests of the frame, the log and the edges play where it is the first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from domain.decider import Role
from domain.ruleset import Message, Option

Steps = tuple[tuple[Role, Message], ...]
"""Commands about ana, by her player or by the GM, that ask for no value."""


class Sized(NamedTuple):
    """A command about ana with a reason, and its whole number with the bounds that the schema gives it."""

    command: Message
    field: str
    least: int
    most: int


class Choice(NamedTuple):
    """An option of the room: its default, and what it cannot be."""

    name: str
    default: Option
    wrong: Option


class Bent(NamedTuple):
    """For three of the events a field as it cannot have come: what a host would write."""

    brought: Mapping[str, object]
    drawn: Mapping[str, object]
    plain: Mapping[str, object]


class Example(NamedTuple):
    bring: Message
    """A player brings ana; one event."""
    guest: Message
    """The GM brings the rat; one event."""
    ready: Steps
    """What comes before each draw."""
    draw: Message
    """Her player's; one event."""
    dice: tuple[int, ...]
    """The sides that it asks for first."""
    waits: Message
    """Her player's, the draw or a step of `ready`: something of it waits for her player."""
    over: Steps
    """What ends it."""
    plain: Message
    """Her player's, right after a draw: it asks for no value, and may be a step of `over`."""
    override: Message
    """The GM's, where no draw is under way: its event keeps old value, new value and reason (log.md)."""
    sized: Sized
    option: Choice
    carried: Mapping[str, Option]
    """What goes into the next session of a table that has played nothing."""
    closing: str
    """How that is told."""
    bent: Bent
