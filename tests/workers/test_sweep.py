"""The sweep on a real queue: it enqueues what is behind the log, once, whatever the queue has lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from domain.session.messages import Close
from projections.results import ALL_SESSIONS, STATISTICS, JobResult, audit_name
from projections.runner import catch_up
from service.jobs import definitions, inspection
from service.jobs.definitions import Job
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import Queue
from service.jobs.status import SWEEP, SweepReport
from service.platform import clock
from tests.support.queue_server import fail, queue_of, serving, work
from tests.support.queue_servers import QUEUES
from tests.support.sessions import ScriptedSession
from tests.workers.stand_ins import StandIn, stand_in
from workers import sweep
from workers.rq_worker import ResilientWorker
from workers.sweep import RETRY_PAUSE_SECONDS

NO_PID = 2**30
"""More than Linux gives a process."""


@pytest.fixture(scope="module", params=QUEUES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path_factory.mktemp("queue"), request.param) as server:
        yield server


@pytest.fixture
def app(tmp_path: Path, server: EmbeddedQueueServer) -> Iterator[StandIn]:
    flush(server)
    app = stand_in(tmp_path, server.address)
    yield app
    app.read_models.close()


def flush(server: EmbeddedQueueServer) -> None:
    with queue_of(server) as queue:
        queue.connection.flushall()


def swept(app: StandIn) -> tuple[int, int]:
    catch_up(app.log, app.read_models.sessions)
    found = sweep.sweep(app)  # type: ignore[arg-type]
    return found.statistics, found.audits


def waiting(app: StandIn) -> list[Job]:
    return sorted(inspection.waiting_jobs(app.queue))


def failed(app: StandIn) -> list[Job]:
    return [each.job for each in inspection.failed_jobs(app.queue)]


def closed(evening: ScriptedSession) -> ScriptedSession:
    evening.do("gm", Close(carry_over=True))
    return evening


def done(app: StandIn, evening: ScriptedSession, *names: str) -> None:
    for name in names:
        app.read_models.results.put(JobResult(evening.id, name, evening.session.version, "{}"))


def test_what_is_behind_is_enqueued_once_and_only_that(app: StandIn) -> None:
    current, behind, new = (ScriptedSession(seed, log=app.log) for seed in range(3))
    done(app, current, STATISTICS)
    app.read_models.results.put(JobResult(behind.id, STATISTICS, 1, "{}"))
    for _ in range(3):
        assert swept(app) == (2, 0)
        assert waiting(app) == sorted(
            definitions.statistics(evening.id) for evening in (behind, new)
        )


def test_closed_sessions_without_a_report_of_their_head_are_audited(app: StandIn) -> None:
    audited, late, never = (closed(ScriptedSession(seed, log=app.log)) for seed in range(3))
    still_open = ScriptedSession(4, log=app.log)
    for evening in (audited, late, never, still_open):
        done(app, evening, STATISTICS)
    done(app, audited, audit_name(audited.session.version))
    app.read_models.results.put(JobResult(late.id, audit_name(3), 3, "{}"))
    assert swept(app) == (0, 2)
    assert waiting(app) == sorted(
        definitions.audit(evening.id, evening.session.version) for evening in (late, never)
    )


def test_what_an_emptied_queue_has_lost_is_enqueued_again(
    app: StandIn, server: EmbeddedQueueServer
) -> None:
    evening = ScriptedSession(1, log=app.log)
    for _ in range(2):
        assert swept(app) == (1, 0)
        assert waiting(app) == [definitions.statistics(evening.id)]
        flush(server)


def test_the_job_of_a_dead_worker_is_retried(app: StandIn, server: EmbeddedQueueServer) -> None:
    evening = ScriptedSession(1, log=app.log)
    swept(app)
    with queue_of(server) as queue:
        dead = SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer)
        dead.pid = NO_PID
        dead.register_birth()
        [job] = queue.jobs
        queue.connection.lpop(queue.key)
        dead.prepare_execution(job)
        dead.prepare_job_execution(job)
        swept(app)
        assert (inspection.running_jobs(app.queue), waiting(app)) == (
            [definitions.statistics(evening.id)],
            [],
        )
        alive = ResilientWorker([queue], connection=queue.connection, serializer=JSONSerializer)
        alive.clean_registries()
    assert (inspection.running_jobs(app.queue), waiting(app)) == (
        [],
        [definitions.statistics(evening.id)],
    )


def test_what_has_failed_rests_and_holds_no_other_job_up(
    app: StandIn, server: EmbeddedQueueServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison = definitions.statistics(ScriptedSession(1, log=app.log).id)
    swept(app)
    other = definitions.statistics(ScriptedSession(2, log=app.log).id)
    fail(server, poison.name)
    swept(app)
    assert (failed(app), waiting(app)) == ([poison], [other])
    now = clock.now() + RETRY_PAUSE_SECONDS + 60
    monkeypatch.setattr(clock, "now", lambda: now)
    swept(app)
    assert (failed(app), waiting(app)) == ([], sorted([poison, other]))
    assert work(server) == 2


def test_what_it_found_is_stored_also_without_a_queue(app: StandIn) -> None:
    ScriptedSession(1, log=app.log)
    away = Queue(type(app.settings).read({"REDIS_URL": "unix:///nonexistent/queue.sock"}))
    assert swept(app._replace(queue=away)) == (1, 0)
    found = app.read_models.results.latest(ALL_SESSIONS, SWEEP)
    assert found is not None
    assert msgspec.json.decode(found.body, type=SweepReport) == SweepReport(found.version, 1, 0)
    assert abs(found.version - clock.now_ms()) < 60_000
