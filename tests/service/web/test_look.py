"""The console's style: its pairs of colours in both themes, its size, and nothing of another's."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "service" / "web" / "static"
CSS = (STATIC / "console.css").read_text()
BUDGET = 8_000  # bytes, compressed
TEXT, SHAPE = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
EDGES = ("line", "link", "press", "good", "warn", "bad")
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "quiet", "link", "bad") for ground in ("paper", "panel")),
    ("on-press", "press", TEXT),
    *((edge, ground, SHAPE) for edge in EDGES for ground in ("paper", "panel")),
]  # fmt: skip


def colours(theme: str) -> dict[str, str]:
    """The variables of a theme; what it does not say is as in light."""
    light, dark, *_ = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    said = light + (dark if theme == "dark" else "")
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", said))


def luminance(colour: str) -> float:
    """Of WCAG 2.2, 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_a_pair_of_colours_is_told_apart(theme: str, ink: str, ground: str, least: float) -> None:
    found = colours(theme)
    assert contrast(found[ink], found[ground]) >= least


def test_both_themes_name_the_same_colours() -> None:
    light, dark, *_ = (
        set(re.findall(r"--([a-z-]+):", root))
        for root in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    )
    assert light == dark
    assert set(re.findall(r"var\(--([a-z-]+)\)", CSS)) <= light


def test_every_colour_is_a_variable() -> None:
    outside = re.sub(r":root \{.*?\}", "", CSS, flags=re.DOTALL)
    assert re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl", outside) == []


def test_the_styles_are_small_and_load_nothing() -> None:
    styles = [path.read_text() for path in STATIC.glob("*.css")]
    size = len(gzip.compress("".join(styles).encode()))
    print(f"styles: {size} bytes compressed, of {BUDGET}")
    assert size <= BUDGET
    assert not any(re.search(r"@import|url\(|https?:", style) for style in styles)


def test_nothing_moves_for_those_who_want_it_still() -> None:
    moving = r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}"
    assert re.search(moving, CSS, re.DOTALL)
    assert (
        re.findall("transition|animation|scroll-behavior", re.sub(moving, "", CSS, flags=re.DOTALL))
        == []
    )
