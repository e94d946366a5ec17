"""Health checks for `fairlog doctor`, which find problems and suggest remedies.

The checks run in this order: settings, files, log, keys, read models, queue, statistics, follower,
web server.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence, Set
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType
from rich import box
from rich.table import Table

from domain.decider import Role
from domain.proof import ProofError, signed_note
from domain.proof.signed_note import ED25519, Vkey, parse_vkey
from domain.recorded_event import RecordedEvent
from domain.session.messages import Opened, SeatTaken
from projections.runner import NotMigratedError, ReadModel, lag
from service.client.api import ApiConnection, UnreachableError
from service.jobs import inspection, status
from service.jobs.queue import Queue, QueueUnavailableError
from service.ops.migrate import find_missing, find_missing_in_postgres
from service.platform import clock
from service.platform.keys import KEYS, read_keys
from service.platform.settings import SETTINGS, Settings, to_text
from service.platform.text import format_count
from service.sessions.app import App, build
from service.sessions.house import chain_name

Part = Literal["worker", "follower"]
RESTORE_KEYS = (
    "move the current key files elsewhere, restore the keys from the newest backup, "
    "and restart Fairlog"
)
SIGNATURES = "signatures"
LOG_KEYS, HOUSE_KEY = "log.key or log.followed", "house.key"
LAST_ENTRIES = 100
"""The maximum number of session index entries that the key check reads, newest first."""


class HealthFinding(NamedTuple):
    """The result of a health check.

    `found` describes the state of `part`. `todo` is the remedy, or "" if there is no problem.
    """

    part: str
    found: str
    todo: str = ""


def check(settings: Settings, part: Part | None = None) -> Iterator[HealthFinding]:
    """Check the whole deployment, or only `part`, and yield the findings.

    The checks change nothing. Checks that need a missing file are skipped. A container's health
    check sets `part`. The part "worker" covers only the workers on this machine.
    """
    if part == "worker":
        yield _worker_here(Queue(settings))
    elif part == "follower":
        if lacks := find_missing(settings):
            yield HealthFinding("log", f"missing: {lacks}", "run `fairlog migrate`")
        else:
            with closing(build(settings)) as app:
                yield from _read_models(app)
                yield _follower(app)
    else:
        yield from _settings(settings)
        files = list(_files(settings))
        yield from files
        if not any(finding.todo for finding in files):
            with closing(build(settings)) as app:
                yield _log(app)
                yield from check_keys(app)
                yield from _read_models(app)
                yield from _queue(app.queue)
                yield from (_statistics(app), _follower(app))
        yield _web(settings)


def findings_table(findings: Sequence[HealthFinding]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("", "part", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        mark = "[red]✗[/]" if finding.todo else "[green]✓[/]"
        table.add_row(mark, f"[bold]{finding.part}[/]", finding.found, f"[yellow]{finding.todo}[/]")
    return table


def _settings(settings: Settings) -> Iterator[HealthFinding]:
    defaults = Settings.read({})
    changed = []
    for name, setting in SETTINGS.items():
        value = to_text(getattr(settings, name))
        if value != to_text(getattr(defaults, name)):
            is_secret = setting.secret or "@" in value  # an address may contain a password
            changed.append(f"{setting.name}={'(set)' if is_secret else value}")
    known = {setting.name for setting in SETTINGS.values()}
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith("FAIRLOG_") and name.removesuffix("_FILE") not in known
    )
    found = ", ".join(changed) or f"all {len(SETTINGS)} settings have their default values"
    yield HealthFinding("settings", found + (f"; unknown: {', '.join(unknown)}" if unknown else ""))
    opener = (
        "anyone who has FAIRLOG_OPENING_KEY can open a session"
        if settings.opening_key
        else "anyone can open a session (set FAIRLOG_OPENING_KEY to restrict this)"
    )
    yield HealthFinding("sessions", opener)


def _files(settings: Settings) -> Iterator[HealthFinding]:
    if not settings.data.is_dir():
        todo = "start `fairlog serve`, or run `fairlog migrate`"
        yield HealthFinding("data", f"the directory {settings.data} does not exist", todo)
        return
    writable = os.access(settings.data, os.W_OK | os.X_OK)
    yield HealthFinding(
        "data",
        str(settings.data),
        "" if writable else "give the user that runs Fairlog write permission on the directory",
    )
    yield _key_files(settings.keys)
    if settings.is_on_postgres:
        yield from _database(settings)
        return
    for part, file, table in (
        ("log", settings.log_file, "stored_events"),
        ("read models", settings.views_file, "tracking"),
    ):
        if not file.exists():
            yield HealthFinding(part, f"{file.name} is missing", "run `fairlog migrate`")
        elif error := _sqlite_error(file, table):
            yield HealthFinding(part, f"{file.name}: {error}", "restore the file from a backup")


def _key_files(folder: Path) -> HealthFinding:
    try:
        read_keys(folder)
    except OSError as error:
        found, _, todo = str(error.strerror).partition(": ")
        return HealthFinding(
            "keys",
            f"{error.filename}: {found}",
            todo or "give the user that runs Fairlog read permission for the file",
        )
    readable = [name for name in KEYS if (folder / name).stat().st_mode & 0o077]
    if readable:
        found = f"other users can read {', '.join(readable)}"
        return HealthFinding("keys", found, f"run `chmod 600 {folder}/*`")
    return HealthFinding("keys", "complete, and readable only by this user")


def _sqlite_error(file: Path, table: str) -> str:
    """Return SQLite's error message if the table cannot be read, or "" if it can."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()  # noqa: S608 our own tables
    except sqlite3.Error as error:
        return str(error)
    return ""


