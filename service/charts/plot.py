"""The data for a chart: a title, a description, a table and usually a drawing.

A drawing consists of bars or lines. `service.charts.svg` and `service.charts.terminal` render it.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import msgspec

from projections.statistics_model import Series

MAX_BARS = 30
MAX_PANELS = 12
MAX_POINTS = 480
"""The maximum total number of points in all panels of a chart."""

Cell = str | float | int
"""The content of a table cell. An empty cell contains ""."""
Row = tuple[Cell, ...]
Key = Sequence[tuple[str, str]]
"""A legend: pairs of a symbol's CSS class and the symbol's meaning."""
Each = TypeVar("Each")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


class Bar(msgspec.Struct, frozen=True):
    """A bar with the length `value`, a label and a note.

    `second` is the length of an outlined bar below it. `chance` is the value expected by chance.
    `low` and `high` are the range in which fair dice leave the value, mostly in 95 of 100 sessions;
    the chart's key says in how many. This range is drawn only if `high` is above `low`.
    """

    label: str
    value: float
    note: str
    second: float | None = None
    chance: float | None = None
    low: float = 0
    high: float = 0

    @property
    def reach(self) -> float:
        return max(self.value, self.second or 0, self.high, self.chance or 0)


class Group(msgspec.Struct, frozen=True):
    """A group of bars under one heading."""

    heading: str
    bars: tuple[Bar, ...]


class Bars(msgspec.Struct, frozen=True, tag=True):
    """A chart of horizontal bars.

    `more` is a sentence about the bars that are not drawn. The axis ends at `reach`, or later if a
    bar is longer.
    """

    groups: Sequence[Group]
    key: Key = ()
    more: str = ""
    reach: float = 0


class Panel(msgspec.Struct, frozen=True):
    """A panel of a line chart, with one line, a heading and a note."""

    heading: str
    note: str
    points: Series


class Lines(msgspec.Struct, frozen=True, tag=True):
    """A line chart with one line per panel and versions on the x axis.

    All panels have the same scales. `ends` contains the first and last versions. `heights` contains
    the y-axis ticks, in ascending order. `band` is a shaded range on the y axis, and `bounds`
    contains the y values of horizontal reference lines. If `steps` is True, a line stays at each
    value until the next one.
    """

    panels: Sequence[Panel]
    ends: tuple[int, int]
    heights: Sequence[float]
    unit: str
    key: Key = ()
    band: tuple[float, float] | None = None
    bounds: Sequence[float] = ()
    steps: bool = False
    more: str = ""


class Plot(msgspec.Struct, frozen=True):
    """A chart. `name` is its slug, and `about` says which versions it covers."""

    name: str
    title: str
    description: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    picture: Bars | Lines | None = None
    about: str = ""

    def csv(self) -> str:
        """Return the table as RFC 4180 CSV.

        Text that a spreadsheet could run as a formula is prefixed with an apostrophe.
        """
        written = io.StringIO()
        csv.writer(written).writerows(map(_quote_formulas, (self.columns, *self.rows)))
        return written.getvalue()


def _quote_formulas(row: Row) -> list[Cell]:
    return [f"'{cell}" if _is_formula(cell) else cell for cell in row]


def _is_formula(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell)


def fit_groups(groups: Sequence[Group]) -> tuple[list[Group], str]:
    """Return the groups that fit into a chart, and a sentence about omitted rows."""
    fitting: list[Group] = []
    remaining = MAX_BARS
    for group in groups:
        if len(group.bars) > remaining and fitting:
            break
        fitting.append(Group(group.heading, group.bars[:remaining]))
        remaining -= len(fitting[-1].bars)
    rows = sum(len(group.bars) for group in groups)
    left = rows - (MAX_BARS - remaining)
    return fitting, f"Rows shown only in the table: {left} of {rows}." if left else ""


class Selection(NamedTuple):
    """The series drawn in a chart, and the series that appear only in its table.

    A drawn series may have fewer points than the original.
    """

    drawn: dict[str, Series]
    others: dict[str, Series]
    sentence: str
    more: str

    def rows(self) -> Iterator[tuple[str, int, float]]:
        """Yield every drawn point, then the last point of each series that is not drawn."""
        for name, series in self.drawn.items():
            yield from ((name, version, value) for version, value in series)
        yield from ((name, *series[-1]) for name, series in self.others.items() if series)


def select_series(series: Mapping[str, Series]) -> Selection:
    """Choose the MAX_PANELS longest series for a chart, and thin out any with too many points."""
    ordered = sorted(series, key=lambda name: -len(series[name]))
    names = ordered[:MAX_PANELS]
    drawn = {name: thin(series[name], MAX_POINTS // len(names)) for name in names}
    every, few = (sum(len(each[name]) for name in names) for each in (series, drawn))
    fewer = (
        ""
        if few == every
        else f"The chart shows {few} of the report's {every} points, with the highest and lowest."
    )
    left = len(ordered) - MAX_PANELS
    more = f"Series shown only in the table: {left}." if left > 0 else ""
    others = {name: series[name] for name in ordered[MAX_PANELS:]}
    return Selection(drawn, others, f"{fewer} {more}".strip(), more)


def thin(series: Series, limit: int) -> Series:
    """Return at most `limit` points: the first, the last, and extremes between them."""
    if len(series) <= limit:
        return series
    points = [series[0]]
    for part in split(series[1:-1], (limit - 2) // 2):
        points += sorted({min(part, key=_value), max(part, key=_value)})
    return (*points, series[-1])


def _value(point: tuple[int, float]) -> float:
    return point[1]


def split(sequence: Sequence[Each], number: int) -> list[Sequence[Each]]:
    """Split a sequence into at most `number` non-empty parts of about equal length."""
    number = max(1, min(number, len(sequence)))
    cuts = [nth * len(sequence) // number for nth in range(number + 1)]
    return [sequence[start:end] for start, end in pairwise(cuts) if start < end]


def ticks(high: float, low: float = 0, limit: int = 4) -> list[float]:
    """Return about `limit` round, evenly spaced axis ticks from `low` to `high`."""
    rough = max((high - low) / limit, 1)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * part for part in (1, 2, 5, 10) if power * part >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [nth * step for nth in range(first, max(last, first + 1) + 1)]
