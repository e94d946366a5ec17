"""A data directory is made by any number of processes at once, also while somebody plays in it."""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from service.ops.migrate import find_missing, prepare
from service.platform.settings import Settings
from service.sessions import app as bootstrap
from service.sessions.app import build
from service.store.event_log import EventLog

pytestmark = pytest.mark.long

MOST = 8
SERVER = get_context("forkserver")  # this process has threads
SERVER.set_forkserver_preload(["service.sessions.app"])


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.read({"FAIRLOG_DATA": str(tmp_path / "data")})


def make(settings: Settings, together: Barrier) -> None:
    together.wait()
    prepare(settings)
    sys.exit(find_missing(settings) or 0)


@pytest.mark.smoke
def test_many_processes_make_one_directory_at_once(settings: Settings) -> None:
    together = SERVER.Barrier(MOST)
    running = [SERVER.Process(target=make, args=(settings, together)) for _ in range(MOST)]
    for process in running:
        process.start()
    for process in running:
        process.join()
    assert [process.exitcode for process in running] == [0] * MOST
    assert not list(settings.data.glob("*.fresh"))
    build(settings).close()


def test_what_was_half_made_when_somebody_was_killed_is_made_anew(settings: Settings) -> None:
    settings.data.mkdir()
    settings.log_file.with_name(f"{settings.log_file.name}.fresh").write_text("half")
    prepare(settings)
    assert find_missing(settings) == ""


def test_it_waits_for_those_who_write(settings: Settings) -> None:
    prepare(settings)
    done = threading.Event()

    def write() -> None:
        with closing(build(settings)) as app:
            while not done.is_set():
                app.recorder.write(
                    ("INSERT INTO secrets VALUES ('', 'a', '') ON CONFLICT DO NOTHING", [()])
                )
                app.recorder.write(("DELETE FROM secrets WHERE name='a'", [()]))
                app.read_models.store.write("UPDATE tracking SET notification_id=notification_id")
                time.sleep(0.0005)

    writing = threading.Thread(target=write)
    writing.start()
    try:
        for _ in range(20):
            prepare(settings)
    finally:
        done.set()
        writing.join()


def test_who_looks_into_a_file_that_was_just_made_stops_nobody(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(settings: Settings, *, create: bool = False) -> EventLog:
        if not create:
            return EventLog(settings)
        with closing(sqlite3.connect(f"{settings.log_file.as_uri()}?mode=ro", uri=True)) as looking:
            looking.execute("BEGIN")
            assert looking.execute("SELECT * FROM sqlite_master").fetchall() == []
            return EventLog(settings, create=create)

    monkeypatch.setattr(bootstrap, "EventLog", made)
    prepare(settings)
    assert find_missing(settings) == ""
