"""Our own witness: it cosigns what only grew, and two of them are a quorum for an offline check."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from werkzeug.serving import make_server

from domain.proof import signed_note
from domain.proof.signed_note import Vkey, vkey_text
from domain.verify import Evidence, Report, verify
from domain.verify.index_check import IndexProof, read_index_proof
from service.cli.witness import submit_checkpoint
from service.http.witness_app import create_app
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from service.store.witness import Witness, WitnessFolderError, create_key
from tests.js.node import Job, climb, named
from tests.support.server import SessionClient, TestServer, laid, settings_in

STRANGER = Signer(b"\5" * 32)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    with closing(TestServer(settings_in(tmp_path / "data"))) as served:
        yield served


class Served:
    """A witness of its own folder behind HTTP."""

    def __init__(self, folder: Path, name: str, logs: Sequence[str]) -> None:
        self.vkey = create_key(folder, name)
        self._app = create_app(str(folder), " ".join(logs))
        self._server = make_server("127.0.0.1", 0, self._app)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._app.extensions["witness"].close()


def body(house: TestServer, old: int, size: int) -> str:
    index = house.app.index
    proof = index.nodes(size).consistency(old, size)
    return signed_note.add_checkpoint_body(old, proof, index.checkpoint(size))


def test_it_cosigns_what_only_grew_and_remembers_it(house: TestServer, tmp_path: Path) -> None:
    for _ in range(3):
        house.open()
    folder, log = tmp_path / "w", house.app.index.log_key
    vkey = create_key(folder, "w.example/1")
    for old, size in ((0, 2), (2, 3), (3, 3)):
        with closing(Witness(folder, [log])) as witness:  # started anew each time
            answer = witness.add_checkpoint(body(house, old, size))
        note = house.app.index.checkpoint(size) + answer.text
        assert signed_note.cosignature_time(note, vkey, ed25519) is not None
    assert create_key(folder, "w.example/1") == vkey
    with pytest.raises(WitnessFolderError, match="use --name"):
        create_key(folder, "w.example/2")


def another_root(house: TestServer) -> str:
    index = house.app.index
    key = house.app.keys.log
    note = signed_note.sign_checkpoint(index.origin, 3, bytes(32), key.public, key.sign)
    return signed_note.add_checkpoint_body(2, index.nodes(3).consistency(2, 3), note)


def same_size_another_root(house: TestServer) -> str:
    index, key = house.app.index, house.app.keys.log
    note = signed_note.sign_checkpoint(index.origin, 2, bytes(32), key.public, key.sign)
    return signed_note.add_checkpoint_body(2, (), note)


def not_signed(house: TestServer) -> str:
    root = house.app.index.nodes(3).root(3)
    origin = house.app.index.origin
    note = signed_note.sign_checkpoint(origin, 3, root, STRANGER.public, STRANGER.sign)
    return signed_note.add_checkpoint_body(2, (), note)


def another_log(house: TestServer) -> str:
    note = signed_note.sign_checkpoint(
        "x.example/index", 3, bytes(32), STRANGER.public, STRANGER.sign
    )
    return signed_note.add_checkpoint_body(2, (), note)


REFUSED: list[tuple[str, Callable[[TestServer], str], int]] = [
    ("another root than the proof shows", another_root, 422),
    ("another root of the size that it cosigned", same_size_another_root, 409),
    ("another size than it knows", lambda house: body(house, 1, 3), 409),
    (
        "an old size above the checkpoint's",
        lambda house: body(house, 0, 1).replace("old 0", "old 2"),
        400,
    ),
    ("signed by another key", not_signed, 403),
    ("a log that it does not know", another_log, 404),
    ("no request", lambda house: "nothing", 400),
    ("no note", lambda house: "old 2\n\nnothing", 400),
    ("a proof that is none", lambda house: body(house, 2, 3).replace("\n\n", "\nAA==\n\n", 1), 400),
]


@pytest.mark.parametrize(
    ("make", "status"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_it_cosigns_nothing_else(
    house: TestServer, tmp_path: Path, make: Callable[[TestServer], str], status: int
) -> None:
    for _ in range(3):
        house.open()
    create_key(tmp_path / "w", "w.example/1")
    with closing(Witness(tmp_path / "w", [house.app.index.log_key])) as witness:
        assert witness.add_checkpoint(body(house, 0, 2)).status == 200
        answer = witness.add_checkpoint(make(house))
        assert answer.status == status
        if status == 409:
            assert answer.text == "2\n"
        assert witness.add_checkpoint(body(house, 2, 3)).status == 200


def test_one_process_has_the_folder(tmp_path: Path) -> None:
    """Two could cosign two roots of one size."""
    create_key(tmp_path, "w.example/1")
    with (
        closing(Witness(tmp_path, [])),
        pytest.raises(WitnessFolderError, match="another process uses"),
    ):
        Witness(tmp_path, [])


def checked(evening: SessionClient, **evidence: object) -> Report:
    file = evening.get("gm", "/export").data
    return verify(file.splitlines(keepends=True), ed25519, Evidence(**evidence))  # type: ignore[arg-type]


def codes(report: Report) -> set[str]:
    assert report.failure is None, report.failure
    return {warning.code for warning in report.warnings}


def test_two_witnesses_are_a_quorum_offline(house: TestServer, tmp_path: Path) -> None:
    evening, log = laid(house), house.app.index.log_key
    with (
        closing(Served(tmp_path / "1", "w.example/1", [log])) as one,
        closing(Served(tmp_path / "2", "w.example/2", [log])) as two,
    ):
        third = Vkey("w.example/3", one.vkey.kind, STRANGER.public)
        submit_checkpoint(house.app, one.url, one.vkey)
        house.open()
        submit_checkpoint(house.app, two.url, two.vkey)
        raw = evening.get("gm", "/proofs/index").data
        proof = read_index_proof(raw)
        assert len(proof.checkpoints) == 2
        both = {"index": proof, "witnesses": (one.vkey, two.vkey, third)}
        report = checked(evening, **both, quorum=2)
        assert "W_UNWITNESSED" not in codes(report)
        assert [each.size > 0 for each in report.witnesses] == [True, True, False]
        assert "W_UNWITNESSED" in codes(checked(evening, **both, quorum=3))
        assert "W_UNWITNESSED" in codes(checked(evening, **both))
        assert "W_UNWITNESSED" in codes(checked(evening, witnesses=(one.vkey, two.vkey)))
        changed = list(bents(proof))
        for bent, code in changed:
            failure = checked(evening, index=bent, witnesses=both["witnesses"]).failure
            assert failure is not None
            assert (failure.code, failure.level) == (code, "tree")
        file = evening.get("gm", "/export").data
        keys = tuple(map(vkey_text, (one.vkey, two.vkey, third)))
        jobs = [
            Job(file, witnesses=keys, index=to_builtins(each))
            for each in (proof, *(bent for bent, _ in changed))
        ]
        good, *others = climb(tmp_path, jobs)
    assert good["failure"] is None
    assert [(each["size"], each["at"]) for each in good["witnesses"]] == [
        (each.size, each.at) for each in report.witnesses
    ]
    assert [named(each)[:2] for each in others] == [("tree", code) for _, code in changed]


def bents(proof: IndexProof) -> Iterator[tuple[IndexProof, str]]:
    """Proofs that were changed."""
    first, second = proof.checkpoints
    [entry] = proof.entries
    yield replace(proof, checkpoints=(replace(second, proofs=(("00" * 32,),)),)), "E_INCLUSION"
    yield replace(proof, checkpoints=(replace(second, proofs=()),)), "E_INCLUSION"
    yield replace(proof, entries=(replace(entry, number=2),)), "E_INCLUSION"
    head, _, line = second.note.rpartition(" ")
    yield replace(proof, checkpoints=(replace(second, note=f"{head} {flipped(line)}"),)), "E_COSIG"
    origin = signed_note.parse_checkpoint(signed_note.parse_note(first.note).text).origin
    forged = signed_note.sign_checkpoint(origin, 1, bytes(32), STRANGER.public, STRANGER.sign)
    yield replace(proof, checkpoints=(replace(first, note=forged),)), "E_UNTRUSTED_LOG"


def flipped(line: str) -> str:
    return f"{line[:20]}{'A' if line[20] != 'A' else 'B'}{line[21:]}"


def test_a_split_view_is_caught(house: TestServer, tmp_path: Path) -> None:
    """An index by the same key that does not extend the one that the witness has seen."""
    folder, log = tmp_path / "w", house.app.index.log_key
    create_key(folder, "w.example/1")
    house.open()
    with closing(TestServer(settings_in(tmp_path / "other"))) as other:
        shutil.copytree(house.settings.keys, other.settings.keys, dirs_exist_ok=True)
        other.restart()
        for _ in range(2):
            other.open()
        with closing(Witness(folder, [log])) as witness:
            assert witness.add_checkpoint(body(house, 0, 1)).status == 200
            assert witness.add_checkpoint(body(other, 1, 2)).status == 422
