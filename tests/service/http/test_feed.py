"""The feed over HTTP: segments that never change, what they keep sealed, comparing, and the cost of joining late."""

from __future__ import annotations

import gzip
import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace
from werkzeug.test import TestResponse

from bench.sessions import lengthen
from domain.codec import encode
from domain.merge_patch import apply
from domain.ruleset import Message
from domain.session.messages import Declare
from service.http.compression import MIN_BYTES
from service.platform.byte_cache import ByteCache
from service.sessions.feed import SEGMENT_VERSIONS, PackedSegment
from tests.support.example import EXAMPLE, guest, kind, over, to_draw, to_wait
from tests.support.scale import scale
from tests.support.server import SessionClient, TestServer, laid, settings_in
from tests.support.sessions import ScriptedSession as Played

FOREVER = "private, max-age=31536000, immutable"
DOCUMENTED = "/v1/sessions/{session}/feed/{segment}"
MARKER = "xyzzy"
GHOST, WOLF = guest("ghost", MARKER), guest("wolf", "Wolf")
CREATED = kind(type(Played().do("gm", EXAMPLE.guest)[-1].body))
EVERYONE = ("gm", "p1", "p2", "watcher")
JOINING = (100, scale(1000, 10_000), scale(2500, 100_000))


@pytest.fixture
def long(house: TestServer) -> SessionClient:
    """A table with a full segment and the beginning of another; the GM's secret stands early in the first."""
    evening = laid(house)
    evening.go(*over())
    secretly(evening, GHOST, "gm")
    grown(evening, SEGMENT_VERSIONS + 200)
    return evening


@pytest.fixture
def spacious(tmp_path: Path) -> Iterator[TestServer]:
    """A house whose chain of links lasts for long evenings."""
    served = TestServer(settings_in(tmp_path, FAIRLOG_CHAIN_LENGTH="60000"))
    yield served
    served.close()


def secretly(evening: SessionClient, command: Message, audience: str, seat: str = "gm") -> int:
    """The turn of a command under seal."""
    return int(evening.secretly(seat, command, audience)["turn"])


def grown(evening: SessionClient, events: int) -> None:
    """So many events or a few more, by draws of somebody whom the GM brings for them."""
    runner, left = f"runner-{evening.version()}", deque[Message]()

    def commands() -> Iterator[Declare]:
        yield Declare(Raw(encode(guest(runner, "A runner"))))
        while True:
            left.extend(command for _, command in (*to_draw("gm", runner), *over("gm", runner)))
            while left:
                yield Declare(Raw(encode(left.popleft())))

    lengthen(evening.house.app, evening.session, events, commands=commands())
    for command in left:
        evening.do("gm", command)


def fed(evening: SessionClient, seat: str | None) -> list[dict[str, Any]]:
    """Every event of the feed, segment by segment."""
    index = evening.get(seat, "/feed").json
    assert index["segments"] == index["last"] + 1
    segments = [evening.get(seat, f"/feed/{nth}").json for nth in range(index["segments"])]
    assert [segment["after"] for segment in segments] == [
        nth * SEGMENT_VERSIONS for nth in range(index["segments"])
    ]
    events = [event for segment in segments for event in segment["events"]]
    assert [event["version"] for event in events] == list(range(1, index["version"] + 1))
    return events


def opened(evening: SessionClient, turn: int) -> int:
    """The version at which a secret came to light."""
    answer = evening.post("gm", "/open-secret", {"turn": turn})
    assert answer.status_code == 201, answer.text
    return int(answer.json["version"])


def rewound(evening: SessionClient, to: int) -> None:
    answer = evening.post("gm", "/rewind", {"to": to, "reason": "again"})
    assert answer.status_code == 201, answer.text


def ends(evening: SessionClient) -> list[int]:
    """The last version of each turn."""
    events = evening.get("gm", "/events?last=1000").json["events"]
    return list({event["turn"]: event["version"] for event in events}.values())


def test_the_index_says_how_many_segments_there_are(long: SessionClient) -> None:
    answer = long.get("watcher", "/feed")
    version = long.version()
    assert answer.json == {"version": version, "size": SEGMENT_VERSIONS, "segments": 2, "last": 1}
    assert answer.headers["ETag"] == f'"{version}"'
    assert answer.headers["Cache-Control"] == "no-store"


def test_patches_fold_to_what_the_session_shows_at_every_version(evening: SessionClient) -> None:
    turn = secretly(evening, EXAMPLE.plain, "self", "p1")
    secretly(evening, GHOST, "gm")
    rewound(evening, ends(evening)[-3])
    rewound(evening, evening.version() - 1)
    assert evening.post("p1", "/open-secret", {"turn": turn}).status_code == 201
    for seat in EVERYONE:
        table: Any = {}
        for event in fed(evening, seat):
            table = apply(table, event.get("patch", {}))
            assert table == evening.get(seat, f"?version={event['version']}").json["table"], (
                seat,
                event,
            )


