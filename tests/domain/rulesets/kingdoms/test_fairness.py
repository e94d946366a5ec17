"""Many seeded draws agree with the exact odds: each die, the margins of pools, the sums of plain rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256

import pytest
from scipy.stats import chisquare

from domain.odds import odds
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms import ruleset
from domain.rulesets.kingdoms.rules import DICE, signed
from tests.domain.rulesets.given import after
from tests.domain.rulesets.kingdoms.people import ANA, P1, Fallen, ready
from tests.scale import scale

DRAWS = scale(8_000, 100_000)
FEW = 5  # a cell of a chi-square test that is expected less often is joined to its neighbour


def rolls(
    when: m.RollTest | m.RollDice, given: list[Message], dice: int
) -> list[m.TestRolled | m.DiceRolled]:
    """So many rolls that DRAWS dice fall, each from a seed of its own."""
    state = after(when, given)
    found: list[m.Event] = []
    for nth in range(DRAWS // dice):
        seed = sha256(f"kingdoms {when} {given} {nth}".encode()).digest()
        found += ruleset.decider.decide(state, when, P1, Fallen(seed))
    return [event for event in found if isinstance(event, m.TestRolled | m.DiceRolled)]


def agrees(seen: Counter[str], chances: Mapping[str, Fraction]) -> bool:
    """Chi-square, p between 0.001 and 0.999."""
    assert set(seen) <= set(chances)
    times, cells = sum(seen.values()), [[0.0, 0.0]]
    for outcome, chance in chances.items():
        if cells[-1][1] >= FEW:
            cells.append([0.0, 0.0])
        cells[-1][0] += seen[outcome]
        cells[-1][1] += float(times * chance)
    if cells[-1][1] < FEW:
        last = cells.pop()
        cells[-1] = [cells[-1][0] + last[0], cells[-1][1] + last[1]]
    p = chisquare([cell[0] for cell in cells], [cell[1] for cell in cells]).pvalue
    return bool(0.001 < p < 0.999)


def faces_of(found: list[m.TestRolled | m.DiceRolled]) -> Counter[str]:
    return Counter(str(face) for event in found for face in event.faces)


def each(sides: int) -> dict[str, Fraction]:
    return {str(face): Fraction(1, sides) for face in range(1, sides + 1)}


@pytest.mark.parametrize(
    ("pool", "dt"),
    [(1, 6), (2, 6), (3, 4), (4, 1), (4, 11), (5, 7), (5, 12), (8, 5), (10, 9), (20, 6)],
)
def test_margins_of_a_pool(pool: int, dt: int) -> None:
    given = [*ANA, *ready("ana", pool, dt)]
    found = rolls(m.RollTest("ana"), given, pool)
    margins = Counter(signed(event.margin) for event in found if isinstance(event, m.TestRolled))
    assert agrees(margins, odds(ruleset, after(m.RollTest("ana"), given), m.RollTest("ana"), P1))
    assert agrees(faces_of(found), each(12))


@pytest.mark.parametrize("dice", [1, 2, 5])
@pytest.mark.parametrize("sides", DICE)
def test_sums_of_a_plain_roll(sides: int, dice: int) -> None:
    when = m.RollDice("ana", dice, sides)
    found = rolls(when, [*ANA], dice)
    sums = Counter(str(event.sum) for event in found if isinstance(event, m.DiceRolled))
    assert agrees(sums, odds(ruleset, after(when, ANA), when, P1))
    assert agrees(faces_of(found), each(sides))
