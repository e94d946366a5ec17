"""Words that are taken out of the log are nowhere any more; every check holds, and says that they are redacted."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain, product
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient

from domain.codec import encode
from domain.verify import Evidence, verify
from domain.verify.report import Report
from projections.runner import rebuild
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import Settings
from service.sessions import redaction
from service.sessions.command_handler import handle
from service.sessions.deletion import delete, expire
from service.sessions.idempotency import CommandResult
from service.sessions.log_files import export_log, import_log
from service.store.errors import UnknownSessionError
from tests.js.node import Job, climb
from tests.projections.contract import rows_of
from tests.support.databases.places import AT_LENGTH
from tests.support.processes import run
from tests.support.scale import LONG
from tests.support.server import KEY, SessionClient, TestServer, aside, laid, settings_in

MARK = "zinnober"
PLACES = (
    "",
    "?version={of}",
    "/events?limit=200",
    "/events?version={of}&limit=200",
    "/events/{of}",
    "/feed/0",
    "/search?text=ZINN",
    "/search?entity=zinnober",
    "/stream?after=0",
    "/export",
    "/transcript",
)


def everything(evening: SessionClient, of: int) -> dict[str, bytes]:
    """What each reader gets of the session, before and behind the version."""
    house, client = evening.house, evening.house.client
    found = {}
    for seat in ("gm", "p1", "watcher"):
        for place in PLACES:
            path = place.format(of=of)
            answer = evening.get(seat, path)
            data = answer.data
            found[f"{seat} {path}"] = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        found |= {
            f"{seat} page {page}": pages(evening, client, seat, page)
            for page in ("", "/transcript")
        }
    found["list"] = house.client.get("/v1/sessions", headers=evening.headers("gm")).data
    return found


def pages(evening: SessionClient, client: FlaskClient, seat: str, page: str) -> bytes:
    return client.get(f"/s/{evening.session}{page}", headers=evening.headers(seat)).data


def holding(answers: dict[str, bytes]) -> list[str]:
    return [
        place
        for place, said in answers.items()
        if MARK.encode() in said.replace(b"text=ZINN", b"").lower()
    ]


def on_disk(house: TestServer) -> list[str]:
    """The tables of log and views that hold the words."""
    return [
        name
        for name, rows in tables(house.settings)
        if any(MARK.encode() in _bytes(each) for each in chain(*rows))
    ]


def tables(settings: Settings) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    """Every one that there is, with its rows."""
    if settings.is_on_postgres:
        with psycopg.connect(settings.database) as connection:
            made = "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname LIKE 'fairlog%'"
            for (name,) in connection.execute(made.encode()).fetchall():
                yield name, connection.execute(f"SELECT * FROM {name}".encode()).fetchall()
        return
    for file in (settings.log_file, settings.views_file):
        with closing(sqlite3.connect(file)) as files:
            for (name,) in files.execute(
                "SELECT name FROM sqlite_master WHERE type='table'"
            ).fetchall():
                yield name, files.execute(f"SELECT * FROM {name}").fetchall()


def _bytes(value: object) -> bytes:
    return value.lower() if isinstance(value, bytes) else str(value).lower().encode()


def narrated(evening: SessionClient) -> int:
    answer = evening.post("p1", "/narrate", {"text": f"The door is {MARK}."}, Idempotency_Key=KEY)
    return int(answer.json["version"])


def whispered(evening: SessionClient) -> int:
    return int(
        evening.post("p1", "/narrate", {"text": f"It is {MARK}.", "audience": "gm"}).json["version"]
    )


def named(evening: SessionClient) -> int:
    return int(evening.post("p1", "/seats/p1/name", {"name": MARK.title()}).json["version"])


def newly_named(evening: SessionClient) -> int:
    evening.seat("p3", name=MARK.title())
    return evening.version()


SAID = {
    "a narration": narrated,
    "a whisper": whispered,
    "a name": named,
    "a newcomer's name": newly_named,
}
REDACTED = list(product(SAID, (True, False))) if LONG else [("a narration", True)]


def checked(house: TestServer, session: str) -> Report:
    return verify(export_log(house.app, session), ed25519, Evidence())


@pytest.mark.parametrize(("said", "followed"), REDACTED)
def test_the_words_are_gone_and_every_check_holds(
    tmp_path: Path, database: str, said: str, followed: bool
) -> None:
    house = TestServer(settings_in(tmp_path, DATABASE_URL=database, FAIRLOG_SNAPSHOT_EVERY="3"))
    evening = laid(house, options={"listed": True})
    of = SAID[said](evening)
    evening.post("gm", "/narrate", {"text": "On it goes."})
    house.follow()
    other = TestServer(house.settings)  # a process of its own, with what it has kept
    assert holding(everything(evening, of)), "else there was nothing to lose"
    assert any(name.endswith("stored_events") for name in on_disk(house))
    evening.house = other
    assert holding(everything(evening, of))
    evening.house = house
    answer = evening.post("gm", "/redact", {"version": of, "reason": "asked for"})
    assert (answer.status_code, answer.json["events"][-1]["kind"]) == (201, "session.Redacted")
    assert MARK not in answer.text.lower()
    if followed:
        house.follow()
    for served in (house, other):
        evening.house = served
        assert holding(everything(evening, of)) == []
        told = evening.get("gm", "/events?limit=200").json["events"][of - 1]
        assert (told["redacted"], "body" in told) == (True, False)
        assert "redacted" in told["text"]
    report = checked(house, evening.session)
    assert (report.failure, report.counts.events) == (None, evening.version())
    assert {caution.code: caution.versions for caution in report.warnings}["W_REDACTED"] == (of,)
    assert "W_UNOPENED" not in {caution.code for caution in report.warnings}
    house.follow()
    assert on_disk(house) == []
    for view in house.app.read_models.followed:
        shown = rows_of(view)
        rebuild(house.app.log, house.app.read_models.store, type(view))
        assert rows_of(view) == shown
    other.close()
    evening.house = house
    house.restart()
    assert holding(everything(evening, of)) == []
    house.close()


@pytest.mark.parametrize("database", AT_LENGTH, indirect=True)
@pytest.mark.parametrize("say", [narrated, named])
def test_text_stored_while_its_redaction_is_in_flight_is_redacted(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch, say: Callable[[SessionClient], int]
) -> None:
    """The text gets the version that the redaction names after the request has begun."""
    said = list[int]()

    def overtaken(*given: Any) -> CommandResult:
        said.append(aside(say, evening))
        return handle(*given)

    of = evening.version() + 1
    monkeypatch.setattr(redaction, "handle", overtaken)
    answer = evening.post("p1", "/redact", {"version": of, "reason": "mine"})
    assert (answer.status_code, said) == (201, [of])
    evening.house.follow()
    assert holding(everything(evening, of)) == []
    assert on_disk(evening.house) == []
    assert checked(evening.house, evening.session).failure is None


@pytest.mark.parametrize("say", SAID.values(), ids=SAID)
def test_play_goes_on_and_the_end_counts_right(
    evening: SessionClient, say: Callable[[SessionClient], int]
) -> None:
    of = say(evening)
    assert evening.post("p1", "/redact", {"version": of, "reason": "mine"}).status_code in (
        201,
        409,
    )
    evening.post("gm", "/redact", {"version": of, "reason": "mine"})
    evening.house.restart()
    assert evening.post("p1", "/narrate", {"text": "On it goes."}).status_code == 201
    assert evening.post("gm", "/close", {"carry_over": False}).status_code == 201
    assert checked(evening.house, evening.session).failure is None


def test_both_verifiers_say_so(evening: SessionClient, tmp_path: Path) -> None:
    of = narrated(evening)
    before = [*export_log(evening.house.app, evening.session)]
    evening.post("p1", "/redact", {"version": of, "reason": "mine"})
    file = b"".join(export_log(evening.house.app, evening.session))
    [report] = climb(tmp_path, [Job(file)])
    assert (report["failure"], report["reached"], report["redacted"]) == (None, "draws", [of])
    leaves = [json.loads(line)["leaf"] for line in file.splitlines() if b'"leaf"' in line]
    assert leaves[: len(before) - 2] == [
        json.loads(line)["leaf"] for line in before if b'"leaf"' in line
    ]


REFUSED = [
    # who, of, rule
    ("p2", "said", "words-not-yours"),
    ("watcher", "said", "words-not-yours"),
    ("judge", "said", "role-may-not"),
    ("gm", "rolled", "no-words-there"),
    ("gm", "nowhere", "redact-nowhere"),
    ("gm", "gone", "no-words-there"),
]


@pytest.mark.parametrize(("who", "of", "rule"), REFUSED)
def test_who_may_not_takes_nothing_out(
    evening: SessionClient, who: str, of: str, rule: str
) -> None:
    evening.seat("judge", "auditor")
    said, gone = (
        narrated(evening),
        int(evening.post("p1", "/narrate", {"text": "Gone."}).json["version"]),
    )
    evening.post("p1", "/redact", {"version": gone, "reason": "mine"})
    versions = {"said": said, "rolled": said - 1, "nowhere": 999, "gone": gone}
    log = evening.house.log()
    answer = evening.post(who, "/redact", {"version": versions[of], "reason": "x"})
    assert (answer.status_code, answer.json["rule"]) == (409, rule)
    assert evening.house.log() == log


def test_a_repeat_is_told_the_same_and_the_words_cannot_be_guessed_from_what_is_kept(
    evening: SessionClient,
) -> None:
    of, store = narrated(evening), evening.house.app.recorder
    body, key = {"version": of, "reason": "mine"}, "a-key-for-the-redaction"
    first, second = (evening.post("p1", "/redact", body, Idempotency_Key=key) for _ in range(2))
    assert (first.json["version"], second.json["repeated"]) == (second.json["version"], True)
    again = evening.post("p1", "/narrate", {"text": f"The door is {MARK}."}, Idempotency_Key=KEY)
    assert (again.status_code, again.json["code"]) == (422, "key-reused")
    rows = store.query(
        "SELECT request FROM answers WHERE session=? AND last=?", (evening.session, of)
    )
    assert [bytes(request) for (request,) in rows] == [b""]


@pytest.mark.parametrize("reason", ["", "  ", "r" * 401, "two\nlines", "a bell\a"])
def test_a_reason_that_no_log_takes_changes_nothing(evening: SessionClient, reason: str) -> None:
    data, of, before = evening.house.settings.data, narrated(evening), evening.house.log()
    said = run(data, "redact", evening.session, str(of), "--reason", reason)
    assert (said.returncode, said.stdout) == (2, "")
    assert "line of 1 to 400 characters" in said.stderr
    assert evening.house.log() == before


def test_what_cannot_be_redacted_is_said_in_words(evening: SessionClient) -> None:
    data, before = evening.house.settings.data, evening.house.log()
    at = {"DATABASE_URL": evening.house.settings.database}
    unknown = run(data, "redact", "0" * 32, "1", "--reason", "asked for", **at)
    assert (unknown.returncode, unknown.stderr[:35]) == (1, "Error: there is no session 00000000")
    for version, words in (
        ("1", "Version 1 has no text"),
        ("999", "The session has not reached version 999"),
    ):
        refused = run(data, "redact", evening.session, version, "--reason", "asked for", **at)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith(f"Error: {words}")
        assert refused.stderr.endswith(
            ". Use the version number shown before the line in the session's log.\n"
        )
    assert evening.house.log() == before


def test_those_who_run_it_redact_and_delete_from_the_command_line(evening: SessionClient) -> None:
    house, of = evening.house, narrated(evening)
    data, at = house.settings.data, {"DATABASE_URL": house.settings.database}
    said = run(data, "redact", evening.session, str(of), "--reason", "asked for by post", **at)
    assert (said.returncode, said.stderr) == (0, "")
    assert evening.get("gm", "/events?limit=200").json["events"][-1]["seat"] == "house"
    assert checked(house, evening.session).failure is None
    assert run(data, "redact", evening.session, str(of), "--reason", "again", **at).returncode == 1
    assert holding(everything(evening, of)) == []
    house.follow()
    assert on_disk(house) == []
    kept = house.open()
    house.follow()
    gone = run(data, "delete", evening.session, "--yes", **at)
    assert (gone.returncode, gone.stderr) == (0, "")
    assert evening.get("gm", "").status_code == 401, "its tokens are gone"
    with pytest.raises(UnknownSessionError):
        house.app.log.read(evening.session)
    for table in ("stored_events", "stored_snapshots"):
        assert (
            house.app.recorder.query(
                f"SELECT 1 FROM {table} WHERE originator_id=?", (evening.session,)
            )
            == []
        )
    assert [line["id"] for line in lines(kept)] == [kept.session]
    house.follow()
    for view in house.app.read_models.followed:
        shown = rows_of(view)
        assert evening.session not in repr(shown)
        rebuild(house.app.log, house.app.read_models.store, type(view))
        assert rows_of(view) == shown
    assert len(house.client.get("/v1/index/entries").json["entries"]) == 2, (
        "the index keeps its trace"
    )
    assert run(data, "delete", evening.session, "--yes", **at).stderr.startswith(
        f"Error: there is no session {evening.session}"
    )


def test_who_cannot_be_asked_deletes_nothing(evening: SessionClient) -> None:
    settings = evening.house.settings
    said = run(settings.data, "delete", evening.session, DATABASE_URL=settings.database)
    assert (said.returncode, said.stderr.splitlines()[-1]) == (
        1,
        "Error: nothing was deleted: answer yes at the prompt, or use --yes",
    )
    assert evening.version() > 0


@pytest.mark.long
def test_doctor_counts_what_is_there_and_names_what_is_no_setting(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path))) as house:
        gone = house.open()
        house.open()
        assert run(tmp_path, "delete", gone.session, "--yes").returncode == 0
        [(left,)] = house.app.recorder.query("SELECT COUNT(*) FROM stored_events")
        found = run(tmp_path, "doctor", FAIRLOG_DOG="1").stdout
    assert f"{left} events in 1 session, 0 closed" in found
    assert re.search(r"unknown:[^✓]*FAIRLOG_DOG", found)


def lines(evening: SessionClient) -> list[dict[str, str]]:
    found: list[dict[str, str]] = evening.house.client.get(
        "/v1/sessions", headers=evening.headers("gm")
    ).json["sessions"]
    return found


def test_a_closed_session_is_kept_as_long_as_is_set(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = TestServer(settings_in(tmp_path, DATABASE_URL=database, FAIRLOG_RETENTION="30"))
    closed, still = laid(house), house.open()
    closed.post("gm", "/close", {"carry_over": False})
    house.follow()
    assert expire(house.app) == []
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now + 31 * 86_400_000)
    assert expire(house.app) == [closed.session]
    with pytest.raises(UnknownSessionError):
        house.app.log.read(closed.session)
    assert house.app.log.read(still.session).session.version > 0
    assert expire(house.app) == []
    house.close()


def test_a_deleted_session_ends_its_streams_and_no_other(house: TestServer) -> None:
    house.restart()
    first, second = laid(house), house.open()
    streams = house.flask.extensions["fairlog"].streams
    opened = [house.app.log.read(each.session) for each in (first, second)]
    assert len(opened) == 2
    delete(house.app, first.session)
    assert streams._heads(first.session) == ()
    assert encode(streams._heads(second.session)[-1].version) == str(second.version()).encode()


def test_a_turn_that_was_decided_before_the_deletion_is_not_stored(
    house: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening, recorder = house.open(), house.app.recorder
    insert = recorder.insert_events

    def insert_late(*given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        delete(house.app, evening.session)
        return insert(*given, **more)

    monkeypatch.setattr(recorder, "insert_events", insert_late)
    assert evening.post("gm", "/narrate", {"text": "too late"}).status_code == 404
    kept = "SELECT originator_version FROM stored_events WHERE originator_id=?"
    assert recorder.query(kept, (evening.session,)) == []
    house.follow()


def test_events_without_their_session_can_be_deleted(house: TestServer) -> None:
    """Earlier releases stored turns that were decided while their session was deleted."""
    evening = house.open()
    house.app.recorder.write(
        (
            "DELETE FROM stored_events WHERE originator_id=? AND originator_version=1",
            [(evening.session,)],
        )
    )
    assert delete(house.app, evening.session) > 0
    with pytest.raises(UnknownSessionError):
        delete(house.app, evening.session)


def test_an_interrupted_deletion_breaks_no_list_and_is_finished_by_the_next(
    house: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, listed = house.open(options={"listed": True}), house.open(options={"listed": True})
    house.follow()

    def fails() -> None:
        raise ConnectionError("the database has gone")

    with monkeypatch.context() as broken:
        broken.setattr(house.app.read_models.store, "writing", fails)
        with pytest.raises(ConnectionError):
            delete(house.app, gone.session)
    shown = house.client.get("/v1/sessions").json["sessions"]
    assert [line["id"] for line in shown] == [listed.session, gone.session]
    house.app.read_models.store.write("DELETE FROM tables WHERE session=?", gone.session)
    shown = house.client.get("/v1/sessions").json["sessions"]
    assert [line["id"] for line in shown] == [listed.session]
    with pytest.raises(UnknownSessionError):
        delete(house.app, gone.session)
    assert house.app.read_models.sessions.heads().keys() == {listed.session}


def test_an_invitation_does_not_come_back_with_an_imported_session(house: TestServer) -> None:
    evening = house.open()
    file = list(export_log(house.app, evening.session))
    code = evening.invite()
    rows = house.app.recorder.query("SELECT * FROM invitations")
    delete(house.app, evening.session)
    places = ",".join("?" * len(rows[0]))
    house.app.recorder.write((f"INSERT INTO invitations VALUES ({places})", rows))
    import_log(house.app, file)
    assert house.client.post("/v1/seats", json={"code": code}).status_code == 404
