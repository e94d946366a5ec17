"""The WSGI application `app`, which each gunicorn worker loads after forking."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from types import FrameType

from service.platform import log_config
from service.platform.settings import Settings
from service.sessions.app import build
from service.sessions.live_streams import LiveStreams
from service.web.app import create_app

FILES_PER_THREAD = 5
"""The maximum number of files that a thread keeps open.

These are a socket, plus the database and WAL files of both the event log and the read models.
"""


def raise_open_file_limit(wanted: int) -> None:
    """Raise the limit on open files to `wanted`, or as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY != soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE,
            (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard),
        )


def stop_with_process(streams: LiveStreams) -> None:
    """End live streams when gunicorn receives a stop signal.

    Otherwise, gunicorn would wait for the streams to end on their own.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        before = signal.getsignal(number)
        if callable(before):  # gunicorn sets its handlers before it loads this module
            signal.signal(number, _stop_and_forward(streams, before))


def _stop_and_forward(
    streams: LiveStreams, before: Callable[[int, FrameType | None], object]
) -> Callable[[int, FrameType | None], None]:
    def stop(number: int, info: FrameType | None) -> None:
        streams.stop()
        before(number, info)

    return stop


settings = Settings.read(os.environ)
log_config.configure(settings.log)
raise_open_file_limit(FILES_PER_THREAD * settings.threads + settings.connections)
app = create_app(build(settings))
stop_with_process(app.extensions["fairlog"].streams)
