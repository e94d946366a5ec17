"""Statistics in a terminal: understood at once, complete, in any width, without colour, and safe."""

from __future__ import annotations

import io
import re

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console, RenderableType

from projections import statistics_model as m
from service.charts import plots
from service.charts.labels import EXPLANATION
from service.charts.plot import Bar
from service.charts.terminal.drawing import BAR_WIDTH, draw_bar, draw_curve, draw_percentile
from service.charts.terminal.statistics import MAX_ROWS, draw_statistics, draw_summary
from tests.service.charts.reports import (
    FINDINGS,
    NAMES,
    evening,
    figures,
    loaded,
    lucky,
    of_range,
    typed_in,
)

NOTHING = m.SessionReport(
    version=0,
    first=1,
    last=0,
    headline="No one has rolled yet.",
    verdicts={},
    highlights=(),
    secret={},
    faces={},
    luck={},
    streaks={},
    results={},
    points={},
    conditions={},
    boards={},
    usage={},
    rewinds=m.RewindStatistics(0, 0),
    tempo=m.Tempo(0, 0.0, 0.0, {}),
    draws=m.DrawStatistics({}),
)
HOSTILE = "\x1b[31m\x9b31m[bold]\u202eab\nc"
IN_ASCII = str.maketrans("─░│█", "-:|#")
SAMPLES = {"fair": evening, "loaded": loaded, "typed-in": typed_in, "range": of_range}
every_sample = pytest.mark.parametrize("sample", SAMPLES)


def shown(chart: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(chart)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def overview(report: m.SessionReport, width: int = 80) -> list[str]:
    """Return the lines above the details, without spaces at their ends."""
    lines = [line.rstrip() for line in shown(draw_statistics(report, NAMES), width).splitlines()]
    return lines[: lines.index("Details") - 1]


def unwrapped(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_headline_and_the_people_come_first_and_then_the_verdict() -> None:
    assert overview(evening()) == [
        "Bo was luckiest: better than 9 of 10 sessions. Nothing suspicious.",
        "",
        "      unlucky      lucky                                successes",
        "─" * 79,
        "Bo    ────░░░░░│░░░░──█─  better than 9 of 10 sessions  12 of 20 (9.3 expected)",
        "Gwen  ────░░░░░│█░░░────  an ordinary session           10 of 20 (10 expected)",
        "Ana   ────░░█░░│░░░░────  an ordinary session           9 of 20 (10 expected)",
        "Pia   ──█─░░░░░│░░░░────  worse than 8 of 10 sessions   5 of 15 (7.5 expected)",
        "Compared with fair dice and the same rolls. How good a success was counts, too.",
        "The line is the average, and half of all sessions end in the shaded part.",
        "Mo: too few rolls to say",
        "Gwen: 29 of 60 secret rolls are open, so they are not counted",
        "",
        "Nothing suspicious about the dice and cards.",
        "With 75 rolls of the d6, a value that comes 5 times as often as each other one",
        "would be found in 98% of sessions. At 2 times as often, it would probably be",
        "missed.",
        "",
        "Highlights",
        "  version 71         Bo Thirsty rolled 6 + 6 + 6 (attack): perfect (1 in 216).",
        "  versions 52 to 80  Pia had 6 rolls in a row without a success (1 in 64).",
        "",
    ]


def test_findings_are_below_the_verdict_with_names() -> None:
    lines = overview(loaded())
    assert "Suspicious: Ana's d6 is uneven: 6" in lines[0]
    assert lines[lines.index("Chance does not explain the dice and cards.") :][1:6] == [
        "  Ana's d6 is uneven: 6 came 12 times, 3.3 expected. Chance alone gives as much",
        "  in at most 1 of 500 sessions.",
        "  Pia's 15 rolls were worse than chance explains. Chance alone gives as much in",
        "  at most 1 of 250 sessions.",
        "With 75 rolls of the d6, a value that comes 5 times as often as each other one",
    ]


def test_typed_in_dice_have_a_table_and_a_verdict_of_their_own() -> None:
    lines = overview(typed_in())
    table = lines.index("Typed-in dice")
    assert lines[table + 3] == (
        "Ana  ────░░░░░│░░░░───█  better than 999 of 1,000 sessions  40 of 40"
    )
    assert lines[table + 4].strip() == "(6.7 expected)"
    assert "Bo: too few rolls to say" in lines[table:]
    verdict = lines.index("Chance does not explain the typed-in dice.")
    assert lines.index("Nothing suspicious about the dice and cards.") < verdict
    assert lines[verdict + 1].startswith("  Ana's typed-in d6 (the red d6) shows the same value")


def test_only_typed_in_dice_are_called_so() -> None:
    made = typed_in()
    verdicts = {"declared": made.verdicts["declared"]}
    luck = {"drawn": {"seats": {}, "entities": {}}, "declared": made.luck["declared"]}
    lines = overview(replace(made, luck=luck, verdicts=verdicts, secret={}))
    assert "Typed-in dice" in lines
    assert not any(line.startswith("Gwen") for line in lines)


def test_if_everyone_typed_in_too_few_values_one_line_says_so() -> None:
    made = typed_in()
    few = {"p1": m.Luck(4, 0.1, ()), "p2": m.Luck(2, 0.1, ())}
    lines = overview(replace(made, luck=made.luck | {"declared": {"seats": few}}))
    assert [line for line in lines if "too few" in line] == [
        "Mo: too few rolls to say",
        "Typed-in dice: too few rolls to say",
    ]


def test_a_range_has_no_verdict_and_says_why() -> None:
    lines = overview(of_range())
    assert lines[:4] == [
        "A range of versions has no verdict, because it can be chosen by its results.",
        "",
        "      successes",
        "─" * 29,
    ]
    assert "Bo    12 of 20 (9.3 expected)" in lines
    assert "Mo    1 of 1 (0.5 expected)" in lines
    assert not re.search(r"lucky|better|too few|suspicious", " ".join(lines))


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ((60, 29), "29 of 60 secret rolls are open, so they are not counted"),
        ((60, 1), "1 of 60 secret rolls is open, so they are not counted"),
        ((60, 0), "60 secret rolls are sealed, so they are not counted"),
        ((1, 0), "1 secret roll is sealed, so it is not counted"),
    ],
)
def test_secret_rolls_are_mentioned(secret: tuple[int, int], said: str) -> None:
    rolls = m.SecretRolls(*secret)
    lines = overview(replace(evening(), secret={"gm": rolls, "p4": rolls, "judge": rolls}))
    assert f"Gwen: {said}" in lines
    assert f"judge: {said}" in lines
    assert f"Mo: too few rolls to say; {said}" in unwrapped(" ".join(lines))


