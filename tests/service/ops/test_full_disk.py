"""A disk that is full: the answer is 503, nothing is half written, and play goes on once there is room again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from service.sessions.log_files import export_log
from tests.support.example import EXAMPLE, FIRST
from tests.support.server import KEY, SessionClient, TestServer, laid, settings_in

NO_LIMIT = 1 << 30
TABLES = ("stored_events", "stored_snapshots", "answers", "secrets", "tokens", "invitations")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    house = TestServer(settings_in(tmp_path))
    yield laid(house)
    house.close()


def limit(evening: SessionClient, pages: int) -> None:
    """The pages that the log's file may have, at least those it has: SQLite's own word for a disk of that size."""
    evening.house.app.recorder.threads.connection().execute(f"PRAGMA max_page_count={pages}")


def stored(evening: SessionClient) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the log and of what stands beside it, as another process reads them."""
    connection = sqlite3.connect(evening.house.settings.log_file)
    rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    connection.close()
    return rows


def filled(evening: SessionClient) -> int:
    """Words without end: how many of them found room before the first that is refused."""
    limit(evening, 1)
    for nth in range(1000):
        before, answer = stored(evening), word(evening, nth)
        if answer.status_code != 201:
            assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
            assert stored(evening) == before
            return nth
    raise AssertionError("the disk never was full")


def word(evening: SessionClient, nth: int) -> TestResponse:
    return evening.post(
        "gm", "/narrate", {"text": f"{nth} " + "x" * 900}, Idempotency_Key=f"{KEY}{nth}"
    )


def test_a_session_that_found_no_room_is_not_counted_against_its_address(tmp_path: Path) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_OPENINGS="2"))
    evening = laid(house)
    filled(evening)
    body = {"ruleset": FIRST.name, "title": "x" * 80}
    statuses = [house.client.post("/v1/sessions", json=body).status_code for _ in range(4)]
    assert statuses == [503] * 4
    limit(evening, NO_LIMIT)
    statuses = [house.client.post("/v1/sessions", json=body).status_code for _ in range(2)]
    assert statuses == [201, 429]
    house.close()


def test_nothing_is_half_written_and_play_goes_on(evening: SessionClient) -> None:
    version = evening.version()
    nth = filled(evening)
    assert evening.version() == version + nth
    limit(evening, NO_LIMIT)
    again = word(evening, nth)
    assert (again.status_code, again.json["repeated"], again.json["version"]) == (
        201,
        False,
        version + nth + 1,
    )
    evening.do("p1", EXAMPLE.plain)
    report = verify(export_log(evening.house.app, evening.session), ed25519)
    assert report.failure is None
    assert report.counts.events == evening.version()
