"""`fairlog jobs` on a real queue: what it lists, why a job failed, and what becomes of one that is retried."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli.jobs import MAX_WAITING_LISTED
from service.cli.main import cli
from service.jobs import definitions, inspection
from service.jobs.definitions import REMEDIES, Job
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import REQUESTED_QUEUE_NAME
from service.ops.health import check
from tests.support.queue_server import fail, queue_of, serving
from tests.support.queue_servers import QUEUES
from tests.support.server import TestServer, settings_in

SESSION = "0" * 31 + "1"


@pytest.fixture(scope="module", params=QUEUES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path_factory.mktemp("queue"), request.param) as server:
        yield server


@pytest.fixture
def house(
    tmp_path: Path, server: EmbeddedQueueServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestServer]:
    with queue_of(server) as queue:
        queue.connection.flushall()
    settings = settings_in(tmp_path, REDIS_URL=server.address)
    for name, value in settings.environ().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "200")
    served = TestServer(settings)
    yield served
    served.close()


@pytest.fixture
def failed(house: TestServer, server: EmbeddedQueueServer) -> list[Job]:
    """An audit and a range that have failed for good."""
    both = [definitions.audit(SESSION, 3), definitions.statistics_of_range(SESSION, 3, 1, None)]
    for job in both:
        house.app.queue.enqueue(job)
    fail(server, *(job.name for job in both))
    return both


def said(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["jobs", *arguments])


def failed_now(house: TestServer) -> list[Job]:
    return [each.job for each in inspection.failed_jobs(house.app.queue)]


def test_where_nothing_is_to_do_it_says_so(house: TestServer) -> None:
    answer = said()
    assert (answer.exit_code, answer.output) == (0, "0 failed, 0 running, 0 waiting\n")


def test_failed_jobs_are_listed_with_why_and_what_to_do(
    house: TestServer, failed: list[Job]
) -> None:
    house.app.queue.enqueue(definitions.statistics(SESSION))
    answer = said()
    assert answer.exit_code == 0
    for job in failed:
        [line] = [line for line in answer.output.splitlines() if job.name in line]
        assert "failed" in line
        assert "nothing_of_the_kind" in line
        assert REMEDIES[job.kind] in answer.output
    assert "2 failed, 0 running, 1 waiting" in answer.output


def test_of_many_that_wait_the_first_are_listed(house: TestServer) -> None:
    for nth in range(MAX_WAITING_LISTED + 5):
        house.app.queue.enqueue(definitions.audit(f"{nth:032x}", 1))
    answer = said()
    assert answer.output.count("  waiting") == MAX_WAITING_LISTED
    assert "and 5 more waiting jobs" in answer.output


def test_a_job_is_retried_with_all_its_tries(
    house: TestServer, failed: list[Job], server: EmbeddedQueueServer
) -> None:
    answer = said("--retry", failed[0].name)
    assert (answer.exit_code, answer.output) == (0, "failed jobs scheduled for retry: 1\n")
    assert failed_now(house) == failed[1:]
    with queue_of(server, REQUESTED_QUEUE_NAME) as queue:
        job = queue.fetch_job(failed[0].name)
        assert job is not None
        assert (job.func_name, job.retries_left) == ("workers.jobs.audit", 3)
    assert said("--retry", "all").output == "failed jobs scheduled for retry: 1\n"
    assert failed_now(house) == []
    assert {job.name for job in inspection.waiting_jobs(house.app.queue)} == {
        job.name for job in failed
    }


def test_a_job_is_forgotten(house: TestServer, failed: list[Job]) -> None:
    assert said("--discard", failed[0].name).output == "failed jobs discarded: 1\n"
    assert failed_now(house) == failed[1:]
    assert said("--discard", "all").output == "failed jobs discarded: 1\n"
    assert (failed_now(house), inspection.waiting_jobs(house.app.queue)) == ([], [])


@pytest.mark.parametrize("option", ["--retry", "--discard"])
def test_a_job_that_has_not_failed_is_neither(
    house: TestServer, failed: list[Job], option: str
) -> None:
    answer = said(option, f"audit-{SESSION}-7")
    assert answer.exit_code == 1
    assert "no failed job with the id" in answer.output
    assert failed_now(house) == failed
    assert said("--retry", "all", "--discard", "all").exit_code == 2


def test_without_a_queue_it_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    TestServer(settings_in(tmp_path)).close()
    for name, value in settings_in(tmp_path).environ().items():
        monkeypatch.setenv(name, value)
    answer = said()
    assert (answer.exit_code, len(answer.output.splitlines())) == (1, 1)


def test_the_doctor_sees_failed_jobs(house: TestServer, failed: list[Job]) -> None:
    [found] = [finding for finding in check(house.settings) if finding.part == "jobs"]
    assert found.found == "2 failed jobs (audit, range)"
    assert "fairlog jobs" in found.todo
