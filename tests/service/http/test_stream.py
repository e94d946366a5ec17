"""The stream in process: how it speaks, where it goes on, when it ends, and what each viewer gets of it."""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from werkzeug.test import TestResponse

from domain.visibility import Viewer
from service.http.auth import ApiServices
from service.sessions.live_streams import (
    CHECK_SECONDS,
    GRACE_SECONDS,
    LiveStream,
    StreamPage,
)
from tests.support.example import as_json, over, to_draw
from tests.support.scale import scale
from tests.support.server import SessionClient, TestServer, laid, settings_in

NDJSON = "application/x-ndjson"
SHORT = {"FAIRLOG_STREAM_SECONDS": "0.05"}


class Message(NamedTuple):
    """What stands between two empty lines: its fields, and its comments under an empty name."""

    fields: dict[str, str]

    @property
    def data(self) -> Any:
        return msgspec.json.decode(self.fields["data"])


def messages(text: str) -> list[Message]:
    """As a browser reads them."""
    assert text.endswith("\n\n")
    return [
        Message(
            dict(
                line.partition(": ")[::2] if not line.startswith(":") else ("", line)
                for line in part.split("\n")
            )
        )
        for part in text[:-2].split("\n\n")
    ]


def events(text: str) -> list[Message]:
    return [
        message
        for message in messages(text)
        if "data" in message.fields and "event" not in message.fields
    ]


def end(text: str) -> Any:
    *_, last = messages(text)
    assert last.fields["event"] == "end"
    assert "id" not in last.fields  # or it would be taken for the last version
    return last.data


def lines(evening: SessionClient, seat: str | None, query: str = "") -> list[bytes]:
    """The events as the pages give them."""
    return evening.get(seat, f"/events?limit=200{query}", Accept=NDJSON).data.splitlines()


class Following:
    """An open stream, read part by part."""

    def __init__(self, answer: TestResponse) -> None:
        assert answer.status_code == 200, answer.text
        self.answer = answer
        self.parts: Iterator[bytes] = iter(answer.iter_encoded())
        self.said = ""
        self.opening = self.next()

    def next(self) -> str:
        part = next(self.parts).decode()
        self.said += part
        return part

    def rest(self) -> str:
        return "".join(part.decode() for part in self.parts)

    def close(self) -> None:
        self.answer.close()


def follow(evening: SessionClient, seat: str | None, query: str = "", **headers: str) -> Following:
    return Following(evening.get(seat, f"/stream{query}", **headers))


@pytest.fixture
def brief(tmp_path: Path) -> Iterator[SessionClient]:
    """A table whose streams end as soon as they have said what there is."""
    with closing(TestServer(settings_in(tmp_path, **SHORT))) as house:
        yield laid(house)


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[SessionClient]:
    """A table whose streams go on."""
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="60"))) as house:
        yield laid(house)


def test_an_event_is_a_message_with_its_version_and_the_json_of_the_page(
    brief: SessionClient,
) -> None:
    answer = brief.get("p1", "/stream?after=0")
    opening, *_ = messages(answer.text)
    assert opening.fields == {
        "retry": "1000",
        "id": "0",
        "event": "start",
        "data": '{"version":0}',
    }
    assert [message.fields["data"].encode() for message in events(answer.text)] == lines(
        brief, "p1"
    )
    assert [int(message.fields["id"]) for message in events(answer.text)] == list(
        range(1, brief.version() + 1)
    )
    assert end(answer.text) == {"code": "rotate"}
    assert answer.content_type == "text/event-stream"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store"


def test_an_event_is_a_line_where_lines_are_asked_for(brief: SessionClient) -> None:
    answer = brief.get("p1", "/stream?after=3", Accept=NDJSON)
    opening, *found, last = answer.data.splitlines()
    assert answer.content_type == NDJSON
    assert (opening, last) == (b'{"after":3}', b'{"end":{"code":"rotate"}}')
    assert found == lines(brief, "p1", "&after=3")


