"""`fairlog witness` against a witness that is one: it checks signature and consistency, remembers, and cosigns."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from tlog_scales import signing, tlog

from domain.proof import merkle_tree, signed_note
from domain.proof.signed_note import COSIGNATURE, ED25519, Vkey, parse_vkey, vkey_text
from service.cli.main import cli
from service.cli.witness import WitnessError, submit_checkpoint
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from service.sessions.session_index import WitnessCosignature
from tests.support.processes import run
from tests.support.server import TestServer, settings_in
from tests.support.tlog_proof import parse_tlog_proof

KEY = Signer(bytes([9]) * 32)
VKEY = Vkey("witness.example/w1", COSIGNATURE, KEY.public)
SECONDS = 1_767_225_700
Answer = tuple[int, str, str]
SIZE, TEXT = "text/x.tlog.size", "text/plain"


class Witness:
    """A witness of one log as c2sp.org/tlog-witness has it; tlog-scales judges what it is sent."""

    def __init__(self, trusted: str) -> None:
        self.trusted, self.size, self.root = (
            signing.Vkey.from_string(trusted),
            0,
            merkle_tree.EMPTY_ROOT,
        )
        self.asked: list[int] = []
        self.answers: list[Callable[[str], Answer]] = []  # what it says instead, once each
        witness = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                status, kind, text = witness.answer(self.path, body)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: object) -> None:
                """Nothing is said."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._serving = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._serving.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/submit"

    def close(self) -> None:
        self._server.shutdown()
        self._serving.join()
        self._server.server_close()

    def answer(self, path: str, body: str) -> Answer:
        assert path == "/submit/add-checkpoint"
        head, _, text = body.partition("\n\n")
        old, *proof = head.split("\n")
        self.asked.append(int(old.removeprefix("old ")))
        if self.answers:
            return self.answers.pop(0)(text)
        return self.judge(self.asked[-1], proof, text)

    def judge(self, old: int, proof: list[str], text: str) -> Answer:
        checkpoint = tlog.Checkpoint.from_text(text)
        if checkpoint.origin != self.trusted.name:
            return 404, TEXT, "no such log\n"
        if not signing.VkeySet(self.trusted).verify(checkpoint.signatures, checkpoint):
            return 403, TEXT, "not signed\n"
        if old > checkpoint.size:
            return 400, TEXT, "shrunk\n"
        if old != self.size or (old == checkpoint.size and self.root != checkpoint.root_hash):
            return 409, SIZE, f"{self.size}\n"
        hashes = [
            parse_tlog_proof(f"{signed_note.PROOF_HEADER}\nindex 0\n{line}\n\n{text}").path[0]
            for line in proof
        ]
        try:
            if old:
                tlog.ConsistencyProof(old, checkpoint.size, hashes).check(
                    self.root, checkpoint.root_hash
                )
        except tlog.ConsistencyProofInvalid:
            return 422, TEXT, "not consistent\n"
        self.size, self.root = checkpoint.size, checkpoint.root_hash
        return 200, TEXT, line(text)


def line(text: str, vkey: Vkey = VKEY, seconds: int = SECONDS) -> str:
    return signed_note.cosign(signed_note.parse_note(text).text, vkey, seconds, KEY.sign)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    with closing(TestServer(settings_in(tmp_path / "data"))) as served:
        yield served


@pytest.fixture
def witness(house: TestServer) -> Iterator[Witness]:
    with closing(Witness(house.app.index.log_key)) as served:
        yield served


def shown(house: TestServer, query: str = "") -> str:
    return str(house.client.get(f"/v1/index/checkpoint{query}").text)