def _database(settings: Settings) -> Iterator[HealthFinding]:
    """Check that PostgreSQL is reachable, commits durably and has Fairlog's tables."""
    from service.store.postgres_admin import connection_error, inspect_database

    if error := connection_error(settings.database):
        yield HealthFinding("database", error, "start the database or correct DATABASE_URL")
        return
    found = inspect_database(settings.database).settings
    version = f"PostgreSQL {found['server_version']}"
    if off := [name for name in ("fsync", "synchronous_commit") if found[name] == "off"]:
        todo = f"turn on {' and '.join(off)}, or confirmed events can be lost in a power failure"
        yield HealthFinding("database", f"{version} with {' and '.join(off)} turned off", todo)
    else:
        yield HealthFinding("database", f"{version} is reachable")
    if lacks := find_missing_in_postgres(settings.database):
        yield HealthFinding("tables", f"missing: {lacks}", "run `fairlog migrate`")


def _log(app: App) -> HealthFinding:
    events, sessions, closed = app.recorder.query(
        "SELECT COUNT(*), COUNT(DISTINCT originator_id),"
        " COUNT(*) FILTER (WHERE topic='session.Closed') FROM stored_events"
    )[0]
    found = (
        f"{format_count(events, 'event')} in {format_count(sessions, 'session')}, {closed:,} closed"
    )
    return HealthFinding("log", found)


def _read_models(app: App) -> Iterator[HealthFinding]:
    """Check how far each read model lags behind the log.

    First wait briefly to let a running follower catch up.
    """
    until = time.monotonic() + 1.0 + 2 * app.settings.follow_interval
    for model in app.read_models.followed:
        try:
            yield _read_model(app, model, until)
        except NotMigratedError:
            yield HealthFinding(
                f"read model {model.name}",
                "the tables of this read model are missing",
                "run `fairlog migrate`",
            )


def _read_model(app: App, model: ReadModel, until: float) -> HealthFinding:
    part, start = f"read model {model.name}", model.store.position(model.name)
    while (behind := lag(app.log, model)) > 0 and time.monotonic() < until:
        time.sleep(0.05)
    if behind == 0:
        return HealthFinding(part, "up to date with the log")
    if behind < 0:
        found = f"{format_count(-behind, 'event')} ahead of the log"
        return HealthFinding(part, found, f"run `fairlog rebuild {model.name}`")
    found = f"{format_count(behind, 'event')} behind the log"
    if model.store.position(model.name) > start:
        return HealthFinding(part, f"{found}, catching up")
    return HealthFinding(part, found, "start `fairlog serve` or `fairlog follow`")


def _queue(queue: Queue) -> Iterator[HealthFinding]:
    try:
        work = status.read_queue(queue)
    except QueueUnavailableError as away:
        yield HealthFinding("queue", str(away), "start `fairlog serve` or correct REDIS_URL")
        return
    yield HealthFinding("queue", f"reachable, {format_count(work.waiting, 'job')} waiting")
    if work.failed:
        kinds = ", ".join(dict.fromkeys(each.job.kind for each in work.failed))
        todo = "run `fairlog jobs` to see the cause, then `fairlog jobs --retry all`"
        yield HealthFinding(
            "jobs", f"{format_count(len(work.failed), 'failed job')} ({kinds})", todo
        )
    if alive := work.alive:
        last = min(worker.last_seen_seconds for worker in alive)
        yield HealthFinding("workers", f"{len(alive)} running, last heartbeat {last:.0f} s ago")
    else:
        found = f"no worker is running ({len(work.workers)} stopped sending heartbeats)"
        yield HealthFinding("workers", found, "start `fairlog serve` or `fairlog worker`")


def _worker_here(queue: Queue) -> HealthFinding:
    """Check when a worker on this machine last sent a heartbeat.

    Workers send heartbeats even while they run a job.
    """
    try:
        known = inspection.known_workers(queue, clock.now(), socket.gethostname())
    except QueueUnavailableError as away:
        return HealthFinding("worker", str(away), "start the queue server or correct REDIS_URL")
    if not known:
        found = "no worker is running on this machine"
        return HealthFinding("worker", found, "start `fairlog worker`")
    last = min(worker.last_seen_seconds for worker in known)
    todo = (
        "read the worker's log, then restart the worker" if last > inspection.LOST_SECONDS else ""
    )
    return HealthFinding("worker", f"last heartbeat {last:.0f} s ago", todo)


def _statistics(app: App) -> HealthFinding:
    last = status.last_sweep(app.read_models)
    behind = 0 if last is UNSET else last.statistics
    found = f"outdated for {format_count(behind, 'session')}" if behind else "up to date"
    return HealthFinding("statistics", found)


