"""The worker runs what a job's name says, whatever the queue server's data says."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import redis
import rq
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.jobs import definitions
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import QUEUE_NAME, QUEUE_NAMES
from tests.support.queue_server import serving
from workers.__main__ import rq_worker
from workers.shutdown import Stop

SESSION = f"{7:032x}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path) as server:
        yield server


def run_worker(client: redis.Redis) -> None:
    rq_worker(client, Stop()).work(burst=True, logging_level="CRITICAL")


def touch(job: Job, *_: object) -> None:
    Path(str(job.meta["file"])).touch()


def test_what_readers_request_comes_last(server: EmbeddedQueueServer) -> None:
    with redis.Redis.from_url(server.address) as client:
        assert rq_worker(client, Stop()).queue_names() == list(QUEUE_NAMES)


@pytest.mark.parametrize("name", ["x1", definitions.statistics(SESSION).name])
@pytest.mark.parametrize(("function", "arguments"), [("os.system", "touch {file}"), ("len", "x")])
def test_a_forged_job_runs_neither_its_function_nor_its_callbacks(
    server: EmbeddedQueueServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    function: str,
    arguments: str,
) -> None:
    monkeypatch.setenv("FAIRLOG_DATA", str(tmp_path / "nowhere"))
    file = tmp_path / "made"
    callback = rq.Callback(f"{touch.__module__}.{touch.__name__}")
    with redis.Redis.from_url(server.address) as client:
        queue = rq.Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
        job = queue.enqueue(
            function,
            arguments.format(file=file),
            job_id=name,
            meta={"file": str(file)},
            on_success=callback,
            on_failure=callback,
            on_stopped=callback,
        )
        run_worker(client)
        assert job.get_status() == JobStatus.FAILED  # no such job, or no such data
        assert not file.exists()


def test_no_webhook_is_sent(server: EmbeddedQueueServer) -> None:
    asked = list[str]()

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

    with (
        HTTPServer(("127.0.0.1", 0), Listener) as listener,
        redis.Redis.from_url(server.address) as client,
    ):
        Thread(target=listener.serve_forever, args=(0.01,)).start()
        queue = rq.Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
        hook = rq.Webhook(f"http://127.0.0.1:{listener.server_port}/", JobStatus.FAILED)
        job = queue.enqueue("len", "x", job_id="x1", webhooks=[hook])
        run_worker(client)
        listener.shutdown()
        assert job.get_status() == JobStatus.FAILED
    assert asked == []


def test_the_failure_callback_of_an_abandoned_job_is_not_called(
    server: EmbeddedQueueServer, tmp_path: Path
) -> None:
    file = tmp_path / "made"
    with redis.Redis.from_url(server.address) as client:
        queue = rq.Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
        job = queue.enqueue(
            "os.getpid",
            job_id="x1",
            meta={"file": str(file)},
            on_failure=rq.Callback(f"{touch.__module__}.{touch.__name__}"),
        )
        queue.remove(job)
        client.zadd(queue.started_job_registry.key, {"x1:none": 1})
        run_worker(client)
        assert not file.exists()
        assert "x1" in queue.failed_job_registry.get_job_ids()
