"""Opening a session, and its options."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET

from domain.decider import Refused
from domain.ruleset import Message, Option, Room
from domain.rulesets import ROOMS
from domain.session.messages import (
    Inherited,
    Open,
    Opened,
)
from domain.session.state import (
    FrameOptions,
    Session,
)

_FRAME_NAMES = frozenset(FrameOptions.__struct_fields__)


def all_options(room: Room, given: Mapping[str, Option]) -> dict[str, Option]:
    """Return a flat map of all options with defaults.

    Raises msgspec.ValidationError if an option is unknown.
    """
    frame = msgspec.convert(
        {name: value for name, value in given.items() if name in _FRAME_NAMES}, FrameOptions
    )
    return {**msgspec.to_builtins(frame), **msgspec.to_builtins(room_options(room, given))}


def room_options(room: Room, options: Mapping[str, Option]) -> object:
    """Return the ruleset's part of the flat map."""
    return msgspec.convert(
        {name: value for name, value in options.items() if name not in _FRAME_NAMES}, room.options
    )


def open_(session: Session, command: Open) -> tuple[Message, ...]:
    if session.version:
        raise Refused("already-open")
    room = ROOMS.get((command.ruleset, command.edition))
    if room is None:
        raise Refused("ruleset-unknown", ruleset=command.ruleset, edition=command.edition)
    options = all_options(room, command.options)
    if command.draws == "house":  # nobody waits for it
        if "deadline" in command.options:
            raise Refused("deadline-of-the-house")
        del options["deadline"]
    opened = Opened(
        command.draws,
        command.edition,
        command.log_key,
        options,
        command.ruleset,
        command.title,
        command.parent,
    )
    return (
        (opened,)
        if command.table is UNSET
        else (opened, Inherited(command.table, command.audience))
    )
