"""What a seat can do now: every command of the room with an example that is allowed, or the refusal that says most."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import msgspec
from msgspec import UNSET, UnsetType, inspect

from domain.chance import NeedsDrawError, UndrawnChance
from domain.codec import encode
from domain.decider import By, Detail, Refused
from domain.ruleset import Message
from domain.session.messages import Declare
from domain.session.secrets import refuse_unseen
from domain.session.state import HOUSE, Session
from domain.session.turns import judge

MAX_EXAMPLES = 120
"""Examples tried for one command before its refusal stands."""
MAX_VALUES = 12
"""Values tried for one field."""
TEXTS = ("new", "new-2", "new-3", "new-4")

Value = bool | int | str | Sequence[bool | int | str]
Given = Mapping[str, Value]


class AvailableCommand(msgspec.Struct, frozen=True, omit_defaults=True):
    """One command: with an example to send where it is allowed, with rule and facts where none was."""

    kind: str
    allowed: bool
    example: Message | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET


class KnownValues(msgspec.Struct, frozen=True):
    """The ids that a command may name: entities with their sheets' keys, the seat's own first; seats of people."""

    sheets: dict[str, tuple[str, ...]]
    seats: tuple[str, ...]


def available_commands(session: Session, by: By) -> tuple[AvailableCommand, ...]:
    """Every command of the session's room for this seat, as its rules judge it now."""
    known = known_values(session, by)
    return tuple(_choice(session, by, known, command) for command in session.ruleset.commands)


def known_values(session: Session, by: By) -> KnownValues:
    entities = session.ruleset.show(session.table).entities
    own_first = sorted(entities, key=lambda entity: entities[entity].seat != by.seat)
    sheets = {entity: tuple(entities[entity].sheet) for entity in own_first}
    seats = tuple(
        seat for seat, held in session.info.seats.items() if held.present and seat != HOUSE
    )
    return KnownValues(sheets, seats)


def _choice(
    session: Session, by: By, known: KnownValues, command: type[Message]
) -> AvailableCommand:
    kind = str(command.__struct_config__.tag)
    refused: Refused | None = None
    for example in islice(examples(known, command), MAX_EXAMPLES):
        try:
            with refuse_unseen(session):
                judge(session, Declare(msgspec.Raw(encode(example))), by, UndrawnChance())
        except NeedsDrawError:
            return AvailableCommand(kind, True, example)
        except Refused as no:
            refused = refused or no  # the first example is of the seat's own entity
        else:
            return AvailableCommand(kind, True, example)
    return (
        AvailableCommand(kind, False)
        if refused is None
        else AvailableCommand(kind, False, UNSET, refused.rule, refused.facts)
    )


def examples(known: KnownValues, command: type[Message]) -> Iterator[Message]:
    """Commands of that type that name what is there, the likeliest first."""
    shape = inspect.type_info(command)
    assert isinstance(shape, inspect.StructType)
    return (msgspec.convert(given, command) for given in _given(known, shape.fields, {}))


def _given(known: KnownValues, fields: Sequence[inspect.Field], given: Given) -> Iterator[Given]:
    if not fields:
        yield given
        return
    field, *rest = fields
    if not field.required:
        yield from _given(known, rest, given)
    for value in _values(known, field.type, given)[:MAX_VALUES]:
        yield from _given(known, rest, {**given, field.encode_name: value})


def _values(known: KnownValues, type_: inspect.Type, given: Given) -> Sequence[Value]:
    match type_:
        case inspect.Metadata(type=inner, extra={"of": of}):
            return _named(known, str(of), given) or _values(known, inner, given)
        case inspect.Metadata(type=inner):
            return _values(known, inner, given)
        case inspect.UnionType(types=types):
            return [value for inner in types for value in _values(known, inner, given)]
        case inspect.BoolType():
            return (True, False)
        case inspect.IntType():
            return _numbers(type_)
        case inspect.EnumType(cls=cls):
            return [member.value for member in cls]
        case inspect.LiteralType(values=values):
            return [value for value in values if value is not None]
        case inspect.StrType():
            return [text for text in TEXTS if _fits(text, type_) and text not in known.sheets]
        case inspect.VarTupleType(item_type=item):
            return [
                (value,)
                for value in _values(known, item, given)
                if isinstance(value, bool | int | str)
            ]
    raise TypeError(type_)


def _named(known: KnownValues, of: str, given: Given) -> Sequence[Value]:
    """The ids of that sort; sheet keys are those of the first entity that the command already names."""
    match of:
        case "entity":
            return tuple(
                sorted(known.sheets, key=[*given.values()].count)
            )  # who is not named yet, first
        case "ability":
            named = (
                value
                for value in given.values()
                if isinstance(value, str) and value in known.sheets
            )
            return known.sheets.get(next(named, ""), ())
        case "seat":
            return known.seats
    return ()


def _numbers(bounds: inspect.IntType) -> Sequence[int]:
    """All of a short range; else the small numbers in it and its ends."""
    low = -1 if bounds.ge is None else int(bounds.ge)
    high = 100 if bounds.le is None else int(bounds.le)
    if high - low < MAX_VALUES:
        return range(low, high + 1)
    return [number for number in dict.fromkeys((1, 0, 2, 3, low, high)) if low <= number <= high]


def _fits(text: str, bounds: inspect.StrType) -> bool:
    return re.search(bounds.pattern or "", text) is not None and len(text) >= (
        bounds.min_length or 0
    )
