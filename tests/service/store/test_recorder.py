"""Every recorder of the log keeps the same promises: whole turns, one writer at a version, rising positions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from projections.stores.dialect import (
    COLUMN_TRANSLATIONS,
    to_numbered_placeholders,
    to_postgres_columns,
    to_psycopg_placeholders,
)
from service.platform.settings import Settings
from service.sessions.turns import SECRETS_UPSERT
from service.store.event_log import EventLog
from service.store.recorder import IntegrityError, PositionedRow, Recorder, StoredRow
from service.store.schema import ANSWERS_INSERT, COLUMNS_BY_TABLE, STORED_SNAPSHOTS_INSERT
from tests.support.databases.places import DATABASES, address
from tests.support.scale import scale

SECRETS = (SECRETS_UPSERT, [("a", "one", b"1")])


@contextmanager
def opened(settings: Settings, *, create: bool = False) -> Iterator[Recorder]:
    log = EventLog(
        settings, create=create
    )  # held: the library closes what its application no longer needs
    with closing(log):
        yield log.recorder


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with address(request.param) as url:
        yield Settings.read(
            {"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url, "FAIRLOG_SYNCHRONOUS": "NORMAL"}
        )


@pytest.fixture
def recorder(settings: Settings) -> Iterator[Recorder]:
    with opened(settings, create=True) as recorder:
        yield recorder


def turn(session: str, first: int, size: int = 3) -> list[StoredRow]:
    return [
        StoredRow(session, first + nth, "test.Did", bytes([0, 37, 63, 255, nth % 256]))
        for nth in range(size)
    ]


def test_a_turn_is_read_back_byte_for_byte(recorder: Recorder) -> None:
    recorder.insert_events(turn("a", 1))
    recorder.insert_events(turn("b", 1, 1))
    recorder.insert_events(turn("a", 4, 1201))
    assert recorder.select_events("a") == turn("a", 1) + turn("a", 4, 1201)
    assert recorder.select_events("a", gt=2, lte=5) == [turn("a", 1)[2], *turn("a", 4, 2)]
    assert [row.originator_version for row in recorder.select_events("a", desc=True, limit=2)] == [
        1204,
        1203,
    ]
    assert recorder.select_events("c") == []


def test_a_version_is_taken_once_and_the_whole_turn_with_it(recorder: Recorder) -> None:
    recorder.insert_events(
        turn("a", 1), side_rows=[(ANSWERS_INSERT, [("a", "gm", "one", b"\0", 1, 3)])]
    )
    before = recorder.max_notification_id()
    with pytest.raises(IntegrityError):
        recorder.insert_events(
            turn("a", 3), side_rows=[(ANSWERS_INSERT, [("a", "gm", "two", b"", 3, 5)])]
        )
    with pytest.raises(IntegrityError):  # the key is not new
        recorder.insert_events(
            turn("a", 4), side_rows=[(ANSWERS_INSERT, [("a", "gm", "one", b"", 4, 6)])]
        )
    assert recorder.select_events("a") == turn("a", 1)
    assert recorder.query("SELECT key, request FROM answers") == [("one", b"\0")]
    assert recorder.max_notification_id() == before
    recorder.insert_events(turn("a", 4))
    assert recorder.max_notification_id() > before


def test_what_was_deleted_meanwhile_stays_deleted(recorder: Recorder) -> None:
    recorder.insert_events(turn("a", 1))
    recorder.write(("DELETE FROM stored_events WHERE originator_id=?", [("a",)]))
    with pytest.raises(IntegrityError):
        recorder.insert_events(turn("a", 4), side_rows=[SECRETS])
    with pytest.raises(IntegrityError):  # also beside a turn that can be stored
        recorder.insert_events([*turn("b", 1), *turn("a", 4)])
    assert recorder.query("SELECT originator_id FROM stored_events") == []
    assert recorder.query("SELECT name FROM secrets") == []


def test_positions_rise_and_are_read_in_pages(recorder: Recorder) -> None:
    assert recorder.max_notification_id() == 0
    for nth in range(5):
        recorder.insert_events(turn(f"session-{nth}", 1))
    rows: list[PositionedRow] = []
    while page := recorder.select_notifications(
        rows[-1].id if rows else 0, 4, inclusive_of_start=False
    ):
        rows += page
    assert [row.originator_id for row in rows] == [
        f"session-{nth}" for nth in range(5) for _ in range(3)
    ]
    assert [row.id for row in rows] == sorted({row.id for row in rows})
    assert rows[-1].id == recorder.max_notification_id()
    assert recorder.select_notifications(rows[3].id, 2) == rows[3:5]


def test_writes_beside_are_whole_and_counted(recorder: Recorder) -> None:
    rows = [("a", "one", b"1"), ("a", "two", b"2")]
    assert recorder.write((SECRETS_UPSERT, rows)) == 2
    assert recorder.write((SECRETS_UPSERT, [("a", "one", b"9")])) == 1
    with pytest.raises(IntegrityError):
        recorder.write(
            ("DELETE FROM secrets WHERE session=?", [("a",)]),
            (ANSWERS_INSERT, [("a", "gm", "k", None, 1, 1)]),
        )
    assert recorder.query("SELECT name, value FROM secrets ORDER BY name") == [
        ("one", b"9"),
        ("two", b"2"),
    ]
    assert recorder.write(("DELETE FROM secrets WHERE session=?", [("b",)])) == 0


def test_a_snapshot_that_is_there_stays(recorder: Recorder) -> None:
    for state in (b"first", b"second"):
        recorder.insert_events(
            (), side_rows=[(STORED_SNAPSHOTS_INSERT, [("a", 100, "session.Head.2", state)])]
        )
    assert recorder.query("SELECT state FROM stored_snapshots") == [(b"first",)]


def test_text_is_ordered_by_its_bytes(recorder: Recorder) -> None:
    """Not by the language of the machine."""
    names = ["b", "B", "a-1", "a1", "a", "Z", "é"]
    recorder.write((SECRETS_UPSERT, [("a", name, b"") for name in names]))
    found = recorder.query("SELECT name FROM secrets WHERE name>? ORDER BY name", ("A",))
    assert [name for (name,) in found] == sorted(names, key=str.encode)


def test_every_table_is_named_with_its_columns(recorder: Recorder) -> None:
    for table, named in COLUMNS_BY_TABLE.items():
        assert recorder.query(f"SELECT {named} FROM {table}") == []


def test_one_of_many_writers_takes_a_version(recorder: Recorder, settings: Settings) -> None:
    """Each with connections of its own, as processes have them."""
    turns, won = scale(30, 300), list[int]()

    def write(nth: int) -> None:
        with opened(settings) as own:
            for version in range(1, turns + 1):
                try:
                    own.insert_events(
                        turn("a", version, 1),
                        side_rows=[(ANSWERS_INSERT, [("a", f"{nth}", f"{version}", b"", 1, 1)])],
                    )
                except IntegrityError:
                    continue
                won.append(version)

    threads = [threading.Thread(target=write, args=(nth,)) for nth in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == list(range(1, turns + 1))
    assert len(recorder.query("SELECT * FROM answers")) == len(recorder.select_events("a")) == turns


def test_a_schema_is_made_as_often_as_one_likes(recorder: Recorder, settings: Settings) -> None:
    recorder.insert_events(turn("a", 1))
    with opened(settings, create=True) as again:
        assert again.select_events("a") == turn("a", 1)


def test_what_postgresql_says_otherwise_is_said_in_one_place() -> None:
    assert to_postgres_columns(
        "(a INTEGER PRIMARY KEY AUTOINCREMENT, b BLOB) WITHOUT ROWID"
    ).endswith("PRIMARY KEY, b BYTEA)")
    assert (
        to_psycopg_placeholders("SELECT '%' WHERE a=? AND b=?") == "SELECT '%%' WHERE a=%s AND b=%s"
    )
    assert (
        to_numbered_placeholders("SELECT '%' WHERE a=? AND b=?") == "SELECT '%' WHERE a=$1 AND b=$2"
    )
    assert len(COLUMN_TRANSLATIONS) == 5
