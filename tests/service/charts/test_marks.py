"""The numbers of a picture, read back from where its marks stand, are those of its table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from domain.rulesets import RULESETS
from service.charts import Plot, plots, svg
from service.charts.plot import Bars, Lines
from tests.service.charts.reports import figures, golden, named

EVENINGS = ((1, 1), (2, 9), (4, 120), (20, 2_000), *RULESETS[:1])
BARS = {
    # plots -> the columns of their bars and outlined bars, and of the expected value, low and high
    "faces-": ("seen", "", "expected", "low", "high"), "results-ruling": ("settled", "", "", "", ""),
    "results-check": ("rolled", "settled", "expected", "low", "high"),
    "ring": ("rolled", "settled", "expected", "", ""),
    "points-": ("gained", "lost", "", "", ""), "spotlight": ("turns", "", "", "", ""),
    "luck": ("percentile", "", "", "", ""),
}  # fmt: skip
LINES = {"luck": "z", "pools-": "", "tempo": "longest wait in minutes"}
Row = dict[str, Any]
Found = tuple[Plot, list[Row], Element]
"""A plot, its table by column, and its picture."""


@lru_cache
def drawn(which: Any) -> list[Found]:
    found = plots(figures(*which)) if isinstance(which, tuple) else plots(*golden(which))
    return [
        (
            plot,
            [dict(zip(plot.columns, row, strict=True)) for row in plot.rows],
            fromstring(svg.element(plot)),
        )
        for plot in found
        if plot.picture is not None
    ]


every_evening = pytest.mark.parametrize(
    "which",
    EVENINGS,
    ids=lambda which: named(which) if not isinstance(which, tuple) else "-".join(map(str, which)),
)


def of_kind(which: Any, kind: type) -> Iterator[Found]:
    yield from (
        (plot, rows, root) for plot, rows, root in drawn(which) if isinstance(plot.picture, kind)
    )


def numbers(said: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", said)]


def at(element: Element, *names: str) -> list[float]:
    return [float(element.get(name, "nan")) for name in names]


def marks(root: Element, tag: str, css: str) -> list[Element]:
    return [each for each in root if each.tag.endswith(tag) and each.get("class") == css]


@every_evening
def test_bars(which: Any) -> None:
    seen = 0
    for plot, rows, root in of_kind(which, Bars):
        column = next(
            (columns for prefix, columns in BARS.items() if plot.name.startswith(prefix)), None
        )
        if column is None:
            continue  # a game's own kinds of results have the shapes of those above
        bars = [each for each in marks(root, "rect", "seen") if each.get("height") == "10"]
        scale = across(root)
        unit = 0.11 * per_unit(scale)
        kept = rows[: len(bars)]
        assert [at(each, "width")[0] * per_unit(scale) for each in bars] == near(
            [row[column[0]] for row in kept], unit
        )
        if column[1]:
            second = [each for each in marks(root, "rect", "second") if each.get("height") == "6"]
            assert len(second) in (0, len(bars))
            assert [at(each, "width")[0] * per_unit(scale) for each in second] == near(
                [row[column[1]] for row in kept][: len(second)], unit
            )
        if column[2]:
            diamonds = marks(root, "polygon", "chance")[-len(bars) :]
            assert [scale(numbers(each.get("points", ""))[0]) for each in diamonds] == near(
                [row[column[2]] for row in kept], unit
            )
        if column[3]:
            ends = [
                each for each in marks(root, "line", "interval") if each.get("y1") == each.get("y2")
            ][-len(bars) :]
            for nth, side in ((3, "x1"), (4, "x2")):
                assert [scale(at(each, side)[0]) for each in ends] == near(
                    [row[column[nth]] for row in kept], unit
                )
        assert len(kept) == len(rows) or "only in the table" in plot.description
        seen += len(bars)
    assert seen


def near(values: list[float], unit: float) -> Any:
    return pytest.approx(values, abs=unit, rel=1e-3)


def per_unit(scale: Any) -> float:
    return float(scale(1) - scale(0))


def across(root: Element) -> Any:
    """Place -> value, from the words below the axis."""
    ticks = [(at(each, "x")[0], float(each.text or "nan")) for each in marks(root, "text", "tick")]
    return straight(ticks[0], ticks[-1])


def straight(one: tuple[float, float], other: tuple[float, float]) -> Any:
    slope = (other[1] - one[1]) / (other[0] - one[0])
    return lambda place: one[1] + (place - one[0]) * slope


def panels(root: Element) -> Iterator[list[Element]]:
    """The elements of each panel, which begins with its heading."""
    found: list[list[Element]] = []
    for each in root:
        if each.get("class") == "head":
            found.append([])
        if found:
            found[-1].append(each)
    yield from found or [list(root)]


WORDS = {"m": 1, "h": 60, "d": 1440, "y": 525_600, "": 1}


def worth(words: str) -> float:
    """What a word beside an axis stands for."""
    [(number, letter)] = re.findall(r"^(-?[\d.]+)(?: ([mhdy]))?$", words)
    return float(number) * WORDS[letter]


def upward(panel: list[Element], root_of: bool = False) -> Any:
    """Place -> value, from the words left of the axis."""
    ticks = [
        (at(each, "y")[0] - 4, worth(each.text or ""))
        for each in panel
        if each.get("class") == "tick" and each.get("text-anchor") == "end"
    ]
    if root_of:
        scale = straight((ticks[0][0], ticks[0][1] ** 0.5), (ticks[-1][0], ticks[-1][1] ** 0.5))
        return lambda place: scale(place) ** 2
    return straight(ticks[0], ticks[-1])


def by_first(rows: list[Row], name: str) -> dict[str, list[Row]]:
    return {who: list(group) for who, group in groupby(rows, key=itemgetter(name))}


@every_evening
def test_lines_and_steps(which: Any) -> None:
    seen = 0
    for plot, rows, root in of_kind(which, Lines):
        value = next(
            name or plot.columns[2]
            for prefix, name in LINES.items()
            if plot.name.startswith(prefix)
        )
        found = list(panels(root))
        tables = by_first(rows, plot.columns[0]) if plot.name != "tempo" else {"all seats": rows}
        for panel, (who, table) in zip(found, tables.items(), strict=False):
            scale = upward(panel)
            [line] = [each for each in panel if each.get("class") == "seen-line"]
            assert [scale(y) for y in places(line)] == near(
                [row[value] for row in table], 2 * 0.051 * abs(per_unit(scale))
            )
            assert (panel[0].text or "").rstrip("…") in who
            seen += len(table)
        assert len(found) == len(tables) or "only in the table" in plot.description
    assert seen


def places(line: Element) -> list[float]:
    """The heights that a line or steps go through."""
    if line.tag.endswith("polyline"):
        return numbers(line.get("points", ""))[1::2]
    first = numbers((line.get("d") or "").split("H")[0])[1]
    return [first, *(float(each) for each in re.findall(r"V(-?[\d.]+)", line.get("d", "")))]


def test_a_long_series_keeps_its_ends() -> None:
    whole = figures(8, 3_000)
    found = {plot.name: plot for plot in plots(whole)}
    for seat, luck in whole.luck["drawn"]["seats"].items():
        kept = [row for row in found["luck-course"].rows if row[0] == seat]
        values = [z for _, z in luck.series]
        assert len(kept) <= 60 < len(values)
        assert (kept[0][1:], kept[-1][1:]) == (luck.series[0], luck.series[-1])
        assert (min(row[2] for row in kept), max(row[2] for row in kept)) == (
            min(values),
            max(values),
        )
        assert {row[1:] for row in kept} <= set(luck.series)
    every = sum(len(luck.series) for luck in whole.luck["drawn"]["seats"].values())
    assert f"of the report's {every} points" in found["luck-course"].description
    longest = max(wait for _, wait in whole.tempo.gaps)
    assert max(row[3] for row in found["tempo"].rows) == longest
    assert sum(row[2] for row in found["tempo"].rows) == len(whole.tempo.gaps)  # type: ignore[misc]
