"""Health checks for a deployment. Each check returns what it found and a remedy.

The checks run in the order in which `fairlog doctor` prints them: settings, files, log, keys, read
models, queue, web.
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
from service.platform.settings import SETTINGS, Settings
from service.platform.text import format_count
from service.sessions.app import App, build
from service.sessions.house import chain_name

Part = Literal["worker", "follower"]
RESTORE_KEYS = (
    "move the current key files elsewhere, restore those in the newest backup, and restart Fairlog"
)
SIGNATURES = "signatures"
LOG_KEYS, HOUSE_KEY = "log.key and log.followed", "house.key"
LAST_ENTRIES = 100
"""The number of newest session index entries that the key check reads."""


class HealthFinding(NamedTuple):
    """What a check found. `todo` is the remedy, or "" if there is no problem."""

    part: str
    found: str
    todo: str = ""


def check(settings: Settings, part: Part | None = None) -> Iterator[HealthFinding]:
    """Check the whole deployment, or only `part` for a container's health check.

    Change nothing. The part `worker` means the workers on this machine. Checks that depend on a
    missing part are skipped.
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
        value = str(getattr(settings, name))
        if value != str(getattr(defaults, name)):
            is_secret = setting.secret or "@" in value  # an address may contain a password
            changed.append(f"{setting.name}={'(set)' if is_secret else value}")
    known = {setting.name for setting in SETTINGS.values()}
    unknown = sorted(
        name
        for name in os.environ
        if name.startswith("FAIRLOG_") and name.removesuffix("_FILE") not in known
    )
    found = ", ".join(changed) or f"all {len(SETTINGS)} at their defaults"
    yield HealthFinding("settings", found + (f"; unknown: {', '.join(unknown)}" if unknown else ""))
    opener = (
        "only with FAIRLOG_OPENING_KEY"
        if settings.opening_key
        else "by anyone (set FAIRLOG_OPENING_KEY to change that)"
    )
    yield HealthFinding("sessions", f"opened {opener}")


