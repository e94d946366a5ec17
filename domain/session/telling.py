"""What is told of a session, a line a fact. Ids stand in braces, {ana} and the seat {@gm}; the edge fills in names."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Role
from domain.fact import Fact
from domain.ruleset import Message, Room
from domain.session.decider import FRAME_EVENT_TYPES
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Declared,
    Drawn,
    Narrated,
    Opened,
    Rewound,
    SeatLeft,
    SeatNamed,
    SeatTaken,
)
from domain.session.state import Session
from domain.tally import Counts

_read_wish = msgspec.json.Decoder(dict[str, str | int | bool | list[str | int]]).decode
_MARK = re.compile(r"\{\{|\}\}|\{(@?[a-z][a-z0-9-]{0,31})\}")


def tell(room: Room, fact: Fact) -> str:
    """The line of a fact, the frame's or the room's."""
    event = fact.body
    said = bytes(event.command) if type(event) is Declared else fact.raw
    if b"{" in said[1:]:  # perhaps in somebody's words, which must not pass for an id
        event = _with_literal_braces(event)
    return _tell(event, f"{{@{fact.seat}}}") if type(event) in FRAME_EVENT_TYPES else room.tell(event)


def tally(room: Room, fact: Fact) -> Counts:
    """What a fact counts for; the frame's count for nothing in a room's statistics."""
    return () if type(fact.body) in FRAME_EVENT_TYPES else room.tally(fact.body)


def fill(line: str, names: Mapping[str, str]) -> str:
    """The line with names for the ids it knows; a doubled brace is one that somebody wrote."""
    return _MARK.sub(lambda mark: names.get(mark[1], mark[1].lstrip("@")) if mark[1] else mark[0][0], line)


def names(session: Session) -> dict[str, str]:
    """The display names of entities, and of seats under @."""
    seats = {f"@{seat}": held.name for seat, held in session.frame.seats.items() if held.name is not UNSET}
    entities = session.room.show(session.table).entities if session.version else {}
    return seats | {entity: shown.name for entity, shown in entities.items()}


def grade(declared: Declared) -> str | None:
    """How far a turn's values can be trusted (fairness.md): C from the house alone, D declared at the table."""
    if declared.values is not UNSET:
        return "D"
    return "C" if declared.draw is not UNSET else None


def _with_literal_braces(event: Message) -> Message:
    """The event with every brace in its strings doubled."""
    if type(event) is Declared:
        wish = msgspec.json.encode(_doubled(msgspec.json.decode(event.command)), order="sorted")
        return replace(event, command=msgspec.Raw(wish))
    return msgspec.convert(_doubled(msgspec.to_builtins(event)), type(event))


def _doubled(value: object) -> object:
    match value:
        case str():
            return value.replace("{", "{{").replace("}", "}}")
        case list() | tuple():
            return [_doubled(each) for each in value]
        case dict():
            return {key: _doubled(each) for key, each in value.items()}
    return value


def _tell(event: Message, by: str) -> str:
    match event:
        case Opened(title=title, ruleset=ruleset, edition=edition):
            return f"The evening opens: {title} ({ruleset}, edition {edition})."
        case SeatTaken(role=Role.HOUSE):
            return "The house takes its seat."
        case SeatTaken(seat=taken, role=role):
            return f"{{@{taken}}} sits down as {role.value}."
        case SeatLeft(seat=seat):
            left = f"{{@{seat}}}"
            return f"{left} leaves." if left == by else f"{by} asks {left} to leave."
        case SeatNamed(seat=named, name=name):
            return f"Seat {named} is called {name}."
        case ChainAnchored(seat=anchored, chain=chain):
            return f"{{@{anchored}}} anchors chain {chain}."
        case Declared():
            return f"{by} declares {_wish(event.command)}."
        case Drawn(k=k, values=values):
            return f"Draw {k}: {_values(values)}."
        case Rewound(to=to, reason=reason):
            return f"{by} rewinds to version {to}: {reason}"
        case Narrated(text=text, about=about):
            return f"{by}: {text}" if about is UNSET else f"{by} on version {about}: {text}"
        case Closed(carry=carry):
            noted = ", ".join(f"{name} {value}" for name, value in sorted(carry.items()))
            return f"The evening closes; carried over: {noted}." if noted else "The evening closes."
    raise TypeError(event)


def _wish(command: msgspec.Raw) -> str:
    wish = _read_wish(command)
    name = str(wish.pop("kind")).partition(".")[2]
    fields = ", ".join(f"{field} {value}" for field, value in wish.items())
    return f"{name} ({fields})" if fields else name


def _values(values: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"d{sides} shows {value}" for sides, value in values)
