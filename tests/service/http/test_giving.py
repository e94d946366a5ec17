"""What seats give to a draw, over HTTP: receipts, what is refused, and what stands still meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from domain.proof.hash_chain import receipt_message
from domain.session.state import HOUSE
from service.platform import ed25519
from tests.support.example import EXAMPLE, of
from tests.support.server import SEATS, DrawTable, ask, rule

OTHER_HASH = "ab" * 32


def test_a_receipt_is_the_houses_signature_and_comes_again(asked: DrawTable) -> None:
    given = asked.holders["p1"].contribution(asked.waiting())
    first, again = (asked.holders["p1"].send(0, given) for _ in range(2))
    key = bytes.fromhex(asked.evening.get("p1", "").json["seats"][HOUSE]["public_key"])
    signed = first.data[first.data.index(b'{"chain"') : first.data.index(b',"receipt"')]
    assert ed25519.verify(key, receipt_message(signed), bytes.fromhex(first.json["receipt"]))
    assert (first.status_code, again.status_code, first.json) == (201, 201, again.json)
    asked.give("gm", "p2")
    assert asked.holders["p1"].send(0, given).json == first.json  # also behind the draw
    asked.house.restart()
    assert asked.holders["p1"].send(0, given).json == first.json


Wrong = tuple[str, dict[str, Any], str, list[str]]
WRONG: list[Wrong] = [
    # what is sent by p1 instead: the rule, the facts that come with it
    ("chain", {"chain": 1}, "position-differs", ["chain", "position"]),
    ("position", {"position": 2}, "position-differs", ["chain", "position"]),
    ("size before the declaration", {"seen_size": 1}, "seen-elsewhere", ["at_least", "at_most"]),
    ("size of tomorrow", {"seen_size": 1000}, "seen-elsewhere", ["at_least", "at_most"]),
    ("another root", {"seen_root": OTHER_HASH}, "another-log", ["root", "size"]),
    ("another link", {"link": OTHER_HASH}, "link-wrong", ["chain", "position"]),
    ("another signature", {"signature": "ab" * 64}, "signature-wrong", ["seat"]),
]


@pytest.mark.parametrize(
    ("changed", "said", "facts"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG]
)
def test_what_is_not_the_seats_to_give_is_refused(
    asked: DrawTable, changed: dict[str, Any], said: str, facts: list[str]
) -> None:
    answer = asked.holders["p1"].give(asked.waiting(), **changed)
    assert rule(answer) == (409, said)
    assert sorted(answer.json["facts"]) == facts
    assert asked.waiting()["contributed"] == []
    asked.give(*SEATS)  # what is right comes through
    assert asked.evening.get("p1", "/draws/0").json["status"] == "drawn"


def test_a_link_for_another_request_is_signed_wrong(asked: DrawTable) -> None:
    waits = asked.waiting()
    other = {**waits, "leaf": waits["leaf"].replace('"v":1', '"v":2')}
    assert rule(asked.holders["p1"].give(other)) == (409, "signature-wrong")


def test_the_link_of_another_seat_is_not_taken(asked: DrawTable) -> None:
    theirs = asked.holders["p2"].contribution(asked.waiting())
    assert rule(asked.holders["p1"].send(0, theirs)) == (409, "link-wrong")


def test_who_is_not_asked_gives_nothing(asked: DrawTable) -> None:
    given = asked.holders["p1"].contribution(asked.waiting())
    body = {
        name: getattr(given, name)
        for name in ("chain", "position", "link", "seen_size", "seen_root", "signature")
    }
    for seat, said in (("watcher", (409, "not-a-contributor")), (None, (401, "token-missing"))):
        assert rule(asked.evening.post(seat, "/draws/0/contributions", body)) == said


def test_a_seat_gives_once(asked: DrawTable) -> None:
    asked.give("p1")
    asked.evening.post("p2", "/narrate", {"text": "later"})
    again = asked.holders["p1"].contribution({**asked.waiting()})
    assert rule(asked.holders["p1"].send(0, again)) == (409, "already-given")


def test_a_draw_that_is_over_takes_nothing_new(asked: DrawTable) -> None:
    waits = asked.waiting()
    given = asked.holders["p1"].contribution(waits)
    later = {**waits, "size": waits["size"]}
    asked.give(*SEATS)
    other = asked.holders["p2"].contribution(later, link=OTHER_HASH)
    assert rule(asked.holders["p2"].send(0, other)) == (409, "draw-is-over")
    assert rule(asked.holders["p1"].send(1, given)) == (409, "no-draw-waits")


FROZEN: list[tuple[str, str, str, dict[str, Any]]] = [
    ("another command", "p2", "/commands", {"command": {"kind": ""}}),
    ("rewind", "gm", "/rewind", {"to": 5, "reason": "no"}),
    ("close", "gm", "/close", {"carry_over": False}),
    ("fork", "gm", "/forks", {"version": 5}),
    ("hand over", "gm", "/hand-over", {"seat": "p1"}),
    ("presence", "watcher", "/seats/watcher/presence", {"present": False}),
]


@pytest.mark.parametrize(
    ("seat", "path", "body"), [row[1:] for row in FROZEN], ids=[row[0] for row in FROZEN]
)
def test_the_table_stands_still_while_a_draw_waits(
    asked: DrawTable, seat: str, path: str, body: dict[str, Any]
) -> None:
    if "command" in body:
        answer = asked.evening.command(seat, of("ben", EXAMPLE.draw))
    else:
        answer = asked.evening.post(seat, path, body)
    assert rule(answer) == (409, "draw-waits")
    assert answer.json["facts"] == {"draw": 0}


def test_what_does_not_touch_the_table_goes_on(asked: DrawTable) -> None:
    assert asked.evening.post("p2", "/narrate", {"text": "it rains"}).status_code == 201
    assert asked.evening.post("p2", "/seats/p2/name", {"name": "Ben's player"}).status_code == 201
    asked.evening.seat("late")
    asked.give(*SEATS)
    assert ask(asked).status_code == 201
