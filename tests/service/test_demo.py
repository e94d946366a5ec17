"""`fairlog demo` from start to end, once; and what stops it half-way."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from domain.rulesets import RULESETS
from domain.verify import Known, Report, verify
from service.ed25519 import verify as ed25519
from service.script import Script, script_of
from tests.running import Running, eventually, processes, run

SCRIPTS = [script_of(room) for room in RULESETS]


class Shown:
    """The demo as it was run: what it said, and how long it took."""

    def __init__(self, folder: Path) -> None:
        self.temporary, self.logs = folder / "temporary", folder / "logs"
        self.temporary.mkdir()
        began = time.monotonic()
        self.said: CompletedProcess[str] = run(
            folder / "never",
            "demo",
            "--keep",
            str(self.logs),
            TMPDIR=str(self.temporary),
            COLUMNS="160",
        )
        self.seconds = time.monotonic() - began
        self.left = processes(self.temporary)

    def report(self, ruleset: str) -> Report:
        with (self.logs / f"{ruleset}.fairlog").open("rb") as lines:
            return verify(lines, ed25519)

    def fork(self, ruleset: str) -> Report:
        logs = self.logs
        with (
            (logs / f"{ruleset}-fork-1.fairlog").open("rb") as lines,
            (logs / f"{ruleset}.fairlog").open("rb") as of,
        ):
            return verify(lines, ed25519, Known(parent=of))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return Shown(tmp_path_factory.mktemp("demo"))


def test_everything_goes_as_scripted(shown: Shown) -> None:
    print(f"the demo took {shown.seconds:.1f} s")
    assert shown.said.returncode == 0, shown.said.stdout + shown.said.stderr
    said = _unwrapped(shown.said.stdout)
    whole, partly = (f"VALID{how}, checked offline" for how in ("", " as far as it is open"))
    assert said.count(f"{whole}:") + said.count(partly) == len(SCRIPTS)
    assert said.count(f"{whole} beside its parent") == len(SCRIPTS)
    assert shown.said.stderr == ""


def test_nothing_is_left(shown: Shown) -> None:
    assert shown.left == set()
    assert list(shown.temporary.iterdir()) == []
    assert not (shown.logs.parent / "never").exists()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.ruleset)
def test_the_evening_is_whole(shown: Shown, script: Script) -> None:
    refused = {step.refused for step in script.steps if isinstance(step.refused, str)}
    report = shown.report(script.ruleset)
    assert report.valid
    assert report.counts.turns >= 150
    assert report.counts.rewinds >= 2
    assert len({rule for rule in refused if rule in shown.said.stdout}) >= 5


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.ruleset)
def test_its_fork_is_valid_beside_it(shown: Shown, script: Script) -> None:
    fork = shown.fork(script.ruleset)
    assert fork.valid
    assert fork.origin is not None
    assert fork.origin.session == shown.report(script.ruleset).session
    assert (fork.origin.checked, fork.origin.table) == (True, True)


def test_what_stays_sealed_is_counted_by_seat(shown: Shown) -> None:
    first, *further = (shown.report(script.ruleset) for script in SCRIPTS)
    assert first.unopened == {"p1": 2, "p2": 2, "gm": 1}
    assert first.partly
    assert all(report.whole and not report.unopened for report in further)


def test_every_evening_shows_a_rewind_a_redo_a_fork_and_a_secret_with_its_opening(
    shown: Shown,
) -> None:
    for said in _evenings(shown):
        for words in (
            "rewinds to version [0-9]+: .* events stay in the log, told as undone",
            "a redo: version [0-9]+ had been undone, and its table is back",
            "forks the evening at version ([0-9]+), as .* It begins with the table of version \\1, and goes on: ",
            "opens the secret of draw [0-9]+: .* now everyone sees what its audience saw",
            "the same all along: .* as version [0-9]+ committed to; link and blind give d[0-9]+ [0-9]+",
        ):
            assert re.search(words, said), words


def test_the_first_evening_shows_secrets_from_both_sides(shown: Shown) -> None:
    first = _evenings(shown)[0]
    for words in (
        r"Mo declares something, for the GM's eyes\. Draw \d+ is made under seal, grade A\. \[1 of 3 events sealed\]",
        r"A roll that is sealed for its own asker\. Mo \(gm\) sees: ",
        r"\(spectator\) sees: Ana declares something, for no other eyes\.",
        r"Ben, for the GM's eyes: Mo, between us: .* \(spectator\) sees: \[1 of 1 events sealed\]",
        r"a take-back by its player: ",
        r"its aim was fixed before the roll: it names version [0-9]+",
        r"secret turns that stay sealed: ",
    ):
        assert re.search(words, first), words


def test_every_seat_gives_to_what_is_drawn(shown: Shown) -> None:
    for script in SCRIPTS:
        grades = {graded.grade for graded in shown.report(script.ruleset).grades}
        assert grades == {"A", "D"}
    assert re.search(r"grades: [0-9]+ A, [0-9]+ D ", _unwrapped(shown.said.stdout))


def test_it_shows_what_a_stranger_wants_to_see(shown: Shown) -> None:
    said = shown.said.stdout
    for script in SCRIPTS:
        assert script.title in said
        assert len(re.findall("rewinds to version", said)) >= 2
    assert re.search(
        "[0-9]+ rolls that a rewind had .* later ones: [0-9]+ drawn, [0-9]+ declared",
        _unwrapped(said),
    )
    assert f"statistics of all {len(SCRIPTS)} evenings" in said
    for words in (
        "Refused",
        "The table at the end",
        "Statistics",
        "expected",
        "turns",
        "draws",
        "grades",
        "warnings",
    ):
        assert words in said
    assert not re.search(r'"event": "request"', said)


def _unwrapped(said: str) -> str:
    return re.sub(r"[\s│]+", " ", said)


def _evenings(shown: Shown) -> list[str]:
    """What was said of each evening, in one line."""
    return [_unwrapped(said) for said in _said_of(shown)]


def _said_of(shown: Shown) -> list[str]:
    return re.split(r"^─+ \w+: .*$", shown.said.stdout, flags=re.MULTILINE)[1:]


def test_further_evenings_are_shown_in_short(shown: Shown) -> None:
    further = _said_of(shown)[1:]
    assert len(further) == len(RULESETS) - 1
    for said in further:
        assert len(said.splitlines()) < 80
        for words in (
            r"Refused \([0-9]+\) by ",
            "at the table",
            r"[0-9]+ turns, .* rewinds; warnings W_",
        ):
            assert re.search(words, _unwrapped(said))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_half_way_it_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    running = Running(tmp_path / "never", "demo", TMPDIR=str(tmp_path))
    running.until_said(r"^ +\d+ ")
    running.stop(number)
    assert running.process.returncode not in (0, None)
    assert eventually(lambda: processes(tmp_path) == set())
    assert list(tmp_path.iterdir()) == []
