"""`fairlog stats`: from an exported log alone, the figures that the server has; a log that is bent has none."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from rich.console import Console

from domain.log_file import EventLine, LogFile, emit, parse
from domain.recorded_event import RecordedEvent
from domain.session.descriptions import names
from domain.session.state import Session
from domain.transcript import fold_events
from domain.verify.bytes_check import EventReader
from domain.visibility import PUBLIC_VIEWER, is_visible, turns_hidden_from
from projections.results import STATISTICS, STATISTICS_WITH_UNDONE
from projections.statistics_model import ALPHA, SessionReport
from service.charts.terminal.statistics import draw_statistics
from service.cli import verify
from tests.domain import broken_logs as b, broken_secrets as s
from tests.support.processes import ROOT, run
from tests.support.scale import LONG
from tests.workers.power import rolls_needed
from tests.workers.stand_ins import stand_in
from workers.__main__ import main
from workers.commands import stats
from workers.jobs import compute_statistics
from workers.statistics import chi_square, significance
from workers.statistics.pooled_draws import pool

GOLDEN = ROOT / "tests" / "golden"
EVENINGS = [
    path.stem
    for path in sorted(GOLDEN.glob("*.fairlog"))
    if LONG or path.stem in {"fansys-2", "open-1", "table-2"}
]
"""The golden logs. The gate takes the largest game, the open table and a table that draws."""
golden = pytest.mark.parametrize("name", EVENINGS)


def stats_of(path: Path, *options: str) -> Result:
    return CliRunner().invoke(stats, [*options, str(path)], env={"COLUMNS": "100"})


def figures_in(path: Path, *options: str) -> SessionReport:
    told = stats_of(path, "--json", *options)
    assert told.exit_code == 0, told.output
    return msgspec.json.decode(told.stdout, type=SessionReport)


def saved(folder: Path, lines: list[bytes]) -> Path:
    path = folder / "evening.fairlog"
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return saved(tmp_path, b.lines())


@lru_cache
def whole(name: str) -> tuple[LogFile, list[RecordedEvent], Session]:
    """A golden evening: its file, its facts, and the session behind them."""
    with (GOLDEN / f"{name}.fairlog").open("rb") as lines:
        read = parse(lines)
    reader = EventReader(read.manifest)
    for entry in read.entries:
        reader.read(entry)
    facts = [line for line in reader.events if isinstance(line, RecordedEvent)]
    assert len(facts) == len(read.entries)
    return read, facts, fold_events(facts)[-1]


def as_nobody_sees_it(name: str) -> list[bytes]:
    """The lines of its file, without the openings that only seats may see."""
    read, facts, session = whole(name)
    entries = [
        entry if is_visible(session, PUBLIC_VIEWER, fact) else EventLine(entry.leaf)
        for entry, fact in zip(read.entries, facts, strict=True)
    ]
    return list(emit(replace(read, entries=tuple(entries))))


def of_the_server(folder: Path, name: str) -> list[object]:
    """What its workers computed for nobody in particular, without undone branches and with them."""
    _, facts, session = whole(name)
    app = stand_in(folder)
    app.log.append(facts)
    compute_statistics(app, session.id)  # type: ignore[arg-type]
    begun = {
        turn: session.secrets.seals[turn].version
        for turn in turns_hidden_from(session, PUBLIC_VIEWER)
    }
    found = [
        app.read_models.results.get(session.id, result, session.version, begun)
        for result in (STATISTICS, STATISTICS_WITH_UNDONE)
    ]
    app.read_models.close()
    return [json.loads(result.body) for result in found if result is not None]


@golden
def test_the_figures_are_those_of_the_server(tmp_path: Path, name: str) -> None:
    log = saved(tmp_path, as_nobody_sees_it(name))
    told = [json.loads(stats_of(log, "--json", *undone).stdout) for undone in ((), ("--undone",))]
    assert told == of_the_server(tmp_path, name)


def test_somebodys_secrets_are_in_one_of_them() -> None:
    """Else the test above shows nothing of seals."""
    assert any(as_nobody_sees_it(name) != list(emit(whole(name)[0])) for name in EVENINGS)


@golden
def test_every_golden_evening_is_shown_in_any_width(name: str) -> None:
    figures = figures_in(GOLDEN / f"{name}.fairlog")
    for width in (80, 120, 160):
        console = Console(file=io.StringIO(), width=width)
        console.print(draw_statistics(figures, names(whole(name)[2])))
        assert isinstance(console.file, io.StringIO)
        lines = console.file.getvalue().splitlines()
        assert lines[0].startswith("Verdict: ")
        assert max(map(len, lines)) <= width
        assert len(lines) < 800


def test_what_was_counted_is_said_before_the_verdict() -> None:
    lines = stats_of(GOLDEN / "table-1.fairlog").stdout.splitlines()
    assert whole("table-1")[2].ruleset.title in lines[0]
    assert "VALID" in " ".join(lines[:2])
    assert any(line.startswith("Verdict: ") for line in lines[2:4])


def test_what_is_sealed_is_said_not_to_be_counted(tmp_path: Path) -> None:
    sealed = (s.WHISPER, s.PROMISE, s.LAST_SEALED, s.LAST_SEALED + 1)
    told = stats_of(saved(tmp_path, s.hidden(s.facts(), *sealed)))
    assert "VALID as far as it could be checked, 4 sealed events not counted" in " ".join(
        told.stdout.split()
    )


def test_names_are_those_of_the_log(log: Path) -> None:
    told = stats_of(log).stdout
    assert "Player 1" in told
    assert told.startswith(b.evening().session.info.title)


def test_a_range_counts_its_versions_alone(log: Path) -> None:
    every, none, some = (
        figures_in(log, *options)
        for options in ((), ("--to=3",), ("--from", "2", "--to", str(b.SIZE)))
    )
    assert (every.first, every.last, every.version) == (1, b.SIZE, b.SIZE)
    assert (none.first, none.last, none.version, none.tempo.turns) == (1, 3, b.SIZE, 0)
    assert some.faces == every.faces != none.faces


@pytest.mark.parametrize(
    "options",
    [
        ("--from", str(b.SIZE + 1)),
        ("--to", str(b.SIZE + 1)),
        ("--from=9", "--to=8"),
        ("--from=0",),
        ("--to=x",),
    ],
)
def test_a_range_that_is_no_part_of_the_log_is_3(log: Path, options: tuple[str, ...]) -> None:
    told = stats_of(log, *options)
    assert told.exit_code == 3
    assert told.stdout == ""


def test_what_was_undone_is_out_unless_asked_for(log: Path) -> None:
    without, with_undone = figures_in(log), figures_in(log, "--undone")
    assert (without.undone, with_undone.undone) == (False, True)
    assert _drawn(without) < _drawn(with_undone)


def _drawn(figures: SessionReport) -> int:
    return sum(each.draws for dice in figures.faces.values() for each in dice.values())


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_bent_log_is_2_with_the_verifiers_words_and_no_figure(
    log: Path, option: tuple[str, ...]
) -> None:
    log.write_bytes(log.read_bytes().replace(b"noise", b"voice"))
    told = stats_of(log, *option)
    assert told.exit_code == 2
    assert told.stdout == ""
    judged = CliRunner().invoke(verify.verify, [str(log)])
    assert judged.exit_code == 2
    assert told.stderr == judged.stdout


@pytest.mark.parametrize("lines", [[], [b"{}\n"], b.lines()[:1], b.lines()[:9] + b.lines()[10:]])
def test_what_is_no_log_is_2(tmp_path: Path, lines: list[bytes]) -> None:
    told = stats_of(saved(tmp_path, lines))
    assert (told.exit_code, told.stdout) == (2, "")
    assert "INVALID" in told.stderr


def test_a_missing_file_is_3(tmp_path: Path) -> None:
    assert stats_of(tmp_path / "no.fairlog").exit_code == 3
    assert stats_of(tmp_path).exit_code == 3


def test_rules_that_are_not_here_are_3(log: Path) -> None:
    """Its bytes and draws can be checked, and nothing can be counted."""
    read, opened = b.bundle(), b.facts()[0]
    elsewhere = replace(opened.body, edition="99")
    facts = b.host(b.changed(b.facts(), 1, elsewhere))
    bent = replace(b.bundle(facts), manifest=replace(read.manifest, edition="99"))
    told = stats_of(saved(log.parent, list(emit(bent))))
    assert told.exit_code == 3
    assert "edition 99, is not installed" in told.stderr


def test_gzip_is_read(log: Path) -> None:
    plain = figures_in(log)
    log.write_bytes(gzip.compress(log.read_bytes()))
    assert figures_in(log) == plain


def test_a_strangers_words_do_not_drive_the_terminal(tmp_path: Path) -> None:
    facts = b.changed(b.facts(), 1, replace(b.facts()[0].body, title="\x9b2J[red]\u202eeve"))
    told = stats_of(saved(tmp_path, b.lines(b.host(facts))))
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("\ufffd2J[red]\ufffdeve: ")
    assert stats_of(tmp_path / "evening.fairlog", "--json").stdout.isascii()


def test_the_command_needs_no_server_and_no_setting(log: Path) -> None:
    said = run(
        log.parent / "never",
        "stats",
        str(log),
        "--json",
        "--undone",
        "--to",
        "9",
        FAIRLOG_PORT="none",
    )
    assert (said.returncode, said.stderr) == (0, "")
    assert msgspec.json.decode(said.stdout, type=SessionReport) == figures_in(
        log, "--undone", "--to=9"
    )
    assert not (log.parent / "never").exists()


def page() -> str:
    return (ROOT / "docs" / "statistics.md").read_text()


def test_the_page_shows_what_is_printed() -> None:
    """Its lines, "…" standing for anything, of the first ruleset's session."""
    shown = page().partition("$ fairlog stats friday.fairlog\n")[2].partition("```")[0].splitlines()
    printed = stats_of(GOLDEN / "dhextiny-1.fairlog").stdout.splitlines()
    patterns = [".*".join(map(re.escape, line.split("…"))) for line in shown]
    assert len(patterns) > 10
    assert [
        line for line, pattern in zip(shown, patterns, strict=True) if not _any(pattern, printed)
    ] == []


