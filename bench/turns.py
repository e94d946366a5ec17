"""Turns through the command handler, against raw transactions with the same rows.

The rows are those of the turn's events and of the stored response. A turn also reads, decides,
draws, signs and hashes. A second measurement compares late turns with early ones.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from bench.measurement import Measurement, timed
from bench.servers import postgres
from bench.sessions import CREATE, ROUND, fresh_app, fresh_request, lengthen, open_bench_session
from projections.stores import dialect
from service.sessions.app import App
from service.sessions.command_handler import handle
from service.store.schema import ACCESS_TABLES, ANSWERS_INSERT, EVENTS_TABLE

SLICES = 10
"""Product and floor are measured in turn, so that a disturbance affects both."""
EVENT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
)


class StoredTurn(NamedTuple):
    """The rows of a turn."""

    events: list[tuple[Any, ...]]
    answer: tuple[Any, ...]


Store = Callable[[StoredTurn], None]


def turns() -> Measurement:
    with fresh_app() as app, _in_file() as store:
        return _figure("turn through handle, SQLite FULL", app, store)


def turns_on_postgres() -> Measurement:
    with postgres() as url, fresh_app(DATABASE_URL=url) as app, _on_postgres(url) as store:
        return _figure("turn through handle, PostgreSQL", app, store)


def _figure(name: str, app: App, store: Store, each: int = 200) -> Measurement:
    session = open_bench_session(app)
    handle(app, session, CREATE, fresh_request())
    after = app.log.read(session).session.version
    ours, floors = [], []
    for _ in range(SLICES):
        ours.append(
            timed(
                lambda: [handle(app, session, ROUND[n % 2], fresh_request()) for n in range(each)]
            )
        )
        rows = list(_stored(app, session, after))
        floors.append(timed(lambda rows=rows: [store(turn) for turn in rows]))
        after = app.log.read(session).session.version
    mine, floor = statistics.median(ours) / each, statistics.median(floors) / each
    return Measurement(name, mine * 1e6, floor * 1e6, "us", floor / mine, 0.6, least=True)


def _stored(app: App, session: str, after: int) -> Iterator[StoredTurn]:
    for seat, key, request, first, last in app.recorder.query(
        "SELECT seat, key, request, first, last FROM answers"
        " WHERE session=? AND first>? ORDER BY first",
        (session, after),
    ):
        rows = app.recorder.query(
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " WHERE originator_id=? AND originator_version BETWEEN ? AND ?",
            (session, first, last),
        )
        yield StoredTurn(rows, (session, seat, key, request, first, last))


@contextmanager
def _in_file() -> Iterator[Store]:
    with tempfile.TemporaryDirectory(prefix="fairlog-bench-") as folder:
        raw = sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA synchronous=FULL")
        for statement in (EVENTS_TABLE, *ACCESS_TABLES):
            raw.execute(statement)

        def store(turn: StoredTurn) -> None:
            raw.execute("BEGIN IMMEDIATE")
            for row in turn.events:
                raw.execute(EVENT, row)
            raw.execute(ANSWERS_INSERT, turn.answer)
            raw.execute("COMMIT")

        yield store
        raw.close()


@contextmanager
def _on_postgres(url: str) -> Iterator[Store]:
    """Yield a store with pipelined prepared statements, the minimum for a client."""
    event, answer = (
        dialect.to_psycopg_placeholders(statement).encode() for statement in (EVENT, ANSWERS_INSERT)
    )
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE SCHEMA bench")
        raw.execute("SET search_path TO bench")
        for statement in (EVENTS_TABLE, *ACCESS_TABLES):
            raw.execute(dialect.to_postgres_columns(statement).encode())

        def store(turn: StoredTurn) -> None:
            with raw.pipeline():
                raw.execute("BEGIN", prepare=True)
                for row in turn.events:
                    raw.execute(event, row, prepare=True)
                raw.execute(answer, turn.answer, prepare=True)
                raw.execute("COMMIT", prepare=True)

        yield store


def late_turns(long: int = 50_000, pairs: int = 400) -> Measurement:
    """Measure the latency of a turn at event 50,000 against event 100."""
    with fresh_app() as app:
        young, old = open_bench_session(app), open_bench_session(app)
        lengthen(app, young, 100, step=2)
        lengthen(app, old, long)
        early, late = [], []
        for _ in range(pairs):
            early.append(_turn_taken(app, young))
            late.append(_turn_taken(app, old))
    at_100, at_long = statistics.median(early) * 1e6, statistics.median(late) * 1e6
    return Measurement(
        f"turn at event {long:,} / at 100",
        at_long,
        at_100,
        "us",
        at_long / at_100,
        1.15,
        least=False,
    )


def _turn_taken(app: App, session: str) -> float:
    """Return the seconds of the session's next turn, a check or its settling."""
    head, request = app.log.read(session).session, fresh_request()
    command = ROUND[1 if head.ruleset.show(head.table).tasks else 0]
    return timed(lambda: handle(app, session, command, request))
