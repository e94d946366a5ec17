"""Audits: to each way of seeing a session the report that its own `fairlog verify` gives, kept as of a version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.codec import encode
from domain.verify import verify
from domain.verify.report import Report
from projections.results import AUDITS, MAX_NAMES_BY_PREFIX
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import Settings
from service.sessions.log_files import export_log, import_log
from tests.support.example import EXAMPLE, of, over, seated
from tests.support.server import SessionClient, TestServer, laid, settings_in
from tests.workers.test_progress import Heard
from workers.audits import LEVELS, compute_audit

BENT = """UPDATE stored_events SET state=CAST(replace(state, '"values":[[', '"values":[[100') AS BLOB)
    WHERE topic='session.Drawn' AND originator_id=?"""
"""The first die of each roll had many more sides: 100 stands before their number."""
SEATS = ("gm", "p1", "p2", "watcher", "judge", None)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    """Listed, with a secret roll of Ben's, a word among GM and Ben, and an auditor."""
    table = laid(house, options={"listed": True})
    table.seat("judge", "auditor")
    table.go(*over(), *seated(EXAMPLE.ready, "p2", "ben"))
    table.secretly("p2", of("ben", EXAMPLE.draw), "self")
    assert table.post("p2", "/narrate", {"text": "Psst.", "audience": "gm"}).status_code == 201
    return table


def audits(evening: SessionClient, seat: str | None) -> Any:
    answer = evening.get(seat, "/audits")
    assert answer.status_code == 200, answer.text
    return answer.json["audits"]


def own(evening: SessionClient, seat: str | None) -> Any:
    """What the reader's own check of the log says that they take home."""
    lines = evening.get(seat, "/export").data.splitlines(keepends=True)
    return msgspec.json.decode(encode(verify(lines, ed25519)))


def test_each_reader_gets_what_their_own_check_would_say(evening: SessionClient) -> None:
    compute_audit(evening.house.app, evening.session)
    version = evening.version()
    told = {seat: audits(evening, seat) for seat in SEATS}
    for seat in SEATS:
        [audit] = told[seat]
        report = own(evening, seat)
        assert audit["report"] == report, seat
        assert (audit["version"], audit["current"], audit["valid"]) == (version, True, True)
        assert audit["whole"] == (report["partly"] == [])
    assert told["gm"] != told["p2"] != told[None] == told["watcher"]
    assert told["judge"] == told["p2"], "who sees all there is"


def test_the_same_audit_again_changes_nothing(evening: SessionClient) -> None:
    compute_audit(evening.house.app, evening.session)
    before = rows(evening.house)
    compute_audit(evening.house.app, evening.session)
    assert rows(evening.house) == before


def rows(house: TestServer) -> list[tuple[object, ...]]:
    return [
        tuple(row)
        for row in house.app.read_models.store.select(
            "SELECT * FROM results ORDER BY session, name, hidden"
        )
    ]


def test_the_newest_reports_are_kept_and_what_is_opened_is_in_the_next(
    evening: SessionClient,
) -> None:
    versions = []
    for _ in range(MAX_NAMES_BY_PREFIX[AUDITS] + 2):
        evening.post("gm", "/narrate", {"text": "And on."})
        compute_audit(evening.house.app, evening.session)
        versions.append(evening.version())
    found = audits(evening, "p1")
    assert [audit["version"] for audit in found] == versions[:1:-1]
    assert [audit["current"] for audit in found] == [True] + [False] * (
        MAX_NAMES_BY_PREFIX[AUDITS] - 1
    )


def test_a_log_that_was_changed_on_the_disk_is_found_out(evening: SessionClient) -> None:
    house = evening.house
    with house.app.recorder.datastore.transaction(commit=True) as cursor:
        cursor.execute(BENT, (evening.session,))
    house.restart()
    compute_audit(house.app, evening.session)
    [audit] = audits(evening, "p1")
    assert (audit["valid"], audit["whole"]) == (False, False)
    assert audit["report"]["failure"]["code"] == "E_VALUES"


def test_a_session_that_came_as_a_file_is_audited_as_it_came(
    evening: SessionClient, tmp_path: Path
) -> None:
    evening.post("gm", "/close", {"carry_over": True})
    lines = list(export_log(evening.house.app, evening.session))
    elsewhere = TestServer(
        Settings.read({"FAIRLOG_DATA": str(tmp_path / "elsewhere"), "REDIS_URL": "unix:///nowhere"})
    )
    try:
        import_log(elsewhere.app, lines)
        compute_audit(elsewhere.app, evening.session)
        [audit] = elsewhere.client.get(evening.path + "/audits").json["audits"]
        assert audit["valid"]
    finally:
        elsewhere.close()


def test_of_a_session_that_is_not_there_nothing_is_kept(house: TestServer) -> None:
    compute_audit(house.app, "0" * 32)
    assert rows(house) == []


def test_the_progress_climbs_the_rungs_once_for_all_ways_of_seeing(evening: SessionClient) -> None:
    heard = Heard()
    compute_audit(evening.house.app, evening.session, heard)
    done = [each for each, _ in heard.said]
    assert done == sorted(done)
    assert 0 <= done[0] < done[-1] <= 1
    assert {what for _, what in heard.said} == {f"verifying {level}" for level in LEVELS}


def test_a_report_is_read_back_as_it_was_written(evening: SessionClient) -> None:
    compute_audit(evening.house.app, evening.session)
    [audit] = audits(evening, "gm")
    assert msgspec.convert(audit["report"], Report).session == evening.session
