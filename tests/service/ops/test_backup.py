"""A backup that is taken under load: nothing in it is half, nothing that was answered before it is missing."""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread

import pytest

from domain.rulesets import RULESETS
from domain.verify import Evidence, verify
from projections.runner import catch_up
from service.client.api import ApiConnection
from service.ops import backup, backup as packing
from service.ops.backup import RestoreError, back_up, restore
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import Settings
from service.sessions.app import build
from service.sessions.log_files import export_log
from tests.support.campaigns import campaign_with
from tests.support.processes import Running, run
from tests.support.scale import scale
from tests.support.server import KEY, TestServer, laid, settings_in

TABLES, BACKUPS = 4, scale(3, 12)


def unseen(done: int, of: int) -> None:
    """Nobody looks."""


def played(url: str, known: dict[str, int], stop: Event) -> None:
    """A table that talks without pause; the last version that it was told."""
    player = ApiConnection(url)
    opened = player.post("/v1/sessions", {"ruleset": RULESETS[0].name, "title": "The mint"}).json
    player.token = opened["token"]
    while not stop.is_set():
        answer = player.post(f"/v1/sessions/{opened['session']}/narrate", {"text": "It rains."})
        assert answer.status == 201
        known[opened["session"]] = answer.json["version"]
    player.close()


@pytest.mark.long
def test_backups_under_load_are_whole(tmp_path: Path) -> None:
    server = Running(tmp_path / "data", "serve", "--only", "web", REDIS_URL="redis://127.0.0.1:1/0")
    known: dict[str, int] = {}
    stop = Event()
    before: list[dict[str, int]] = []
    try:
        url = server.url()
        tables = [Thread(target=played, args=(url, known, stop)) for _ in range(TABLES)]
        for table in tables:
            table.start()
        while len(known) < TABLES:
            stop.wait(0.05)
        for nth in range(BACKUPS):
            before.append(dict(known))
            said = run(tmp_path / "data", "backup", str(tmp_path / f"{nth}.tar"))
            assert (said.returncode, said.stderr) == (0, "")
        stop.set()
        for table in tables:
            table.join()
    finally:
        stop.set()
        server.stop()
    held = [whole(tmp_path, nth, before[nth]) for nth in range(BACKUPS)]
    assert held == sorted(held)
    assert held[0] < held[-1], "there was a load"
    print(
        f"{BACKUPS} backups of {held[0]:,} to {held[-1]:,} events while {TABLES} tables were played"
    )


def whole(folder: Path, nth: int, before: dict[str, int]) -> int:
    """How many events the backup holds, every session valid and as long as it was when the backup began, at least."""
    data = folder / f"restored-{nth}"
    said = run(data, "restore", str(folder / f"{nth}.tar"))
    assert said.returncode == 0, said.stderr
    assert f"open sessions: {TABLES}." in said.stdout
    with closing(build(Settings.read({"FAIRLOG_DATA": str(data)}))) as app:
        for session, version in before.items():
            assert app.log.read(session).session.version >= version
            assert verify(export_log(app, session), ed25519, Evidence()).failure is None
        for view in app.read_models.followed:
            assert catch_up(app.log, view) == app.log.end()
        return app.log.end()


def test_play_goes_on_from_a_backup(tmp_path: Path) -> None:
    """Tokens, the house's chains, invitations and the keys are in it."""
    house = TestServer(settings_in(tmp_path / "one"))
    evening = laid(house)
    code = evening.invite()
    back_up(house.settings, tmp_path / "backup.tar")
    assert (tmp_path / "backup.tar").stat().st_mode & 0o777 == 0o600
    log = house.log()
    house.close()
    restored = settings_in(tmp_path / "two")
    assert restore(restored, tmp_path / "backup.tar", unseen).still_open == 1
    assert sorted(file.name for file in restored.data.iterdir()) == [
        "events.db",
        "keys",
        "views.db",
    ]
    assert restored.log_file.stat().st_mode & 0o077 == 0
    other = TestServer(restored)
    assert other.log() == log
    evening.house = other
    assert evening.post("p1", "/narrate", {"text": "On it goes."}).status_code == 201
    assert other.client.post("/v1/seats", json={"code": code}).status_code == 201
    failure = verify(export_log(other.app, evening.session), ed25519).failure
    assert failure is None
    other.close()


