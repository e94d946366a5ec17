"""`fairlog tell`: an evening to read, with names, seats and what was undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from domain.bundle import Entry, emit
from domain.session.messages import Narrated
from service.teller import tell
from tests.domain import bending as b


def told(path: Path, lines: list[bytes], *args: str) -> Result:
    log = path / "evening.fairlog"
    log.write_bytes(b"".join(lines))
    return CliRunner().invoke(tell, [str(log), *args])


def test_text_has_title_seats_and_every_turn(tmp_path: Path) -> None:
    read = told(tmp_path, b.lines())
    assert read.exit_code == 0
    title, about, seats, *turns = read.stdout.splitlines()
    assert title == b.evening().session.frame.title
    assert about == f"Dhextiny, edition 1; 2026-01-01; 27 turns, session {b.evening().id}"
    assert seats.startswith("Seats: house (house, house), Grace (gm, gm), Player 1 (p1, player)")
    assert [line for line in turns if line and line[0].isdigit()] == [
        f"{turn}.{' (undone)' * (turn in (20, 21))}" for turn in range(1, 28)
    ]
    assert "  Player 2: What was that noise?" in turns
    assert not any("{" in line for line in turns)


def test_markdown_strikes_what_was_undone(tmp_path: Path) -> None:
    read = told(tmp_path, b.lines(), "--markdown").stdout
    assert read.startswith(f"# {b.evening().session.frame.title}\n")
    assert "| gm | Grace | gm |" in read
    undone, after = read.split("**Turn 20**")[1].split("**Turn 22**")
    assert all(line.startswith("- ~~") and line.endswith("~~") for line in undone.splitlines() if line.startswith("-"))
    assert "~~" not in after


def test_words_stay_words(tmp_path: Path) -> None:
    words = "<script> *loud* [link](x)\n# no title \u202eesrever\x9b"
    facts = b.host(b.changed(b.facts(), 25, Narrated(words)))
    marked = told(tmp_path, b.lines(facts), "--markdown").stdout
    assert r"\<script\> \*loud\* \[link\](x) \# no title  esrever" in marked
    assert "\u202e" not in marked
    assert "\x9b" not in told(tmp_path, b.lines(facts)).stdout


def test_what_is_sealed_is_said_to_be(tmp_path: Path) -> None:
    whole = b.bundle()
    entries = tuple(Entry(entry.leaf) if nth == 25 else entry for nth, entry in enumerate(whole.entries, 1))
    assert "13.\n  (sealed)\n" in told(tmp_path, list(emit(replace(whole, entries=entries)))).stdout


@pytest.mark.parametrize("lines", [[], [b"{}\n"], b.lines()[:1], b.lines()[:9] + b.lines()[10:]])
def test_what_cannot_be_told_is_3(tmp_path: Path, lines: list[bytes]) -> None:
    read = told(tmp_path, lines)
    assert read.exit_code == 3
    assert read.stdout == ""