def test_what_a_witness_cosigns_is_kept_and_shown(house: TestServer, witness: Witness) -> None:
    house.open()
    house.open()
    assert submit_checkpoint(house.app, witness.url, VKEY) == WitnessCosignature(
        vkey_text(VKEY), witness.url, 2, SECONDS, line(shown(house))
    )
    key = parse_vkey(house.app.index.log_key)
    assert signed_note.open_checkpoint(shown(house), key, ed25519).size == 2
    assert signed_note.cosignature_time(shown(house), VKEY, ed25519) == SECONDS
    assert shown(house, "?cosigned=true") == shown(house)
    house.open()
    assert signed_note.cosignature_time(shown(house), VKEY, ed25519) is None
    older = shown(house, "?cosigned=true")
    assert (
        signed_note.open_checkpoint(older, key, ed25519).size,
        signed_note.cosignature_time(older, VKEY, ed25519),
    ) == (2, SECONDS)


def test_what_it_knows_is_remembered_over_a_restart(house: TestServer, witness: Witness) -> None:
    for _ in range(5):
        house.open()
        submit_checkpoint(house.app, witness.url, VKEY)
        house.restart()
    submit_checkpoint(house.app, witness.url, VKEY)
    assert (witness.asked, witness.size) == ([0, 1, 2, 3, 4, 5], 5)


def test_a_witness_that_knows_more_than_is_remembered_is_asked_again(
    house: TestServer, witness: Witness
) -> None:
    for _ in range(3):
        house.open()
    submit_checkpoint(house.app, witness.url, VKEY)
    house.app.recorder.write(("DELETE FROM witnesses", [()]))
    house.open()
    assert submit_checkpoint(house.app, witness.url, VKEY).size == 4
    assert witness.asked == [0, 0, 3]


def test_two_witnesses_are_remembered_apart(house: TestServer, witness: Witness) -> None:
    house.open()
    submit_checkpoint(house.app, witness.url, VKEY)
    other = Vkey("other.example", COSIGNATURE, KEY.public)
    witness.size, witness.root = 0, merkle_tree.EMPTY_ROOT
    witness.answers = [lambda text: (200, TEXT, line(text, other) + line(text))]
    submit_checkpoint(house.app, witness.url, other)
    assert witness.asked == [0, 0]
    assert len(signed_note.parse_note(shown(house)).signatures) == 3


def forget(witness: Witness) -> None:
    witness.size, witness.root = 2, bytes(32)


def wrong_key(witness: Witness) -> None:
    name = witness.trusted.name
    witness.trusted = signing.Vkey.from_string(vkey_text(Vkey(name, ED25519, KEY.public)))


def unknown(witness: Witness) -> None:
    witness.trusted = signing.Vkey.from_string(
        vkey_text(Vkey("another.example/log", ED25519, KEY.public))
    )


def ahead(witness: Witness) -> None:
    witness.size, witness.root = 9, bytes(32)


def same_size(witness: Witness) -> None:
    witness.size, witness.root = 3, bytes(32)


def says(*answers: Callable[[str], Answer]) -> Callable[[Witness], None]:
    def say(witness: Witness) -> None:
        witness.answers = list(answers)

    return say


def size(told: str) -> Callable[[str], Answer]:
    return lambda text: (409, SIZE, told)


def bent(text: str) -> Answer:
    return 200, TEXT, line(text.replace("\n3\n", "\n4\n"))


