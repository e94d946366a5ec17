"""The fields of a command's form: what the table offers for each, as the JSON schema bounds it, and back to JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain.ruleset import Message, id_fields
from service.web.fields import RADIOS, Field, Schema, fields, given, number

MOST_PICKS = 16
"""So many things of a list can be picked one by one; longer lists are written, with commas."""
LONG = 120
PREFIX = "c."
"""In front of a command's fields, which may be called as what every form holds."""

Options = tuple[tuple[str, str], ...]  # value, and what it is called
Groups = tuple[tuple[str, Options], ...]  # "" is no group
Sent = Mapping[str, Sequence[str]]


class Offered(NamedTuple):
    """What can be named: entities and seats with their names, and by entity the lines of its sheet."""

    entities: Options
    seats: Options
    sheets: Mapping[str, tuple[str, ...]]

    def named(self, of: str) -> Groups:
        match of:
            case "entity":
                return (("", self.entities),)
            case "seat":
                return (("", self.seats),)
            case "ability":
                called = dict(self.entities)
                sheets = (
                    (called[entity], tuple((line, line) for line in sheet))
                    for entity, sheet in self.sheets.items()
                )
                return tuple((name, lines) for name, lines in sheets if lines)
        return ()


class Input(NamedTuple):
    """One field. `sort`: tick, choose (yes or no), radios, select, number, text, long, picks (of a list), or list."""

    field: Field
    id: str
    sort: str
    values: tuple[str, ...]
    groups: Groups = ()
    error: str = ""
    pattern: str = ""
    picks: int = 0
    of_numbers: bool = False
    label: str = ""

    @property
    def name(self) -> str:
        return PREFIX + self.field.name

    @property
    def value(self) -> str:
        return self.values[0] if self.values else ""

    @property
    def as_(self) -> str:
        """What of JSON its text stands for: text, number, boolean, list, or numbers."""
        if self.field.sort == "list":
            return "numbers" if self.of_numbers else "list"
        return {"number": "number", "tick": "boolean"}.get(self.field.sort, "text")

    @property
    def needed(self) -> bool:
        """Whether a list is sent that holds nothing."""
        return self.field.sort == "list" and self.field.required

    @property
    def names_new(self) -> bool:
        """Whether it is the id of something that is not at the table yet."""
        return self.sort == "text" and bool(self.pattern) and self.field.required

    @property
    def described(self) -> str:
        """The ids of what explains it."""
        said = [f"{self.id}-what"] if self.field.said else []
        return " ".join([*said, *([f"{self.id}-error"] if self.error else [])])

    def pick(self, nth: int) -> str:
        return self.values[nth] if nth < len(self.values) else ""


def inputs(
    command: type[Message],
    schema: Schema,
    prefix: str,
    offered: Offered,
    values: Sent,
    errors: Mapping[str, str],
) -> Iterator[Input]:
    """In the fields' order; `values` as a form sends them. Where names are offered, nothing is said of ids."""
    named = id_fields(command)
    for field in fields(schema):
        said = schema["properties"][field.name]
        groups = offered.named(named.get(field.name, "")) or _item_choices(field, said)
        sort, picks = _sort(field, groups, offered, said)
        if groups and re.search(r"\bid\b", field.said):
            field = field._replace(said="")
        yield Input(
            field,
            f"{prefix}-{field.name}",
            sort,
            tuple(values.get(field.name, ())),
            groups,
            errors.get(field.name, ""),
            _pattern(said),
            picks,
            _is_of_numbers(said),
        )


def body(schema: Schema, sent: Sent) -> dict[str, Any]:
    """A command's fields as JSON; what fits no sort is left for the schema to refuse."""
    found = {
        field.name: _value(field, schema, sent.get(PREFIX + field.name, ()))
        for field in fields(schema)
    }
    return {name: value for name, value in found.items() if value is not None}


def as_sent(
    command: type[Message], example: Mapping[str, Any], schema: Schema
) -> dict[str, tuple[str, ...]]:
    """An example as a form would send it; words that somebody is to write are left out."""
    named = id_fields(command)
    free = {
        field.name for field in fields(schema) if field.sort == "text" and field.name not in named
    }
    return {
        name: _written(value)
        for name, value in example.items()
        if name != "kind" and name not in free
    }


def _written(value: Any) -> tuple[str, ...]:
    match value:
        case bool():
            return ("true" if value else "false",)
        case list() | tuple():
            return tuple(str(each) for each in value)
    return (str(value),)


def _value(field: Field, schema: Schema, sent: Sequence[str]) -> Any:
    if field.sort == "tick":
        return sent[0] == "true" if sent and sent[0] in ("true", "false") else None
    if field.sort == "list":
        is_number = _is_of_numbers(schema["properties"][field.name])
        parts = [
            part.strip()
            for text in sent
            for part in (text.split(",") if "," in text or is_number else [text])
        ]
        values = [number(part) if is_number else part for part in parts if part]
        return values if values or field.required else None
    return given(field, sent[0]) if sent else None


def _is_of_numbers(said: Schema) -> bool:
    return bool(said.get("items", {}).get("type") == "integer")


def _sort(field: Field, groups: Groups, offered: Offered, said: Schema) -> tuple[str, int]:
    """How it is asked for, and of a list how many things can be picked."""
    if field.sort == "list":
        longest = max((len(options) for _, options in groups), default=0)
        picks = min(longest, said.get("maxItems", MOST_PICKS))
        return ("picks", picks) if 0 < picks <= MOST_PICKS else ("list", 0)
    if groups:
        is_short = len(groups) == 1 and len(groups[0][1]) <= RADIOS
        return ("radios" if is_short else "select"), 0
    if field.sort == "tick" and field.required:
        return "choose", 0
    return ("long" if field.sort == "text" and (field.longest or 0) > LONG else field.sort), 0


def _item_choices(field: Field, said: Schema) -> Groups:
    """What an enumeration offers, of the field or of its list's parts."""
    choices = field.choices
    if field.sort == "list":
        choices = tuple(map(str, said.get("items", {}).get("enum", ())))
    return (("", tuple((choice, choice) for choice in choices)),) if choices else ()


def _pattern(said: Schema) -> str:
    """As a browser reads it: anchored by itself, with `-` escaped in a class. Of running text nothing is asked."""
    pattern = str(said.get("pattern", "")) if "maxLength" not in said else ""
    return pattern.removeprefix("^").removesuffix(r"$(?!\n)").replace("-]", r"\-]")
