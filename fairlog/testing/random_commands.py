"""Random commands of any ruleset.

They are made from the bounds in its messages, so they are well formed, but not always allowed.
"""

from __future__ import annotations

import random  # noqa: TID251  tests choose commands, not values of a game
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from domain.available_commands import fits
from domain.ruleset import AnyRuleset, Message
from domain.table import Table

IDS = ("ana", "bo", "cleo", "rat", "wolf")
TEXTS = ("locks", "sword", "climbing", "herbs")
NOTATIONS = ("1d20+5", "2d6", "4d6kh3", "8d10!>=8", "4dF", "5d10>=7", "d%", "1d8[fire]+2", "2d")
RARE = 8
"""How many times less often a GM's override comes, which is recognized by its field `reason`."""


def random_kind(source: random.Random, ruleset: AnyRuleset) -> type:
    """Return one of the ruleset's kinds of commands."""
    return source.choice(_choices(ruleset))


def random_wish(
    source: random.Random, ruleset: AnyRuleset, state: object, command: type
) -> Message:
    """Return a command of the given kind.

    An entity or ability that it names is mostly one on the table.
    """
    made = _value(source, _shape(command), _shown(ruleset, state), None)
    wish: Message = msgspec.convert(made, command)
    return wish


_last: list[tuple[object, Table]] = [(None, Table())]
"""The last state and its table. Showing a state takes longer than trying a command on it."""


def _shown(ruleset: AnyRuleset, state: object) -> Table:
    if _last[0][0] is not state:
        _last[0] = state, ruleset.show(state)
    return _last[0][1]


def random_options(source: random.Random, ruleset: AnyRuleset) -> Any:
    """Return options of the ruleset. Those that are not chosen keep their defaults."""
    fields = _said(source, msgspec.inspect.type_info(ruleset.options))
    chosen = {field.encode_name: _value(source, field.type, Table(), None) for field in fields}
    return msgspec.convert(chosen, ruleset.options)


@cache
def _shape(command: type) -> inspect.Type:
    return inspect.type_info(command)


@cache
def _choices(ruleset: AnyRuleset) -> tuple[type, ...]:
    """Return each kind of command, as often as it should come."""
    return tuple(
        command
        for command in ruleset.commands
        for _ in range(1 if hasattr(command, "reason") else RARE)
    )


def _value(source: random.Random, wanted: inspect.Type, shown: Table, of: str | None) -> object:
    match wanted:
        case inspect.StructType():
            return {
                field.encode_name: _value(source, field.type, shown, None)
                for field in _said(source, wanted)
            } | {str(wanted.tag_field): wanted.tag}
        case inspect.Metadata(extra=extra):
            return _value(source, wanted.type, shown, (extra or {}).get("of"))
        case inspect.UnionType(types=types):
            return _value(source, source.choice(types), shown, of)
        case inspect.IntType():
            low = max(wanted.ge or 0, -2)
            return source.randint(low, min(wanted.le or 2**31, low + 12))
        case inspect.BoolType():
            return source.random() < 0.5
        case inspect.EnumType(cls=cls):
            return source.choice([member.value for member in cls])
        case inspect.StrType():
            return _text(source, wanted, shown, of)
        case inspect.LiteralType(values=values):
            return source.choice(values)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return [_value(source, item, shown, of) for _ in range(source.randint(1, 3))]
    raise TypeError(wanted)


def _said(source: random.Random, struct: inspect.StructType) -> list[inspect.Field]:
    return [field for field in struct.fields if field.required or source.random() < 0.5]


def _text(source: random.Random, wanted: inspect.StrType, shown: Table, of: str | None) -> str:
    """Return an id or a free text. Only the pattern of an id begins with a letter."""
    entities = list(shown.entities) or list(IDS)
    if of == "entity":
        return source.choice(entities if source.random() < 0.9 else IDS)
    if of in ("ability", "skill", "attack"):
        return source.choice(
            [name for held in shown.entities.values() for name in held.sheet] or TEXTS
        )
    named = [each for each in _named(shown, of) if fits(each, wanted)]
    if named:
        return source.choice(named)
    return source.choice(IDS if (wanted.pattern or "").startswith("^[a-z]") else TEXTS)


def _named(shown: Table, of: str | None) -> list[str]:
    """Return the decks, bars, conditions, cards in play or notations that a field can name."""
    match of:
        case "deck":
            return list(shown.decks)
        case "bar":
            return [pool.label for pool in shown.pools.values()]
        case "condition":
            return [condition.label for condition in shown.conditions.values()]
        case "card":
            return [card for deck in shown.decks.values() for card in deck.up]
        case "notation":
            return list(NOTATIONS)
    return []


def wish(source: random.Random, ruleset: AnyRuleset, state: object) -> Message:
    """Return a command of any kind."""
    return random_wish(source, ruleset, state, random_kind(source, ruleset))


def builtins(value: object) -> Any:
    """Return the value as it is in JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def is_plain(value: object, *, hashed: bool = True) -> bool:
    """Return True if the value is JSON without floats and null.

    If `hashed` is True, its keys must be ASCII.
    """
    match value:
        case bool() | str():
            return True
        case int():
            return abs(value) < 2**53
        case dict():
            return all(
                (key.isascii() or not hashed) and is_plain(held, hashed=hashed)
                for key, held in value.items()
            )
        case list():
            return all(is_plain(held, hashed=hashed) for held in value)
    return False
