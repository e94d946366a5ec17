"""Merge patches (RFC 7396) for JSON documents, and lists of changed fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType

Json: TypeAlias = str | int | float | bool | list["Json"] | dict[str, "Json"] | None
Document = dict[str, Json]
Path = tuple[str, ...]


class FieldChange(NamedTuple):
    """A changed field: its path, its old value and its new value.

    `before` is UNSET if the field was added, and `after` is UNSET if it was removed.
    """

    path: Path
    before: Json | UnsetType
    after: Json | UnsetType


def diff(before: Document, after: Document) -> Document:
    """Return the smallest patch that turns `before` into `after`.

    Return {} if the documents are equal. Neither document may contain nulls.
    """
    patch: Document = {name: None for name in before if name not in after}
    for name, new in after.items():
        old = before.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            if inner := diff(old, new):
                patch[name] = inner
        elif not _same(old, new):
            patch[name] = new
    return patch


def apply(document: Json, patch: Json) -> Json:
    """Return the document with the patch applied (RFC 7396, section 2).

    The result shares its unchanged parts with `document`.
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = apply(merged.get(name), value)
    return merged


def changes(before: Document, after: Document) -> list[FieldChange]:
    """Return the fields that differ between the documents, sorted by path.

    Each list is compared as a whole.
    """
    old, new = dict(_fields(before, ())), dict(_fields(after, ()))
    return [
        FieldChange(path, old.get(path, UNSET), new.get(path, UNSET))
        for path in sorted(old | new)
        if path not in old or path not in new or not _same(old[path], new[path])
    ]


def _fields(document: Mapping[str, Json], above: Path) -> Iterator[tuple[Path, Json]]:
    """Yield the path and value of each field.

    If a field's value is a non-empty map, the fields inside the map are yielded instead.
    """
    for name, value in document.items():
        if isinstance(value, dict) and value:
            yield from _fields(value, (*above, name))
        else:
            yield (*above, name), value


def _same(one: Json, other: Json) -> bool:
    """Return True if two JSON values have the same type and are equal.

    Python's == is not enough, because it treats True, 1 and 1.0 as equal.
    """
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _same(value, other[name]) for name, value in one.items()
        )
    return type(one) is type(other) and one == other
