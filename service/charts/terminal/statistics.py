"""Statistics in a terminal: who was lucky and the verdict first, then details.

The first part needs no statistics, no colour and 80 columns. Details are the title, the description
and the table of each chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from projections.statistics_model import Highlight, SessionReport, TestSummary, Verdict
from service.charts import NO_NAMES, plots
from service.charts.labels import EXPLANATION, LEGEND, NO_VERDICT_ON_RANGE, Names
from service.charts.people import PeopleTable, Person, is_range, people_tables
from service.charts.plot import Bars, Lines, Plot
from service.charts.terminal.drawing import (
    BAR_WIDTH,
    QUIET,
    draw_bar,
    draw_curve,
    draw_percentile,
    grid,
    word,
)

MAX_ROWS, MAX_FINDINGS = 8, 5
MIN_NAME_COLUMNS, GAP_COLUMNS = 10, 2
"""The columns that a name gets at least if texts stay on one line, and those between columns."""
SCALE = f"{'unlucky':{BAR_WIDTH - 5}}lucky"
STYLES: Mapping[Verdict, str] = {
    "fair": "green",
    "few": QUIET,
    "lucky": "yellow",
    "unlucky": "yellow",
    "uneven": "red",
    "even": "red",
    "repeating": "red",
    "changing": "red",
}
"""The style for each verdict."""


def draw_statistics(report: SessionReport, names: Mapping[str, str] = NO_NAMES) -> RenderableType:
    """Draw who was lucky, the verdict and the highlights, and below them all charts.

    `names` maps entity ids, and seat ids prefixed with "@", to display names.
    """
    # The table of people has the numbers of these charts.
    every = [plot for plot in plots(report, names) if plot.name not in ("luck", "luck-declared")]
    if not every:
        return Group(*_overview(report, Names(names)))
    return Group(
        *_overview(report, Names(names)),
        Rule(style=QUIET),
        Text("Details", "bold"),
        word(EXPLANATION, QUIET),
        "",
        *map(draw_plot, every),
    )


def draw_summary(report: SessionReport, names: Mapping[str, str] = NO_NAMES) -> RenderableType:
    """Draw who was lucky, the verdict, the highlights and the faces of one die or deck.

    `names` maps entity ids, and seat ids prefixed with "@", to display names.
    """
    faces = next((plot for plot in plots(report, names) if plot.name.startswith("faces")), None)
    return Group(*_overview(report, Names(names)), *([] if faces is None else [draw_plot(faces)]))


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


def _overview(report: SessionReport, names: Names) -> Iterator[RenderableType]:
    """Yield what answers at a glance who was lucky and whether anything is suspicious."""
    if is_range(report):
        yield word(NO_VERDICT_ON_RANGE, "bold")
    else:
        yield word(names.fill(report.headline), "bold")
    yield ""
    for people in people_tables(report, names):
        yield from _people(people)
    summaries = report.verdicts.values()
    judged = [summary for summary in summaries if summary.made] or [*summaries][:1]
    for summary in judged:  # the table has said already that there are too few rolls
        yield from draw_verdict(summary, names)
    if report.highlights:
        yield Text("Highlights", "bold")
        yield _highlights(report.highlights, names)
        yield ""


def _people(of: PeopleTable) -> Iterator[RenderableType]:
    if of.heading:
        yield word(of.heading, "bold")
    if of.people:
        yield PeopleGrid(of.people)
    if any(person.percentile is not None for person in of.people):
        yield word(LEGEND, QUIET)
    yield from (word(note) for note in of.notes)
    yield ""


class PeopleGrid:
    """A table with one row per person, whose columns depend on the width of the terminal."""

    def __init__(self, people: Sequence[Person]) -> None:
        self._people = people

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._table(options.max_width, options.ascii_only)

    def _table(self, width: int, ascii_only: bool) -> Table:
        """Return the table.

        If a row is too wide, the expected successes are below the others. If it still is, texts are
        folded.
        """
        people = self._people
        has_scale = any(person.percentile is not None for person in people)
        has_successes = any(person.successes for person in people)
        successes = [_successes(person, " ") for person in people]
        scale = BAR_WIDTH + max(len(person.text) for person in people) + 2 * GAP_COLUMNS
        free = width - scale * has_scale - GAP_COLUMNS * has_successes
        names = max(cell_len(person.name) for person in people)
        if names + max(map(len, successes)) > free:
            successes = [_successes(person, "\n") for person in people]
        lines = [line for each in successes for line in each.splitlines()]
        is_wide = free - max(map(len, lines), default=0) >= min(names, MIN_NAME_COLUMNS)

        table = grid(
            [" ", *([SCALE, ""] if has_scale else []), *(["successes"] if has_successes else [])],
            words=4,
        )
        for column in table.columns[1:]:
            column.no_wrap = is_wide
        for person, each in zip(people, successes, strict=True):
            cells = [word(person.name, "bold")]
            if person.percentile is not None:
                cells += [draw_percentile(person.percentile, ascii_only), word(person.text)]
            table.add_row(*cells, *([Text(each)] if has_successes else []))
        return table


def _successes(person: Person, separator: str) -> str:
    return f"{person.successes}{separator}({person.expected})" if person.successes else ""


def draw_verdict(summary: TestSummary, names: Names) -> Iterator[RenderableType]:
    """Yield the verdict, its findings, and what could have been found."""
    yield word(names.fill(summary.text), f"bold {STYLES[summary.verdict]}")
    for finding in summary.found[:MAX_FINDINGS]:
        yield Padding(word(names.fill(f"{finding.text} {finding.rarity}")), (0, 0, 0, 2))
    yield from _more(len(summary.found), MAX_FINDINGS)
    if summary.power is not UNSET:
        yield word(names.fill(summary.power.text))
    yield ""


def _highlights(highlights: Sequence[Highlight], names: Names) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style=QUIET)
    table.add_column(overflow="fold")
    for each in highlights:
        is_single = each.first == each.last
        at = f"version {each.first}" if is_single else f"versions {each.first} to {each.last}"
        table.add_row(f"  {at}", word(names.fill(each.text)))
    return table


def _bars(bars: Bars) -> RenderableType:
    """Draw a table with one row per bar.

    A row contains the group, the label, the bar, its value, the expected value and the second
    value.
    """
    every = [(group.heading, bar) for group in bars.groups for bar in group.bars]
    named = dict(bars.key)
    reach = max(bars.reach, *(bar.reach for _, bar in every))
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