@pytest.mark.parametrize("accept", ["text/event-stream", NDJSON])
@pytest.mark.parametrize("named", ["header", "query", "both"])
def test_a_stream_goes_on_behind_any_version(brief: SessionClient, named: str, accept: str) -> None:
    whole, head = lines(brief, "p1"), brief.version()
    for after in range(0, head + 1, scale(5, 1)):
        query = "" if named == "header" else f"?after={after if named == 'query' else 1}"
        resumed = {} if named == "query" else {"Last_Event_ID": str(after)}
        text = brief.get("p1", f"/stream{query}", Accept=accept, **resumed).text
        found = (
            text.encode().splitlines()[1:-1]
            if accept == NDJSON
            else [message.fields["data"].encode() for message in events(text)]
        )
        assert found == whole[after:], after


def test_small_pages_leave_nothing_out(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_PAGE="3", **SHORT))) as house:
        evening = laid(house)
        found = events(evening.get("p1", "/stream?after=1").text)
        assert [int(message.fields["id"]) for message in found] == list(
            range(2, evening.version() + 1)
        )


def test_without_a_version_it_begins_now_and_says_where_that_is(lasting: SessionClient) -> None:
    before = lasting.version()
    with closing(follow(lasting, "watcher")) as stream:
        assert messages(stream.opening)[0].fields["id"] == str(before)
        said = lasting.post("p1", "/narrate", {"text": "Off we go."}).json
        found = events(stream.next())
        assert [message.data for message in found] == said["events"]
        lasting.post("p2", "/narrate", {"text": "On we go."})
        assert [message.data["version"] for message in events(stream.next())] == [
            said["version"] + 1
        ]


def test_what_another_process_writes_arrives_too(lasting: SessionClient) -> None:
    other = TestServer(lasting.house.settings)
    with closing(other), closing(follow(lasting, "p1")) as stream:
        answer = other.client.post(
            f"{lasting.path}/narrate",
            json={"text": "From next door."},
            headers=lasting.headers("gm"),
        )
        assert [message.data for message in events(stream.next())] == answer.json["events"]


def test_nobody_else_hears_of_another_session(lasting: SessionClient) -> None:
    other = lasting.house.open()
    with closing(follow(lasting, "p1")) as stream, closing(follow(other, "gm")) as elsewhere:
        other.post("gm", "/narrate", {"text": "Over there."})
        assert len(events(elsewhere.next())) == 1
        lasting.post("gm", "/narrate", {"text": "Over here."})
        assert [message.data["body"]["text"] for message in events(stream.next())] == ["Over here."]


@pytest.mark.parametrize(
    ("accept", "silent"), [("text/event-stream", ": {}\n"), (NDJSON, '{{"after":{}}}\n')]
)
def test_silence_is_broken_now_and_then(tmp_path: Path, accept: str, silent: str) -> None:
    more = {"FAIRLOG_STREAM_HEARTBEAT": "0.1", "FAIRLOG_STREAM_SECONDS": "60"}
    with closing(TestServer(settings_in(tmp_path, **more))) as house:
        evening = laid(house)
        with closing(follow(evening, "p1", Accept=accept)) as stream:
            began = time.monotonic()
            assert [stream.next() for _ in range(3)] == [silent.format(evening.version())] * 3
            assert time.monotonic() - began >= 0.3


def test_a_stream_lives_for_four_fifths_of_the_setting_or_more(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="0.5"))) as house:
        evening, lives = laid(house), []
        for _ in range(4):
            began = time.monotonic()
            assert end(evening.get("p1", "/stream").text) == {"code": "rotate"}
            lives.append(time.monotonic() - began)
        assert min(lives) >= 0.4