def test_a_complete_segment_never_changes(long: SessionClient) -> None:
    before = {seat: long.get(seat, "/feed/0") for seat in EVERYONE}
    opened(
        long,
        next(event["turn"] for event in before["watcher"].json["events"] if event.get("sealed")),
    )
    rewound(long, ends(long)[3])
    assert long.post("gm", "/hand-over", {"seat": "p1"}).status_code == 201
    assert long.post("p2", "/seats/p2/name", {"name": "Somebody else"}).status_code == 201
    long.house.restart()
    for seat, answer in before.items():
        again = long.get(seat, "/feed/0")
        assert again.data == answer.data
        assert again.headers["ETag"] == answer.headers["ETag"]
        assert again.headers["Cache-Control"] == answer.headers["Cache-Control"] == FOREVER
        assert again.json["complete"] is True
        assert len(again.json["events"]) == SEGMENT_VERSIONS


def test_the_last_segment_grows(long: SessionClient) -> None:
    first = long.get("p1", "/feed/1")
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert first.json["complete"] is False
    assert not_modified(long.get("p1", "/feed/1", If_None_Match=first.headers["ETag"]), first)
    long.post("p1", "/narrate", {"text": "It rains."})
    second = long.get("p1", "/feed/1", If_None_Match=first.headers["ETag"])
    assert second.status_code == 200
    assert second.headers["ETag"] != first.headers["ETag"]
    assert second.json["events"][:-1] == first.json["events"]
    assert second.json["events"][-1]["text"] == "{@p1}: It rains."


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_who_has_a_segment_is_told_so(long: SessionClient, encoding: str) -> None:
    answer = long.get("p1", "/feed/0", Accept_Encoding=encoding)
    tag = answer.headers["ETag"]
    for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        assert not_modified(
            long.get("p1", "/feed/0", Accept_Encoding=encoding, If_None_Match=sent), answer
        ), sent
    assert (
        long.get("p1", "/feed/0", Accept_Encoding=encoding, If_None_Match='"other"').data
        == answer.data
    )
    assert long.get("gm", "/feed/0", Accept_Encoding=encoding, If_None_Match=tag).status_code == 200


def not_modified(answer: TestResponse, first: TestResponse) -> bool:
    kept = ("ETag", "Cache-Control", "Vary")
    return (answer.status_code, answer.data) == (304, b"") and all(
        answer.headers[name] == first.headers[name] for name in kept
    )


def test_a_segment_is_zipped_for_who_takes_it_so(long: SessionClient) -> None:
    plain, zipped = (
        long.get("p1", "/feed/0", Accept_Encoding=sent) for sent in ("identity", "gzip, br")
    )
    assert "Content-Encoding" not in plain.headers
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.data) == plain.data
    assert len(zipped.data) < len(plain.data) / 5
    assert plain.headers["ETag"] != zipped.headers["ETag"]
    for answer in (plain, zipped):
        assert answer.headers["Vary"] == "Authorization, Cookie, Accept-Encoding"


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_slow_readers_hold_so_much_and_no_more(long: SessionClient, encoding: str) -> None:
    house = long.house
    cache = ByteCache[PackedSegment](max_borrowed_bytes=1)  # one segment, of any size
    house.flask.extensions["fairlog"] = replace(house.flask.extensions["fairlog"], segments=cache)

    def ask(number: int, method: str = "GET", *, slowly: bool = False, **more: str) -> TestResponse:
        headers = long.headers("p1", Accept_Encoding=encoding, **more)
        path = f"{long.path}/feed/{number}"
        return house.client.open(path, method=method, headers=headers, buffered=not slowly)

    slow = [ask(0, slowly=True), ask(0, slowly=True)]
    size = cache._borrowed_bytes
    cache.clear()
    shared = ask(0)
    assert (shared.status_code, cache._borrowed_bytes) == (200, size)
    slow[0].close()
    for method in ("GET", "HEAD"):
        full = ask(1, method)
        assert (full.status_code, full.headers["Retry-After"]) == (503, "2")
        assert full.headers["Cache-Control"] == "no-store"
    assert ask(1).json["code"] == "unavailable"
    documented = house.client.get("/openapi.json").json["paths"][DOCUMENTED]["get"]["responses"]
    assert "unavailable" in documented["503"]["$ref"]
    slow[1].close()
    assert cache._borrowed_bytes == 0
    known = {"If_None_Match": shared.headers["ETag"]}
    for answer, status in (
        (ask(1), 200),
        (ask(0, "HEAD"), 200),
        (ask(0, **known), 304),
        (ask(0), 200),
    ):
        assert answer.status_code == status
    assert cache._borrowed_bytes == 0


