"""All that anyone can read of a session: every address that the document names, with every way to ask."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from domain.available_commands import available_commands
from domain.session.messages import Drawn
from domain.visibility import Viewer, visible_session
from service.platform.clock import random_session_id
from tests.service.planted_secrets import RANGE, SEATS, Field, is_allowed

ACCEPTED = {
    "events": ("application/json", "application/x-ndjson"),
    "stream": ("text/event-stream", "application/x-ndjson"),
    "inclusion": ("application/json", "text/plain"),
}


def found(field: Field, reader: str) -> Iterator[tuple[str, bytes]]:
    """Everything that a reader can get of the session: what was asked, and the whole answer."""
    client, headers = field.house.client, _headers(field, reader)
    for path in _addresses(field, reader):
        for accept in ACCEPTED.get(
            path.partition("?")[0].rpartition("/")[2], ("application/json",)
        ):
            answer = client.get(path, headers=headers | {"Accept": accept})
            yield f"GET {path} ({accept})", answer.data + str(answer.headers).encode()
    if reader in SEATS:
        yield from _tried(field, reader)


def read_at(field: Field, reader: str, *paths: str) -> Iterator[tuple[str, bytes]]:
    """Some addresses below the session."""
    for path in paths:
        address = f"/v1/sessions/{field.evening.session}{path}"
        yield address, field.house.client.get(address, headers=_headers(field, reader)).data


def _headers(field: Field, reader: str) -> dict[str, str]:
    if reader == "stranger":
        return field.stranger.headers("gm")
    return field.evening.headers(None if reader == "nobody" else reader)


def _addresses(field: Field, reader: str) -> Iterator[str]:
    """Every address below the session, as the document names them, with every way to ask; then the pages."""
    head = field.session.version
    yield from (
        "/v1/sessions",
        "/v1/status",
    )
    yield f"/v1/jobs/audit-{field.evening.session}-{head}"
    paths = json.loads(field.house.client.get("/openapi.json").data)["paths"]
    looks = ["", "as=p1", "as=p2"] if reader in ("gm", "judge") else [""]
    for path, said in paths.items():
        if "get" in said and path.startswith("/v1/index/"):
            yield from (f"{path}?{query}" for query in _queries(field, path.removeprefix("/v1/")))
        if "get" in said and "{session}" in path:
            for query in _queries(field, path.rpartition("/")[2]):
                for filled in _filled(field, path):
                    yield from (
                        f"{filled}?{'&'.join(filter(None, (query, look)))}" for look in looks
                    )
    own = f"/s/{field.evening.session}"
    yield from (f"{own}/transcript?{look}" for look in looks)
    yield from (own, f"{own}/luck", f"{own}/seat", f"/join/{field.code}", "/", "/status")
    for plot in field.plots():
        yield from (
            f"/v1/sessions/{field.evening.session}/statistics/plots/{plot}.{kind}"
            for kind in ("csv", "svg")
        )


def _filled(field: Field, path: str) -> Iterator[str]:
    """The address with the ids and numbers in it, each number from the first to the last."""
    path = path.replace("{session}", field.evening.session).replace("{seat}", "p1")
    path = path.replace("{invitation}", "0" * 16)
    before, brace, after = path.partition("{")
    if not brace:
        yield path
        return
    telling = {_last_of(field, planted.turns[-1]) for planted in field.planted} | {
        *field.rolled[:3],
        field.rolled[-1],
    }
    for number in (
        sorted(telling) if "version" in after else _draws(field) if after[0] == "k" else range(2)
    ):
        yield f"{before}{number}{after.partition('}')[2]}"


def _draws(field: Field) -> list[int]:
    """The first draw, and those that are planted."""
    turns = {turn for planted in field.planted for turn in planted.turns}
    drawn = {
        fact.body.k for fact in field.facts if isinstance(fact.body, Drawn) and fact.turn in turns
    }
    return sorted(drawn | {0})


def _last_of(field: Field, turn: int) -> int:
    """The last version of a turn."""
    return max(fact.version for fact in field.facts if fact.turn == turn)


def _queries(field: Field, named: str) -> tuple[str, ...]:
    head = field.session.version
    middle = field.planted[0].turns[-1] if field.planted[0].turns else 5
    return {
        "{session}": ("", f"version={head}", f"version={head - 3}", f"version={middle}"),
        "events": ("limit=200", "last=60", f"version={head - 2}&limit=200"),
        "search": (
            "text=zq",
            "kind=session",
            f"kind={field.ruleset.name}",
            "highlighted=true",
            "seat=gm",
        ),
        "compare": (f"from=1&to={head}", f"from={head - 2}&to={head}"),
        "stream": ("after=0",),
        "inclusion": ("version=1", f"version={head}"),
        "consistency": ("from=1",),
        "statistics": ("", f"from={RANGE[0]}"),
        "index/entries": ("limit=200",),
        "index/proofs/inclusion": ("number=1", "number=2"),
        "index/proofs/consistency": ("from=1",),
    }.get(named, ("",))


def _tried(field: Field, reader: str) -> Iterator[tuple[str, bytes]]:
    """Odds, dry runs and refusals of all that the seat could think of."""
    session, log = field.session, field.house.app.log
    by = session.by(reader)
    sees = visible_session(session, Viewer(reader), log.history(session.id))
    for choice in available_commands(sees, by):
        if choice.example is not msgspec.UNSET:
            wish = {"command": msgspec.to_builtins(choice.example)}
            for path in ("/odds", "/commands/dry-run"):
                yield f"POST {path} {wish}", field.evening.post(reader, path, wish).data
            if not is_allowed(session, choice.example, by):
                yield f"POST /commands {wish}", field.evening.post(reader, "/commands", wish).data
    key = {"Idempotency-Key": random_session_id()}
    yield (
        "POST /forks",
        field.evening.post(reader, "/forks", {"version": session.version}, **key).data,
    )
