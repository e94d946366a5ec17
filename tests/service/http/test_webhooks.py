"""Webhooks over HTTP: who may create them, what they show, and when they send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.platform import clock
from service.sessions.webhooks import MAX_WEBHOOKS, STOPPED_AFTER_MS, webhooks_of
from service.webhooks.delivery import parse_secret, signature
from service.webhooks.message import Message
from tests.service.webhooks.receiver import Receiver
from tests.support.server import SessionClient, TestServer, settings_in
from workers.webhooks import send_events

KEY = "a-key-of-sixteen-or-more"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SessionClient]:
    server = TestServer(settings_in(tmp_path, FAIRLOG_WEBHOOKS_PRIVATE="yes"))
    opened = server.open(ruleset="open")
    opened.seat("p1", "player")
    yield opened
    server.close()


def create(table: SessionClient, url: str, **more: Any) -> Any:
    answer = table.post("gm", "/webhooks", {"url": url} | more)
    assert answer.status_code == 201, answer.json
    return answer.json


def send(table: SessionClient, webhook: str) -> None:
    send_events(table.house.app, table.session, webhook)


def shown(table: SessionClient, webhook: str) -> Any:
    return table.get("gm", f"/webhooks/{webhook}").json


def test_events_arrive_in_order_and_signed(table: SessionClient) -> None:
    with Receiver().running() as receiver:
        made = create(table, receiver.url)
        before = table.version()
        for nth in range(3):
            table.post("gm", "/narrate", {"text": f"Line {nth}."})
        send(table, made["id"])
    versions = [int(each.id.rpartition("/")[2]) for each in receiver.accepted]
    assert versions == list(range(before + 1, before + 4))
    for each in receiver.accepted:
        message = Message(each.id, "", each.body)
        at = int(each.headers["webhook-timestamp"])
        assert each.headers["webhook-signature"] == signature(
            parse_secret(made["secret"]), message, at
        )
    event = json.loads(receiver.accepted[0].body)["data"]["event"]
    assert event["text"].endswith("Line 0.")
    assert shown(table, made["id"])["delivered_version"] == before + 3


def test_a_secret_turn_is_sealed_in_the_message(table: SessionClient) -> None:
    with Receiver().running() as receiver:
        made = create(table, receiver.url)
        table.post("gm", "/narrate", {"text": "The butler did it.", "audience": "self"})
        send(table, made["id"])
    assert b"butler" not in b"".join(each.body for each in receiver.accepted)
    assert json.loads(receiver.accepted[-1].body)["data"]["event"]["sealed"] is True


def test_a_failure_delays_the_next_attempt(table: SessionClient) -> None:
    with Receiver(fails=1).running() as receiver:
        made = create(table, receiver.url)
        table.post("gm", "/narrate", {"text": "Now."})
        webhooks = webhooks_of(table.house.app)
        assert webhooks.due() == [(made["id"], table.session, table.version() - 1)]
        send(table, made["id"])
        assert webhooks.due() == []
    found = shown(table, made["id"])
    assert (found["failures"], found["state"]) == (1, "active")
    assert "answered with status" in found["problem"]


def test_a_webhook_stops_after_three_days_and_can_be_resumed(
    table: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Receiver(fails=1).running() as receiver:
        made = create(table, receiver.url)
        table.post("gm", "/narrate", {"text": "Now."})
        send(table, made["id"])
        later = clock.now_ms() + STOPPED_AFTER_MS
        with monkeypatch.context() as moved:
            moved.setattr(clock, "now_ms", lambda: later)
            send(table, made["id"])
        assert shown(table, made["id"])["state"] == "stopped"
        send(table, made["id"])
        assert receiver.refused == 2
    with Receiver().running() as receiver:
        table.house.app.recorder.write(
            ("UPDATE webhooks SET url=? WHERE id=?", [(receiver.url, made["id"])])
        )
        assert table.post("gm", f"/webhooks/{made['id']}/resume", {}).json["state"] == "active"
        send(table, made["id"])
        assert len(receiver.accepted) == 1
        again = table.post("gm", f"/webhooks/{made['id']}/resume", {"after": 1})
        assert again.json["delivered_version"] == 1
        send(table, made["id"])
        assert [int(each.id.rpartition("/")[2]) for each in receiver.accepted][1:] == list(
            range(2, table.version() + 1)
        )


def test_a_repeated_request_gets_the_same_webhook(table: SessionClient) -> None:
    body = {"url": "https://example.org/hook"}
    first, again = (table.post("gm", "/webhooks", body, Idempotency_Key=KEY).json for _ in range(2))
    assert first == again
    assert len(table.get("gm", "/webhooks").json["webhooks"]) == 1
    assert "secret" not in table.get("gm", "/webhooks").json["webhooks"][0]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.org/", "pattern"),
        ("https:///hook", "host"),
        ("http://127.0.0.1/hook", "private"),
        ("http://[::1]/hook", "private"),
        ("http://10.0.0.8/hook", "private"),
        ("http://169.254.169.254/latest", "private"),
    ],
)
def test_an_address_that_no_message_may_go_to(tmp_path: Path, url: str, reason: str) -> None:
    server = TestServer(settings_in(tmp_path))
    try:
        answer = server.open(ruleset="open").post("gm", "/webhooks", {"url": url})
        assert (answer.status_code, answer.json["code"]) == (422, "malformed")
        assert [each["pointer"] for each in answer.json["errors"]] == ["#/url"]
    finally:
        server.close()


def test_only_the_gm_sees_and_changes_webhooks(table: SessionClient) -> None:
    made = create(table, "https://example.org/hook")
    path = f"/webhooks/{made['id']}"
    assert table.post("p1", "/webhooks", {"url": "https://example.org"}).json["rule"] == "gm-only"
    assert table.get("p1", "/webhooks").json["rule"] == "gm-only"
    assert table.get("p1", path).json["rule"] == "gm-only"
    assert table.post("p1", f"{path}/resume", {}).json["rule"] == "gm-only"
    assert table.delete("p1", path).json["rule"] == "gm-only"
    assert table.delete("gm", path).status_code == 204
    assert table.delete("gm", path).status_code == 404


def test_a_session_has_a_limited_number_of_webhooks(table: SessionClient) -> None:
    for nth in range(MAX_WEBHOOKS):
        create(table, f"https://example.org/{nth}")
    refused = table.post("gm", "/webhooks", {"url": "https://example.org/more"})
    assert (refused.json["rule"], refused.json["facts"]) == (
        "too-many-webhooks",
        {"most": MAX_WEBHOOKS},
    )
