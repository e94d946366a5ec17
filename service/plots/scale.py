"""Numbers to places: a scale, its ticks, and fewer points of what is long."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from projections.figures import Series

POINTS = 480
"""So many points has a picture of series at most, over all of its panels."""
Each = TypeVar("Each")


class Scale(NamedTuple):
    """Values from `low` to `high` onto the places `start` to `end`; `root`: by their square roots, none below 0."""

    low: float
    high: float
    start: float
    end: float
    root: bool = False

    def __call__(self, value: float) -> float:
        low, high, at = (
            math.sqrt(max(0, each)) if self.root else each for each in (self.low, self.high, value)
        )
        return self.start + (at - low) * (self.end - self.start) / ((high - low) or 1)


def ticks(high: float, low: float = 0, most: int = 4, least: float = 1) -> list[float]:
    """Round numbers from `low` to `high` or just above it, at most about so many; `least`: the smallest step."""
    rough = max((high - low) / most, least)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * part for part in (1, 2, 5, 10) if power * part >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [nth * step for nth in range(first, max(last, first + 1) + 1)]


def thinned(series: Series, most: int) -> Series:
    """At most so many points: the first, the last, and the lowest and the highest of each of equal parts between."""
    if len(series) <= most:
        return series
    kept = [series[0]]
    for part in parts(series[1:-1], (most - 2) // 2):
        ends = {min(part, key=_value), max(part, key=_value)}
        kept += sorted(ends)
    return (*kept, series[-1])


class Shown(NamedTuple):
    """What is drawn of many series, thinned, and what stands in the table only; `said` of both."""

    drawn: dict[str, Series]
    others: dict[str, Series]
    said: str
    more: str

    def rows(self) -> Iterator[tuple[str, int, float]]:
        """Every point that is drawn, then the last ones of the others."""
        for who, series in self.drawn.items():
            yield from ((who, version, value) for version, value in series)
        yield from ((who, *series[-1]) for who, series in self.others.items() if series)


def shown(series: Mapping[str, Series], panels: int) -> Shown:
    """Of the longest series first."""
    ordered = sorted(series, key=lambda who: -len(series[who]))
    kept = ordered[:panels]
    drawn = {who: thinned(series[who], POINTS // len(kept)) for who in kept}
    every, few = (sum(len(each[who]) for who in kept) for each in (series, drawn))
    fewer = (
        ""
        if few == every
        else f"Drawn are {few} of {every} points, the highest and the lowest ones among them."
    )
    more = f"{len(ordered) - panels} more in the table only." if len(ordered) > panels else ""
    return Shown(
        drawn, {who: series[who] for who in ordered[panels:]}, f"{fewer} {more}".strip(), more
    )


def parts(sequence: Sequence[Each], number: int) -> list[Sequence[Each]]:
    """At most so many equal parts of it, in order, none of them empty."""
    number = max(1, min(number, len(sequence)))
    cuts = [nth * len(sequence) // number for nth in range(number + 1)]
    return [sequence[start:end] for start, end in pairwise(cuts) if start < end]


def _value(point: tuple[int, float]) -> float:
    return point[1]
