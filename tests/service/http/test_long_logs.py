"""What the console's requests cost: of a long log they read no more than of a short one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.sessions import lengthen
from domain.recorded_event import RecordedEvent
from service.store.event_log import EventLog
from tests.support.server import SessionClient, TestServer, settings_in

EVENTS = 8_000
MOST = 1_000
"""Events that a request may read: its turns, and twice the events after a snapshot."""
PATHS = (
    "",
    f"?version={EVENTS // 2 + 55}",
    "/turns?limit=60",
    f"/turns?limit=60&before={EVENTS // 2}",
    "/commands?values=true",
    "/branches",
    "/lineage",
    "/statistics",
    f"/compare?from={EVENTS - 100}&to={EVENTS}",
    f"/events/{EVENTS // 2}",
)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionClient]:
    """A long session with a rewind that undid nearly all of it."""
    house = TestServer(
        settings_in(Path(tmp_path_factory.mktemp("long")), FAIRLOG_CHAIN_LENGTH="60000")
    )
    found = house.open()
    found.seat("p1")
    lengthen(house.app, found.session, 40)
    early = found.version()
    lengthen(house.app, found.session, EVENTS)
    assert found.post("gm", "/rewind", {"to": early, "reason": "again"}).status_code == 201
    lengthen(house.app, found.session, found.version() + 30)
    house.follow()
    yield found
    house.close()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each read of the log returns."""
    counts, read_events = list[int](), EventLog.read_events

    def counted(log: EventLog, *asked: Any, **more: Any) -> list[RecordedEvent]:
        found = read_events(log, *asked, **more)
        counts.append(len(found))
        return found

    monkeypatch.setattr(EventLog, "read_events", counted)
    return counts


@pytest.mark.parametrize("seat", ["gm", "p1"])
@pytest.mark.parametrize("path", PATHS)
def test_a_request_reads_no_more_of_a_long_log(
    evening: SessionClient, read: list[int], path: str, seat: str
) -> None:
    answer = evening.get(seat, path)
    assert answer.status_code in (200, 202), answer.text
    assert sum(read) <= MOST
