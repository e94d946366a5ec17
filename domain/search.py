"""Which events a search is for: conditions that must all hold, each on what its viewer may see of the event."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET, Raw, UnsetType

from domain import codec
from domain.chance import Values
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.annotations import mark
from domain.session.messages import Declared, Drawn, Inherited, SealOpened
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.tally import Rolled

_fields = msgspec.json.Decoder(dict[str, str | int | bool | list[str | int]]).decode


class Query(msgspec.Struct, frozen=True):
    """What is looked for; what is absent is no condition.

    `since` and `until` are ms since 1970, both included. A `kind` is an event's, in full or up to one of its dots, or
    its bare name. An `entity` is any id that the event holds. A `die` is what was drawn or declared ("d6"), or a
    source of the room's tally, such as a deck. `text` is looked for in the told line, in any case.
    """

    kind: str | UnsetType = UNSET
    seat: str | UnsetType = UNSET
    entity: str | UnsetType = UNSET
    die: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    since: int | UnsetType = UNSET
    until: int | UnsetType = UNSET
    marked: bool | UnsetType = UNSET
    undone: bool | UnsetType = UNSET

    @property
    def looks_inside(self) -> bool:
        """Whether it asks for what a sealed event does not show."""
        return any(
            asked is not UNSET
            for asked in (self.kind, self.entity, self.die, self.text, self.marked)
        )


def matches(
    query: Query, ruleset: AnyRuleset, recorded: RecordedEvent, told: str | None, undone: bool
) -> bool:
    """Whether all conditions hold; `told` is the fact's line with the names filled in, None where it is sealed."""
    if not _shows(query, recorded, undone):
        return False
    return not query.looks_inside if told is None else _says(query, ruleset, recorded, told)


def _shows(query: Query, recorded: RecordedEvent, undone: bool) -> bool:
    return (
        query.seat in (UNSET, recorded.seat)
        and (query.since is UNSET or query.since <= recorded.at)
        and (query.until is UNSET or recorded.at <= query.until)
        and query.undone in (UNSET, undone)
    )


def _says(query: Query, ruleset: AnyRuleset, recorded: RecordedEvent, told: str) -> bool:
    return (
        query.marked in (UNSET, mark(recorded) is not None)
        and (query.kind is UNSET or _is_of(recorded, query.kind))
        and (query.entity is UNSET or _names(recorded, query.entity))
        and (query.die is UNSET or query.die.casefold() in _dice(ruleset, recorded))
        and (query.text is UNSET or query.text.casefold() in told.casefold())
    )


def _is_of(recorded: RecordedEvent, asked: str) -> bool:
    kind = codec.kind(recorded.body)
    return kind == asked or kind.startswith(f"{asked}.") or kind.split(".")[1] == asked


def _names(recorded: RecordedEvent, entity: str) -> bool:
    return f'"{entity}"'.encode() in recorded.raw and entity in _strings(recorded.body)


def _strings(value: object) -> Iterator[str]:
    """Every string of a value, and every key of a map in it; the names of fields are none."""
    match value:
        case str():
            yield value
        case Inherited():
            yield from _strings(msgspec.json.decode(value.table))
        case Raw():  # a command, whose keys are the names of its fields
            yield from _strings(tuple(_fields(value).values()))
        case dict():
            yield from value
            yield from _strings(tuple(value.values()))
        case tuple() | list():
            for each in value:
                yield from _strings(each)
        case msgspec.Struct():
            yield from _strings(tuple(getattr(value, field) for field in value.__struct_fields__))


def _dice(ruleset: AnyRuleset, recorded: RecordedEvent) -> set[str]:
    if type(recorded.body) in SESSION_EVENT_TYPES:
        return {f"d{sides}" for sides, _ in _values(recorded)}
    return {
        count.source.casefold()
        for count in ruleset.tally(recorded.body)
        if isinstance(count, Rolled)
    }


def _values(recorded: RecordedEvent) -> Values:
    match recorded.body:
        case Drawn(values=values):
            return values
        case Declared(values=values) | SealOpened(values=values) if values is not UNSET:
            return values
    return ()
