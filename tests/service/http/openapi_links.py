"""OpenAPI links for the state machine: which operations take what a response holds, such as a session's id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Json = dict[str, Any]
_NEEDED = re.compile(r"{(\w+)}")
_HERE = {"session": "$request.path.session"}


class Source(NamedTuple):
    """A response, and where the values that other operations take are in it (OpenAPI 3.1, 4.8.20.4)."""

    operation: str
    status: int
    values: Mapping[str, str]


def _held(**values: str) -> dict[str, str]:
    return {name: f"$response.body#/{pointer}" for name, pointer in values.items()}


SEATED = _held(session="session", seat="seat")
SOURCES = (
    Source("open_", 201, SEATED),
    Source("take", 201, SEATED),
    Source("fork", 201, SEATED),
    Source("sessions", 200, _held(session="sessions/0/session")),
    Source("invite", 201, _HERE | _held(invitation="id", code="code")),
    Source("offer", 200, {"code": "$request.path.code"}),
    Source("possible", 200, _HERE | _held(command="commands/0/example")),
    Source("command", 201, _HERE | _held(version="version", turn="turn")),
    Source("command", 202, _HERE | _held(k="waiting/k")),
    Source("pending", 200, _HERE | _held(k="k")),
    Source("narrate", 201, _HERE | _held(version="version", turn="turn")),
    Source("event", 200, _HERE | _held(k="draw/k")),
    Source("events", 200, _HERE | _held(version="events/0/version")),
    Source("feed", 200, _HERE | _held(segment="last")),
    Source("tokens", 200, _HERE | _held(token="tokens/0/id")),
    Source("list_plots", 200, _HERE | _held(plot="plots/0/name")),
    Source("statistics", 202, _held(job="job")),
    Source("audit", 202, _held(job="job")),
    Source("rulesets", 200, _held(ruleset="rulesets/0/name")),
    Source("index_entries", 200, _held(number="entries/0/number")),
)
QUERIES: Mapping[str, Mapping[str, str]] = {
    "inclusion": {"version": "version"},
    "consistency": {"from": "version"},
    "compare": {"from": "version"},
    "index_inclusion": {"number": "number"},
    "index_consistency": {"from": "number"},
}
"""The required query parameters of an operation, with the names of values."""
BODIES: Mapping[str, Mapping[str, str]] = {
    "take": {"code": "code"},
    "command": {"command": "command"},
    "dry_run": {"command": "command"},
    "odds": {"command": "command"},
    "rewind": {"to": "version"},
    "fork": {"version": "version"},
    "redact_": {"of": "version"},
    "open_seal": {"turn": "turn"},
    "hand_over": {"to": "seat"},
}
"""The required body fields of an operation, with the names of values. Others take values in their path alone."""


def add(document: Json) -> None:
    """Add to each source's response the links to the operations that take one of its values."""
    paths = {
        said["operationId"]: (path, said)
        for path, methods in document["paths"].items()
        for method, said in methods.items()
        if method != "parameters"
    }
    for source in SOURCES:
        answer = paths[source.operation][1]["responses"][str(source.status)]
        links = (_link(source, operation, path) for operation, (path, _) in paths.items())
        answer["links"] = {name: link for each in links for name, link in each}


def _link(source: Source, operation: str, path: str) -> Iterator[tuple[str, Json]]:
    """Yield the link to an operation if the response has all it needs, and not only the request's own values."""
    parameters = {name: name for name in _NEEDED.findall(path)} | dict(QUERIES.get(operation, {}))
    body = BODIES.get(operation, {})
    needed = {*parameters.values(), *body.values()}
    told = {name for name, expression in source.values.items() if expression != _HERE.get(name)}
    if needed <= source.values.keys() and needed & told:
        link: Json = {"operationId": operation}
        if parameters:
            link["parameters"] = {name: source.values[value] for name, value in parameters.items()}
        if body:
            link["requestBody"] = {field: source.values[value] for field, value in body.items()}
        yield operation, link
