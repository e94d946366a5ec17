"""The charts say everything that matters, in any width, without colour, and safely of a stranger's file."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console, RenderableType

from projections import figures as f
from service.charts import charts, in_short
from service.charts.drawing import BAR, MIDDLE, against, around, curve, share


def judged(verdict: f.Verdict = "fair", p: float = 0.4) -> f.Test:
    return f.Test(1.0, p, min(1.0, 5 * p), "chi-square", verdict)


D6 = f.Faces(
    60, {str(value): f.Seen(4 + 2 * value, 10.0, 5, 16) for value in range(1, 7)}, judged()
)
D100 = f.Faces(
    40, {str(value): f.Seen(value % 3, 0.4, 0, 2) for value in range(1, 101)}, judged("few")
)
LOADED = replace(D6, draws=30, test=judged("uneven", 0.0004))
FEW = f.Faces(1, {"heads": f.Seen(1, 0.5, 0, 1), "tails": f.Seen(0, 0.5, 0, 1)})
WON = f.Outcome(14, f.Seen(12, 9.5, 5, 14), f.Seen(1, 0.5, 0, 1))
LOST = f.Outcome(6, f.Seen(8, 10.5, 6, 15), f.Seen(0, 0.5, 0, 1))

WHOLE = f.Figures(
    version=312,
    first=1,
    last=312,
    undone=False,
    faces={"drawn": {"d6": D6, "d100": D100, "coin": FEW, "bone": LOADED}, "declared": {"d6": FEW}},
    luck={
        "seats": {
            "p1": f.Luck(31, 1.3, ((9, 0.4), (12, 1.3)), judged()),
            "p2": f.Luck(29, -3.4, ((10, -3.4),), judged("unlucky", 0.0007)),
            "gm": f.Luck(2, 0.1, (), judged("few", 1.0)),
        },
        "entities": {"ana": f.Luck(31, 1.3, ())},
    },
    streaks={"seats": {"p2": {"unlucky": f.Streak(7, 40, 77, 0.0123)}}, "entities": {}},
    results={"seats": {"p1": {"toss": f.Use({"won": WON, "lost": LOST})}}, "entities": {}},
    points={
        "ana": {
            "AP": f.Pool(
                {"alter": f.Flow(0, 9, 4), "rest": f.Flow(4, 0, 1)},
                ((0, 12.0), (9, 3.0), (12, 7.0)),
            )
        },
    },
    conditions={"ana": {"Aflame": f.Condition(2, 1, 5, 3)}},
    boards={"ring": f.Board(("F", "PF", "S"), (3, 9, 2), (4.0, 6.0, 4.0), (1, 8, 5))},
    usage={"d8": f.Usage(9, f.Seen(3, 2.25, 0, 5), ((0, 1.0, 1.0), (1, 0.8, 0.75), (2, 0.4, 0.5)))},
    rewinds=f.Rewinds(
        2,
        5,
        (
            f.Redrawn(
                f.Draw(45, "2", "F"), "p1", "ana", "d6", "check", 50, 0.2, f.Draw(60, "5", "S"), 0.8
            ),
            f.Redrawn(f.Draw(46, "3"), "p2", "ben", "d6", "check", 50),
        ),
    ),
    tempo=f.Tempo(
        40,
        95.0,
        2.1,
        {"p1": f.Pace(30, 0.75, 60.0), "gm": f.Pace(10, 0.25, 35.0)},
        ((9, 1.0), (12, 3.0)),
        (),
    ),
    draws=f.Draws(
        {"A": 60, "D": 1},
        {"p1": {"A": 31}},
        (
            f.Void(210, 14, "p1", ("p2",), f.Shadow(((6, 4),), ("{ana} falls.",)), 215),
            f.Void(260, 19, "p2", ("p1", "p3")),
        ),
        {"p2": 1, "p1": 1, "p3": 1},
    ),
    tests=f.Tests(
        6,
        0.01,
        "uneven",
        "6 tests were made, 2 came out.",
        (
            f.Finding("faces", 0.0004, 0.002, "uneven", "6 came too often", "p1", "bone", "6"),
            f.Finding("luck", 0.0007, 0.004, "unlucky", "29 draws came out worse", "p2"),
        ),
    ),
)
NOTHING = f.Figures(
    0,
    1,
    0,
    False,
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    f.Rewinds(0, 0),
    f.Tempo(0, 0.0, 0.0, {}),
    f.Draws({}),
    f.Tests(0, 0.01, "few", "Nothing was drawn."),
)
NAMES = {"@p1": "Ana", "ana": "Ana Quickfinger"}
SEEN = (
    "Verdict: beyond chance. 6 tests were made",
    "bone of p1 Ana: 6 came too often (p <0.1%)",
    "luck of p2: 29 draws came out worse (p <0.1%)",
    "p1 Ana",
    "+1.30",
    "-3.40",
    "unluckier",
    "within chance",
    "too few to say",
    "z of those they play",
    "Ana Quickfinger +1.30",
    "d6, drawn: 60 draws, within chance (p 40%)",
    "5 to 16",
    "10.0",
    "coin, drawn: 1 draw",
    "d6, declared: 1 draw",
    "bone, drawn: 30 draws, uneven (p <0.1%)",
    "91 to 100",
    "toss",
    "won",
    "9.5",
    "AP",
    "alter -9",
    "█▁▄",
    "ring",
    "PF",
    "held after (by chance)",
    "1: 80% (75), 2: 40% (50)",
    "Aflame",
    "60 A, 1 D",
    "it would have been d6 4 (Ana Quickfinger falls.)",
    "asked again at version 215",
    "not asked again",
    "75%",
    "7 unlucky draws in a row, versions 40 to 77 (by chance so many: 1.2%)",
    "2 rewinds left 5 turns and 2 draws behind; of those made again the luck was 20% on average, then 80%",
    "check d6: 2 (F) at 45, then 5 (S) at 60; luck 20% → 80%",
    "not made again",
)


def shown(chart: RenderableType, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(chart)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def unwrapped(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("words", SEEN)
def test_everything_is_said(words: str) -> None:
    assert words in unwrapped(shown(charts(WHOLE, NAMES), 100))


@pytest.mark.parametrize("width", [80, 120, 160])
def test_it_fits_and_is_plain_where_it_is_piped(width: int) -> None:
    text = shown(charts(WHOLE, NAMES), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "\x1b" not in text
    assert "…" not in text


def test_the_verdict_comes_first() -> None:
    assert shown(charts(WHOLE), 80).startswith("Verdict: beyond chance. 6 tests")


def test_wide_terminals_get_two_columns() -> None:
    tall, wide = (len(shown(charts(WHOLE), width).splitlines()) for width in (80, 160))
    assert wide < 0.8 * tall


def test_an_evening_without_a_draw_has_a_verdict_alone() -> None:
    assert (
        shown(charts(NOTHING), 80).split("\n", 1)[0]
        == "Verdict: too few draws to say. Nothing was drawn."
    )
    assert len(shown(charts(NOTHING), 80).splitlines()) <= 4


def test_what_was_called_out_is_drawn_before_what_was_drawn_often() -> None:
    text = shown(charts(WHOLE), 80)
    assert text.index("bone, drawn") < text.index("d6, drawn") < text.index("d100, drawn")


def test_long_evenings_stay_short() -> None:
    """Of a hundred of each, some are shown, and where the rest are is said."""
    many = replace(
        WHOLE,
        faces={"drawn": {f"die {nth}": D6 for nth in range(9)}},
        luck={"seats": {f"p{nth}": WHOLE.luck["seats"]["p1"] for nth in range(100)}},
        points={f"e{nth}": WHOLE.points["ana"] for nth in range(100)},
        draws=replace(WHOLE.draws, voids=WHOLE.draws.voids * 50),
        rewinds=replace(WHOLE.rewinds, draws=WHOLE.rewinds.draws * 50),
        results={
            "seats": {"p1": {f"use {nth}": f.Use({"won": WON, "lost": LOST}) for nth in range(100)}}
        },
    )
    text = shown(charts(many), 80)
    assert len(text.splitlines()) < 160
    cut = re.findall(r"and ([0-9]+) more \(--json has all\)", text)
    assert cut == [
        "88",
        "94",
        "88",
        "95",
        "95",
    ]  # seats, kinds of action, pools, draws given up, draws made again


def test_in_short_it_is_the_verdict_luck_the_first_die_and_the_points() -> None:
    text = shown(in_short(WHOLE, NAMES), 120)
    for words in ("Verdict", "p1 Ana", "bone, drawn", "toss", "AP"):
        assert words in text
    assert "d100" not in text
    assert len(text.splitlines()) < 45


HOSTILE = "\x1b[31m\x9b31m[bold]\u202eab\nc"


def test_a_strangers_words_are_only_words() -> None:
    evil = replace(
        WHOLE,
        tests=replace(
            WHOLE.tests, says=HOSTILE, found=(replace(WHOLE.tests.found[0], says=HOSTILE),)
        ),
        faces={
            dice: {HOSTILE: replace(D6, values={HOSTILE: D6.values["1"]})}
            for dice in ("drawn", "declared")
        },
        luck={of: {HOSTILE: WHOLE.luck["seats"]["p1"]} for of in ("seats", "entities")},
        streaks={"seats": {HOSTILE: {HOSTILE: WHOLE.streaks["seats"]["p2"]["unlucky"]}}},
        results={"seats": {HOSTILE: {HOSTILE: f.Use({HOSTILE: WON})}}},
        points={HOSTILE: {HOSTILE: f.Pool({HOSTILE: f.Flow(1, 2, 1)})}},
        conditions={HOSTILE: {HOSTILE: WHOLE.conditions["ana"]["Aflame"]}},
        boards={HOSTILE: replace(WHOLE.boards["ring"], points=(HOSTILE,) * 3)},
        usage={HOSTILE: WHOLE.usage["d8"]},
        rewinds=f.Rewinds(1, 1, (f.Redrawn(f.Draw(1, HOSTILE, HOSTILE), *([HOSTILE] * 4), 5),)),  # type: ignore[arg-type]
        tempo=replace(WHOLE.tempo, seats={HOSTILE: f.Pace(1, 1.0, 1.0)}),
        draws=f.Draws(
            {HOSTILE: 1},
            {},
            (f.Void(1, 1, HOSTILE, (HOSTILE,), f.Shadow(((6, 1),), (HOSTILE,))),),
            {HOSTILE: 1},
        ),
    )
    for chart in (
        charts(evil),
        in_short(evil),
        charts(evil, {HOSTILE: HOSTILE, f"@{HOSTILE}": HOSTILE}),
    ):
        text = shown(chart, 120)
        assert set(re.findall(r"[^\n -~]", text)) <= set("█▓░┃│·─━▁▄→…\ufffd✓"), text
        assert "[bold]" in text


@pytest.mark.parametrize(
    ("seen", "bar"),
    [
        # of 18 columns, one a draw
        (f.Seen(0, 9.0, 5, 13), "    ░░░░│░░░░     "),
        (f.Seen(3, 9.0, 5, 13), "███ ░░░░│░░░░     "),
        (f.Seen(12, 9.0, 5, 13), "████▓▓▓▓┃▓▓▓░     "),
        (f.Seen(17, 9.0, 5, 13), "████▓▓▓▓┃▓▓▓▓████ "),
        (f.Seen(18, 18.0, 18, 18), "█████████████████┃"),
    ],
)
def test_a_bar_shows_seen_expected_and_the_band_without_colour(seen: f.Seen, bar: str) -> None:
    assert against(seen, BAR).plain == bar


@pytest.mark.parametrize(
    ("z", "bar"),
    [
        (0.0, "      ······│······      "),
        (1.0, "      ······│███···      "),
        (-2.0, "      ██████│······      "),
        (9.0, "      ······│████████████"),
    ],
)
def test_luck_is_a_bar_around_the_middle(z: float, bar: str) -> None:
    assert around(z).plain == bar
    assert len(bar) == MIDDLE


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ((), ""),
        ((3.0,), "▁"),
        ((0.0, 7.0), "▁█"),
        ((5.0,) * 40, "▁" * 12),
        (tuple(range(24)), "▁▁▂▂▃▄▄▅▆▆▇█"),
    ],
)
def test_a_curve_has_so_many_columns_at_most(values: tuple[float, ...], drawn: str) -> None:
    assert curve(values) == drawn


@pytest.mark.parametrize(
    ("p", "said"), [(0.0, "0.0%"), (0.0004, "<0.1%"), (0.0123, "1.2%"), (0.5, "50%"), (1.0, "100%")]
)
def test_a_share_is_said_as_people_read_it(p: float, said: str) -> None:
    assert share(p) == said