def _any(pattern: str, printed: list[str]) -> bool:
    return any(re.fullmatch(pattern, line) for line in printed)


def test_the_sums_by_hand_are_those_of_the_worker() -> None:
    ring = (("F", (1, 6)), ("PF", (2, 6)), ("PS", (2, 6)), ("S", (1, 6)))
    d6 = tuple((str(face), (1, 6)) for face in range(1, 7))
    ben = pool((ring, result) for result in 3 * ["S"] + 7 * ["PS"] + 2 * ["PF"] + 2 * ["F"])
    everyones = (12, 9, 5, 16, 6, 9)
    thrown = pool((d6, str(face)) for face, times in enumerate(everyones, 1) for _ in range(times))
    z, faces = significance.try_luck(ben), significance.try_faces(thrown)
    assert f"{z.statistic:.2f}" in page().partition("z            = ")[2].splitlines()[0]
    assert f"= {faces.statistic:.2f}\n" in page()
    assert (faces.df, f"{faces.p:.0%}") == (5, "13%")


def test_the_numbers_that_the_page_names_are_those_of_the_worker() -> None:
    for said in (
        f"fewer than {significance.MIN_DRAWS} draws that could have come out otherwise",
        f"at least {chi_square.MIN_EXPECTED_COUNT:.0f} times",
        f"from {chi_square.MIN_PASSES} passes through it",
        f"as wide as {significance.MIN_EVEN_DRAWS:.0f} even ones",
        f"false alarm rate, {100 * ALPHA:.0f} %",
        f"{chi_square.SIMULATION_STAGES[0]:,} sessions",
        f"up to {sum(chi_square.SIMULATION_STAGES):,}",
        f"until {chi_square.MIN_TAIL_SESSIONS:.0f} of them",
    ):
        assert said in re.sub(r"\s+", " ", page()), said
    d6 = pool(((tuple((str(face), (1, 6)) for face in range(1, 7)), "1"),))
    assert round(rolls_needed(d6, "6", 1.5, ALPHA / 9), -2) == 1000


def test_without_scipy_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    said = stats_of(GOLDEN / "table-1.fairlog")
    assert (said.exit_code, "pip install 'fairlog[stats]'" in said.stderr) == (3, True)
    assert main(["worker"]) == 1
    assert "pip install 'fairlog[stats]'" in capsys.readouterr().err
