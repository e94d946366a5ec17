"""The five evenings as the demo plays them, on every database, by one and four web processes, beside either queue.

In `make long` alone: three databases, two numbers of processes, two queue servers: six deployments cover every pair.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
import redis
import requests

from domain.codec import build_msgspec_types
from domain.example_session import read_script
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.verify import verify
from service.cli.demo.player import SessionPlayer
from service.jobs import queue as queues
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App, build
from service.sessions.log_files import export_log
from tests.projections.contract import Rows, rows_of
from tests.support.databases import finding as databases
from tests.support.databases.places import DATABASES, SQLITE, address
from tests.support.processes import Running, eventually, run
from tests.support.queue_server import beside
from tests.support.queue_servers import QUEUES, version
from tests.support.session_checks import play_checked

pytestmark = pytest.mark.long

DEPLOYMENTS = [
    (database, processes, QUEUES[(nth + more) % len(QUEUES)])
    for nth, database in enumerate(DATABASES)
    for more, processes in enumerate((1, 4))
]
"""Every two of a database, a number of web processes and a queue server occur together."""

PATIENCE = 240.0
"""Seconds until views and statistics must have come to the head: the worker leaves the processors to those who play."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("database", "processes", "queue"), DEPLOYMENTS)
def test_the_evening_of_every_ruleset(
    database: str, processes: int, queue: str, tmp_path: Path
) -> None:
    """Played all at once; views and statistics come to the head, every log verifies, views are those of a rebuild."""
    began = time.monotonic()
    with address(database) as url, beside(tmp_path / "queue", queue) as settings:
        settings |= {"DATABASE_URL": url, "FAIRLOG_WEB_PROCESSES": str(processes)}
        running = Running(tmp_path / "data", "serve", **settings)
        try:
            at = running.url()
            assert eventually(lambda: len(running.children("gunicorn")) == processes + 1), (
                "one that starts them"
            )
            assert answering(running) == f"{queue} {version(queue)}"
            build_msgspec_types()
            with ThreadPoolExecutor(len(RULESETS)) as at_once:
                sessions = list(
                    chain(*at_once.map(lambda ruleset: play(at, ruleset, tmp_path), RULESETS))
                )
            assert eventually(lambda: lags(at) == {0}, PATIENCE)
        finally:
            running.stop()
        with closing(build(running.settings)) as app:
            events, before = sum(checked(app, session) for session in sessions), followed(app)
            assert app.recorder.query("SELECT COUNT(*) FROM stored_events") == [(events,)]
        rebuilt = run(tmp_path / "data", "rebuild", **settings)
        assert rebuilt.returncode == 0, rebuilt.stderr
        with closing(build(running.settings)) as app:
            assert followed(app) == before
    on = (
        database if database == SQLITE else f"PostgreSQL {databases.version(database)} ({database})"
    )
    print(
        f"{on}, {processes} web processes, {queue} {version(queue)}: {len(RULESETS)} evenings,"
        f" {len(sessions)} sessions, {events} events, in {time.monotonic() - began:.0f} s"
    )


def lags(url: str) -> set[int]:
    """How far the views are behind."""
    return set(requests.get(f"{url}/readyz", timeout=60).json()["views"].values())


def answering(running: Running) -> str:
    """Name and version of the server that the queue is in, as it says itself."""
    with redis.Redis.from_url(queues.queue_address(running.settings)) as client:
        said = client.info("server")
    name = said.get("server_name", "redis")
    return f"{name} {said[f'{name}_version']}"


def play(url: str, ruleset: AnyRuleset, folder: Path) -> list[str]:
    """A scripted evening from start to end, its seats drawing together; its session, and those that forked from it."""
    files = folder / ruleset.name
    files.mkdir()
    with closing(SessionPlayer(url, read_script(ruleset), files)) as evening:
        evening.open()
        assert sum(1 for _ in play_checked(evening)) > 50
        assert eventually(lambda: counted(evening) == evening.version, PATIENCE), said(evening)
        return [evening.session, *(fork.session for fork in evening.forks)]


def said(evening: SessionPlayer) -> str:
    answers = [
        evening.gm.get(path) for path in (f"{evening.path}/statistics", "/v1/status", "/readyz")
    ]
    return f"{evening.script.ruleset} at {evening.version}: {[str(answer.json)[:600] for answer in answers]}"


def counted(evening: SessionPlayer) -> object:
    """The version that the session's statistics are as of."""
    answer = evening.gm.get(f"{evening.path}/statistics")
    return answer.json["version"] if answer.status == 200 else None


def checked(app: App, session: str) -> int:
    """The events of its log, which is whole."""
    report = verify(export_log(app, session), ed25519)
    assert report.failure is None
    assert report.counts.events == app.log.read(session).session.version
    return report.counts.events


def followed(app: App) -> dict[str, Rows]:
    return {view.name: rows_of(view) for view in app.read_models.followed}
