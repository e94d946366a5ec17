"""Cosignatures over HTTP: which are taken, which are not and why, and where they are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from werkzeug.test import TestResponse

from domain.proof import signed_note
from domain.proof.signed_note import COSIGNATURE, ED25519, Vkey, vkey_text
from domain.verify import Evidence, verify
from domain.verify.report import Report
from service.cli.main import cli
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from service.sessions.checkpoints import MAX_KEYS_PER_SEAT
from service.sessions.log_files import export_log, import_log
from tests.support.server import SessionClient, TestServer, settings_in
from tests.support.tlog_proof import parse_tlog_proof

SECONDS = 1_767_225_700


class Cosigner:
    """A seat with a key of its own."""

    def __init__(self, evening: SessionClient, seat: str, nth: int = 1, named: str = "") -> None:
        self.evening, self.seat, self.signer = evening, seat, Signer(bytes([nth]) * 32)
        origin = signed_note.parse_checkpoint(signed_note.parse_note(self.checkpoint()).text).origin
        self.key = Vkey(f"{origin}/w/{named or seat}", COSIGNATURE, self.signer.public)

    def checkpoint(self, size: int | None = None) -> str:
        if size is None:
            return self.evening.get(self.seat, "/checkpoint").text
        path = f"/proofs/inclusion?version=1&size={size}"
        return parse_tlog_proof(
            self.evening.get(self.seat, path, Accept="text/plain").text
        ).checkpoint

    def line(self, text: str, seconds: int = SECONDS) -> str:
        return signed_note.cosign(
            signed_note.parse_note(text).text, self.key, seconds, self.signer.sign
        )

    def hand_in(self, text: str, **fields: Any) -> TestResponse:
        return self.evening.post(
            self.seat, "/cosignatures", {"note": text, "vkey": vkey_text(self.key), **fields}
        )

    def cosign(self, size: int | None = None, seconds: int = SECONDS) -> TestResponse:
        text = self.checkpoint(size)
        return self.hand_in(text + self.line(text, seconds))


def check(lines: bytes, *witnesses: Vkey) -> Report:
    return verify(lines.splitlines(keepends=True), ed25519, Evidence(witnesses=witnesses))


def sizes(report: Report) -> list[int]:
    return [each.size for each in report.witnesses]


@pytest.mark.parametrize("seat", ["gm", "p1", "watcher"])
def test_any_seat_cosigns_what_it_sees(evening: SessionClient, seat: str) -> None:
    cosigner, version = Cosigner(evening, seat), evening.version()
    answer = cosigner.cosign()
    assert answer.status_code == 201
    shown = {
        "seat": seat,
        "vkey": vkey_text(cosigner.key),
        "size": version,
        "at": "2026-01-01T00:01:40.000Z",
    }
    assert answer.json == shown
    assert evening.get("p2", "/cosignatures").json == {"version": version, "cosignatures": [shown]}


def test_the_checkpoint_shows_them_until_there_is_more(evening: SessionClient) -> None:
    seats = [Cosigner(evening, seat, nth) for nth, seat in enumerate(("p2", "p1", "gm"), 1)]
    for each in seats:
        assert each.cosign().status_code == 201  # the lines of the others stand in it already
    text = evening.get("watcher", "/checkpoint").text
    assert [signed_note.cosignature_time(text, each.key, ed25519) for each in seats] == [
        SECONDS
    ] * 3
    proof = evening.get("gm", "/proofs/inclusion?version=1", Accept="text/plain").text
    assert parse_tlog_proof(proof).checkpoint == text
    evening.post("gm", "/narrate", {"text": "x"})
    assert len(signed_note.parse_note(evening.get("gm", "/checkpoint").text).signatures) == 1


def test_the_same_again_changes_nothing_and_a_later_one_replaces(evening: SessionClient) -> None:
    cosigner = Cosigner(evening, "p1")
    first, again = cosigner.cosign(), cosigner.cosign()
    assert (again.status_code, again.json) == (201, first.json)
    evening.post("gm", "/narrate", {"text": "x"})
    assert cosigner.cosign(seconds=SECONDS - 50).status_code == 201
    [told] = evening.get("p1", "/cosignatures").json["cosignatures"]
    assert told["size"] == evening.version() == first.json["size"] + 1


def test_two_lines_of_one_key_count_once_by_the_later(evening: SessionClient) -> None:
    cosigner = Cosigner(evening, "p1")
    text = cosigner.checkpoint()
    answer = cosigner.hand_in(text + cosigner.line(text, SECONDS + 7) + cosigner.line(text))
    assert answer.json["at"] == "2026-01-01T00:01:47.000Z"
    assert evening.get("p1", "/checkpoint").text == text + cosigner.line(text, SECONDS + 7)


def test_a_new_key_of_a_seat_stands_for_it(evening: SessionClient) -> None:
    old, new = Cosigner(evening, "p1", 1), Cosigner(evening, "p1", 2)
    old.cosign(5)
    new.cosign()
    told = evening.get("p1", "/cosignatures").json["cosignatures"]
    assert [each["vkey"] for each in told] == [vkey_text(new.key), vkey_text(old.key)]
    assert sizes(check(evening.get("p1", "/export").data, old.key, new.key)) == [
        0,
        evening.version(),
    ]


def test_the_file_holds_the_newest_of_every_seat(evening: SessionClient) -> None:
    p1, p2, gm = (Cosigner(evening, seat, nth) for nth, seat in enumerate(("p1", "p2", "gm"), 1))
    p1.cosign(5)
    p1.cosign(9)
    p2.cosign(9)
    gm.cosign(12)
    for seat in ("watcher", "gm"):
        report = check(evening.get(seat, "/export").data, p1.key, p2.key, gm.key)
        assert report.valid
        assert sizes(report) == [9, 9, 12]
        assert not any(caution.code == "W_UNWITNESSED" for caution in report.warnings)
    signed = [
        line
        for line in evening.get("gm", "/export").data.splitlines()
        if line.startswith(b'{"checkpoint"')
    ]
    assert len(signed) == 3


def test_a_file_with_cosignatures_moves_byte_for_byte(
    evening: SessionClient, tmp_path: Path
) -> None:
    p1, gm = Cosigner(evening, "p1", 1), Cosigner(evening, "gm", 2)
    p1.cosign(9)
    gm.cosign()
    lines = list(export_log(evening.house.app, evening.session))
    with closing(TestServer(settings_in(tmp_path / "elsewhere"))) as elsewhere:
        import_log(elsewhere.app, lines)
        assert list(export_log(elsewhere.app, evening.session)) == lines


def bad(
    edit: Callable[[Cosigner, str], tuple[str, dict[str, Any]]], seat: str = "p1", **more: Any
) -> Any:
    def ask(evening: SessionClient) -> TestResponse:
        cosigner = Cosigner(evening, seat, **more)
        text, fields = edit(cosigner, cosigner.checkpoint())
        return cosigner.hand_in(text, **fields)

    return ask


def resized(by: Cosigner, text: str, size: int) -> str:
    """A checkpoint of another size with the same root, cosigned as it is."""
    origin, _, root = signed_note.parse_note(text).text.splitlines()
    bent = f"{origin}\n{size}\n{root}\n"
    return signed_note.note_text(
        signed_note.SignedNote(bent, signed_note.parse_note(text).signatures)
    ) + signed_note.cosign(bent, by.key, SECONDS, by.signer.sign)


def elsewhere(by: Cosigner, text: str) -> str:
    """The checkpoint of another session."""
    other = by.evening.house.open().get("gm", "/checkpoint").text
    return other + by.line(other)


def as_log_key(by: Cosigner) -> str:
    return vkey_text(Vkey(by.key.name, ED25519, by.key.public_key))


REFUSED = [
    ("no note", "not-a-checkpoint", bad(lambda by, text: ("x", {}))),
    ("a note of something else", "not-a-checkpoint", bad(lambda by, text: ("x\n\n" + by.line(text), {}))),
    ("no key", "cosigner-key", bad(lambda by, text: (text + by.line(text), {"vkey": "x"}))),
    ("a log's key", "cosigner-key", bad(lambda by, text: (text + by.line(text), {"vkey": as_log_key(by)}))),
    ("another seat's name", "cosigner-name", bad(lambda by, text: (text + by.line(text), {}), named="p2")),
    ("a spectator as a player", "cosigner-name", bad(lambda by, text: (text + by.line(text), {}), "watcher", named="p1")),
    ("no cosignature", "cosignature-missing", bad(lambda by, text: (text, {}))),
    ("the time of another", "cosignature-bad", bad(lambda by, text: (text + retimed(by.line(text)), {}))),
    ("a good one and a bad one", "cosignature-bad", bad(lambda by, text: (text + by.line(text) + retimed(by.line(text)), {}))),
    ("another size", "other-log", bad(lambda by, text: (resized(by, text, 9), {}))),
    ("a size to come", "other-log", bad(lambda by, text: (resized(by, text, 999), {}))),
    ("another session", "other-log", bad(lambda by, text: (elsewhere(by, text), {}))),
    ("a time to come", "cosigned-ahead", bad(lambda by, text: (text + by.line(text, int(clock.now()) + 7200), {}))),
    ("the end of time", "cosigned-ahead", bad(lambda by, text: (text + by.line(text, (1 << 63) - 1), {}))),
]  # fmt: skip


def retimed(line: str) -> str:
    [signature] = signed_note.parse_note("x\n\n" + line).signatures
    later = (SECONDS + 1).to_bytes(8, "big") + signature.payload[8:]
    return signed_note.signature_line(
        signed_note.Signature(signature.name, signature.key_id, later)
    )


@pytest.mark.parametrize(("what", "rule", "ask"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_refused_says_why_and_leaves_nothing(
    evening: SessionClient, what: str, rule: str, ask: Any
) -> None:
    answer = ask(evening)
    assert (answer.status_code, answer.json["code"], answer.json["rule"]) == (
        409,
        "refused",
        rule,
    ), what
    assert evening.get("gm", "/cosignatures").json["cosignatures"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"note": "x"},
        {"vkey": "x"},
        {"note": "", "vkey": "x"},
        {"note": 1, "vkey": "x"},
        {"note": "x", "vkey": None},
        {"note": "x" * 40_001, "vkey": "x"},
        {"note": "x", "vkey": "x", "at": 1},
    ],
)
def test_malformed(evening: SessionClient, body: object) -> None:
    answer = evening.post("p1", "/cosignatures", body)
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")


def test_an_earlier_one_than_the_key_gave_is_refused(evening: SessionClient) -> None:
    cosigner = Cosigner(evening, "p1")
    small, bare = cosigner.checkpoint(5), cosigner.checkpoint(9)
    assert cosigner.cosign(9).status_code == 201
    for text, seconds in ((small, SECONDS + 9), (bare, SECONDS - 1)):
        answer = cosigner.hand_in(text + cosigner.line(text, seconds))
        assert (answer.status_code, answer.json["rule"]) == (409, "cosigned-later")
        assert answer.json["facts"] == {"size": 9, "at": SECONDS}


def test_a_seat_has_no_more_keys_than_it_needs(evening: SessionClient) -> None:
    for nth in range(1, MAX_KEYS_PER_SEAT + 1):
        assert Cosigner(evening, "p1", nth).cosign().status_code == 201
    answer = Cosigner(evening, "p1", MAX_KEYS_PER_SEAT + 1).cosign()
    assert (answer.status_code, answer.json["rule"]) == (409, "too-many-keys")
    assert Cosigner(evening, "p1", 1).cosign(seconds=SECONDS + 1).status_code == 201
    assert Cosigner(evening, "p2", 1).cosign().status_code == 201


def test_who_has_no_seat_here_hands_in_nothing(evening: SessionClient) -> None:
    cosigner, stranger = Cosigner(evening, "p1"), evening.house.open()
    text = cosigner.checkpoint()
    body = {"note": text + cosigner.line(text), "vkey": vkey_text(cosigner.key)}
    assert evening.post(None, "/cosignatures", body).status_code == 401
    address = f"{evening.path}/cosignatures"
    assert (
        evening.house.client.post(address, json=body, headers=stranger.headers("gm")).status_code
        == 404
    )
    assert evening.house.client.get(address, headers=stranger.headers("gm")).status_code == 404


def verified(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["verify", str(file), *arguments])


def test_verify_says_who_cosigned(evening: SessionClient, tmp_path: Path) -> None:
    p1, p2 = Cosigner(evening, "p1", 1), Cosigner(evening, "p2", 2)
    p1.cosign(9)
    file = tmp_path / "friday.fairlog"
    file.write_bytes(evening.get("p1", "/export").data)
    said = verified(file, "--witness", vkey_text(p1.key))
    assert said.exit_code == 0
    assert f"cosigned by {p1.key.name} at size 9 on 2026-01-01 at 00:01:40 UTC" in said.output
    assert "W_UNWITNESSED" not in said.output
    said = verified(file, "--witness", vkey_text(p1.key), "--witness", vkey_text(p2.key))
    assert "W_UNWITNESSED" in said.output
    assert (
        f"no checkpoint for this log is cosigned by {p2.key.name} (named with --witness)"
        in said.output
    )
    told = json.loads(verified(file, "--witness", vkey_text(p1.key), "--json").output)
    by_p1 = {"at": SECONDS, "by_index": False, "size": 9, "vkey": vkey_text(p1.key)}
    assert told["report"]["witnesses"] == [by_p1]
    assert "W_UNWITNESSED" in verified(file).output
    for key in ("x", as_log_key(p1)):
        assert verified(file, "--witness", key).exit_code == 3


def test_verify_finds_a_bad_cosignature(evening: SessionClient, tmp_path: Path) -> None:
    p1 = Cosigner(evening, "p1")
    p1.cosign()
    file = tmp_path / "friday.fairlog"
    lines = evening.get("p1", "/export").data.decode()
    [signature] = signed_note.signatures_by(signed_note.parse_note(p1.checkpoint()), p1.key)
    line = signed_note.signature_line(signature)[:-1]
    assert line in lines
    file.write_text(lines.replace(line, retimed(line + "\n")[:-1]))
    said = verified(file, "--witness", vkey_text(p1.key))
    assert said.exit_code == 2
    assert "E_COSIG" in said.output
    assert verified(file).exit_code == 0
