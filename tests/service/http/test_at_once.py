"""Many at once: one key is one answer, one process's writers do not race, and between processes the log decides."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from domain.session.messages import Narrate
from service.http.routes import seats
from service.sessions import command_handler
from service.sessions.app import build
from service.sessions.idempotency import CommandResult, RequestIdentity
from tests.support.example import FIRST
from tests.support.scale import scale
from tests.support.server import KEY, SessionClient

MANY, ROUNDS = 4, scale(5, 40)
AT_A_TABLE = 50
"""New seats, of which a table has room for some more."""


@pytest.fixture(params=["one process", "several"])
def processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Several: as if every client spoke to a process of its own, which waits for no other."""
    named: str = request.param
    if named == "several":
        unlock(monkeypatch)
    return named


def unlock(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlocked(_: str) -> AbstractContextManager[None]:
        return nullcontext()

    monkeypatch.setattr(command_handler, "session_lock", unlocked)
    monkeypatch.setattr(seats, "session_lock", unlocked)


def at_once(ask: Callable[[int], TestResponse]) -> list[TestResponse]:
    start = Barrier(MANY)

    def run(nth: int) -> TestResponse:
        start.wait()
        return ask(nth)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # or each is done before the next begins
    try:
        with ThreadPoolExecutor(MANY) as pool:
            return list(pool.map(run, range(MANY)))
    finally:
        sys.setswitchinterval(interval)


def one_answer(answers: list[TestResponse], status: int) -> None:
    """All said the same, but for which of them was the first."""
    assert [answer.status_code for answer in answers] == [status] * MANY, [
        answer.text for answer in answers
    ]
    assert all(
        {**answer.json, "repeated": True} == {**answers[0].json, "repeated": True}
        for answer in answers
    )


@pytest.mark.usefixtures("processes")
def test_one_invitation_for_one_key(evening: SessionClient) -> None:
    for nth in range(ROUNDS):
        body = {"role": "player"}
        one_answer(
            at_once(
                lambda _: evening.post("gm", "/invitations", body, Idempotency_Key=f"{KEY}{nth}")
            ),
            201,
        )
    assert len(evening.get("gm", "/invitations").json["invitations"]) == ROUNDS


@pytest.mark.usefixtures("processes")
def test_one_key_for_two_invitations_is_reused(evening: SessionClient) -> None:
    roles = ("player", "spectator")
    for nth in range(ROUNDS):
        answers = at_once(
            lambda n: evening.post(
                "gm", "/invitations", {"role": roles[n % 2]}, Idempotency_Key=f"{KEY}{nth}"
            )
        )
        assert sorted(answer.status_code for answer in answers) == [201, 201, 422, 422]
        assert {answer.json["code"] for answer in answers if answer.status_code == 422} == {
            "key-reused"
        }


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("seat", [None, "p1", "p9"])
@pytest.mark.parametrize("name", [{}, {"name": "Someone"}])
def test_one_seat_for_one_key(
    evening: SessionClient, seat: str | None, name: dict[str, str]
) -> None:
    house, table = evening.house, evening
    for nth in range(ROUNDS):
        if (nth + 1) % AT_A_TABLE == 0:
            table = house.open()
        code = table.invite(**({} if seat is None else {"seat": seat}))
        answers = at_once(
            lambda _: house.client.post(
                "/v1/seats",
                json={"code": code, **name},
                headers={"Idempotency-Key": f"{KEY}{nth}"},
            )
        )
        one_answer(answers, 201)
        token = {"Authorization": f"Bearer {answers[0].json['token']}"}
        assert house.client.get(table.path, headers=token).status_code == 200


def test_an_open_invitation_seats_all_who_come_at_once(evening: SessionClient) -> None:
    code = evening.invite(max_uses=MANY)
    answers = at_once(lambda _: evening.house.client.post("/v1/seats", json={"code": code}))
    assert sorted(answer.json["seat"] for answer in answers) == [
        f"player-{n}" for n in range(1, MANY + 1)
    ]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("who", ["gm", "p9"])
def test_one_leaving_for_one_key(evening: SessionClient, who: str) -> None:
    for nth in range(ROUNDS):
        evening.seat("p9")
        one_answer(
            at_once(lambda _: evening.delete(who, "/seats/p9", Idempotency_Key=f"{KEY}{nth}")), 200
        )


@pytest.mark.usefixtures("processes")
def test_one_session_for_one_key(evening: SessionClient) -> None:
    for nth in range(ROUNDS):
        body, headers = {"ruleset": FIRST.name, "title": "x"}, {"Idempotency-Key": f"{KEY}{nth}"}
        one_answer(
            at_once(
                lambda _: evening.house.client.post("/v1/sessions", json=body, headers=headers)
            ),
            201,
        )


def test_writers_of_one_process_that_name_no_version_never_conflict(evening: SessionClient) -> None:
    rounds = [
        at_once(lambda _: evening.post("p1", "/narrate", {"text": "x"}))
        for _ in range(scale(25, 250))
    ]
    assert {answer.status_code for answers in rounds for answer in answers} == {201}


@pytest.mark.parametrize("races", [1, command_handler.MAX_ATTEMPTS])
def test_a_command_that_loses_races_is_tried_again_and_then_put_off(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch, races: int
) -> None:
    """Another process stores a turn between each of our reads and appends, as often as `races` says."""
    unlock(monkeypatch)
    monkeypatch.setattr(command_handler, "LONGEST_PAUSE_SECONDS", 0.0)
    append, lost = command_handler._append, list[CommandResult]()
    with closing(build(evening.house.settings)) as other:

        def outrun(app: Any, *given: Any) -> CommandResult:
            if app is not other and len(lost) < races:
                asked = RequestIdentity("gm", f"{KEY}{len(lost)}", b"")
                lost.append(
                    command_handler.handle(other, evening.session, Narrate("First!"), asked)
                )
            return append(app, *given)

        monkeypatch.setattr(command_handler, "_append", outrun)
        answer = evening.post("p1", "/narrate", {"text": "At last."}, Idempotency_Key=KEY)
        if races == command_handler.MAX_ATTEMPTS:
            assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
            assert int(answer.headers["Retry-After"]) > 0
            answer = evening.post("p1", "/narrate", {"text": "At last."}, Idempotency_Key=KEY)
    assert (answer.status_code, len(lost)) == (201, races)
    assert answer.json["version"] == lost[-1].last + 1