def cut(file: Path, folder: Path) -> None:
    file.write_bytes(file.read_bytes()[:2000])


def rewritten(statement: str, *, hashed: bool) -> Callable[[Path, Path], None]:
    """The log in the backup changed by hand; `hashed`: by a hand that knows the format."""

    def bend(file: Path, folder: Path) -> None:
        with tarfile.open(file) as archive:
            archive.extractall(folder / "out", filter="data")
        with closing(sqlite3.connect(folder / "out" / "events.db")) as log:
            log.executescript(statement)
            log.commit()
        files = {
            f"keys/{key.name}": key.read_bytes() for key in (folder / "out" / "keys").iterdir()
        }
        about = backup._manifest(folder / "out" / "events.db", files)
        told = (
            backup.msgspec.json.encode(about)
            if hashed
            else (folder / "out" / "backup.json").read_bytes()
        )
        file.unlink()
        packing.pack(file, folder / "out" / "events.db", {"backup.json": told, **files})

    return bend


BENT = {
    "cut": (cut, "cannot read the backup|not a Fairlog|not match its hash"),
    "another log": (
        rewritten("DELETE FROM answers", hashed=False),
        "events.db does not match its hash",
    ),
    "a word changed": (
        rewritten(
            "UPDATE stored_events SET state=replace(state, 'mint', 'tint') WHERE originator_version=1",
            hashed=True,
        ),
        "version 1",
    ),
    "an event lost": (
        rewritten(
            "DELETE FROM stored_events WHERE position=(SELECT MAX(position)-1 FROM stored_events)",
            hashed=True,
        ),
        "cannot verify session",
    ),
    "a checkpoint that is none": (
        rewritten(
            "INSERT INTO secrets SELECT MIN(originator_id), 'notes',"
            """ CAST('["forged"]' AS BLOB) FROM stored_events""",
            hashed=True,
        ),
        "cannot verify session",
    ),
    "no backup at all": (
        lambda file, folder: file.write_bytes(b"x" * 4000),
        "cannot read the backup",
    ),
}


@pytest.mark.parametrize(("bend", "words"), BENT.values(), ids=BENT)
def test_what_does_not_hold_is_not_restored(
    tmp_path: Path, bend: Callable[[Path, Path], object], words: str
) -> None:
    house = TestServer(settings_in(tmp_path / "one"))
    laid(house)
    back_up(house.settings, tmp_path / "backup.tar")
    house.close()
    bend(tmp_path / "backup.tar", tmp_path)
    target = settings_in(tmp_path / "two")
    with pytest.raises(RestoreError, match=words):
        restore(target, tmp_path / "backup.tar", unseen)
    assert list(target.data.iterdir()) == []


SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
PLANTED = f"""
CREATE TABLE hidden (hash, seat);
INSERT INTO hidden VALUES (x'{sha256(b"flt_attacker").hexdigest()}', 'gm');
CREATE TRIGGER planted AFTER INSERT ON tokens WHEN NOT EXISTS
    (SELECT 1 FROM tokens JOIN hidden USING (hash) WHERE session=new.session)
    BEGIN INSERT OR REPLACE INTO tokens SELECT hash, new.session, seat, new.at, 0 FROM hidden; END;
CREATE VIEW everything AS SELECT * FROM hidden;
CREATE INDEX answers_by_seat ON answers (seat);
"""


