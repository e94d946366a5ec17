"""`fairlog stats`: from an exported log alone, the statistics that the server has; a log that is bent has none."""

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
from domain.session.descriptions import fill, names
from domain.session.messages import Closed
from domain.session.state import Session
from domain.transcript import fold_events
from domain.verify.bytes_check import EventReader
from domain.visibility import PUBLIC_VIEWER, is_visible, turns_hidden_from
from projections.results import STATISTICS
from projections.statistics_model import ALPHA, RUNNING_ALPHA, SessionReport
from service.charts.terminal.statistics import draw_statistics
from service.cli import verify
from tests.domain import broken_logs as b, broken_secrets as s
from tests.support.processes import ROOT, run
from tests.support.scale import LONG
from tests.workers.stand_ins import stand_in
from workers.__main__ import main
from workers.commands import stats
from workers.jobs import compute_statistics
from workers.statistics import faces, highlights, luck, play, report, running, trials, verdicts

GOLDEN = ROOT / "tests" / "golden"
EVENINGS = [
    path.stem
    for path in sorted(GOLDEN.glob("*.fairlog"))
    if LONG or path.stem in {"fansys-2", "open-1", "table-2"}
]
"""The golden logs. The gate takes the largest game, the open table and a table that draws."""
golden = pytest.mark.parametrize("name", EVENINGS)


def stats_of(path: Path, *options: str, columns: int = 100) -> Result:
    return CliRunner().invoke(stats, [*options, str(path)], env={"COLUMNS": str(columns)})


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


def of_the_server(folder: Path, name: str) -> object:
    """Return what its workers computed for nobody in particular."""
    _, facts, session = whole(name)
    app = stand_in(folder)
    app.log.append(facts)
    compute_statistics(app, session.id)  # type: ignore[arg-type]
    begun = {
        turn: session.secrets.seals[turn].version
        for turn in turns_hidden_from(session, PUBLIC_VIEWER)
    }
    found = app.read_models.results.get(session.id, STATISTICS, session.version, begun)
    app.read_models.close()
    assert found is not None
    return json.loads(found.body)


@golden
def test_the_statistics_are_those_of_the_server(tmp_path: Path, name: str) -> None:
    log = saved(tmp_path, as_nobody_sees_it(name))
    assert json.loads(stats_of(log, "--json").stdout) == of_the_server(tmp_path, name)


def test_secret_draws_of_which_some_are_sealed_are_counted_and_not_compared(tmp_path: Path) -> None:
    """The log of table-2 as its owner has it, and without the openings that only seats may see."""
    whole_log, sealed = (
        figures_in(path)
        for path in (GOLDEN / "table-2.fairlog", saved(tmp_path, as_nobody_sees_it("table-2")))
    )
    assert whole_log.secret == {}
    assert sealed.secret
    for seat, rolls in sealed.secret.items():
        assert rolls.open < rolls.draws
        assert _drawn(sealed, seat) < _drawn(whole_log, seat)
    assert sum(_drawn(sealed, seat) for seat in ("gm", "p1")) == _drawn(sealed)


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
        assert fill(figures.headline, names(whole(name)[2])).startswith(lines[0].rstrip())
        assert max(map(len, lines)) <= width
        assert len(lines) < 800


def test_the_answer_comes_first_and_what_was_counted_last() -> None:
    lines = stats_of(GOLDEN / "table-1.fairlog").stdout.splitlines()
    session = whole("table-1")[2]
    assert lines[0] == f"{session.info.title}: {session.ruleset.title}"
    assert lines[2].startswith("No one was unusually lucky or unlucky.")
    assert "Nothing suspicious" in lines[2]
    counted = f"{session.ruleset.title}, edition {session.ruleset.edition}, versions 1 to {session.version}. VALID"
    assert counted in " ".join(" ".join(lines[-3:]).split())


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
    assert some.draws == every.draws != none.draws
    assert _drawn(some) == _drawn(every) > _drawn(none) == 0
    assert every.verdicts
    assert (some.verdicts, some.headline, none.verdicts) == ({}, "", {})


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


def test_what_was_undone_counts_for_the_faces_and_not_for_luck(log: Path) -> None:
    found = figures_in(log)
    attempts = sum(
        len(luck.series) for seats in found.luck.values() for luck in seats["seats"].values()
    )
    undone = sum(luck.undone for seats in found.luck.values() for luck in seats["seats"].values())
    assert undone == len(found.rewinds.draws) > 0
    assert _drawn(found) == attempts + undone, "this ruleset has one die for each roll"


def test_there_is_no_option_for_what_was_undone(log: Path) -> None:
    told = stats_of(log, "--undone")
    assert (told.exit_code, told.stdout) == (3, "")


@pytest.mark.parametrize("is_closed", [False, True])
def test_the_verdict_is_final_if_the_log_has_its_end(tmp_path: Path, is_closed: bool) -> None:
    assert isinstance(b.facts()[-1].body, Closed)
    found = figures_in(
        saved(tmp_path, b.lines(b.facts() if is_closed else b.facts()[:-1]))
    ).verdicts
    assert {summary.final for summary in found.values()} == {is_closed}


