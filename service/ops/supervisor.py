"""The supervisor for `fairlog serve`: starts, restarts and stops its processes.

The processes are the queue server, the follower, the worker and the web server.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, NoReturn
from urllib.parse import urlsplit

from service.jobs.embedded_server import EmbeddedQueueServer, kill_with_parent_command
from service.ops.data_directory import ServeError, lock_data_directory, recreate_folder
from service.ops.gunicorn_config import APP, METRICS_FOLDER_OWNED
from service.platform.metrics import METRICS_FOLDER_VARIABLE, allocate_files
from service.platform.settings import Settings

__all__ = ["ChildProcess", "ServeError", "Supervisor"]
POLL_SECONDS = 0.1
MIN_RESTART_PAUSE_SECONDS, MAX_RESTART_PAUSE_SECONDS = (
    0.2,
    5.0,
)  # pause before a child that has exited is restarted
STEADY_SECONDS = 10.0  # after this uptime, the restart pause is reset
START_TIMEOUT_SECONDS = 60.0
KILL_GRACE_SECONDS = 2.0  # a child is killed this long after its time to stop has passed
NICENESS = 10
CODE_FOLDER = Path(__file__).parents[2]
"""The children's current directory: gunicorn imports modules from there."""


class ChildProcess:
    """A child process in its own process session, so Ctrl-C does not reach it.

    Only the supervisor receives Ctrl-C and then stops its children.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environ: dict[str, str],
        seconds: float,
        niceness: int = 0,
        sockets: Sequence[int] = (),
    ) -> None:
        """Prepare the child process without starting it.

        The process inherits the file descriptors in `sockets`. After `ask_to_stop`, it has
        `seconds` seconds to finish its work.
        """
        self.name, self._seconds, self._is_asked = name, seconds, False
        self._command = kill_with_parent_command(command, niceness)
        self._environ = environ
        self._sockets = sockets
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def launch(self) -> None:
        self._kill_group()
        self._process = subprocess.Popen(  # noqa: S603 our own command
            self._command,
            cwd=CODE_FOLDER,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            pass_fds=self._sockets,
            start_new_session=True,
        )

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def ask_to_stop(self) -> None:
        """Send SIGTERM, but only once.

        A worker that receives a second SIGTERM abandons its job.
        """
        if self._process is not None and not self._is_asked:
            self._is_asked = True
            self._process.terminate()

    def stop(self) -> None:
        """Stop the child, wait for it to end, and kill it if it takes too long."""
        self.ask_to_stop()
        if self._process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(self._seconds + KILL_GRACE_SECONDS)
        self._kill_group()
        self._process.wait()

    def _kill_group(self) -> None:
        """Kill the child and the processes that it started.

        Otherwise, the processes of a killed web server would still accept requests.
        """
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)


class RestartingChild:
    """A child process that is restarted after it ends, with increasing delays."""

    def __init__(
        self, child: ChildProcess | EmbeddedQueueServer, say: Callable[[str], None], log_hint: str
    ) -> None:
        self.child = child
        self._say, self._log_hint = say, log_hint
        self._delay = MIN_RESTART_PAUSE_SECONDS
        self._started = time.monotonic()
        self._due: float | None = None

    def tend(self) -> None:
        now = time.monotonic()
        if self.child.is_alive():
            return
        if self._due is None:
            delay = (
                MIN_RESTART_PAUSE_SECONDS if now - self._started > STEADY_SECONDS else self._delay
            )
            self._due, self._delay = now + delay, min(2 * delay, MAX_RESTART_PAUSE_SECONDS)
            self._say(
                f"{self.child.name} has exited ({self._log_hint}). Restarting it in {delay:.1f} s"
            )
        elif now >= self._due:
            self._due, self._started = None, now
            try:
                self.child.launch()
            except OSError as error:  # such as a full disk
                self._say(f"cannot start {self.child.name}: {error}")


class Supervisor:
    """Runs all of Fairlog's processes on one machine.

    Use it from the main thread, because the children are killed when the thread that started them
    ends.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        prepare: Callable[[Settings], None],
        say: Callable[[str], None],
        app: str = APP,
        only: Literal["web"] | None = None,
        log_hint: str = "its output is above",
    ) -> None:
        """Prepare the deployment without starting any process.

        `prepare` must create tables and keys. It is called before any child starts. `app` is the
        WSGI application in gunicorn's notation. If `only` is "web", only the web server is started.
        `log_hint` tells the user where to find the output of the children.
        """
        self.settings = settings  # `start` sets the actual port
        self._prepare = prepare
        self._say = say
        self._app = app
        self._only = only
        self._log_hint = log_hint
        self._children: list[RestartingChild] = []
        self._resources = ExitStack()
        self._listener: socket.socket | None = None
        self._is_stopping = False

    def run(self) -> None:
        """Run Fairlog until this process receives SIGTERM or SIGINT.

        Raises ServeError, QueueServerError, and any exception that `prepare` raises.
        """
        if self._only == "web":
            self._become_web()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._request_stop)
        with self:
            while not self._is_stopping:
                self.tend()
                time.sleep(POLL_SECONDS)
            self._say("stopping")

    def start(self) -> None:
        """Start all processes and wait until the web server responds.

        Call `stop` afterwards, even if this method raises an exception.
        """
        self._resources.enter_context(lock_data_directory(self.settings))
        listener = self._listen()
        self._prepare(self.settings)
        if not self.settings.redis_url:
            queue = EmbeddedQueueServer(self.settings)
            self._launch(queue)
            queue.wait()
            self._say(f"queue: {queue.version}")
        environ = {**os.environ, **self.settings.environ()}
        workers = (sys.executable, "-P", "-m", "workers")
        seconds = float(self.settings.stop_seconds)
        self._launch(ChildProcess("follower", [*workers, "follow"], environ, seconds))
        self._launch(ChildProcess("worker", [*workers, "worker"], environ, seconds, NICENESS))
        environ |= self._share_metrics(lambda: recreate_folder(self.settings.metrics_folder))
        web = ChildProcess(
            "web", self._web_command(listener), environ, seconds, 0, [listener.fileno()]
        )
        self._launch(web)
        self._wait_for(web)

    def tend(self) -> None:
        """Restart the children that have ended. Call this method periodically."""
        for child in self._children:
            child.tend()

    def stop(self) -> None:
        """Stop all processes, the queue server last.

        Requests and jobs in progress get time to finish.
        """
        if self._listener is not None:
            self._listener.close()  # refuse new connections at once
        for child in self._children:
            if isinstance(child.child, ChildProcess):
                child.child.ask_to_stop()
        while self._children:
            self._children.pop().child.stop()
        self._resources.close()

    def __enter__(self) -> Supervisor:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _request_stop(self, number: int, frame: object) -> None:
        self._is_stopping = True
        if not self._children:  # nothing has started yet: `prepare` may wait for a database
            raise SystemExit(0)

    def _become_web(self) -> NoReturn:
        """Replace this process with gunicorn.

        The queue server, the follower and the workers are run by other services.
        """
        listener = self._listen()
        self._prepare(self.settings)
        os.set_inheritable(listener.fileno(), True)
        self._say(f"web on {self.settings.local_url}")
        # Several web servers may share the data directory. In containers, their pids may be equal.
        metrics = self._share_metrics(lambda: Path(tempfile.mkdtemp(prefix="fairlog-metrics-")))
        if metrics:
            metrics[METRICS_FOLDER_OWNED] = "1"
        os.chdir(CODE_FOLDER)
        os.execve(  # noqa: S606 our own command
            sys.executable,
            self._web_command(listener),
            os.environ | self.settings.environ() | metrics,
        )

    def _share_metrics(self, create_folder: Callable[[], Path]) -> dict[str, str]:
        """Return the environment variables that let the web processes share their metrics.

        If the files for the metrics cannot be created, for example because the disk is full, return
        {}. Each process then counts only its own requests.
        """
        try:
            folder = create_folder()
            allocate_files(folder, self.settings.web_processes)
        except OSError as error:
            self._say(f"the web processes cannot share their metrics: {error.strerror}")
            return {}
        return {METRICS_FOLDER_VARIABLE: str(folder)}

    def _listen(self) -> socket.socket:
        """Open the web server's socket in this process.

        This lets new connections wait while the web server restarts.
        """
        host, port = self.settings.host, self.settings.port
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = self._listener = socket.create_server(
                (host, port), family=family, backlog=2048
            )
            # Connections inherit this from the listener. Gunicorn sets it too, but later. Responses
            # on connections that were made before would wait 40 ms for the client's delayed ACK.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise ServeError(
                f"cannot listen on {host}, port {port}: {error.strerror}. "
                "Change FAIRLOG_HOST or FAIRLOG_PORT, or stop the process that is using the port"
            ) from error
        self.settings = replace(self.settings, port=listener.getsockname()[1])
        return listener

    def _web_command(self, listener: socket.socket) -> list[str]:
        return [
            *(sys.executable, "-P", "-m", "gunicorn", "--bind", f"fd://{listener.fileno()}"),
            *("--worker-class", "service.ops.web_worker.WebWorker"),
            *("--workers", str(self.settings.web_processes)),
            *("--threads", str(self.settings.threads)),
            *("--worker-connections", str(self.settings.connections)),
            *("--graceful-timeout", str(self.settings.stop_seconds)),
            *("--log-level", "warning", "--no-control-socket"),
            *("--forwarded-allow-ips", ""),  # the app reads the headers of FAIRLOG_PROXIES proxies
            *("--config", "python:service.ops.gunicorn_config", self._app),
        ]

    def _launch(self, child: ChildProcess | EmbeddedQueueServer) -> None:
        self._children.append(RestartingChild(child, self._say, self._log_hint))
        child.launch()

    def _wait_for(self, web: ChildProcess) -> None:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while not _answers(self.settings.local_url):
            if self._is_stopping:
                return
            if not web.is_alive() or time.monotonic() > deadline:
                raise ServeError(f"the web server did not start ({self._log_hint})")
            time.sleep(POLL_SECONDS / 2)
        self._say(f"serving {self.settings.public_url}")


def _answers(url: str) -> bool:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=1)
    with closing(connection), suppress(OSError, http.client.HTTPException):
        connection.request("GET", "/livez")
        return connection.getresponse().status == http.client.OK
    return False