NO = [
    ("another key", "a different key for this index: ask the witness's operator to register fairlog.local/index+", wrong_key),
    ("not known", "this index is not registered with the witness: ask the witness's operator to register fairlog.local/index+", unknown),
    ("another history", "does not extend the one that the witness cosigned", forget),
    ("an older backup", "cosigned the index at size 9, but the index now has size 3: check whether an older", ahead),
    ("another tree of the same size", "has a different checkpoint for index size 3", same_size),
    ("a size that is none", "has a different checkpoint for index size 0", says(size("three\n"))),
    ("a size of many digits", "has a different checkpoint for index size 0", says(size("9" * 400))),
    ("the same size again", "has a different checkpoint for index size 0", says(size("0\n"))),
    ("a conflict without a size", "has a different checkpoint for index size 0", says(lambda text: (409, TEXT, "1\n"))),
    ("another size each time", "a different size on each of 3 attempts", says(size("1\n"), size("2\n"), size("1\n"))),
    ("an error", "responded with status 500: oops", says(lambda text: (500, TEXT, "oops\n"))),
    ("a redirect", "responded with status 302: (empty response)", says(lambda text: (302, TEXT, ""))),
    ("nothing", "cosignature cannot be read: (empty response)", says(lambda text: (200, TEXT, ""))),
    ("a page", "cosignature cannot be read: <p>\ufffd</p>", says(lambda text: (200, TEXT, "<p>\x1b</p>\n"))),
    ("another witness's", "has no cosignature by witness.example/w1",
     says(lambda text: (200, TEXT, line(text, Vkey("w2", COSIGNATURE, KEY.public))))),
    ("one of another size", "cosignature is not valid", says(bent)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "why", "make"), NO, ids=[row[0] for row in NO])
def test_a_no_says_why_and_nothing_is_kept(
    house: TestServer, witness: Witness, what: str, why: str, make: Callable[[Witness], None]
) -> None:
    for _ in range(3):
        house.open()
    make(witness)
    with pytest.raises(WitnessError) as no:
        submit_checkpoint(house.app, witness.url, VKEY)
    assert why in str(no.value)
    assert house.app.index.witness_cosignatures() == []


def test_an_empty_index_is_not_offered(house: TestServer, witness: Witness) -> None:
    with pytest.raises(WitnessError, match="session index is empty"):
        submit_checkpoint(house.app, witness.url, VKEY)
    assert witness.asked == []


def test_a_witness_that_is_away(house: TestServer) -> None:
    house.open()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(WitnessError, match=f"at http://127.0.0.1:{port} did not respond"):
        submit_checkpoint(house.app, f"http://127.0.0.1:{port}", VKEY)


def test_the_command(house: TestServer, witness: Witness) -> None:
    house.open()
    said = run(house.settings.data, "witness", "ask", witness.url + "/", "--vkey", vkey_text(VKEY))
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout == "witness.example/w1 cosigned the session index at size 1\n"
    assert [each.size for each in house.app.index.witness_cosignatures()] == [1]
    unknown(witness)
    said = run(house.settings.data, "witness", "ask", witness.url, "--vkey", vkey_text(VKEY))
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr.startswith("Error: this index is not registered with the witness")


LOG_KEY = vkey_text(Vkey("log.example", ED25519, KEY.public))
USAGE = [
    ["witness", "ask"], ["witness", "ask", "http://w.example"], ["witness", "ask", "ftp://w.example", "--vkey", vkey_text(VKEY)],
    ["witness", "ask", "http://w.example:x", "--vkey", vkey_text(VKEY)], ["witness", "ask", "w.example", "--vkey", vkey_text(VKEY)],
    ["witness", "ask", "http://w.example?a=1", "--vkey", vkey_text(VKEY)], ["witness", "ask", "http://w.example", "--vkey", "x"],
    ["witness", "ask", "http://w.example", "--vkey", LOG_KEY],
]  # fmt: skip


@pytest.mark.parametrize("arguments", USAGE)
def test_wrong_usage(arguments: list[str]) -> None:
    said = CliRunner().invoke(cli, arguments)
    assert said.exit_code == 2
    assert "Usage: " in said.output


def test_without_a_log_there_is_one_line(tmp_path: Path) -> None:
    said = run(tmp_path / "data", "witness", "ask", "http://w.example", "--vkey", vkey_text(VKEY))
    assert said.returncode == 1
    assert "there is no log" in said.stderr


def test_the_witness_of_these_tests_refuses_what_is_not_signed(witness: Witness) -> None:
    key = parse_vkey(vkey_text(Vkey(witness.trusted.name, ED25519, KEY.public)))
    text = signed_note.sign_checkpoint(key.name, 3, bytes(32), key.public_key, KEY.sign)
    assert witness.judge(0, [], text)[0] == 403