def test_each_named_die_has_statistics_of_its_own() -> None:
    found = figures_in(GOLDEN / "named-dice-2.fairlog").faces["declared"]
    assert set(found) == {
        "d6",
        "d6 (the red d6)",
        "d6 (the black d6)",
        'd6 (Pip\'s {gm} "\N{GAME DIE}")',
    }
    assert found["d6 (the red d6)"].draws == 2 * found["d6"].draws


def _drawn(figures: SessionReport, seat: str | None = None) -> int:
    """Return how often a die or deck was used by a seat, or by all."""
    every = [each for dice in figures.faces.values() for each in dice.values()]
    if seat is None:
        return sum(each.draws for each in every)
    return sum(each.seats[seat].draws for each in every if seat in each.seats)


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
        "--to",
        "9",
        FAIRLOG_PORT="none",
    )
    assert (said.returncode, said.stderr) == (0, "")
    assert msgspec.json.decode(said.stdout, type=SessionReport) == figures_in(log, "--to=9")
    assert not (log.parent / "never").exists()


def page() -> str:
    return (ROOT / "docs" / "statistics.md").read_text()


def test_the_page_shows_what_is_printed() -> None:
    """Its lines, "…" standing for anything, of the first ruleset's session."""
    shown = page().partition("$ fairlog stats friday.fairlog\n")[2].partition("```")[0].splitlines()
    printed = stats_of(GOLDEN / "dhextiny-1.fairlog", columns=80).stdout.splitlines()
    patterns = [".*".join(map(re.escape, line.split("…"))) for line in shown]
    assert len(patterns) > 10
    assert [
        line for line, pattern in zip(shown, patterns, strict=True) if not _any(pattern, printed)
    ] == []


def _any(pattern: str, printed: list[str]) -> bool:
    return any(re.fullmatch(pattern, line) for line in printed)


def test_the_sums_by_hand_are_those_of_the_worker() -> None:
    """Those of the session that the page begins with."""
    found = figures_in(GOLDEN / "dhextiny-1.fairlog")
    ben = max(found.luck["drawn"]["seats"].values(), key=lambda each: each.percentile)
    d6 = found.faces["drawn"]["d6"]
    test, hand = d6.tests["faces"], " ".join(page().partition("## By hand")[2].split())
    counts = [f"{of.seen}" for of in d6.values.values()]
    for text in (
        f"{ben.draws} rolls",
        f"= {ben.z:.2f}",
        f"The {d6.draws} rolls of the d6",
        f"{', '.join(counts[:-1])} and {counts[-1]} times",
        f"= {test.statistic:.1f}",
        f"p {100 * test.p:.1f} %",
        f"with {test.df} degrees",
    ):
        assert text in hand, text
    assert (
        f"{ben.successes.seen} of {ben.successes.of} ({ben.successes.expected:g} expected)"
        in page()
    )
    assert found.verdicts["drawn"].made == 10, "the number of tests that the page names"


def test_the_numbers_that_the_page_names_are_those_of_the_worker() -> None:
    whole_page = re.sub(r"\s+", " ", page())
    for said in (
        f"fewer than {report.MIN_LUCK_DRAWS} rolls for a person, fewer than {trials.MIN_DRAWS} for a test",
        f"Tests with fewer than {trials.MIN_DRAWS} draws that could come otherwise",
        f"Up to {luck.MAX_EXACT_DRAWS:,} rolls, both are exact",
        f"{luck.BERRY_ESSEEN} sum(E|s - m|^3)",
        f"at most {play.MAX_POINTS} points",
        f"more than {play.BREAK_SECONDS // 60} minutes is a break",
        f"more than {running.MAX_OUTCOMES} possible outcomes",
        f"expected at least {faces.MIN_EXPECTED_COUNT:.0f} times",
        f"from {faces.MIN_PASSES} passes",
        f"more than {faces.MAX_FACES} faces",
        f"{faces.SIMULATION_STAGES[0]:,} sessions",
        f"up to {sum(faces.SIMULATION_STAGES):,}",
        f"until {faces.MIN_TAIL_SESSIONS:.0f} of them",
        f"A corrected p below {ALPHA} is a finding",
        f"at least {verdicts.FEW_TESTS / RUNNING_ALPHA:,.0f}",
        f"at most 1 of {1 / RUNNING_ALPHA:.0f} sessions",
        f"they add {verdicts.REPEATS_WEIGHT} to the number",
        f"1 of {1 / highlights.MAX_CHANCE:.0f} cases",
        f"1 of {1 / highlights.MAX_RAREST_CHANCE:.0f} cases",
    ):
        assert said in whole_page, said
    assert set(luck.STAKES) == {sign * size for size in (1 / 4, 1 / 2, 1, 2, 4) for sign in (1, -1)}
    assert "rate r of +-1/4, +-1/2, +-1, +-2, +-4" in whole_page
    assert faces.WEIGHTS == (1 / 3, 1 / 2, 2, 3, 5)
    assert "weight w of 1/3, 1/2, 2, 3, 5" in whole_page


def test_without_scipy_it_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    said = stats_of(GOLDEN / "table-1.fairlog")
    assert (said.exit_code, "pip install 'fairlog[stats]'" in said.stderr) == (3, True)
    assert main(["worker"]) == 1
    assert "pip install 'fairlog[stats]'" in capsys.readouterr().err
