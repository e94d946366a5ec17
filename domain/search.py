"""Search: finding the events that match a query.

Content that is hidden from the viewer never matches.
"""

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
    """The conditions of a search. An event must meet all conditions that are set.

    `kind` is an event's full kind, or the part before or after the dot. `entity` is an id to find
    in the event. `die` is a die, such as "d6", or another source of values, such as a deck. `text`
    is text to find in the event's description, ignoring case. `since` and `until` are inclusive and
    in milliseconds since the epoch.
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
    def needs_content(self) -> bool:
        """Return True if a condition depends on content that a sealed event hides."""
        return any(
            condition is not UNSET
            for condition in (self.kind, self.entity, self.die, self.text, self.marked)
        )


def matches(
    query: Query, ruleset: AnyRuleset, recorded: RecordedEvent, line: str | None, undone: bool
) -> bool:
    """Return True if the event meets all conditions.

    `line` is the event's description with ids replaced by names, or None if the event is hidden
    from the viewer.
    """
    if not _matches_record(query, recorded, undone):
        return False
    return (
        not query.needs_content
        if line is None
        else _matches_content(query, ruleset, recorded, line)
    )


def _matches_record(query: Query, recorded: RecordedEvent, undone: bool) -> bool:
    return (
        query.seat in (UNSET, recorded.seat)
        and (query.since is UNSET or query.since <= recorded.at)
        and (query.until is UNSET or recorded.at <= query.until)
        and query.undone in (UNSET, undone)
    )


def _matches_content(query: Query, ruleset: AnyRuleset, recorded: RecordedEvent, line: str) -> bool:
    return (
        query.marked in (UNSET, mark(recorded) is not None)
        and (query.kind is UNSET or _has_kind(recorded, query.kind))
        and (query.entity is UNSET or _contains_id(recorded, query.entity))
        and (query.die is UNSET or query.die.casefold() in _dice(ruleset, recorded))
        and (query.text is UNSET or query.text.casefold() in line.casefold())
    )


def _has_kind(recorded: RecordedEvent, wanted: str) -> bool:
    kind = codec.kind(recorded.body)
    return kind == wanted or kind.startswith(f"{wanted}.") or kind.split(".")[1] == wanted


def _contains_id(recorded: RecordedEvent, entity: str) -> bool:
    return f'"{entity}"'.encode() in recorded.raw and entity in _strings(recorded.body)


def _strings(value: object) -> Iterator[str]:
    """Yield every string in a value, including map keys but excluding field names."""
    match value:
        case str():
            yield value
        case Inherited():
            yield from _strings(msgspec.json.decode(value.table))
        case Raw():  # a command, whose keys are field names
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
