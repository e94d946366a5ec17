"""Entropy over HTTP: what a seat brings with its command becomes part of the draw, or is refused with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.verify import verify
from service.platform import ed25519
from service.sessions.log_files import export_log
from tests.support.example import EXAMPLE, as_json, brought, over, to_draw
from tests.support.server import KEY, SessionClient, TestServer, gathered, laid, rule

MINE, OTHER = "ab" * 32, "cd" * 32
DRAW = as_json(EXAMPLE.draw)


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    """p1's Ana is ready to draw; draw 0 is over."""
    evening = laid(house)
    evening.go(*over(), *to_draw()[:-1])
    return evening


def asked(evening: SessionClient, entropy: str = MINE, k: int = 1, **headers: str) -> Any:
    body = {"command": DRAW, "entropy": entropy, "draw": k}
    return evening.post("p1", "/commands", body, **headers)


def test_what_a_seat_brings_is_part_of_the_draw(evening: SessionClient) -> None:
    assert evening.get("p1", "").json["next_draw"] == 1
    declared, drawn, *_ = asked(evening).json["events"]
    assert (declared["body"]["draw"]["entropy"], drawn["body"]["entropy"]) == (MINE, MINE)
    assert drawn["grade"] == "B"
    assert evening.get("p1", "").json["next_draw"] == 2
    report = verify(export_log(evening.house.app, evening.session), ed25519.verify)
    assert (report.failure, report.letters) == (None, {"B": 1, "C": 1})


def test_a_repeat_is_answered_as_before(evening: SessionClient) -> None:
    first, again = (asked(evening, Idempotency_Key=KEY) for _ in range(2))
    assert (first.status_code, again.status_code, again.json["repeated"]) == (201, 201, True)
    assert again.json["events"] == first.json["events"]


def test_a_taken_draw_is_named_with_the_event_that_took_it(evening: SessionClient) -> None:
    evening.do("p1", EXAMPLE.draw)
    evening.go(*over(), *to_draw()[:-1])
    refused = asked(evening)
    assert rule(refused) == (412, "draw-taken")
    facts = refused.json["facts"]
    assert (facts["draw"], facts["next"]) == (1, 2)
    [taking] = evening.get("p1", f"/events?after={facts['taken_by'] - 1}&limit=1").json["events"]
    assert (taking["kind"], taking["body"]["draw"]["k"]) == ("session.Declared", 1)
    assert asked(evening, OTHER, 2).status_code == 201


def test_a_draw_to_come_is_refused(evening: SessionClient) -> None:
    refused = asked(evening, k=2)
    assert rule(refused) == (409, "draw-not-next")
    assert refused.json["facts"] == {"draw": 2, "next": 1}


def test_a_command_that_draws_nothing_needs_none(evening: SessionClient) -> None:
    body = {"command": as_json(brought("cleo", "Cleo")), "entropy": MINE, "draw": 1}
    [declared, *_] = evening.post("p1", "/commands", body).json["events"]
    assert "draw" not in declared["body"]


@pytest.mark.parametrize("fields", [{"entropy": MINE, "draw": 0}, {"entropy": MINE}, {"draw": 9}])
def test_a_dry_run_looks_at_the_rules_alone(
    evening: SessionClient, fields: dict[str, object]
) -> None:
    answer = evening.post("p1", "/commands/dry-run", {"command": DRAW, **fields})
    assert (answer.status_code, answer.json["allowed"], answer.json["draws"]) == (200, True, True)


def test_a_secret_draw_has_it_too(evening: SessionClient) -> None:
    body = {"command": DRAW, "audience": "self", "entropy": MINE, "draw": 1}
    turn = evening.post("p1", "/commands", body).json
    assert turn["events"][0]["body"]["draw"]["entropy"] == MINE
    assert evening.post("p1", "/open-secret", {"turn": turn["turn"]}).status_code == 201
    assert verify(export_log(evening.house.app, evening.session), ed25519.verify).failure is None


def test_a_draw_that_waits_has_it_too(house: TestServer) -> None:
    evening = gathered(house)
    body = {"command": DRAW, "entropy": MINE, "draw": 0}
    answer = evening.post("p1", "/commands", body)
    assert answer.status_code == 202
    assert answer.json["events"][-1]["body"]["draw"]["entropy"] == MINE
