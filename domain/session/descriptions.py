"""Descriptions: a line of text for each event in a session.

Ids are in braces: {ana} is an entity, and {@gm} is a seat. `fill` replaces ids with names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from domain.codec import KINDS
from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset, Message, id_fields
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
from domain.session.secrets import SESSION_EVENT_TYPES, inherited_table
from domain.session.state import Seat, Session
from domain.tally import Counts, Graded, Owned, Voided

T = TypeVar("T")
_KINDS_OF_COMMANDS = {KINDS[Declared], KINDS[Drawn]}
_read_command = msgspec.json.Decoder(dict[str, str | int | bool | list[str | int]]).decode
_ROLES = {
    Role.GM: "the GM",
    Role.PLAYER: "a player",
    Role.SPECTATOR: "a spectator",
    Role.AUDITOR: "an auditor",
}
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


_encode = msgspec.json.Encoder(order="sorted").encode
_ID_OR_BRACE = re.compile(r"\{\{|\}\}|\{(@?[a-z][a-z0-9-]{0,31})\}")


def describe(ruleset: AnyRuleset, recorded: RecordedEvent, at: Callable[[int], Session]) -> str:
    """Return the description of an event.

    `at` returns the session at a given version.
    """
    if recorded.committed:
        return f"What {{@{recorded.seat}}} said here was redacted."
    event = recorded.body
    content = recorded.raw
    if type(event) is Declared and event.command is not UNSET:
        content = bytes(event.command) + (event.dice_name or "").encode()
    if b"{" in content[1:]:  # text from a seat must not be mistaken for an id
        event = _with_literal_braces(event)
    if type(event) not in SESSION_EVENT_TYPES:
        return ruleset.describe(event)
    if isinstance(event, SeatTaken):
        return _describe_seat(event, at(recorded.version - 1).info.seats.get(event.seat))
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

    Among session-level events, only draws, voided draws, rolls of physical dice and the owners of
    the entities that a fork starts with are counted. `at` returns the session at a given version.
    `asker` is the seat that began the turn. If it is not given, it is looked up with `at`.
    """
    match recorded.body:
        case Declared() | Drawn() as body:
            graded = grade(recorded, at)
            if graded is None:
                return ()
            is_secret = not body.values if isinstance(body, Drawn) else recorded.sealed
            return (Graded(_asker(recorded, at, asker), graded, is_secret),)
        case DrawVoided(k=k, missing=missing):
            return (Voided(_asker(recorded, at, asker), k, missing),)
        case Inherited() as inherited:
            table = ruleset.show(inherited_table(ruleset, inherited))
            return tuple(Owned(entity, shown.seat) for entity, shown in table.entities.items())
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
    """Replace the ids in a line with names, and doubled braces with single ones.

    A name such as "The troll" begins with a capital letter only at the beginning of a sentence.
    Each sentence that begins with a name, and the whole line, begin with a capital letter.
    """

    def filled(mark: re.Match[str]) -> str:
        if not mark[1]:
            return mark[0][0]
        name = names.get(mark[1], mark[1].lstrip("@"))
        before = line[: mark.start()]
        if before.endswith(". "):
            return f"{name[:1].upper()}{name[1:]}"
        is_first = not before or before.endswith(": ")
        return name if is_first or not name.startswith("The ") else f"the {name[4:]}"

    text = _ID_OR_BRACE.sub(filled, line)
    return text[:1].upper() + text[1:]


