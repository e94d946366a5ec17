"""Every plot of every game: drawn, told, small, and the same numbers in its table; and of evenings of any size."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from functools import lru_cache
from xml.etree.ElementTree import Element, fromstring

import pytest

from projections.statistics_model import SessionReport
from service.charts import SLUG, Plot, plots, svg
from service.charts.plot import Bars
from service.charts.svg.drawing import EDGE, WIDTH, units
from tests.service.charts.reports import GOLDEN, figures, golden, named, odd

SIZES = {
    "one-draw": (1, 1),
    "a-table": (4, 120),
    "twelve-seats": (12, 40),
    "twenty": (20, 300),
    "long": (20, 10_000),
}
EVENINGS = (*GOLDEN, *SIZES, "odd")
MOST_BYTES = 30_000
SPACE = "{http://www.w3.org/2000/svg}"
LETTER = {"head": 13, "quiet": 12, "tick": 12, "": 13}
PARTS = {
    # a plot -> the figures that it is of
    "luck": lambda of: of.luck["seats"], "faces": lambda of: of.faces["drawn"], "results": lambda of: of.results,
    "streaks": lambda of: of.streaks["seats"], "ring": lambda of: of.boards, "points": lambda of: of.points,
    "pools": lambda of: of.points, "conditions": lambda of: of.conditions, "usage": lambda of: of.usage,
    "rewinds": lambda of: of.rewinds.draws, "tempo": lambda of: of.tempo.gaps, "spotlight": lambda of: of.tempo.seats,
    "turns": lambda of: of.tempo.order, "grades": lambda of: of.draws.grades, "voids": lambda of: of.draws.voids,
}  # fmt: skip


@lru_cache
def drawn(which: object) -> tuple[SessionReport, tuple[Plot, ...]]:
    if isinstance(which, str) and which != "table":
        made = odd() if which == "odd" else figures(*SIZES[which])
        return made, plots(
            made, {"@p1": "Ana", "p1": "Ana", "@p2": "A name as long as names may be, and longer"}
        )
    found, names = golden(which)  # type: ignore[arg-type]
    return found, plots(found, names)


def pictured(which: object) -> list[Plot]:
    return [plot for plot in drawn(which)[1] if plot.picture is not None]


every_evening = pytest.mark.parametrize("which", EVENINGS, ids=lambda which: named(which))


@every_evening
def test_what_has_figures_has_a_plot(which: object) -> None:
    found, drawn_ones = drawn(which)
    names = [plot.name for plot in drawn_ones]
    for prefix, part in PARTS.items():
        assert any(name.startswith(prefix) for name in names) == bool(part(found)), prefix


@every_evening
def test_a_plot_has_a_name_and_says_what_it_shows(which: object) -> None:
    _, found = drawn(which)
    assert len({plot.name for plot in found}) == len(found)
    for plot in found:
        assert re.fullmatch(SLUG, plot.name)
        assert plot.title
        assert re.search(r"\d", plot.description), plot.name
        assert plot.description.rstrip().endswith(".")
        assert "  " not in plot.description


@every_evening
def test_a_plot_is_well_formed_small_and_told(which: object) -> None:
    _, found = drawn(which)
    ids = Counter[str]()
    for plot in found:
        if plot.picture is None:
            assert (svg.element(plot), svg.file(plot)) == ("", "")
            continue
        inline, alone = svg.element(plot), svg.file(plot)
        assert max(len(inline.encode()), len(alone.encode())) <= MOST_BYTES, plot.name
        for root in (fromstring(inline), fromstring(alone)):
            told = {each.get("id"): each.text for each in root[:2]}
            assert list(told.values()) == [plot.title, plot.description]
            assert root.get("role") == "img"
            assert (root.get("aria-labelledby") or "").split() == list(told)
            assert {"width", "height"}.isdisjoint(root.keys())
            assert root.findtext(f"{SPACE}style") == (
                None if root[2].tag != f"{SPACE}style" else svg.styles()
            )
        ids.update(each.get("id", "") for each in fromstring(inline).iter() if each.get("id"))
        assert "style" not in {
            name for each in fromstring(inline).iter() for name in (*each.keys(), each.tag)
        }
    assert set(ids.values()) == {1}


@every_evening
def test_every_class_is_drawn_by_the_style(which: object) -> None:
    known = set(re.findall(r"\.([a-z][a-z-]*)", re.sub(r"\d\.\d|/\*.*?\*/", "", svg.styles())))
    for plot in pictured(which):
        used = {
            css
            for each in fromstring(svg.element(plot)).iter()
            for css in each.get("class", "").split()
        }
        assert used - known == set(), plot.name


@every_evening
def test_no_words_stand_out_of_a_picture_or_over_others(which: object) -> None:
    for plot in pictured(which):
        boxes = [_box(each) for each in fromstring(svg.file(plot)).iter(f"{SPACE}text")]
        _, top, _, tall = (
            float(each) for each in (fromstring(svg.file(plot)).get("viewBox") or "").split()
        )
        for left, right, base, words in boxes:
            assert -EDGE <= left <= right <= WIDTH + EDGE, (plot.name, words)
            assert top + 10 <= base <= top + tall - 3, (plot.name, words)
        assert [
            (a[3], b[3], plot.name)
            for nth, a in enumerate(boxes)
            for b in boxes[:nth]
            if _meet(a, b)
        ] == []


def _box(text: Element) -> tuple[float, float, float, str]:
    """Left, right and baseline, as narrow as a narrow face has it; and the words."""
    wide = 0.8 * units(text.text or "", LETTER[text.get("class", "")])
    x, anchor = float(text.get("x", "nan")), text.get("text-anchor", "start")
    left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * wide
    return left, left + wide, float(text.get("y", "nan")), text.text or ""


def _meet(one: tuple[float, float, float, str], other: tuple[float, float, float, str]) -> bool:
    return abs(one[2] - other[2]) < 9 and one[0] < other[1] and other[0] < one[1]


@every_evening
def test_a_table_comes_back_from_its_csv(which: object) -> None:
    for plot in drawn(which)[1]:
        assert plot.rows, plot.name
        header, *rows = csv.reader(io.StringIO(plot.csv(), newline=""), strict=True)
        assert tuple(header) == plot.columns
        assert rows == [[str(cell) for cell in row] for row in plot.rows]
        assert plot.csv().count("\r\n") == len(plot.rows) + 1


@every_evening
def test_a_long_table_is_said_to_be_longer_than_its_picture(which: object) -> None:
    for plot in pictured(which):
        inside = " ".join(
            each.text or "" for each in fromstring(svg.element(plot)).iter(f"{SPACE}text")
        )
        assert ("only in the table" in plot.description) == ("only in the table" in inside), (
            plot.name
        )


NAMES = {
    # the name of a seat -> the cell of it, in a CSV
    "Ana": "Ana",
    "=1+cmd|' /C calc'!A0": "'=1+cmd|' /C calc'!A0", "+1 to all": "'+1 to all", "@home": "'@home", "-x": "'-x",
    "-2": "-2",
    'a "quoted", one': 'a "quoted", one', "<script>&amp;": "<script>&amp;", "two\nlines": "two\nlines",
    "\ttab": "'\ttab",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_words_and_nothing_else(name: str) -> None:
    found = next(plot for plot in plots(figures(1, 5), {"@p1": name}) if plot.name == "spotlight")
    root = fromstring(svg.element(found))
    assert {each.tag for each in root.iter()} <= {
        f"{SPACE}{tag}" for tag in ("svg", "title", "desc", "text", "rect", "line")
    }
    shown = [each.text or "" for each in root.iter(f"{SPACE}text")]
    assert any(name.strip().startswith(each.rstrip("…").strip()) for each in shown if each)
    rows = list(csv.reader(io.StringIO(found.csv(), newline=""), strict=True))
    assert rows[1][0] == NAMES[name]


def test_what_xml_cannot_hold_is_replaced() -> None:
    [found] = [
        plot
        for plot in plots(figures(1, 5), {"@p1": "be\x00ll\x07\x1b[31m\ufffe"})
        if plot.name == "spotlight"
    ]
    assert "be\ufffdll" in (fromstring(svg.file(found))[1].text or "")


def test_names_that_are_alike_have_their_ids() -> None:
    names = {"@p1": "Ana", "@p2": "Ana", "@p3": "p4"}
    [found] = [plot for plot in plots(figures(4, 80), names) if plot.name == "spotlight"]
    assert {row[0] for row in found.rows} == {"Ana (p1)", "Ana (p2)", "p4 (p3)", "p4"}


def test_an_id_that_a_name_already_has_is_not_added_again() -> None:
    names = {"@p1": "Ana (p1)", "@p2": "Ana (p1)"}
    [found] = [plot for plot in plots(figures(4, 80), names) if plot.name == "spotlight"]
    assert {"Ana (p1)", "Ana (p1) (p2)"} <= {row[0] for row in found.rows}


def test_plots_that_are_called_alike_are_told_apart() -> None:
    of = figures(1, 9, dice=(("d6", 6), ("D 6", 6), ("d-6", 6)))
    names = [plot.name for plot in plots(of) if plot.name.startswith("faces-d-6")]
    assert names == ["faces-d-6", "faces-d-6-2"]


def test_a_void_shows_its_shadow_with_names() -> None:
    [found] = [
        plot
        for plot in plots(figures(2, 9), {"@p1": "Ana", "@p2": "Ben", "p1": "Rat"})
        if plot.name == "voids"
    ]
    assert found.rows == (
        (9, 4, "Ana", "Ben", "d6 shows 5. Rat waits.", 12),
        (20, 10, "Ana", "Ben", "", ""),
    )


def test_eight_kinds_are_drawn_and_every_other_one_is_a_table() -> None:
    found = drawn("a-table")[1]
    kinds = {"bars": set[str](), "lines": set[str](), "table": set[str]()}
    for plot in found:
        kind = "table" if plot.picture is None else type(plot.picture).__name__.lower()
        kinds[kind].add(plot.name.split("-")[0])
    assert kinds == {
        "bars": {"faces", "results", "ring", "points", "spotlight"},
        "lines": {"luck", "pools", "tempo"},
        "table": {
            "streaks",
            "changed",
            "conditions",
            "usage",
            "turns",
            "rewinds",
            "grades",
            "voids",
        },
    }


def test_many_numbers_are_drawn_in_ranges() -> None:
    [found] = [plot for plot in drawn("a-table")[1] if plot.name == "faces-d100"]
    assert isinstance(found.picture, Bars)
    bars = found.picture.groups[0].bars
    assert [bar.label for bar in bars][::9] == ["1 to 10", "91 to 100"]
    assert sum(bar.value for bar in bars) == sum(row[1] for row in found.rows)  # type: ignore[misc]
    assert len(found.rows) == 100
