"""The marks of a timeline over HTTP: each turn once, what it was, and nothing that is hidden."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from service.http.routes import timeline
from tests.support.example import EXAMPLE, over, rest
from tests.support.server import SessionClient, TestServer, laid


def marks(evening: SessionClient, seat: str | None, after: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        page = evening.get(seat, f"/timeline?after={after}").json
        found += page["marks"]
        if "next" not in page:
            return found
        after = page["next"]


def test_each_turn_has_a_mark_with_what_it_was(house: TestServer) -> None:
    evening = laid(house)
    evening.go(*over())
    to = evening.version()
    evening.go(*rest(), ("p1", EXAMPLE.draw))
    evening.post("gm", "/narrate", {"text": "Rain."})
    evening.post("gm", "/rewind", {"to": to, "reason": "again"})
    found = marks(evening, "gm", to)
    assert [mark["sort"] for mark in found[-3:]] == ["roll", "narration", "rewind"]
    assert (found[-1]["to"], found[-1]["highlight"]) == (to, "rewind")
    whole = marks(evening, "gm")
    turns = evening.get("gm", "/turns?limit=1000").json["turns"]
    fields = ("turn", "first", "last", "at", "seat")
    assert [[mark[name] for name in fields] for mark in whole] == [
        [turn[name] for name in fields] for turn in turns
    ]


def test_pages_join_to_the_same_marks(house: TestServer) -> None:
    evening = laid(house)
    evening.go(*over())
    whole = marks(evening, "gm")
    with patch.object(timeline, "MAX_EVENTS", 3):
        parts = marks(evening, "gm")
    ends = {mark["turn"]: mark["last"] for mark in parts}
    assert ends == {mark["turn"]: mark["last"] for mark in whole}
    assert len(parts) > len(whole)


def test_a_secret_turn_says_only_who_and_when(house: TestServer) -> None:
    evening = laid(house)
    evening.post("gm", "/narrate", {"text": "zqsecret", "audience": "gm"})
    [own], [other] = (marks(evening, seat, evening.version() - 1) for seat in ("gm", "p1"))
    assert (own["sort"], other["sort"]) == ("narration", "sealed")
    assert set(other) == {"turn", "first", "last", "at", "seat", "sort"}