def test_above_the_cap_there_is_a_503_until_one_leaves(tmp_path: Path) -> None:
    with closing(
        TestServer(settings_in(tmp_path, FAIRLOG_STREAMS="2", FAIRLOG_STREAM_SECONDS="60"))
    ) as house:
        evening = laid(house)
        one, two = follow(evening, "p1"), follow(evening, "p2")
        assert (
            house.client.head(f"{evening.path}/stream", headers=evening.headers("p1")).status_code
            == 200
        )
        full = evening.get("p1", "/stream")
        assert (full.status_code, full.json["code"]) == (503, "streams-full")
        assert full.headers["Retry-After"] == "2"
        one.close()
        three = follow(evening, "p1")
        assert evening.get("p1", "/stream").status_code == 503
        two.close()
        three.close()


BAD = [
    # who        query              headers                          status  code
    ("p1",       "?after={ahead}",  {},                              409, "version-unknown"),
    ("p1",       "",                {"Last_Event_ID": "{ahead}"},    409, "version-unknown"),
    ("p1",       "?after=1",        {"Last_Event_ID": "{ahead}"},    409, "version-unknown"),
    ("p1",       "?after=-1",       {},                              422, "malformed"),
    ("p1",       "?after=x",        {},                              422, "malformed"),
    ("p1",       "?limit=5",        {},                              422, "malformed"),
    ("p1",       "",                {"Last_Event_ID": "x"},          400, "unreadable"),
    ("p1",       "",                {"Last_Event_ID": "01"},         400, "unreadable"),
    ("p1",       "?as=p2",          {},                              409, "refused"),
    ("gm",       "?as=nobody",      {},                              409, "refused"),
    (None,       "",                {},                              401, "token-missing"),
    ("forged",   "",                {},                              401, "token-invalid"),
    ("revoked",  "",                {},                              401, "token-invalid"),
    ("gone",     "",                {},                              401, "token-invalid"),
    ("foreign",  "",                {},                              404, "not-found"),
]  # fmt: skip


@pytest.mark.parametrize(("seat", "query", "headers", "status", "code"), BAD)
def test_bad_input_has_its_own_code_and_loses_nothing(
    evening: SessionClient,
    seat: str | None,
    query: str,
    headers: dict[str, str],
    status: int,
    code: str,
) -> None:
    ahead = str(evening.version() + 1)
    evening.tokens |= {"forged": "flt_" + "A" * 43, "foreign": evening.house.open().tokens["gm"]}
    evening.seat("revoked", "spectator")
    evening.delete("revoked", "/tokens/current")
    evening.seat("gone", "spectator")
    evening.delete("gm", "/seats/gone")
    ahead, before = str(evening.version() + 1), evening.house.log()
    sent = {name: value.format(ahead=ahead) for name, value in headers.items()}
    answer = evening.get(seat, f"/stream{query.format(ahead=ahead)}", **sent)
    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert answer.json.get("version") == (evening.version() if code == "version-unknown" else None)
    assert evening.house.log() == before


def revoke(evening: SessionClient) -> None:
    assert evening.delete("watcher", "/tokens/current").status_code == 204


def remove(evening: SessionClient) -> None:
    assert evening.delete("gm", "/seats/watcher").status_code == 200


def give_away(evening: SessionClient) -> None:
    evening.seat("watcher", "spectator")


LOSSES: list[Callable[[SessionClient], None]] = [revoke, remove, give_away]


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("listed", [False, True])
def test_a_stream_ends_with_its_token_and_says_nothing_more(
    tmp_path: Path, lose: Callable[[SessionClient], None], listed: bool
) -> None:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="60"))) as house:
        evening = laid(house, options={"listed": listed})
        with closing(follow(evening, "watcher")) as stream:
            lose(evening)
            evening.post("gm", "/narrate", {"text": "Now we are among ourselves."})
            rest = stream.rest()
            assert events(rest) == []
            assert end(rest) == {"code": "token-revoked"}


