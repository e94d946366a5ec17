"""A server that is asked to stop under load: streams are told, what was answered is stored, the running job is done."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
import requests

from domain.session.messages import Narrate
from domain.verify import verify
from projections.results import AUDITS
from service.jobs import inspection
from service.jobs.definitions import JobKind
from service.jobs.queue import Queue, QueueUnavailableError
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import Settings
from service.sessions.app import App, build
from service.sessions.command_handler import handle
from service.sessions.idempotency import RequestIdentity
from service.sessions.log_files import export_log
from tests.support.processes import Running, eventually
from tests.support.scale import scale
from tests.support.server import TestServer, laid

pytestmark = pytest.mark.long

STREAMS, TALKERS = 6, 3
EVENTS = scale(1500, 6000)
"""Of the session whose check is under way: it is to last longer than it takes to ask the server to stop."""


class Table:
    """A listed session, what was answered to those who talk there, and how each stream of it ended."""

    def __init__(self, url: str, session: str, token: str) -> None:
        self.path, self.headers = (
            f"{url}/v1/sessions/{session}",
            {"Authorization": f"Bearer {token}"},
        )
        self.answered: list[int] = []
        self.ends: list[str] = []
        self.following = [Event() for _ in range(STREAMS)]
        self.threads = [Thread(target=self.talk) for _ in range(TALKERS)]
        self.threads += [Thread(target=self.follow, args=(event,)) for event in self.following]
        for thread in self.threads:
            thread.start()

    def talk(self) -> None:
        with requests.Session() as session, suppress(requests.ConnectionError):
            while True:
                answer = session.post(
                    f"{self.path}/narrate", json={"text": "x"}, headers=self.headers, timeout=60
                )
                assert answer.status_code in (201, 412, 503)
                if answer.status_code == 201:
                    self.answered.append(answer.json()["version"])

    def follow(self, following: Event) -> None:
        headers = self.headers | {"Accept": "application/x-ndjson"}
        with requests.get(
            f"{self.path}/stream", headers=headers, stream=True, timeout=60
        ) as answer:
            lines = []
            for line in answer.iter_lines():
                lines.append(line)
                following.set()
        self.ends.append(json.loads(lines[-1])["end"]["code"])


@pytest.mark.timeout(300)
def test_what_is_under_way_is_finished(tmp_path: Path) -> None:
    settings, long, short, token = laid_out(tmp_path)
    server = Running(tmp_path, "serve", FAIRLOG_STOP_SECONDS="60")
    try:
        url = server.url()
        table = Table(url, short, token)
        assert all(event.wait(60) for event in table.following)
        audit = requests.post(
            f"{url}/v1/sessions/{long[0]}/audits", json={}, headers=bearer(long[1]), timeout=60
        )
        assert audit.status_code == 202, audit.text
        assert eventually(lambda: is_running(settings, long[0])), "the job is under way"
        server.process.terminate()
        server.process.wait(100)
    finally:
        with suppress(ProcessLookupError):
            server.kill()
    for thread in table.threads:
        thread.join(60)
    assert table.ends == ["stopping"] * STREAMS
    assert server.process.returncode == 0
    with closing(build(settings)) as app:
        head = app.log.read(short).session.version
        assert max(table.answered) <= head
        assert verify(export_log(app, short), ed25519).failure is None
        assert (
            app.read_models.results.newest(AUDITS).get(long[0])
            == app.log.read(long[0]).session.version
        ), "it was finished"
    print(
        f"{len(table.answered):,} answers and {STREAMS} streams under way, the check of {EVENTS:,} events finished"
    )


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def laid_out(folder: Path) -> tuple[Settings, tuple[str, str], str, str]:
    """A long session with its GM's token, and a short one with its own."""
    settings = Settings.read({"FAIRLOG_DATA": str(folder), "FAIRLOG_SYNCHRONOUS": "NORMAL"})
    house = TestServer(settings)
    long, short = laid(house), laid(house)
    talked(house.app, long.session)
    house.close()
    return settings, (long.session, long.tokens["gm"]), short.session, short.tokens["gm"]


def talked(app: App, session: str) -> None:
    for _ in range(EVENTS):
        handle(
            app,
            session,
            Narrate("It rains."),
            RequestIdentity("gm", clock.random_session_id(), b""),
        )


def is_running(settings: Settings, session: str) -> bool:
    try:
        return any(
            job.kind is JobKind.AUDIT and session in job.about
            for job in inspection.running_jobs(Queue(settings))
        )
    except QueueUnavailableError:
        return False
