"""What a deployment is made of, whether each part answers and how far behind it is; every finding says what to do."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import UNSET
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from domain.fact import Row
from projections.results import STATISTICS
from projections.views import Log, NotMigrated, View, lag
from service import backlog, belonging, database, sources, status
from service.bootstrap import App, build
from service.database import Finding
from service.player import Player, Unreachable
from service.queue import Queue, QueueAway
from service.settings import SETTINGS, Settings
from service.signing import KEYS, read_keys
from service.status import LATE
from service.words import counted

SERVE = "start `fairlog serve`"


def examine(settings: Settings) -> Iterator[Finding]:
    """Looks and changes nothing. What needs a part that is missing is not looked at."""
    yield from _settings(settings)
    found = list(_files(settings))
    yield from found
    if not any(finding.todo for finding in found):
        with closing(build(settings)) as app:
            yield _log(app)
            yield from belonging.findings(app)
            yield from views(app)
            yield from _queue(app)
            yield _results(app)
            yield sweep(app)
    yield _web(settings)


def shown(findings: list[Finding]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("", "part", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        mark = "[red]✗[/]" if finding.todo else "[green]✓[/]"
        table.add_row(mark, f"[bold]{finding.part}[/]", finding.found, f"[yellow]{finding.todo}[/]")
    return table


def rebuilt(app: App, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each view once it is made anew, under a progress bar, with the number of events that went into it."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for name in names:
            yield name, app.views.rebuild(Watched(app.log, progress, name), name)


class Watched:
    """The log, moving a bar as a rebuild reads its rows."""

    def __init__(self, log: Log, progress: Progress, name: str) -> None:
        self._log, self._progress = log, progress
        self._task = progress.add_task(name, total=log.end())
        self.at, self.end = log.at, log.end

    def rows(self, after: int, limit: int) -> Sequence[Row]:
        self._progress.update(self._task, completed=after)
        return self._log.rows(after, limit)


def _settings(settings: Settings) -> Iterator[Finding]:
    standard = Settings.read({})
    changed = [
        f"{setting.name}={'(set)' if setting.secret or '@' in (value := str(getattr(settings, name))) else value}"
        for name, setting in SETTINGS.items()
        if getattr(settings, name) != getattr(standard, name)
    ]
    known = {setting.name for setting in SETTINGS.values()}
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith("FAIRLOG_") and name.removesuffix("_FILE") not in known
    )
    said = ", ".join(changed) or f"all {len(SETTINGS)} as they come"
    yield Finding("settings", said + (f"; no setting is {', '.join(unknown)}" if unknown else ""))
    who = (
        "who has the key of FAIRLOG_OPENING_KEY"
        if settings.opening_key
        else "anybody (FAIRLOG_OPENING_KEY closes it)"
    )
    yield Finding("sessions", f"opened by {who}")


def _files(settings: Settings) -> Iterator[Finding]:
    if not settings.data.is_dir():
        yield Finding(
            "data", f"no directory {settings.data}", f"{SERVE}, or make it with `fairlog migrate`"
        )
        return
    writable = os.access(settings.data, os.W_OK | os.X_OK)
    yield Finding("data", str(settings.data), "" if writable else "let this user write there")
    yield _keys(settings.keys)
    if settings.is_on_postgres:
        yield from database.findings(settings)
        return
    for part, file, table in (
        ("log", settings.log_file, "stored_events"),
        ("views", settings.views_file, "tracking"),
    ):
        if not file.exists():
            yield Finding(part, f"no file {file.name}", "make it with `fairlog migrate`")
        elif wrong := _unreadable(file, table):
            yield Finding(part, f"{file.name}: {wrong}", "restore it from a backup")


def _keys(folder: Path) -> Finding:
    try:
        read_keys(folder)
    except OSError as wrong:
        found, _, todo = str(wrong.strerror).partition(": ")
        return Finding("keys", f"{wrong.filename}: {found}", todo or "let this user read it")
    open_to_all = [name for name in KEYS if (folder / name).stat().st_mode & 0o077]
    if open_to_all:
        return Finding("keys", f"others may read {', '.join(open_to_all)}", f"chmod 600 {folder}/*")
    return Finding("keys", "all there, and readable by this user alone")


def _unreadable(file: Path, table: str) -> str:
    """What SQLite says of the file, "" where it can be read."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return ""


