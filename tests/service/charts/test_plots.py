"""Every plot of every game and of sessions of any size: drawn, described, small, with a table of the same numbers."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from projections import statistics_model as m
from projections.statistics_model import SessionReport
from service.charts import SLUG, Plot, plots, svg
from service.charts.plot import Bars
from service.charts.svg.drawing import EDGE, WIDTH, units
from tests.service.charts.reports import (
    GOLDEN,
    NAMES as NAMES_OF_SEATS,
    chance_test,
    evening,
    figures,
    golden,
    named,
    odd,
    of_range,
    typed_in,
)

SIZES = {
    "one-draw": (1, 1),
    "a-table": (4, 120),
    "twelve-seats": (12, 40),
    "twenty": (20, 300),
    "long": (20, 10_000),
}
SAMPLES = {"typed-in": typed_in, "range": of_range}
EVENINGS = (*GOLDEN, *SIZES, *SAMPLES, "odd")
MOST_BYTES = 30_000
SPACE = "{http://www.w3.org/2000/svg}"
LETTER = {"head": 13, "quiet": 12, "tick": 12, "": 13}


def has_luck(report: SessionReport, least: int, group: str = "seats") -> bool:
    found = report.luck.get("drawn", {}).get(group, {}).values()
    return any(each.draws >= least for each in found)


def has_points(report: SessionReport) -> bool:
    times = Counter[str]()
    for pools in report.points.values():
        for pool, of in pools.items():
            times[pool] += sum(flow.times for flow in of.why.values())
    return max(times.values(), default=0) >= 2


PARTS: dict[str, Callable[[SessionReport], object]] = {
    # the beginning of a plot's name -> whether the report has enough for one
    "luck": lambda of: of.headline and has_luck(of, 5), "luck-course": lambda of: has_luck(of, 5),
    "luck-entities": lambda of: has_luck(of, 10, "entities"), "streaks": lambda of: has_luck(of, 5),
    "faces": lambda of: [each for origin in of.faces.values() for each in origin.values() if each.draws >= 5],
    "results": lambda of: of.results, "ring": lambda of: of.boards, "points": has_points,
    "pools": has_points, "conditions": lambda of: of.conditions,
    "usage": lambda of: sum(each.rolls for each in of.usage.values()) >= 5,
    "rewinds": lambda of: of.rewinds.draws, "tempo": lambda of: of.tempo.gaps, "spotlight": lambda of: of.tempo.seats,
    "grades": lambda of: of.draws.grades, "voids": lambda of: of.draws.voids,
}  # fmt: skip
ORDER = (
    "luck", "results", "changed", "faces", "luck-course", "luck-entities", "points", "pools", "ring", "streaks",
    "conditions", "usage", "tempo", "spotlight", "rewinds", "grades", "voids",
)  # fmt: skip
"""The beginnings of the plots' names, in the order of interest."""


@lru_cache
def drawn(which: object) -> tuple[SessionReport, tuple[Plot, ...]]:
    if isinstance(which, str) and which in SAMPLES:
        return SAMPLES[which](), plots(SAMPLES[which](), NAMES_OF_SEATS)
    if isinstance(which, str) and which != "table":
        made = odd() if which == "odd" else figures(*SIZES[which])
        return made, plots(
            made, {"@p1": "Ana", "p1": "Ana", "@p2": "A name as long as names may be, and longer"}
        )
    found, names = golden(which)
    return found, plots(found, names)


def pictured(which: object) -> list[Plot]:
    return [plot for plot in drawn(which)[1] if plot.picture is not None]


every_evening = pytest.mark.parametrize("which", EVENINGS, ids=lambda which: named(which))


@every_evening
def test_what_has_figures_has_a_plot(which: object) -> None:
    found, drawn_ones = drawn(which)
    names = [plot.name for plot in drawn_ones]
    for prefix, part in PARTS.items():
        is_exact = prefix.startswith(("luck", "streaks"))
        has_plot = prefix in names if is_exact else any(name.startswith(prefix) for name in names)
        assert has_plot == bool(part(found)), prefix


@every_evening
def test_plots_are_in_the_order_of_interest(which: object) -> None:
    names = [plot.name for plot in drawn(which)[1]]
    places = [
        max((len(prefix), nth) for nth, prefix in enumerate(ORDER) if name.startswith(prefix))[1]
        for name in names
    ]
    assert places == sorted(places), names


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


def test_a_void_shows_its_result_with_names() -> None:
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
        "bars": {"luck", "faces", "results", "ring", "points", "spotlight"},
        "lines": {"luck", "pools", "tempo"},
        "table": {
            "streaks",
            "changed",
            "conditions",
            "usage",
            "rewinds",
            "grades",
            "voids",
        },
    }


def test_ranges_of_numbers_are_in_order() -> None:
    [found] = [plot for plot in drawn("a-table")[1] if plot.name == "faces-d100"]
    assert isinstance(found.picture, Bars)
    bars = found.picture.groups[0].bars
    assert [bar.label for bar in bars] == [f"{first} to {first + 9}" for first in range(1, 100, 10)]
    of = replace(figures(), faces={"drawn": {"d30": ranges_of_3()}})
    [found] = [plot for plot in plots(of) if plot.name == "faces-d30"]
    assert [row[0] for row in found.rows][:4] == ["1 to 3", "4 to 6", "7 to 9", "10 to 12"]


def ranges_of_3() -> m.Faces:
    """Return the values of a d30 in the order of their names."""
    names = sorted(f"{first} to {first + 2}" for first in range(1, 30, 3))
    return m.Faces(30, {name: m.ObservedCount(3, 3.0, 0, 7) for name in names})


