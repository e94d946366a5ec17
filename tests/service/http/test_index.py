"""The index over HTTP: what is entered, that it only grows, and that its proofs hold for anyone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.proof import merkle_tree
from domain.proof.signed_note import open_checkpoint, parse_vkey
from service.cli.tell import tell
from service.ops.migrate import prepare
from service.platform import clock
from service.platform.clock import MAX_TIME_MS
from service.platform.ed25519 import verify as ed25519
from service.sessions.log_files import LogImportError, export_log, import_log
from service.store.errors import VersionConflictError
from tests.service.http.test_forks import forked
from tests.support.example import EXAMPLE
from tests.support.processes import ROOT
from tests.support.scale import scale
from tests.support.server import KEY, SessionClient, TestServer, settings_in
from tests.support.tlog_proof import parse_tlog_proof

INDEX = "/v1/index"


def index(house: TestServer, path: str, status: int = 200, **headers: str) -> object:
    answer = house.client.get(INDEX + path, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json if answer.mimetype != "text/plain" else answer.text


def entries(house: TestServer) -> list[tuple[int, str, int]]:
    return [
        (each["number"], each["session"], each["size"])
        for each in index(house, "/entries")["entries"]
    ]


def played(house: TestServer) -> tuple[SessionClient, SessionClient]:
    """An evening and its fork; one closes, then the other, between them a session of its own."""
    evening = house.open()
    evening.go(("gm", EXAMPLE.guest))
    child = forked(evening, "gm", evening.version())
    house.open(title="another")
    for each in (child, evening):
        assert each.post("gm", "/close", {"carry_over": False}).status_code == 201
    return evening, child


def test_opening_forking_and_closing_are_entered_in_their_order(house: TestServer) -> None:
    evening, child = played(house)
    told = entries(house)
    assert [number for number, *_ in told] == [1, 2, 3, 4, 5, 6]
    assert [session for _, session, _ in told if session in (evening.session, child.session)] == [
        evening.session,
        evening.session,
        child.session,
        child.session,
        evening.session,
    ]
    sizes = [size for _, session, size in told if session == evening.session]
    kinds = [event["kind"] for event in evening.get("gm", "/events?limit=200").json["events"]]
    assert [kinds[size - 1] for size in sizes] == [
        "session.SeatNamed",
        "session.Forked",
        "session.Closed",
    ]


def test_an_entry_is_the_sessions_own_checkpoint(house: TestServer) -> None:
    evening, child = played(house)
    for each in (evening, child):
        last = [
            told for told in index(house, "/entries")["entries"] if told["session"] == each.session
        ][-1]
        assert last["note"] == each.get("gm", "/checkpoint").text
        key = each.house.app.log.read(each.session).session.info.log_key
        assert open_checkpoint(last["note"], parse_vkey(key), ed25519).size == last["size"]


def test_what_is_played_in_between_is_not_entered(house: TestServer) -> None:
    evening = house.open()
    before = entries(house)
    evening.go(("gm", EXAMPLE.guest))
    evening.post("gm", "/rewind", {"to": 3, "reason": "no"})
    assert entries(house) == before


def test_what_was_refused_or_came_twice_is_not_entered(house: TestServer) -> None:
    body = {"ruleset": "none", "title": "x"}
    assert house.client.post("/v1/sessions", json=body).status_code == 422
    assert entries(house) == []
    evening = house.open()
    for _ in range(2):
        assert (
            evening.post("gm", "/close", {"carry_over": False}, Idempotency_Key=KEY).status_code
            == 201
        )
    assert evening.post("gm", "/close", {"carry_over": False}).status_code == 409
    assert evening.post("gm", "/forks", {"version": 99}).status_code == 409
    assert len(entries(house)) == 2


def test_what_another_writer_forestalled_leaves_no_number(house: TestServer) -> None:
    evening, log = house.open(), house.app.log
    head, facts = log.read(evening.session), log.read_events(evening.session)
    with pytest.raises(VersionConflictError):
        log.append(head, facts, house.app.index.entries([(head, facts)]))
    house.open()
    assert [number for number, *_ in entries(house)] == [1, 2]


def test_the_index_is_signed_by_the_servers_key_and_begins_empty(house: TestServer) -> None:
    key = parse_vkey(house.app.index.log_key)
    assert (key.name, key.public_key) == ("fairlog.local/index", house.app.keys.log.public)
    assert open_checkpoint(index(house, "/checkpoint"), key, ed25519).root == merkle_tree.EMPTY_ROOT
    assert index(house, "/entries") == {"size": 0, "entries": []}
    played(house)
    checkpoint = open_checkpoint(index(house, "/checkpoint"), key, ed25519)
    leaves = [
        merkle_tree.leaf_hash(each["note"].encode()) for each in index(house, "/entries")["entries"]
    ]
    assert (checkpoint.size, checkpoint.root) == (6, merkle_tree.root_of(leaves))


def test_every_entry_is_in_every_later_tree(house: TestServer) -> None:
    played(house)
    for size in range(1, 7):
        for number in range(1, size + 1):
            told = index(house, f"/proofs/inclusion?number={number}&size={size}")
            leaf = merkle_tree.leaf_hash(told["note"].encode())
            assert leaf.hex() == told["leaf_hash"]
            proof = [bytes.fromhex(node) for node in told["proof"]]
            merkle_tree.check_inclusion(leaf, number - 1, size, proof, bytes.fromhex(told["root"]))


def test_inclusion_as_text_is_a_tlog_proof(house: TestServer) -> None:
    played(house)
    proof = parse_tlog_proof(index(house, "/proofs/inclusion?number=2&size=5", Accept="text/plain"))
    signed = open_checkpoint(proof.checkpoint, parse_vkey(house.app.index.log_key), ed25519)
    leaf = bytes.fromhex(index(house, "/proofs/inclusion?number=2")["leaf_hash"])
    assert (proof.index, signed.size) == (1, 5)
    merkle_tree.check_inclusion(leaf, 1, 5, proof.path, signed.root)


def test_every_tree_begins_with_every_earlier_one(house: TestServer) -> None:
    played(house)
    for newer in range(1, 7):
        for older in range(1, newer + 1):
            told = index(house, f"/proofs/consistency?from={older}&to={newer}")
            roots = (bytes.fromhex(told[name]) for name in ("from_root", "to_root"))
            merkle_tree.check_consistency(
                older, newer, *roots, [bytes.fromhex(node) for node in told["proof"]]
            )


def test_entries_come_in_pages(house: TestServer) -> None:
    played(house)
    first = house.client.get(f"{INDEX}/entries?limit=4")
    assert [each["number"] for each in first.json["entries"]] == [1, 2, 3, 4]
    assert (first.json["size"], first.json["next"]) == (6, 4)
    assert first.headers["Link"] == f'<{INDEX}/entries?limit=4&after=4>; rel="next"'
    rest = index(house, "/entries?after=4&limit=4")
    assert [each["number"] for each in rest["entries"]] == [5, 6]
    assert "next" not in rest


BAD = [
    ("/proofs/inclusion", 422, "malformed"), ("/proofs/inclusion?number=0", 422, "malformed"),
    ("/proofs/inclusion?number=7", 404, "not-found"), ("/proofs/inclusion?number=3&size=2", 404, "not-found"),
    ("/proofs/inclusion?number=1&size=7", 404, "not-found"), ("/proofs/inclusion?number=x", 422, "malformed"),
    ("/proofs/consistency", 422, "malformed"), ("/proofs/consistency?from=0", 422, "malformed"),
    ("/proofs/consistency?from=3&to=2", 404, "not-found"), ("/proofs/consistency?from=1&to=7", 404, "not-found"),
    ("/proofs/consistency?from=7", 404, "not-found"), ("/checkpoint?cosigned=true", 404, "not-found"),
    ("/checkpoint?cosigned=1", 422, "malformed"), ("/checkpoint?size=1", 422, "malformed"),
    ("/entries?after=-1", 422, "malformed"), ("/entries?limit=0", 422, "malformed"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "status", "code"), BAD)
def test_bad_questions(house: TestServer, path: str, status: int, code: str) -> None:
    played(house)
    assert index(house, path, status)["code"] == code


def test_an_entry_opens_nothing(house: TestServer) -> None:
    evening = house.open(title="The mint of Carrow")
    said = house.client.get(f"{INDEX}/entries").text + str(index(house, "/checkpoint"))
    assert "Carrow" not in said
    [(_, session, _)] = entries(house)
    assert session == evening.session
    for path in (
        "",
        "/events",
        "/checkpoint",
        "/proofs/inclusion?version=1",
        "/export",
        "/cosignatures",
    ):
        assert house.client.get(f"/v1/sessions/{session}{path}").status_code == 401


def test_a_session_from_a_file_is_not_entered(house: TestServer, tmp_path: Path) -> None:
    evening = house.open()
    with closing(TestServer(settings_in(tmp_path / "elsewhere"))) as elsewhere:
        import_log(elsewhere.app, export_log(house.app, evening.session))
        assert entries(elsewhere) == []


@pytest.mark.parametrize("at", [MAX_TIME_MS, MAX_TIME_MS + 1, 2**53 - 1])
def test_a_session_dated_after_the_year_9999_is_not_stored(
    house: TestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Its dates could not be shown, nor those of a list that it is in."""
    with (
        monkeypatch.context() as late,
        closing(TestServer(settings_in(tmp_path / "late"))) as there,
    ):
        late.setattr(clock, "now_ms", lambda: at)
        evening = there.open(options={"listed": True})
        file = list(export_log(there.app, evening.session))
        assert evening.get("gm", "/events").json["events"][0]["at"] == "9999-12-31T23:59:59.999Z"
    if at > MAX_TIME_MS:
        with pytest.raises(LogImportError, match="event 1 is after the year 9999"):
            import_log(house.app, file)
    else:
        import_log(house.app, file)
    (tmp_path / "late.fairlog").write_bytes(b"".join(file))
    told = CliRunner().invoke(tell, [str(tmp_path / "late.fairlog")])
    assert (told.exit_code, "9999-12-31" in told.output) == (0, True)


