"""RQ's worker and scheduler as they outlive what they need, and soon take up what a killed one held."""

from __future__ import annotations

import logging
import os
import socket
from contextlib import suppress
from typing import Any

import redis
from redis.client import Pipeline
from rq import Queue, Worker, worker_registration
from rq.exceptions import NoSuchJobError, StopRequested
from rq.executions import Execution
from rq.job import Job
from rq.scheduler import RQScheduler
from rq.scripts import acquire_or_refresh_lock
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from service.jobs import Kind, named
from workers.stopping import Stop

TTL, MAINTENANCE, MONITORING = (
    30,
    10,
    5,
)  # seconds; with RQ's own an abandoned job stays STARTED for 405
LOCK = 3  # seconds that a killed scheduler holds up the next; RQ's own are 61
LOOK = 2  # seconds of waiting for a job between two looks at the scheduler
AGAIN = 2  # seconds until a scheduler that goes on is asked to stop again; it listens every second
OF_A_BUCKET = (Kind.STATISTICS,)
"""Jobs that see all there is when they begin."""


class PatientScheduler(RQScheduler):
    """Moves jobs to the queue when their time has come. Outlives the queue's server, and soon follows a killed one."""

    @property
    def should_reacquire_locks(self) -> bool:
        return bool(self._queue_names != self.acquired_locks)

    def acquire_locks(self, auto_start: bool = False) -> set[str]:
        """Take or keep them for LOCK seconds, each in one step: at no moment would a kill leave RQ's own 61."""
        self._acquired_locks = {name for name in self._queue_names if self._holds(name)}
        self._scheduled_job_registries = []
        if auto_start and self._acquired_locks:
            self.start()  # type: ignore[no-untyped-call]
        return self._acquired_locks

    def heartbeat(self) -> None:
        self.register_birth()
        self.acquire_locks()

    def is_running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def _holds(self, name: str) -> bool:
        key = RQScheduler.get_locking_key(name)
        return acquire_or_refresh_lock(self.connection, key, self.name, LOCK) != "taken"

    def work(self) -> None:
        while not self._stop_requested:
            with suppress(redis.ConnectionError):
                super().work()  # type: ignore[no-untyped-call]


class PatientWorker(Worker):
    """Leaves its loop when the server is gone, so that the next one is found, perhaps at another address."""

    stop: Stop

    @property
    def dequeue_timeout(self) -> int:
        return LOOK

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        try:
            super().heartbeat(timeout, pipeline)
            if pipeline is None:
                self._stay_known()
                if self.stop.is_set() and self.get_state() != WorkerStatus.BUSY:
                    raise StopRequested
        except redis.ConnectionError:
            raise StopRequested from None

    def execute_job(self, job: Job, queue: Queue) -> None:
        self._drop_doubles(job, queue)
        super().execute_job(job, queue)

    def clean_registries(self) -> None:
        """Between two jobs: RQ's own, and what is left of killed workers, this one's earlier self with them."""
        for queue in self.queues:
            self._give_up(queue)
            # Of a worker that was killed over it; RQ's own are 899.
            self.connection.expire(queue.registry_cleaning_key, MAINTENANCE, lt=True)
        super().clean_registries()  # type: ignore[no-untyped-call]

    def request_stop(self, signum: int, frame: object) -> None:
        self.stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except redis.RedisError:
            if self.pubsub_thread is not None:
                self.pubsub_thread.stop()

    def _stay_known(self) -> None:
        """A server that has lost its file is told who works here; a scheduler that has ended is started again."""
        if not self.connection.hexists(self.key, "birth"):
            self.connection.hset(self.key, mapping=self.serialize())
            worker_registration.register(self)
        scheduler = self.scheduler
        if (
            isinstance(scheduler, PatientScheduler)
            and not scheduler.is_running()
            and not self.stop.is_set()
        ):
            self.stop.on_signals()  # what RQ's raise is lost where a process forks
            scheduler.acquire_locks(auto_start=True)
            super()._install_signal_handlers()  # type: ignore[no-untyped-call]

    def _install_signal_handlers(self) -> None:
        """Not yet: between here and its loop RQ would leave without teardown. Until then `stop` hears it."""

    def check_for_suspension(self, burst: bool) -> None:
        """RQ's first step in its loop."""
        super()._install_signal_handlers()  # type: ignore[no-untyped-call]
        self._stop_requested = self.stop.is_set()
        super().check_for_suspension(burst)

    def _start_scheduler(self, *_: object) -> None:
        self.scheduler = PatientScheduler(
            self.queues,
            connection=self.connection,
            logging_level=logging.WARNING,
            serializer=JSONSerializer,
        )
        self.scheduler.start()  # type: ignore[no-untyped-call]

    def stop_scheduler(self) -> None:
        """RQ's own asks once and waits for ever: a process that has just been forked may not have heard."""
        assert self.scheduler is not None
        process: Any = self.scheduler._process
        if process is None or process.pid is None:
            return
        for ask in (process.terminate, process.terminate, process.kill):
            ask()
            process.join(AGAIN)

    def _drop_doubles(self, job: Job, queue: Queue) -> None:
        """The same that was asked for again while this one waited: all that it is about is there to be seen."""
        this = named(job.id)
        if this is None or this.kind not in OF_A_BUCKET:
            return
        for name in queue.get_job_ids():
            other = named(name)
            if other is not None and (other.kind, other.about) == (this.kind, this.about):
                with suppress(NoSuchJobError):
                    Job.fetch(name, self.connection, JSONSerializer).delete()

    def _give_up(self, queue: Queue) -> None:
        """Jobs that nobody does any more are tried again, as RQ does when their time is over."""
        started = queue.started_job_registry
        for job, execution in started.get_job_and_execution_ids(cleanup=False):
            if self._is_abandoned(job, execution):
                self.connection.zadd(started.key, {f"{job}:{execution}": 1}, xx=True)
        started.cleanup(1)

    def _is_abandoned(self, job: str, execution: str) -> bool:
        """Of this worker, which is doing none now, or of one of this machine whose process is no more."""
        try:
            name = Execution.fetch(execution, job, self.connection).worker_name
        except ValueError:  # forgotten
            return True
        if name == self.name:
            return True
        told: Any = self.connection.hgetall(f"{self.redis_worker_namespace_prefix}{name}")
        here = told.get(b"hostname") == socket.gethostname().encode()
        return here and not _runs_elsewhere(int(told[b"pid"]))


def _runs_elsewhere(pid: int) -> bool:
    """Whether it is another process of this machine; this one's earlier self has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid != os.getpid()