def test_the_luck_of_seats_is_a_percentile_and_the_luckiest_is_first() -> None:
    [found] = [plot for plot in plots(evening(), NAMES_OF_SEATS) if plot.name == "luck"]
    assert found.rows == (
        ("Bo", 93.0, 20, 0, 12, 20, 9.3),
        ("Gwen", 56.0, 20, 0, 10, 20, 10.0),
        ("Ana", 35.0, 20, 0, 9, 20, 10.0),
        ("Pia", 14.0, 15, 0, 5, 15, 7.5),
    )
    assert "Bo: better than 9 of 10 sessions; Gwen: an ordinary session" in found.description
    ticks = [each for each in fromstring(svg.element(found)).iter() if each.get("class") == "tick"]
    assert [each.text for each in ticks] == ["0", "50", "100"]


def test_typed_in_dice_have_plots_of_their_own() -> None:
    found = {plot.name: plot for plot in plots(typed_in(), NAMES_OF_SEATS)}
    for name in ("luck", "luck-course", "streaks"):
        assert found[f"{name}-declared"].title == f"{found[name].title}, typed-in dice"
    assert found["luck-declared"].rows == (("Ana", 100.0, 40, 0, 40, 40, 6.7),)
    assert (
        "luck: lucky (p below 0.001, corrected below 0.001)"
        in found["luck-course-declared"].description
    )
    assert found["streaks-declared"].rows == (("Ana", "lucky", 40, 1, 118, ""),)
    assert "faces-d6-the-red-d6-declared" in found


def test_a_range_has_no_percentiles_and_no_tests() -> None:
    found = {plot.name: plot for plot in plots(of_range(), NAMES_OF_SEATS)}
    assert {"luck", "luck-course", "faces-d6"} & found.keys() == {"luck-course", "faces-d6"}
    for plot in found.values():
        assert not re.search(r"\(p |Test of|too few", plot.description), plot.name
        assert plot.about == "Versions 5 to 225."


VERDICTS = {
    "lucky": "lucky", "unlucky": "unlucky", "uneven": "uneven", "even": "too even",
    "repeating": "too many repetitions", "changing": "too few repetitions", "fair": "consistent with chance",
}  # fmt: skip


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_test_is_described_with_its_verdict(verdict: str) -> None:
    faces = replace(
        figures().faces["drawn"]["d6"], tests={"even": chance_test(verdict, 40, 1.5, 0.02)}
    )
    [found] = [
        plot
        for plot in plots(replace(figures(), faces={"drawn": {"d6": faces}}))
        if plot.name == "faces-d6"
    ]
    assert f"Test of evenness: {VERDICTS[verdict]} (p 0.020, corrected 0.10)." in found.description


def test_a_test_that_was_not_run_has_no_p() -> None:
    [found] = [plot for plot in plots(figures(1, 7)) if plot.name == "faces-d6"]
    assert "Test of repetitions: too few draws to say." in found.description
    assert "(p " not in found.description


def test_few_draws_have_no_plot() -> None:
    """Four of each kind are too few, and five are enough."""
    few, enough = (
        {plot.name.partition("-")[0] for plot in plots(of_few(number))} for number in (4, 5)
    )
    assert enough - few == {"luck", "streaks", "faces", "results", "ring", "usage"}


def of_few(number: int) -> SessionReport:
    count = m.ObservedCount(number, 1.0, 0, 9)
    of = figures(1, number)
    outcomes = {"S": m.OutcomeCounts(number, count, m.ObservedCount(0, 0.0, 0, 0))}
    return replace(
        of,
        faces={"drawn": {"d6": m.Faces(number, {"6": count})}},
        results={"seats": {"p1": {"check": m.ActionStatistics(outcomes)}}},
        boards={"ring": m.BoardStatistics(("F", "S"), (number, 0), (1.0, 1.0), (number, 0))},
        usage={"d6": m.Usage(number, count, ((1, 0.5, 0.5),))},
    )


def test_a_pool_that_changed_once_has_no_plot() -> None:
    pools = {
        name: m.PoolStatistics({"hit": m.Flow(0, 1, 1)}, ((3, 1.0), (4, 0.0))) for name in "AB"
    }
    names = {
        plot.name
        for plot in plots(replace(figures(), points={"p1": pools, "p2": {"A": pools["A"]}}))
    }
    assert {"points-a", "pools-a"} <= names
    assert not {"points-b", "pools-b"} & names


def test_an_entity_with_fewer_than_ten_rolls_has_no_curve() -> None:
    names = [{plot.name for plot in plots(figures(1, number))} for number in (9, 10)]
    assert ["luck-entities" in each for each in names] == [False, True]


def test_a_rewind_shows_both_rolls_with_their_luck() -> None:
    undone = m.UndoneDraw(
        m.DrawnValue(4, "3 + 11", "failure", -31),
        "p1",
        "@p1",
        "check",
        9,
        m.DrawnValue(12, "6", "6"),
    )
    of = replace(figures(), rewinds=m.RewindStatistics(1, 1, (undone, replace(undone, next=UNSET))))
    [found] = [plot for plot in plots(of) if plot.name == "rewinds"]
    start = (9, "p1", "p1 (seat)", "check", 4, "3 + 11: failure", -31)
    assert found.rows == ((*start, 12, "6", ""), (*start, "", "", ""))


def test_breaks_are_counted_and_a_thinned_chart_says_so() -> None:
    of = figures(2, 700)
    of = replace(of, tempo=replace(of.tempo, breaks=2))
    [found] = [plot for plot in plots(of) if plot.name == "tempo"]
    assert "minutes and 2 breaks, half of them" in found.description
    assert f"based on {len(of.tempo.gaps)} of 697 waits, evenly spaced." in found.description
