"""`fairlog verify`: its four exit statuses, what it prints, and that no file wears it out."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain.proof.note import vkey_text
from service import verifier
from tests.domain import bending as b

KEY = vkey_text(b.vkey())


def run(*args: object) -> Result:
    return CliRunner().invoke(verifier.verify, [str(arg) for arg in args])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "evening.fairlog"
    path.write_bytes(b"".join(b.lines()))
    return path


@pytest.fixture
def bent(log: Path) -> Path:
    log.write_bytes(log.read_bytes().replace(b"noise", b"voice"))
    return log


def saved(log: Path, name: str, text: str) -> Path:
    path = log.parent / name
    path.write_text(text)
    return path


def test_valid_is_0_and_names_every_rung_count_and_warning(log: Path) -> None:
    told = run(log, "--key", KEY)
    assert told.exit_code == 0
    assert told.stdout.startswith("VALID, 7 warnings: ")
    assert told.stdout.count("✓") == 5
    assert "51 events, 27 turns, 5 draws" in told.stdout
    assert "grades: 5 C, 1 D" in told.stdout
    assert "W_OVERRIDE  1 times the GM set a value by hand" in told.stdout
    assert "W_UNPINNED" not in told.stdout
    assert "undone rolls, and where they were made again: 38 → 44\n" in told.stdout


def test_what_lies_behind_a_seal_is_not_said_to_be_checked(log: Path) -> None:
    lines = b.lines()
    lines[22] = lines[22][: lines[22].index(b',"opening"')] + b"}\n"
    log.write_bytes(b"".join(lines))
    told = run(log, "--key", KEY)
    assert told.exit_code == 0
    assert told.stdout.startswith("VALID as far as it is open, 8 warnings: ")
    assert told.stdout.count("✓") == 3
    assert "  ~ rules  15 of 27 turns decided again, the rest lies behind version 22 without opening\n" in told.stdout
    assert "  ~ views  50 of 51 events shown, told and counted, the tables behind version 22 as far as" in told.stdout
    report = json.loads(run(log, "--json").stdout)
    assert (report["valid"], report["whole"]) == (True, False)
    assert report["report"]["partly"] == [
        {"behind": 22, "done": 15, "of": 27, "rung": "rules"},
        {"behind": 22, "done": 50, "of": 51, "rung": "views"},
    ]


def test_words_without_opening_are_said_apart(log: Path) -> None:
    lines = b.lines()
    lines[25] = lines[25][: lines[25].index(b',"opening"')] + b"}\n"
    log.write_bytes(b"".join(lines))
    told = run(log)
    assert "  ~ rules  26 of 27 turns decided again, the rest are words without opening\n" in told.stdout
    assert "  ~ views  50 of 51 events shown, told and counted, the rest are words without opening\n" in told.stdout


def test_many_undone_rolls_are_shortened(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier, "MOST_PAIRS", 0)
    assert "made again: and 1 more (--json has all)\n" in run(log).stdout


def test_warnings_are_1_where_they_count(log: Path) -> None:
    assert run(log, "--strict").exit_code == 1


def test_invalid_is_2_and_says_where_and_what(bent: Path) -> None:
    told = run(bent)
    assert told.exit_code == 2
    assert told.stdout.startswith("INVALID at version 25: ")
    for line in ("version  25", "rung     bytes", "code     E_BODY", "expected ", "found    "):
        assert line in told.stdout
    assert run(bent, "--strict").exit_code == 2


UNUSABLE = [
    pytest.param(["missing.fairlog"], "does not exist", id="no such file"),
    pytest.param(["."], "directory", id="a directory"),
    pytest.param([], "Missing argument", id="no file"),
    pytest.param(["{log}", "--loud"], "No such option", id="an unknown option"),
    pytest.param(["{log}", "--key", "abc"], "not a log's key", id="no key"),
    pytest.param(["{log}", "--checkpoint", "{log}"], "not a signed checkpoint", id="no checkpoint"),
    pytest.param(["{log}", "--checkpoint", "nowhere"], "does not exist", id="no such checkpoint"),
    pytest.param(["{log}", "--views", "{log}"], "not the server's views", id="no views"),
    pytest.param(["{log}", "--views", os.devnull], "no events", id="empty views"),
]


@pytest.mark.parametrize(("args", "why"), UNUSABLE)
def test_what_cannot_be_used_is_3(log: Path, args: list[str], why: str) -> None:
    told = run(*(arg.format(log=log) for arg in args))
    assert told.exit_code == 3
    assert why in told.stderr


def test_a_pinned_key_and_a_kept_checkpoint_are_held_against_the_log(log: Path) -> None:
    kept = saved(log, "kept", b.note_of(b.facts(), 30))
    other = saved(log, "other", b.note_of(b.facts(), 30, b.STRANGER))
    assert run(log, "--key", KEY, "--checkpoint", kept).exit_code == 0
    assert run(log, "--checkpoint", kept, "--checkpoint", other).exit_code == 2
    assert run(log, "--key", b.stranger_key()).exit_code == 2


def test_views_are_held_against_the_log(log: Path) -> None:
    told = {"version": 1, "turn": 1, "told": "Nothing happens."}
    for text in (
        json.dumps({"events": [told], "next": 2}),
        json.dumps(told) + "\n" + json.dumps(told | {"version": 2}),
    ):
        bad = run(log, "--views", saved(log, "views", text))
        assert bad.exit_code == 2
        assert "rung     views" in bad.stdout


def test_json_is_the_whole_report(log: Path, bent: Path) -> None:
    told = json.loads(run(bent, "--json").stdout)
    assert told["valid"] is False
    assert told["report"]["failure"]["code"] == "E_BODY"
    bent.write_bytes(b"".join(b.lines()))
    assert json.loads(run(log, "--json").stdout)["report"]["counts"]["draws"] == 5


def test_gzip_is_known_by_its_first_bytes(log: Path) -> None:
    log.write_bytes(gzip.compress(log.read_bytes()))
    assert run(log).exit_code == 0


@pytest.mark.parametrize("cut", [3, 12, 200, -9, -1])
def test_broken_gzip_is_invalid_at_the_line_it_breaks(log: Path, cut: int) -> None:
    log.write_bytes(gzip.compress(log.read_bytes())[:cut])
    told = run(log)
    assert told.exit_code == 2
    assert "code     E_FORMAT" in told.stdout


def test_garbage_in_gzip_is_invalid(log: Path) -> None:
    packed = bytearray(gzip.compress(log.read_bytes()))
    packed[len(packed) // 2] ^= 0xFF
    log.write_bytes(packed)
    assert run(log).exit_code == 2


def test_a_line_without_end_is_not_read_to_its_end(log: Path) -> None:
    log.write_bytes(gzip.compress(b"".join(b.lines()[:5]) + b"[" * (64 << 20)))
    told = run(log)
    assert told.exit_code == 2
    assert "INVALID at version 5" in told.stdout
    assert len(told.stdout) < 2000


def test_a_file_without_end_is_not_read_to_its_end(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier, "MOST_BYTES", 10_000)
    told = run(log)
    assert told.exit_code == 3
    assert "no evening is so long" in told.stderr


def test_a_strangers_text_drives_no_terminal(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"edition":"1"', rb'"edition":"\u001b[2J"', 1))
    told = run(log)
    assert told.exit_code == 2
    assert "\x1b" not in told.stdout
    assert "edition" in told.stdout


def test_a_bar_appears_only_after_some_time(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(log).stderr == ""
    monkeypatch.setattr(verifier, "PATIENCE", -1.0)
    assert run(log).exit_code == 0
