"""Event and command <-> canonical JSON bytes (RFC 8785 without floats and nulls). The table of kinds is closed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Union

import msgspec

from domain.ruleset import Message, Room
from domain.rulesets import RULESETS
from domain.session.messages import EVENTS

encode = msgspec.json.Encoder(order="sorted").encode
"""Canonical bytes of a message or of plain values: sorted ASCII keys, no white space."""

ALL_EVENTS: tuple[type[Message], ...] = EVENTS + tuple(
    event for room in RULESETS for event in room.events
)
KINDS: dict[type[Message], str] = {event: str(event.__struct_config__.tag) for event in ALL_EVENTS}
# A union made from the table of rooms has no static type; what comes out is always a Message.
EVENT: Any = Union[ALL_EVENTS]  # noqa: UP007 the types are known at run time only

_decode = msgspec.json.Decoder(EVENT).decode


def complete() -> None:
    """Makes every shape that has been loaded known to msgspec: to be called before threads read.

    msgspec 0.22 makes what it knows of a class when that is first read. A second thread that reads the class meanwhile
    works with what is half made, and the process is gone (docs/decisions/0032).
    """
    for shape in _below(msgspec.Struct):
        msgspec.json.Decoder(shape)


def _below(shape: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in shape.__subclasses__():
        yield each
        yield from _below(each)


class NotCanonical(Exception):
    """The bytes are not those that would be written for what they say."""


def kind(event: Message) -> str:
    """The event's name in the log: `<room>.<Event>`."""
    return KINDS[type(event)]


def decode(raw: bytes | msgspec.Raw) -> Message:
    """The event of stored bytes. Raises msgspec.ValidationError or DecodeError on an unknown kind or shape."""
    try:
        event: Message = _decode(raw)
    except (
        UnicodeDecodeError
    ) as wrong:  # the library's own answer to an unknown name that is no UTF-8
        raise msgspec.DecodeError(str(wrong)) from None
    return event


@lru_cache
def _decoder_of(message: type[Message]) -> msgspec.json.Decoder[Message]:
    return msgspec.json.Decoder(message)


def check_bounds(command: Message) -> None:
    """That it could have come from outside: nothing else looks at what fields may hold. msgspec.ValidationError."""
    _decoder_of(type(command)).decode(encode(command))


@lru_cache
def _command_decoder(room: tuple[type[Message], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[room])  # noqa: UP007 as above


def decode_command(room: Room, raw: bytes | msgspec.Raw) -> Message:
    """The room's command of canonical bytes. Raises as `decode`, and NotCanonical unless they re-emit to themselves."""
    try:
        command: Message = _command_decoder(room.commands).decode(raw)
    except UnicodeDecodeError as wrong:
        raise msgspec.DecodeError(str(wrong)) from None
    if encode(command) != bytes(raw):
        raise NotCanonical
    return command
