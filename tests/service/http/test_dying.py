"""The server may die between any two writes: a token, a seat and an invitation's use stand or fall together."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from werkzeug.test import TestResponse

from service.store.sqlite import ThreadConnections
from tests.support.example import FIRST
from tests.support.server import KEY, SessionClient, TestServer

MOST = 8  # writes that one request could need
Ask = Callable[[], TestResponse]


class Died(BaseException):
    """As by kill -9: nothing after it runs that would clean up."""


@contextmanager
def dying_after(writes: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server dies when it begins another transaction after so many."""
    began, transaction = [0], ThreadConnections.transaction

    @contextmanager
    def counted(threads: ThreadConnections) -> Iterator[sqlite3.Connection]:
        if began[0] == writes:
            raise Died
        began[0] += 1
        with transaction(threads) as connection:
            yield connection

    with monkeypatch.context() as patch:
        patch.setattr(ThreadConnections, "transaction", counted)
        yield


def lived(ask: Ask, writes: int, house: TestServer, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the server came through the request; then, or after its death, it is started anew."""
    try:
        with dying_after(writes, monkeypatch):
            ask()
    except Died:
        house.restart()
        return False
    house.restart()
    return True


def alive(evening: SessionClient, token: str) -> bool:
    """Whether the token itself is good, whatever its seat may do."""
    answer = evening.house.client.get(evening.path, headers={"Authorization": f"Bearer {token}"})
    return answer.status_code != 401


@pytest.mark.parametrize("body", [{}, {"name": "Someone"}], ids=["no event", "an event"])
@pytest.mark.parametrize("writes", range(MOST))
def test_a_lost_phones_token_dies_with_the_taking(
    evening: SessionClient, writes: int, body: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, code, house = evening.tokens["p1"], evening.invite(seat="p1"), evening.house

    def take() -> TestResponse:
        return house.client.post(
            "/v1/seats", json={"code": code, **body}, headers={"Idempotency-Key": KEY}
        )

    lived(take, writes, house, monkeypatch)
    unused = house.client.get(f"/v1/invitations/{code}").status_code == 200
    named = evening.get("gm", "").json["seats"]["p1"]["name"]
    assert alive(evening, old) is unused
    assert named == ("Ana's player" if unused else body.get("name", "Ana's player"))
    again = take()
    assert again.status_code == 201, again.text
    assert (alive(evening, old), alive(evening, again.json["token"])) == (False, True)


@pytest.mark.parametrize("writes", range(MOST))
def test_an_invitation_is_used_by_who_sits(
    evening: SessionClient, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, house = evening.invite(), evening.house

    def take() -> TestResponse:
        return house.client.post("/v1/seats", json={"code": code}, headers={"Idempotency-Key": KEY})

    lived(take, writes, house, monkeypatch)
    unused = house.client.get(f"/v1/invitations/{code}").status_code == 200
    assert unused is ("player-1" not in evening.get("gm", "").json["seats"])
    again = take()
    assert again.status_code == 201, again.text
    assert alive(evening, again.json["token"])


@pytest.mark.parametrize("writes", range(MOST))
def test_who_left_holds_no_token(
    evening: SessionClient, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(lambda: evening.delete("gm", "/seats/p1"), writes, evening.house, monkeypatch)
    assert (
        alive(evening, evening.tokens["p1"])
        is evening.get("gm", "").json["seats"]["p1"]["occupied"]
    )


@pytest.mark.parametrize("writes", range(MOST))
def test_a_session_is_opened_with_its_token(
    house: TestServer, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_() -> TestResponse:
        body = {"ruleset": FIRST.name, "title": "x"}
        return house.client.post("/v1/sessions", json=body, headers={"Idempotency-Key": KEY})

    lived(open_, writes, house, monkeypatch)
    with sqlite3.connect(house.settings.log_file) as connection:
        [[tokens]] = connection.execute("SELECT COUNT(*) FROM tokens").fetchall()
    connection.close()
    assert tokens == len({row[1] for row in house.log()})
    ticket = open_().json
    assert alive(SessionClient(house, ticket["session"], {}), ticket["token"])


def test_one_write_is_all_that_a_taking_needs(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, house = evening.invite(seat="p1"), evening.house
    asks: list[Ask] = [
        lambda: house.client.post("/v1/seats", json={"code": code}),
        lambda: evening.delete("gm", "/seats/p1"),
        lambda: house.client.post("/v1/sessions", json={"ruleset": FIRST.name, "title": "x"}),
    ]
    assert [lived(ask, 1, house, monkeypatch) for ask in asks] == [True] * 3