def test_it_grows_under_an_open_tree_and_stays_over_a_restart(house: TestServer) -> None:
    played(house)
    first = index(house, "/proofs/consistency?from=6")
    played(house)
    told = index(house, "/proofs/consistency?from=6")
    assert (told["from_root"], told["to"]) == (first["to_root"], 12)
    checkpoint = index(house, "/checkpoint")
    house.restart()
    assert index(house, "/checkpoint") == checkpoint


OPENING = """
import sys
from pathlib import Path
from tests.support.server import TestServer, settings_in
house = TestServer(settings_in(Path(sys.argv[1]), DATABASE_URL=sys.argv[3]))
for nth in range(int(sys.argv[2])):
    evening = house.open()
    assert evening.post("gm", "/close", {"carry_over": False}).status_code == 201
house.close()
"""


@pytest.mark.long
def test_several_processes_leave_no_gap(house: TestServer) -> None:
    each, most = scale(10, 100), scale(2, 3)
    command = [
        sys.executable,
        "-c",
        OPENING,
        str(house.settings.data),
        str(each),
        house.settings.database,
    ]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(most)]
    assert [process.wait() for process in running] == [0] * most
    told = house.app.index.page(0, 10_000)
    assert [entry.number for entry in told] == list(range(1, 2 * each * most + 1))
    positions = [position(house, entry.session, entry.size) for entry in told]
    assert all(one < other for one, other in pairwise(positions))  # the order of the log itself


def position(house: TestServer, session: str, size: int) -> int:
    rows = house.app.recorder.query(
        "SELECT position FROM stored_events WHERE originator_id=? AND originator_version=?",
        (session, size),
    )
    return int(rows[0][0])


def test_a_data_directory_from_before_gets_its_index_by_migrate(house: TestServer) -> None:
    old = house.open()
    with closing(sqlite3.connect(house.settings.log_file)) as file:
        for name in ("index_entries", "cosignatures", "witnesses"):
            file.execute(f"DROP TABLE {name}")
    prepare(house.settings)
    house.restart()
    assert entries(house) == []
    assert old.post("gm", "/close", {"carry_over": False}).status_code == 201
    assert [session for _, session, _ in entries(house)] == [old.session]
