"""Secrets over HTTP: who sees what of them, how they are opened, what an auditor's reading leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from domain.codec import encode
from domain.proof.chain import blind_commitment, command_commitment
from domain.ruleset import Message
from domain.verify import Known, verify
from service.ed25519 import verify as ed25519
from tests.example import EXAMPLE, as_json, brought, guest, of, over, seated
from tests.service.http.playing import Evening, House

BLIND = "5a" * 32
SEES = {
    # audience, asker: the seats that see the facts
    ("gm", "p2"): {"gm", "p2", "judge"},
    ("blind", "p2"): {"gm", "judge"},
    ("self", "p2"): {"p2", "judge"},
    ("gm", "gm"): {"gm", "judge"},
    ("self", "gm"): {"gm", "judge"},
}
ALL = ("gm", "p1", "p2", "watcher", "judge", None)


@pytest.fixture
def table(evening: Evening) -> Evening:
    """Listed would be seen by anyone; here a further seat, an auditor, sits down."""
    evening.go(*over())
    evening.seat("judge", "auditor")
    evening.go(*seated(EXAMPLE.ready, "p2", "ben"), *seated(EXAMPLE.ready, "gm", "rat"))
    return evening


def draw(seat: str) -> Message:
    return of("ben" if seat == "p2" else "rat", EXAMPLE.draw)


def secretly(table: Evening, seat: str, audience: str, **fields: object) -> Mapping[str, Any]:
    return table.secretly(seat, draw(seat), audience, **fields)


def of_turn(table: Evening, seat: str, turn: object) -> list[dict[str, object]]:
    events = table.get(seat, "/events?limit=200").json["events"]
    return [event for event in events if event["turn"] == turn]


@pytest.mark.parametrize(("audience", "asker"), SEES, ids=lambda each: str(each))
def test_the_facts_of_a_secret_turn_are_for_its_audience(
    table: Evening, audience: str, asker: str
) -> None:
    told = secretly(table, asker, audience)
    assert any(event.get("sealed") for event in told["events"]) is (
        asker not in SEES[audience, asker]
    )
    for seat in ("gm", "p1", "p2", "watcher", "judge"):
        declared, drawn, *facts = of_turn(table, seat, told["turn"])
        assert facts
        assert "command" not in declared["body"]
        assert drawn["body"]["values"] == []
        assert all(("sealed" not in fact) is (seat in SEES[audience, asker]) for fact in facts), (
            seat
        )
        assert all(
            set(fact) == {"version", "turn", "at", "seat", "sealed"}
            for fact in facts
            if "sealed" in fact
        )


def test_the_table_is_each_seats_own(table: Evening) -> None:
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


def test_a_gm_who_looks_as_a_player_does_not_see_what_is_for_that_players_eyes(
    table: Evening,
) -> None:
    before = table.table("p2")
    secretly(table, "p2", "self")
    assert table.table("p2") != before
    assert table.table("gm", "?as=p2") == before


def test_what_is_in_the_way_unseen_is_not_named(table: Evening) -> None:
    table.secretly("gm", guest("ghost", "A ghost"), "gm")
    table.seat("p9")
    unseen = table.command("p9", brought("ghost", "A ghost"))
    seen = table.command("gm", guest("ghost", "A ghost"))
    assert (unseen.status_code, unseen.json["rule"], unseen.json["facts"]) == (409, "unseen", {})
    assert (seen.status_code, seen.json["rule"] != "unseen", seen.json["facts"] != {}) == (
        409,
        True,
        True,
    )


def test_an_opened_secret_is_the_one_that_was_sealed(table: Evening) -> None:
    table_before = table.table("p1")
    told = secretly(table, "gm", "gm", blind=BLIND)
    turn = told["turn"]
    sealed = of_turn(table, "p1", turn)
    opened = table.post("gm", "/open", {"turn": turn})
    assert opened.status_code == 201, opened.text
    (event,) = opened.json["events"]
    body, declared = event["body"], sealed[0]["body"]
    session = bytes.fromhex(table.session)
    assert body["blind"] == BLIND
    assert (
        blind_commitment(session, body["k"], bytes.fromhex(BLIND)).hex()
        == declared["draw"]["blind"]
    )
    assert (
        command_commitment(bytes.fromhex(body["salt"]), encode(draw("gm"))).hex()
        == declared["command_commitment"]
    )
    assert of_turn(table, "p1", turn) == of_turn(table, "gm", turn)
    assert table.get("p1", "").json["table"] == table.get("gm", "").json["table"]
    assert (
        table.table("p1", f"?at={opened.json['version'] - 1}") == table_before
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
def test_what_cannot_be_opened(table: Evening, seat: str, body: dict[str, int], rule: str) -> None:
    turn, before = secretly(table, "gm", "gm")["turn"], table.house.log()
    answer = table.post(seat, "/open", {"turn": turn, **body})
    assert (answer.status_code, answer.json["rule"]) == (409, rule)
    assert table.house.log() == before


def test_an_opening_is_once_and_its_repeat_is_its_answer(table: Evening) -> None:
    turn = secretly(table, "gm", "gm")["turn"]
    key = {"Idempotency-Key": "the-same-key-twice"}
    first = table.post("gm", "/open", {"turn": turn}, **key)
    assert table.post("gm", "/open", {"turn": turn}, **key).json["events"] == first.json["events"]
    assert table.post("gm", "/open", {"turn": turn}).json["rule"] == "nothing-sealed"


def test_an_audience_that_there_is_not_is_malformed(table: Evening) -> None:
    for audience in ("", "nobody", "p1", None, []):
        answer = table.post(
            "gm", "/commands", {"command": as_json(draw("gm")), "audience": audience}
        )
        assert (answer.status_code, list(answer.json["errors"])) == (422, ["audience"]), audience


def test_who_may_not_see_a_blind_draw_does_not_blind_it(table: Evening) -> None:
    body = {"command": as_json(draw("p2")), "audience": "blind", "blind": BLIND}
    assert table.post("p2", "/commands", body).json["rule"] == "blind-not-yours"


def test_a_whisper_is_heard_by_the_gm_alone(table: Evening) -> None:
    said = table.post("p2", "/narrate", {"text": "I keep the coin.", "audience": "gm"})
    version = said.json["version"]
    heard = {
        seat: "I keep the coin." in table.get(seat, "/events?limit=200").text
        for seat in table.tokens
    }
    assert heard == {"gm": True, "p1": False, "p2": True, "watcher": False, "judge": True}
    assert said.json["events"][0]["version"] == version


def test_every_viewers_file_is_valid_and_holds_what_the_viewer_sees(table: Evening) -> None:
    secretly(table, "gm", "gm")
    table.post("p2", "/narrate", {"text": "I keep the coin.", "audience": "self"})
    files = {
        seat: table.get(seat, "/export").data.splitlines(keepends=True) for seat in table.tokens
    }
    assert all(verify(lines, ed25519, Known()).failure is None for lines in files.values())
    openings = {seat: sum(b'"opening"' in line for line in lines) for seat, lines in files.items()}
    assert openings["judge"] == max(openings.values())
    assert openings["watcher"] == openings["p1"] < openings["gm"]
    assert openings["watcher"] < openings["p2"] < openings["judge"]


def test_an_auditor_changes_nothing_and_each_reading_is_kept(table: Evening) -> None:
    version, before = table.version(), table.house.log()
    assert table.command("judge", EXAMPLE.plain).json["rule"] == "role-may-not"
    assert table.post("judge", "/narrate", {"text": "Hm."}).json["rule"] == "role-may-not"
    assert table.post("judge", "/rewind", {"to": 3, "reason": "no"}).json["rule"] == "gm-only"
    assert table.post("judge", "/forks", {"version": version}).json["rule"] == "role-may-not"
    assert table.house.log() == before
    table.get("judge", "/events?after=3")
    table.get("judge", "/commands")
    read = table.get("gm", "/readings").json["readings"]
    assert [(each["seat"], each["what"].partition(table.session)[2]) for each in read] == [
        ("judge", "/events?after=3"),
        ("judge", "/commands"),
    ]
    assert [each["number"] for each in table.get("gm", "/readings?limit=1").json["readings"]] == [
        read[0]["number"]
    ]
    for seat in ("p1", "watcher", "judge"):
        assert table.get(seat, "/readings").json["rule"] == "gm-only"


def test_opening_outlives_a_restart(house: House, table: Evening) -> None:
    turn = secretly(table, "gm", "gm")["turn"]
    house.restart()
    assert table.post("gm", "/open", {"turn": turn}).status_code == 201