def test_everybody_elses_stream_goes_on(lasting: SessionClient) -> None:
    with closing(follow(lasting, "p1")) as stream:
        remove(lasting)
        assert [message.data["kind"] for message in events(stream.next())] == ["session.SeatLeft"]


def test_a_stream_of_a_stopping_server_says_so(lasting: SessionClient) -> None:
    services: ApiServices = lasting.house.flask.extensions["fairlog"]
    with closing(follow(lasting, "p1")) as stream:
        services.streams.stop()
        assert end(stream.rest()) == {"code": "stopping"}
    assert end(lasting.get("p1", "/stream").text) == {"code": "stopping"}


def test_nobody_looks_into_a_log_that_is_closed(lasting: SessionClient) -> None:
    before = set(threading.enumerate())
    with closing(follow(lasting, "p1")) as stream:
        started = set(threading.enumerate()) - before
        assert {thread.name for thread in started} == {"streams", "connections"}
        lasting.house.close()
        assert [thread for thread in started if thread.is_alive()] == []
        assert end(stream.rest()) == {"code": "stopping"}


def test_a_stream_ends_where_the_log_cannot_be_read(lasting: SessionClient) -> None:
    with closing(follow(lasting, "p1")) as stream:
        with closing(sqlite3.connect(lasting.house.settings.log_file)) as connection:
            connection.execute("ALTER TABLE stored_events RENAME TO lost")
        assert end(stream.rest()) == {"code": "unavailable"}


@pytest.fixture
def intrigue(tmp_path: Path) -> Iterator[SessionClient]:
    """A table where things were done in secret, for all audiences, and one of them opened."""
    with closing(TestServer(settings_in(tmp_path, **SHORT))) as house:
        evening = laid(house, options={"listed": True})
        evening.seat("judge", "auditor")
        evening.go(*over())
        for seat, audience in (
            ("p1", "gm"),
            ("p1", "self"),
            ("gm", "blind"),
            ("p2", "gm"),
            ("p1", "blind"),
        ):
            for who, command in to_draw(
                "p1" if seat == "gm" else seat, "ben" if seat == "p2" else "ana"
            ):
                body = {"command": as_json(command), "audience": audience}
                evening.post(
                    who, "/commands", body
                )  # some are refused: there is something that they do not see
            evening.post(seat, "/narrate", {"text": f"a whisper of {seat}", "audience": audience})
        yield evening


VIEWERS = [
    ("gm", ""),
    ("p1", ""),
    ("p2", ""),
    ("watcher", ""),
    ("judge", ""),
    (None, ""),
    ("gm", "p1"),
    ("gm", "p2"),
    ("judge", "watcher"),
]


def test_every_viewer_gets_what_the_page_gives_them_and_not_what_it_gives_another(
    intrigue: SessionClient,
) -> None:
    """One process and one head: pages that may be shared are."""
    given: dict[tuple[str | None, str], list[bytes]] = {}
    for turn in (0, 1):
        for seat, through in VIEWERS:
            text = intrigue.get(seat, f"/stream?after=0{f'&as={through}' if through else ''}").text
            given[seat, through] = [message.fields["data"].encode() for message in events(text)]
            assert given[seat, through] == lines(
                intrigue, seat, f"&as={through}" if through else ""
            ), (seat, turn)
            assert len(given[seat, through]) == intrigue.version()  # sealed ones are not left out
    assert given["watcher", ""] == given[None, ""]
    assert len({b"".join(one) for one in given.values()}) >= 5
    assert b"a whisper of p2" in b"".join(given["gm", ""])
    assert b"a whisper" not in b"".join(given["watcher", ""])


def test_a_seal_is_opened_for_those_who_watch(lasting: SessionClient) -> None:
    with closing(follow(lasting, "watcher")) as stream:
        said = lasting.post("p1", "/narrate", {"text": "a whisper", "audience": "gm"}).json
        [sealed] = events(stream.next())
        assert sealed.data["sealed"] is True
        assert "whisper" not in stream.said
        assert lasting.post("p1", "/open-secret", {"turn": said["turn"]}).status_code == 201
        [opened] = events(stream.next())
        assert opened.data["kind"] == "session.SealOpened"


