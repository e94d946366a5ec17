"""What is measured: each figure with its floor, in the same run on the same machine."""

from __future__ import annotations

import gc
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from bench.evening import CREATE, ROUND, asked, fresh_app, lengthen, opened
from domain.codec import decode
from domain.fact import Fact
from domain.session.decider import evolve
from domain.session.state import Past, initial
from service.bootstrap import App
from service.handle import handle
from service.storage.tables import BESIDE_TABLES, EVENTS_TABLE


class Figure(msgspec.Struct, frozen=True):
    """`ours` and `floor` in `unit`; `ratio` is compared with `aim`, which is a least or a most."""

    name: str
    ours: float
    floor: float
    unit: str
    ratio: float
    aim: float
    least: bool

    @property
    def held(self) -> bool:
        return self.ratio >= self.aim if self.least else self.ratio <= self.aim


def timed(run: Callable[[], object]) -> float:
    """Seconds that one run takes, without the collector in between."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    run()
    taken = time.perf_counter() - start
    gc.enable()
    return taken


def turns(count: int = 2000) -> Figure:
    """A whole turn through `handle` on SQLite FULL, against raw transactions with the same rows."""
    with fresh_app() as app, _raw_database() as raw:
        session = opened(app)
        handle(app, session, CREATE, asked())
        after = app.log.read(session).session.version
        ours, floors = [], []
        for _ in range(10):  # in slices, so that a noisy second touches both
            ours.append(timed(lambda: [handle(app, session, ROUND[n % 2], asked()) for n in range(count // 10)]))
            rows = list(_turns_stored(app, session, after))
            floors.append(timed(lambda rows=rows: [_store_raw(raw, turn) for turn in rows]))
            after = app.log.read(session).session.version
    mine, floor = statistics.median(ours) / (count // 10), statistics.median(floors) / (count // 10)
    return Figure("turn through handle, SQLite FULL", mine * 1e6, floor * 1e6, "us", floor / mine, 0.6, least=True)


def _turns_stored(app: App, session: str, after: int) -> Iterator[tuple[list[tuple[object, ...]], tuple[object, ...]]]:
    for seat, key, request, first, last in app.recorder.query(
        "SELECT seat, key, request, first, last FROM answers WHERE session=? AND first>? ORDER BY first",
        (session, after),
    ):
        rows = app.recorder.query(
            "SELECT originator_id, originator_version, topic, state FROM stored_events"
            " WHERE originator_id=? AND originator_version BETWEEN ? AND ?",
            (session, first, last),
        )
        yield rows, (session, seat, key, request, first, last)


@contextmanager
def _raw_database() -> Iterator[sqlite3.Connection]:
    with tempfile.TemporaryDirectory(prefix="fairlog-bench-") as folder:
        connection = sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        for statement in (EVENTS_TABLE, *BESIDE_TABLES):
            connection.execute(statement)
        yield connection
        connection.close()


def _store_raw(raw: sqlite3.Connection, turn: tuple[list[tuple[object, ...]], tuple[object, ...]]) -> None:
    rows, answer = turn
    raw.execute("BEGIN IMMEDIATE")
    for row in rows:
        raw.execute("INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)", row)
    raw.execute("INSERT INTO answers (session, seat, key, request, first, last) VALUES (?,?,?,?,?,?)", answer)
    raw.execute("COMMIT")


def late_turns(long: int = 50_000, pairs: int = 400) -> Figure:
    """The latency of a turn at event 50,000 against event 100, taken in turn."""
    with fresh_app() as app:
        young, old = opened(app), opened(app)
        lengthen(app, young, 100, step=2)
        lengthen(app, old, long)
        early, late = [], []
        for _ in range(pairs):
            early.append(_turn_taken(app, young))
            late.append(_turn_taken(app, old))
    at_100, at_long = statistics.median(early) * 1e6, statistics.median(late) * 1e6
    return Figure(f"turn at event {long:,} / at 100", at_long, at_100, "us", at_long / at_100, 1.15, least=False)


def _turn_taken(app: App, session: str) -> float:
    """Seconds of the session's next turn: a check, or its settling."""
    head, request = app.log.read(session).session, asked()
    wish = ROUND[1 if head.room.show(head.table).tasks else 0]
    return timed(lambda: handle(app, session, wish, request))


def replay(events: int = 10_000) -> Figure:
    """Replay through the library against SELECT, decode and evolve without it."""
    with fresh_app(FAIRLOG_SNAPSHOT_EVERY="1000000", FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        session = opened(app)
        lengthen(app, session, events)
        version = app.log.read(session).session.version
        raw = sqlite3.connect(app.settings.log_file)
        ours = min(timed(lambda: app.log.at(session, version)) for _ in range(7))
        floor = min(timed(lambda: _replay_raw(raw, session)) for _ in range(7))
        raw.close()
    mine, least = version / ours / 1e3, version / floor / 1e3
    return Figure(f"replay of {events:,} events", mine, least, "k events/s", mine / least, 0.6, least=True)


NO_PAST = Past({}.__getitem__, lambda after, upto: ())


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    at: int
    seat: str
    turn: int
    salt: bytes
    body: msgspec.Raw
    sealed: bool


def _replay_raw(raw: sqlite3.Connection, session: str) -> None:
    wire = msgspec.json.Decoder(_Stored).decode
    state = initial(session)
    for (row,) in raw.execute(
        "SELECT state FROM stored_events WHERE originator_id=? ORDER BY originator_version", (session,)
    ):
        stored = wire(row)
        fact = Fact(
            session, state.version + 1, stored.turn, stored.at, stored.seat, stored.salt, decode(stored.body), b""
        )
        state = evolve(state, fact, NO_PAST)


def random_state(events: int = 50_000, looks: int = 300) -> Figure:
    """The state at a random version, in ms; its floor is one row read by its key."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        session = opened(app)
        lengthen(app, session, events)
        top, chosen = app.log.read(session).session.version, random.Random(1)
        versions = [chosen.randint(1, top) for _ in range(looks)]
        ours = [timed(lambda v=version: app.log.at(session, v)) for version in versions]
        one = "SELECT state FROM stored_events WHERE originator_id=? AND originator_version=?"
        floors = [timed(lambda v=version: app.recorder.query(one, (session, v))) for version in versions]
    median, floor = statistics.median(ours) * 1e3, statistics.median(floors) * 1e3
    return Figure(f"state at a random version of {events:,} (ms)", median, floor, "ms", median, 0.5, least=False)
