"""Exact odds: against enumeration, against simulated rolls and known figures, and fast enough."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from time import perf_counter

import pytest
from scipy.stats import chisquare

from domain.chance import branches
from domain.decider import Refused
from domain.odds import enumerate_odds, odds
from domain.ruleset import Message
from domain.rulesets.open import dice as dice_module, messages as m, odds as odds_module, ruleset
from domain.rulesets.open.dice import roll
from domain.rulesets.open.notation import OPERATIONS, parse
from domain.rulesets.open.odds import distribution
from tests.domain.rulesets.given import after
from tests.domain.rulesets.open.people import P1, TABLE, drawn
from tests.domain.rulesets.open.random_notations import (
    LARGE,
    SMALL,
    random_expressions,
    throws,
)
from tests.support.rows import check_rows
from tests.support.scale import scale
from tests.support.simulation import Fair

EXPRESSIONS = scale(80, 500)
"""The number of small expressions whose odds are compared with all of their throws."""
MAX_THROWS = 2_000
SIMULATIONS = scale(3, 50)
ROLLS = scale(10_000, 1_000_000)
MIN_EXPECTED = 25
"""How often the results of a pool must be expected, so that chi-square holds."""

WRITTEN = [
    "d6",
    "2d6",
    "3d6+2",
    "2d4-1d6",
    "4dF",
    "d4*d6",
    "(1d6+2)*3",
    "3d6/2",
    "-2d4",
    "2d4-2d4",
    "5",
    "2*1d6+1d4",
    "1d6-1d6/2",
    "4d6kh3",
    "4d6kl3",
    "4d6dl1",
    "4d6dh1",
    "3d4kh1",
    "3d4kl1",
    "3d4kh2",
    "3d4dh2",
    "4dFkh2",
    "2d20kh1+5",
    "3d6kh2*2",
    "2d6ro<2",
    "1d20ro=1",
    "2d6ro>4",
    "1d6ro<7",
    "2dFro<0",
    "3d4ro<2kh2",
    "3d10>=7",
    "4d6>4",
    "4d6=6",
    "3d6<1",
    "4d6kh3>=5",
    "4d6dl2<3",
    "3d4ro=1>=3",
    "2d6>=5+1d4",
    "10-3d6>=4",
]


def small_notations() -> list[str]:
    """Return EXPRESSIONS different notations, the written ones first and then random ones."""
    found = dict.fromkeys(WRITTEN)
    for notation, expression in random_expressions(random.Random(21), SMALL):
        if len(found) >= EXPRESSIONS:
            break
        if 1 < throws(expression) <= MAX_THROWS:
            found[notation] = None
    return list(found)


def enumerated(notation: str) -> Mapping[int, Fraction]:
    found: dict[int, Fraction] = defaultdict(Fraction)
    for chance, result in branches(lambda chance: roll(parse(notation), chance).total):
        found[result] += chance
    return found


def test_odds_are_those_of_every_throw() -> None:
    check_rows(small_notations(), odds_are_those_of_every_throw)


def odds_are_those_of_every_throw(notation: str) -> None:
    found = distribution(parse(notation))
    assert found == enumerated(notation)
    assert list(found) == sorted(found)


@pytest.mark.parametrize(
    "notation", ["1d4!", "2d4!", "2d4!>=3", "1d6ro<2!", "2d4ro=4!", "1d4!+1d4", "1d4!*2"]
)
def test_odds_of_explosions_are_those_of_every_throw(
    notation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare with at most three explosions for each die, so that there are not too many throws."""
    monkeypatch.setattr(dice_module, "MAX_EXPLOSIONS", 3)
    monkeypatch.setattr(odds_module, "MAX_EXPLOSIONS", 3)
    assert distribution(parse(notation)) == enumerated(notation)


KNOWN = [
    # notation, result, chance
    ("3d6", 10, Fraction(27, 216)),
    ("4d6kh3", 18, Fraction(21, 1296)),
    ("4d6kh3", 3, Fraction(1, 1296)),
    ("2d20kh1", 20, Fraction(39, 400)),
    ("2d20kl1", 20, Fraction(1, 400)),
    ("2d6ro<2", 2, Fraction(1, 1296)),
    ("1d20ro=1", 1, Fraction(1, 400)),
    ("8d10>=7", 4, Fraction(comb(8, 4) * 4**4 * 6**4, 10**8)),
    ("200d2>=2", 100, Fraction(comb(200, 100), 2**200)),
    ("4dF", 0, Fraction(19, 81)),
    ("1d6!", 7, Fraction(1, 36)),
    ("1d6!", 13, Fraction(1, 216)),
    ("1d100!", 10_100, Fraction(1, 100**101)),
    ("d2*9999*999+1", 9_989_002, Fraction(1, 2)),
    ("9999*9999*d2+d2", 99_980_002, Fraction(1, 4)),
    ("100d6", 100, Fraction(1, 6**100)),
    ("10d10kh1", 1, Fraction(1, 10**10)),
]


@pytest.mark.parametrize(("notation", "result", "chance"), KNOWN)
def test_known_figures(notation: str, result: int, chance: Fraction) -> None:
    found = distribution(parse(notation))
    assert found is not None
    assert found[result] == chance
    assert sum(found.values()) == 1