def test_nothing_but_rows_is_restored(tmp_path: Path) -> None:
    """A trigger in the backup would give its author a token of every session that is opened later."""
    with closing(TestServer(settings_in(tmp_path / "one"))) as house:
        open_table = laid(house)
        back_up(house.settings, tmp_path / "backup.tar")
        with closing(sqlite3.connect(house.settings.log_file)) as log:
            schema = log.execute(SCHEMA).fetchall()
    rewritten(PLANTED, hashed=True)(tmp_path / "backup.tar", tmp_path)
    restored = settings_in(tmp_path / "two")
    restore(restored, tmp_path / "backup.tar", unseen)
    with closing(TestServer(restored)) as other:
        opened = other.open()
        opened.tokens["attacker"] = "flt_attacker"
        assert opened.get("attacker", "/tokens").status_code == 401
        open_table.house = other
        assert open_table.post("p1", "/narrate", {"text": "It rains."}).status_code == 201
    with closing(sqlite3.connect(restored.log_file)) as log:
        assert log.execute(SCHEMA).fetchall() == schema


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x+1 FROM n)"
UNREADABLE = {
    "an endless view": (
        f"DROP TABLE answers; CREATE VIEW answers AS {ENDLESS}"
        " SELECT x session, x seat, x key, x request, x first, x last FROM n",
        "not authorized",
    ),
    "a row of 80 MB": (
        "UPDATE answers SET request=zeroblob(80000000) WHERE key=(SELECT MIN(key) FROM answers)",
        "too big",
    ),
    "a table of other columns": (
        "ALTER TABLE tokens RENAME COLUMN seat TO chair",
        "no such column",
    ),
    "a row that the table forbids": (
        "DROP TABLE witnesses; CREATE TABLE witnesses (vkey, url, size, at, line);"
        "INSERT INTO witnesses VALUES ('w', NULL, 1, 1, '')",
        "NOT NULL",
    ),
    "a row number after which there is none": (
        "UPDATE sqlite_sequence SET seq=9223372036854775807 WHERE name='stored_events'",
        "the last row number of stored_events is not valid: 9223372036854775807",
    ),
    "a row number that is a word": (
        "UPDATE sqlite_sequence SET seq='abc' WHERE name='stored_events'",
        "the last row number of stored_events is not valid: 'abc'",
    ),
}


@pytest.mark.parametrize(("statement", "words"), UNREADABLE.values(), ids=UNREADABLE)
def test_rows_that_no_log_has_are_not_restored(tmp_path: Path, statement: str, words: str) -> None:
    with closing(TestServer(settings_in(tmp_path / "one"))) as house:
        laid(house)
        back_up(house.settings, tmp_path / "backup.tar")
    rewritten(statement, hashed=True)(tmp_path / "backup.tar", tmp_path)
    target = settings_in(tmp_path / "two")
    with pytest.raises(RestoreError, match=words):
        restore(target, tmp_path / "backup.tar", unseen)
    assert list(target.data.iterdir()) == []


def test_tokens_and_invitations_of_a_backup_are_ended_on_request(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path / "one"))) as house:
        table = laid(house)
        code, campaign = table.invite(), campaign_with(table)
        assert table.delete("watcher", "/seats/watcher", Idempotency_Key=KEY).status_code == 200
        assert table.delete("watcher", "/seats/watcher", Idempotency_Key=KEY).status_code == 200
        back_up(house.settings, tmp_path / "backup.tar")
    restored = settings_in(tmp_path / "two")
    said = run(restored.data, "restore", str(tmp_path / "backup.tar"), "--end-tokens")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.splitlines()[1:] == [
        "all tokens and invitations are revoked: open new sessions to continue playing"
    ]
    with closing(TestServer(restored)) as other:
        table.house = campaign.server = other
        assert campaign.get("mo").status_code == campaign.get("ana").status_code == 401
        for seat in ("gm", "p1", "p2", "watcher"):
            assert table.get(seat, "/events").status_code == 401, seat
        again = table.delete("watcher", "/seats/watcher", Idempotency_Key=KEY)
        assert again.status_code == 401
        assert other.client.post("/v1/seats", json={"code": code}).status_code == 404
        assert other.open().post("gm", "/narrate", {"text": "Anew."}).status_code == 201


def test_nothing_is_restored_over_a_log(tmp_path: Path) -> None:
    house = TestServer(settings_in(tmp_path))
    laid(house)
    back_up(house.settings, tmp_path / "backup.tar")
    before = house.log()
    said = run(tmp_path, "restore", str(tmp_path / "backup.tar"))
    assert said.returncode == 1
    assert "already contains events.db, keys, views.db" in said.stderr
    assert house.log() == before
    house.close()
