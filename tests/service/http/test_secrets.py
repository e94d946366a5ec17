"""Secrets over HTTP: who sees what of them, how they are opened, what an auditor's reading leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from domain.codec import encode
from domain.proof.hash_chain import blind_commitment, command_commitment
from domain.ruleset import Message
from tests.support.example import EXAMPLE, of, over, seated
from tests.support.server import SessionClient, TestServer


@pytest.fixture
def table(evening: SessionClient) -> SessionClient:
    """Listed would be seen by anyone; here a further seat, an auditor, sits down."""
    evening.go(*over())
    evening.seat("judge", "auditor")
    evening.go(*seated(EXAMPLE.ready, "p2", "ben"), *seated(EXAMPLE.ready, "gm", "rat"))
    return evening


def draw(seat: str) -> Message:
    return of("ben" if seat == "p2" else "rat", EXAMPLE.draw)


def secretly(table: SessionClient, seat: str, audience: str, **fields: object) -> Mapping[str, Any]:
    return table.secretly(seat, draw(seat), audience, **fields)


def of_turn(table: SessionClient, seat: str, turn: object) -> list[dict[str, object]]:
    events = table.get(seat, "/events?limit=200").json["events"]
    return [event for event in events if event["turn"] == turn]


def test_the_table_is_each_seats_own(table: SessionClient) -> None:
    before = table.table("watcher")
    secretly(table, "p2", "gm")
    now = {seat: table.table(seat) for seat in ("gm", "p1", "p2", "watcher")}
    assert now == {"gm": now["p2"], "p1": before, "p2": now["p2"], "watcher": before}
    assert now["p2"] != before
    assert table.table("gm", "?as=p1") == before
    assert table.table("judge", "?as=p2") == now["p2"]
    refused = table.get("p1", "?as=p2")
    assert (refused.status_code, refused.json["rule"]) == (409, "gm-only")
    nobody = table.get("gm", "?as=nobody")
    assert (nobody.status_code, nobody.json["rule"]) == (409, "seat-unknown")


def test_an_opened_secret_is_the_one_that_was_sealed(table: SessionClient) -> None:
    table_before = table.table("p1")
    told = secretly(table, "gm", "gm")
    turn = told["turn"]
    sealed = of_turn(table, "p1", turn)
    opened = table.post("gm", "/open-secret", {"turn": turn})
    assert opened.status_code == 201, opened.text
    (event,) = opened.json["events"]
    body, declared = event["body"], sealed[0]["body"]
    session = bytes.fromhex(table.session)
    assert (
        blind_commitment(session, body["k"], bytes.fromhex(body["blind"])).hex()
        == declared["draw"]["blind"]
    )
    assert (
        command_commitment(bytes.fromhex(body["salt"]), encode(draw("gm"))).hex()
        == declared["command_commitment"]
    )
    assert of_turn(table, "p1", turn) == of_turn(table, "gm", turn)
    assert table.get("p1", "").json["table"] == table.get("gm", "").json["table"]
    assert (
        table.table("p1", f"?version={opened.json['version'] - 1}") == table_before
    )  # as it was seen then


REFUSED = [
    # who, what is sent, the rule
    ("p1", {}, "seal-not-yours"),
    ("watcher", {}, "seal-not-yours"),
    ("judge", {}, "role-may-not"),
    ("gm", {"turn": 1}, "nothing-sealed"),
    ("gm", {"turn": 9999}, "nothing-sealed"),
]


@pytest.mark.parametrize(("seat", "body", "rule"), REFUSED, ids=lambda each: str(each))
def test_what_cannot_be_opened(
    table: SessionClient, seat: str, body: dict[str, int], rule: str
) -> None:
    turn, before = secretly(table, "gm", "gm")["turn"], table.house.log()
    answer = table.post(seat, "/open-secret", {"turn": turn, **body})
    assert (answer.status_code, answer.json["rule"]) == (409, rule)
    assert table.house.log() == before


def test_an_auditor_changes_nothing_and_each_reading_is_kept(table: SessionClient) -> None:
    version, before = table.version(), table.house.log()
    assert table.command("judge", EXAMPLE.plain).json["rule"] == "role-may-not"
    assert table.post("judge", "/narrate", {"text": "Hm."}).json["rule"] == "role-may-not"
    assert table.post("judge", "/rewind", {"to": 3, "reason": "no"}).json["rule"] == "gm-only"
    assert table.post("judge", "/forks", {"version": version}).json["rule"] == "role-may-not"
    assert table.house.log() == before
    table.get("judge", "/events?after=3")
    table.get("judge", "/commands")
    read = table.get("gm", "/audit-reads").json["audit_reads"]
    assert {each["seat"] for each in read} == {"judge"}
    assert [each["path"].partition(table.session)[2] for each in read] == [
        "/commands",
        "/narrate",
        "/rewind",
        "/forks",
        "/events?after=3",
        "/commands",
    ]
    assert [
        each["number"] for each in table.get("gm", "/audit-reads?limit=1").json["audit_reads"]
    ] == [read[0]["number"]]
    for seat in ("p1", "watcher", "judge"):
        assert table.get(seat, "/audit-reads").json["rule"] == "gm-only"


def test_opening_outlives_a_restart(house: TestServer, table: SessionClient) -> None:
    turn = secretly(table, "gm", "gm")["turn"]
    house.restart()
    assert table.post("gm", "/open-secret", {"turn": turn}).status_code == 201
