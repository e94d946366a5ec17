"""`fairlog verify`: its four exit statuses, what it prints, and that no file wears it out."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from domain.codec import encode
from domain.proof.signed_note import vkey_text
from domain.session.messages import Rewound, SetPresence
from domain.session.secrets import SESSION_EVENT_TYPES
from service.cli import verify
from service.platform import log_reader
from tests.domain import broken_logs as b, broken_secrets as s, receipts as r
from tests.domain.receipts import proofs
from tests.support.example import EXAMPLE
from tests.support.sessions import wish_of

KEY = vkey_text(b.vkey())


def run(*args: object) -> Result:
    return CliRunner().invoke(verify.verify, [str(arg) for arg in args])


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
    assert told.stdout.startswith("VALID, 8 warnings: ")
    assert told.stdout.count("✓") == 5
    assert f"{b.SIZE} events, {b.TURNS} turns, 5 draws" in told.stdout
    assert "grades: 5 C, 1 D" in told.stdout
    assert "W_OVERRIDE  values that the GM set by hand: 1" in told.stdout
    assert "W_UNPINNED" not in told.stdout
    undone, again = (
        f"{version} ({values(version)})"
        for version in (b.declared_with_draw(3), b.declared_with_draw(4))
    )
    assert (
        f"undone rolls and the rolls that repeated them, by version: {undone} → {again}\n"
        in told.stdout
    )


def values(declared: int) -> str:
    return " ".join(str(face) for _, face in b.drawn(declared + 1).values)


def sealed(version: int) -> bytes:
    """The file without the opening of that version."""
    lines = b.lines()
    lines[version] = lines[version][: lines[version].index(b',"opening"')] + b"}\n"
    return b"".join(lines)


def test_what_lies_behind_a_seal_is_not_said_to_be_checked(log: Path) -> None:
    log.write_bytes(sealed(b.DRAWN))
    hidden = {
        fact.turn for fact in b.facts()[b.DRAWN - 1 :] if type(fact.body) not in SESSION_EVENT_TYPES
    }
    decided, shown = b.TURNS - len(hidden) - 1, b.SIZE - 1  # nor what Closed carries over
    told = run(log, "--key", KEY)
    assert told.exit_code == 0
    assert told.stdout.startswith("VALID as far as it could be checked, 9 warnings: ")
    assert told.stdout.count("✓") == 3
    rules, views = (
        f"commands replayed for {decided} of {b.TURNS} turns",
        f"tables, texts and counts computed for {shown} of {b.SIZE} events",
    )
    first = f"the others are sealed or come after a sealed turn, starting at version {b.DRAWN}"
    assert f"  ~ rules  {rules}; {first}\n" in told.stdout
    assert (
        f"  ~ views  {views}; tables from version {b.DRAWN} on may be incomplete\n" in told.stdout
    )
    report = json.loads(run(log, "--json").stdout)
    assert (report["valid"], report["whole"]) == (True, False)
    assert report["report"]["partly"] == [
        {"behind": b.DRAWN, "done": decided, "of": b.TURNS, "rung": "rules"},
        {"behind": b.DRAWN, "done": shown, "of": b.SIZE, "rung": "views"},
    ]


def test_words_without_opening_are_said_apart(log: Path) -> None:
    log.write_bytes(sealed(b.NARRATED))
    told = run(log)
    rules, views = (
        f"commands replayed for {b.TURNS - 1} of {b.TURNS} turns",
        f"tables, texts and counts computed for {b.SIZE - 1} of {b.SIZE} events",
    )
    assert f"  ~ rules  {rules}; the others are sealed or redacted\n" in told.stdout
    assert f"  ~ views  {views}; the others are sealed or redacted\n" in told.stdout


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.fairlog"
    path.write_bytes(b"".join(b.lines(s.facts())))
    return path


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    path = tmp_path / "fork.fairlog"
    path.write_bytes(b"".join(s.of_child(s.child().facts)))
    return path


def test_what_nobody_opened_and_what_was_taken_back_is_said_by_seat(secrets: Path) -> None:
    told = run(secrets)
    assert told.exit_code == 0
    assert "2 unopened seals, 1 unchecked turn\n" in told.stdout
    assert "  unopened seals, by seat: p1 2\n" in told.stdout
    assert f"  versions at which players took back moves: {s.find(Rewound)}\n" in told.stdout
    assert "W_UNOPENED  secret turns or single events that were not opened" in told.stdout
    report = json.loads(run(secrets, "--json").stdout)["report"]
    assert report["unopened"] == {"p1": 2}
    assert report["take_backs"] == [s.find(Rewound)]
    _, taken, again, *_ = ([list(value) for value in drawn.values] for drawn in s.drawn())
    pairs = [(reroll["undone_values"], reroll["next_values"]) for reroll in report["rerolls"]]
    assert pairs == ([(taken, again)] if EXAMPLE.waits == EXAMPLE.draw else [])


def test_where_a_fork_comes_from_is_checked_with_its_parent(fork: Path, secrets: Path) -> None:
    alone, held = run(fork), run(fork, "--parent", secrets)
    assert (alone.exit_code, held.exit_code) == (0, 0)
    where = f"  forked from version {s.FORKED_AT} of session {s.evening().id}: "
    assert (
        f"{where}not checked. To check this, pass the parent's log with --parent\n" in alone.stdout
    )
    assert (
        f"{where}agrees with the parent's file, whose key was not checked, and with its table\n"
        in held.stdout
    )
    assert (
        json.loads(run(fork, "--parent", secrets, "--json").stdout)["report"]["origin"]["table"]
        is True
    )


def test_a_parent_that_does_not_hold_is_said_to_be_the_one(fork: Path, secrets: Path) -> None:
    secrets.write_bytes(secrets.read_bytes().replace(b"coin", b"gold"))
    told = run(fork, "--parent", secrets)
    assert told.exit_code == 2
    assert told.stdout.startswith(f"INVALID at version {s.WHISPER} of its parent's log: ")
    assert "log      the parent session's\n" in told.stdout
    assert "code     E_BODY" in told.stdout


def test_many_undone_rolls_are_shortened(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "MAX_LISTED", 0)
    assert "by version: and 1 more (use --json to list all)\n" in run(log).stdout


def test_warnings_are_1_where_they_count(log: Path) -> None:
    assert run(log, "--strict").exit_code == 1


def test_invalid_is_2_and_says_where_and_what(bent: Path) -> None:
    told = run(bent)
    assert told.exit_code == 2
    assert told.stdout.startswith(f"INVALID at version {b.NARRATED}: ")
    for line in (
        f"version  {b.NARRATED}",
        "level    bytes",
        "code     E_BODY",
        "expected ",
        "found    ",
    ):
        assert line in told.stdout
    assert run(bent, "--strict").exit_code == 2


UNUSABLE = [
    pytest.param(["missing.fairlog"], "does not exist", id="no such file"),
    pytest.param(["."], "directory", id="a directory"),
    pytest.param([], "Missing argument 'FILE'", id="no file"),
    pytest.param(["{log}", "--loud"], "No such option", id="an unknown option"),
    pytest.param(["{log}", "--key", "abc"], "not a valid log key", id="no key"),
    pytest.param(
        ["{log}", "--checkpoint", "{log}"], "not contain a signed checkpoint", id="no checkpoint"
    ),
    pytest.param(["{log}", "--checkpoint", "nowhere"], "does not exist", id="no such checkpoint"),
    pytest.param(["{log}", "--parent", "nowhere"], "does not exist", id="no such parent"),
    pytest.param(
        ["{log}", "--views", "{log}"], "not contain events from the server's API", id="no views"
    ),
    pytest.param(["{log}", "--views", os.devnull], "no events", id="empty views"),
    pytest.param(
        ["{log}", "--receipts", "{log}"], "not contain a seat's receipts", id="no receipts"
    ),
    pytest.param(["{log}", "--receipts", os.devnull], "no receipts", id="empty receipts"),
    pytest.param(["--draw", "nowhere"], "does not exist", id="no such roll"),
    pytest.param(["{log}", "--draw", "{log}"], "checks a single roll", id="a roll beside a log"),
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
        assert "level    views" in bad.stdout


def test_of_a_sealed_event_the_servers_view_tells_nothing(log: Path) -> None:
    sealed = {"version": 1, "turn": 1, "sealed": True}
    assert run(log, "--views", saved(log, "views", json.dumps({"events": [sealed]}))).exit_code == 0
    untold = run(log, "--views", saved(log, "views", json.dumps({"version": 1, "turn": 1})))
    assert (untold.exit_code, "not contain events from the server's API" in untold.stderr) == (
        3,
        True,
    )


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
def test_gzip_that_is_not_whole_is_invalid(log: Path, cut: int) -> None:
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


def test_a_file_without_end_is_not_read_to_its_end(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_reader, "MAX_FILE_BYTES", 10_000)
    told = run(log)
    assert told.exit_code == 3
    assert "MiB of log lines" in told.stderr


def test_a_strangers_text_drives_no_terminal(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"edition":"2"', rb'"edition":"\u001b[2J"', 1))
    told = run(log)
    assert told.exit_code == 2
    assert "\x1b" not in told.stdout
    assert "edition" in told.stdout


def test_a_bar_appears_only_after_some_time(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(log).stderr == ""
    monkeypatch.setattr(verify, "PROGRESS_DELAY_SECONDS", -1.0)
    assert run(log).exit_code == 0


@pytest.fixture
def given_up(tmp_path: Path) -> Path:
    path = tmp_path / "table.fairlog"
    played = r.given_up()
    path.write_bytes(b"".join(played.lines(played.facts)))
    return path


def test_a_draw_that_was_given_up_is_said_with_who_was_missing(given_up: Path) -> None:
    told = run(given_up)
    assert told.exit_code == 0
    assert "1 voided draw" in told.stdout
    assert (
        "draw 0, requested by p1, was voided: no answer recorded from p2. Its result is unknown"
        in told.stdout
    )
    assert (
        "W_VOID  voided draws for which the server recorded no answer from a seat in time: 1; draws missed, by seat: p2 1\n"
        in told.stdout
    )
    report = json.loads(run(given_up, "--json").stdout)["report"]
    assert (report["missed"], report["voids"][0]["missing"]) == ({"p2": 1}, ["p2"])


def test_what_it_would_have_been_is_told_once_the_link_is_shown(given_up: Path) -> None:
    played = r.before_a_draw()
    played.ask("p1", wish_of(r.ASKED), silent=("p2",))
    played.do("p2", SetPresence("p2", present=True))
    played.do("p1", r.ASKED)
    given_up.write_bytes(b"".join(played.lines(played.facts)))
    told = run(given_up)
    assert (
        "draw 0, requested by p1, was voided: no answer recorded from p2. Its result would have been "
        in told.stdout
    )
    again = f" The seat's next roll of this kind is at version {json.loads(run(given_up, '--json').stdout)['report']['voids'][0]['again']}.\n"
    assert again in told.stdout
    assert "grades: 1 B\n" in told.stdout  # p3 is there without a chain


def test_receipts_are_held_against_the_log(given_up: Path) -> None:
    kept = saved(
        given_up, "receipts", "\n".join(encode(each).decode() for each in r.given_up().receipts)
    )
    assert run(given_up, "--receipts", kept).exit_code == 0
    other = saved(
        given_up, "other", encode([replace(r.given_up().receipts[0], receipt="00" * 64)]).decode()
    )
    told = run(given_up, "--receipts", other)
    assert told.exit_code == 2
    assert "level    draws" in told.stdout
    assert "code     E_SIGNATURE" in told.stdout


@pytest.fixture
def roll(tmp_path: Path) -> Path:
    *_, (_, _, raw) = proofs(r.drawn())
    path = tmp_path / "draw-0.roll"
    path.write_bytes(raw)
    return path


def test_a_single_roll_is_checked_alone(roll: Path) -> None:
    key = r.drawn().session.info.log_key
    told = run("--draw", roll, "--key", key)
    assert told.exit_code == 0
    assert told.stdout.startswith("VALID as far as a single roll can be checked: ")
    for said in (
        "requested by p1; links asked from gm, house, p1, p2; ended at version",
        "grade B or better",
        "not checked: whether the seat sent this command",
    ):
        assert said in told.stdout
    assert "W_UNPINNED" not in told.stdout
    assert "W_UNPINNED" in run("--draw", roll).stdout
    assert run("--draw", roll, "--strict").exit_code == 1
    assert json.loads(run("--draw", roll, "--json").stdout)["roll"]["k"] == 0


def test_a_bent_roll_is_2(roll: Path) -> None:
    roll.write_bytes(roll.read_bytes().replace(b'"link":"', b'"link":"0', 1))
    told = run("--draw", roll)
    assert told.exit_code == 2
    assert told.stdout.startswith("INVALID at version ")
    assert "code     E_FORMAT" in told.stdout
    assert json.loads(run("--draw", roll, "--json").stdout)["valid"] is False
