"""`fairlog tell`: an evening to read, with names, seats and what was undone."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import UNSET
from msgspec.structs import replace

from domain.log_file import EventLine, emit
from domain.session.messages import Narrated, Rewound, SealOpened
from service.cli.tell import tell
from tests.domain import broken_logs as b, broken_secrets as s
from tests.support.example import EXAMPLE, FIRST, of
from tests.support.server import SessionClient

RATS = of("rat", EXAMPLE.draw)
UNDONE = range(b.turn(b.UNDONE), b.turn(b.REWOUND))


def told(path: Path, lines: list[bytes], *args: str) -> Result:
    log = path / "evening.fairlog"
    log.write_bytes(b"".join(lines))
    return CliRunner().invoke(tell, [str(log), *args])


def test_text_has_title_seats_and_every_turn(tmp_path: Path) -> None:
    read = told(tmp_path, b.lines())
    assert read.exit_code == 0
    title, about, seats, *turns = read.stdout.splitlines()
    assert title == b.evening().session.info.title
    assert (
        about
        == f"{FIRST.title}, edition {FIRST.edition}; 2026-01-01; {b.TURNS} turns, session {b.evening().id}"
    )
    assert seats.startswith("Seats: house (house, house), Grace (gm, gm), Player 1 (p1, player)")
    assert [line.partition(" (grade")[0] for line in turns if line and line[0].isdigit()] == [
        f"{turn}.{' (undone)' * (turn in UNDONE)}" for turn in range(1, b.TURNS + 1)
    ]
    assert "8. (grade C)" in turns
    assert "  Player 2: What was that noise?" in turns
    assert not any("{" in line for line in turns)


def test_markdown_strikes_what_was_undone(tmp_path: Path) -> None:
    read = told(tmp_path, b.lines(), "--markdown").stdout
    assert read.startswith(f"# {b.evening().session.info.title}\n")
    assert "| gm | Grace | gm |" in read
    undone, after = read.split(f"**Turn {UNDONE[0]}**")[1].split(f"**Turn {UNDONE[-1] + 1}**")
    assert all(
        line.startswith("- ~~") and line.endswith("~~")
        for line in undone.splitlines()
        if line.startswith("-")
    )
    assert "~~" not in after


def test_words_stay_words(tmp_path: Path) -> None:
    words = "<script> *loud* [link](x)\n# no title \u202eesrever\x9b"
    facts = b.host(b.changed(b.facts(), b.NARRATED, Narrated(words)))
    marked = told(tmp_path, b.lines(facts), "--markdown").stdout
    assert r"\<script\> \*loud\* \[link\](x) \# no title  esrever" in marked
    assert "\u202e" not in marked
    assert "\x9b" not in told(tmp_path, b.lines(facts)).stdout


def test_what_is_sealed_is_said_to_be(tmp_path: Path) -> None:
    whole = b.bundle()
    entries = tuple(
        EventLine(entry.leaf) if nth == b.NARRATED else entry
        for nth, entry in enumerate(whole.entries, 1)
    )
    assert (
        f"{b.turn(b.NARRATED)}.\n  (sealed)\n"
        in told(tmp_path, list(emit(replace(whole, entries=entries)))).stdout
    )


def opened_draw() -> str:
    """What came up."""
    opened = s.body(s.OPENED)
    assert isinstance(opened, SealOpened)
    assert opened.values is not UNSET
    return ", ".join(f"d{sides} shows {face}" for sides, face in opened.values)


def test_secrets_are_told_as_far_as_they_are_open(tmp_path: Path) -> None:
    read = told(tmp_path, b.lines(s.facts()))
    assert read.exit_code == 0
    for line in (
        "  Player 2, for the GM: I keep the coin.",
        f"  Grace reveals what was drawn in secret: {opened_draw()}.",
    ):
        assert line in read.stdout.splitlines()


def test_what_nobody_may_read_is_undone_only_where_it_was_of_the_table(tmp_path: Path) -> None:
    sealed = s.LAST_SEALED, s.LAST_SEALED + 1
    facts = s.behind(sealed[1], ("gm", Rewound("we had forgotten a rule", s.WHISPER - 1)))
    read = told(tmp_path, s.hidden(b.host(facts), s.WHISPER, *sealed)).stdout
    assert f"\n{s.turn(s.WHISPER)}.\n  (sealed)\n" in read
    assert f"\n{s.turn(s.LAST_SEALED)}. (undone)\n  (sealed)\n  (sealed)\n" in read


def test_lines_are_those_of_the_server(evening: SessionClient, tmp_path: Path) -> None:
    log = tmp_path / "evening.fairlog"
    log.write_bytes(evening.get("gm", "/export").data)
    read = CliRunner().invoke(tell, [str(log)]).stdout.splitlines()
    lines = [line.strip() for line in read[3:] if line and not line[0].isdigit()]
    events = evening.get("gm", "/events?limit=200").json["events"]
    turns = [list(turn) for _, turn in groupby(events, itemgetter("turn"))]
    assert lines == [event["text"] for turn in turns for event in without_draws(turn)]
    assert len(lines) < len(events)


def without_draws(turn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events of a turn without command and draw, if the game's outcome is among them."""
    rest = [each for each in turn if each["kind"] not in ("session.Declared", "session.Drawn")]
    has_outcome = any(not each["kind"].startswith("session.") for each in rest)
    return rest if has_outcome else turn


@pytest.mark.parametrize("lines", [[], [b"{}\n"], b.lines()[:1], b.lines()[:9] + b.lines()[10:]])
def test_what_cannot_be_told_is_3(tmp_path: Path, lines: list[bytes]) -> None:
    read = told(tmp_path, lines)
    assert read.exit_code == 3
    assert read.stdout == ""
