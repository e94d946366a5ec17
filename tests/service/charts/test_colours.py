"""The plots' colours: read in light and dark, and told apart without them."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from service.charts.svg import styles

TEXT, GRAPHICS = 4.5, 3.0
"""Contrast that WCAG 2.2 AA asks for: 1.4.3, 1.4.11."""
THEMES = ("light", "dark")
WORDS, MARKS = ("ink", "quiet"), ("seen", "chance", "edge", "axis")
BEHIND = ("paper", "band")
SHAPES = {"stroke-dasharray", "stroke-width", "fill", "stroke-linecap"}


def colours(theme: str) -> dict[str, str]:
    """The variables' values as the theme has them; the dark one changes every one."""
    light, dark = (
        dict(re.findall(r"--plot-([a-z]+): (#[0-9a-f]{6});", part))
        for part in styles().split("@media")
    )
    assert light.keys() == dark.keys()
    return light if theme == "light" else dark


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, "contrast ratio"."""
    dim, bright = sorted(luminance(each) for each in (one, other))
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[nth : nth + 2], 16) / 255 for nth in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rules() -> dict[str, dict[str, str]]:
    """Class -> what is drawn of it."""
    found = re.findall(
        r"^\.plot ((?:\.[a-z-]+(?:, \.plot )?)+) \{ (.*) \}$", styles(), re.MULTILINE
    )
    return {
        css.strip(" ."): dict(each.split(": ", 1) for each in said.rstrip("; ").split("; "))
        for names, said in found
        for css in names.split(", .plot ")
    }


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("words", WORDS)
def test_words_can_be_read(theme: str, words: str) -> None:
    found = colours(theme)
    assert contrast(found[words], found["paper"]) >= TEXT


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("mark", MARKS)
def test_marks_stand_out(theme: str, mark: str, behind: str) -> None:
    found = colours(theme)
    assert contrast(found[mark], found[behind]) >= GRAPHICS


@pytest.mark.parametrize(
    ("one", "other", "ratio"), [("#000000", "#ffffff", 21), ("#777777", "#ffffff", 4.48)]
)
def test_contrast_is_wcags(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.01)


def test_no_colour_but_the_variables() -> None:
    after = styles().rpartition("}\n}\n")[2]
    assert not re.search(r"#[0-9a-f]{3}|rgb|hsl", after)
    assert set(re.findall(r"var\(--plot-([a-z]+)\)", styles())) == colours("light").keys()


KEYS = (
    ("seen", "second"),
    ("seen-line", "bound", "grid"),
    ("band", "seen"),
)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[0])
def test_marks_of_one_key_differ_by_more_than_their_hue(key: tuple[str, ...]) -> None:
    """Filled or not, dashed or not, thick or thin; where neither, one is light where the other is dark."""
    drawn = rules()
    for one, other in combinations(key, 2):
        assert any(_form(drawn[one], name) != _form(drawn[other], name) for name in SHAPES)


def _form(said: dict[str, str], name: str) -> str:
    """What does not hang on the hue."""
    return (
        said.get(name, "")
        if name != "fill"
        else "none"
        if said.get(name) in (None, "none", "var(--plot-paper)")
        else "full"
    )


def test_a_picture_asks_for_nothing_from_elsewhere() -> None:
    assert not re.search(r"url\(|@import|https?:", styles())
