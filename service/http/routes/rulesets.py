"""Ruleset routes: list the rulesets, and read a ruleset's schemas and rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec
from flask import Response
from msgspec import UNSET

from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session import rolls
from domain.session.state import SessionOptions
from service.http import models
from service.http.errors import ProblemError
from service.http.json_schemas import struct_schemas
from service.http.openapi import Blueprint
from service.http.responses import json_response
from service.http.routes.queries import outcome_chance
from service.http.typical_odds import sample, situations

blueprint = Blueprint("Rulesets", __name__, tag="Rulesets")


@blueprint.operation("listRulesets", "GET", "/v1/rulesets", returns=models.Rulesets, token="none")
def rulesets() -> Response:
    """List the rulesets.

    The list contains the newest edition of each ruleset.
    """
    return json_response(
        models.Rulesets(
            [
                models.RulesetLine(
                    ruleset.name, ruleset.edition, ruleset.title, ruleset.summary, ruleset.shape
                )
                for ruleset in RULESETS
            ]
        )
    )


@blueprint.operation(
    "getRuleset", "GET", "/v1/rulesets/<ruleset:ruleset>", returns=models.RulesetView, token="none"
)
def ruleset(ruleset: str) -> Response:
    """Read a ruleset.

    The response describes the ruleset's newest edition. It contains JSON schemas for the commands
    and options, and the text of the rules.
    """
    return json_response(ruleset_view(newest_edition(ruleset)))


@blueprint.operation(
    "listTypicalOdds",
    "GET",
    "/v1/rulesets/<ruleset:ruleset>/odds",
    returns=models.TypicalOdds,
    token="none",
)
def typical_odds(ruleset: str) -> Response:
    """List the odds of typical situations.

    The situations are those of the example session that the ruleset contains. For the odds at your
    own table, read the possible commands of your session.
    """
    return json_response(_typical_odds(newest_edition(ruleset)))


@lru_cache
def _typical_odds(ruleset: AnyRuleset) -> models.TypicalOdds:
    found = [
        models.TypicalSituation(
            each.kind,
            each.fields,
            list(each.before),
            {outcome: outcome_chance(chance) for outcome, chance in each.chances.items()},
            UNSET if each.card is None else each.card,
        )
        for each in situations(ruleset)
    ]
    best = sample(ruleset)
    if best is None or best.drawn is None:
        return models.TypicalOdds(ruleset.name, ruleset.edition, found)
    chances = {outcome: outcome_chance(chance) for outcome, chance in best.chances.items()}
    shown = models.SampleTurn(best.drawn, best.table, chances, list(best.after))
    return models.TypicalOdds(ruleset.name, ruleset.edition, found, shown)


def newest_edition(name: str) -> AnyRuleset:
    """Return the newest edition of a ruleset. Raises ProblemError("not-found")."""
    for candidate in reversed(RULESETS):
        if candidate.name == name:
            return candidate
    raise ProblemError(
        "not-found", f"There is no ruleset named {name}. Request /v1/rulesets to see all rulesets."
    )


@lru_cache
def ruleset_view(ruleset: AnyRuleset) -> models.RulesetView:
    text = resources.files(ruleset.package).joinpath("RULES.md").read_text("utf-8")
    commands = {
        str(command.__struct_config__.tag): _schema(command)
        | {"title": command_title(ruleset, command)}
        for command in ruleset.commands
    }
    commands[f"{rolls.NAME}.Roll"] = _schema(rolls.Roll) | {"title": rolls.TITLE}
    for kind, values in ruleset.first_values.items():
        fields = commands[kind]["properties"]
        for field, value in values.items():  # they get the order in which people decide
            fields[field] = fields.pop(field) | {"examples": [value]}
    return models.RulesetView(
        ruleset.name,
        ruleset.edition,
        ruleset.title,
        ruleset.summary,
        ruleset.shape,
        ruleset.first_steps,
        text,
        _options(ruleset),
        commands,
        ruleset.controls,
    )


def command_title(ruleset: AnyRuleset, command: type[Message]) -> str:
    """Return the command's name for people, such as "Put out flames"."""
    name = command.__name__
    if name in ruleset.titles:
        return ruleset.titles[name]
    first, *others = re.findall("[A-Z][^A-Z]*", name)
    return " ".join([first, *(word.lower() for word in others)])


def _options(ruleset: AnyRuleset) -> dict[str, Any]:
    """Return one schema for the session's options and the ruleset's options.

    All options are properties of one flat object.
    """
    info, own = _schema(SessionOptions), _schema(ruleset.options)
    return {
        "type": "object",
        "properties": info["properties"] | own["properties"],
        "additionalProperties": False,
    }


def _schema(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a JSON schema without references. Enum values keep the ruleset's order."""
    shared = struct_schemas((struct,), "{name}")
    for enum in _enums_of(msgspec.inspect.type_info(struct)):
        shared[enum.__name__]["enum"] = [each.value for each in enum]
    schema: dict[str, Any] = _without_references(shared[struct.__name__], shared)
    return schema


def _without_references(schema: Any, shared: dict[str, Any]) -> Any:
    """Return the schema with the definitions in `shared` in the place of references to them.

    Some readers of the API's document would look up the references there, because it has this
    schema as an example.
    """
    match schema:
        case {"$ref": str(name), **more}:
            unnamed = {k: v for k, v in shared[name].items() if k not in ("title", "description")}
            return _without_references(unnamed | more, shared)
        case dict():
            return {key: _without_references(value, shared) for key, value in schema.items()}
        case list() | tuple():
            return [_without_references(each, shared) for each in schema]
    return schema


def _enums_of(found: msgspec.inspect.Type) -> Iterator[type[Enum]]:
    match found:
        case msgspec.inspect.EnumType(cls=enum):
            yield enum
        case msgspec.inspect.StructType(fields=fields):
            for field in fields:
                yield from _enums_of(field.type)
        case msgspec.inspect.Metadata(type=inner) | msgspec.inspect.VarTupleType(item_type=inner):
            yield from _enums_of(inner)
        case msgspec.inspect.UnionType(types=types):
            for each in types:
                yield from _enums_of(each)