def test_what_counts_is_what_a_seat_may_see_now(lasting: SessionClient) -> None:
    """Not what it could see at the heads that others were told of, whose pages it would else share."""
    before = lasting.version()
    with closing(follow(lasting, "watcher")) as stream, closing(follow(lasting, "gm")) as told:
        for nth in range(3):
            lasting.post("p2", "/narrate", {"text": f"a whisper, {nth}", "audience": "gm"})
            assert len(events(stream.next())) == len(events(told.next())) == 1
        lasting.seat("judge", "auditor")
        lasting.post("gm", "/hand-over", {"seat": "p1"})
        for seat, sees in (("judge", 3), ("p1", 3), ("gm", 0), ("p2", 3), ("watcher", 0)):
            with closing(follow(lasting, seat, f"?after={before}")) as late:
                while len(events(late.said)) < lasting.version() - before:
                    late.next()
            assert (
                sum("a whisper" in event.fields["data"] for event in events(late.said)) == sees
            ), seat
            assert [event.fields["data"].encode() for event in events(late.said)] == lines(
                lasting, seat, f"&after={before}"
            )


def test_an_auditors_stream_is_a_reading(intrigue: SessionClient) -> None:
    intrigue.get("judge", "/stream?after=3").close()
    *_, last = intrigue.get("gm", "/audit-reads?limit=200").json["audit_reads"]
    assert (last["seat"], last["path"]) == ("judge", f"{intrigue.path}/stream?after=3")


def test_what_many_see_is_made_once(house: TestServer) -> None:
    services: ApiServices = house.flask.extensions["fairlog"]
    made, start = [], threading.Barrier(8)

    def make() -> StreamPage:
        time.sleep(0.01)
        made.append(1)
        return StreamPage(b"x", len(made))

    def ask(_: int) -> list[StreamPage]:
        start.wait()
        return [services.streams.shared(key, make, lambda page: 1) for key in range(100)]

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(ask, range(8))
    assert len(made) == 100
    assert all(other == first for other in others)
    for key in range(100, 105):
        services.streams.shared(key, make, lambda page: 7 << 20)
    services.streams.shared(0, make, lambda page: 1)  # only so many bytes are kept
    assert len(made) == 106


def wired(evening: SessionClient, until: float) -> tuple[LiveStream, socket.socket, socket.socket]:
    """A stream with a real connection under it: the server's end and the client's."""
    services: ApiServices = evening.house.flask.extensions["fairlog"]
    ours, theirs = socket.socketpair()
    stream = LiveStream(
        services.app.log.read(evening.session).session, Viewer("p1"), None, 0, until, ours
    )
    services.streams.join(stream)
    return stream, ours, theirs


def test_a_client_that_takes_nothing_is_cut_off_some_time_after_its_streams_time(
    lasting: SessionClient,
) -> None:
    """Its thread is held up in sending, and would be for ever."""
    stream, ours, theirs = wired(lasting, time.monotonic() - 2 * GRACE_SECONDS)
    with ours, theirs, pytest.raises(BrokenPipeError):
        ours.sendall(bytes(1 << 24))
    assert stream.end_reason() == "rotate"


def test_a_stream_whose_client_has_gone_is_over(lasting: SessionClient) -> None:
    stream, ours, theirs = wired(lasting, time.monotonic() + 60)
    with ours:
        theirs.close()
        stream.wait(time.monotonic() + 30)
        assert stream.end_reason() == "rotate"


def test_a_client_that_is_there_keeps_its_stream(lasting: SessionClient) -> None:
    stream, ours, theirs = wired(lasting, time.monotonic() + 60)
    with ours, theirs:
        stream.wait(time.monotonic() + 2 * CHECK_SECONDS)
        assert stream.end_reason() is None
