"""States of played evenings as a page has them: tables as JSON with names, the table before, hints; and their HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

import service.web
from domain.codec import encode, kind
from domain.ruleset import AnyRuleset
from domain.session.descriptions import names
from domain.session.state import Session
from service.web.hints import hint_of
from service.web.picture import Ahead, Picture
from service.web.ring import Way
from tests.golden.play import Play

TEMPLATES = Path(service.web.__file__).parent / "templates"
AROUND = 12  # events whose bodies a hint is made from


@lru_cache
def played(ruleset: AnyRuleset) -> Play:
    return Play(ruleset)


def shown(session: Session) -> dict[str, Any]:
    """The table as the API gives it."""
    table: dict[str, Any] = json.loads(msgspec.json.encode(session.ruleset.show(session.table)))
    return table


def states(ruleset: AnyRuleset, every: int) -> Iterator[dict[str, Any]]:
    """What is drawn at every so-manieth version: {version, table, names, before, events}."""
    evening = played(ruleset).evening
    for version in range(2, len(evening.facts) + 1, every):
        now, before = evening.then(version), evening.then(version - 1)
        around = evening.facts[max(0, version - AROUND) : version]
        events = [
            {"kind": kind(fact.body), "body": json.loads(encode(fact.body))} for fact in around
        ]
        yield {
            "version": version,
            "table": shown(now),
            "names": names(now),
            "before": shown(before),
            "events": events,
        }


def drawn(state: dict[str, Any], ahead: tuple[Ahead, ...] = ()) -> str:
    """What the template draws."""
    hint = hint_of(state["events"], state["table"])._replace(ahead=ahead)
    return html(Picture(state["table"], state["names"], state["before"], hint))


def html(picture: Picture) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    template = environment.from_string('{% from "table.html" import table %}{{ table(shown) }}')
    return template.render(shown=picture)


def as_json(way: Way) -> dict[str, object]:
    """A way as the module takes it."""
    found = {
        "board": way.board,
        "from": way.start,
        "steps": way.steps,
        "face": way.face,
        "price": way.price,
    }
    return {name: value for name, value in found.items() if value is not None}
