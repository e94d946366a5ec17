"""JSON schemas of structs and of the bodies of events, for the API's document."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.ruleset import Message
from domain.rulesets import RULESETS
from domain.session import rolls
from domain.session.event_fields import EVENT_FIELDS
from domain.session.messages import EVENTS

Json = dict[str, Any]

EVENT_BODY, COMMAND = "EventBody", "Command"
"""The names of the schemas for any event and any command of a ruleset."""
SESSION = "session"
RAW_FIELDS: Mapping[tuple[str, str], Json] = {
    ("session.Declared", "command"): {"$ref": f"#/components/schemas/{COMMAND}"},
    ("session.Inherited", "table"): {"type": "object"},
    ("session.SealOpened", "command"): {"$ref": f"#/components/schemas/{COMMAND}"},
}
"""The schemas of fields that the code keeps as bytes."""


def struct_schemas(structs: Iterable[Any], ref_template: str) -> dict[str, Json]:
    """Return a JSON schema for each struct, including nested ones, keyed by name."""
    schemas = msgspec.json.schema_components(structs, ref_template=ref_template)[1]
    for schema in schemas.values():
        if "description" in schema:  # a docstring, with the indentation of the source
            schema["description"] = inspect.cleandoc(schema["description"])
    return schemas


def event_schemas() -> dict[str, Json]:
    """Return a schema for each kind of event, for the structs that it contains, and for any event.

    The name of an event's schema is its kind.
    """
    found = _schemas_of(SESSION, EVENTS, EVENT_FIELDS)
    found |= _schemas_of(rolls.NAME, (rolls.DiceRolled,), rolls.EVENT_FIELDS)
    for ruleset in RULESETS:
        found |= _schemas_of(ruleset.name, ruleset.events, ruleset.event_fields)
    for (name, field), schema in RAW_FIELDS.items():
        found[name]["properties"][field] |= schema
    kinds = [_kind(rolls.DiceRolled), *map(_kind, EVENTS)]
    kinds += [_kind(event) for ruleset in RULESETS for event in ruleset.events]
    refs = {kind: f"#/components/schemas/{kind}" for kind in kinds}
    found[EVENT_BODY] = {
        "description": "An event as the log contains it. Its `kind` says what happened.",
        "oneOf": [{"$ref": each} for each in refs.values()],
        "discriminator": {"propertyName": "kind", "mapping": refs},
    }
    return found


def _schemas_of(
    group: str, events: Iterable[type[Message]], meanings: Mapping[str, str]
) -> dict[str, Json]:
    """Return the schemas of the events of the session or of a ruleset, and of their structs.

    `meanings` maps a field's name to its description. A name with the event's name and a period in
    front of it comes first.
    """
    schemas = struct_schemas(events, f"#/components/schemas/{group}.{{name}}")
    for name, schema in schemas.items():
        # Generators would take the title as a class name, and games share the names of classes.
        schema.pop("title", None)
        for field, described in schema.get("properties", {}).items():
            meaning = meanings.get(f"{name}.{field}", meanings.get(field))
            if meaning is not None:
                described["description"] = meaning
    return {f"{group}.{name}": schema for name, schema in schemas.items()}


def _kind(event: type[Message]) -> str:
    return str(event.__struct_config__.tag)
