"""A PostgreSQL server that is away, comes back, loses answers, or is met by several at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from projections.registry import TABLES
from service.ops.migrate import find_missing, prepare
from service.platform.settings import Settings
from service.sessions.app import build
from service.store.postgres import APPEND_TURNS
from tests.support.databases.network_cut import Cutting, cutting
from tests.support.databases.places import address
from tests.support.databases.server import Server
from tests.support.example import EXAMPLE
from tests.support.processes import eventually
from tests.support.server import KEY, TestServer, laid, settings_in
from workers.follower import follow


@pytest.fixture
def server() -> Iterator[Server]:
    """One that may be stopped."""
    server = Server("wheel")
    yield server
    server.remove()


@pytest.fixture
def url() -> Iterator[str]:
    with address("wheel") as url:
        yield url


@pytest.fixture
def way(url: str, tmp_path: Path) -> Iterator[tuple[TestServer, Cutting]]:
    with (
        cutting(url) as (through, way),
        closing(TestServer(settings_in(tmp_path, DATABASE_URL=through))) as house,
    ):
        yield house, way


def test_a_server_that_is_away_is_told_and_found_again(server: Server, tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, DATABASE_URL=server.url()))) as house:
        evening = laid(house)
        version = evening.version()
        server.stop()
        began = time.monotonic()
        answers = [
            evening.command("p1", EXAMPLE.plain),
            evening.get("p1", ""),
            house.client.get("/v1/sessions"),
            house.client.get("/readyz"),
        ]
        assert [answer.status_code for answer in answers] == [503] * 4
        assert [answer.json.get("code") for answer in answers[:-1]] == ["unavailable"] * 3
        assert answers[-1].json["status"] == "down"
        assert answers[0].headers["Retry-After"]
        assert time.monotonic() - began < 10, "nobody waits for what is not there"
        assert find_missing(house.settings).startswith("a connection to the database (")
        server.start()
        assert evening.version() == version
        assert evening.command("p1", EXAMPLE.plain).status_code == 201
        server.stop()
        server.start()
        assert evening.version() > version, "connections that were kept are of the server before"


@pytest.mark.long
def test_a_follower_goes_on_when_the_server_is_back(server: Server, tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, DATABASE_URL=server.url()))) as house:
        evening, stop = laid(house), threading.Event()
        following = threading.Thread(target=follow, args=(house.settings, stop))
        following.start()
        try:
            assert eventually(lambda: told(house) == evening.version())
            server.stop()
            time.sleep(1.5)
            server.start()
            assert evening.post("p1", "/narrate", {"text": "We are back."}).status_code == 201
            assert eventually(lambda: told(house) == evening.version())
        finally:
            stop.set()
            following.join()


def told(house: TestServer) -> int:
    """The version that the timeline has come to."""
    return max(house.app.read_models.sessions.heads().values(), default=0)


def test_a_turn_whose_answer_was_lost_is_told_and_not_played_again(
    way: tuple[TestServer, Cutting],
) -> None:
    house, cut = way
    evening = laid(house)
    before = house.log()
    cut.lose(APPEND_TURNS.encode())
    answer = evening.command("p1", EXAMPLE.plain)
    assert (answer.status_code, cut.cuts) == (201, 1)
    after = house.log()
    assert after[: len(before)] == before
    assert [row[2] for row in after[len(before) :]] == [
        event["version"] for event in answer.json["events"]
    ]
    cut.lose(APPEND_TURNS.encode())
    first = evening.post("p1", "/narrate", {"text": "So it goes."}, Idempotency_Key=KEY)
    again = evening.post("p1", "/narrate", {"text": "So it goes."}, Idempotency_Key=KEY)
    assert (first.status_code, again.status_code, cut.cuts) == (201, 201, 2)
    assert first.json["events"] == again.json["events"]
    assert len(house.log()) == len(after) + 1


@pytest.mark.parametrize(
    "lost", [b"INSERT INTO tokens", b"INSERT INTO invitations", APPEND_TURNS.encode()]
)
def test_a_seat_is_given_once_though_an_answer_was_lost(
    way: tuple[TestServer, Cutting], lost: bytes
) -> None:
    house, cut = way
    evening = house.open()
    cut.lose(lost)
    evening.seat("p1", name="Ana's player")
    assert cut.cuts == 1
    assert evening.get("p1", "").json["seats"]["p1"]["occupied"]
    assert evening.get("gm", "/invitations").json["invitations"] == []


def test_what_is_not_migrated_is_unavailable_and_changes_nothing(url: str, tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path, DATABASE_URL=url))) as house:
        evening = laid(house)
        before = evening.version()
        house.app.recorder.write((f"DROP FUNCTION {APPEND_TURNS}", [()]))
        answer = evening.post("p1", "/narrate", {"text": "Too early."})
        assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
        prepare(house.settings)
        assert evening.version() == before
        assert evening.post("p1", "/narrate", {"text": "Now."}).status_code == 201


def test_what_is_read_behind_the_lock_is_so_now(url: str, tmp_path: Path) -> None:
    """Whatever the database has for others: behind "repeatable read" a turn would see tokens as before its wait."""
    with psycopg.connect(url, autocommit=True) as connection:
        name = sql.Identifier(connection.info.dbname)
        level = "default_transaction_isolation TO 'repeatable read'"
        connection.execute(sql.SQL("ALTER DATABASE {} SET ").format(name) + sql.SQL(level))
    with closing(TestServer(settings_in(tmp_path, DATABASE_URL=url))) as house:
        assert house.app.recorder.query("SHOW transaction_isolation") == [("read committed",)]


def test_an_append_is_heard_of(url: str, tmp_path: Path) -> None:
    """By who waits for it, long before he would look by himself."""
    with closing(TestServer(settings_in(tmp_path, DATABASE_URL=url))) as house:
        evening, heard = laid(house), list[float]()

        def wait() -> None:
            house.app.log.wait_for_change(0.05)  # it begins to listen
            time.sleep(0.5)
            house.app.log.wait_for_change(0.05)
            began = time.monotonic()
            house.app.log.wait_for_change(100)
            heard.append(time.monotonic() - began)

        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(1.5)
        evening.command("p1", EXAMPLE.plain)
        waiting.join()
        assert heard[0] < 60
        end = house.app.log.end()
        began = time.monotonic()
        house.app.log.wait(end, 0.3)
        assert time.monotonic() - began >= 0.3, "and it ends if nothing comes"


def test_several_that_migrate_at_once_wait_for_each_other(url: str, tmp_path: Path) -> None:
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url})
    assert find_missing(settings) == "log.key"
    prepare(settings)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA fairlog CASCADE; DROP SCHEMA fairlog_views CASCADE")
    assert find_missing(settings) == "stored_events in the database"
    failed: list[BaseException] = []

    def migrate() -> None:
        try:
            prepare(settings)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=migrate) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert find_missing(settings) == ""


def test_a_database_from_before_gets_its_function_by_migrate(url: str, tmp_path: Path) -> None:
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url})
    prepare(settings)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP FUNCTION fairlog.{APPEND_TURNS}".encode())
    assert find_missing(settings) == f"{APPEND_TURNS} in the database"
    prepare(settings)
    assert find_missing(settings) == ""


@pytest.mark.parametrize("name", ["results", "tallies"])
def test_a_view_of_an_older_shape_is_named_and_made_anew(
    url: str, tmp_path: Path, name: str
) -> None:
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url})
    prepare(settings)
    with closing(build(settings)) as app, app.read_models.store.writing() as cursor:
        cursor.execute(f"DROP TABLE {name}")
        app.read_models.store.create_table(
            cursor, name, TABLES[name].replace("session TEXT", "session  TEXT")
        )
    assert find_missing(settings) == f"{name} in the database"
    prepare(settings)
    assert find_missing(settings) == ""
