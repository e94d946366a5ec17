"""Notations in words, for each part of the grammar."""
# ruff: noqa: RUF001  # signs for people

from __future__ import annotations

import pytest

from domain.rulesets.open.notation_text import addition_in_words, notation_in_words

WORDS = {
    "1d20": "1d20",
    "d20+7": "1d20 + 7",
    "d%-d4": "1d100 − 1d4",
    "4dF": "4 Fudge dice",
    "dF+1": "1 Fudge die + 1",
    "2d20kh1+7": "best of two d20, + 7",
    "2d20kl-1": "worst of two d20, − 1",
    "2dFkh1": "best of two Fudge dice",
    "4d6dl1": "4d6, the lowest dropped",
    "4d6kh3+2": "4d6, the lowest dropped, + 2",
    "6d6kl2": "6d6, the two lowest kept",
    "5d8kl3": "5d8, the two highest dropped",
    "5d8dh2": "5d8, the two highest dropped",
    "3d6kh3": "3d6, the three highest kept",
    "2d6ro<2+6": "2d6, ones rolled again, + 6",
    "2d6ro<=2+6": "2d6, ones and twos rolled again, + 6",
    "1d8ro=8": "1d8, 8 rolled again",
    "1d10ro>=6": "1d10, 6 or more rolled again",
    "1d10ro<6": "1d10, 5 or less rolled again",
    "1d4ro<1": "1d4, 0 or less rolled again",
    "4dFro<0": "4 Fudge dice, -1 or less rolled again",
    "3d6!": "3d6, each 6 adds a die",
    "4d6!kh3": "4d6, each 6 adds a die, the three highest kept",
    "8d10>=7": "8d10, each 7 or more counts",
    "8d10>7": "8d10, each 8 or more counts",
    "5d6=6": "5d6, each 6 counts",
    "12d6ro=1!kh10<=3": (
        "12d6, ones rolled again, each 6 adds a die, the ten highest kept, each 3 or less counts"
    ),
    "1d6[slashing]+2": "1d6 (slashing) + 2",
    "1d8[fire]+2d6kh1[cold]+3[staff]": "1d8 (fire) + (best of two d6 (cold)) + 3 (staff)",
    "(2d6+1)*3": "(2d6 + 1) × 3",
    "(2d6ro=1)[cold]/2": "(2d6, ones rolled again) (cold) ÷ 2",
    "2*2d6kh1": "2 × (best of two d6)",
    "-2d6kh1+3": "−(best of two d6) + 3",
    "12": "12",
}


@pytest.mark.parametrize("notation", WORDS)
def test_a_notation_is_told_in_words(notation: str) -> None:
    assert notation_in_words(notation) == WORDS[notation]


@pytest.mark.parametrize(
    ("notation", "added"),
    [
        ("2d6ro<2+6", "+ 6"),
        ("d20-1", "− 1"),
        ("1d8+3[staff]", "+ 3 (staff)"),
        ("2d6", ""),
        ("8-2d6", ""),
        ("2d6+1d4", ""),
        ("2d6+1+2", ""),
        ("2d6*3", ""),
    ],
)
def test_what_is_added_to_dice_is_told_beside_them(notation: str, added: str) -> None:
    assert addition_in_words(notation) == added