def large_odds(source: random.Random) -> tuple[str, Mapping[int, Fraction]]:
    """Return a random notation with too many throws to try them all, and its odds."""
    for notation, expression in random_expressions(source, LARGE):
        chances = distribution(expression) if throws(expression) > 100_000 else None
        if chances is not None and len(chances) > 10:
            return notation, chances
    raise AssertionError  # there are always more


def pooled(chances: Mapping[int, Fraction], found: Mapping[int, int]) -> list[tuple[float, int]]:
    """Return how often neighbouring results are expected, and how often they were rolled.

    Neighbours are pooled until they are expected MIN_EXPECTED times. The last ones join the pool
    before them.
    """
    pools: list[tuple[float, int]] = [(0.0, 0)]
    for result, chance in chances.items():
        if pools[-1][0] >= MIN_EXPECTED:
            pools.append((0.0, 0))
        expected, seen = pools.pop()
        pools.append((expected + float(chance) * ROLLS, seen + found.get(result, 0)))
    if pools[-1][0] < MIN_EXPECTED and len(pools) > 1:
        last = pools.pop()
        pools[-1] = (pools[-1][0] + last[0], pools[-1][1] + last[1])
    return pools


@pytest.mark.parametrize("seed", range(SIMULATIONS))
def test_odds_are_those_of_many_simulated_rolls(seed: int) -> None:
    """Use a seed for each notation, so that the rolls are the same in every run."""
    source = random.Random(seed)
    notation, chances = large_odds(source)
    assert sum(chances.values()) == 1, notation
    expression, dice = parse(notation), Fair(source)
    found = Counter(roll(expression, dice).total for _ in range(ROLLS))
    assert set(found) <= set(chances), notation
    expected, seen = zip(*pooled(chances, found), strict=True)
    assert len(seen) > 1, notation
    assert chisquare(seen, expected).pvalue > 1e-6, notation


TOO_LARGE = [
    "200d100",
    "200d2!",
    "1d6!kh1",
    "100d20*100d20",
    "d%*300+d%*3+d%",
    "100d100",
    "200d20",
    "2d100!",
    "3d6!kh2",
    "100d20kh50",
]


@pytest.mark.parametrize("notation", TOO_LARGE[: scale(3, len(TOO_LARGE))])
def test_odds_that_are_too_large_are_none_and_refused(notation: str) -> None:
    assert distribution(parse(notation)) is None
    when = m.Roll("ana", notation)
    with pytest.raises(Refused) as refused:
        odds(ruleset, after(when, TABLE), when, P1)
    assert refused.value.rule == "odds-too-large"


PRODUCTS = [
    # notation, the largest number of products of weights before it is refused
    ("d%*3300+d%*33+d%" + "+0" * 92, 100_000),
    ("(d%*3300+d%*33+d%)" + "*1" * 91, 100_000),
    ("d50!*0" + "+d50!*0" * 27, 100_000),
    ("+".join(["d%"] * 66), odds_module.MAX_STEPS),
]


@pytest.mark.parametrize(("notation", "most"), PRODUCTS[: scale(3, len(PRODUCTS))])
def test_long_notations_are_refused_after_few_steps(
    notation: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    products = 0

    def counted(operate: Callable[[int, int], int]) -> Callable[[int, int], int]:
        def operate_and_count(left: int, right: int) -> int:
            nonlocal products
            products += 1
            return operate(left, right)

        return operate_and_count

    operations = {operator: counted(operate) for operator, operate in OPERATIONS.items()}
    monkeypatch.setattr(odds_module, "OPERATIONS", operations)
    assert distribution(parse(notation)) is None
    assert products <= most


ASKED: list[Message] = [
    m.Roll("ana", "2d6+1"),
    m.Roll("ana", name="stealth"),
    m.Roll(notation="4d6kh3"),
    m.Roll(notation="1d6>=4"),
    m.Roll(notation="2d6kh1>=4"),
    m.RollInitiative("ana", "1d20+2"),
    m.DrawCards("small", 1),
    m.DrawCards("small", 3, "ana"),
    m.DrawCards("small", 5),
]


@pytest.mark.parametrize("when", ASKED)
def test_odds_of_a_command(when: Message) -> None:
    state = after(when, TABLE)
    found = odds(ruleset, state, when, P1)
    assert found == enumerate_odds(ruleset, state, when, P1)
    assert len(found) > 1


def test_odds_of_a_card_are_those_of_the_cards_left() -> None:
    when = m.DrawCards("small", 1)
    found = odds(ruleset, after(when, [*TABLE, drawn(0, 2)]), when, P1)
    assert found == dict.fromkeys(("Ace", "Three", "Four"), Fraction(1, 3))


def test_what_does_not_draw_is_certain() -> None:
    when = m.Roll("ana", "2+3")
    assert odds(ruleset, after(when, TABLE), when, P1) == {"5": 1}
    plain = m.SetNumber("ana", "gold", 1)
    assert odds(ruleset, after(plain, TABLE), plain, P1) == {"certain": 1}
    assert ruleset.odds(after(plain, TABLE), plain) is None


ANSWERED = [
    "100d20",
    "40d6kh10",
    "10d10!>=8",
    "100d20kh10",
    "5d6!",
    "1d100!",
    "60d6+60d6",
]


@pytest.mark.parametrize("notation", ANSWERED[: scale(3, len(ANSWERED))])
def test_many_dice_are_answered_in_about_a_second(notation: str) -> None:
    began = perf_counter()
    assert distribution(parse(notation)) is not None
    assert perf_counter() - began < 5
