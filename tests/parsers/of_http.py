"""The parsers of what comes in over HTTP: bodies, queries, and whole requests to every address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder

from domain.rulesets import RULESETS
from service.http import given, schemas
from service.http.problems import PROBLEMS, Problem
from service.limiting import network
from tests.example import EXAMPLE, as_json
from tests.parsers.bent import texts_of, written
from tests.parsers.law import Parser
from tests.parsers.of_logs import odd_json
from tests.parsers.serving import house, places

CODES = frozenset(PROBLEMS)
HEX = "0" * 64
BODIES: dict[type[given.Given], Any] = {
    given.Opening: {
        "ruleset": RULESETS[0].name,
        "title": "The mint",
        "options": {"listed": True},
        "draws": "table",
    },
    given.Commanding: {
        "command": as_json(EXAMPLE.draw),
        "faces": [1, 2],
        "audience": "gm",
        "blind": HEX,
        "target": 3,
    },
    given.Asking: {"command": as_json(EXAMPLE.draw)},
    given.Naming: {"name": "Ana"},
    given.Redacting: {"of": 4, "reason": "asked for"},
    given.Unsealing: {"turn": 3},
    given.Chaining: {
        "anchor": HEX,
        "length": 16,
        "signature": 2 * HEX,
        "public_key": HEX,
        "previous_link": HEX,
    },
    given.Presenting: {"present": True, "signature": 2 * HEX},
    given.Contributing: {
        "chain": 0,
        "position": 1,
        "link": HEX,
        "seen_size": 1,
        "seen_root": HEX,
        "signature": 2 * HEX,
    },
    given.Forking: {"version": 3, "title": "Anew", "seat": "gm", "name": "Mo"},
    given.Inviting: {"role": "player", "seat": "p1", "uses": 1, "hours": 5},
    given.Taking: {
        "code": "fli_x",
        "seat": "p1",
        "chain": {"anchor": HEX, "length": 16, "public_key": HEX, "signature": 2 * HEX},
    },
    given.Cosigning: {"note": "A checkpoint.", "vkey": "A key."},
}
"""A good body of every kind."""
QUERIES = (
    given.Page,
    given.EventPage,
    given.ReviewPage,
    given.Sight,
    given.Search,
    given.Following,
    given.Moment,
    given.Counting,
    given.Merging,
    given.Included,
    given.IndexMoment,
    given.IndexIncluded,
    given.IndexGrown,
    given.Compared,
    given.Grown,
    given.Looking,
    given.Leaving,
)
ASKED = {
    "after": "0", "limit": "50", "at": "3", "last": "5", "as": "p1", "kind": "session.Opened", "seat": "gm",
    "die": "d6", "entity": "ana", "text": "rain", "since": "2026-01-01T00:00:00Z", "until": "2026-01-01T00:00:00+01:00",
    "marked": "true", "undone": "false", "from": "1", "to": "9", "ruleset": RULESETS[0].name,
    "edition": "1", "version": "1", "size": "9", "cosigned": "true", "number": "1", "seen": "1", "signature": 2 * HEX,
}  # fmt: skip
SENT = {
    "Authorization": "Bearer flt_abc", "Cookie": "fairlog-seat=flt_abc", "If-Match": '"41"',
    "Idempotency-Key": "k" * 20, "Last-Event-ID": "12", "Accept": "text/event-stream", "Accept-Encoding": "gzip;q=0.5",
    "If-None-Match": '"abc"', "Content-Type": "application/json", "Content-Encoding": "gzip", "X-Request-Id": "a" * 32,
    "Origin": "http://localhost",
    "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": "fe80::1%eth0", "Host": "localhost", "Range": "bytes=0-1",
    "Content-Length": "5", "Transfer-Encoding": "chunked", "Accept-Language": "de;q=x",
}  # fmt: skip


def bodies() -> st.SearchStrategy[tuple[type[given.Given], bytes]]:
    return st.sampled_from(list(BODIES)).flatmap(
        lambda struct: st.tuples(st.just(struct), odd_json(written(BODIES[struct])))
    )


def commands() -> st.SearchStrategy[tuple[type[given.Given], bytes]]:
    """Of every room, each kind as the script of its evening has it."""
    found = {step["do"]["kind"]: step["do"] for room in RULESETS for step in _steps(room.name)}
    chosen = st.sampled_from([{"command": command} for command in found.values()])
    made = chosen.flatmap(lambda body: odd_json(written(body)))
    return st.tuples(st.just(given.Commanding), made)


def _steps(room: str) -> Iterator[dict[str, Any]]:
    script = json.loads(
        (Path(__file__).parents[2] / "domain/rulesets" / room / "example_session.json").read_bytes()
    )
    kinds = [step for step in script["steps"] if "kind" in step.get("do", {})]
    yield from kinds


def queries() -> st.SearchStrategy[tuple[type[given.Given], dict[str, list[str]]]]:
    names = st.sampled_from(sorted(ASKED)) | st.text(max_size=5)
    values = st.sampled_from(sorted(ASKED.values())).flatmap(texts_of)
    return st.tuples(
        st.sampled_from(QUERIES),
        st.dictionaries(names, st.lists(values, min_size=1, max_size=2), max_size=4),
    )


def requests() -> st.SearchStrategy[tuple[str, str, str, dict[str, str], bytes]]:
    """Method, path, query, headers and body, to every address that there is."""
    rules = sorted(
        (rule.rule, tuple(sorted(rule.methods or ())))
        for rule in house().flask.url_map.iter_rules()
        if not rule.rule.startswith("/docs")
    )
    bodies_ = st.one_of(
        odd_json(*map(written, BODIES.values())),
        st.sampled_from(sorted(ASKED)).map(
            lambda name: f"{name}={ASKED[name]}&key=0123456789abcdef&act=x".encode()
        ),
        st.binary(max_size=20),
    )
    query = st.dictionaries(
        st.sampled_from(sorted(ASKED)),
        st.sampled_from(sorted(ASKED.values())).flatmap(texts_of),
        max_size=3,
    )
    return st.sampled_from(rules).flatmap(
        lambda rule: st.tuples(
            st.sampled_from(rule[1]), _path(rule[0]), query.map(_query), _headers(), bodies_
        )
    )


def _path(rule: str) -> st.SearchStrategy[str]:
    parts = [part.partition(">")[::2] for part in rule.split("<")[1:]]
    named = [(name.partition(":")[2] or name, rest) for name, rest in parts]
    start = rule.partition("<")[0]
    values = [
        st.sampled_from(places().get(name, ("x",))).flatmap(
            lambda good: st.just(good) | texts_of(good)
        )
        for name, _ in named
    ]
    return st.tuples(*values).map(
        lambda given: start + "".join(v + r for v, (_, r) in zip(given, named, strict=True))
    )


def _query(asked: dict[str, str]) -> str:
    return "&".join(f"{name}={value}" for name, value in asked.items())


def _headers() -> st.SearchStrategy[dict[str, str]]:
    token = places()[""][0]
    good = SENT | {"Authorization": f"Bearer {token}", "Cookie": f"fairlog-seat={token}"}
    names = st.lists(st.sampled_from(sorted(good)), unique=True, max_size=5)
    each = st.sampled_from(sorted(good)).flatmap(
        lambda name: st.tuples(st.just(name), st.just(good[name]) | texts_of(good[name]))
    )
    return st.tuples(names, st.lists(each, max_size=2)).map(
        lambda two: {name: good[name] for name in two[0]} | dict(two[1])
    )


def answered(request: tuple[str, str, str, dict[str, str], bytes]) -> None:
    """No 500, and every no is a problem with its code, or a page that says so."""
    method, path, query, headers, body = request
    environ = EnvironBuilder(method=method, path="/", data=body).get_environ()
    environ["PATH_INFO"] = path.encode("utf-8", "surrogateescape").decode("latin-1")
    environ["QUERY_STRING"] = query.encode("utf-8", "surrogateescape").decode("latin-1")
    for name, value in headers.items():
        text = (
            value.encode("utf-8", "surrogateescape")
            .decode("latin-1")
            .replace("\r", "")
            .replace("\n", "")
        )
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = text
    status, kind, content = _open(environ)
    assert status < HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.SERVICE_UNAVAILABLE, (
        status,
        content,
    )
    if status >= HTTPStatus.BAD_REQUEST:
        raise Problem(
            json.loads(content)["code"] if content and kind.endswith("json") else "malformed", ""
        )


def _open(environ: dict[str, Any]) -> tuple[int, str, bytes]:
    found: list[Any] = []
    parts = house().flask.wsgi_app(
        environ, lambda status, headers, *_: found.extend((status, headers)) or (lambda _: None)
    )
    try:
        content = b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
    return int(found[0].split()[0]), dict(found[1]).get("Content-Type", ""), content


def parsers() -> list[Parser]:
    problem: dict[str, Any] = {"noes": (Problem,), "code": lambda no: no.code, "codes": CODES}
    malformed = {**problem, "codes": frozenset({"malformed", "unreadable"})}
    return [
        Parser("bodies", bodies, lambda made: schemas.read(*made), **malformed),
        Parser("commands", commands, lambda made: schemas.read(*made), **malformed),
        Parser("queries", queries, lambda made: schemas.read_query(*made), **malformed),
        Parser("requests to every address", requests, answered, **problem),
        Parser("addresses", lambda: texts_of("127.0.0.1", "fe80::1%eth0", "2001:db8::1"), network),
    ]
