"""What an event says and what it changed, in words: static/page/{event,changed}.js alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from domain.session.display_names import escape_forbidden
from service.web.picture import WATCHED, Picture, sorted_rows

GRADES: Mapping[str, str] = {
    "A": "nobody chose it, the host included, unless all who gave did so together",
    "B": "some seat beside the house gave a link, or its random bytes; perhaps only the one who asked",
    "C": "drawn by the house alone: it cannot be rewritten, but is not protected against the house",
    "D": "physical dice, as somebody typed them in",
}


class Change(NamedTuple):
    """A part of the table, or one field of it, and what happened to it."""

    what: str
    how: str


def changes(shown: Picture) -> list[Change]:
    """Between the table before and the table: by kind, by id, by field, of a sheet by line."""
    before: Mapping[str, Any] = shown.before or {}
    return [
        change
        for kind in sorted({*before, *shown.table})
        for name, _ in shown.with_gone(kind)
        for change in _of_part(shown, kind, name)
    ]


def fields(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """An event's fields but for its kind, by name. A draw's are told in better words beside them."""
    if body.get("kind") == "session.Drawn":
        return []
    shown = escape_forbidden if body.get("kind") == "session.SeatNamed" else str
    return [
        (name.replace("_", " "), shown(_written(value)))
        for name, value in body.items()
        if name != "kind"
    ]


def _of_part(shown: Picture, kind: str, name: str) -> Iterator[Change]:
    old, new = (tables.get(kind, {}).get(name) for tables in (shown.before or {}, shown.table))
    what = shown.label(name, (new or old or {}).get("label"))
    if old is None or new is None:
        yield Change(what, "new" if old is None else "gone")
        return
    for field in sorted({*old, *new}):
        if field == "sheet":
            yield from _of_sheet(shown, what, old.get(field, {}), new.get(field, {}))
        elif old.get(field) != new.get(field):
            called = what if field == WATCHED.get(kind) and kind != "decks" else f"{what}, {field}"
            yield Change(called, _between(*(_said(shown, part, field) for part in (old, new))))


def _of_sheet(
    shown: Picture, what: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[Change]:
    for line, _ in sorted_rows({**old, **new}):
        if old.get(line) != new.get(line):
            was, now = (shown.name(each[line]) if line in each else None for each in (old, new))
            yield Change(f"{what}, {line}", _between(was, now))


def _between(was: str | None, now: str | None) -> str:
    if was is None:
        return f"now {now}"
    return f"no more {was}" if now is None else f"{was} to {now}"


def _said(shown: Picture, part: Mapping[str, Any], field: str) -> str | None:
    if field not in part:
        return None
    value = part[field]
    if field == "at" and "points" in part:
        return str(part["points"][value])
    return shown.name(value) if isinstance(value, str) else _written(value)


def _written(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            parts, within = [_written(each) for each in value], value
        case dict():
            parts, within = (
                [f"{name} {_written(each)}" for name, each in value.items()],
                list(value.values()),
            )
        case _:
            return str(value)
    return (", " if all(isinstance(each, str | int) for each in within) else "; ").join(
        parts
    ) or "none"
