"""The two tables of the book's arithmetic, as the digest prints them, and the odds that follow."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest

from domain.chance import branches
from domain.rulesets.dhextiny import messages as m, ruleset
from domain.rulesets.dhextiny.rules import RING, Result, RollPurpose, Status
from domain.tally import Attempted
from tests.domain.rulesets.dhextiny.people import ANA, P1, amx, ap, at, checked, dying
from tests.domain.rulesets.given import after, check

ROLLS = """
| start | 1 | 2 | 3 | 4 | 5 | 6 |
| 0 F | 1 PF | 2 PS | 3 S | 4 PS | 5 PF | 0 F |
| 1 PF | 2 PS | 3 S | 4 PS | 5 PF | 0 F | 1 PF |
| 2 PS | 3 S | 4 PS | 5 PF | 0 F | 1 PF | 2 PS |
| 3 S | 4 PS | 5 PF | 0 F | 1 PF | 2 PS | 3 S |
| 4 PS | 5 PF | 0 F | 1 PF | 2 PS | 3 S | 4 PS |
| 5 PF | 0 F | 1 PF | 2 PS | 3 S | 4 PS | 5 PF |
"""

PRICES = """
| from | 1 | 2 | 3 | 4 | 5 |
| 0 F | PF 1 | PS 2 | S 5! | PS 4! | PF 5! |
| 1 PF | PS 1 | S 4! | PS 3 | PF 4! | F 0 |
| 2 PS | S 3 | PS 2 | PF 3 | F 0 | PF 5! |
| 3 S | PS 1 | PF 2 | F 0 | PF 4! | PS 5! |
| 4 PS | PF 1 | F 0 | PF 3 | PS 4! | S 7! |
| 5 PF | F 0 | PF 2 | PS 3 | S 6! | PS 5! |
"""


def rows(table: str) -> list[tuple[int, int, str]]:
    """Return start point, number above the column, and the cell."""
    (_, *columns), *lines = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in table.strip().split("\n")
    )
    return [
        (int(start.split()[0]), int(column), cell)
        for start, *cells in lines
        for column, cell in zip(columns, cells, strict=True)
    ]


@pytest.mark.parametrize(("start", "face", "end"), rows(ROLLS))
def test_a_face_moves_the_token_that_far(start: int, face: int, end: str) -> None:
    point, result = int(end.split()[0]), Result(end.split()[1])
    then = [m.Checked("ana", RollPurpose.CHECK, start, face, point, result)]
    check(given=[*ANA, at(start)], when=m.Check("ana"), by=P1, drawn=[face], then=then)


@pytest.mark.parametrize(("start", "steps", "bought"), rows(PRICES))
def test_moving_on_has_its_price(start: int, steps: int, bought: str) -> None:
    result, price = bought.split()
    cost, point = int(price.rstrip("!")), (start + steps) % 6
    given = [*ANA, checked("ana", start, 6)]
    altered = m.Altered(
        "ana", "locks", start, steps, point, Result(result), 6 + steps, cost, 12 - cost
    )
    then = "over-amx" if price.endswith("!") else [altered]
    check(given=given, when=m.Alter("ana", "locks", steps), by=P1, then=then)
    check(
        given=[*given, amx("ana", "locks", 7)],
        when=m.Alter("ana", "locks", steps),
        by=P1,
        then=[altered],
    )


def test_with_amx_3_the_only_s_for_sale_is_from_the_ps_before_it() -> None:
    for_sale = [
        (start, steps, cell)
        for start, steps, cell in rows(PRICES)
        if cell.startswith("S ") and "!" not in cell
    ]
    assert for_sale == [(2, 1, "S 3")]


@pytest.mark.parametrize(("start", "steps"), [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1)])
def test_to_f_is_the_move_that_ends_there_and_gains_2_when_settled(start: int, steps: int) -> None:
    given = [*ANA, ap("ana", 5), checked("ana", start, 6)]
    altered = m.Altered("ana", "locks", start, steps, 0, Result.F, 6 + steps, 0, 5)
    check(given=given, when=m.AlterToF("ana", "locks"), by=P1, then=[altered])
    then = [m.Settled("ana", RollPurpose.CHECK, RING[start], 0, Result.F), m.Gained("ana", 2, 2, 7)]
    check(given=[*given, altered], when=m.Settle("ana"), by=P1, then=then)


@pytest.mark.parametrize("start", range(6))
def test_the_odds_are_the_same_from_every_point(start: int) -> None:
    state = after(m.Check("ana"), [*ANA, at(start)])
    odds: dict[str, Fraction] = defaultdict(Fraction)
    for chance, (event,) in branches(
        lambda chance: ruleset.decider.decide(state, m.Check("ana"), P1, chance)
    ):
        _, attempted, _ = ruleset.tally(event)
        assert isinstance(attempted, Attempted)
        assert attempted.chances == {"F": (1, 6), "PF": (2, 6), "PS": (2, 6), "S": (1, 6)}
        odds[attempted.outcome] += chance
    assert odds == {
        "S": Fraction(1, 6),
        "PS": Fraction(2, 6),
        "PF": Fraction(2, 6),
        "F": Fraction(1, 6),
    }


@pytest.mark.parametrize("start", range(6))
def test_the_odds_of_a_death_check(start: int) -> None:
    state = after(m.Check("ana"), [*ANA, *dying("ana", 0), at(start)])
    odds: dict[tuple[int, Status], Fraction] = defaultdict(Fraction)
    for chance, (event,) in branches(
        lambda chance: ruleset.decider.decide(state, m.DeathCheck("ana"), P1, chance)
    ):
        assert isinstance(event, m.DeathChecked)
        odds[event.lp, event.status] += chance
    assert odds == {
        (1, Status.OK): Fraction(1, 6),
        (0, Status.DYING): Fraction(2, 6),
        (-1, Status.DYING): Fraction(2, 6),
        (0, Status.DEAD): Fraction(1, 6),
    }
