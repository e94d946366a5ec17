"""What the charts are drawn with: bars that need no colour, small tables, and words that cannot drive a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from projections.figures import Seen
from service.verifier import plain

T = TypeVar("T")

BAR, MIDDLE, CURVE = 18, 25, 12  # columns; MIDDLE is odd
WORD = 18  # columns of the longest label
Z_SHOWN, Z_BAND = 4.0, 1.96  # where the bar around the middle ends; 95 of 100 lie within the band
LEVELS = "▁▂▃▄▅▆▇█"
ENOUGH = 10  # draws from which bars say something

QUIET, SEEN, BAND, MARK = "grey62", "cyan", "grey42", "bold"


def word(text: object, style: str = "") -> Text:
    """A label out of a stranger's file."""
    return Text(plain(str(text)), style)


def section(title: str, *parts: RenderableType) -> Group:
    return Group(Text(title, "bold"), *parts, "")


def grid(*headings: str, words: int = 1) -> Grid:
    """A small table; its first columns are `words`, the rest are numbers. A heading of a bar is empty."""
    table = Grid(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
        header_style=QUIET,
    )
    for nth, heading in enumerate(headings):
        is_word = nth < words or not heading
        table.add_column(
            heading,
            justify="left" if is_word else "right",
            no_wrap=True,
            overflow="ellipsis",
            max_width=WORD if nth < words else None,
        )
    return table


def against(seen: Seen, most: float) -> Text:
    """`seen` as a bar of `most`, over the band where 95 of 100 honest tables lie, with a stroke where chance points."""
    bar = Text()
    point = max(0, math.ceil(BAR * seen.expected / most) - 1) if most else 0
    for column in range(BAR):
        here = (column + 0.5) * most / BAR
        full, within = here < seen.seen, seen.low - 1 < here < seen.high
        signs = "┃▓█" if full else "│░ "
        bar.append(
            signs[0] if column == point else signs[1] if within else signs[2],
            SEEN if full else BAND,
        )
    bar.stylize(MARK, point, point + 1)
    return bar


def part(share: float) -> Text:
    """A share of one as a bar."""
    full = round(BAR * max(0.0, min(share, 1.0)))
    return Text.assemble(("█" * full, SEEN), ("░" * (BAR - full), BAND))


def around(z: float) -> Text:
    """`z` as a bar from the middle: to the right above expectation; dots where 95 of 100 honest seats end."""
    bar, half = Text(), MIDDLE // 2
    tip, band = (round(half * min(reach / Z_SHOWN, 1.0)) for reach in (abs(z), Z_BAND))
    for column in range(-half, half + 1):
        reached = 0 < abs(column) <= tip and (column > 0) is (z > 0)
        if column == 0:
            bar.append("│", MARK)
        else:
            bar.append(
                "█" if reached else "·" if abs(column) <= band else " ", SEEN if reached else BAND
            )
    return bar


def curve(values: Sequence[float]) -> str:
    """The values in order, as so many columns of small blocks."""
    if not values:
        return ""
    step = max(1.0, len(values) / CURVE)
    few = [
        values[min(len(values) - 1, int((nth + 1) * step) - 1)]
        for nth in range(min(CURVE, len(values)))
    ]
    low, high = min(few), max(few)
    spread = (high - low) or 1
    return "".join(LEVELS[int((len(LEVELS) - 1) * (value - low) / spread)] for value in few)


def share(part: float) -> str:
    """A chance or a p, as people read it."""
    return "<0.1%" if 0 < part < 0.001 else f"{100 * part:.{1 if part < 0.1 else 0}f}%"


def first(items: Iterable[T], most: int) -> Iterator[T]:
    return islice(items, most)


def more(number: int, most: int) -> list[Text]:
    """The line below a list that was cut after `most`."""
    return [Text(f"and {number - most:,} more (--json has all)", QUIET)] if number > most else []


class Names:
    """How seats and entities are called: by id, with the name where it is known."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def seat(self, seat: str) -> Text:
        name = self._known.get(f"@{seat}", seat)
        return word(seat if name == seat else f"{seat} {name}")

    def entity(self, entity: str) -> Text:
        return (
            self.seat(entity[1:])
            if entity.startswith("@")
            else word(self._known.get(entity, entity))
        )
