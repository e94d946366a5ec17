"""Available commands: which of the ruleset's commands a seat may send now.

For each command, the result contains an allowed example or the reason for the refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

import msgspec
from msgspec import UNSET, UnsetType, inspect
from msgspec.structs import replace

from domain.chance import NeedsDrawError, UndrawnChance
from domain.codec import encode
from domain.decider import By, Detail, Refused
from domain.ruleset import Message, NamesBySort, id_fields, id_sort, is_likely, message_fields
from domain.session.messages import Declare
from domain.session.secrets import refuse_unseen
from domain.session.state import HOUSE, Session
from domain.session.turns import judge
from domain.table import Condition, Pool

MAX_EXAMPLES = 120
"""The maximum number of examples to try before a command is considered refused."""
MAX_VALUES = 24
"""The maximum number of values to try for a field: all cards of a deck, and all conditions."""
TEXTS = ("new", "new-2", "new-3", "new-4")
INDIFFERENT = frozenset({"aim", "note", "purpose"})
"""Optional texts that never decide whether a command is allowed. Examples do without them."""
NOTATIONS = ("1d20",)
WRITTEN = frozenset({"notation"})
"""Sorts of values that people write rather than choose."""

Value = bool | int | str | Sequence[bool | int | str]
FieldValues = Mapping[str, Value]
NOTHING_CHOSEN: FieldValues = {}


class AvailableCommand(msgspec.Struct, frozen=True, omit_defaults=True):
    """A type of command, and whether the seat may send it now.

    If `allowed` is True, `example` is an allowed command. Otherwise, `rule` is the rule that
    forbade the first example tried, and `facts` explains why.
    """

    kind: str
    allowed: bool
    example: Message | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET


class KnownValues(msgspec.Struct, frozen=True):
    """The ids available for example commands.

    `sheets` maps each entity to the keys of its sheet, starting with the seat's own entities.
    `bars` and `conditions` map entities to the labels of their pools and conditions. `decks` maps
    each deck to its cards in play. `names` has the names of the ruleset's own sorts. `seats` lists
    all present seats except the house.
    """

    sheets: dict[str, tuple[str, ...]]
    seats: tuple[str, ...]
    bars: dict[str, tuple[str, ...]] = {}
    conditions: dict[str, tuple[str, ...]] = {}
    decks: dict[str, tuple[str, ...]] = {}
    names: NamesBySort = {}


def available_commands(
    session: Session, by: By, entity: str | UnsetType = UNSET
) -> tuple[AvailableCommand, ...]:
    """Return, for each of the ruleset's commands, whether the seat may send it now.

    If `entity` is given, only examples in which it acts count, that is, in which it is the first
    entity that the command names. Commands that name no entity are not restricted.
    """
    known = known_values(session, by)
    return tuple(
        _available(session, by, known, command, _acting(command, entity))
        for command in session.ruleset.commands
    )


def allowed_values(session: Session, by: By, command: Message) -> dict[str, tuple[Value, ...]]:
    """Return the values with which an allowed command stays allowed, by field.

    One field is changed at a time, or two if both are choices from a list. Fields that people
    fill in freely are left out, and so are most numbers if a field has wide bounds.
    """
    known, sent = known_values(session, by), msgspec.to_builtins(command)
    sorts = id_fields(type(command))
    found: dict[str, tuple[Value, ...]] = {}
    for field in message_fields(type(command)):
        name = field.encode_name
        others = {other: value for other, value in sent.items() if other not in ("kind", name)}
        is_free = _is_text(field.type) if name not in sorts else sorts[name] in WRITTEN
        is_known = name not in sorts or is_likely(field.type)
        if not is_free and (is_known or _ids(known, sorts[name], others)):
            found[name] = tuple(
                value
                for value in _values(known, field.type, others)
                if any(
                    _refusal(session, by, msgspec.convert(values, type(command))) is None
                    for values in _with_value(known, field, value, command, others)
                )
            )
    return found


def _with_value(
    known: KnownValues, field: inspect.Field, value: Value, command: Message, others: FieldValues
) -> Iterator[FieldValues]:
    """Yield the values of a command in which the field has this value.

    If the field is a choice from a list, it can need or exclude another such choice, as an extended
    test needs the stat that refills its pool. Therefore, try these with it and without it, too.
    """
    whole = {**others, field.encode_name: value}
    yield whole
    if not _is_listed(field.type):
        return
    for other in message_fields(type(command)):
        name = other.encode_name
        if name == field.encode_name:
            continue
        if name in others and not other.required:
            yield {each: whole[each] for each in whole if each != name}
        if _is_listed(other.type):
            yield from ({**whole, name: choice} for choice in _values(known, other.type, whole))


def _is_listed(type_: inspect.Type) -> bool:
    """Return True if the type lists its values."""
    match type_:
        case inspect.Metadata(type=inner):
            return _is_listed(inner)
        case inspect.UnionType(types=types):
            return any(map(_is_listed, types))
    return isinstance(type_, inspect.EnumType | inspect.LiteralType)


def _is_text(type_: inspect.Type) -> bool:
    match type_:
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner):
            return _is_text(inner)
        case inspect.UnionType(types=types):
            return any(map(_is_text, types))
    return isinstance(type_, inspect.StrType)


def _acting(command: type[Message], entity: str | UnsetType) -> FieldValues:
    """Return the field in which the command names the acting entity, with the entity.

    A field that names several entities, such as those in a fight, names no acting one.
    """
    sorts = id_fields(command)
    fields = (field for field in message_fields(command) if not _is_list(field.type))
    names = (field.encode_name for field in fields)
    name = next((name for name in names if sorts.get(name) == "entity"), None)
    return {} if entity is UNSET or name is None else {name: entity}


def _is_list(type_: inspect.Type) -> bool:
    match type_:
        case inspect.Metadata(type=inner):
            return _is_list(inner)
        case inspect.UnionType(types=types):
            return any(map(_is_list, types))
    return isinstance(type_, inspect.VarTupleType)


def known_values(session: Session, by: By) -> KnownValues:
    shown = session.ruleset.show(session.table)
    entities = shown.entities
    own_first = sorted(entities, key=lambda entity: entities[entity].seat != by.seat)
    seats = tuple(
        seat for seat, held in session.info.seats.items() if held.present and seat != HOUSE
    )
    return KnownValues(
        sheets={entity: tuple(entities[entity].sheet) for entity in own_first},
        seats=seats,
        bars=_labels(shown.pools.values()),
        conditions=_labels(shown.conditions.values()),
        decks={deck: held.up for deck, held in shown.decks.items()},
        names=session.ruleset.names(session.table),
    )


def _labels(parts: Iterable[Pool | Condition]) -> dict[str, tuple[str, ...]]:
    """Return the labels of the parts, grouped by entity."""
    found: dict[str, tuple[str, ...]] = {}
    for part in parts:
        found[part.entity] = (*found.get(part.entity, ()), part.label)
    return found


def _available(
    session: Session,
    by: By,
    known: KnownValues,
    command: type[Message],
    chosen: FieldValues,
) -> AvailableCommand:
    kind = str(command.__struct_config__.tag)
    refused: Refused | None = None
    for example in islice(examples(known, command, chosen), MAX_EXAMPLES):
        refusal = _refusal(session, by, example)
        if refusal is None:
            return AvailableCommand(kind, True, example)
        refused = refused or refusal  # the first example names the seat's own entity
    if refused is None:
        return AvailableCommand(kind, False)
    return AvailableCommand(kind, False, UNSET, refused.rule, refused.facts)


def _refusal(session: Session, by: By, command: Message) -> Refused | None:
    """Return the refusal of a command, or None if the seat may send it now."""
    try:
        with refuse_unseen(session):
            judge(session, Declare(msgspec.Raw(encode(command))), by, UndrawnChance())
    except NeedsDrawError:
        return None
    except Refused as refusal:
        return refusal
    return None


def examples(
    known: KnownValues, command: type[Message], chosen: FieldValues = NOTHING_CHOSEN
) -> Iterator[Message]:
    """Yield example commands of the given type, built from the known ids.

    `chosen` has the values of fields that all examples have.

    The examples most likely to be allowed come first. If the metadata of a field names a `first`
    value, it comes before all other values of the field.
    """
    if "condition" in id_fields(command).values():
        known = _affected_early(known)
    rest = [field for field in message_fields(command) if field.encode_name not in chosen]
    # Many combinations of optional fields must not hide the other values of a required field.
    main = [field for field in rest if field.required or is_likely(field.type)]
    found = _field_values(known, main, chosen)
    if len(main) < len(rest):
        whole = _field_values(known, rest, chosen)
        more = {field.encode_name for field in rest} - {field.encode_name for field in main}
        found = chain(found, (values for values in whole if not more.isdisjoint(values)))
    return (msgspec.convert(values, command) for values in found)


def _affected_early(known: KnownValues) -> KnownValues:
    """Move the entities that have conditions directly after the first entity."""
    # Each entity without conditions costs a refused example for every text of every field. At a
    # large table, these would use up MAX_EXAMPLES, or the entity would not be among MAX_VALUES.
    # The first entity stays first, because the refusal of its example is the one to show.
    first = next(iter(known.sheets), "")
    early = sorted(
        known.sheets, key=lambda entity: entity != first and entity not in known.conditions
    )
    return replace(known, sheets={entity: known.sheets[entity] for entity in early})


def _field_values(
    known: KnownValues, fields: Sequence[inspect.Field], chosen: FieldValues
) -> Iterator[FieldValues]:
    if not fields:
        yield chosen
        return
    field, *rest = fields
    if not field.required:
        if is_likely(field.type):
            for name in _ids(known, id_sort(field.type), chosen)[:MAX_VALUES]:
                yield from _field_values(known, rest, {**chosen, field.encode_name: name})
            yield from _field_values(known, rest, chosen)
            return
        yield from _field_values(known, rest, chosen)
        if field.encode_name in INDIFFERENT:
            return
    for value in _values(known, field.type, chosen)[:MAX_VALUES]:
        yield from _field_values(known, rest, {**chosen, field.encode_name: value})


def _values(known: KnownValues, type_: inspect.Type, chosen: FieldValues) -> Sequence[Value]:
    match type_:
        case inspect.Metadata(type=inspect.StrType() as bounds, extra={"of": sort}):
            ids = [each for each in _ids(known, str(sort), chosen) if fits(each, bounds)]
            return ids or _values(known, bounds, chosen)
        case inspect.Metadata(type=inner, extra={"first": first}):
            return [first, *(each for each in _values(known, inner, chosen) if each != first)]
        case inspect.Metadata(type=inner):
            return _values(known, inner, chosen)
        case inspect.UnionType(types=types):
            return [value for inner in types for value in _values(known, inner, chosen)]
        case inspect.BoolType():
            return (True, False)
        case inspect.IntType():
            return _numbers(type_)
        case inspect.EnumType(cls=cls):
            return [member.value for member in cls]
        case inspect.LiteralType(values=values):
            return [value for value in values if value is not None]
        case inspect.StrType():
            return [text for text in TEXTS if fits(text, type_) and text not in known.sheets]
        case inspect.VarTupleType(item_type=item):
            return [
                (value,)
                for value in _values(known, item, chosen)
                if isinstance(value, bool | int | str)
            ]
    raise TypeError(type_)


def _ids(known: KnownValues, sort: str, chosen: FieldValues) -> Sequence[str]:
    """Return the ids or names to try for a field that identifies a thing of the given sort.

    Abilities, bars and conditions are those of the first entity that an earlier field names. Cards
    are those of the first deck that an earlier field names.
    """
    if sort in known.names:
        return _names_of_first(known.names[sort], chosen)
    match sort:
        case "entity":
            # Entities that the command does not name yet come first.
            return tuple(sorted(known.sheets, key=[*chosen.values()].count))
        case "ability":
            return _names_of_first(known.sheets, chosen)
        case "bar":
            return _names_of_first(known.bars, chosen)
        case "condition":
            return _names_of_first(known.conditions, chosen)
        case "card":
            return _names_of_first(known.decks, chosen)
        case "deck":
            return tuple(known.decks)
        case "notation":
            return NOTATIONS
        case "seat":
            return known.seats
    return ()


def _names_of_first(names: Mapping[str, tuple[str, ...]], chosen: FieldValues) -> Sequence[str]:
    ids = (value for value in chosen.values() if isinstance(value, str) and value in names)
    return names.get(next(ids, ""), ())


def _numbers(bounds: inspect.IntType) -> Sequence[int]:
    """Return the numbers to try for a field with these bounds.

    If the bounds allow many numbers, return only the bounds and a few small numbers.
    """
    low = -1 if bounds.ge is None else int(bounds.ge)
    high = 100 if bounds.le is None else int(bounds.le)
    if high - low < MAX_VALUES:
        return range(low, high + 1)
    return [number for number in dict.fromkeys((1, 0, 2, 3, low, high)) if low <= number <= high]


def fits(text: str, bounds: inspect.StrType) -> bool:
    """Return True if the text has a valid length and matches the pattern."""
    is_short = len(text) < (bounds.min_length or 0)
    is_long = bounds.max_length is not None and len(text) > bounds.max_length
    return not (is_short or is_long) and re.search(bounds.pattern or "", text) is not None
