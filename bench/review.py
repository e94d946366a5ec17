"""Review of old states in a long session against a short one; bytes to join and follow it."""

from __future__ import annotations

import gc
import random
import statistics
from collections.abc import Callable
from functools import cache

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from bench.measurement import Measurement, timed
from bench.sessions import fresh_app, fresh_request, lengthen, open_bench_session
from domain.session.messages import Rewind
from domain.session.state import Session
from projections.runner import catch_up
from service.http.app import create_app
from service.sessions.app import App
from service.sessions.command_handler import handle
from service.sessions.feed import SEGMENT_VERSIONS

SHORT, LONG = 500, 50_000
LATE = (100, 10_000, 100_000)
BUDGET = 300_000  # bytes of a feed of 10,000 events, gzipped (docs/console.md)
Look = Callable[["BenchSession", int], object]


class BenchSession:
    """A session with a client. `ends` holds the last version of each turn."""

    def __init__(self, app: App, flask: Flask, events: int) -> None:
        self.app, self.flask, self.session = app, flask, open_bench_session(app)
        access = flask.extensions["fairlog"].access
        self._token = access.token(self.session, "bench", self.session)
        access.write(access.grant(self.session, "gm", self._token))
        self.grow(events)

    def grow(self, events: int) -> None:
        lengthen(self.app, self.session, events)
        self.ends = list(
            {
                recorded.turn: recorded.version
                for recorded in self.app.log.read_events(self.session)
            }.values()
        )
        self.follow()

    def follow(self) -> None:
        for view in self.app.read_models.followed:
            catch_up(self.app.log, view)

    @property
    def head(self) -> Session:
        return self.app.log.read(self.session).session

    def get(self, path: str) -> TestResponse:
        client: FlaskClient = self.flask.test_client()
        headers = {"Authorization": f"Bearer {self._token}", "Accept-Encoding": "gzip"}
        answer = client.get(f"/v1/sessions/{self.session}{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer


def state() -> Measurement:
    return _figure("state at a random version", 0)


def lineage() -> Measurement:
    return _figure("lineage of a random version, over HTTP", 2)


def rewind() -> Measurement:
    return _figure("rewind to a random version, through handle", 1)


def _figure(name: str, which: int) -> Measurement:
    early, late = (1e3 * median for median in _medians()[which])
    return Measurement(
        f"{name}: {LONG:,} / {SHORT:,} events", late, early, "ms", late / early, 1.5, least=False
    )


@cache
def _medians(looks: int = 300) -> list[tuple[float, float]]:
    """Return for each way of review the median seconds in the short and in the long session."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        flask = create_app(app)
        short, long = (BenchSession(app, flask, events) for events in (SHORT, LONG))
        gc.freeze()  # collections before each review skip what exists now
        found = [_compared(look, short, long, looks) for look in (_state, _rewind, _lineage)]
        gc.unfreeze()
        return found


def _compared(
    look: Look, short: BenchSession, long: BenchSession, looks: int
) -> tuple[float, float]:
    """Measure both sessions in turn, so that a disturbance affects both."""
    chosen, taken = random.Random(1), []
    for _ in range(looks):
        taken.append(
            [timed(lambda t=table: look(t, chosen.choice(t.ends[:-1]))) for table in (short, long)]
        )
    for table in (short, long):
        table.follow()
    early, late = (statistics.median(each) for each in zip(*taken, strict=True))
    return early, late


def _state(table: BenchSession, version: int) -> object:
    return table.app.log.at(table.session, version)


def _lineage(table: BenchSession, version: int) -> object:
    return table.get(f"/lineage?version={version}")


def _rewind(table: BenchSession, version: int) -> object:
    return handle(table.app, table.session, Rewind(version, "once more"), fresh_request())


def joining_later() -> Measurement:
    return _joining(1)


def joining_late() -> Measurement:
    return _joining(2)


def _joining(which: int) -> Measurement:
    early, late = _joined()[0], _joined()[which]
    name = f"joining at event {LATE[which]:,} / at {LATE[0]}"
    return Measurement(name, late / 1e3, early / 1e3, "KB", late / early, 1.1, least=False)


@cache
def _joined() -> list[int]:
    """Return the bytes of the two responses that a newcomer needs, at each length of a session."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        table = BenchSession(app, create_app(app), LATE[0])
        found = []
        for events in LATE:
            table.grow(events)
            found.append(sum(len(table.get(path).data) for path in ("", "/events?last=60")))
        return found


def whole_feed(events: int = 10_000) -> Measurement:
    """Measure all segments of a feed, gzipped, against their budget."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        table = BenchSession(app, create_app(app), events)
        size = sum(
            len(table.get(f"/feed/{nth}").data)
            for nth in range(table.get("/feed").json["segments"])
        )
    name = f"feed of {events:,} events, gzipped, against its budget"
    return Measurement(name, size / 1e3, BUDGET / 1e3, "KB", size / BUDGET, 1.0, least=False)


def segment() -> Measurement:
    """Measure a cached segment against packing it."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        table = BenchSession(app, create_app(app), 3 * SEGMENT_VERSIONS)
        first = [timed(lambda n=nth: table.get(f"/feed/{n}")) for nth in range(3)]
        again = [timed(lambda n=nth: table.get(f"/feed/{n}")) for nth in (0, 1, 2) * 10]
    kept, packed = statistics.median(again) * 1e3, statistics.median(first) * 1e3
    return Measurement(
        f"segment of {SEGMENT_VERSIONS:,} events again / at first",
        kept,
        packed,
        "ms",
        kept / packed,
        0.1,
        least=False,
    )
