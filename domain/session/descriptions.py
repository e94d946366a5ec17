"""Descriptions: a line of text for each event in a session.

Ids are in braces: {ana} is an entity, and {@gm} is a seat. `fill` replaces ids with names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
from msgspec import UNSET, UnsetType, inspect

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset, Message
from domain.session.annotations import grade
from domain.session.display_names import display_names, escape_forbidden
from domain.session.messages import (
    Audience,
    ChainAnchored,
    Closed,
    Declared,
    Drawn,
    DrawVoided,
    Forked,
    Inherited,
    Narrated,
    Opened,
    PresenceSet,
    Redacted,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
)
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import Session
from domain.tally import Counts, Graded, Voided

_read_command = msgspec.json.Decoder(dict[str, str | int | bool | list[str | int]]).decode
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def describe_command(ruleset: AnyRuleset, command: msgspec.Raw) -> str:
    """Describe a command in words, such as `set terms (entity {ana}, routine yes)`."""
    values = _read_command(command)
    kind = str(values.pop("kind"))
    fields_of_ids = _id_fields_by_kind(ruleset.commands).get(kind, {})
    fields = ", ".join(
        f"{field.replace('_', ' ')} {_format_value(value, fields_of_ids.get(field))}"
        for field, value in values.items()
    )
    name = _in_words(kind.partition(".")[2])
    return f"{name} ({fields})" if fields else name


@lru_cache
def _in_words(name: str) -> str:
    """Split a CamelCase name into lower-case words, but keep acronyms such as AP."""
    words = _WORD_START.split(name)
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def _format_value(value: object, sort: str | None) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return " and ".join(_format_value(each, sort) for each in value) or "none"
        case str() if sort in _IN_BRACES:
            return _IN_BRACES[sort].format(value)
    return str(value)


_IN_BRACES = {"entity": "{{{}}}", "seat": "{{@{}}}"}


@lru_cache
def _id_fields_by_kind(commands: tuple[type[Message], ...]) -> Mapping[str, Mapping[str, str]]:
    return {str(command.__struct_config__.tag): id_fields(command) for command in commands}


def id_fields(command: type[Message]) -> Mapping[str, str]:
    """Return the command's id fields, each mapped to the kind of thing that it identifies.

    The values are "entity", "seat" and "ability".
    """
    shape = inspect.type_info(command)
    assert isinstance(shape, inspect.StructType)
    return {field.encode_name: sort for field in shape.fields if (sort := _id_sort(field.type))}


def _id_sort(type_: inspect.Type) -> str:
    match type_:
        case inspect.Metadata(extra={"of": of}):
            return str(of)
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner):
            return _id_sort(inner)
        case inspect.UnionType(types=types):
            return next(filter(None, map(_id_sort, types)), "")
    return ""


_encode = msgspec.json.Encoder(order="sorted").encode
_ID_OR_BRACE = re.compile(r"\{\{|\}\}|\{(@?[a-z][a-z0-9-]{0,31})\}")


def describe(ruleset: AnyRuleset, recorded: RecordedEvent, at: Callable[[int], Session]) -> str:
    """Return the description of an event.

    `at` returns the session at a given version.
    """
    if recorded.committed:
        return f"What {{@{recorded.seat}}} said here was redacted."
    event = recorded.body
    content = (
        bytes(event.command)
        if type(event) is Declared and event.command is not UNSET
        else recorded.raw
    )
    if b"{" in content[1:]:  # text from a seat must not be mistaken for an id
        event = _with_literal_braces(event)
    if type(event) not in SESSION_EVENT_TYPES:
        return ruleset.describe(event)
    line = _describe_event(ruleset, event, f"{{@{recorded.seat}}}")
    graded = grade(recorded, at)
    return line if graded is None else f"{line[:-1]}, grade {graded}."


def tally(
    ruleset: AnyRuleset,
    recorded: RecordedEvent,
    at: Callable[[int], Session],
    asker: str | UnsetType = UNSET,
) -> Counts:
    """Return the counts that an event adds to statistics.

    Among session-level events, only draws, voided draws and rolls of physical dice are counted.
    `at` returns the session at a given version. `asker` is the seat that began the turn. If it is
    not given, it is looked up with `at`.
    """
    match recorded.body:
        case Declared() | Drawn():
            graded = grade(recorded, at)
            return () if graded is None else (Graded(_asker(recorded, at, asker), graded),)
        case DrawVoided(k=k, missing=missing):
            return (Voided(_asker(recorded, at, asker), k, missing),)
    return () if type(recorded.body) in SESSION_EVENT_TYPES else ruleset.tally(recorded.body)


def _asker(recorded: RecordedEvent, at: Callable[[int], Session], asker: str | UnsetType) -> str:
    """Return the seat whose command needed the values, prefixed with `@`.

    The house records the Drawn and DrawVoided events, so the seat is read from the pending draw.
    """
    if asker is UNSET:
        pending = None if isinstance(recorded.body, Declared) else at(recorded.version - 1).pending
        asker = recorded.seat if pending is None else pending.seat
    return f"@{asker}"


def fill(line: str, names: Mapping[str, str]) -> str:
    """Replace the ids in a line with names, and doubled braces with single ones."""
    return _ID_OR_BRACE.sub(
        lambda mark: names.get(mark[1], mark[1].lstrip("@")) if mark[1] else mark[0][0], line
    )


def names(session: Session) -> dict[str, str]:
    """Return the names of all entities and seats, keyed by id.

    The ids of seats are prefixed with `@`. If a seat's name is doubtful (see `display_names`), the
    seat's id is added to it.
    """
    seats = {f"@{seat}": name for seat, name in display_names(session.info.seats).items()}
    entities = session.ruleset.show(session.table).entities if session.version else {}
    return seats | {entity: shown.name for entity, shown in entities.items()}


def _with_literal_braces(event: Message) -> Message:
    """Return the event with every brace in its strings doubled.

    This stops `fill` from mistaking a user's text in braces for an id.
    """
    doubled = _doubled(msgspec.json.decode(_encode(event)))
    return msgspec.json.decode(_encode(doubled), type=type(event))


def _doubled(value: object) -> object:
    match value:
        case str():
            return value.replace("{", "{{").replace("}", "}}")
        case list() | tuple():
            return [_doubled(each) for each in value]
        case dict():
            return {key: _doubled(each) for key, each in value.items()}
    return value


def _describe_event(ruleset: AnyRuleset, event: Message, by: str) -> str:
    match event:
        case Opened(title=title, ruleset=name, edition=edition, parent=parent) if (
            parent is not UNSET
        ):
            origin = f"from version {parent.version} of session {parent.session}"
            return f"The evening goes on {origin}: {title} ({name}, edition {edition})."
        case Opened(title=title, ruleset=name, edition=edition):
            return f"The evening opens: {title} ({name}, edition {edition})."
        case Forked(child=child, version=version):
            return f"{by} forks the evening at version {version}, as session {child}."
        case SeatTaken(role=Role.HOUSE):
            return "The house takes its seat."
        case SeatTaken(seat=taken, role=role, anchor=anchor) if anchor is not UNSET:
            return f"{{@{taken}}} sits as {role.value} with a chain of their own."
        case SeatTaken(seat=taken, role=role):
            return f"{{@{taken}}} sits down as {role.value}."
        case SeatLeft(seat=seat):
            left = f"{{@{seat}}}"
            return f"{left} leaves." if left == by else f"{by} asks {left} to leave."
        case PresenceSet(seat=seat, present=present):
            presence = "is there for the draws" if present else "takes no part in draws for now"
            return f"{{@{seat}}} {presence}."
        case SeatNamed(seat=named, name=name):
            return f"Seat {named} is called {escape_forbidden(name)}."
        case ChainAnchored(seat=anchored, chain=chain):
            return f"{{@{anchored}}} anchors chain {chain}."
    return _describe_turn_event(ruleset, event, by)


def _describe_turn_event(ruleset: AnyRuleset, event: Message, by: str) -> str:
    match event:
        case Declared(command=command) if command is not UNSET:
            declared = describe_command(ruleset, command)
            return f"{by} declares {declared}{_audience_suffix(event.audience)}."
        case Declared():
            return f"{by} declares something{_audience_suffix(event.audience)}."
        case Drawn(k=k, values=values):
            return (
                f"Draw {k}: {_format_values(values)}."
                if values
                else f"Draw {k} is made under seal."
            )
        case DrawVoided(k=k, missing=missing):
            absent = ", ".join(f"{{@{seat}}}" for seat in missing)
            return f"Draw {k} is void: no answer from {absent}."
        case SealOpened(k=k, command=command, values=values) if command is not UNSET:
            opened, shown = describe_command(ruleset, command), _format_values(values or ())
            return f"{by} opens the secret of draw {k}: {opened}, {shown or 'never made'}."
        case SealOpened(turn=turn):
            return f"{by} opens the secret of turn {turn}."
        case Inherited():
            return "The table goes on from where it was."
        case Rewound(to=to, reason=reason):
            return f"{by} rewinds to version {to}: {reason}"
        case Narrated(text=text, about=about):
            speaker = by if about is UNSET else f"{by} on version {about}"
            return f"{speaker}{_audience_suffix(event.audience)}: {text}"
        case Redacted(of=of, reason=reason):
            return f"{by} takes the words of version {of} out of the log: {reason}"
        case Closed(carry=carry):
            noted = ", ".join(f"{name} {value}" for name, value in sorted(carry.items()))
            return f"The evening closes; carried over: {noted}." if noted else "The evening closes."
    raise TypeError(event)


def _audience_suffix(audience: Audience | UnsetType) -> str:
    match audience:
        case "gm":
            return ", for the GM's eyes"
        case "blind":
            return ", for the GM's eyes alone"
        case "self":
            return ", for no other eyes"
    return ""


def _format_values(values: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"d{sides} shows {value}" for sides, value in values)
