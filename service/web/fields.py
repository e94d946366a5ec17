"""A field of a command or an option as a form shows it: read from its JSON schema, and back from what was sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

Schema = Mapping[str, Any]
Sort = Literal["tick", "radios", "select", "number", "text", "list"]
RADIOS = 5
"""With more values than these, a list to pick from."""


class Field(NamedTuple):
    """`kind` is what a value must be, in words; `choices` are all that there are, else `low`..`high` and `longest`."""

    name: str
    sort: Sort
    kind: str
    required: bool
    said: str
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    longest: int | None = None
    default: bool | int | str | None = None

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()


def fields(schema: Schema) -> Iterator[Field]:
    """Those of an object, but for `kind`, in the order of the schema."""
    needed = schema.get("required", ())
    for name, said in schema["properties"].items():
        if name != "kind":
            yield _field(name, said, name in needed)


def given(wanted: Field, sent: str | None) -> bool | int | str | None:
    """The value that a form's text stands for, None where it says nothing; what fits no sort is left as it came."""
    if wanted.sort == "tick":
        return sent is not None
    if not sent:
        return None
    return number(sent) if wanted.sort == "number" else sent


def number(text: str) -> int | str:
    """As a number where it is one, else as it came."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,15}", text) else text


def _field(name: str, said: Schema, required: bool) -> Field:
    choices = tuple(map(str, said.get("enum", ())))
    return Field(
        name,
        _sort(said, choices),
        _kind(said, choices),
        required,
        said.get("description", ""),
        choices,
        said.get("minimum"),
        said.get("maximum"),
        said.get("maxLength"),
        said.get("default"),
    )


def _sort(said: Schema, choices: tuple[str, ...]) -> Sort:
    if choices:
        return "radios" if len(choices) <= RADIOS else "select"
    match said.get("type"):
        case "boolean":
            return "tick"
        case "integer":
            return "number"
        case "array":
            return "list"
    return "text"


def _kind(said: Schema, choices: tuple[str, ...]) -> str:
    if choices:
        return "one of " + ", ".join(choices) if len(choices) > 1 else choices[0]
    match said:
        case {"type": "boolean"}:
            return "yes or no"
        case {"type": "integer", "minimum": low, "maximum": high}:
            return f"a whole number, {low} to {high}"
        case {"type": "integer"}:
            return "a whole number"
        case {"type": "array", "items": item}:
            return "a list, each " + _kind(item, tuple(map(str, item.get("enum", ()))))
        case {"maxLength": longest}:
            return f"text of up to {longest} characters"
        case {"pattern": _}:
            return "an id"
    return "text"
