"""The tables of the rulebook, with a row for each of their lines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    EXTREME_DISADVANTAGE,
    PLAIN,
    Twist,
)
from domain.rulesets.fansys.rules.vocabulary import (
    Energy,
    Mode,
    Options,
    Rounding,
    Size,
    Taking,
    Unit,
)
from tests.domain.rulesets.fansys.people import EVEN, with_stats

DOWN = Options(bonus_rounding=Rounding.DOWN)


@pytest.mark.parametrize(
    ("levels", "base"), [(range(1, 6), 1), (range(6, 11), 2), (range(11, 16), 3)]
)
def test_base(levels: range, base: int) -> None:
    assert {sheet.base(level) for level in levels} == {base}


@pytest.mark.parametrize(
    ("score", "bonus"),
    [
        (0, -5),
        (1, -5),
        (7, -2),
        (8, -1),
        (9, -1),
        (10, 0),
        (11, 0),
        (12, 1),
        (13, 1),
        (15, 2),
        (18, 4),
        (20, 5),
    ],
)
def test_stat_bonus(score: int, bonus: int) -> None:
    assert sheet.stat_bonus(score) == bonus


def test_the_stat_bonus_is_the_other_formula_too() -> None:
    assert all(sheet.stat_bonus(score) == (score - 10) // 2 for score in range(-50, 61))


@pytest.mark.parametrize(
    ("scores", "bonus"), [((11, 11), 0), ((12, 11), 1), ((8, 18), 1), ((15, 15), 2), ((8, 9), -1)]
)
def test_two_stats_make_the_bonus_of_their_mean(scores: tuple[int, int], bonus: int) -> None:
    assert sheet.stat_bonus(*scores) == bonus


@pytest.mark.parametrize(("level", "points"), [(1, 1), (2, 1), (3, 2), (6, 3), (7, 4)])
def test_most_points_in_one_skill(level: int, points: int) -> None:
    assert sheet.max_skill_points(level) == points


@pytest.mark.parametrize(
    ("owned", "up", "down"),
    [
        *((n, 1, 0) for n in range(1, 6)),
        (6, 1, 1),
        *((n, 2, 1) for n in range(7, 12)),
        (12, 2, 2),
        (13, 3, 2),
        (14, 3, 2),
        (18, 3, 3),
        (19, 4, 3),
        (24, 4, 4),
        (25, 5, 4),
        (29, 5, 4),  # FS-18, the book's 4
        (30, 5, 5),  # FS-18
        (31, 6, 5),
        (0, 0, 0),
    ],
)
def test_nat_and_sup(owned: int, up: int, down: int) -> None:
    assert (sheet.dice_bonus(owned, Options()), sheet.dice_bonus(owned, DOWN)) == (up, down)


def test_fs_22_hp_and_capacity() -> None:
    stats = with_stats(con=12, cha=11)
    assert sheet.max_hp(3, stats) == 26
    assert (sheet.capacity(Energy.SP, 3, stats), sheet.capacity(Energy.MP, 3, stats)) == (21, 20)


def test_fs_23_most_sp() -> None:
    assert sheet.max_energy(Energy.SP, 3, EVEN, 8) == 36 + 16 == 52
    assert sheet.max_energy(Energy.MP, 3, EVEN, 2) == 33 + 4


SUMS = {
    -2: 1, 1: 2, 2: 2, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 10: 9, 11: 8, 12: 9, 13: 12, 14: 9, 15: 8, 16: 9,
    17: 8, 18: 7, 19: 6, 20: 5, 21: 4, 22: 3, 23: 2, 24: 2, 25: 2, 28: 1,
}  # fmt: skip


def test_the_sums_of_2d12() -> None:
    assert dict(dice.sums(PLAIN)) == SUMS
    assert sum(SUMS.values()) == 144
    assert mean(PLAIN) == 13


def mean(twist: Twist) -> Fraction:
    return Fraction(
        sum(total * number for total, number in dice.sums(twist).items()), dice.faces(twist)
    )


@pytest.mark.parametrize(
    ("twist", "figure"),
    [
        (ADVANTAGE, "16.4375"),
        (DISADVANTAGE, "9.5625"),
        (EXTREME_ADVANTAGE, "18.430"),
        (EXTREME_DISADVANTAGE, "7.570"),
    ],
)
def test_the_means(twist: Twist, figure: str) -> None:
    digits = len(figure.split(".")[1])
    assert f"{float(mean(twist)):.{digits}f}" == figure
    assert twist not in (ADVANTAGE, DISADVANTAGE) or mean(twist) == Fraction(figure)


@pytest.mark.parametrize(
    ("twist", "sum_", "number"),
    [
        (PLAIN, 28, 1),
        (PLAIN, -2, 1),
        (ADVANTAGE, 28, 34),
        (DISADVANTAGE, -2, 34),
        (ADVANTAGE, -2, 1),
        (EXTREME_ADVANTAGE, 28, 771),
        (EXTREME_DISADVANTAGE, -2, 771),
        (EXTREME_DISADVANTAGE, 28, 1),
    ],
)
def test_double_twelves_and_snake_eyes(twist: Twist, sum_: int, number: int) -> None:
    assert dice.sums(twist)[sum_] == number
    assert sum(dice.sums(twist).values()) == dice.faces(twist) == 12 ** dice.DICE[twist]


@pytest.mark.parametrize("twist", Twist)
def test_sums_that_cannot_be(twist: Twist) -> None:
    assert not {-1, 0, 26, 27} & set(dice.sums(twist))


COMBINED: list[tuple[list[Twist], Twist]] = [
    ([], PLAIN),
    ([ADVANTAGE], ADVANTAGE),
    ([ADVANTAGE, ADVANTAGE], ADVANTAGE),
    ([ADVANTAGE, EXTREME_ADVANTAGE], EXTREME_ADVANTAGE),
    ([DISADVANTAGE, DISADVANTAGE], DISADVANTAGE),
    ([EXTREME_DISADVANTAGE, DISADVANTAGE], EXTREME_DISADVANTAGE),
    ([ADVANTAGE, ADVANTAGE, DISADVANTAGE], PLAIN),  # FS-9
    ([EXTREME_ADVANTAGE, DISADVANTAGE], PLAIN),  # ruling 5
    ([EXTREME_ADVANTAGE, EXTREME_DISADVANTAGE], PLAIN),
    ([PLAIN, ADVANTAGE], ADVANTAGE),
]


@pytest.mark.parametrize(("sources", "twist"), COMBINED)
def test_advantage_and_disadvantage(sources: list[Twist], twist: Twist) -> None:
    assert dice.combine(sources) is twist


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (3, "almost impossible to fail"),
        (4, "almost impossible to fail"),
        (8, "quite easy"),
        (11, "quite easy"),
        (12, "fairly tough"),
        (16, "quite tough"),
        (24, "very difficult"),
        (30, "hard even for a pro"),
        (36, "hard for a legendary hero"),
        (50, "actually impossible"),
        (64, "actually impossible"),
    ],
)
def test_difficulty(threshold: int, words: str) -> None:
    assert sheet.difficulty(threshold) == words


FAILED: list[tuple[int, int, int]] = [
    # modifier, threshold, failing of 144
    (5, 10, 10),  # the shoes: 6.9 %, not 25 %
    (1, 12, 49),  # 34 %, not half
    (3, 16, 66),  # 46 %, not half
]


@pytest.mark.parametrize(("modifier", "threshold", "failing"), FAILED)
def test_the_books_guesses_are_flavour(modifier: int, threshold: int, failing: int) -> None:
    assert 144 - dice.ways(PLAIN, False, modifier, threshold, False) == failing


def test_fs_13_a_24_in_a_hundred_tries() -> None:
    double = Fraction(dice.sums(PLAIN)[28], dice.faces(PLAIN))
    assert f"{float(1 - (1 - double) ** sheet.TRIES_TAKEN[Taking.BEST]):.4f}" == "0.5019"


@pytest.mark.parametrize(
    ("unit", "seconds"), [(Unit.ROUND, 6), (Unit.MINUTE, 60), (Unit.HOUR, 3600), (Unit.DAY, 86_400)]
)
def test_units_of_time(unit: Unit, seconds: int) -> None:
    assert sheet.unit_seconds(unit, Options()) == seconds


def test_a_round_of_five_seconds() -> None:
    assert sheet.unit_seconds(Unit.ROUND, Options(round_seconds=5)) == 5


def test_sizes_and_ways_to_move() -> None:
    assert " ".join(Size) == "diminutive tiny small medium large huge gargantuan colossal"
    assert " ".join(Mode) == "walk climb flight swim dig cosmic blink"


@pytest.mark.parametrize(
    ("rounded", "number", "by", "result"),
    [
        (sheet.round_up, -1, 2, 0),  # ruling 19
        (sheet.round_up, -3, 2, -1),
        (sheet.round_up, 7, 2, 4),
        (sheet.round_up, 8, 2, 4),
        (sheet.round_down, 7, 2, 3),  # FS-25
    ],
)
def test_rounding(rounded: Callable[[int, int], int], number: int, by: int, result: int) -> None:
    assert rounded(number, by) == result
