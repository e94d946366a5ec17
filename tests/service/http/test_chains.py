"""Chains over HTTP: brought to a seat, taken with one, anchored anew; who is away, and who may say so."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from service.platform import clock
from tests.support.example import EXAMPLE, to_draw
from tests.support.server import KEY, LENGTH, DrawTable, Holder, SessionClient, TestServer, rule


@pytest.fixture
def table(house: TestServer) -> SessionClient:
    """A table that draws together, with one player who has no chain yet."""
    evening = house.open(draws="table", options={"deadline": 600})
    evening.seat("p1")
    return evening


@pytest.fixture
def circle(house: TestServer) -> DrawTable:
    return DrawTable(house)


def shown(evening: SessionClient, seat: str) -> Any:
    return evening.get("gm", "").json["seats"][seat]


def missed(circle: DrawTable, *seats: str) -> None:
    """A draw is given up for those seats."""
    circle.evening.go(*to_draw()[:-1])
    assert circle.evening.command("p1", EXAMPLE.draw).status_code == 202
    waiting = circle.waiting()
    for place in waiting["contributors"]:
        if place["seat"] in circle.holders and place["seat"] not in seats:
            assert circle.holders[place["seat"]].give(waiting).status_code == 201
    now = clock.now_ms
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now_ms", lambda: now() + 600_000)
        assert circle.evening.get("gm", "/draws/0").json["missing"] == list(seats)
    for seat in seats:
        circle.holders[seat].position += 1  # the draw took it


def test_a_seat_says_what_it_holds(table: SessionClient) -> None:
    p1 = Holder(table, "p1")
    assert "chain" not in shown(table, "p1")
    assert p1.bring().status_code == 201
    held = shown(table, "p1")
    assert held["public_key"] == p1.public
    assert held["chain"] == {"number": 0, "length": LENGTH, "position": 0}
    house = shown(table, "house")
    assert (house["chain"]["number"], len(house["public_key"])) == (0, 64)


def test_bringing_is_repeated_under_its_key(table: SessionClient) -> None:
    p1 = Holder(table, "p1")
    first, again = (p1.bring(Idempotency_Key=KEY) for _ in range(2))
    assert (first.status_code, again.status_code, again.json["repeated"]) == (201, 201, True)
    assert first.json["events"] == again.json["events"]


def test_a_seat_is_taken_with_its_chain(table: SessionClient) -> None:
    p2 = Holder(table, "p2")
    code = table.invite(seat="p2")
    body = {"code": code, "name": "Ben's player", "chain": p2.anchored()}
    answer = table.house.client.post("/v1/seats", json=body)
    assert (answer.status_code, answer.json["seat"]) == (201, "p2")
    held = shown(table, "p2")
    assert (held["name"], held["chain"]["position"]) == ("Ben's player", 0)


def test_the_new_holder_of_a_held_seat_brings_its_chain(table: SessionClient) -> None:
    p1, code = Holder(table, "p1"), table.invite(seat="p1")
    named = table.house.client.post(
        "/v1/seats", json={"code": code, "name": "Ana", "chain": p1.anchored()}
    )
    assert rule(named) == (409, "named-afterwards")
    answer = table.house.client.post("/v1/seats", json={"code": code, "chain": p1.anchored()})
    assert (answer.status_code, shown(table, "p1")["public_key"]) == (201, p1.public)


def test_a_chain_signed_for_another_seat_takes_none(table: SessionClient) -> None:
    other, code = Holder(table, "p2"), table.invite(seat="p3")
    answer = table.house.client.post("/v1/seats", json={"code": code, "chain": other.anchored()})
    assert rule(answer) == (409, "signature-wrong")
    assert "p3" not in table.get("gm", "").json["seats"]


HEX = "ab" * 32
REFUSED: list[tuple[str, dict[str, Any], tuple[int, str]]] = [
    ("no signature", {"signature": None}, (422, "malformed")),
    ("a short anchor", {"anchor": "ab"}, (422, "malformed")),
    ("no length", {"length": 0}, (422, "malformed")),
    ("too long", {"length": 65_537}, (422, "malformed")),
    ("a link before the first chain", {"previous_link": HEX}, (409, "first-chain")),
    ("another anchor", {"anchor": HEX}, (409, "signature-wrong")),
    ("another length", {"length": 15}, (409, "signature-wrong")),
    ("another key", {"public_key": HEX}, (409, "signature-wrong")),
    ("another signature", {"signature": "ab" * 64}, (409, "signature-wrong")),
]


@pytest.mark.parametrize(
    ("changed", "said"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_chain_that_is_not_the_seats_is_refused(
    table: SessionClient, changed: dict[str, Any], said: tuple[int, str]
) -> None:
    body = {**Holder(table, "p1").anchored(), **changed}
    assert rule(table.post("p1", "/seats/p1/chain", body)) == said
    assert "chain" not in shown(table, "p1")


def test_nobody_brings_anothers_chain(circle: DrawTable) -> None:
    evening = circle.evening
    body = circle.holders["p1"].anchored()
    assert rule(evening.post("gm", "/seats/p1/chain", body)) == (409, "not-your-seat")
    assert rule(evening.post("p1", "/seats/p1/chain", body)) == (409, "chain-there")
    copied = {**Holder(evening, "watcher", "spectator").anchored(), "anchor": body["anchor"]}
    assert rule(evening.post("watcher", "/seats/watcher/chain", copied)) == (409, "anchor-used")
    copied = {**copied, "public_key": body["public_key"]}
    assert rule(evening.post("watcher", "/seats/watcher/chain", copied)) == (409, "key-taken")


def test_the_next_chain_takes_over_with_the_next_draw(circle: DrawTable) -> None:
    circle.evening.go(*to_draw()[:-1])
    assert circle.holders["p1"].anchor(1).status_code == 201
    assert shown(circle.evening, "p1")["chain"] == {"number": 1, "length": LENGTH, "position": 0}
    circle.evening.command("p1", EXAMPLE.draw)
    place = {"seat": "p1", "chain": 1, "position": 1}
    assert place in circle.waiting()["contributors"]
    circle.give("gm", "p1", "p2")
    assert circle.evening.get("p1", "/draws/0").json["status"] == "drawn"


def test_who_has_no_chain_anchors_none(table: SessionClient) -> None:
    assert rule(Holder(table, "p1").anchor(1)) == (409, "no-chain")


def test_behind_a_void_the_link_that_it_asked_for_is_shown(circle: DrawTable) -> None:
    missed(circle, "p1")
    p1 = circle.holders["p1"]
    assert rule(p1.anchor(0, shows=True)) == (409, "anchor-used")
    assert rule(p1.anchor(1)) == (409, "link-wrong")
    assert p1.anchor(1, shows=True).status_code == 201
    assert shown(circle.evening, "p1")["chain"]["number"] == 1


def test_who_has_a_chain_signs_its_presence(circle: DrawTable) -> None:
    evening, p1 = circle.evening, circle.holders["p1"]
    path = "/seats/p1/presence"
    assert rule(evening.post("p1", path, {"present": False})) == (409, "signature-needed")
    signed = {"present": False, "signature": "ab" * 64}
    assert rule(evening.post("p1", path, signed)) == (409, "seen-elsewhere")
    assert rule(evening.post("p1", path, signed | p1.seen(1))) == (409, "signature-wrong")
    assert rule(p1.present(7, False)) == (409, "signature-wrong")
    assert p1.present(1, False).status_code == 201
    assert shown(evening, "p1")["away"] is True
    assert rule(p1.present(1, False)) == (409, "presence-unchanged")
    assert p1.present(2, True).status_code == 201
    assert "away" not in shown(evening, "p1")


def test_who_is_away_is_not_asked(circle: DrawTable) -> None:
    circle.holders["p2"].present(1, False)
    circle.evening.go(*to_draw()[:-1])
    answer = circle.evening.command("p1", EXAMPLE.draw)
    assert answer.json["waiting"]["contributors"] == ["gm", "house", "p1"]


def test_without_a_chain_a_word_is_enough(circle: DrawTable) -> None:
    evening = circle.evening
    path = "/seats/watcher/presence"
    assert rule(evening.post("p1", path, {"present": False})) == (409, "not-your-seat")
    assert rule(evening.post("watcher", path, {"present": False, "signature": "ab" * 64})) == (
        409,
        "no-chain",
    )
    assert evening.post("gm", path, {"present": False}).status_code == 201
    assert rule(evening.post("gm", path, {"present": True})) == (409, "not-your-seat")
    assert evening.post("watcher", path, {"present": True}, Idempotency_Key=KEY).status_code == 201
    assert (
        evening.post("watcher", path, {"present": True}, Idempotency_Key=KEY).json["repeated"]
        is True
    )


def test_who_has_a_chain_signs_that_it_leaves(circle: DrawTable) -> None:
    evening, p1 = circle.evening, circle.holders["p1"]
    assert rule(evening.delete("p1", "/seats/p1")) == (409, "signature-needed")
    assert rule(evening.delete("p1", "/seats/p1?signature=ab")) == (422, "malformed")
    assert rule(p1.leave(5)) == (409, "signature-wrong")
    query = urlencode(p1.leaving(1))
    assert rule(evening.delete("gm", f"/seats/p1?{query}")) == (409, "not-your-seat")
    left, again = (p1.leave(1, Idempotency_Key=KEY) for _ in range(2))
    assert (left.status_code, again.status_code, again.json["repeated"]) == (200, 200, True)
    assert shown(evening, "p1")["occupied"] is False


def test_who_left_comes_back_with_its_key_and_the_next_chain(circle: DrawTable) -> None:
    evening, p1 = circle.evening, circle.holders["p1"]
    assert p1.leave(1).status_code == 200
    code = evening.invite(seat="p1")
    assert rule(evening.house.client.post("/v1/seats", json={"code": code})) == (
        409,
        "chain-needed",
    )
    answer = evening.house.client.post("/v1/seats", json={"code": code, "chain": p1.anchored(1)})
    assert answer.status_code == 201
    held = shown(evening, "p1")
    assert (held["public_key"], held["chain"]) == (
        p1.public,
        {"number": 1, "length": LENGTH, "position": 0},
    )


def test_the_gm_moves_nobody_with_a_chain_that_no_void_has_named(circle: DrawTable) -> None:
    evening = circle.evening
    assert rule(evening.delete("gm", "/seats/p1")) == (409, "not-missed")
    assert rule(evening.post("gm", "/seats/p1/presence", {"present": False})) == (409, "not-missed")
    assert alive(evening, "p1")
    missed(circle, "p1")
    assert evening.delete("gm", "/seats/p1").status_code == 200
    assert not alive(evening, "p1")


def test_who_says_again_that_it_is_there_is_not_moved(circle: DrawTable) -> None:
    missed(circle, "p1")
    assert circle.holders["p1"].present(2, True).status_code == 201
    assert rule(circle.evening.delete("gm", "/seats/p1")) == (409, "not-missed")


def alive(evening: SessionClient, seat: str) -> bool:
    return evening.get(seat, "").status_code == 200
