"""The application as gunicorn loads it, in each process after its fork: `service.wsgi:app`."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from types import FrameType

from service import logs
from service.bootstrap import build
from service.console import create_app
from service.live import Streams
from service.settings import Settings

FILES = 5  # that a thread may hold open: its request's socket, the log's file and the views', each with its WAL


def allow_files(wanted: int) -> None:
    """As many open files as that, where the system lets us: what it starts with may be few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE,
            (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard),
        )


def stop_with_process(streams: Streams) -> None:
    """gunicorn waits for open requests when it stops: streams end at the same signals."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        before = signal.getsignal(number)
        if callable(before):  # gunicorn's, set before it loads us
            signal.signal(number, _with(streams, before))


def _with(
    streams: Streams, before: Callable[[int, FrameType | None], object]
) -> Callable[[int, FrameType | None], None]:
    def stop(number: int, frame: FrameType | None) -> None:
        streams.stop()
        before(number, frame)

    return stop


settings = Settings.read(os.environ)
logs.configure(settings.log)
allow_files(FILES * settings.threads + settings.connections)
app = create_app(build(settings))
stop_with_process(app.extensions["fairlog"].streams)
