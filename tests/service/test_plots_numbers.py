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
from service.plots import Plot, plots
from service.plots.bars import Bars
from service.plots.columns import Columns
from service.plots.lines import Lines
from tests.service.plotted import figures, golden, named

EVENINGS = ((1, 1), (2, 9), (4, 120), (20, 2_000), *RULESETS[:1])
BARS = {
    # plots -> the columns of their bars and outlined bars, and of what chance gives, low and high
    "faces-": ("seen", "", "chance gives", "low", "high"), "results-ruling": ("settled", "", "", "", ""),
    "results-check": ("rolled", "settled", "chance gives", "low", "high"),
    "streaks": ("draws", "", "", "", ""), "changed": ("times", "", "", "", ""),
    "points-": ("gained", "lost", "", "", ""), "conditions": ("rounds", "longest", "", "", ""),
    "spotlight": ("turns", "", "", "", ""), "grades": ("draws", "", "", "", ""),
}  # fmt: skip
LINES = {"luck": "z", "luck-entities": "z", "pools-": "", "usage": "share that holds"}
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
            fromstring(plot.svg()),
        )
        for plot in found
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
            ends = [
                each for each in marks(root, "line", "interval") if each.get("y1") == each.get("y2")
            ][-len(bars) :]
            for nth, side in ((3, "x1"), (4, "x2")):
                assert [scale(at(each, side)[0]) for each in ends] == near(
                    [row[column[nth]] for row in kept], unit
                )
        assert len(kept) == len(rows) or "in the table only" in plot.description
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
        found, tables = list(panels(root)), by_first(rows, plot.columns[0])
        for panel, (who, table) in zip(found, tables.items(), strict=False):
            scale = upward(panel)
            [line] = [each for each in panel if each.get("class") == "seen-line"]
            assert [scale(y) for y in places(line)] == near(
                [row[value] for row in table], 2 * 0.051 * abs(per_unit(scale))
            )
            assert (panel[0].text or "").rstrip("…") in who
            seen += len(table)
        assert len(found) == len(tables) or "in the table only" in plot.description
    assert seen


def places(line: Element) -> list[float]:
    """The heights that a line or steps go through."""
    if line.tag.endswith("polyline"):
        return numbers(line.get("points", ""))[1::2]
    first = numbers((line.get("d") or "").split("H")[0])[1]
    return [first, *(float(each) for each in re.findall(r"V(-?[\d.]+)", line.get("d", "")))]


@every_evening
def test_columns(which: Any) -> None:
    for plot, rows, root in of_kind(which, Columns):
        value = "longest wait in minutes" if plot.name == "tempo" else "seen"
        found = list(panels(root))
        tables = list(by_first(rows, "seat").values()) if "seat" in plot.columns else [rows]
        for panel, table in zip(found, tables, strict=False):
            scale = upward(panel, plot.name == "tempo")
            [path] = [
                each for each in panel if each.tag.endswith("path") and each.get("class") == "seen"
            ]
            tops = [
                float(base) - float(tall)
                for base, tall in re.findall(r",(-?[\d.]+)v-?([\d.]+)", path.get("d", ""))
            ]
            assert len(tops) == len(table)
            for top, row in zip(tops, table, strict=True):
                unit = abs(scale(top) - scale(top - 0.16))
                assert scale(top) == pytest.approx(row[value], abs=unit)
        assert len(found) == len(tables) or "in the table only" in plot.description


@every_evening
def test_the_strip_of_turns(which: Any) -> None:
    [(plot, rows, root)] = [each for each in drawn(which) if each[0].name == "turns"]
    slots = {
        row["from version"]: sum(
            each["turns"] for each in rows if each["from version"] == row["from version"]
        )
        for row in rows
    }
    lanes = marks(root, "path", "act")
    labels = [each.text for each in root if each.tag.endswith("text") and not each.get("class")]
    most = max(row["turns"] / slots[row["from version"]] for row in rows)
    for lane, label in zip(lanes, labels, strict=True):
        heights = [float(each) for each in re.findall(r"v-([\d.]+)", lane.get("d", ""))]
        shares = [row["turns"] / slots[row["from version"]] for row in rows if row["seat"] == label]
        assert [height / 18 * most for height in heights] == pytest.approx(shares, abs=0.004)
    assert (
        len(lanes) == len({row["seat"] for row in rows}) or "in the table only" in plot.description
    )


def test_the_ring() -> None:
    [(_, rows, root)] = [each for each in drawn((4, 120)) if each[0].name == "ring-ring"]
    for css, column in (("seen", "rolled"), ("second", "settled")):
        heights = [
            at(each, "height")[0] for each in marks(root, "rect", css) if each.get("width") == "13"
        ]
        most = max(max(row["rolled"], row["settled"], row["chance gives"]) for row in rows)
        assert [height * most / 40 for height in heights] == pytest.approx(
            [row[column] for row in rows], abs=0.02
        )
    feet = {round(at(each, "y1")[0], 1) for each in marks(root, "line", "axis")}
    assert len(feet) == 4  # six points, two of them beside each other twice


def test_rewinds() -> None:
    [(_, rows, root)] = [each for each in drawn((4, 120)) if each[0].name == "rewinds"]
    zero, _, one = (at(each, "x1")[0] for each in marks(root, "line", "grid"))
    for css, column in (("undone", "luck"), ("again", "its luck")):
        dots = [at(each, "cx")[0] for each in marks(root, "circle", css)][1:]
        assert [(dot - zero) / (one - zero) for dot in dots] == pytest.approx(
            [row[column] for row in rows], abs=0.001
        )


def test_a_long_series_keeps_its_ends() -> None:
    whole = figures(2, 3_000)
    found = {plot.name: plot for plot in plots(whole)}
    for seat, luck in whole.luck["seats"].items():
        kept = [row for row in found["luck"].rows if row[0] == seat]
        values = [z for _, z in luck.series]
        assert len(kept) <= 240 < len(values)
        assert (kept[0][1:], kept[-1][1:]) == (luck.series[0], luck.series[-1])
        assert (min(row[2] for row in kept), max(row[2] for row in kept)) == (
            min(values),
            max(values),
        )  # type: ignore[type-var]
        assert {row[1:] for row in kept} <= set(luck.series)
    assert "of 3000 points" in found["luck"].description
    longest = max(wait for _, wait in whole.tempo.gaps)
    assert max(row[3] for row in found["tempo"].rows) == longest  # type: ignore[type-var]
    assert sum(row[2] for row in found["tempo"].rows) == 2_999  # type: ignore[misc]
