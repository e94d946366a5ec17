"""The proof of a roll over HTTP: taken home and checked alone, as open as it is to who asks."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from domain.proof.signed_note import parse_vkey
from domain.verify.single_draw import RollReport, verify_roll
from service.platform.ed25519 import verify as ed25519
from tests.support.example import EXAMPLE, over, seated
from tests.support.server import SessionClient, TestServer


def proof(evening: SessionClient, seat: str, k: int = 0) -> RollReport:
    answer = evening.get(seat, f"/draws/{k}/proof")
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "application/x-fairlog-roll"
    turn = evening.get(seat, f"/draws/{k}").json["turn"]
    assert f"turn-{turn}.roll" in answer.headers["Content-Disposition"]
    key = parse_vkey(msgspec.json.decode(answer.data)["manifest"]["log_key"])
    roll = verify_roll(answer.data, ed25519, key)
    assert (roll.failure, roll.k, roll.session) == (None, k, evening.session)
    return roll


def test_a_draw_has_a_proof_that_holds_alone(evening: SessionClient) -> None:
    roll = proof(evening, "p1")
    assert (roll.grade, roll.seat, roll.contributors) == ("C", "p1", ("house",))
    assert roll.values


def test_what_is_sealed_is_in_nobodys_proof(evening: SessionClient) -> None:
    evening.go(*over())
    evening.go(*seated(EXAMPLE.ready))
    evening.secretly("p1", EXAMPLE.draw, "self")
    for seat in ("p1", "p2", "gm"):
        assert proof(evening, seat, 1).values is UNSET
    assert len(proof(evening, "p1", 1).told) > len(proof(evening, "p2", 1).told)


def test_a_draw_that_was_not_made_has_none(evening: SessionClient, house: TestServer) -> None:
    for path in ("/draws/1/proof", "/draws/99/proof", "/draws/999999999999/proof"):
        assert evening.get("p1", path).json["type"].endswith("not-found")
    assert house.open().get("gm", "/draws/0/proof").status_code == 404
    assert evening.get(None, "/draws/0/proof").status_code == 401
