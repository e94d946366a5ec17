"""Who reads the log behind the last position seen misses nothing, however many processes write (`make long` alone)."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from service.platform.settings import Settings
from service.store.event_log import EventLog
from service.store.recorder import Recorder
from tests.support.databases.places import DATABASES, address
from tests.support.processes import ROOT
from tests.support.scale import scale

pytestmark = pytest.mark.long

WRITERS, EVENTS = 4, scale(2_000, 20_000)
ROUNDS = scale(1, 3)
PAGE = 1000
LOOK = 0.001
"""Seconds between two looks, so that the reader leaves the processors to those who write: others look less often."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("database", DATABASES)
def test_no_tailing_reader_ever_misses_an_event(database: str, tmp_path: Path) -> None:
    read, rounds = 0, ROUNDS
    began = time.monotonic()
    for nth in range(rounds):
        with address(database) as url:
            settings = Settings.read(
                {"FAIRLOG_DATA": str(tmp_path / str(nth)), "DATABASE_URL": url}
            )
            settings.data.mkdir()
            log = EventLog(settings, create=True)
            with closing(log):
                read += one_round(settings, log.recorder)
    seconds = time.monotonic() - began
    print(
        f"{database}: {rounds} rounds of {EVENTS} events by {WRITERS} processes:"
        f" {read} read, none missed, in {seconds:.0f} s"
    )
    assert read == rounds * EVENTS


def one_round(settings: Settings, recorder: Recorder) -> int:
    """The number of events that the reader has seen, each of them once and in order."""
    command = [
        sys.executable,
        "-m",
        "tests.service.store.log_readers",
        settings.database,
        str(settings.data),
    ]
    writers = [
        subprocess.Popen([*command, f"writer-{nth}", str(EVENTS // WRITERS)], cwd=ROOT)
        for nth in range(WRITERS)
    ]
    seen: list[int] = []
    versions = {f"writer-{nth}": 0 for nth in range(WRITERS)}
    try:
        while True:
            are_done = all(writer.poll() is not None for writer in writers)
            rows = recorder.select_notifications(
                seen[-1] if seen else 0, PAGE, inclusive_of_start=False
            )
            for row in rows:
                assert row.originator_version == versions[row.originator_id] + 1, (
                    "an event was missed"
                )
                versions[row.originator_id] += 1
                seen.append(row.id)
            if are_done and not rows:
                break
            if len(rows) < PAGE:
                time.sleep(LOOK)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    stored = [
        position
        for (position,) in recorder.query("SELECT position FROM stored_events ORDER BY position")
    ]
    assert seen == stored
    return len(seen)
