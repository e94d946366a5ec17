"""The games that this server knows: their commands and options as JSON schemas, and their rules as text."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec
from flask import Response

from domain.ruleset import Room
from domain.rulesets import RULESETS
from domain.session.state import FrameOptions
from service.http.answering import json
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.shown import RulesetLine, Rulesets, RulesetShown

blueprint = Blueprint("Rulesets", __name__, description="The games that can be played.")


@blueprint.operation("GET", "/v1/rulesets", gives=Rulesets, token="none")
def rulesets() -> Response:
    """List the rulesets"""
    return json(Rulesets([RulesetLine(room.name, room.edition, room.title) for room in RULESETS]))


@blueprint.operation("GET", "/v1/rulesets/<room:ruleset>", gives=RulesetShown, token="none")
def ruleset(ruleset: str) -> Response:
    """Read a ruleset

    Its commands and options as JSON schemas, and its rules. Of several editions the newest.
    """
    return json(described(newest(ruleset)))


def newest(ruleset: str) -> Room:
    """The newest edition of a ruleset. Problem("not-found")."""
    for room in reversed(RULESETS):
        if room.name == ruleset:
            return room
    raise Problem("not-found", "No such ruleset.")


@lru_cache
def described(room: Room) -> RulesetShown:
    """All that is said of it."""
    text = resources.files(f"domain.rulesets.{room.name}").joinpath("RULES.md").read_text("utf-8")
    commands = {str(command.__struct_config__.tag): _schema(command) for command in room.commands}
    return RulesetShown(room.name, room.edition, room.title, text, _options(room), commands)


def _options(room: Room) -> dict[str, Any]:
    """The frame's options and the room's, in the one flat map that they share."""
    frame, own = _schema(FrameOptions), _schema(room.options)
    both = {
        "type": "object",
        "properties": frame["properties"] | own["properties"],
        "additionalProperties": False,
    }
    return both | {name: own[name] for name in ("$defs",) if name in own}


def _schema(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """A JSON schema that needs no other one; the values of an enum in the order of the game, not of the alphabet."""
    (_,), shared = msgspec.json.schema_components((struct,), ref_template="#/$defs/{name}")
    schema: dict[str, Any] = shared.pop(struct.__name__)
    for enum in _enums(msgspec.inspect.type_info(struct)):
        shared[enum.__name__]["enum"] = [each.value for each in enum]
    return schema | ({"$defs": shared} if shared else {})


def _enums(found: msgspec.inspect.Type) -> Iterator[type[Enum]]:
    """Those of a struct's fields."""
    match found:
        case msgspec.inspect.EnumType(cls=enum):
            yield enum
        case msgspec.inspect.StructType(fields=fields):
            for field in fields:
                yield from _enums(field.type)
        case msgspec.inspect.Metadata(type=inner) | msgspec.inspect.VarTupleType(item_type=inner):
            yield from _enums(inner)
        case msgspec.inspect.UnionType(types=types):
            for each in types:
                yield from _enums(each)
