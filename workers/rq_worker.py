"""An RQ worker that survives queue restarts and quickly retries abandoned jobs."""

from __future__ import annotations

import os
import socket
from typing import Any

import redis
from redis.client import Pipeline
from rq import Queue, Worker, worker_registration
from rq.exceptions import StopRequested
from rq.executions import Execution
from rq.job import Job, JobStatus
from rq.utils import import_attribute
from rq.worker import WorkerStatus

from service.jobs.definitions import FUNCTIONS, parse_job_name
from workers.shutdown import Stop

# In seconds. With RQ's defaults, an abandoned job would count as running for 405 seconds.
WORKER_TTL_SECONDS, MAINTENANCE_INTERVAL_SECONDS, MONITORING_INTERVAL_SECONDS = 30, 10, 5
HEARTBEAT_SECONDS = 2
"""The interval between heartbeats while the worker is waiting for a job."""


class NamedJob(Job):
    """A job that runs only the function that its name specifies, with the arguments in that name.

    Otherwise, anyone who can write to the queue server could make the worker call any function with
    any arguments, as the job or as one of its callbacks. They could also make it send requests to
    any address, as one of the job's webhooks.
    """

    success_callback = failure_callback = stopped_callback = None

    def send_webhooks(self, status: str | JobStatus, *, exc_string: str | None = None) -> None:
        """Send nothing."""

    def _execute(self) -> None:
        job = parse_job_name(self.id)
        if job is None:
            raise ValueError(f"{self.id!r} is not the name of a Fairlog job")
        import_attribute(FUNCTIONS[job.kind])(*job.about)


class ResilientWorker(Worker):
    """A worker that stops its loop if it loses the connection to the queue server.

    The caller then reconnects, because the server's address may have changed.
    """

    stop: Stop

    @property
    def dequeue_timeout(self) -> int:
        return HEARTBEAT_SECONDS

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        try:
            super().heartbeat(timeout, pipeline)
            if pipeline is None:
                self._register_again()
                if self.stop.is_set() and self.get_state() != WorkerStatus.BUSY:
                    raise StopRequested
        except redis.ConnectionError:
            raise StopRequested from None

    def clean_registries(self) -> None:
        """Retry jobs abandoned by killed workers, then clean the registries as RQ does."""
        for queue in self.queues:
            self._retry_abandoned(queue)
            # Otherwise, a worker killed during the cleaning would hold RQ's lock for 899 seconds.
            self.connection.expire(
                queue.registry_cleaning_key, MAINTENANCE_INTERVAL_SECONDS, lt=True
            )
        super().clean_registries()  # type: ignore[no-untyped-call]

    def request_stop(self, signum: int, info: object) -> None:
        self.stop.set()
        super().request_stop(signum, info)  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except redis.RedisError:
            if self.pubsub_thread is not None:
                self.pubsub_thread.stop()

    def _register_again(self) -> None:
        """Re-register this worker if the queue server has lost its data."""
        if not self.connection.hexists(self.key, "birth"):
            self.connection.hset(self.key, mapping=self.serialize())
            worker_registration.register(self)

    def _install_signal_handlers(self) -> None:
        """Do nothing, because RQ calls this method before its work loop starts.

        If a signal arrived then, RQ's handlers would exit without calling `teardown`. So they are
        installed only in `check_for_suspension`. Until then, `stop` records any signal.
        """

    def check_for_suspension(self, burst: bool) -> None:
        """Install RQ's signal handlers, then check for suspension.

        This is the first method that RQ's loop calls.
        """
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]
        self._stop_requested = self.stop.is_set()
        super().check_for_suspension(burst)

    def _retry_abandoned(self, queue: Queue) -> None:
        started = queue.started_job_registry
        for job, execution in started.get_job_and_execution_ids(cleanup=False):
            if self._is_abandoned(job, execution):
                # An expiry in the past makes RQ retry the job now and not after its timeout.
                self.connection.zadd(started.key, {f"{job}:{execution}": 1}, xx=True)
        started.cleanup(1)

    def _is_abandoned(self, job: str, execution: str) -> bool:
        """Return True if the process that started the job is no longer running it.

        This is the case if the queue server has lost its record of the execution. It is also the
        case if the job was started by this worker, which is idle now, or by a process on this
        machine that has ended.
        """
        try:
            name = Execution.fetch(execution, job, self.connection).worker_name
        except ValueError:  # the server has no record of it
            return True
        if name == self.name:
            return True
        worker: Any = self.connection.hgetall(f"{self.redis_worker_namespace_prefix}{name}")
        is_here = worker.get(b"hostname") == socket.gethostname().encode()
        return is_here and not _is_other_process(int(worker[b"pid"]))


def _is_other_process(pid: int) -> bool:
    """Return True if another process with this pid is running.

    The current process does not count, because it may have been given the pid of a worker that has
    ended.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid != os.getpid()
