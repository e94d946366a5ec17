"""A SQLite log that is moved to PostgreSQL: the same bytes at the same positions, played on with the same tokens."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain.verify import verify
from service.cli.main import cli
from service.ops.migrate import prepare
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import Settings
from service.sessions.app import App, build
from service.sessions.log_files import export_log
from service.store import transfer
from service.store.transfer import COPIED_COLUMNS, TransferError, copy_to_postgres, count_rows
from tests.support.campaigns import campaign_with
from tests.support.databases.places import address
from tests.support.example import over
from tests.support.processes import environ
from tests.support.server import SessionClient, TestServer, laid, settings_in


@pytest.fixture
def url() -> Iterator[str]:
    with address("wheel") as url:
        yield url


@pytest.fixture
def played(tmp_path: Path) -> tuple[SessionClient, dict[str, list[object]]]:
    """An evening on SQLite, closed as a server; and every row of its tables."""
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_SNAPSHOT_EVERY="5"))) as house:
        evening = laid(house)
        evening.post("gm", "/narrate", {"text": "Snow."})
        evening.seat("eyes", "auditor")
        evening.get("eyes", "/events")
        evening.invite(seat="late")
        campaign_with(evening)
        return evening, rows(house.app)


def asked(data: Path, *arguments: str, **settings: str) -> Result:
    """A command, in process."""
    return CliRunner().invoke(cli, arguments, env={**environ(data), "DATABASE_URL": "", **settings})


def rows(app: App) -> dict[str, list[object]]:
    return {
        name: sorted(app.recorder.query(f"SELECT {columns} FROM {name}"))
        for name, columns in COPIED_COLUMNS.items()
    }


def test_where_there_is_no_log_there_is_nothing_to_copy(url: str, tmp_path: Path) -> None:
    said = asked(tmp_path, "copy", DATABASE_URL=url)
    assert (said.exit_code, said.stderr) == (
        1,
        f"Error: there is no log in {tmp_path}: set FAIRLOG_DATA to the log's directory\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_all_of_it_arrives_and_is_played_on(
    played: tuple[SessionClient, dict[str, list[object]]], url: str, tmp_path: Path
) -> None:
    evening, before = played
    assert {name for name, kept in before.items() if kept} > {
        "stored_events",
        "answers",
        "secrets",
        "tokens",
        "campaigns",
        "campaign_people",
        "campaign_sessions",
        "campaign_seats",
        "readings",
    }
    said = asked(tmp_path, "copy", DATABASE_URL=url)
    assert (said.exit_code, said.stderr) == (0, "")
    assert (
        f"{len(before['stored_events'])} events ({sum(map(len, before.values()))} rows in total)"
        in said.stdout
    )
    with closing(TestServer(settings_in(tmp_path, DATABASE_URL=url))) as house:
        evening.house = house
        assert rows(house.app) == before
        evening.go(*over())  # with the same tokens, on the same chain
        evening.get("eyes", "/events")
        house.follow()
        assert house.app.log.end() > max(row[0] for row in before["stored_events"])  # type: ignore[index]
        assert verify(export_log(house.app, evening.session), ed25519).failure is None


def test_a_database_that_holds_a_log_is_left_alone(
    played: tuple[SessionClient, dict[str, list[object]]], url: str, tmp_path: Path
) -> None:
    with closing(TestServer(settings_in(tmp_path / "other", DATABASE_URL=url))) as other:
        laid(other)
        there = rows(other.app)
        said = asked(tmp_path, "copy", DATABASE_URL=url)
        assert (said.exit_code, said.stdout) == (1, "")
        assert said.stderr.startswith(
            "Error: the database at DATABASE_URL is not empty: there are rows in stored_events"
        )
        assert rows(other.app) == there


def test_nothing_stays_of_a_copy_that_went_wrong(
    played: tuple[SessionClient, dict[str, list[object]]],
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Were a row to arrive otherwise, all of them would go."""
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url})
    prepare(settings)
    read = transfer.PostgresTables.read

    def lose_row(tables: transfer.PostgresTables, table: str, columns: str) -> Iterator[object]:
        rows = read(tables, table, columns)
        return islice(rows, 1, None) if table == "tokens" else rows

    monkeypatch.setattr(transfer.PostgresTables, "read", lose_row)
    with pytest.raises(TransferError, match="rows in tokens differ"):
        copy_to_postgres(settings.log_file, url, lambda table, done: None)
    with closing(build(settings)) as app:
        assert set(map(len, rows(app).values())) == {0}
    monkeypatch.undo()
    told: list[tuple[str, int]] = []
    assert copy_to_postgres(
        settings.log_file, url, lambda table, done: told.append((table, done))
    ) == count_rows(settings.log_file)
    assert told[0] == ("stored_events", len(played[1]["stored_events"]))


def test_what_cannot_be_copied_is_said(
    played: tuple[SessionClient, dict[str, list[object]]], url: str, tmp_path: Path
) -> None:
    said = asked(tmp_path, "copy")
    assert (said.exit_code, "does not name a PostgreSQL database" in said.stderr) == (1, True)
    said = asked(tmp_path / "nowhere", "copy", DATABASE_URL=url)
    assert (said.exit_code, "there is no log in" in said.stderr) == (1, True)
    with (tmp_path / "serve.lock").open("a+") as serving:
        fcntl.flock(serving, fcntl.LOCK_EX)
        said = asked(tmp_path, "copy", DATABASE_URL=url)
        assert (said.exit_code, "is already being served" in said.stderr) == (1, True)


def test_values_of_another_kind_are_told_apart() -> None:
    assert (
        len(
            {
                transfer.encode_row(row)
                for row in (("ab", "c"), ("a", "bc"), (b"ab", "c"), ("1", 2), (1, "2"), (12,))
            }
        )
        == 6
    )
