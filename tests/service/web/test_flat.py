"""What a page costs: of a long log it reads no more than of a short one, the page for paper apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.sessions import lengthen
from domain.recorded_event import RecordedEvent
from service.http.routes.review import SEARCH_LIMIT
from service.store.event_log import EventLog
from service.web.branches import LATELY
from tests.service.web.forms import PEOPLE
from tests.support.server import SessionClient, TestServer, settings_in

EVENTS = 8_000
MOST = 1_000
"""Facts that a page reads: its lines, the turns around a version, and twice what lies behind a snapshot."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionClient]:
    """A long one whose way to the newest version has a gap of nearly all its events."""
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
    """How many facts each look into the log gives."""
    counts, facts = list[int](), EventLog.read_events

    def counted(log: EventLog, *asked: Any, **more: Any) -> list[RecordedEvent]:
        found = facts(log, *asked, **more)
        counts.append(len(found))
        return found

    monkeypatch.setattr(EventLog, "read_events", counted)
    return counts


def page(evening: SessionClient, path: str, seat: str) -> str:
    answer = evening.house.client.get(
        f"/s/{evening.session}{path}", headers=PEOPLE | evening.headers(seat)
    )
    assert answer.status_code in (200, 202), answer.text
    return answer.text


PAGES = {
    "": MOST, f"?at={EVENTS // 2 + 55}": MOST, "?at=0": MOST, f"?upto={EVENTS // 2}": MOST, "?did=44": MOST,
    "/actions": MOST, "/rewind?to=20": MOST, f"/rewind?to={EVENTS - 100}": MOST, "/people": MOST, "/verify": MOST,
    f"/branches?from=50&to={EVENTS}": 2 * MOST + LATELY, "?text=nothing-of-it": MOST + SEARCH_LIMIT, "/stats": MOST,
}  # fmt: skip


@pytest.mark.parametrize("seat", ["gm", "p1"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_reads_no_more_of_a_long_log(
    evening: SessionClient, read: list[int], path: str, seat: str
) -> None:
    page(evening, path, seat)
    print(f"{path} for {seat}: {sum(read)} facts")
    assert sum(read) <= PAGES[path]
