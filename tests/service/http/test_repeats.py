"""The same key gives the same answer, also after a restart; and however many ask at once, each command counts once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.sessions.deletion import delete
from tests.support.example import EXAMPLE, FIRST, brought, of, over, rest, to_draw
from tests.support.scale import scale
from tests.support.server import KEY, SessionClient, TestServer

COMMANDS = scale(100, 1000)


def same(first: TestResponse, again: TestResponse) -> None:
    """All but `repeated` and `undone`, which are about now."""
    assert first.status_code == again.status_code
    assert again.json["repeated"] is True
    assert {**first.json, "repeated": True} == again.json


@pytest.mark.parametrize("restart", [False, True])
def test_a_repeated_command_gives_the_same_answer(evening: SessionClient, restart: bool) -> None:
    first = evening.command("p1", EXAMPLE.plain, Idempotency_Key=KEY)
    evening.go(*rest(), *to_draw())
    if restart:
        evening.house.restart()
    before = evening.house.log()
    same(first, evening.command("p1", EXAMPLE.plain, Idempotency_Key=KEY))
    assert evening.house.log() == before
    assert first.headers["Idempotency-Key"] == KEY


def test_a_repeat_after_a_rewind_says_what_was_undone(evening: SessionClient) -> None:
    version = evening.version()
    settled = evening.command("p1", EXAMPLE.plain, Idempotency_Key=KEY)
    evening.post("gm", "/rewind", {"to": version, "reason": "again"})
    again = evening.command("p1", EXAMPLE.plain, Idempotency_Key=KEY)
    assert not any(event["undone"] for event in settled.json["events"])
    assert all(event["undone"] for event in again.json["events"])
    evening.house.follow()
    assert evening.command("p1", EXAMPLE.plain, Idempotency_Key=KEY).json == again.json


def test_a_refusal_is_judged_again(evening: SessionClient) -> None:
    evening.go(*over())
    evening.seat("p4")
    draw = of("cleo", EXAMPLE.draw)
    assert evening.command("p4", draw, Idempotency_Key=KEY).status_code == 409
    *before, _ = to_draw("p4", "cleo")
    evening.go(("p4", brought("cleo", "Cleo")), *before)
    assert evening.command("p4", draw, Idempotency_Key=KEY).status_code == 201


def test_an_answer_names_the_key_that_was_made_for_it(evening: SessionClient) -> None:
    body = {"text": "x"}
    first = evening.post("p1", "/narrate", body)
    same(
        first,
        evening.post("p1", "/narrate", body, Idempotency_Key=first.headers["Idempotency-Key"]),
    )


def test_a_repeated_opening_gives_the_same_session_and_token(house: TestServer) -> None:
    body = {"ruleset": FIRST.name, "title": "x"}
    first = house.client.post("/v1/sessions", json=body, headers={"Idempotency-Key": KEY})
    house.restart()
    again = house.client.post("/v1/sessions", json=body, headers={"Idempotency-Key": KEY})
    assert (first.status_code, first.json) == (again.status_code, again.json)
    assert len({row[1] for row in house.log()}) == 1
    other = house.client.post(
        "/v1/sessions", json={**body, "title": "y"}, headers={"Idempotency-Key": KEY}
    )
    assert (other.status_code, other.json["code"]) == (422, "key-reused")


@pytest.mark.parametrize(
    "other",
    [
        {"title": "y"},
        {"seat": "mo"},
        {"seat": "house"},
        {"name": "Mo"},
        {"options": {"listed": True}},
    ],
)
def test_another_opening_under_the_same_key_is_told_so(
    house: TestServer, other: dict[str, Any]
) -> None:
    body, headers = {"ruleset": FIRST.name, "title": "x"}, {"Idempotency-Key": KEY}
    first = house.client.post("/v1/sessions", json=body, headers=headers)
    before = house.log()
    again = house.client.post("/v1/sessions", json={**body, **other}, headers=headers)
    assert (again.status_code, again.json["code"]) == (422, "key-reused")
    assert house.log() == before
    assert house.client.post("/v1/sessions", json=body, headers=headers).json == first.json


@pytest.mark.parametrize("name", [{}, {"name": "Mo"}], ids=["same size", "another size"])
def test_a_deleted_session_is_not_opened_again(house: TestServer, name: dict[str, str]) -> None:
    """Else cached states of the deleted session would be taken for those of the new one."""
    body, headers = {"ruleset": FIRST.name, "title": "x"}, {"Idempotency-Key": KEY}
    first = house.client.post("/v1/sessions", json=body, headers=headers).json
    delete(house.app, first["session"])
    again = house.client.post("/v1/sessions", json=body | name, headers=headers)
    assert (again.status_code, again.json["code"]) == (422, "key-reused")
    assert house.log() == []
    assert house.open().session != first["session"]


@pytest.mark.parametrize(
    "invited", [{}, {"seat": "p9"}, {"seat": "p1"}], ids=["open", "free", "held"]
)
@pytest.mark.parametrize("other", [{"seat": "p8"}, {"seat": "house"}, {"name": "Gert"}])
def test_another_taking_under_the_same_key_is_told_so(
    evening: SessionClient, invited: dict[str, str], other: dict[str, str]
) -> None:
    body, headers = {"code": evening.invite(max_uses=3, **invited)}, {"Idempotency-Key": KEY}
    first = evening.house.client.post("/v1/seats", json=body, headers=headers)
    before = evening.house.log()
    again = evening.house.client.post("/v1/seats", json={**body, **other}, headers=headers)
    assert (again.status_code, again.json["code"]) == (422, "key-reused")
    assert evening.house.log() == before
    assert evening.get("gm", "/invitations").json["invitations"][0]["remaining_uses"] == 2
    assert evening.house.client.post("/v1/seats", json=body, headers=headers).json == first.json


def test_a_repeat_under_the_servers_own_key_gives_the_same_too(evening: SessionClient) -> None:
    client = evening.house.client
    asks = {
        "/v1/sessions": {"ruleset": FIRST.name, "title": "x"},
        "/v1/seats": {"code": evening.invite()},
    }
    for path, body in asks.items():
        first = client.post(path, json=body)
        again = client.post(
            path, json=body, headers={"Idempotency-Key": first.headers["Idempotency-Key"]}
        )
        assert (first.status_code, first.json) == (again.status_code, again.json)


def test_openings_without_a_key_are_different_sessions(house: TestServer) -> None:
    assert house.open().session != house.open().session


def test_two_clients_at_once_lose_and_double_nothing(evening: SessionClient) -> None:
    """Every command is in the log once."""
    start, house = Barrier(2), evening.house

    def play(seat: str) -> list[tuple[str, int]]:
        start.wait()
        said = []
        for nth in range(COMMANDS):
            text = f"{seat} says {nth}"
            answer = evening.post(
                seat, "/narrate", {"text": text}, Idempotency_Key=f"{KEY}{nth:06}"
            )
            said.append((text, answer.status_code))
        return said

    with ThreadPoolExecutor(2) as pool:
        said = [pair for pairs in pool.map(play, ("p1", "p2")) for pair in pairs]
    facts = house.app.log.read_events(evening.session)
    told = Counter(fact.body.text for fact in facts if type(fact.body).__name__ == "Narrated")
    assert {status for _, status in said} == {201}
    assert told == Counter(text for text, status in said if status == 201)
    assert [fact.version for fact in facts] == list(range(1, len(facts) + 1))


def test_the_same_key_at_once_counts_once(evening: SessionClient) -> None:
    start, clients = Barrier(4), scale(20, 60)

    def play(_: int) -> list[TestResponse]:
        answers = []
        for nth in range(clients):
            start.wait()
            answers.append(
                evening.post("p1", "/narrate", {"text": f"{nth}"}, Idempotency_Key=f"{KEY}{nth:06}")
            )
        return answers

    with ThreadPoolExecutor(4) as pool:
        rounds = list(zip(*pool.map(play, range(4)), strict=True))
    for answers in rounds:
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.json["version"] for answer in answers}) == 1
        assert sum(answer.json["repeated"] is False for answer in answers) == 1


def test_clients_that_name_a_version_never_both_win(evening: SessionClient) -> None:
    start = Barrier(2)

    def play(seat: str) -> list[int]:
        codes = []
        for _ in range(scale(25, 100)):
            version = evening.version()
            start.wait()
            codes.append(
                evening.post(seat, "/narrate", {"text": "x"}, If_Match=f'"{version}"').status_code
            )
            start.wait()
        return codes

    with ThreadPoolExecutor(2) as pool:
        rounds = list(zip(*pool.map(play, ("p1", "p2")), strict=True))
    assert {tuple(sorted(codes)) for codes in rounds} == {(201, 412)}
