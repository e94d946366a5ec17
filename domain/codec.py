"""Event and command <-> canonical JSON bytes (RFC 8785 without floats and nulls). The table of kinds is closed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Union

import msgspec

from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session.messages import EVENTS

encode = msgspec.json.Encoder(order="sorted").encode
"""Canonical bytes of a message or of plain values: sorted ASCII keys, no white space."""

ALL_EVENTS: tuple[type[Message], ...] = EVENTS + tuple(
    event for ruleset in RULESETS for event in ruleset.events
)
KINDS: dict[type[Message], str] = {event: str(event.__struct_config__.tag) for event in ALL_EVENTS}
# A union made from the table of rooms has no static type; what comes out is always a Message.
AnyEvent: Any = Union[ALL_EVENTS]  # noqa: UP007 the types are known at run time only

_decode = msgspec.json.Decoder(AnyEvent).decode


def build_msgspec_types() -> None:
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


class NotCanonicalError(Exception):
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
def _command_decoder(ruleset: tuple[type[Message], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[ruleset])  # noqa: UP007 as above


def decode_command(ruleset: AnyRuleset, raw: bytes | msgspec.Raw) -> Message:
    """The room's command of canonical bytes. Raises as `decode`, and NotCanonical unless they re-emit to themselves."""
    try:
        command: Message = _command_decoder(ruleset.commands).decode(raw)
    except UnicodeDecodeError as wrong:
        raise msgspec.DecodeError(str(wrong)) from None
    if encode(command) != bytes(raw):
        raise NotCanonicalError
    return command


INTEGER_LIMIT = 2**53
MAX_LINE_BYTES = 1 << 20
"""Bytes, the line end with them."""
MAX_DEPTH = 200
"""Arrays and objects within one another."""
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BESIDE_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class _Pairs(tuple[tuple[str, object], ...]):
    """The members of an object, each as it stands."""

    __slots__ = ()


def check_line(line: bytes) -> None:
    """That the line is UTF-8 and neither too long nor too deep."""
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"a line of more than {MAX_LINE_BYTES} bytes")
    line.decode()
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH:
        _check_depth(line)


def _check_depth(line: bytes) -> None:
    depth = 0
    for mark in _TEXTS.sub(b"", line).translate(None, delete=_BESIDE_BRACKETS):
        depth += 1 if mark in b"[{" else -1
        if depth > MAX_DEPTH:
            raise ValueError(f"nested more than {MAX_DEPTH} deep")


def check_keys(text: str, beside: Sequence[str] = ()) -> None:
    """That no key stands twice in an object of JSON, but within what is at the path `beside`."""
    _check_pairs(json.loads(text, object_pairs_hook=_Pairs, parse_int=str), tuple(beside))


def _check_pairs(value: object, beside: tuple[str, ...]) -> None:
    if isinstance(value, _Pairs):
        if len(dict(value)) < len(value):
            raise ValueError("a key twice")
        for key, part in value:
            if beside != (key,):
                _check_pairs(part, beside[1:] if beside[:1] == (key,) else ())
    elif isinstance(value, list):
        for part in value:
            _check_pairs(part, ())


def check_parts(value: object) -> None:
    """That there are no floats, nulls, large numbers and keys beyond ASCII."""
    for part in _parts(value):
        if (
            part is None
            or isinstance(part, float)
            or (isinstance(part, int) and abs(part) >= INTEGER_LIMIT)
        ):
            raise ValueError(f"no {part}")


def _parts(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, dict):
        for key, part in value.items():
            if not key.isascii():
                raise ValueError(f"key {key}")
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)
