"""Statistics in a terminal: the verdict, and the title and table of each chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET
from rich.console import Group, RenderableType
from rich.text import Text

from projections.statistics_model import SessionReport, TestFinding, Verdict
from service.charts import NO_NAMES, plots
from service.charts.labels import Names, format_p
from service.charts.plot import Bars, Lines, Plot
from service.charts.terminal.drawing import QUIET, draw_bar, draw_curve, grid, word

MAX_ROWS, MAX_FINDINGS = 8, 5
SUMMARY = ("luck", "faces", "results", "points")
"""Prefixes of chart names. For each prefix, a summary contains the first matching chart."""
VERDICTS: Mapping[Verdict, tuple[str, str]] = {
    "fair": ("nothing beyond chance", "green"),
    "few": ("too few draws to say", QUIET),
    "lucky": ("beyond chance", "yellow"),
    "unlucky": ("beyond chance", "yellow"),
    "uneven": ("beyond chance", "red"),
}
"""The text and the style for each verdict."""


def draw_statistics(report: SessionReport, names: Mapping[str, str] = NO_NAMES) -> RenderableType:
    """Draw the verdict and all charts.

    `names` maps entity ids, and seat ids prefixed with "@", to display names.
    """
    return Group(*_verdict(report, names), *map(draw_plot, plots(report, names)))


def draw_summary(report: SessionReport, names: Mapping[str, str] = NO_NAMES) -> RenderableType:
    """Draw the verdict and one chart each for luck, faces, results and points.

    `names` maps entity ids, and seat ids prefixed with "@", to display names.
    """
    every = plots(report, names)
    chosen = (
        next((plot for plot in every if plot.name.startswith(each)), None) for each in SUMMARY
    )
    return Group(*_verdict(report, names), *(draw_plot(plot) for plot in chosen if plot))


def draw_plot(plot: Plot) -> RenderableType:
    """Draw the chart's title and description, and a table of its bars or lines.

    If the chart has no bars or lines, draw its table of data instead.
    """
    if isinstance(plot.picture, Bars):
        table = _bars(plot.picture)
    elif isinstance(plot.picture, Lines):
        table = _lines(plot.picture)
    else:
        table = _rows(plot)
    return Group(word(plot.title, "bold"), word(plot.description, QUIET), table, "")


def _verdict(report: SessionReport, names: Mapping[str, str]) -> Iterator[RenderableType]:
    labels, tests = Names(names), report.tests
    words, style = VERDICTS[tests.verdict]
    yield Text.assemble((f"Verdict: {words}. ", f"bold {style}"), word(tests.says))
    yield from (_finding(finding, labels) for finding in tests.found[:MAX_FINDINGS])
    yield from _more(len(tests.found), MAX_FINDINGS)
    yield ""


def _finding(finding: TestFinding, labels: Names) -> Text:
    of = "luck" if finding.source is UNSET else finding.source
    whose = "" if finding.seat is UNSET else f" of {labels.seat(finding.seat)}"
    return word(f"  {of}{whose}: {finding.says} (p {format_p(finding.p)})")


def _bars(bars: Bars) -> RenderableType:
    """Draw a table with one row per bar.

    A row contains the group, the label, the bar, its value, the expected value and the second
    value.
    """
    every = [(group.heading, bar) for group in bars.groups for bar in group.bars]
    named = dict(bars.key)
    reach = max(bar.reach for _, bar in every)
    grouped = any(heading for heading, _ in every)
    with_chance, with_second = "chance" in named, "second" in named
    table = grid(
        [
            *([" "] if grouped else []),
            " ",
            "",
            named["seen"],
            *([named["chance"]] if with_chance else []),
            *([named["second"]] if with_second else []),
            *([] if with_chance or with_second else [" "]),
        ],
        1 + grouped,
    )
    before = ""
    for heading, bar in every[:MAX_ROWS]:
        cells = [word("" if heading == before else heading)] if grouped else []
        cells += [word(bar.label), draw_bar(bar, reach), word(f"{bar.value:,.16g}")]
        if with_chance:
            cells.append(word("" if bar.chance is None else f"{bar.chance:.1f}"))
        if with_second:
            cells.append(word("" if bar.second is None else f"{bar.second:,.16g}"))
        if not with_chance and not with_second:
            cells.append(word(bar.note))
        table.add_row(*cells)
        before = heading
    return Group(table, *_more(len(every), MAX_ROWS))


def _lines(lines: Lines) -> RenderableType:
    table = grid([" ", "", lines.unit])
    for panel in lines.panels[:MAX_ROWS]:
        values = [value for _, value in panel.points]
        table.add_row(word(panel.heading), draw_curve(values), word(panel.note))
    return Group(table, *_more(len(lines.panels), MAX_ROWS))


def _rows(plot: Plot) -> RenderableType:
    table = grid(plot.columns)
    for row in plot.rows[:MAX_ROWS]:
        table.add_row(*(word(f"{cell:.4g}" if isinstance(cell, float) else cell) for cell in row))
    return Group(table, *_more(len(plot.rows), MAX_ROWS))


def _more(number: int, limit: int) -> list[Text]:
    return [Text(f"and {number - limit:,} more (see --json)", QUIET)] if number > limit else []
