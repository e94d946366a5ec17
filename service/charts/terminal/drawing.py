"""Bars, curves and small tables that are readable in a terminal without colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from service.charts.plot import Bar
from service.platform.text import printable

BAR_WIDTH, CURVE_WIDTH = 18, 24
LEVELS = "▁▂▃▄▅▆▇█"
QUIET, SEEN, BAND, MARK = "grey62", "cyan", "grey42", "bold"


def word(text: object, style: str = "") -> Text:
    """Return text that is safe to print, even from an untrusted file."""
    return Text(printable(str(text)), style)


def grid(headings: Sequence[str], words: int = 1) -> Table:
    """Return an empty table. The first `words` columns contain text."""
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
        header_style=QUIET,
    )
    for nth, heading in enumerate(headings):
        justify = "left" if nth < words or not heading else "right"
        table.add_column(word(heading), justify=justify, overflow="fold")  # type: ignore[arg-type]
    return table


def draw_bar(bar: Bar, reach: float) -> Text:
    """Draw the bar. A vertical line marks the value expected by chance.

    The shaded background marks the range in which the value falls in 95 of 100 sessions with fair
    dice.
    """
    text = Text()
    at = -1
    if bar.chance is not None and reach:
        at = max(0, math.ceil(BAR_WIDTH * bar.chance / reach) - 1)
    for column in range(BAR_WIDTH):
        here = (column + 0.5) * reach / BAR_WIDTH
        full = here < bar.value
        within = bar.high > bar.low and bar.low - 1 < here < bar.high
        signs = "┃▓█" if full else "│░ "
        sign = signs[0] if column == at else signs[1] if within else signs[2]
        text.append(sign, SEEN if full else BAND)
    if at >= 0:
        text.stylize(MARK, at, at + 1)
    return text


def draw_percentile(percentile: float, ascii_only: bool = False) -> Text:
    """Draw a scale from unlucky to lucky, with a mark at the percentile (from 0 to 1).

    The shaded part contains the middle half of all sessions, and the vertical line is the middle.
    """
    outer, usual, line, mark = "-:|#" if ascii_only else "─░│█"
    middle, at = BAR_WIDTH // 2, min(BAR_WIDTH - 1, int(BAR_WIDTH * percentile))
    text = Text()
    for column in range(BAR_WIDTH):
        is_usual = 0.25 <= (column + 0.5) / BAR_WIDTH <= 0.75
        text.append(line if column == middle else usual if is_usual else outer, BAND)
    return Text.assemble(text[:at], (mark, f"{MARK} {SEEN}"), text[at + 1 :])


def draw_curve(values: Sequence[float]) -> Text:
    """Draw the values as a line of block characters of different heights."""
    step = max(1.0, len(values) / CURVE_WIDTH)
    ends = [int((nth + 1) * step) - 1 for nth in range(min(CURVE_WIDTH, len(values)))]
    few = [values[min(len(values) - 1, end)] for end in ends]
    low, spread = min(few), (max(few) - min(few)) or 1
    return Text(
        "".join(LEVELS[int((len(LEVELS) - 1) * (value - low) / spread)] for value in few), SEEN
    )
