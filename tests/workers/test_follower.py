"""The follower keeps every view at the head, outlives what goes wrong in one of them, and sweeps."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from projections.results import ALL_SESSIONS, STATISTICS, JobResult
from projections.runner import lag
from projections.statistics_states import StoredState
from service.jobs import inspection
from service.jobs.definitions import JobKind
from service.jobs.queue import Queue
from service.jobs.status import SWEEP
from service.ops.migrate import prepare
from service.platform.settings import Settings
from tests.projections.contract import expected, results_of, rows_of
from tests.support.processes import environ, eventually
from tests.support.queue_server import serving
from tests.support.sessions import ScriptedSession, play
from tests.workers.stand_ins import StandIn, stand_in
from workers import follower
from workers.follower import FollowerTask, run


@pytest.fixture
def app(tmp_path: Path) -> Iterator[StandIn]:
    app = stand_in(tmp_path)
    yield app
    app.read_models.close()


@contextmanager
def following(app: StandIn) -> Iterator[None]:
    stop = threading.Event()
    running = threading.Thread(target=run, args=(app, stop))
    running.start()
    try:
        yield
    finally:
        stop.set()
        running.join(10)
        assert not running.is_alive()


def at_head(app: StandIn) -> bool:
    return all(lag(app.log, view) == 0 for view in app.read_models.followed)


def test_views_follow_the_log(app: StandIn) -> None:
    play(1, 30, log=app.log)
    with following(app):
        assert eventually(lambda: at_head(app))
        play(2, 30, log=app.log)
        assert eventually(lambda: at_head(app))
    for view in app.read_models.followed:
        assert rows_of(view) == expected(app.log, view.name)


def test_a_new_event_wakes_it_before_its_interval(app: StandIn) -> None:
    slow = app._replace(settings=type(app.settings).read({"FAIRLOG_FOLLOW_INTERVAL": "60"}))
    with following(slow):
        time.sleep(0.05)
        ScriptedSession(1, log=app.log)
        assert eventually(lambda: at_head(app), 30)
        threading.Timer(
            0.05, lambda: ScriptedSession(2, log=app.log)
        ).start()  # so that it sees the stop


def test_a_broken_view_does_not_stop_the_others(
    app: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = app.read_models.timeline

    def fail(*_: Any) -> None:
        raise RuntimeError("broken view")

    monkeypatch.setattr(follower, "MIN_RETRY_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(broken, "apply", fail)
    play(1, 20, log=app.log)
    others = [view for view in app.read_models.followed if view is not broken]
    with capture_logs() as logs, following(app):
        assert eventually(lambda: all(lag(app.log, view) == 0 for view in others) and len(logs) > 2)
        monkeypatch.undo()
        assert eventually(lambda: at_head(app))
    assert {(entry["event"], entry["task"]) for entry in logs} == {("task failed", "timeline")}
    assert rows_of(broken) == expected(app.log, "timeline")


def test_failures_are_tried_again_less_and_less_often() -> None:
    tries: list[float] = []

    def act() -> None:
        tries.append(now)
        if len(tries) not in (5, 6):
            raise OSError("disk full")

    task = FollowerTask("some", 1.0, act)
    with capture_logs():
        for tick in range(40):
            now = tick / 4
            task.try_at(now)
    assert tries == [0.0, 0.5, 1.5, 3.5, 7.5, 8.5, 9.5], "the last delay is the first again"
    assert task.due == 10.0


def test_it_asks_for_what_lags(app: StandIn, tmp_path: Path) -> None:
    done, lost = ScriptedSession(1, log=app.log), ScriptedSession(2, log=app.log)
    app.read_models.results.put(JobResult(done.id, STATISTICS, done.session.version, "{}"))
    with serving(tmp_path) as server:
        settings = replace(app.settings, redis_url=server.address)
        queue = Queue(settings)
        with following(app._replace(settings=settings, queue=queue)):
            assert eventually(lambda: inspection.waiting_jobs(queue) != [])
        assert {(job.kind, job.session) for job in inspection.waiting_jobs(queue)} == {
            (JobKind.STATISTICS, lost.id)
        }


def test_it_needs_no_queue(app: StandIn) -> None:
    evening = ScriptedSession(1, log=app.log)
    with capture_logs() as logs, following(app._replace(queue=Queue(app.settings))):
        assert eventually(
            lambda: app.read_models.results.latest(ALL_SESSIONS, SWEEP) is not None and at_head(app)
        )
        assert eventually(
            lambda: '"statistics":1' in str(app.read_models.results.latest(ALL_SESSIONS, SWEEP))
        )
    assert logs == []
    assert app.read_models.sessions.heads() == {evening.id: evening.session.version}


def test_views_ahead_of_a_log_that_was_set_back_are_rebuilt(app: StandIn, tmp_path: Path) -> None:
    evening = ScriptedSession(1, log=app.log)
    with following(app):
        assert eventually(lambda: at_head(app))
    app.read_models.results.put(JobResult(evening.id, STATISTICS, evening.session.version, "{}"))
    app.read_models.statistics_states.put(evening.id, StoredState(4, (), (), "{}"))
    older = type(app.log)()
    older.append([row.event for row in app.log.rows(0, 4)])
    with capture_logs(), following(app._replace(log=older)):
        assert eventually(lambda: at_head(app._replace(log=older)))
    for view in app.read_models.followed:
        assert rows_of(view) == expected(older, view.name)
    assert results_of(app.read_models, evening.id, STATISTICS) == []
    assert app.read_models.statistics_states.of(evening.id) == [], "later events may be others"


LEAVING = """
import os, signal, sys
from service.store import postgres_admin
from workers.__main__ import main

looks = []

def connection_error(url):
    looks.append(url)
    if len(looks) == 3:
        os.kill(os.getpid(), signal.SIGTERM)
    return ""

postgres_admin.connection_error = connection_error
sys.exit(main(["follow"]))
"""
"""A database that was there a moment ago and is away when it is asked; the follower is stopped at the third look."""


def test_a_database_that_goes_while_it_begins_does_not_end_it(tmp_path: Path) -> None:
    prepare(Settings.read({"FAIRLOG_DATA": str(tmp_path)}))
    away = environ(tmp_path, DATABASE_URL=f"postgresql:///fairlog?host={tmp_path}")
    ran = subprocess.run(
        [sys.executable, "-c", LEAVING], env=away, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    assert (ran.stdout + ran.stderr).count("restarting") == 3