@every_sample
def test_nothing_above_the_details_needs_statistics(sample: str) -> None:
    above = " ".join(overview(SAMPLES[sample]()))
    assert not re.search(r"\b[zp]\b|p-value|corrected|adjusted|sigma|deviation", above)
    below = unwrapped(shown(draw_statistics(SAMPLES[sample](), NAMES)).partition("Details")[2])
    assert below.strip().startswith(EXPLANATION)


@every_sample
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_each_chart_is_shown_with_its_title_and_sentence(sample: str, width: int) -> None:
    report = SAMPLES[sample]()
    text = shown(draw_statistics(report, NAMES), width)
    for plot in plots(report, NAMES):
        is_in_table = plot.name in ("luck", "luck-declared")
        assert (plot.title in unwrapped(text)) or is_in_table
        assert (unwrapped(plot.description) in unwrapped(text)) != is_in_table
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\x1b" not in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_long_names_are_folded_and_whole(width: int) -> None:
    name = "Anneke Quickfinger van den Berg the Second"
    text = shown(draw_summary(evening(), {"@p2": name}), width)
    assert max(map(cell_len, text.splitlines())) <= width
    table = text.partition("successes")[2].partition("gm")[0]
    assert all(word in table for word in name.split())
    scales = [line for line in text.splitlines() if re.search("[─░█]{9}│", line)]
    assert len(scales) == 4


def test_people_without_successes_have_no_column_of_them() -> None:
    luck = {"p1": lucky(20, 1.0, 0.84, "better than 8 of 10 sessions", UNSET)}
    lines = overview(replace(evening(), luck={"drawn": {"seats": luck}}, secret={}))
    assert lines[2:5] == [
        "     unlucky      lucky",
        "─" * 53,
        "Ana  ────░░░░░│░░░░─█──  better than 8 of 10 sessions",
    ]


def test_a_session_without_a_roll_has_a_headline_alone() -> None:
    assert shown(draw_statistics(NOTHING)) == "No one has rolled yet.\n\n"
    assert shown(draw_summary(NOTHING)) == "No one has rolled yet.\n\n"


def test_a_table_is_cut_and_says_so() -> None:
    report = figures(12, draws=2_000)
    [found] = [plot for plot in plots(report) if plot.name == "grades"]
    text = shown(draw_statistics(report))
    assert f"and {len(found.rows) - MAX_ROWS:,} more (see --json)" in text


def test_a_summary_has_the_overview_and_the_faces_of_one_die() -> None:
    text = shown(draw_summary(loaded(), NAMES))
    titles = [plot.title for plot in plots(loaded(), NAMES) if plot.title in text.splitlines()]
    assert titles == ["d6: seen and expected"]
    assert text.startswith("\n".join(overview(loaded())[:1]))
    assert "Chance does not explain the dice and cards." in text
    assert "Highlights" in text
    assert len(text.splitlines()) < 45


