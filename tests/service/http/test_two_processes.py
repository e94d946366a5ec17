"""Two web processes at one table: each acts on what the other has stored, also on tokens that it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from domain.session.state import HOUSE
from domain.session.turns import LEAST_HOUSE_LENGTH, must_anchor
from domain.verify import verify
from service.platform import clock, ed25519
from service.sessions.deletion import delete
from service.sessions.log_files import export_log
from tests.support.example import EXAMPLE, over, to_draw
from tests.support.server import SessionClient, TestServer, laid, settings_in

SAY: dict[str, Any] = {"text": "x"}


@contextmanager
def elsewhere(evening: SessionClient) -> Iterator[SessionClient]:
    """Yield the same table, served by another process."""
    other = TestServer(evening.house.settings)
    try:
        yield SessionClient(other, evening.session, evening.tokens)
    finally:
        other.close()


def spoke(evening: SessionClient, *seats: str) -> None:
    for seat in seats:
        assert evening.post(seat, "/narrate", SAY).status_code == 201


def asking(house: TestServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with each query of the log's database."""
    recorder, asked = house.app.recorder, list[str]()
    query, events = recorder.query, recorder.select_events

    def query_noted(statement: str, values: Any = ()) -> Any:
        asked.append(statement)
        return query(statement, values)

    def events_noted(*of: Any, **which: Any) -> Any:
        asked.append("events")
        return events(*of, **which)

    monkeypatch.setattr(recorder, "query", query_noted)
    monkeypatch.setattr(recorder, "select_events", events_noted)
    return asked


def test_a_turn_asks_the_database_once(house: TestServer, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = laid(house)
    evening.go(*over())
    asked = asking(house, monkeypatch)
    [(who, command)] = to_draw()
    turn = evening.do(who, command)
    (question,) = asked
    assert "FROM tokens" in question, "the holder, and the version at which the session stands"
    house.restart()  # an empty cache: the turn is read from the log
    first, last = turn["events"][0]["version"], turn["version"]
    assert (
        turn["events"]
        == evening.get(who, f"/events?after={first - 1}&limit={last - first + 1}").json["events"]
    )


@pytest.mark.long
def test_a_chain_that_another_process_anchored_is_the_one_that_is_drawn_from(
    tmp_path: Path, database: str
) -> None:
    """This process made a chain of the same number for a turn that lost its race."""
    house = TestServer(
        settings_in(tmp_path, DATABASE_URL=database, FAIRLOG_CHAIN_LENGTH=f"{LEAST_HOUSE_LENGTH}")
    )
    evening = laid(house)
    while not must_anchor(house.app.log.read(evening.session).session):
        evening.go(*over(), *to_draw())
    house.app.house.next_chain(house.app.log.read(evening.session).session, clock.random_bytes())
    with elsewhere(evening) as there:
        there.go(*over())  # its turn anchors the next chain
    while house.app.log.read(evening.session).session.chains[HOUSE].number == 0:
        evening.go(*to_draw(), *over())
    assert verify(export_log(house.app, evening.session), ed25519.verify).failure is None
    house.close()


def done(answer: TestResponse) -> None:
    assert answer.status_code in (200, 201, 204), answer.text


def ended(table: SessionClient) -> None:
    [token] = table.get("p1", "/tokens").json["tokens"]
    done(table.delete("gm", f"/tokens/{token['id']}"))


class Change(NamedTuple):
    """What another process does meanwhile, and how p1 is answered then, who plays on."""

    make: Callable[[SessionClient], object]
    status: int
    code: str | None = None


CHANGES = {
    "the token is ended": Change(ended, 401, "token-invalid"),
    "the token is renewed": Change(
        lambda table: done(table.post("p1", "/tokens/current/renew", None)), 401, "token-invalid"
    ),
    "the seat is empty": Change(
        lambda table: done(table.delete("gm", "/seats/p1")), 401, "token-invalid"
    ),
    "the session is deleted": Change(
        lambda table: delete(table.house.app, table.session), 401, "token-invalid"
    ),
    "the evening is closed": Change(
        lambda table: done(table.post("gm", "/close", {"carry_over": False})), 409, "refused"
    ),
    "somebody speaks": Change(lambda table: done(table.post("p2", "/narrate", SAY)), 201),
    "another token is ended": Change(lambda table: ended(laid(table.house)), 201),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_another_process_has_changed_is_so_here(
    evening: SessionClient, change: Change
) -> None:
    spoke(evening, "p1")
    with elsewhere(evening) as there:
        change.make(there)
    before = evening.house.log()
    answer = evening.command("p1", EXAMPLE.plain)
    assert (answer.status_code, answer.json.get("code")) == (change.status, change.code)
    after = evening.house.log()
    assert after[: len(before)] == before
    events = answer.json.get("events", [])
    assert [row[1:3] for row in after[len(before) :]] == [
        (evening.session, event["version"]) for event in events
    ]