def test_a_segment_that_cannot_be_sent_is_not_held(
    long: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = long.house.flask.extensions["fairlog"].segments
    for name in ("_feed_event", "_segment_response"):
        with monkeypatch.context() as broken:
            broken.setattr(f"service.http.routes.feed.{name}", None)
            assert long.get("p1", "/feed/0").status_code == 500
            assert cache._borrowed_bytes == 0
    assert long.get("p1", "/feed/0").status_code == 200


def test_a_secret_is_sealed_in_the_feed_until_it_is_opened(long: SessionClient) -> None:
    turn = next(event["turn"] for event in fed(long, "watcher") if event.get("sealed"))
    assert all(MARKER not in json.dumps(fed(long, seat)) for seat in ("p1", "p2", "watcher"))
    grown(long, 2 * SEGMENT_VERSIONS + 50)
    at = opened(long, turn)
    for seat in ("p1", "p2", "watcher"):
        told = [event for event in fed(long, seat) if MARKER in json.dumps(event)]
        assert [event["version"] for event in told] == [at]
        assert [old["kind"] for old in told[0]["opens"]] == ["session.Declared", CREATED]
        assert told[0]["patch"]["entities"]["ghost"]["name"] == MARKER
        assert (told[0]["kind"], told[0]["highlight"]) == ("session.SealOpened", "opened")


def test_the_gm_looks_at_the_feed_as_another_seat(long: SessionClient) -> None:
    seen, own = (
        long.get(seat, f"/feed/0{query}").data for seat, query in (("gm", "?as=p1"), ("p1", ""))
    )
    assert seen == own
    assert MARKER.encode() not in seen
    assert MARKER.encode() in long.get("gm", "/feed/0").data
    assert long.get("p1", "/feed/0?as=p2").status_code == 409


def test_a_sealed_entry_says_who_and_when_and_in_which_turn(long: SessionClient) -> None:
    sealed = [event for event in fed(long, "watcher") if event.get("sealed")]
    assert len(sealed) == 2
    for event in sealed:
        assert event.keys() == {"version", "turn", "at", "seat", "sealed"}
        assert event["seat"] == "gm"


def test_who_is_in_the_audience_sees_it_at_its_version(long: SessionClient) -> None:
    created = [event for event in fed(long, "gm") if MARKER in json.dumps(event)]
    assert [event["kind"] for event in created] == ["session.Declared", CREATED]
    assert not any(event.get("sealed") or event.get("opens") for event in fed(long, "gm"))


def test_a_new_gm_learns_the_old_ones_secrets_from_then_on(long: SessionClient) -> None:
    before = long.get("p1", "/feed/0").data
    long.post("gm", "/hand-over", {"seat": "p1"})
    learned = [event for event in fed(long, "p1") if MARKER in json.dumps(event)]
    assert [event["highlight"] for event in learned] == ["handed-over"]
    assert [old["kind"] for old in learned[0]["opens"]] == ["session.Declared", CREATED]
    assert long.get("p1", "/feed/0").data == before


def test_names_stand_for_themselves_until_the_session_fills_them_in(evening: SessionClient) -> None:
    evening.post("p1", "/seats/p1/name", {"name": "Ana the Bold"})
    told = [event["text"] for event in fed(evening, "p2")]
    assert "{@p1} is here as a player." in told
    assert evening.get("p2", "").json["names"]["@p1"] == "Ana the Bold"


def test_a_rewind_says_where_it_went(evening: SessionClient) -> None:
    to = ends(evening)[-2]
    rewound(evening, to)
    *_, last = fed(evening, "p1")
    assert (last["highlight"], last["to"], last["text"]) == (
        "rewind",
        to,
        f"{{@gm}} rewinds to version {to} (again).",
    )


@pytest.mark.parametrize("number", ["1", "999999999999"])
def test_a_segment_that_is_not_there_yet_is_not_found(evening: SessionClient, number: str) -> None:
    answer = evening.get("gm", f"/feed/{number}")
    assert (answer.status_code, answer.json["code"]) == (404, "not-found")
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("number", ["01", "-1", "x", "1.0", "9999999999999"])
def test_what_is_no_number_of_a_segment_is_no_address(evening: SessionClient, number: str) -> None:
    assert evening.get("gm", f"/feed/{number}").status_code == 404


@pytest.mark.parametrize("path", ["/feed", "/feed/0", "/compare?from=1"])
def test_a_foreign_session_has_no_feed(
    house: TestServer, evening: SessionClient, path: str
) -> None:
    foreign = house.open()
    answer = house.client.get(evening.path + path, headers=foreign.headers("gm"))
    assert (answer.status_code, answer.json["code"]) == (404, "not-found")
    assert evening.get(None, path).status_code == 401


def test_versions_are_compared_field_by_field(evening: SessionClient) -> None:
    evening.go(*over(), *to_wait())
    before = evening.version()
    evening.go(*to_draw()[len(to_wait()) :], *over(), ("gm", WOLF))
    found = evening.get("p2", f"/compare?from={before}").json
    assert (found["from"], found["to"]) == (before, evening.version())
    fields = {tuple(change["path"]): change for change in found["changes"]}
    assert fields["entities", "wolf", "name"] == {
        "path": ["entities", "wolf", "name"],
        "after": "Wolf",
    }
    [task] = [
        name
        for name, told in evening.table("p2", f"?version={before}")["tasks"].items()
        if told["seat"] == "p1"
    ]
    assert fields["tasks", task, "seat"] == {"path": ["tasks", task, "seat"], "before": "p1"}
    old, new = (
        evening.get("p2", f"?version={version}").json["table"]
        for version in (found["from"], found["to"])
    )
    assert apply(old, found["patch"]) == new


def test_branches_are_compared_and_backwards_too(evening: SessionClient) -> None:
    left = evening.version()
    rewound(evening, ends(evening)[-3])
    evening.do("gm", WOLF)
    here = evening.version()
    there, back = (
        evening.get("gm", f"/compare?from={a}&to={b}").json for a, b in ((left, here), (here, left))
    )
    tables = {
        version: evening.get("gm", f"?version={version}").json["table"] for version in (left, here)
    }
    assert (
        apply(tables[left], there["patch"])
        == tables[here]
        != tables[left]
        == apply(tables[here], back["patch"])
    )
    assert back["changes"] == [turned(change) for change in there["changes"]]
    assert evening.get("gm", f"/compare?from={here}&to={here}").json["changes"] == []


def turned(change: dict[str, Any]) -> dict[str, Any]:
    """The same field the other way round."""
    names = {"path": "path", "before": "after", "after": "before"}
    return {names[name]: value for name, value in change.items()}


def test_what_is_compared_is_what_was_seen(evening: SessionClient) -> None:
    before = evening.version()
    secretly(evening, GHOST, "gm")
    assert MARKER in evening.get("gm", f"/compare?from={before}").text
    for path, seat in (("", "watcher"), ("&as=watcher", "gm")):
        answer = evening.get(seat, f"/compare?from={before}{path}")
        assert (answer.json["changes"], answer.json["patch"]) == ([], {})
    refused = evening.get("p1", f"/compare?from={before}&as=gm")
    assert (refused.status_code, refused.json["rule"]) == (409, "gm-only")


@pytest.mark.parametrize(
    ("query", "status"), [("", 422), ("?from=0", 422), ("?from=1&to=99999", 404)]
)
def test_only_versions_that_are_there_are_compared(
    evening: SessionClient, query: str, status: int
) -> None:
    assert evening.get("gm", f"/compare{query}").status_code == status


def test_the_last_events_are_the_newest(evening: SessionClient) -> None:
    version = evening.version()
    found = evening.get("p1", "/events?last=3").json
    assert [event["version"] for event in found["events"]] == [version - 2, version - 1, version]
    assert "next" not in found
    assert len(evening.get("p1", "/events?last=10000").json["events"]) == version
    behind = evening.get("p1", f"/events?after={version - 1}&last=3").json["events"]
    assert [event["version"] for event in behind] == [version]
    assert evening.get("p1", "/events?last=0").status_code == 422


@pytest.mark.timeout(600)
def test_joining_late_costs_the_same_bytes_as_joining_early(spacious: TestServer) -> None:
    # An evening each, with as many runners at its table.
    sizes = [joined(spacious.open(), events) for events in JOINING]
    print(f"joining at {JOINING} events: {sizes} bytes, plain and zipped")
    for costs in zip(*sizes, strict=True):
        assert max(costs) <= 1.1 * min(costs), costs


JOINED = ("", "/events?last=60")
"""What a client reads that joins."""


def joined(evening: SessionClient, events: int) -> tuple[int, int]:
    """What a newcomer reads of so long an evening, as it comes and as it could be zipped."""
    grown(evening, events)
    evening.house.follow()
    answers = [evening.get("gm", path) for path in JOINED]
    assert answers[0].json["version"] >= events
    assert len(answers[1].json["events"]) == 60
    packed = [evening.get("gm", path, Accept_Encoding="gzip") for path in JOINED]
    assert [answer.headers.get("Content-Encoding") for answer in packed] == [
        "gzip" if len(answer.data) >= MIN_BYTES else None for answer in answers
    ]
    return sum(len(answer.data) for answer in answers), sum(
        len(gzip.compress(answer.data)) for answer in answers
    )