def _log(app: App) -> Finding:
    events, sessions, closed = app.recorder.query(
        "SELECT COUNT(*), COUNT(DISTINCT originator_id), COUNT(*) FILTER (WHERE topic='session.Closed')"
        " FROM stored_events"
    )[0]
    return Finding(
        "log", f"{counted(events, 'event')} in {counted(sessions, 'session')}, {closed:,} closed"
    )


def views(app: App) -> Iterator[Finding]:
    """How far each is behind."""
    until = time.monotonic() + 1.0 + 2 * app.settings.follow_interval
    for view in app.views.followed:
        try:
            yield _view(app, view, until)
        except NotMigrated:
            yield Finding(f"view {view.name}", "not in the file", "make it with `fairlog migrate`")


def _view(app: App, view: View, until: float) -> Finding:
    """A view that is behind gets a moment: a follower at work moves it."""
    part, began = f"view {view.name}", view.store.position(view.name)
    while (behind := lag(app.log, view)) > 0 and time.monotonic() < until:
        time.sleep(0.05)
    if behind == 0:
        return Finding(part, "at the head of the log")
    if behind < 0:
        return Finding(
            part, f"{counted(-behind, 'event')} ahead of the log", f"fairlog rebuild {view.name}"
        )
    if view.store.position(view.name) > began:
        return Finding(part, f"{counted(behind, 'event')} behind, catching up")
    return Finding(
        part,
        f"{counted(behind, 'event')} behind",
        "start `fairlog serve`, or `fairlog follow` beside it",
    )


def _queue(app: App) -> Iterator[Finding]:
    try:
        depth, failed = app.queue.depth(), backlog.failed(app.queue)
    except QueueAway as away:
        yield Finding("queue", str(away), f"{SERVE}, or set REDIS_URL to a server that runs")
        return
    yield Finding("queue", f"answers; {counted(depth, 'job')} waiting")
    if failed:
        kinds = ", ".join(dict.fromkeys(each.job.kind for each in failed))
        yield Finding(
            "jobs",
            f"{len(failed)} failed: {kinds}",
            "`fairlog jobs` says why; `fairlog jobs --retry all`",
        )
    yield _workers(app.queue)


def _workers(queue: Queue) -> Finding:
    known = backlog.workers(queue, sources.now())
    alive = [worker.heard for worker in known if worker.state != "quiet"]
    if not alive:
        return Finding(
            "workers",
            f"none alive of {len(known)} known",
            "start `fairlog serve`, or `fairlog worker`",
        )
    return Finding("workers", f"{len(alive)} at work, last heard of {min(alive):.0f} s ago")


def _results(app: App) -> Finding:
    computed = app.views.results.versions(STATISTICS)
    behind = {
        session: version
        for session, version in app.views.sessions.heads().items()
        if computed.get(session, 0) < version
    }
    limit = sources.now_ms() - 1000 * (app.settings.sweep + LATE)
    late = [
        session
        for session, version in behind.items()
        if app.log.facts(session, version - 1, version)[0].at < limit
    ]
    if late:
        said = f"late for {counted(len(late), 'session')}, as {late[0]}"
        return Finding("statistics", said, "start `fairlog worker`; see its log")
    said = f"{counted(len(behind), 'session')} waiting" if behind else "as of every session's head"
    return Finding("statistics", said)


def sweep(app: App) -> Finding:
    """Whether a follower is at work."""
    swept = status.swept(app)
    if status.is_late(app, swept):
        return Finding(
            "follower", "has not swept lately", "start `fairlog serve`, or restart `fairlog follow`"
        )
    assert swept is not UNSET
    return Finding("follower", f"swept {(sources.now_ms() - swept.at) / 1000:.0f} s ago")


def _web(settings: Settings) -> Finding:
    if settings.port == 0:
        return Finding("web", "on a port chosen at its start; not asked")
    with closing(Player(settings.local_url, pauses=())) as player:
        try:
            answer = player.get("/readyz")
            said = str(answer.json["status"])
        except (Unreachable, ValueError, KeyError):
            return Finding("web", f"no answer at {settings.local_url}", SERVE)
    return Finding(
        "web",
        f"{said} at {settings.local_url}",
        "" if said == "ok" else f"GET {settings.local_url}/readyz",
    )
