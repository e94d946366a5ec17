"""What streams say of draws: to the seats that one waits for, once for each connection, while it waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.example import EXAMPLE, over, to_draw
from tests.support.server import DrawTable, TestServer, settings_in

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"


@pytest.fixture
def circle(tmp_path: Path) -> Iterator[DrawTable]:
    """A table that draws together, in front of a draw; its streams end as soon as they have said what there is."""
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="0.1"))) as house:
        table = DrawTable(house)
        table.evening.go(*to_draw()[:-1])
        yield table


def ask(circle: DrawTable) -> dict[str, Any]:
    answer = circle.evening.command("p1", EXAMPLE.draw)
    assert answer.status_code == 202
    found: dict[str, Any] = answer.json
    return found


def said(
    circle: DrawTable, seat: str | None, query: str = "", accept: str = SSE
) -> list[tuple[str, Any]]:
    """(kind, data) of what a stream sends: of an event its version."""
    text = circle.evening.get(seat, f"/stream{query}", Accept=accept).text
    if accept == NDJSON:
        lines = [msgspec.json.decode(line) for line in text.splitlines()]
        return [
            ("draw", line["draw"]) if "draw" in line else ("event", line.get("version"))
            for line in lines
        ]
    found: list[tuple[str, Any]] = []
    for part in text[:-2].split("\n\n"):
        fields = dict(
            line.partition(": ")[::2] for line in part.split("\n") if not line.startswith(":")
        )
        if "data" in fields:
            data = msgspec.json.decode(fields["data"])
            kind = fields.get("event", "event")
            assert ("id" in fields) is (kind in ("event", "start"))  # only events are gone back to
            if kind != "start":
                found.append((kind, data["version"] if kind == "event" else data))
    return found


def calls(said: list[tuple[str, Any]]) -> list[Any]:
    return [data for kind, data in said if kind == "draw"]


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_seat_is_called_behind_the_declaration(circle: DrawTable, accept: str) -> None:
    declared = ask(circle)
    told = said(circle, "p2", f"?after={declared['version'] - 3}", accept)
    [call] = calls(told)
    assert call == {
        "number": 0,
        "version": declared["version"],
        "deadline": declared["waiting"]["deadline"],
        "contributors": [
            {"seat": seat, "chain": 0, "position": 1} for seat in ("gm", "house", "p1", "p2")
        ],
        "contributed": [],
    }
    assert told[told.index(("draw", call)) - 1] == ("event", declared["version"])


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_who_joins_later_is_called_too_and_told_who_gave(circle: DrawTable, accept: str) -> None:
    ask(circle)
    circle.give("p1")
    circle.evening.post("p2", "/narrate", {"text": "later"})
    for seat in ("p1", "p2"):
        assert [call["contributed"] for call in calls(said(circle, seat, accept=accept))] == [
            ["p1"]
        ]


@pytest.mark.parametrize("seat", ["watcher", None])
def test_who_is_not_asked_is_not_called(tmp_path: Path, seat: str | None) -> None:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="0.1"))) as house:
        circle = DrawTable(house, listed=True)
        circle.evening.go(*to_draw()[:-1])
        ask(circle)
        for accept in (SSE, NDJSON):
            assert calls(said(circle, "p2", "?after=0", accept))  # and what they share is made
            assert calls(said(circle, seat, "?after=0", accept)) == []


def test_nobody_is_called_to_a_draw_that_is_over(circle: DrawTable) -> None:
    ask(circle)
    circle.give("gm", "p1", "p2")
    assert calls(said(circle, "p2", "?after=0")) == []


def test_one_stream_calls_to_every_draw_once(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="60"))) as house:
        circle = DrawTable(house)
        answer = circle.evening.get("p2", "/stream", Accept=NDJSON)
        parts, heard = iter(answer.iter_encoded()), list[Any]()
        circle.evening.go(*to_draw()[:-1])
        for k in range(2):
            ask(circle)
            circle.evening.post("gm", "/narrate", {"text": "Well?"})
            while len(heard) <= k:
                heard += [
                    line["draw"]
                    for part in [next(parts)]
                    for line in map(parsed, part.splitlines())
                    if "draw" in line
                ]
            circle.give("gm", "p1", "p2")
            circle.evening.go(*over(), *to_draw()[:-1])
        answer.close()
    assert [call["number"] for call in heard] == [0, 1]


def parsed(line: bytes) -> Any:
    return msgspec.json.decode(line)