def test_a_strangers_words_are_only_words() -> None:
    of = figures(1, 10)
    outcome = m.OutcomeCounts(5, m.ObservedCount(5, 1, 1, 1), m.ObservedCount(0, 0, 0, 0))
    use = m.ActionStatistics({HOSTILE: outcome})
    values = m.VoidedValues((m.PossibleValue(6, 1),), (HOSTILE,))
    void = m.VoidedDraw(1, 1, HOSTILE, (HOSTILE,), values)
    power = m.Power(HOSTILE, 9, {}, HOSTILE)
    verdict = m.TestSummary(
        "uneven", True, 3, HOSTILE, (replace(FINDINGS[0], text=HOSTILE),), power
    )
    seats = {
        HOSTILE: lucky(20, 1.0, 0.8, HOSTILE, m.Successes(1, 2, 0.5)),
        "p9": m.Luck(1, 0.0, ()),
    }
    streaks = {"seats": {HOSTILE: {HOSTILE: m.Streak(1, 1, 1)}}}
    evil = replace(
        of,
        headline=HOSTILE,
        verdicts=dict.fromkeys(("drawn", "declared", HOSTILE), verdict),
        highlights=(m.Highlight("save", HOSTILE, HOSTILE, 1, 2, 0.5, HOSTILE),),
        secret={HOSTILE: m.SecretRolls(9, 2)},
        faces={dice: {HOSTILE: of.faces["drawn"]["d6"]} for dice in ("drawn", "declared")},
        luck={dice: {"seats": seats, "entities": seats} for dice in ("drawn", "declared")},
        streaks=dict.fromkeys(("drawn", "declared"), streaks),
        results={"seats": {HOSTILE: {HOSTILE: use}}},
        points={HOSTILE: {HOSTILE: m.PoolStatistics({HOSTILE: m.Flow(1, 2, 2)})}},
        conditions={HOSTILE: {HOSTILE: m.ConditionStatistics(2, 1, 5, 3)}},
        boards={HOSTILE: m.BoardStatistics((HOSTILE,) * 3, (1, 2, 3), (2.0,) * 3, (1, 2, 3))},
        draws=m.DrawStatistics({HOSTILE: 1}, {}, (void,)),
    )  # fmt: skip
    names = {f"@{HOSTILE}": HOSTILE, "@p9": HOSTILE}
    for chart in (draw_statistics(evil), draw_statistics(evil, names), draw_summary(evil, names)):
        for width in (60, 80, 200):
            text = shown(chart, width)
            assert set(re.findall(r"[^\n -~]", text)) <= set("█▓░┃│─▁▂▃▄▅▆▇\u00d7±\ufffd")
        assert "[bold]" in text


@pytest.mark.parametrize(
    ("percentile", "drawn"),
    [
        (0.0, "█───░░░░░│░░░░────"),
        (0.24, "────█░░░░│░░░░────"),
        (0.49, "────░░░░█│░░░░────"),
        (0.5, "────░░░░░█░░░░────"),
        (0.75, "────░░░░░│░░░█────"),
        (0.9999, "────░░░░░│░░░░───█"),
        (1.0, "────░░░░░│░░░░───█"),
    ],
)
def test_a_percentile_is_a_mark_between_unlucky_and_lucky(percentile: float, drawn: str) -> None:
    assert draw_percentile(percentile).plain == drawn
    assert draw_percentile(percentile, ascii_only=True).plain == drawn.translate(IN_ASCII)


def test_a_terminal_without_unicode_shows_the_scale() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    Console(file=file, width=80).print(draw_summary(evening(), NAMES))
    file.seek(0)
    assert "----:::::|::::--#- |better than 9 of 10 sessions" in file.read()


@pytest.mark.parametrize(
    ("bar", "drawn"),
    [
        # of 18 columns, one a draw
        (Bar("", 0, "", None, 9.0, 5, 13), "    ░░░░│░░░░     "),
        (Bar("", 12, "", None, 9.0, 5, 13), "████▓▓▓▓┃▓▓▓░     "),
        (Bar("", 17, "", None, 9.0, 5, 13), "████▓▓▓▓┃▓▓▓▓████ "),
        (Bar("", 3, "", None, 9.0), "███     │         "),
        (Bar("", 3, ""), "███               "),
    ],
)
def test_a_bar_shows_seen_expected_and_the_band_without_colour(bar: Bar, drawn: str) -> None:
    assert draw_bar(bar, BAR_WIDTH).plain == drawn


@pytest.mark.parametrize(
    ("values", "drawn"),
    [((3.0,), "▁"), ((0.0, 7.0), "▁█"), ((5.0,) * 40, "▁" * 24), (tuple(range(8)), "▁▂▃▄▅▆▇█")],
)
def test_a_curve_has_so_many_columns_at_most(values: tuple[float, ...], drawn: str) -> None:
    assert draw_curve(values).plain == drawn
