"""Soaks: play goes on while processes are killed, and under all attacks at once. Nothing is lost or happens twice.

Both stand in one file, so that one test process runs them one after the other.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from service.sessions.app import build
from tests.service.soak import checks
from tests.service.soak.deployment import Deployment
from tests.service.soak.soak import KILLED, Size, Soak, everyone_is_patient
from tests.support.file_systems import run_in_namespace
from tests.support.processes import run
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

SHORT = Size(seconds=45, kills=1, sessions=30, streams=15, crowded=3)
FULL = Size(seconds=600, kills=10, sessions=100, streams=50, crowded=10)
SIZE = FULL if LONG else SHORT
SEED = 8
SETTINGS = {
    "FAIRLOG_RATE_TOKEN": "100000",
    "FAIRLOG_RATE_ADDRESS": "1000000",
    "FAIRLOG_STREAM_SECONDS": "60",
}
"""Limits that nobody meets, so that the queue's server counts on every request."""

ATTACKED = scale(60, 600)
"""Seconds."""


@pytest.mark.timeout(3 * 600 + 600)
def test_nothing_is_lost_and_nothing_happens_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    with ExitStack() as stack:
        house = Deployment(tmp_path / "data", **SETTINGS)
        stack.callback(house.remove)
        house.start()
        app = stack.enter_context(closing(build(house.settings)))
        soak = Soak(house, app, SIZE, files, SEED)
        stack.callback(soak.close)
        everyone_is_patient(monkeypatch.setattr, soak.connect)
        try:
            soak.open()
            soak.attack()
            soak.settle()
            told(soak)
            checked(soak, house)
        except BaseException:
            print(soak.evidence())
            raise
    assert soak.kills == dict.fromkeys(KILLED, SIZE.kills)


def told(soak: Soak) -> None:
    """The counts."""
    told, size = soak.ledger.told, soak.size
    lost = {name: count for name, count in sorted(told.items()) if name.startswith(("503", "lost"))}
    print(
        f"{size.seconds:g} s, {size.sessions} sessions at once, {size.streams} streams; kills {dict(soak.kills)}"
    )
    print(
        f"{len(soak.ledger.accepted)} commands accepted, {told['refused']} refused, {told['version-conflict']} in conflict,"
        f" {told['asked again']} asked again; unanswered {lost}; longest answer {soak.ledger.longest:.1f} s"
    )
    print(f"{told['shown']} events shown; streams {dict(soak.gallery.told())}")


def checked(soak: Soak, house: Deployment) -> None:
    """All that must hold; statistics are read from the server, the rest when it has been stopped."""
    app, ledger, began = soak.app, soak.ledger, time.monotonic()
    heads = checks.sessions_of(app)
    read, slowly = checks.check_statistics(app, soak.evenings, house.url)
    print(f"{read} statistics as recomputed, of {slowly} sessions by slow loops too")
    ended = house.stop()
    assert ended == dict.fromkeys(ended, 0)
    sent = checks.check_streams(soak.gallery.followed, ledger, heads)
    print(
        f"{checks.check_shown(app, ledger)} events were shown, {sent} times by a stream: all are in the log"
    )
    print(f"{checks.check_commands(app, ledger)} turns, each once")
    print(f"{checks.check_logs(app)} sessions with {sum(heads.values())} events verified")
    before = checks.rows_of_views(app)
    rebuilt = run(house.data, "rebuild", **house.given)
    assert rebuilt.returncode == 0, rebuilt.stderr
    print(f"{checks.check_views(before, checks.rows_of_views(app))} rows of views as in a rebuild")
    print(f"checked in {time.monotonic() - began:.0f} s")


@pytest.mark.timeout(ATTACKED + 900)
def test_honest_tables_play_on_under_all_attacks_at_once() -> None:
    """Killed processes, a full disk, slow clients, inventions and anonymous floods."""
    ran = run_in_namespace("tests.service.soak.under_attack", str(ATTACKED), seconds=ATTACKED + 800)
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout
