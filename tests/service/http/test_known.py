"""A token that a process knows is not asked for again; what it asks for is stored only if it is good still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from werkzeug.test import TestResponse

from domain.rulesets import RULESETS
from domain.session.draws import MARGIN
from domain.session.state import HOUSE
from domain.verify import verify
from service import access, ed25519
from service.deleting import delete
from service.moving import export
from tests.example import EXAMPLE, example_of, over, to_draw
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


def test_a_turn_of_a_token_that_is_known_asks_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert (
        turn["events"]
        == evening.get(who, f"/events?after={first - 1}&limit={last - first + 1}").json["events"]
    )


def test_a_turn_of_a_token_that_is_known_is_written_and_nothing_is_read(house: House) -> None:
    evening, statements = laid(house), list[str]()
    evening.go(*over())
    house.app.recorder.threads.connection().set_trace_callback(statements.append)
    evening.go(*to_draw())
    assert {said.split()[0] for said in statements} == {"BEGIN", "INSERT", "COMMIT"}


def appending(house: House, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was tried to be stored, from now on, of this process."""
    tried, insert = list[Any](), house.app.recorder.insert_events

    def insert_noted(rows: Any, *more: Any, **beside: Any) -> Any:
        tried.append(rows)
        return insert(rows, *more, **beside)

    monkeypatch.setattr(house.app.recorder, "insert_events", insert_noted)
    return tried


def test_where_another_process_writes_too_one_race_is_lost_at_most(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(evening, "p1")
    asked, tried = asking(evening.house, monkeypatch), appending(evening.house, monkeypatch)
    with elsewhere(evening) as there:
        for races in (1, 0, 0):
            known(there, "p2")
            before = len(tried)
            known(evening, "p1")
            assert len(tried) - before == races + 1
    known(evening, "p1")  # asks, and finds that nobody else has written since
    before = len(asked)
    known(evening, "p1")
    assert asked[before:] == []


def test_who_is_refused_is_asked_for_the_next_time(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(evening, "p1")
    asked = asking(evening.house, monkeypatch)
    for _ in range(2):
        assert evening.post("p1", "/narrate", {**SAY, "about": 999}).status_code == 409
    known(evening, "p1")
    assert len([said for said in asked if "FROM tokens" in said]) == 3
    known(evening, "p1")
    assert len([said for said in asked if "FROM tokens" in said]) == 3


def test_a_token_is_known_at_its_own_table_alone(house: House) -> None:
    evening, other = laid(house), laid(house)
    known(evening, "p1")
    known(other, "p1")
    before = house.log()
    answer = house.client.post(f"{other.path}/narrate", json=SAY, headers=evening.headers("p1"))
    assert (answer.status_code, house.log()) == (404, before)


def test_so_many_tokens_are_known_at_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "MOST_KNOWN", 2)
    known(evening, "gm", "p1", "p2")
    asked = asking(evening.house, monkeypatch)
    known(evening, "p1", "p2")
    assert asked == []
    known(evening, "gm")
    assert asked != []


def test_what_the_database_has_lost_is_no_gap(evening: Evening) -> None:
    """As when its server loses its last commits, and the web process lives on."""
    known(evening, "p1")
    last = evening.version()
    known(evening, "p1", "p1")
    lose = "DELETE FROM stored_events WHERE originator_id=? AND originator_version>?"
    evening.house.app.recorder.write((lose, [(evening.session, last)]))
    assert [evening.post("p1", "/narrate", SAY).status_code for _ in range(2)] == [404, 201]
    assert [row[2] for row in evening.house.log()] == list(range(1, last + 2))


def test_a_chain_that_another_process_anchored_is_the_one_that_is_drawn_from(
    tmp_path: Path, database: str
) -> None:
    """Here a chain was made for the same turn, which lost."""
    house = House(
        settings_in(tmp_path, DATABASE_URL=database, FAIRLOG_CHAIN_LENGTH=f"{MARGIN + 2}")
    )
    evening = laid(house)
    while house.app.log.read(evening.session).session.chains[HOUSE].position < 2:
        evening.go(*over(), *to_draw())
    known(evening, "p1")
    with elsewhere(evening) as there:
        there.go(*over())  # its turn anchors the next chain
    assert evening.command(*over()[0]).status_code == 409
    evening.go(*to_draw(), *over())
    assert house.app.log.read(evening.session).session.chains[HOUSE].number == 1
    assert verify(export(house.app, evening.session), ed25519.verify).failure is None
    house.close()


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
    "the token is renewed": Change(
        lambda table: done(table.post("p1", "/tokens", None)), 401, "token-unknown"
    ),
    "the seat is empty": Change(
        lambda table: done(table.delete("gm", "/seats/p1")), 401, "token-unknown"
    ),
    "the session is deleted": Change(
        lambda table: delete(table.house.app, table.session), 401, "token-unknown"
    ),
    "the evening is closed": Change(
        lambda table: done(table.post("gm", "/close", {"carry": False})), 409, "refused"
    ),
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
    assert [row[1:3] for row in after[len(before) :]] == [
        (evening.session, event["version"]) for event in events
    ]


ASKS: dict[str, Callable[[Evening], TestResponse]] = {
    "a command of another game": lambda table: table.command("p1", example_of(OTHER).bring),
    "what is refused": lambda table: table.post("p1", "/narrate", {**SAY, "about": 999}),
    "another version": lambda table: table.post("p1", "/narrate", SAY, If_Match='"1"'),
    "a key that is none": lambda table: table.post("p1", "/narrate", SAY, Idempotency_Key="short"),
    "a turn": lambda table: table.post("p1", "/narrate", SAY),
}


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_a_dead_token_is_told_so_whatever_it_asks_for(
    evening: Evening, ask: Callable[[Evening], TestResponse]
) -> None:
    known(evening, "p1")
    with elsewhere(evening) as there:
        ended(there)
    answer = ask(evening)
    assert (answer.status_code, answer.json["code"]) == (401, "token-unknown")


def test_a_session_that_is_gone_and_forgotten_here_is_not_known_by_its_tokens(
    evening: Evening,
) -> None:
    known(evening, "p1")
    with elsewhere(evening) as there:
        delete(there.house.app, there.session)
    evening.house.app.log._heads.clear()
    answer = evening.command("p1", EXAMPLE.plain)
    assert (answer.status_code, answer.json["code"]) == (401, "token-unknown")


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
    assert (stale.status_code, stale.json["code"], stale.json["version"]) == (
        412,
        "conflict",
        now + 1,
    )
    assert evening.post("p1", "/narrate", SAY, If_Match=f'"{now + 1}"').status_code == 201
