"""Examples of requests and responses in the OpenAPI document, recorded in a scripted session."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

Json = dict[str, Any]


class Example(msgspec.Struct, frozen=True):
    """A request and the response that it got.

    `path` and `query` contain its parameters, `type` is the content type of the response, and
    `answer` the response: JSON, or the beginning of a text.
    """

    path: dict[str, str]
    query: dict[str, str]
    status: int
    type: str
    answer: Any = None
    body: Any = None


def load_examples() -> dict[str, Example]:
    """Return the recorded examples, keyed by operation id."""
    recorded = (files("service.http") / "examples.json").read_bytes()
    return msgspec.json.decode(recorded, type=dict[str, Example])


def add_examples(paths: Mapping[str, Json], examples: Mapping[str, Example]) -> None:
    """Add the examples to the operations of the OpenAPI document, in place."""
    for methods in paths.values():
        shared = methods.get("parameters", [])
        for method, operation in methods.items():
            example = None if method == "parameters" else examples.get(operation["operationId"])
            if example is None:  # it is being recorded
                continue
            for parameter in shared:
                parameter.setdefault("example", example.path[parameter["name"]])
            operation["parameters"] = [
                _with_example(parameter, example.query) for parameter in operation["parameters"]
            ]
            if "requestBody" in operation:
                operation["requestBody"]["content"]["application/json"]["example"] = example.body
            content = operation["responses"][str(example.status)].get("content", {})
            if example.type in content:
                content[example.type]["example"] = example.answer


def _with_example(parameter: Json, query: Mapping[str, str]) -> Json:
    if parameter["in"] != "query" or parameter["name"] not in query:
        return parameter
    value = query[parameter["name"]]
    return parameter | {"example": int(value) if value.isdecimal() else value}