def without_command(turn: Sequence[T], kind: Callable[[T], str]) -> Sequence[T]:
    """Return the events of a turn that a transcript shows.

    The command and its draw are left out if the game's outcome is among the rest. `kind` returns
    the kind of an event, or "" if the event is sealed.
    """
    rest = [event for event in turn if kind(event) not in _KINDS_OF_COMMANDS]
    has_outcome = any(kind(event) and not kind(event).startswith("session.") for event in rest)
    return rest if has_outcome else turn


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
        case Opened(title=title, edition=edition, parent=parent) if parent is not UNSET:
            origin = f"another one from its version {parent.version}"
            return f"The session continues {origin}: {title} ({ruleset.title}, edition {edition})."
        case Opened(title=title, edition=edition):
            return f"The session begins: {title} ({ruleset.title}, edition {edition})."
        case Forked(version=version):
            return f"{by} starts another session from version {version}."
        case SeatLeft(seat=seat):
            left = f"{{@{seat}}}"
            return f"{left} leaves." if left == by else f"{by} removes {left} from the session."
        case PresenceSet(seat=seat, present=present):
            presence = "takes part in draws again" if present else "takes no part in draws for now"
            return f"{{@{seat}}} {presence}."
        case SeatNamed(name=name, seat=seat):
            return f'The seat "{seat}" is now called "{escape_forbidden(name)}".'
        case ChainAnchored(seat=anchored, chain=chain):
            return f"{{@{anchored}}} prepares hash chain {chain} for the next draws."
    return _describe_turn_event(ruleset, event, by)


def _describe_seat(taken: SeatTaken, before: Seat | None) -> str:
    """Describe who takes a seat. `before` is the seat before the event, or None if it is new."""
    if taken.role is Role.HOUSE:
        return "The server keeps the log."
    adverb = "here as" if before is None else "now" if before.present else "back as"
    draws = "" if taken.anchor is UNSET else " and takes part in the draws"
    return f"{{@{taken.seat}}} is {adverb} {_ROLES[taken.role]}{draws}."


def _describe_turn_event(ruleset: AnyRuleset, event: Message, by: str) -> str:
    match event:
        case Declared(command=command) if command is not UNSET:
            declared = describe_command(ruleset, command)
            dice = "" if event.dice is UNSET else f", with {_dice_name(event.dice_name)}"
            return f"{by} requests: {declared}{audience_suffix(event.audience)}{dice}."
        case Declared():
            return f"{by} does something in secret{_who_sees(event.audience)}."
        case Drawn(k=k, values=values):
            return f"Draw {k}: {_format_values(values)}." if values else f"Draw {k} is secret."
        case DrawVoided(k=k, missing=missing):
            absent = ", ".join(f"{{@{seat}}}" for seat in missing)
            return f"Draw {k} is void: no answer from {absent}."
        case SealOpened(command=command, values=values) if command is not UNSET:
            if not values:
                return f"{by} reveals a secret command whose draw was void."
            return f"{by} reveals what was drawn in secret: {_format_values(values)}."
        case SealOpened(turn=turn):
            return f"{by} reveals the secret of turn {turn}."
        case Inherited():
            return "The game continues from where it left off."
        case Rewound(to=to, reason=reason):
            return f"{by} rewinds to version {to} ({reason})."
        case Narrated(text=text, about=about):
            speaker = by if about is UNSET else f"{by} on version {about}"
            return f"{speaker}{audience_suffix(event.audience)}: {text}"
        case Redacted(of=of, reason=reason):
            return f"{by} redacts the words of version {of} ({reason})."
        case Closed(carry=carry):
            goes_on = " The next one can start where it ended." if carry else ""
            return f"The session ends.{goes_on}"
    raise TypeError(event)


def audience_suffix(audience: Audience | UnsetType) -> str:
    """Return a suffix that says who may see a secret, such as ", for the GM"."""
    match audience:
        case "gm":
            return ", for the GM"
        case "blind":
            return ", for the GM alone"
        case "self":
            return ", in private"
    return ""


def _who_sees(audience: Audience | UnsetType) -> str:
    match audience:
        case "gm":
            return " that the GM sees"
        case "blind":
            return " that only the GM sees"
        case "self":
            return " that no one else sees"
    return ""


def _dice_name(name: str | UnsetType) -> str:
    return "physical dice" if name is UNSET else escape_forbidden(name)


def _format_values(values: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"d{sides} shows {value}" for sides, value in values)
