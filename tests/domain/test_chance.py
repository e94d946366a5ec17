"""Where values come from: drawn dice are fair, typed-in ones are checked, every branch is walked once."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import sha256

import pytest
from scipy.stats import chisquare

from domain.chance import (
    Chance,
    DeclaredChance,
    NeedsDrawError,
    SeededChance,
    UndrawnChance,
    branches,
    draw_card,
)
from domain.decider import Refused
from tests.support.scale import scale

DICE = (2, 3, 4, 6, 8, 10, 12, 20, 52, 100)


@pytest.mark.parametrize("sides", DICE)
def test_a_die_falls_evenly(sides: int) -> None:
    fallen: Counter[int] = Counter()
    for k in range(scale(2_000, 10_000)):
        chance = SeededChance(lambda k=k: sha256(b"fair %d" % k).digest())  # type: ignore[misc]
        fallen.update(chance.draw(sides) for _ in range(10))
    assert set(fallen) == set(range(1, sides + 1))
    assert 0.001 < chisquare([fallen[face] for face in range(1, sides + 1)]).pvalue < 0.999


def test_seeded_keeps_what_was_asked_and_makes_its_seed_once() -> None:
    made = []
    chance = SeededChance(lambda: made.append(1) or b"seed" * 8)  # type: ignore[func-returns-value]
    assert chance.values == ()
    assert not made
    first, second = chance.draw(6), chance.draw(20)
    assert chance.values == ((6, first), (20, second))
    assert made == [1]


def test_declared_faces_are_those_that_are_asked_for() -> None:
    chance = DeclaredChance((6, 20))
    assert (chance.draw(6), chance.draw(20)) == (6, 20)
    assert chance.values == ((6, 6), (20, 20))
    with pytest.raises(Refused, match="faces-missing"):
        chance.draw(6)
    with pytest.raises(Refused, match="face-off-the-die"):
        DeclaredChance((7,)).draw(6)
    with pytest.raises(Refused, match="faces-left-over"):
        _ = DeclaredChance((1,)).values


def test_a_declared_card_is_the_number_printed_on_it() -> None:
    chance = DeclaredChance((7, 3))
    assert draw_card(chance, 20, (3, 7, 20)) == 7
    assert draw_card(chance, 20, (3, 20)) == 3
    assert chance.values == ((20, 7), (20, 3))
    with pytest.raises(Refused, match="card-not-left"):
        draw_card(DeclaredChance((7,)), 20, (3, 20))
    with pytest.raises(Refused, match="face-off-the-die"):
        draw_card(DeclaredChance((21,)), 20, (3, 20))


def test_a_drawn_card_is_one_of_those_that_are_left() -> None:
    drawn = list(branches(lambda chance: draw_card(chance, 20, (3, 7, 20))))
    assert drawn == [(Fraction(1, 3), card) for card in (3, 7, 20)]


def test_undrawn_stops_at_the_first_ask() -> None:
    with pytest.raises(NeedsDrawError):
        UndrawnChance().draw(6)


def test_every_branch_is_walked_once_with_its_chance() -> None:
    def run(chance: Chance) -> tuple[int, ...]:
        first = chance.draw(3)
        return (first, *(chance.draw(2) for _ in range(first - 1)))

    walked = list(branches(run))
    assert sum(odds for odds, _ in walked) == 1
    assert [result for _, result in walked] == [
        (1,),
        (2, 1),
        (2, 2),
        (3, 1, 1),
        (3, 1, 2),
        (3, 2, 1),
        (3, 2, 2),
    ]
    assert walked[0][0] == Fraction(1, 3)
    assert walked[3][0] == Fraction(1, 12)
