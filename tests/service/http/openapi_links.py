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
    Source("openSession", 201, SEATED),
    Source("takeSeat", 201, SEATED),
    Source("forkSession", 201, SEATED),
    Source("listSessions", 200, _held(session="sessions/0/id")),
    Source("createInvitation", 201, _HERE | _held(invitation="id", code="code")),
    Source("getInvitation", 200, {"code": "$request.path.code"}),
    Source("listCommands", 200, _HERE | _held(command="commands/0/example")),
    Source("sendCommand", 201, _HERE | _held(version="version", turn="turn")),
    Source("sendCommand", 202, _HERE | _held(draw="waiting/number")),
    Source("getPendingDraw", 200, _HERE | _held(draw="number")),
    Source("narrate", 201, _HERE | _held(version="version", turn="turn")),
    Source("getEvent", 200, _HERE | _held(draw="draw/number")),
    Source("listEvents", 200, _HERE | _held(version="events/0/version")),
    Source("getFeed", 200, _HERE | _held(segment="last")),
    Source("listTokens", 200, _HERE | _held(token="tokens/0/id")),
    Source("listPlots", 200, _HERE | _held(plot="plots/0/name")),
    Source("getStatistics", 202, _held(job="job")),
    Source("requestAudit", 202, _held(job="job")),
    Source("listRulesets", 200, _held(ruleset="rulesets/0/name")),
    Source("listIndexEntries", 200, _held(number="entries/0/number")),
)
QUERIES: Mapping[str, Mapping[str, str]] = {
    "proveInclusion": {"version": "version"},
    "proveConsistency": {"from": "version"},
    "compareVersions": {"from": "version"},
    "proveIndexInclusion": {"number": "number"},
    "proveIndexConsistency": {"from": "number"},
}
"""The required query parameters of an operation, with the names of values."""
BODIES: Mapping[str, Mapping[str, str]] = {
    "takeSeat": {"code": "code"},
    "sendCommand": {"command": "command"},
    "tryCommand": {"command": "command"},
    "getOdds": {"command": "command"},
    "rewindSession": {"to": "version"},
    "forkSession": {"version": "version"},
    "redactEvent": {"version": "version"},
    "openSecret": {"turn": "turn"},
    "handOverSession": {"to": "seat"},
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