def _files(settings: Settings) -> Iterator[HealthFinding]:
    if not settings.data.is_dir():
        todo = "start `fairlog serve`, or run `fairlog migrate`"
        yield HealthFinding("data", f"the directory {settings.data} does not exist", todo)
        return
    writable = os.access(settings.data, os.W_OK | os.X_OK)
    yield HealthFinding(
        "data", str(settings.data), "" if writable else "give this user write permission"
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
            yield HealthFinding(part, f"{file.name}: {error}", "restore it from a backup")


def _key_files(folder: Path) -> HealthFinding:
    try:
        read_keys(folder)
    except OSError as error:
        found, _, todo = str(error.strerror).partition(": ")
        return HealthFinding(
            "keys", f"{error.filename}: {found}", todo or "give this user read permission"
        )
    readable = [name for name in KEYS if (folder / name).stat().st_mode & 0o077]
    if readable:
        found = f"other users can read {', '.join(readable)}"
        return HealthFinding("keys", found, f"chmod 600 {folder}/*")
    return HealthFinding("keys", "complete, and readable by this user only")


def _sqlite_error(file: Path, table: str) -> str:
    """Return SQLite's error message if the table cannot be read, otherwise ""."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()  # noqa: S608 a table of ours
    except sqlite3.Error as error:
        return str(error)
    return ""


def _database(settings: Settings) -> Iterator[HealthFinding]:
    """Check that PostgreSQL answers, commits durably and has Fairlog's tables."""
    from service.store.postgres_admin import connection_error, inspect_database

    if error := connection_error(settings.database):
        yield HealthFinding("database", error, "start the database or correct DATABASE_URL")
        return
    found = inspect_database(settings.database).settings
    version = f"PostgreSQL {found['server_version']}"
    if off := [name for name in ("fsync", "synchronous_commit") if found[name] == "off"]:
        todo = "turn it on: a power failure can lose confirmed events"
        yield HealthFinding("database", f"{version}, {' and '.join(off)} off", todo)
    else:
        yield HealthFinding("database", f"{version} answers")
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

    A running follower gets time to catch up first.
    """
    until = time.monotonic() + 1.0 + 2 * app.settings.follow_interval
    for model in app.read_models.followed:
        try:
            yield _read_model(app, model, until)
        except NotMigratedError:
            yield HealthFinding(
                f"read model {model.name}", "its tables are missing", "run `fairlog migrate`"
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
    found = f"{format_count(behind, 'event')} behind"
    if model.store.position(model.name) > start:
        return HealthFinding(part, f"{found}, catching up")
    return HealthFinding(part, found, "start `fairlog serve` or `fairlog follow`")


def _queue(queue: Queue) -> Iterator[HealthFinding]:
    try:
        work = status.read_queue(queue)
    except QueueUnavailableError as away:
        yield HealthFinding("queue", str(away), "start `fairlog serve` or correct REDIS_URL")
        return
    yield HealthFinding("queue", f"answers; {format_count(work.waiting, 'job')} waiting")
    if work.failed:
        kinds = ", ".join(dict.fromkeys(each.job.kind for each in work.failed))
        todo = "run `fairlog jobs` for the cause, then `fairlog jobs --retry all`"
        yield HealthFinding("jobs", f"{len(work.failed)} failed: {kinds}", todo)
    if alive := work.alive:
        last = min(worker.heard for worker in alive)
        yield HealthFinding("workers", f"{len(alive)} running, last heartbeat {last:.0f} s ago")
    else:
        found = f"none of {len(work.workers)} known workers is running"
        yield HealthFinding("workers", found, "start `fairlog serve` or `fairlog worker`")


def _worker_here(queue: Queue) -> HealthFinding:
    """Check the workers on this machine. Workers send heartbeats even while a job runs."""
    try:
        known = inspection.known_workers(queue, clock.now(), socket.gethostname())
    except QueueUnavailableError as away:
        return HealthFinding("worker", str(away), "start the queue server or correct REDIS_URL")
    if not known:
        found = "no worker is running on this machine"
        return HealthFinding("worker", found, "start `fairlog worker`")
    last = min(worker.heard for worker in known)
    todo = "read its log and restart it" if last > inspection.LOST_SECONDS else ""
    return HealthFinding("worker", f"last heartbeat {last:.0f} s ago", todo)


def _statistics(app: App) -> HealthFinding:
    last = status.last_sweep(app.read_models)
    behind = 0 if last is UNSET else last.statistics
    found = f"{format_count(behind, 'session')} waiting" if behind else "up to date"
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
            return HealthFinding("web", f"no answer at {url}", "start `fairlog serve`")
    return HealthFinding("web", f"{state} at {url}", "" if state == "ok" else f"see {url}/readyz")


class _Session(NamedTuple):
    """A session that was opened on this server.

    `key` is the key of its log, and `house` the public key of its house in hex.
    """

    session: str
    key: Vkey
    house: str | UnsetType


def check_keys(app: App) -> Iterator[HealthFinding]:
    """Check that the keys and FAIRLOG_ORIGIN match the log."""
    sessions = _opened_here(app)
    yield _signatures(app, sessions)
    yield _origin(app, sessions)


def check_signatures(app: App) -> HealthFinding:
    """Check that the server's keys match the sessions' keys and the newest index signature."""
    return _signatures(app, _opened_here(app))


def _opened_here(app: App) -> list[_Session]:
    """Return the sessions that were opened on this server, oldest first."""
    here = app.recorder.query("SELECT session FROM secrets WHERE name=?", (chain_name(0),))
    # The server takes its seat with the second event, in a fork with the third.
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
        opened = f"{format_count(len(strange), 'session')} opened, as {strange[-1].session}"
        return HealthFinding(SIGNATURES, f"{wrong} changed since {opened}", RESTORE_KEYS)
    try:
        if not _signed_last(app, {each.session for each in sessions}):
            return HealthFinding(
                SIGNATURES, f"{LOG_KEYS} changed since the index was last signed", RESTORE_KEYS
            )
    except ProofError:
        found = "cannot read the last entry of the session index"
        return HealthFinding(SIGNATURES, found, "restore the log from a backup")
    return HealthFinding(SIGNATURES, f"match the keys in {format_count(len(sessions), 'session')}")


def _origin(app: App, sessions: Sequence[_Session]) -> HealthFinding:
    """Check that FAIRLOG_ORIGIN is the origin of the first or the last session.

    Both are accepted, so that an origin that was wrong for some time can be corrected.
    """
    now, names = app.settings.origin, [each.key.name.partition("/")[0] for each in sessions]
    if names and now not in (names[0], names[-1]):
        todo = f"set FAIRLOG_ORIGIN={names[-1]} and restart Fairlog"
        return HealthFinding("origin", f"{now}, but the sessions' origin is {names[-1]}", todo)
    return HealthFinding("origin", now)


def _signed_last(app: App, sessions: Set[str]) -> bool:
    """Return True if a log key of this server signed the newest index entry for `sessions`.

    Also return True if none of the newest LAST_ENTRIES entries is for these sessions. Raises
    ProofError.
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
