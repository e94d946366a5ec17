"""Descriptions of commands: a name, and its fields in brackets; ids stand in braces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import msgspec
from msgspec import inspect

from domain.ruleset import Message, Room

_read_wish = msgspec.json.Decoder(dict[str, str | int | bool | list[str | int]]).decode
_BEFORE_A_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def wished(room: Room, command: msgspec.Raw) -> str:
    """`SetTerms` of an entity becomes `set terms (entity {ana}, routine yes)`."""
    wish = _read_wish(command)
    kind = str(wish.pop("kind"))
    marks = _marks(room.commands).get(kind, {})
    fields = ", ".join(
        f"{field.replace('_', ' ')} {_said(value, marks.get(field))}"
        for field, value in wish.items()
    )
    name = _in_words(kind.partition(".")[2])
    return f"{name} ({fields})" if fields else name


@lru_cache
def _in_words(name: str) -> str:
    """A word that is all capitals, as AP, stays so."""
    words = _BEFORE_A_WORD.split(name)
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def _said(value: object, of: str | None) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return " and ".join(_said(each, of) for each in value) or "none"
        case str() if of in _IN_BRACES:
            return _IN_BRACES[of].format(value)
    return str(value)


_IN_BRACES = {"entity": "{{{}}}", "seat": "{{@{}}}"}


@lru_cache
def _marks(commands: tuple[type[Message], ...]) -> Mapping[str, Mapping[str, str]]:
    """For each command by its kind, what its fields are ids of."""
    return {str(command.__struct_config__.tag): ids_of(command) for command in commands}


def ids_of(command: type[Message]) -> Mapping[str, str]:
    """By field, what sort of id it holds."""
    shape = inspect.type_info(command)
    assert isinstance(shape, inspect.StructType)
    return {field.encode_name: of for field in shape.fields if (of := _of(field.type))}


def _of(type_: inspect.Type) -> str:
    match type_:
        case inspect.Metadata(extra={"of": of}):
            return str(of)
        case inspect.Metadata(type=inner) | inspect.VarTupleType(item_type=inner):
            return _of(inner)
        case inspect.UnionType(types=types):
            return next(filter(None, map(_of, types)), "")
    return ""
