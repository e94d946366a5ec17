"""The matrix: every operation of the document, asked with every kind of token, of a listed and of an unlisted session.

What is expected follows from what the document declares of a token, and from `ROLES`, which says whom the rules admit.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from service.http.app import document
from service.http.auth import COOKIE
from tests.service.http.test_visibility import filled
from tests.support.example import EXAMPLE, FIRST, as_json, brought
from tests.support.scale import LONG
from tests.support.server import SessionClient, TestServer, laid, settings_in

OPENING_KEY, METRICS_KEY = "opening-" + 32 * "k", "metrics-" + 32 * "k"
FAR = 10**6
"""A version that no session here comes to: the refusal that names it comes after the one that names the role."""
LINK, ABSENT = "0" * 64, "f" * 32
TABLE, CAMPAIGN = "/v1/sessions/{session}", "/v1/campaigns/{campaign}"
BODIES: dict[str, Any] = {
    "/v1/sessions": {"ruleset": FIRST.name, "title": "x"},
    "/v1/seats": {"code": "fli_x"},
    f"{TABLE}/tokens": {"name": "a bot", "scopes": ["read"]},
    f"{TABLE}/commands": {"command": as_json(brought("cleo", "Cleo"))},
    f"{TABLE}/commands/dry-run": {"command": as_json(EXAMPLE.plain)},
    f"{TABLE}/odds": {"command": as_json(brought("dora", "Dora"))},
    f"{TABLE}/rewind": {"to": FAR, "reason": "x"},
    f"{TABLE}/narrate": {"text": "x", "about": FAR},
    f"{TABLE}/redact": {"version": FAR, "reason": "x"},
    f"{TABLE}/forks": {"version": FAR},
    f"{TABLE}/close": {"carry_over": True},
    f"{TABLE}/hand-over": {"seat": "nobody"},
    f"{TABLE}/invitations": {"role": "player"},
    f"{TABLE}/open-secret": {"turn": 1},
    f"{TABLE}/webhooks": {"url": "https://receiver.example/fairlog"},
    f"{TABLE}/webhooks/{{webhook}}/resume": {},
    f"{TABLE}/cosignatures": {"note": "x", "vkey": "x"},
    f"{TABLE}/seats/{{seat}}/name": {"name": "x"},
    f"{TABLE}/seats/{{seat}}/colour": {"colour": "teal"},
    f"{TABLE}/seats/{{seat}}/presence": {"present": False},
    f"{TABLE}/seats/{{seat}}/chain": {
        "anchor": LINK,
        "length": 1,
        "public_key": LINK,
        "signature": 2 * LINK,
    },
    "/v1/campaigns": {"title": "x", "person": "mo", "name": "Mo"},
    f"{CAMPAIGN}/hand-over": {"person": "ana"},
    f"{CAMPAIGN}/people": {"person": "ana", "name": "Ana"},
    f"{CAMPAIGN}/sessions": {"title": "x"},
    f"{CAMPAIGN}/sessions/{{session}}": {"session_token": "x"},
    f"{CAMPAIGN}/sessions/{{session}}/join": {},
    f"{CAMPAIGN}/sessions/{{session}}/seats/{{seat}}": {"person": "ana"},
    f"{TABLE}/draws/{{draw}}/contributions": {
        "chain": 0,
        "position": 1,
        "link": LINK,
        "seen_size": 1,
        "seen_root": LINK,
        "signature": 2 * LINK,
    },
}
GM, PLAYERS, SPEAKERS = {"gm"}, {"gm", "player"}, {"gm", "player", "spectator"}
ROLES: dict[str, set[str]] = {
    f"POST {TABLE}/commands": PLAYERS,
    f"POST {TABLE}/odds": PLAYERS,
    f"POST {TABLE}/narrate": SPEAKERS,
    f"POST {TABLE}/redact": SPEAKERS,
    f"POST {TABLE}/forks": SPEAKERS,
    f"POST {TABLE}/rewind": GM,
    f"POST {TABLE}/webhooks": GM,
    f"GET {TABLE}/webhooks": GM,
    f"GET {TABLE}/webhooks/{{webhook}}": GM,
    f"POST {TABLE}/webhooks/{{webhook}}/resume": GM,
    f"DELETE {TABLE}/webhooks/{{webhook}}": GM,
    f"POST {TABLE}/close": GM,
    f"POST {TABLE}/hand-over": GM,
    f"POST {TABLE}/invitations": GM,
    f"GET {TABLE}/invitations": GM,
    f"DELETE {TABLE}/invitations/{{invitation}}": GM,
    f"GET {TABLE}/audit-reads": GM,
    f"DELETE {TABLE}/seats/{{seat}}": GM,
    f"POST {TABLE}/seats/{{seat}}/name": GM,
    f"PUT {TABLE}/seats/{{seat}}/colour": GM,
    f"POST {TABLE}/seats/{{seat}}/chain": GM,
    f"POST {TABLE}/seats/{{seat}}/presence": GM,
}
"""Whom the rules admit; the GM sits on p1, the seat in the addresses. All other operations are for every seat."""
ROLE_RULES = {"gm-only", "role-may-not", "not-your-seat"}
KEYS = {
    "POST /v1/sessions": "opening key",
    "POST /v1/campaigns": "opening key",
    "GET /metrics": "metrics key",
}
"""What takes a key, and no token of a seat."""
LAST = f"POST {TABLE}/close"
"""What leaves little to ask for."""
MISSING = ("{invitation}", "{token}", "{webhook}", "/pending", "{job}", "{draw}/link")
"""No such thing is in the session, so that its seats get 404 as well."""


class Kind(NamedTuple):
    """A kind of token. `standing`: none, bad, elsewhere, or the role of a seat of this session."""

    name: str
    headers: dict[str, str]
    standing: str
    is_foreign: bool = False
    """Whether the cookie does not come from a page of this server, so that it may only read."""
    is_by_script: bool = False
    """Whether a script of another origin sent the cookie, so that it may not even read."""


Operation = tuple[str, str, str]
"""Its method, its path, and whether a token is "needed", "optional" or "none"."""


def operations() -> list[Operation]:
    found = [
        (
            method.upper(),
            path,
            {0: "none", 1: "needed", 2: "optional"}[len(said.get("security", ()))],
        )
        for path, methods in document()["paths"].items()
        for method, said in methods.items()
        if method != "parameters"
    ]
    return sorted(found, key=lambda each: f"{each[0]} {each[1]}" == LAST)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def cookie(token: str, site: str = "", origin: str = "") -> dict[str, str]:
    return {
        "Cookie": f"{COOKIE}={token}",
        **({"Sec-Fetch-Site": site} if site else {}),
        **({"Origin": origin} if origin else {}),
    }


def seated(house: TestServer, *, listed: bool) -> tuple[SessionClient, dict[str, str]]:
    """A session whose GM has handed over to p1, and tokens of it that are no longer any."""
    evening = laid(house, options={"listed": listed})
    evening.seat("judge", "auditor")
    ended = {name: evening.seat(name) for name in ("left", "removed", "replaced", "renewed")}
    ended |= {name: evening.seat(name) for name in ("revoked", "ended", "expired")}
    assert evening.delete("left", "/seats/left").status_code == 200
    assert evening.delete("gm", "/seats/removed").status_code == 200
    evening.seat("replaced")
    assert evening.post("renewed", "/tokens/current/renew", None).status_code == 201
    assert evening.delete("revoked", "/tokens/current").status_code == 204
    [own] = evening.get("ended", "/tokens").json["tokens"]
    assert evening.delete("gm", f"/tokens/{own['id']}").status_code == 204
    digest = hashlib.sha256(ended["expired"].encode()).digest()
    house.app.recorder.write(("UPDATE tokens SET at=? WHERE hash=?", [(1, digest)]))
    ended["invitation"] = evening.invite()
    assert evening.post("gm", "/hand-over", {"seat": "p1"}).status_code == 201
    return evening, ended


def kinds(evening: SessionClient, ended: dict[str, str], other: SessionClient) -> list[Kind]:
    own, elsewhere = evening.tokens, other.tokens
    gm, unknown = own["p1"], "flt_" + "A" * 43
    here = "http://localhost"
    return [
        Kind("none", {}, "none"),
        Kind("an empty header", {"Authorization": ""}, "bad"),
        Kind("no token behind Bearer", {"Authorization": "Bearer"}, "bad"),
        Kind("two tokens", {"Authorization": f"Bearer {gm} {gm}"}, "bad"),
        Kind("Basic", {"Authorization": f"Basic {gm}"}, "bad"),
        Kind("unknown", bearer(unknown), "bad"),
        Kind("a beginning", bearer(gm[:-1]), "bad"),
        *(Kind(name, bearer(token), "bad") for name, token in ended.items()),
        Kind("opening key", bearer(OPENING_KEY), "bad"),
        Kind("metrics key", bearer(METRICS_KEY), "bad"),
        Kind("unknown cookie", cookie(unknown, "same-origin"), "bad"),
        Kind("unknown beside a cookie", bearer(unknown) | cookie(gm, "same-origin"), "bad"),
        Kind("GM elsewhere", bearer(elsewhere["gm"]), "elsewhere"),
        Kind("player elsewhere", bearer(elsewhere["p1"]), "elsewhere"),
        Kind("spectator elsewhere", bearer(elsewhere["watcher"]), "elsewhere"),
        Kind("auditor elsewhere", bearer(elsewhere["judge"]), "elsewhere"),
        Kind("cookie elsewhere", cookie(elsewhere["gm"], "same-origin"), "elsewhere"),
        Kind("auditor", bearer(own["judge"]), "auditor"),
        Kind("spectator", bearer(own["watcher"]), "spectator"),
        Kind("cookie of the spectator", cookie(own["watcher"], origin=here), "spectator"),
        Kind("player", bearer(own["p2"]), "player"),
        Kind("former GM", bearer(own["gm"]), "player"),
        Kind("cookie from elsewhere", cookie(gm, "cross-site"), "gm", is_foreign=True),
        Kind("cookie of a sibling", cookie(gm, "same-site", here), "gm", is_by_script=True),
        Kind("cookie of another origin", cookie(gm, origin="http://x.example"), "gm", is_by_script=True),
        Kind("cookie from nowhere", cookie(gm), "gm", is_foreign=True),
        Kind("cookie", cookie(gm, "same-origin"), "gm"),
        Kind("GM", {"Authorization": f"bearer {gm}"}, "gm"),
    ]  # fmt: skip


def expected(operation: Operation, kind: Kind, *, listed: bool) -> str:
    method, path, declared = operation
    is_ignored = kind.is_by_script or (kind.is_foreign and method != "GET")
    standing = "none" if is_ignored else kind.standing
    named = f"{method} {path}"
    if named in KEYS:
        return "answered" if KEYS[named] == kind.name else "no key"
    if declared == "none":
        return "answered"
    if standing == "bad":
        return "token-invalid"
    if path.startswith(CAMPAIGN):  # a seat's token is none of a person
        return "not-found"
    if "{session}" not in path and "{job}" not in path:
        is_refused = declared == "needed" and standing == "none"
        return "token-missing" if is_refused else "answered"
    if declared == "optional" and (listed or standing not in ("none", "elsewhere")):
        return "answered"
    if standing in ("none", "elsewhere"):
        return "token-missing" if standing == "none" else "not-found"
    return "answered" if standing in ROLES.get(named, {standing}) else "role"


def observed(answer: TestResponse, path: str) -> str:
    assert answer.status_code < 500 or answer.json["code"] == "queue-away", answer.text
    code = answer.json.get("code", "") if answer.mimetype == "application/problem+json" else ""
    if code == "refused" and answer.json["rule"] in ROLE_RULES:
        return "role"
    if (
        path == "/metrics" and code in ("token-missing", "token-invalid")
    ) or code == "opening-key-required":
        return "no key"
    if code in ("token-missing", "token-invalid", "not-found", "forbidden"):
        return code
    return "answered"


def ask(house: TestServer, operation: Operation, session: str, kind: Kind) -> TestResponse:
    method, path, _ = operation
    address = filled(
        path.replace("{job}", f"audit-{session}-1")
        .replace("{code}", "fli_x")
        .replace("{ruleset}", FIRST.name),
        session,
    )
    body = {"json": BODIES[path]} if method in ("POST", "PUT") and path in BODIES else {}
    client = house.flask.test_client(use_cookies=False)
    answer = client.open(address, method=method, headers=kind.headers, **body)
    answer.close()
    return answer


@pytest.fixture
def guarded(tmp_path: Path, database: str) -> Iterator[TestServer]:
    """A server that asks for keys, and whose tokens expire."""
    house = TestServer(settings_in(tmp_path, DATABASE_URL=database, FAIRLOG_TOKEN_DAYS="30"))
    yield house
    house.close()


@pytest.mark.parametrize("listed", [False, True], ids=["unlisted", "listed"])
def test_every_operation_answers_every_kind_of_token_as_declared(
    guarded: TestServer, listed: bool
) -> None:
    evening, ended = seated(guarded, listed=listed)
    other = laid(guarded)
    other.seat("judge", "auditor")
    guarded.settings = replace(guarded.settings, opening_key=OPENING_KEY, metrics_key=METRICS_KEY)
    guarded.restart()
    asked, wrong = 0, list[str]()
    assert len(kinds(evening, ended, other)) >= 20
    for operation in operations():
        if listed and operation[2] != "optional" and not LONG:
            continue  # only what anyone may read differs from the other half
        for nth in range(len(kinds(evening, ended, other))):
            kind = kinds(evening, ended, other)[nth]
            asked += 1
            wrong += faults(evening, operation, kind, listed=listed)
    print(f"{asked} requests")
    assert wrong == []


def said(answer: TestResponse) -> tuple[int, dict[str, Any]]:
    """Return the status and the problem, without the id of the request."""
    problem = dict(answer.json)
    del problem["instance"]
    return answer.status_code, problem


def faults(
    evening: SessionClient, operation: Operation, kind: Kind, *, listed: bool
) -> Iterator[str]:
    """What is not as expected when one kind of token is sent to one operation."""
    house, (method, path, declared) = evening.house, operation
    before = house.app.log.end()
    answer = ask(house, operation, evening.session, kind)
    want, got = expected(operation, kind, listed=listed), observed(answer, path)
    is_missing = declared == "none" or any(each in path for each in MISSING)
    if want != got and not (want == "answered" and got == "not-found" and is_missing):
        yield f"{method} {path}, {kind.name}: {got}, not {want}: {answer.text[:200]}"
    if want != "answered" and house.app.log.end() != before:
        yield f"{method} {path}, {kind.name}: something changed"
    if want in ("token-missing", "token-invalid", "not-found"):
        absent = ask(house, operation, ABSENT, kind)
        if said(answer) != said(absent):
            yield f"{method} {path}, {kind.name}: tells that the session is there"
    if answer.status_code in (201, 204) and path.startswith(f"{TABLE}/tokens/"):
        _replace_token(evening, kind, answer)


def _replace_token(evening: SessionClient, kind: Kind, answer: TestResponse) -> None:
    """The seat goes on with the token that it was given, or with the one that it ended."""
    [old] = re.findall(r"flt_[\w-]{43}", str(kind.headers))
    if answer.status_code == 201:
        evening.tokens[answer.json["seat"]] = answer.json["token"]
    else:
        digest = hashlib.sha256(old.encode()).digest()
        evening.house.app.recorder.write(("UPDATE tokens SET revoked=0 WHERE hash=?", [(digest,)]))
