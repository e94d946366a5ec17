"""The stated power is the share of loaded dice that are found, after so many draws and at that level."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from msgspec import UNSET
from scipy.stats import chi2, ncx2

from domain.tally import Rolled
from projections.statistics_model import ALPHA, RUNNING_ALPHA
from tests.support.scale import scale
from tests.workers.counts import die, report, tally
from tests.workers.test_chi_square import CARDS
from workers.statistics.faces import FaceSum, face_evidence
from workers.statistics.power import WEIGHTS, describe, power, powers

DICE = [
    # sides  weight  level   power
    (6,      1.5,    0.001,  0.9),
    (6,      0.5,    0.01,   0.9),
    (12,     1.5,    0.001,  0.8),
    (20,     2.0,    0.01,   0.9),
    (2,      1.2,    0.01,   0.9),
    (6,      5.0,    0.001,  0.5),
]  # fmt: skip
THROWN = scale(4_000, 100_000)


def draws_needed(values: int, weight: float, level: float, share: float) -> int:
    """Return after how many draws that share of loaded dice is found."""
    most = 1
    while power(values, most, weight, level) < share:
        most *= 2
    few, enough = most // 2, most
    while enough - few > 1:
        middle = (few + enough) // 2
        if power(values, middle, weight, level) < share:
            few = middle
        else:
            enough = middle
    return enough


def throw(sides: int, weight: float, rolls: int, number: int) -> np.ndarray:
    """Return the counts of that many dice, whose highest face is heavy."""
    chances = np.array([1.0] * (sides - 1) + [weight]) / (sides - 1 + weight)
    return np.random.default_rng(sides).multinomial(rolls, chances, number)


@pytest.mark.parametrize(("sides", "weight", "level", "share"), DICE)
def test_so_many_rolls_find_it_so_often(
    sides: int, weight: float, level: float, share: float
) -> None:
    rolls = draws_needed(sides, weight, level, share)
    counts = throw(sides, weight, rolls, THROWN)
    squares = ((counts - rolls / sides) ** 2).sum(axis=1) * sides / rolls
    found = np.mean(squares > chi2.isf(level, sides - 1))
    print(f"d{sides} of weight {weight}: {rolls} rolls, found {found:.1%}, by theory {share:.0%}")
    assert found == pytest.approx(share, abs=0.02 if rolls > 100 else 0.05)


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_of_a_die_that_is_hardly_loaded_it_is_the_noncentral_chi_square(sides: int) -> None:
    """Then the heavy face does not widen X2."""
    weight, level = 1.001, 0.01
    heavy = weight / (sides - 1 + weight)
    for noncentrality in (1.0, 20.0, 40.0):
        one = (heavy - 1 / sides) ** 2 * sides * sides / (sides - 1)
        draws = round(noncentrality / one)
        expected = ncx2.sf(chi2.isf(level, sides - 1), sides - 1, noncentrality)
        assert power(sides, draws, weight, level) == pytest.approx(expected, abs=2e-3)


def test_an_honest_die_is_found_as_often_as_the_level_says() -> None:
    for sides, level in ((2, 0.05), (6, 0.01), (20, 0.001)):
        assert power(sides, 1_000, 1.0, level) == pytest.approx(level, abs=5e-4)


def test_more_draws_and_heavier_values_are_found_more_often() -> None:
    every = [power(6, draws, 2.0, 0.001) for draws in range(10, 1_000, 30)]
    assert all(before < after or after > 0.999 for before, after in pairwise(every))
    shares = list(powers(6, 120, 0.001).values())
    assert list(powers(6, 120, 0.001)) == [f"{weight:g}" for weight in WEIGHTS]
    assert shares == sorted(shares)


def test_a_running_session_needs_more_draws_but_finds_it_too() -> None:
    """With two and a half times the draws that the end needs, about as often."""
    rolls = round(2.5 * draws_needed(6, 2.0, ALPHA / 10, 0.9))
    found = [
        face_evidence(
            FaceSum(6, rolls, rolls, {str(face): int(n) for face, n in enumerate(counts, 1)})
        )
        for counts in throw(6, 2.0, rolls, 300)
    ]
    assert np.mean(np.array(found) >= 100 / RUNNING_ALPHA) > 0.9


TEXTS = [
    ({"1.5": 0.01, "2": 0.1, "3": 0.3, "5": 0.4},
     "With 30 rolls of the d6, even a value that comes 5 times as often as each other one would probably be missed."),
    ({"1.5": 0.01, "2": 0.1, "3": 0.6, "5": 0.85},
     "With 30 rolls of the d6, a value that comes 5 times as often as each other one would be found in 85% of sessions."
     " At 2 times as often, it would probably be missed."),
    ({"1.5": 0.7, "2": 0.9, "3": 1.0, "5": 1.0},
     "With 30 rolls of the d6, a value that comes 2 times as often as each other one would be found in 90% of sessions."),
    ({"1.5": 1.0, "2": 1.0, "3": 1.0, "5": 1.0},
     "With 30 rolls of the d6, a value that comes 1.5 times as often as each other one would be found in 99% of sessions."),
]  # fmt: skip


@pytest.mark.parametrize(("found", "text"), TEXTS)
def test_power_in_words(found: dict[str, float], text: str) -> None:
    assert describe("d6", 30, found) == text
    of_deck = text.replace("30 rolls of the d6", "1,230 cards of the deck A")
    assert describe("deck A", 1_230, found) == of_deck


def test_the_report_states_the_power_for_what_was_used_most() -> None:
    rolls = [tally(nth, die(nth % 6 + 1)) for nth in range(1, 31)]
    rolls += [tally(nth, die(nth % 20 + 1, 20)) for nth in range(31, 61)]
    rolls += [tally(nth, die(nth % 20 + 1, 20), seat="p2") for nth in range(61, 71)]
    summary = report(*rolls, is_final=True).verdicts["drawn"]
    assert summary.power is not UNSET
    assert (summary.power.source, summary.power.draws) == ("d20", 40)
    assert summary.power.weights == powers(20, 40, ALPHA / summary.made)
    assert summary.power.text == describe("d20", 40, summary.power.weights)


def test_of_a_deck_it_is_of_the_cards_that_could_have_been_others() -> None:
    cards = []
    for nth in range(1, 21):
        left = CARDS[:2] if nth % 2 else CARDS[:1]
        cards.append(tally(nth, Rolled(f"hand {nth}", "deck", left[0], "draw", left)))
    assert report(*cards).verdicts["drawn"].power.draws == 10
    few = report(*cards[:18], is_final=True).verdicts["drawn"]
    assert few.power is UNSET
