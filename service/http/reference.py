"""The API as pages of Markdown, from its OpenAPI document: one for all games, and one of each game's commands.

python -m service.http.reference > docs/api.md
python -m service.http.reference <game> > domain/rulesets/<game>/COMMANDS.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from domain.ruleset import Room
from domain.rulesets import RULESETS
from service.bootstrap import build, prepare
from service.http import create_app
from service.http.documents import document
from service.http.problems import PROBLEMS
from service.http.schemas import options_name
from service.settings import Settings

Tree = dict[str, Any]
BEGIN = """# The HTTP API

Written from the OpenAPI document by `python -m service.http.reference`; a running server shows the same at `/docs`.
What a game's commands and options are is said beside its rules, in `domain/rulesets/<game>/COMMANDS.md`.

{about}

## Problems

| status | code | says |
|---|---|---|
{problems}
"""
BEGIN_ROOM = """# The commands of {title}

Written from the OpenAPI document by `python -m service.http.reference {name}`.
How they are sent: [docs/api.md](../../../docs/api.md).
"""
ROOMS = {room.name: room for room in RULESETS}
OF_ROOMS = {"oneOf": "one of the ruleset's commands", "anyOf": "the ruleset's options"}
"""What is said of a shape that every room has its own of."""


def markdown(api: Tree) -> str:
    """The page of an OpenAPI document, the same whichever rooms there are."""
    problems = "\n".join(
        f"| {kind.status} | `{code}` | {kind.title} |" for code, kind in PROBLEMS.items()
    )
    parts = [BEGIN.format(about=api["info"]["description"], problems=problems)]
    for tag in api["tags"]:
        parts.append(f"## {tag['name']}\n\n{tag['description']}\n")
        parts += [
            _operation(api, method, path, said)
            for method, path, said in _operations(api, tag["name"])
        ]
    parts.append("## Shapes\n")
    shapes = sorted(api["components"]["schemas"].items())
    parts += [_shape(name, schema) for name, schema in shapes if not _is_of_a_room(name)]
    return "\n".join(parts)


def markdown_of(api: Tree, room: Room) -> str:
    """The page of one room: its options, and its commands in their own order."""
    names = [options_name(room), *(str(command.__struct_config__.tag) for command in room.commands)]
    parts = [BEGIN_ROOM.format(title=room.title, name=room.name)]
    return "\n".join(
        [*parts, *(_shape(name, api["components"]["schemas"][name], "##") for name in names)]
    )


def _is_of_a_room(name: str) -> bool:
    return name.partition(".")[0] in ROOMS


def _operations(api: Tree, tag: str) -> Iterator[tuple[str, str, Tree]]:
    for path, methods in api["paths"].items():
        for method, said in methods.items():
            if method != "parameters" and tag in said["tags"]:
                yield method.upper(), path, said


def _operation(api: Tree, method: str, path: str, said: Tree) -> str:
    lines = [
        f"### {method} {path}\n",
        f"{said['summary']}. {said.get('description', '')}".strip() + "\n",
    ]
    lines.append(f"- token: {_token(said)}")
    shared = api["paths"][path].get("parameters", [])
    for parameter in [*shared, *said.get("parameters", [])]:
        needed = "" if parameter.get("required") else ", optional"
        lines.append(
            f"- {parameter['in']} `{parameter['name']}`: {_type(parameter['schema'])}{needed}{_said(parameter)}"
        )
    if "requestBody" in said:
        lines.append(f"- body: {_content(said['requestBody'])}")
    for status, response in sorted(said["responses"].items()):
        lines.append(f"- {status}: {_response(api, response)}")
    return "\n".join(lines) + "\n"


def _token(said: Tree) -> str:
    needs: list[Tree] = said.get("security", [])
    return "none" if not needs else "optional" if {} in needs else "needed"


def _response(api: Tree, response: Tree) -> str:
    if "$ref" in response:
        found: Tree = api["components"]["responses"][_name(response)]
        return str(found["description"])
    return _content(response) or "nothing"


def _content(holder: Tree) -> str:
    kinds = [
        f"{_type(said['schema'])} as `{kind}`" for kind, said in holder.get("content", {}).items()
    ]
    return ", or ".join(kinds)


def _shape(name: str, schema: Tree, level: str = "###") -> str:
    lines = [f"{level} {name}\n"]
    if "description" in schema:
        lines.append(f"{' '.join(schema['description'].split())}\n")
    needed = schema.get("required", [])
    for field, said in schema.get("properties", {}).items():
        optional = "" if field in needed else ", optional"
        lines.append(f"- `{field}`: {_type(said)}{optional}{_said(said)}")
    return "\n".join(lines) + "\n"


def _type(schema: Tree) -> str:
    if "$ref" in schema:
        return f"[{_name(schema)}](#{_name(schema).lower().replace('.', '')})"
    for many in ("oneOf", "anyOf"):
        if all(_is_of_a_room(_name(one)) for one in schema.get(many, [{}])):
            return OF_ROOMS[many]
        if many in schema:
            return "one of " + ", ".join(_type(one) for one in schema[many])
    if schema.get("enum") == [*ROOMS]:
        return "the name of a ruleset"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"map of {_type(schema['additionalProperties'])}"
    return f"{schema.get('type', 'any')}{_bounds(schema)}"


def _bounds(schema: Tree) -> str:
    ends = [schema.get(name) for name in ("minimum", "maximum")]
    lengths = [schema.get(name) for name in ("minLength", "maxLength")]
    numbers = f" {ends[0]}..{ends[1]}" if None not in ends else ""
    return numbers + (f" of {lengths[0]}..{lengths[1]} characters" if None not in lengths else "")


def _said(holder: Tree) -> str:
    return f"; {holder['description']}" if "description" in holder and "$ref" not in holder else ""


def _name(reference: Tree) -> str:
    """What a reference leads to; "" where a shape stands in its place."""
    return str(reference.get("$ref", "")).rpartition("/")[2]


def main(arguments: Sequence[str]) -> None:
    """Prints the page of the room that is named, or the one for all."""
    with TemporaryDirectory() as folder:
        settings = Settings.read({"FAIRLOG_DATA": str(Path(folder))})
        prepare(settings)
        app = build(settings)
        api = msgspec.json.decode(document(create_app(app)))
        print(markdown_of(api, ROOMS[arguments[0]]) if arguments else markdown(api), end="")
        app.close()


if __name__ == "__main__":
    main(sys.argv[1:])
