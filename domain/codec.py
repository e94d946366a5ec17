"""Canonical JSON: how events and commands are encoded for hashing and signing.

Hashes are computed from bytes, so every writer has to produce the same bytes for the same event.
The encoding is RFC 8785 with restrictions. Keys are ASCII and sorted, there is no whitespace,
numbers are integers below 2^53, and `null` and floats are not allowed. An optional field without a
value is omitted. Every message is a single object whose `kind` names its type:

    {"kind":"session.Narrated","text":"The door opens."}

    >>> from domain.session.messages import Narrated
    >>> encode(Narrated("The door opens."))
    b'{"kind":"session.Narrated","text":"The door opens."}'
    >>> decode(b'{"kind":"session.Narrated","text":"The door opens."}').text
    'The door opens.'

Only the kinds defined by the session and by the rulesets in `RULESETS` are accepted. Input has to
be canonical: a reader re-encodes the decoded message and compares the bytes. docs/log-format.md,
section "Canonical JSON", specifies the encoding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Union

import msgspec

from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session import rolls
from domain.session.messages import EVENTS

encode = msgspec.json.Encoder(order="sorted").encode
"""Encode a message, or plain values, as canonical JSON."""

ALL_EVENTS: tuple[type[Message], ...] = (
    *EVENTS,
    rolls.DiceRolled,
    *(event for ruleset in RULESETS for event in ruleset.events),
)
KINDS: dict[type[Message], str] = {event: str(event.__struct_config__.tag) for event in ALL_EVENTS}
# The union of all rulesets' events has no static type. Decoding it always gives a Message.
AnyEvent: Any = Union[ALL_EVENTS]  # noqa: UP007 the types are known at run time only

_decode = msgspec.json.Decoder(AnyEvent).decode


def build_msgspec_types() -> None:
    """Make msgspec build its type information for all loaded classes.

    Call this before starting threads. Otherwise, msgspec 0.22 builds the information when a class
    is first decoded. If another thread decodes that class at the same moment, it sees incomplete
    data and the process crashes (docs/decisions/0032).
    """
    for struct in _subclasses(msgspec.Struct):
        msgspec.json.Decoder(struct)


def _subclasses(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


class NotCanonicalError(Exception):
    """Raised when valid JSON is not in canonical form."""


def kind(event: Message) -> str:
    """Return the event type's name in the log, `<ruleset>.<Event>`."""
    return KINDS[type(event)]


def decode(raw: bytes | msgspec.Raw) -> Message:
    """Decode an event from JSON.

    Raises msgspec.DecodeError if the JSON is invalid or is not an event of a type in `ALL_EVENTS`.
    """
    try:
        event: Message = _decode(raw)
    except UnicodeDecodeError as error:  # msgspec raises it for a field name that is not UTF-8
        raise msgspec.DecodeError(str(error)) from None
    return event


@cache
def _message_decoder(message: type[Message]) -> msgspec.json.Decoder[Message]:
    return msgspec.json.Decoder(message)


def check_bounds(command: Message) -> None:
    """Raise msgspec.ValidationError if a field's value is out of bounds.

    msgspec checks bounds only when it decodes a message, so commands built in Python need this
    check. A log with an out-of-bounds value would fail verification.
    """
    _message_decoder(type(command)).decode(encode(command))


@cache
def _command_decoder(ruleset: tuple[type[Message], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[ruleset])  # noqa: UP007 the types are known at run time only


def decode_command(ruleset: AnyRuleset, raw: bytes | msgspec.Raw) -> Message:
    """Decode a command of the ruleset from canonical JSON.

    Raises msgspec.DecodeError if the JSON is not a command of this ruleset, or NotCanonicalError if
    it is not in canonical form.
    """
    try:
        command: Message = _command_decoder(ruleset.commands).decode(raw)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(str(error)) from None
    if encode(command) != bytes(raw):
        raise NotCanonicalError
    return command


decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode

INTEGER_LIMIT = 2**53
"""Integers must be below this limit, so that every JSON reader can represent them exactly."""
MAX_LINE_BYTES = 1 << 20
"""The maximum length of a line, including its line feed."""
MAX_DEPTH = 200
"""The maximum depth to which arrays and objects may be nested."""
_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class _Pairs(tuple[tuple[str, object], ...]):
    """The members of a JSON object in their original order, including repeated keys."""

    __slots__ = ()


def check_line(line: bytes) -> None:
    """Raise ValueError if the line is too long, too deeply nested, or not UTF-8."""
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"the line is longer than {MAX_LINE_BYTES} bytes")
    line.decode()
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH:
        _check_depth(line)


def _check_depth(line: bytes) -> None:
    depth = 0
    for mark in _STRINGS.sub(b"", line).translate(None, delete=_NOT_BRACKETS):
        depth += 1 if mark in b"[{" else -1
        if depth > MAX_DEPTH:
            raise ValueError(f"the line nests arrays and objects more than {MAX_DEPTH} levels deep")


def check_keys(text: str, excluded: Sequence[str] = ()) -> None:
    """Raise ValueError if an object in the JSON text repeats a key.

    The value at the path `excluded` is not checked.
    """
    _check_pairs(json.loads(text, object_pairs_hook=_Pairs, parse_int=str), tuple(excluded))


def _check_pairs(value: object, excluded: tuple[str, ...]) -> None:
    if isinstance(value, _Pairs):
        if len(dict(value)) < len(value):
            raise ValueError("an object contains the same key more than once")
        for key, part in value:
            if excluded != (key,):
                _check_pairs(part, excluded[1:] if excluded[:1] == (key,) else ())
    elif isinstance(value, list):
        for part in value:
            _check_pairs(part, ())


def check_parts(value: object) -> None:
    """Raise ValueError if `value` contains something that canonical JSON forbids.

    Floats, nulls, non-ASCII keys, and integers with an absolute value of INTEGER_LIMIT or more are
    forbidden.
    """
    for part in _parts(value):
        if (
            part is None
            or isinstance(part, float)
            or (isinstance(part, int) and abs(part) >= INTEGER_LIMIT)
        ):
            raise ValueError(
                f"{part} is not allowed: canonical JSON has no nulls or floats,"
                " and its integers are below 2^53"
            )


def _parts(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, dict):
        for key, part in value.items():
            if not key.isascii():
                raise ValueError(f"the key {key} contains non-ASCII characters")
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)
