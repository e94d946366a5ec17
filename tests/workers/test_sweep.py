"""The sweep on a real queue: what is behind is asked for, once, and what fails is not asked for again and again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from domain.session.messages import Close
from projections.results import ALL, STATISTICS, Result, name_of_audit
from projections.views import catch_up
from service import backlog, jobs, sources
from service.backlog import LOST
from service.embedded import Embedded
from service.jobs import Job, Kind
from service.queue import Queue
from service.status import SWEEP, Swept
from tests.evenings import Evening
from tests.queueing import fail, queue_of, serving
from tests.queues.finding import QUEUES
from tests.workers.stand_ins import StandIn, stand_in
from workers import sweep
from workers.sweep import REST

LISTED = {"listed": True}


class Clock:
    """The time that the queue and the sweep go by."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._now = sources.now

    def __call__(self) -> float:
        return self._now() + self.ahead


@pytest.fixture(scope="module", params=QUEUES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Embedded]:
    with serving(tmp_path_factory.mktemp("queue"), request.param) as server:
        yield server


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(sources, "now", clock)
    return clock


@pytest.fixture
def app(tmp_path: Path, server: Embedded, clock: Clock) -> Iterator[StandIn]:
    with queue_of(server) as queue:
        queue.connection.flushall()
    app = stand_in(tmp_path, server.address)
    yield app._replace(queue=Queue(app.settings, clock))
    app.views.close()


def swept(app: StandIn) -> tuple[int, int]:
    found = sweep.sweep(app)  # type: ignore[arg-type]
    return found.statistics, found.audits


def asked(app: StandIn) -> list[tuple[Kind, object]]:
    return sorted((job.kind, job.about[0]) for job in backlog.waiting(app.queue))  # type: ignore[arg-type]


def closed(evening: Evening) -> Evening:
    evening.do("gm", Close(carry=True))
    return evening


def done(app: StandIn, evening: Evening, *names: str) -> None:
    for name in names:
        app.views.results.put(Result(evening.id, name, evening.session.version, "{}"))


def test_what_is_behind_is_asked_for_and_only_that(app: StandIn) -> None:
    current, behind, new = (Evening(seed, log=app.log) for seed in range(3))
    catch_up(app.log, app.views.sessions)
    done(app, current, STATISTICS)
    app.views.results.put(Result(behind.id, STATISTICS, 1, "{}"))
    assert swept(app) == (2, 0)
    assert asked(app) == sorted((Kind.STATISTICS, evening.id) for evening in (behind, new))


def test_closed_sessions_without_a_report_of_their_head_are_audited(app: StandIn) -> None:
    audited, late, never = (closed(Evening(seed, log=app.log)) for seed in range(3))
    still_open = Evening(4, log=app.log)
    catch_up(app.log, app.views.sessions)
    for evening in (audited, late, never, still_open):
        done(app, evening, STATISTICS)
    done(app, audited, name_of_audit(audited.session.version))
    app.views.results.put(Result(late.id, name_of_audit(3), 3, "{}"))
    assert swept(app) == (0, 2)
    assert asked(app) == sorted((Kind.AUDIT, evening.id) for evening in (late, never))


def test_what_lies_in_the_queue_is_not_asked_for_again(app: StandIn, clock: Clock) -> None:
    Evening(1, log=app.log)
    catch_up(app.log, app.views.sessions)
    for _ in range(3):
        assert swept(app) == (1, 0)
        clock.ahead += 10
    assert len(asked(app)) == 1


def test_what_a_lost_worker_had_is_asked_for_again(
    app: StandIn, server: Embedded, clock: Clock
) -> None:
    evening = Evening(1, log=app.log)
    catch_up(app.log, app.views.sessions)
    swept(app)
    with queue_of(server) as queue:
        [name] = queue.scheduled_job_registry.get_job_ids(cleanup=False)
        queue.scheduled_job_registry.remove(name)
        job = queue.fetch_job(name)
        assert job is not None
        worker = SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer)
        worker.prepare_execution(job)
        worker.prepare_job_execution(job)
    swept(app)
    assert ([job.name for job in backlog.running(app.queue)], asked(app)) == ([name], [])  # type: ignore[arg-type]
    clock.ahead = LOST + 5
    swept(app)
    assert asked(app) == [(Kind.STATISTICS, evening.id)]


def test_what_has_failed_rests_before_it_is_asked_for_once_more(
    app: StandIn, server: Embedded, clock: Clock
) -> None:
    evening = Evening(1, log=app.log)
    catch_up(app.log, app.views.sessions)
    swept(app)
    [job] = backlog.waiting(app.queue)  # type: ignore[arg-type]
    fail(server, job.name)
    assert failed(app) == [job]
    clock.ahead = REST - 60
    swept(app)
    assert (failed(app), asked(app)) == ([job], [])
    clock.ahead = REST + 60
    swept(app)
    assert (failed(app), asked(app)) == ([], [(Kind.STATISTICS, evening.id)])


def test_a_failure_that_was_made_good_is_forgotten(app: StandIn, server: Embedded) -> None:
    evening = closed(Evening(1, log=app.log))
    version = evening.session.version
    catch_up(app.log, app.views.sessions)
    made = [
        jobs.statistics(evening.id, 1),
        jobs.audit(evening.id, version),
        jobs.audit(evening.id, 3),
    ]
    for job in (*made, jobs.statistics_of_range(evening.id, version, 1, 2)):
        app.queue.ask(job)  # type: ignore[attr-defined]
    fail(server, *(job.name for job in backlog.waiting(app.queue)))  # type: ignore[arg-type]
    assert len(failed(app)) == 4
    done(app, evening, STATISTICS, name_of_audit(version))
    swept(app)
    assert {job.kind for job in failed(app)} == {Kind.AUDIT, Kind.RANGE}
    assert made[2] in failed(app), "that one was asked for by somebody"


def failed(app: StandIn) -> list[Job]:
    return [each.job for each in backlog.failed(app.queue)]  # type: ignore[arg-type]


def test_what_it_found_is_kept_also_without_a_queue(app: StandIn, tmp_path: Path) -> None:
    Evening(1, log=app.log)
    catch_up(app.log, app.views.sessions)
    away = stand_in(tmp_path, "unix:///nonexistent/queue.sock")
    assert swept(app._replace(queue=Queue(away.settings, sources.now))) == (1, 0)
    away.views.close()
    found = app.views.results.latest(ALL, SWEEP)
    assert found is not None
    assert msgspec.json.decode(found.body, type=Swept) == Swept(found.version, 1, 0)
    assert abs(found.version - sources.now_ms()) < 60_000
