"""Measurements with their floors, and those of reading a log."""

from __future__ import annotations

import gc
import random
import sqlite3
import statistics
import time
from collections.abc import Callable

import msgspec

from bench.sessions import fresh_app, lengthen, open_bench_session
from domain.codec import decode
from domain.recorded_event import RecordedEvent
from domain.session.evolve import evolve
from domain.session.state import History, initial


class Measurement(msgspec.Struct, frozen=True):
    """A result and its floor in `unit`.

    `ratio` is compared with `aim`: a minimum if `least` is True, else a maximum. `said`: remarks.
    """

    name: str
    ours: float
    floor: float
    unit: str
    ratio: float
    aim: float
    least: bool
    said: str = ""

    @property
    def held(self) -> bool:
        return self.ratio >= self.aim if self.least else self.ratio <= self.aim


def timed(run: Callable[[], object]) -> float:
    """Return the seconds that one run takes. The garbage collector is off meanwhile."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    run()
    taken = time.perf_counter() - start
    gc.enable()
    return taken


def replay(events: int = 10_000) -> Measurement:
    """Measure replay through the event log against SELECT, decode and evolve without it."""
    with fresh_app(FAIRLOG_SNAPSHOT_EVERY="1000000", FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        session = open_bench_session(app)
        lengthen(app, session, events)
        version = app.log.read(session).session.version
        raw = sqlite3.connect(app.settings.log_file)
        ours = min(timed(lambda: app.log.at(session, version)) for _ in range(7))
        floor = min(timed(lambda: _replay_raw(raw, session)) for _ in range(7))
        raw.close()
    mine, least = version / ours / 1e3, version / floor / 1e3
    return Measurement(
        f"replay of {events:,} events", mine, least, "k events/s", mine / least, 0.6, least=True
    )


NO_HISTORY = History({}.__getitem__, lambda after, upto: ())


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
        "SELECT state FROM stored_events WHERE originator_id=? ORDER BY originator_version",
        (session,),
    ):
        stored = wire(row)
        recorded = RecordedEvent(
            session,
            state.version + 1,
            stored.turn,
            stored.at,
            stored.seat,
            stored.salt,
            decode(stored.body),
            b"",
        )
        state = evolve(state, recorded, NO_HISTORY)


def random_state(events: int = 50_000, looks: int = 300) -> Measurement:
    """Measure the state at a random version, in ms. The floor is one row read by its key."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        session = open_bench_session(app)
        lengthen(app, session, events)
        top, chosen = app.log.read(session).session.version, random.Random(1)
        versions = [chosen.randint(1, top) for _ in range(looks)]
        ours = [timed(lambda v=version: app.log.at(session, v)) for version in versions]
        one = "SELECT state FROM stored_events WHERE originator_id=? AND originator_version=?"
        floors = [
            timed(lambda v=version: app.recorder.query(one, (session, v))) for version in versions
        ]
    median, floor = statistics.median(ours) * 1e3, statistics.median(floors) * 1e3
    return Measurement(
        f"state at a random version of {events:,} (ms)",
        median,
        floor,
        "ms",
        median,
        0.5,
        least=False,
    )
