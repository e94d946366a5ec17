"""The follower, which keeps the read models up to date and runs periodic tasks.

The periodic tasks enqueue missing jobs (the sweep) and webhooks that have events to send, delete
expired sessions and void overdue draws. The last two run even if the queue is unavailable.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial

import structlog

from projections.runner import ReadModel, catch_up, lag
from projections.stores.errors import is_of_storage
from service.platform.settings import Settings
from service.sessions import pending_draws
from service.sessions.app import App, build
from service.sessions.deletion import expire
from workers.sweep import sweep
from workers.webhooks import enqueue_webhooks

# Seconds before a failed task is retried. The pause doubles after each failure.
MIN_RETRY_PAUSE_SECONDS, MAX_RETRY_PAUSE_SECONDS = 0.5, 60.0
RETENTION_INTERVAL_SECONDS = 3600.0
POLL_SECONDS = 1.0
"""The maximum pause between two checks for overdue draws."""

log = structlog.get_logger("fairlog.follower")


def follow(settings: Settings, stop: threading.Event) -> None:
    with closing(build(settings)) as app:
        run(app, stop)


def run(app: App, stop: threading.Event) -> None:
    tasks = [
        FollowerTask(model.name, 0, partial(_catch_up, app, model))
        for model in app.read_models.followed
    ]
    tasks.append(FollowerTask("sweep", app.settings.sweep, partial(sweep, app)))
    tasks.append(FollowerTask("retention", RETENTION_INTERVAL_SECONDS, partial(expire, app)))
    tasks.append(
        FollowerTask("draws", POLL_SECONDS, partial(pending_draws.void_overdue_draws, app))
    )
    tasks.append(FollowerTask("webhooks", 0, partial(enqueue_webhooks, app)))
    while not stop.is_set():
        try:
            end = app.log.end()
            for task in tasks:
                task.try_at(time.monotonic())
            app.log.wait(end, min(POLL_SECONDS, app.settings.follow_interval))
        except Exception as error:
            if not is_of_storage(error):
                raise
            log.error("cannot read the log", exception=repr(error), retry_in=POLL_SECONDS)
            stop.wait(POLL_SECONDS)


class FollowerTask:
    """A task that runs every `every` seconds.

    If the task fails repeatedly, the pause before the next attempt doubles after each failure, up
    to MAX_RETRY_PAUSE_SECONDS.
    """

    def __init__(self, name: str, every: float, act: Callable[[], object]) -> None:
        self.name = name
        self.every = every
        self.act = act
        self.due = 0.0
        self.delay = MIN_RETRY_PAUSE_SECONDS

    def try_at(self, now: float) -> None:
        if now < self.due:
            return
        try:
            self.act()
        except Exception:  # an error in one read model must not stop the others
            log.exception("task failed", task=self.name, retry_in=self.delay)
            self.due, self.delay = now + self.delay, min(2 * self.delay, MAX_RETRY_PAUSE_SECONDS)
        else:
            self.due, self.delay = now + self.every, MIN_RETRY_PAUSE_SECONDS


def _catch_up(app: App, model: ReadModel) -> None:
    # If the log was replaced with an older copy, readers must not see events that it lacks.
    if lag(app.log, model) < 0:
        log.warning("rebuilding a read model that is ahead of the log", read_model=model.name)
        app.read_models.results.drop()
        app.read_models.rebuild(app.log, model.name)
    catch_up(app.log, model)
