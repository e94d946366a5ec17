"""The state of the background work: what it says of each part, and what it never says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import redis
from rq import SimpleWorker

from projections.results import ALL_SESSIONS, JobResult
from service.jobs import definitions, inspection
from service.jobs.definitions import JobKind
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.status import QUEUE_AWAY, SWEEP, BackgroundStatus, SweepReport, background_status
from service.platform import clock
from tests.support.queue_server import fail, queue_of, serving
from tests.support.queue_servers import QUEUES
from tests.support.server import TestServer, settings_in


@pytest.fixture(scope="module", params=QUEUES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path_factory.mktemp("queue"), request.param) as server:
        yield server


@pytest.fixture
def house(tmp_path: Path, server: EmbeddedQueueServer) -> Iterator[TestServer]:
    with queue_of(server) as queue:
        queue.connection.flushall()
    served = TestServer(settings_in(tmp_path, REDIS_URL=server.address))
    yield served
    served.close()


def status_of(house: TestServer) -> BackgroundStatus:
    app = house.app
    return background_status(app.queue, app.read_models, app.log, app.settings.sweep)


def swept(house: TestServer, ago: float) -> None:
    """The last sweep was so many seconds ago."""
    found = SweepReport(int(clock.now_ms() - 1000 * ago), 3, 2)
    house.app.read_models.results.put(
        JobResult(ALL_SESSIONS, SWEEP, found.at, msgspec.json.encode(found).decode())
    )


def test_what_waits_and_what_lags_is_counted(house: TestServer) -> None:
    house.app.queue.enqueue(definitions.statistics(house.open().session))
    before = status_of(house)
    assert (before.queue, before.waiting, before.running, before.failed) == ("ok", 1, 0, ())
    assert set(before.views.values()) == {house.app.log.end()}
    house.follow()
    assert set(status_of(house).views.values()) == {0}


def test_failures_are_told_by_kind_and_name_listed_sessions_alone(
    house: TestServer, server: EmbeddedQueueServer
) -> None:
    listed, unlisted = (house.open(options={"listed": each}).session for each in (True, False))
    house.follow()
    for session in (listed, unlisted):
        house.app.queue.enqueue(definitions.statistics(session))
        house.app.queue.enqueue(definitions.statistics_of_range(session, 3, 1, 2))
    house.app.queue.enqueue(definitions.audit(unlisted, 3))
    fail(server, *(job.name for job in inspection.waiting_jobs(house.app.queue)))
    found = {each.kind: each for each in status_of(house).failed}
    assert {kind: each.count for kind, each in found.items()} == {
        JobKind.RANGE: 2,
        JobKind.AUDIT: 1,
        JobKind.STATISTICS: 2,
    }
    assert found[JobKind.RANGE].sessions == found[JobKind.STATISTICS].sessions == (listed,)
    assert found[JobKind.AUDIT].sessions == ()
    said = house.client.get("/v1/status").text
    assert listed in said
    assert unlisted not in said
    assert "nothing_of_the_kind" not in said
    assert all(each.action in said for each in found.values())


def test_a_worker_that_is_heard_of_is_at_work(
    house: TestServer, server: EmbeddedQueueServer
) -> None:
    fail(server)  # runs a worker that has nothing to do, and leaves
    assert status_of(house).workers == ()
    with queue_of(server) as queue:
        worker = SimpleWorker([queue], connection=queue.connection)
        worker.register_birth()
        [found] = status_of(house).workers
        assert (found.state, found.last_seen_seconds < 30) == ("idle", True)
        worker.register_death()


def test_an_entry_that_is_none_of_ours_is_left_out(
    house: TestServer, server: EmbeddedQueueServer
) -> None:
    job = definitions.statistics(house.open().session)
    house.app.queue.enqueue(job)
    with redis.Redis.from_url(server.address) as client:
        client.sadd("rq:workers", "rq:worker:evil")
        client.hset("rq:worker:evil", mapping={"birth": "never", "last_heartbeat": "never"})
        client.hset(f"rq:job:{job.name}", "status", "never")
    assert status_of(house).workers == ()
    assert house.client.get("/v1/status").status_code == 200
    assert house.client.get("/metrics").status_code == 200
    assert house.client.get(f"/v1/jobs/{job.name}").status_code in (401, 404)


def test_a_part_that_is_missing_has_something_to_do(house: TestServer) -> None:
    assert todo(house) == ["no worker is running", "no follower is running"]
    swept(house, 3600)
    assert todo(house) == ["no worker is running", "no follower is running"]
    swept(house, 1)
    assert todo(house) == ["no worker is running"]
    assert (
        house.client.get("/v1/status").json["sweep"].items()
        >= {"statistics": 3, "audits": 2}.items()
    )


def todo(house: TestServer) -> list[str]:
    return [said.partition(":")[0] for said in status_of(house).actions]


def test_without_a_queue_it_says_so_and_nothing_of_its_address(tmp_path: Path) -> None:
    house = TestServer(settings_in(tmp_path))
    try:
        found = status_of(house)
        assert (found.queue, found.actions[0]) == ("away", QUEUE_AWAY)
        assert "sock" not in house.client.get("/v1/status").text
    finally:
        house.close()
