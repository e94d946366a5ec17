"""Statistics in a terminal: complete, in any width, without colour, and safe of a stranger's file."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console, RenderableType

from projections import statistics_model as m
from service.charts import plots
from service.charts.plot import Bar
from service.charts.terminal.drawing import BAR_WIDTH, draw_bar, draw_curve
from service.charts.terminal.statistics import MAX_ROWS, draw_statistics, draw_summary
from tests.service.charts.reports import figures

FINDINGS = (
    m.TestFinding("faces", 0.0004, 0.002, "uneven", "6 came too often", "p1", "bone", "6"),
    m.TestFinding("luck", 0.0007, 0.004, "unlucky", "29 draws came out worse", "p2"),
)
LOADED = replace(
    figures(), tests=m.TestSummary(6, 0.01, "uneven", "6 tests were made, 2 came out.", FINDINGS)
)
NOTHING = m.SessionReport(
    0,
    1,
    0,
    False,
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    m.RewindStatistics(0, 0),
    m.Tempo(0, 0.0, 0.0, {}),
    m.DrawStatistics({}),
    m.TestSummary(0, 0.01, "few", "Nothing was drawn."),
)
NAMES = {"@p1": "Ana", "p1": "Ana Quickfinger"}
HOSTILE = "\x1b[31m\x9b31m[bold]\u202eab\nc"


def shown(chart: RenderableType, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(chart)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_each_chart_is_shown_with_its_title_and_sentence(width: int) -> None:
    text = shown(draw_statistics(LOADED, NAMES), width)
    unwrapped = re.sub(r"\s+", " ", text)
    for plot in plots(LOADED, NAMES):
        assert plot.title in unwrapped
        assert re.sub(r"\s+", " ", plot.description) in unwrapped
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\x1b" not in text


def test_the_verdict_comes_first_with_what_was_found() -> None:
    lines = shown(draw_statistics(LOADED, NAMES)).splitlines()
    assert lines[:3] == [
        "Verdict: beyond chance. 6 tests were made, 2 came out.",
        "  bone of Ana: 6 came too often (p below 0.001)",
        "  luck of p2: 29 draws came out worse (p below 0.001)",
    ]


def test_a_session_without_a_draw_has_a_verdict_alone() -> None:
    text = shown(draw_statistics(NOTHING))
    assert text == "Verdict: too few draws to say. Nothing was drawn.\n\n"


def test_a_table_is_cut_and_says_so() -> None:
    text = shown(draw_statistics(figures(draws=2_000)))
    rows = len(next(plot for plot in plots(figures(draws=2_000)) if plot.name == "turns").rows)
    assert f"and {rows - MAX_ROWS:,} more (see --json)" in text


def test_a_summary_has_the_verdict_luck_the_first_die_results_and_points() -> None:
    text = shown(draw_summary(LOADED, NAMES))
    titles = [plot.title for plot in plots(LOADED, NAMES) if plot.title in text.splitlines()]
    assert titles == [
        "Luck of the seats",
        "d6: seen and expected",
        "Results: check",
        "AP: gains and losses",
    ]


def test_a_strangers_words_are_only_words() -> None:
    of = figures(1, 5)
    outcome = m.OutcomeCounts(1, m.ObservedCount(1, 1, 1, 1), m.ObservedCount(0, 0, 0, 0))
    use = m.ActionStatistics({HOSTILE: outcome})
    void = m.VoidedDraw(1, 1, HOSTILE, (HOSTILE,), m.VoidedValues(((6, 1),), (HOSTILE,)))
    evil = replace(
        of,
        tests=replace(LOADED.tests, says=HOSTILE, found=(replace(FINDINGS[0], says=HOSTILE),)),
        faces={dice: {HOSTILE: of.faces["drawn"]["d6"]} for dice in ("drawn", "declared")},
        results={"seats": {HOSTILE: {HOSTILE: use}}},
        points={HOSTILE: {HOSTILE: m.PoolStatistics({HOSTILE: m.Flow(1, 2, 1)})}},
        conditions={HOSTILE: {HOSTILE: m.ConditionStatistics(2, 1, 5, 3)}},
        boards={HOSTILE: m.BoardStatistics((HOSTILE,) * 3, (1, 2, 3), (2.0,) * 3, (1, 2, 3))},
        draws=m.DrawStatistics({HOSTILE: 1}, {}, (void,)),
    )  # fmt: skip
    for chart in (draw_statistics(evil), draw_summary(evil, {f"@{HOSTILE}": HOSTILE})):
        text = shown(chart)
        assert set(re.findall(r"[^\n -~]", text)) <= set("█▓░┃│─▁▂▃▄▅▆▇\u00d7±\ufffd")
        assert "[bold]" in text


@pytest.mark.parametrize(
    ("bar", "drawn"),
    [
        # of 18 columns, one a draw
        (Bar("", 0, "", None, 9.0, 5, 13), "    ░░░░│░░░░     "),
        (Bar("", 12, "", None, 9.0, 5, 13), "████▓▓▓▓┃▓▓▓░     "),
        (Bar("", 17, "", None, 9.0, 5, 13), "████▓▓▓▓┃▓▓▓▓████ "),
        (Bar("", 3, "", None, 9.0), "███     │         "),
        (Bar("", 3, ""), "███               "),
    ],
)
def test_a_bar_shows_seen_expected_and_the_band_without_colour(bar: Bar, drawn: str) -> None:
    assert draw_bar(bar, BAR_WIDTH).plain == drawn


@pytest.mark.parametrize(
    ("values", "drawn"),
    [((3.0,), "▁"), ((0.0, 7.0), "▁█"), ((5.0,) * 40, "▁" * 24), (tuple(range(8)), "▁▂▃▄▅▆▇█")],
)
def test_a_curve_has_so_many_columns_at_most(values: tuple[float, ...], drawn: str) -> None:
    assert draw_curve(values).plain == drawn
