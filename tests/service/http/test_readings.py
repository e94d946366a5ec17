"""An auditor's readings: every answer that an auditor gets about a session leaves a row, on every route that there is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from werkzeug.test import TestResponse

from service.http.app import document
from service.http.auth import COOKIE
from tests.service.http.test_visibility import filled
from tests.support.example import EXAMPLE, as_json
from tests.support.server import SessionClient, TestServer, laid

BODIES = {
    "/odds": {"command": as_json(EXAMPLE.plain)},
    "/commands/dry-run": {"command": as_json(EXAMPLE.plain)},
}
"""What the operations need that an auditor may use; any other body does for those that it may not."""
OPEN = ("/seat", "/sign-in", "/sign-out")
"""Ends of addresses that answer the same to everyone."""
AWAY = 503
"""There is no queue in these tests."""
PUBLIC = re.compile(
    r"/($|service-worker\.js$"
    r"|(docs|problems|console|openapi|livez|readyz|metrics|status|rulesets|games|start|join|c|r)\b)"
)
"""Pages without anything of a session that its auditor alone may see."""


@pytest.fixture
def audited(house: TestServer) -> SessionClient:
    evening = laid(house)
    evening.seat("judge", "auditor")
    evening.post("gm", "/narrate", {"text": "A trap.", "audience": "gm"})
    return evening


def rows(evening: SessionClient) -> list[str]:
    """What the GM finds that auditors have read."""
    return [
        each["path"] for each in evening.get("gm", "/audit-reads?limit=200").json["audit_reads"]
    ]


def operations() -> Iterator[tuple[str, str]]:
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            if method != "parameters" and "security" in said:
                yield method, path


def ask(evening: SessionClient, method: str, path: str) -> TestResponse:
    address = filled(path.replace("{job}", f"audit-{evening.session}-1"), evening.session)
    body = next((body for end, body in BODIES.items() if path.endswith(end)), {})
    sent = {"json": body} if method in ("post", "put") else {}
    return evening.house.client.open(
        address, method=method, headers=evening.headers("judge"), **sent
    )


def test_every_answer_of_the_api_to_an_auditor_is_a_reading(audited: SessionClient) -> None:
    answered, before = set(), len(rows(audited))
    ending = ("delete", "/v1/sessions/{session}/tokens/current")
    for method, path in [*(each for each in operations() if each != ending), ending]:
        answer = ask(audited, method, path)
        answer.close()
        after = len(rows(audited))
        if answer.status_code < 300 or answer.status_code == AWAY:
            answered.add((method, path))
            assert after == before + 1, (method, path)
        assert after - before in (0, 1), (method, path)
        if path.endswith("/renew") and answer.status_code == 201:
            audited.tokens["judge"] = answer.json["token"]
        before = after
    least = {
        ("get", "/v1/sessions"),
        ("get", "/v1/sessions/{session}/events"),
        ("get", "/v1/sessions/{session}/stream"),
        ("get", "/v1/sessions/{session}/tokens"),
        ("post", "/v1/sessions/{session}/commands/dry-run"),
        ("post", "/v1/sessions/{session}/draws/{draw}/void"),
        ("post", "/v1/sessions/{session}/tokens/current/renew"),
        ending,
    }
    assert answered >= least
    assert len(answered) >= 30


def test_every_page_for_an_auditor_is_a_reading(audited: SessionClient) -> None:
    described = {re.sub(r"\{(\w+)\}", r"<\1>", path) for path in document()["paths"]}
    pages, before = set(), len(rows(audited))
    for rule in audited.house.flask.url_map.iter_rules():
        plain = re.sub(r"<\w+:(\w+)>", r"<\1>", rule.rule)
        if plain in described or PUBLIC.match(rule.rule):
            continue
        for method in sorted(set(rule.methods or ()) & {"GET", "POST"}):
            plain = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).replace("{moment}", "newest")
            path = filled(plain, audited.session)
            client = audited.house.client
            client.set_cookie(COOKIE, audited.tokens["judge"])
            headers = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
            answer = client.open(path, method=method, headers=headers)
            answer.close()  # a page that is sent in parts holds on to what it knows of its request
            after = len(rows(audited))
            if answer.status_code < 300 and not rule.rule.endswith(OPEN):
                pages.add(rule.rule)
                assert after == before + 1, (method, path)
            before = after
    assert {"/s/<session:session>", "/s/<session:session>/transcript"} <= pages


def test_an_auditor_of_one_session_leaves_no_trace_of_another(audited: SessionClient) -> None:
    other = audited.house.open(options={"listed": True})
    headers = audited.headers("judge")
    assert audited.house.client.get(other.path, headers=headers).status_code == 200
    assert audited.house.client.post(f"{other.path}/audits", headers=headers).status_code == 404
    assert (rows(audited), rows(other)) == ([], [])


def test_only_auditors_leave_rows(audited: SessionClient) -> None:
    for seat in ("gm", "p1", "watcher"):
        assert audited.get(seat, "/events").status_code == 200
        assert audited.post(seat, "/draws/0/void", None).status_code == 200
    assert rows(audited) == []
