"""A token that a process knows is not asked for again; what it asks for is stored only if it is good still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from domain.rulesets import RULESETS
from service.deleting import delete
from tests.example import EXAMPLE, as_json, example_of, over, to_draw
from tests.service.http.contributing import Clock
from tests.service.http.playing import KEY, Evening, House, laid, settings_in

OTHER = RULESETS[1]
SAY: dict[str, Any] = {"text": "x"}
DAY = 86_400_000


@contextmanager
def elsewhere(evening: Evening) -> Iterator[Evening]:
    """The same table at another process."""
    other = House(evening.house.settings)
    try:
        yield Evening(other, evening.session, evening.tokens)
    finally:
        other.close()


def known(evening: Evening, *seats: str) -> None:
    """From now on their tokens are known here."""
    for seat in seats:
        assert evening.post(seat, "/narrate", SAY).status_code == 201


def asking(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the log's database is asked from now on."""
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


def test_a_turn_of_a_token_that_is_known_asks_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = laid(house)
    evening.go(*over())
    evening.tokens["p1"] = evening.post("p1", "/tokens", None).json["token"]
    asked = asking(house, monkeypatch)
    [(who, command)] = to_draw()
    turn = evening.do(who, command)
    (question,) = asked
    assert "FROM tokens" in question, "whose token it is, and at which version the session stands"
    evening.go(*over(), *to_draw())
    assert asked == [question]
    house.restart()  # nothing is kept: it is read from the log
    first, last = turn["events"][0]["version"], turn["version"]
    assert turn["events"] == evening.get(who, f"/events?after={first - 1}&limit={last - first + 1}").json["events"]


def test_where_another_process_writes_too_it_is_asked(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    known(evening, "p1")
    asked = asking(evening.house, monkeypatch)
    with elsewhere(evening) as there:
        for _ in range(3):
            assert there.post("p2", "/narrate", SAY).status_code == 201
            before = len(asked)
            assert evening.post("p1", "/narrate", SAY).status_code == 201
            assert any("FROM tokens" in statement for statement in asked[before:])
    known(evening, "p1")
    before = len(asked)
    known(evening, "p1")
    assert asked[before:] == []


def done(answer: TestResponse) -> None:
    assert answer.status_code in (200, 201, 204), answer.text


def ended(table: Evening) -> None:
    [token] = table.get("p1", "/tokens").json["tokens"]
    done(table.delete("gm", f"/tokens/{token['id']}"))


class Change(NamedTuple):
    """What another process does meanwhile, and how p1 is answered then, who plays on."""

    make: Callable[[Evening], object]
    status: int
    code: str | None = None


CHANGES = {
    "the token is ended": Change(ended, 401, "token-unknown"),
    "the token is renewed": Change(lambda table: done(table.post("p1", "/tokens", None)), 401, "token-unknown"),
    "the seat is empty": Change(lambda table: done(table.delete("gm", "/seats/p1")), 401, "token-unknown"),
    "the session is deleted": Change(lambda table: delete(table.house.app, table.session), 401, "token-unknown"),
    "the evening is closed": Change(lambda table: done(table.post("gm", "/close", {"carry": False})), 409, "refused"),
    "somebody speaks": Change(lambda table: done(table.post("p2", "/narrate", SAY)), 201),
    "another token is ended": Change(lambda table: ended(laid(table.house)), 201),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_another_process_has_changed_is_so_here(evening: Evening, change: Change) -> None:
    known(evening, "p1")
    with elsewhere(evening) as there:
        change.make(there)
    before = evening.house.log()
    answer = evening.command("p1", EXAMPLE.plain)
    assert (answer.status_code, answer.json.get("code")) == (change.status, change.code)
    after = evening.house.log()
    assert after[: len(before)] == before
    events = answer.json.get("events", [])
    assert [row[1:3] for row in after[len(before) :]] == [(evening.session, event["version"]) for event in events]


def test_a_dead_token_is_told_so_whatever_it_asks_for(evening: Evening) -> None:
    known(evening, "p1")
    with elsewhere(evening) as there:
        ended(there)
    asks = [
        evening.post("p1", "/commands", {"command": as_json(example_of(OTHER).bring)}),
        evening.post("p1", "/narrate", {"text": "x", "about": 999}),
        evening.post("p1", "/narrate", SAY, If_Match='"1"'),
        evening.post("p1", "/narrate", SAY, Idempotency_Key="short"),
    ]
    assert [(answer.status_code, answer.json["code"]) for answer in asks] == [(401, "token-unknown")] * len(asks)


def test_a_token_that_is_too_old_is_known_no_more(tmp_path: Path, clock: Clock) -> None:
    house = House(settings_in(tmp_path, FAIRLOG_TOKEN_DAYS="30"))
    evening = laid(house)
    known(evening, "p1")
    clock.ahead += 31 * DAY
    assert evening.post("p1", "/narrate", SAY).status_code == 401
    house.close()


def test_what_was_refused_here_is_allowed_by_what_came_there(evening: Evening) -> None:
    known(evening, "p1")
    about = {**SAY, "about": evening.version() + 1}
    assert evening.post("p1", "/narrate", about).json["rule"] == "about-nowhere"
    known(evening, "p1")
    about = {**SAY, "about": evening.version() + 1}
    with elsewhere(evening) as there:
        known(there, "p2")
    assert evening.post("p1", "/narrate", about).status_code == 201


def test_a_repeat_is_the_same_answer_and_another_request_is_told(evening: Evening) -> None:
    known(evening, "p1")
    first = evening.post("p1", "/narrate", SAY, Idempotency_Key=KEY)
    again = evening.post("p1", "/narrate", SAY, Idempotency_Key=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert {**again.json, "repeated": False} == first.json
    other = evening.post("p1", "/narrate", {"text": "y"}, Idempotency_Key=KEY)
    assert (other.status_code, other.json["code"]) == (422, "key-reused")
    with elsewhere(evening) as there:
        assert there.post("p1", "/narrate", SAY, Idempotency_Key=KEY).json == again.json


def test_an_expected_version_is_held_to(evening: Evening) -> None:
    known(evening, "p1")
    now = evening.version()
    with elsewhere(evening) as there:
        known(there, "p2")
    stale = evening.post("p1", "/narrate", SAY, If_Match=f'"{now}"')
    assert (stale.status_code, stale.json["code"], stale.json["version"]) == (412, "conflict", now + 1)
    assert evening.post("p1", "/narrate", SAY, If_Match=f'"{now + 1}"').status_code == 201