def _follower(app: App) -> HealthFinding:
    last = status.last_sweep(app.read_models)
    if last is UNSET or status.is_late(last, app.settings.sweep):
        todo = "start `fairlog serve`, or restart `fairlog follow`"
        return HealthFinding("follower", "no recent sweep", todo)
    return HealthFinding("follower", f"last sweep {(clock.now_ms() - last.at) / 1000:.0f} s ago")


def _web(settings: Settings) -> HealthFinding:
    if settings.port == 0:
        return HealthFinding("web", "not checked: FAIRLOG_PORT is 0, so the port is unknown")
    url = settings.local_url
    with closing(ApiConnection(url, pauses=())) as client:
        try:
            state = str(client.get("/readyz").json["status"])
        except (UnreachableError, ValueError, KeyError):
            return HealthFinding("web", f"no response from {url}", "start `fairlog serve`")
    return HealthFinding("web", f"{state} at {url}", "" if state == "ok" else f"see {url}/readyz")


class _Session(NamedTuple):
    """A session that was opened on this server.

    `key` is the public key for its log. `house` is the public key of its house seat, in hex.
    """

    session: str
    key: Vkey
    house: str | UnsetType


def check_keys(app: App) -> Iterator[HealthFinding]:
    """Check that the server's keys and FAIRLOG_ORIGIN match the sessions in the log."""
    sessions = _opened_here(app)
    yield _signatures(app, sessions)
    yield _origin(app, sessions)


def check_signatures(app: App) -> HealthFinding:
    """Check that the server's keys match those used for the sessions and the index."""
    return _signatures(app, _opened_here(app))


def _opened_here(app: App) -> list[_Session]:
    """Return the sessions that were opened on this server, oldest first."""
    here = app.recorder.query("SELECT session FROM secrets WHERE name=?", (chain_name(0),))
    # The server takes its seat in a session's second event, or in a fork's third event.
    starts = (app.log.read_events(session, 0, 3) for (session,) in here)
    return [
        _session(facts) for facts in sorted(filter(None, starts), key=lambda facts: facts[0].at)
    ]


def _session(facts: Sequence[RecordedEvent]) -> _Session:
    opening, *rest = (fact.body for fact in facts)
    assert isinstance(opening, Opened)
    houses = (
        body.public_key for body in rest if isinstance(body, SeatTaken) and body.role is Role.HOUSE
    )
    return _Session(facts[0].session, parse_vkey(opening.log_key), next(houses, UNSET))


def _signatures(app: App, sessions: Sequence[_Session]) -> HealthFinding:
    keys = app.keys
    wrong, strange = (
        LOG_KEYS,
        [each for each in sessions if keys.lines(each.key.name, each.key.public_key) is None],
    )
    if not strange:
        wrong = HOUSE_KEY
        strange = [each for each in sessions if each.house != keys.house.public.hex()]
    if strange:
        used = f"{format_count(len(strange), 'session')} used a key that is not in {wrong}"
        example = f"for example session {strange[-1].session}"
        return HealthFinding(SIGNATURES, f"{used}, {example}", RESTORE_KEYS)
    try:
        if not _signed_last(app, {each.session for each in sessions}):
            return HealthFinding(
                SIGNATURES,
                f"no key in {LOG_KEYS} made the last signature on the session index",
                RESTORE_KEYS,
            )
    except ProofError:
        found = "cannot read the newest entry of the session index"
        return HealthFinding(SIGNATURES, found, "restore the log from a backup")
    return HealthFinding(
        SIGNATURES, f"the keys match those in {format_count(len(sessions), 'session')}"
    )


def _origin(app: App, sessions: Sequence[_Session]) -> HealthFinding:
    """Check that FAIRLOG_ORIGIN matches the origin of the first or the last session.

    Both are accepted, because the operator may have corrected an origin that was wrong for a while.
    """
    now, names = app.settings.origin, [each.key.name.partition("/")[0] for each in sessions]
    if names and now not in (names[0], names[-1]):
        todo = f"set FAIRLOG_ORIGIN={names[-1]} and restart Fairlog"
        return HealthFinding("origin", f"{now}, but the sessions' origin is {names[-1]}", todo)
    return HealthFinding("origin", now)


def _signed_last(app: App, sessions: Set[str]) -> bool:
    """Return True if this server signed the newest index entry that belongs to `sessions`.

    The signature may be made with any of the server's log keys. Also return True if the newest
    LAST_ENTRIES entries contain no entry for these sessions. Raises ProofError.
    """
    ours = (app.keys.log.public, *(bytes.fromhex(each.old) for each in app.keys.successions))
    for entry in reversed(app.index.page(app.index.size() - LAST_ENTRIES, LAST_ENTRIES)):
        if entry.session in sessions:
            signed = signed_note.parse_note(entry.note)
            name = signed_note.parse_checkpoint(signed.text).origin
            return any(
                line
                for key in ours
                for line in signed_note.signatures_by(signed, Vkey(name, ED25519, key))
            )
    return True
