"""Draws that are given up: when, by whom, for whom; processes that stop, or come at the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from domain.decider import Refused
from service.sessions import pending_draws
from service.sessions.app import build
from service.sessions.log_files import export_log, import_log
from service.store.errors import VersionConflictError
from tests.support.example import EXAMPLE, over, to_draw
from tests.support.server import SEATS, Clock, DrawTable, TestServer, ask, names, rule, settings_in
from workers import follower


def test_giving_up_is_not_for_before_the_deadline(asked: DrawTable) -> None:
    answer = asked.evening.post("p2", "/draws/0/void", None)
    assert rule(answer) == (409, "deadline-ahead")
    assert answer.json["facts"]["deadline"] > answer.json["facts"]["now"]
    assert rule(asked.evening.post("p2", "/draws/1/void", None)) == (409, "no-draw-waits")


By = Callable[[DrawTable], object]
LATE: list[tuple[str, By]] = [
    ("the void's own address", lambda circle: circle.evening.post("p2", "/draws/0/void", None)),
    ("a reader", lambda circle: circle.evening.get("watcher", "")),
    ("the draw's address", lambda circle: circle.evening.get("watcher", "/draws/0")),
    ("whoever asks what waits", lambda circle: circle.evening.get("watcher", "/draws/pending")),
    ("a repeat", ask),
    ("a command", lambda circle: circle.evening.post("p2", "/narrate", {"text": "next"})),
    ("the follower's look", lambda circle: pending_draws.void_overdue_draws(circle.house.app)),
]


@pytest.mark.parametrize("by", [row[1] for row in LATE], ids=[row[0] for row in LATE])
def test_a_draw_whose_time_is_over_is_given_up_by_whoever_comes(
    asked: DrawTable, clock: Clock, by: By
) -> None:
    asked.give("p2")
    clock.ahead = 600_000
    by(asked)
    told = [kind for kind in asked.kinds() if kind != "Narrated"]
    assert told[-4:] == ["Declared", "DrawVoided", "PresenceSet", "PresenceSet"]
    state = asked.evening.get("p1", "/draws/0").json
    assert (state["status"], state["contributed"], state["missing"]) == (
        "void",
        ["house", "p2"],
        ["gm", "p1"],
    )
    seats = asked.evening.get("p1", "").json["seats"]
    assert [seat for seat, held in seats.items() if held.get("away")] == ["gm", "p1"]


def test_a_cancelled_turn_names_the_seats_that_were_missing(asked: DrawTable, clock: Clock) -> None:
    asked.give("p2")
    clock.ahead = 600_000
    turns = asked.evening.get("p1", "/turns").json["turns"]
    cancelled = [turn for turn in turns if turn.get("missing")]
    assert [(turn["draw"], turn["missing"]) for turn in cancelled] == [(0, ["gm", "p1"])]
    assert asked.evening.get("p1", "").json["draws"] == "table"


def test_behind_a_void_play_goes_on_without_those_it_named(asked: DrawTable, clock: Clock) -> None:
    first = asked.holders["p2"].contribution(asked.waiting())
    assert asked.holders["p2"].send(0, first).status_code == 201
    asked.holders["p2"].position += 1
    clock.ahead = 600_000
    void = ask(asked)
    assert (void.status_code, names(void)) == (201, ["Declared", "DrawVoided"])
    assert void.json["repeated"] is True
    again = asked.evening.command("p1", EXAMPLE.draw)
    assert (again.status_code, again.json["waiting"]["contributors"]) == (202, ["house", "p2"])
    assert asked.waiting()["number"] == 1
    asked.give("p2")
    # The GM and p1 are absent by the server's word, not by their own.
    assert asked.evening.get("p1", "/draws/1").json["events"][1]["grade"] == "B"
    assert asked.holders["p2"].send(0, first).status_code == 201  # the receipt again, long after


def test_who_comes_too_late_is_told_that_the_draw_is_over(asked: DrawTable, clock: Clock) -> None:
    given = asked.holders["p1"].contribution(asked.waiting())
    clock.ahead = 600_000
    assert rule(asked.holders["p1"].send(0, given)) == (409, "draw-is-over")
    assert asked.evening.get("p1", "/draws/0").json["missing"] == ["gm", "p1", "p2"]
    assert (
        asked.evening.post("p1", "/draws/0/void", None).json["status"] == "void"
    )  # it is over already


def test_a_seat_signs_itself_present_again_at_its_next_position(
    asked: DrawTable, clock: Clock
) -> None:
    clock.ahead = 600_000
    ask(asked)
    for seat in SEATS:
        assert asked.holders[seat].present(2, True).status_code == 201
        asked.holders[seat].position += 1  # the void took one
    again = asked.evening.command("p1", EXAMPLE.draw)
    assert [place["position"] for place in asked.waiting()["contributors"]] == [2, 2, 2, 2]
    asked.give(*SEATS)
    whole = asked.evening.command(
        "p1", EXAMPLE.draw, Idempotency_Key=again.headers["Idempotency-Key"]
    )
    assert (whole.status_code, whole.json["events"][1]["grade"]) == (201, "A")


def test_the_follower_looks_each_second_without_a_queue(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_FOLLOW_INTERVAL="30"))) as house:
        circle, stop = DrawTable(house, deadline=1), threading.Event()
        circle.evening.go(*to_draw()[:-1])
        ask(circle)
        until = time.monotonic() + 30
        with ThreadPoolExecutor(1) as pool:
            pool.submit(follower.run, house.app, stop)
            while "DrawVoided" not in circle.kinds() and time.monotonic() < until:
                time.sleep(0.05)
            stop.set()
        assert "DrawVoided" in circle.kinds()


def test_a_draw_survives_the_process_between_two_contributions(asked: DrawTable) -> None:
    asked.give("gm")
    asked.house.restart()
    assert asked.waiting()["contributed"] == ["gm"]
    asked.give("p1")
    asked.house.restart()
    asked.give("p2")
    assert ask(asked).status_code == 201


def test_all_seats_at_once(asked: DrawTable) -> None:
    for k in range(5):
        start, waits = Barrier(len(SEATS)), asked.waiting()

        def give(seat: str, start: Barrier = start, waits: Mapping[str, Any] = waits) -> int:
            start.wait()
            return asked.holders[seat].give(waits).status_code

        with ThreadPoolExecutor(len(SEATS)) as pool:
            assert list(pool.map(give, SEATS)) == [201] * len(SEATS)
        assert asked.evening.get("p1", f"/draws/{k}").json["status"] == "drawn"
        asked.evening.go(*over(), *to_draw()[:-1])
        assert asked.evening.command("p1", EXAMPLE.draw).status_code == 202


def test_one_gives_twice_at_once(asked: DrawTable) -> None:
    start, given = Barrier(4), asked.holders["p1"].contribution(asked.waiting())

    def send(_: int) -> Any:
        start.wait()
        return asked.holders["p1"].send(0, given).json

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(send, range(4))
    assert others == [first] * 3
    assert asked.waiting()["contributed"] == ["p1"]


def test_a_void_never_names_a_seat_that_gave_to_another_process(asked: DrawTable) -> None:
    """Between the look of one process and its append another one takes a contribution: the void is not written."""
    stale = asked.house.app.log.read(asked.evening.session)
    with closing(build(asked.house.settings)) as other:
        contribution = asked.holders["p1"].contribution(asked.waiting())
        pending_draws.contribute(other, asked.evening.session, 0, contribution)
    before = asked.house.log()
    with pytest.raises(VersionConflictError):
        pending_draws._finish_or_void(asked.house.app, stale, [], void=True)
    assert asked.house.log() == before
    assert asked.waiting()["contributed"] == ["p1"]


def test_behind_the_void_of_another_process_nothing_is_kept(asked: DrawTable, clock: Clock) -> None:
    contribution = asked.holders["p1"].contribution(asked.waiting())
    clock.ahead = 600_000
    with closing(build(asked.house.settings)) as other:
        pending_draws.void_overdue_draws(other)
    clock.ahead = 0
    assert rule(asked.holders["p1"].send(0, contribution)) == (409, "draw-is-over")
    assert asked.house.app.recorder.query("SELECT * FROM contributions") == []
    assert asked.house.app.recorder.query("SELECT * FROM waiting") == []


def test_a_session_is_read_though_its_draw_cannot_be_ended(asked: DrawTable, clock: Clock) -> None:
    clock.ahead = 600_000
    connection = asked.house.app.recorder.threads.connection()
    connection.execute("PRAGMA query_only=ON")  # nothing can be written
    assert asked.evening.get("p1", "/draws/0").json["status"] == "waiting"
    assert asked.evening.post("p1", "/narrate", {"text": "x"}).status_code == 503
    connection.execute("PRAGMA query_only=OFF")
    assert asked.evening.get("p1", "/draws/0").json["status"] == "void"


def test_a_draw_that_came_in_a_file_waits_where_it_is_played(
    asked: DrawTable, clock: Clock, tmp_path: Path
) -> None:
    lines = [*export_log(asked.house.app, asked.evening.session)]
    given = asked.holders["p1"].contribution(asked.waiting())
    clock.ahead = 600_000
    with closing(TestServer(settings_in(tmp_path / "elsewhere"))) as elsewhere:
        import_log(elsewhere.app, lines)
        pending_draws.void_overdue_draws(elsewhere.app)
        session = asked.evening.session
        assert pending_draws.settled_head(elsewhere.app, session).session.pending is not None
        for ends in (
            lambda: pending_draws.void_draw(elsewhere.app, session, 0),
            lambda: pending_draws.contribute(elsewhere.app, session, 0, given),
        ):
            with pytest.raises(Refused, match="imported"):
                ends()
