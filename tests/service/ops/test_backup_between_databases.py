"""A backup is the same file of either database, and goes into either: byte for byte, with its positions and keys."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from domain.verify import verify
from service.ops.backup import RestoreError, back_up, restore
from service.ops.migrate import prepare
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App
from service.sessions.log_files import export_log
from service.store.schema import COLUMNS_BY_TABLE, TABLES
from service.store.transfer import TransferError, copy_to_sqlite
from tests.support.campaigns import campaign_with
from tests.support.databases.places import DATABASES, address
from tests.support.example import EXAMPLE, of, over, seated, to_draw
from tests.support.processes import run
from tests.support.server import SessionClient, TestServer, laid, settings_in


def unseen(done: int, of: int) -> None:
    """Nobody looks."""


def rows(app: App) -> dict[str, list[object]]:
    return {
        name: sorted(app.recorder.query(f"SELECT {columns} FROM {name}"))
        for name, columns in COLUMNS_BY_TABLE.items()
    }


@pytest.fixture(params=DATABASES)
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SessionClient]:
    """An evening that is not over, with something in most tables."""
    with (
        address(request.param) as url,
        closing(TestServer(settings_in(tmp_path / "one", DATABASE_URL=url))) as house,
    ):
        evening = laid(house)
        evening.seat("eyes", "auditor")
        evening.get("eyes", "/events")
        evening.invite(seat="late")
        campaign_with(evening)
        yield evening


@pytest.mark.parametrize("target", DATABASES)
def test_all_of_it_comes_back_and_is_played_on(
    played: SessionClient, target: str, tmp_path: Path
) -> None:
    house, file = played.house, tmp_path / "backup.tar"
    last = (
        house.open()
    )  # behind it a position that nobody has any more, and that is not given again
    run(house.settings.data, "delete", last.session, "--yes", DATABASE_URL=house.settings.database)
    before = rows(house.app)
    about = back_up(house.settings, file)
    assert (about.sessions, about.events) == (1, len(before["stored_events"]))
    with address(target) as url:
        settings = settings_in(tmp_path / "two", DATABASE_URL=url)
        assert restore(settings, file, unseen, complete=True).still_open == 1
        with closing(TestServer(settings)) as other:
            assert rows(other.app) == before
            played.house = other
            played.go(*over())  # with the same tokens, on the same chain
            played.get("eyes", "/events")
            other.follow()
            positions = [row[0] for row in other.log()]
            assert (
                positions[len(before["stored_events"])]
                > positions[len(before["stored_events"]) - 1] + 2
            )
            assert verify(export_log(other.app, played.session), ed25519).failure is None
            again = back_up(settings, tmp_path / "again.tar")
            assert again.events == len(positions)
            with pytest.raises(RestoreError, match="already"):
                restore(settings, file, unseen)
            assert [row[0] for row in other.log()] == positions


def test_what_was_perhaps_seen_is_not_drawn_again(played: SessionClient, tmp_path: Path) -> None:
    """Play went on behind the backup: the session that comes back draws nothing, and its fork draws afresh."""
    live, file, steps = played.house, tmp_path / "backup.tar", [*over(), *to_draw()]
    back_up(live.settings, file)
    shown = len(links(played))
    played.go(*steps)
    seen = links(played)
    with closing(came_back(played, tmp_path / "complete", file, complete=True)):
        played.go(*steps)
        assert links(played) == seen, "that is what a copy would give away"
    with closing(came_back(played, tmp_path / "two", file, complete=False)):
        answers = [played.command(seat, command) for seat, command in steps]
        assert (answers[-1].status_code, answers[-1].json["rule"]) == (409, "restored")
        assert len(links(played)) == shown
        assert played.post("p1", "/narrate", {"text": "It rains."}).status_code == 201
        answer = played.post("gm", "/forks", {"version": played.version()})
        child = SessionClient(played.house, answer.json["session"], {"gm": answer.json["token"]})
        child.go(*seated(EXAMPLE.ready, "gm", "rat"), ("gm", of("rat", EXAMPLE.draw)))
        assert not {*links(child)} & {*seen}


def links(evening: SessionClient) -> list[str]:
    """That were shown so far."""
    events = evening.get("gm", "/events?limit=200").json["events"]
    drawn = [event["body"] for event in events if event["kind"] == "session.Drawn"]
    return [given["link"] for body in drawn for given in body["contributions"]]


def came_back(evening: SessionClient, data: Path, file: Path, *, complete: bool) -> TestServer:
    """The evening, from now on in a server out of the backup."""
    settings = settings_in(data)
    restore(settings, file, unseen, complete=complete)
    evening.house = TestServer(settings)
    return evening.house


def test_rows_that_arrive_otherwise_make_no_backup(tmp_path: Path) -> None:
    with (
        address("wheel") as url,
        closing(TestServer(settings_in(tmp_path, DATABASE_URL=url))) as house,
    ):
        laid(house)
        with closing(sqlite3.connect(tmp_path / "log")) as target:
            target.execute(next(table for table in TABLES if "EXISTS tokens (" in table))
            target.execute(
                "CREATE TRIGGER worse AFTER INSERT ON tokens BEGIN UPDATE tokens SET at=0; END"
            )
            with pytest.raises(TransferError, match="rows in tokens differ"):
                copy_to_sqlite(url, target)


def test_a_restore_that_goes_wrong_leaves_nothing(tmp_path: Path) -> None:
    """The database takes no more while the rows arrive: no keys stay either, and the next try is a first one."""
    with address("wheel") as url, closing(TestServer(settings_in(tmp_path / "one"))) as house:
        laid(house)
        back_up(house.settings, tmp_path / "backup.tar")
        settings = settings_in(tmp_path / "two", DATABASE_URL=url)
        prepare(settings)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER TABLE fairlog.answers ADD CONSTRAINT short CHECK (first < 0)")
        shutil.rmtree(settings.keys)
        with pytest.raises(psycopg.IntegrityError):
            restore(settings, tmp_path / "backup.tar", unseen)
        assert list(settings.data.iterdir()) == []
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER TABLE fairlog.answers DROP CONSTRAINT short")
        assert restore(settings, tmp_path / "backup.tar", unseen).manifest.sessions == 1


def test_a_database_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    away = "postgresql://127.0.0.1:1/fairlog"
    for command in ("backup", "restore"):
        said = run(tmp_path, command, str(tmp_path / "backup.tar"), DATABASE_URL=away)
        assert (said.returncode, said.stdout) == (1, "")
        assert said.stderr.startswith("Error: "), said.stderr
        assert len(said.stderr.splitlines()) <= 2
