"""The stream of notices: what waits for the holder of one or several tokens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.http.routes import holder_stream
from tests.service.http.test_forks import forked
from tests.service.http.test_stream import Following, Message, messages
from tests.support.example import over, to_draw
from tests.support.server import DrawTable, SessionClient, TestServer, ask, laid, settings_in

Notices = list[tuple[str, Any]]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    """A server whose streams end as soon as they have said what there is."""
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="0.05"))) as made:
        yield made


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[TestServer]:
    """A server whose streams go on."""
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="60"))) as made:
        yield made


def notices(evening: SessionClient, seat: str, *more: str) -> Notices:
    """What a stream says until it ends, without its beginning and its end."""
    answer = opened(evening, seat, *more)
    assert answer.status_code == 200, answer.text
    first, *said, last = map(named, messages(answer.text))
    assert (first[0], last) == ("start", ("end", {"code": "rotate"}))
    return said


def opened(evening: SessionClient, seat: str, *more: str) -> Any:
    headers = evening.headers(seat) | ({"Fairlog-Tokens": ", ".join(more)} if more else {})
    return evening.house.client.get("/v1/me/stream", headers=headers)


def named(message: Message) -> tuple[str, Any]:
    return message.fields["event"], message.data


def next_notice(stream: Following) -> tuple[str, Any]:
    [message] = messages(stream.next())
    return named(message)


def check(evening: SessionClient) -> dict[str, Any]:
    """The notice of what waits for p1."""
    tasks = evening.get("p1", "").json["table"]["tasks"].values()
    return {
        "session": evening.session,
        "seat": "p1",
        "version": evening.version(),
        "tasks": sorted(
            [
                {"label": each["label"], "waits": each["waits"]}
                for each in tasks
                if each["seat"] == "p1"
            ],
            key=lambda task: (task["label"], task["waits"]),
        ),
    }


def test_a_seat_is_told_what_waits_for_it(house: TestServer) -> None:
    evening = laid(house)
    assert notices(evening, "p1") == [("your-turn", check(evening))]
    assert notices(evening, "p2") == []
    evening.go(*over())
    assert notices(evening, "p1") == []


def test_a_new_task_is_told_once_while_the_stream_is_open(lasting: TestServer) -> None:
    evening = laid(lasting)
    evening.go(*over())
    stream = Following(opened(evening, "p1"))
    evening.post("gm", "/narrate", {"text": "It rains."})
    evening.go(*to_draw())
    assert next_notice(stream) == ("your-turn", check(evening))
    evening.post("gm", "/narrate", {"text": "It still rains."})
    assert evening.delete("gm", "/seats/p1").status_code == 200
    assert [named(each) for each in messages(stream.rest())] == [
        ("seat-revoked", {"session": evening.session, "seat": "p1"}),
        ("end", {"code": "token-revoked"}),
    ]


def test_one_stream_serves_the_seats_of_several_tokens(house: TestServer) -> None:
    tables = [laid(house) for _ in range(3)]
    answer = opened(tables[0], "p2", tables[1].tokens["p1"], tables[2].tokens["p1"])
    start, *said, _ = map(named, messages(answer.text))
    assert [(each["session"], each["seat"]) for each in start[1]["seats"]] == [
        (tables[0].session, "p2"),
        (tables[1].session, "p1"),
        (tables[2].session, "p1"),
    ]
    assert said == [("your-turn", check(table)) for table in tables[1:]]


def test_a_seat_is_told_of_a_draw_until_it_has_contributed(house: TestServer) -> None:
    circle = DrawTable(house)
    circle.evening.go(*to_draw()[:-1])
    ask(circle)
    [(name, notice)] = [each for each in notices(circle.evening, "p2") if each[0] != "your-turn"]
    waiting = circle.waiting()
    assert (name, notice["seat"], notice["draw"]["number"]) == ("draw-waits", "p2", 0)
    assert notice["draw"]["deadline"] == waiting["deadline"]
    assert notices(circle.evening, "watcher") == []
    circle.give("p2")
    assert "draw-waits" not in dict(notices(circle.evening, "p2"))


def test_a_seat_is_invited_to_the_next_session(
    house: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = laid(house)
    evening.go(*over())
    child = forked(evening, "gm", evening.version(), title="The next week")
    quiet = child.post("gm", "/invitations", {"role": "player", "seat": "p1"})
    assert quiet.status_code == 201
    assert notices(evening, "p1") == []
    body = {"role": "player", "seat": "p1", "notify": True}
    made = child.post("gm", "/invitations", body).json
    told = {
        "session": evening.session,
        "seat": "p1",
        "title": "The next week",
        "new_session": child.session,
        "code": made["code"],
        "url": made["url"],
    }
    assert notices(evening, "p1") == [("invited", told)]
    assert notices(evening, "p2") == []
    taken = house.client.post("/v1/seats", json={"code": made["code"]})
    assert (taken.status_code, taken.json["seat"]) == (201, "p1")
    assert notices(evening, "p1") == []


def test_an_invitation_arrives_while_the_stream_is_open(
    lasting: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holder_stream, "OFFER_SECONDS", 0.05)
    evening = laid(lasting)
    child = forked(evening, "gm", evening.version())
    stream = Following(opened(evening, "p2"))
    made = child.post("gm", "/invitations", {"role": "player", "seat": "p2", "notify": True})
    name, told = next_notice(stream)
    assert (name, told["code"]) == ("invited", made.json["code"])
    stream.close()


@pytest.mark.parametrize("seat", [{}, {"seat": "stranger"}])
def test_nobody_is_told_of_an_invitation_for_no_seat_of_the_parent(
    house: TestServer, seat: dict[str, str]
) -> None:
    evening = laid(house)
    child = forked(evening, "gm", evening.version())
    for table in (child, evening):
        body = {"role": "player", "notify": True} | seat
        answer = table.post("gm", "/invitations", body)
        assert (answer.status_code, answer.json["rule"]) == (409, "no-parent-seat")


def test_a_revoked_token_ends_its_part(lasting: TestServer) -> None:
    evening, other = laid(lasting), laid(lasting)
    stream = Following(opened(evening, "p2", other.tokens["p1"]))
    assert next_notice(stream)[0] == "your-turn"
    assert other.delete("gm", "/seats/p1").status_code == 200
    lost = {"session": other.session, "seat": "p1"}
    assert next_notice(stream) == ("seat-revoked", lost)
    assert evening.delete("gm", "/seats/p2").status_code == 200
    assert [named(each) for each in messages(stream.rest())] == [
        ("seat-revoked", {"session": evening.session, "seat": "p2"}),
        ("end", {"code": "token-revoked"}),
    ]


def test_every_token_must_be_valid(house: TestServer) -> None:
    evening = laid(house)
    answers = {
        "flt_unknown": (401, "token-invalid"),
        "a b": (400, "unreadable"),
        ",": (400, "unreadable"),
        ", ".join(f"flt_{nth}" for nth in range(holder_stream.MAX_SEATS)): (400, "unreadable"),
    }
    for sent, expected in answers.items():
        answer = opened(evening, "p1", sent)
        assert (answer.status_code, answer.json["code"]) == expected, sent
    bot = evening.post("p2", "/tokens", {"name": "Bot", "scopes": ["play"]}).json["token"]
    answer = opened(evening, "p1", bot)
    assert (answer.status_code, answer.json["code"]) == (403, "scope-missing")
    assert house.client.get("/v1/me/stream").status_code == 401


def test_the_document_describes_every_message(house: TestServer) -> None:
    schemas = house.client.get("/openapi.json").json["components"]["schemas"]
    message = schemas["NoticeMessage"]["properties"]
    assert set(message["event"]["enum"]) == set(holder_stream.NAMES.values())
    described = message["data"]["contentSchema"]["anyOf"]
    names = [each["$ref"].rpartition("/")[2] for each in described]
    assert names == [struct.__name__ for struct in holder_stream.NAMES]
    assert set(names) <= set(schemas)
