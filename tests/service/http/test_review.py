"""Looking back over HTTP: what a search costs, what stays secret, what cannot be looked at."""

from __future__ import annotations

import pytest

from domain.session.messages import Narrate
from tests.support.example import EXAMPLE, FIRST, guest, of, over, seated
from tests.support.server import SessionClient, TestServer, laid
from tests.support.sessions import ScriptedSession as Played


def test_a_search_looks_at_so_many_events_and_no_more(house: TestServer) -> None:
    played = Played(options={"listed": True})
    while played.session.version < 2_100:
        played.do("gm", Narrate("It rains."))
    played.do("gm", Narrate("The sun comes out."))
    house.app.log.append(played.head, played.facts)
    evening = SessionClient(house, played.id, {})
    first = evening.get(None, "/search?text=sun").json
    assert (first["events"], first["next"]) == ([], 2_000)
    second = evening.get(None, f"/search?text=sun&after={first['next']}").json
    assert [event["version"] for event in second["events"]] == [played.session.version]
    assert "next" not in second


def test_what_is_secret_stays_so_wherever_one_looks_back(house: TestServer) -> None:
    evening = laid(house, options={"listed": True})
    evening.go(*over())
    evening.secretly("gm", guest("moriarty", "Moriarty"), "gm")
    for _, command in seated(EXAMPLE.ready, "gm", "moriarty"):
        evening.secretly("gm", command, "gm")
    evening.post("gm", "/narrate", {"text": "Moriarty listens.", "audience": "self"})
    end = evening.version()
    evening.secretly("gm", of("moriarty", EXAMPLE.draw), "gm")
    head = evening.version()
    evening.post("gm", "/rewind", {"to": end, "reason": "not yet"})
    evening.secretly("gm", of("moriarty", EXAMPLE.draw), "gm")
    asked = [
        "/branches",
        "/lineage",
        "/rerolls",
        "/search",
        "/search?text=moriarty",
        "/search?entity=moriarty",
        f"/search?die=d{EXAMPLE.dice[0]}",
        f"/search?kind={FIRST.name}&limit=200",
        "/search?marked=true",
        "/search?seat=gm",
        f"/events?limit=200&version={head}",
        *(f"/events/{version}" for version in range(1, evening.version() + 1)),
    ]
    for path in asked:
        for seat in ("p1", "p2", "watcher", None):
            assert "oriarty" not in evening.get(seat, path).text, (seat, path)
        through = f"{path}{'&' if '?' in path else '?'}as=p1"
        assert "oriarty" not in evening.get("gm", through).text.replace("text=moriarty", ""), path
    seen = [path for path in asked if "oriarty" in evening.get("gm", path).text]
    assert {path.partition("?")[0].partition("/events/")[0] for path in seen} == {
        "/search",
        "/rerolls",
        "/events",
        "",
    }


def test_a_view_that_is_read_in_two_moments_tells_no_rewind_twice(
    house: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, aims = laid(house), list[int]()
    for _ in range(2):
        evening.post("gm", "/narrate", {"text": "It rains."})
        aims.append(evening.version() - 1)
        assert (
            evening.post("gm", "/rewind", {"to": aims[-1], "reason": "Not yet."}).status_code == 201
        )
    house.follow()
    monkeypatch.setattr(
        house.app.read_models.timeline, "version", lambda session: 0
    )  # what it was a moment before
    assert [each["to"] for each in evening.get("gm", "/branches").json["branches"]] == aims


NOES = [
    ("/lineage?version=9999", 404, "not-found"),
    ("/events?version=9999", 404, "not-found"),
    ("/events/9999", 404, "not-found"),
    ("/events/0", 404, "not-found"),
    ("/events/one", 404, "not-found"),
    ("/lineage?version=0", 422, "version"),
    ("/branches?after=-1", 422, "after"),
    ("/branches?limit=0", 422, "limit"),
    ("/rerolls?limit=x", 422, "limit"),
    ("/search?since=yesterday", 422, "since"),
    ("/search?until=2026-02-31T00:00:00Z", 422, "until"),
    ("/search?marked=yes", 422, "marked"),
    ("/search?undone=1", 422, "undone"),
    ("/search?kind=", 422, "kind"),
    ("/search?text=%00", 422, "text"),
    ("/search?seat=No%20Seat", 422, "seat"),
    ("/search?colour=red", 422, "colour"),
    ("/branches?as=p2", 409, "gm-only"),
    ("/search?as=p2", 409, "gm-only"),
    ("/rerolls?as=p2", 409, "gm-only"),
    ("/events/1?as=p2", 409, "gm-only"),
]


def test_what_cannot_be_looked_at(evening: SessionClient) -> None:
    for path, status, said in NOES:
        answer = evening.get("p1", path)
        assert answer.status_code == status, (path, answer.text)
        found = {
            404: answer.json["code"],
            409: answer.json.get("rule"),
            422: {error["parameter"] for error in answer.json.get("errors", [])},
        }
        assert found[status] in (said, {said}), path
