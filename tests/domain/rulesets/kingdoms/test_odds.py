"""Exact odds of margins and sums: against enumeration, against figures of the digest, and fast enough for a screen."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from time import perf_counter

import pytest

from domain.available_commands import available_commands
from domain.decider import By
from domain.odds import enumerate_odds, odds
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m, rules, ruleset
from domain.rulesets.kingdoms.rules import Options
from tests.domain.rulesets.given import after
from tests.domain.rulesets.kingdoms.people import ANA, GM, P1, ready
from tests.support.rows import check_rows
from tests.support.scale import scale
from tests.support.sessions import ScriptedSession

STRICT = Options(twelve_always_succeeds=False)


def asked(
    when: Message, given: list[Message], options: Options | None = None, by: By = P1
) -> dict[str, Fraction]:
    return dict(odds(ruleset, after(when, [*ANA, *given], options), when, by))


def mean(chances: dict[str, Fraction]) -> Fraction:
    return sum((int(margin) * chance for margin, chance in chances.items()), Fraction())


@pytest.mark.parametrize("options", [Options(), STRICT])
@pytest.mark.parametrize("dice", range(scale(3, 4)))
def test_margins_are_those_of_every_throw(dice: int, options: Options) -> None:
    check_rows(range(1, 13), partial(margins_are_those_of_every_throw, dice, options))


def margins_are_those_of_every_throw(dice: int, options: Options, dt: int) -> None:
    state = after(m.RollTest("ana"), [*ANA, *ready("ana", dice, dt)], options)
    found = odds(ruleset, state, m.RollTest("ana"), P1)
    assert found == enumerate_odds(ruleset, state, m.RollTest("ana"), P1)
    assert sum(found.values()) == 1


@pytest.mark.parametrize(
    ("dice", "sides"), [(1, 4), (3, 4), (2, 6), (2, 8), (3, 10), (2, 12), (2, 20), (1, 100)]
)
def test_sums_are_those_of_every_throw(dice: int, sides: int) -> None:
    state = after(m.RollDice(dice, sides, "ana"), ANA)
    found = odds(ruleset, state, m.RollDice(dice, sides, "ana"), P1)
    assert found == enumerate_odds(ruleset, state, m.RollDice(dice, sides, "ana"), P1)


def test_odds_of_a_stat_under_another_spelling() -> None:
    spelled, on_the_sheet = (m.RunBasicTest("ana", (name,), 6) for name in ("str ", "STR"))
    assert asked(spelled, [], by=GM) == asked(on_the_sheet, [], by=GM)


EXPECTED = [(dt, Fraction(6 - dt, 6)) for dt in range(1, 12)] + [(12, Fraction(-5, 6))]


@pytest.mark.parametrize(("dt", "expected"), EXPECTED)
@pytest.mark.parametrize("dice", [1, 4, 20, 200])
def test_expected_margin(dice: int, dt: int, expected: Fraction) -> None:
    """Digest 3: 1 - DT/6 a die for DT 1 to 11, -5/6 at DT 12."""
    assert mean(asked(m.RollTest("ana"), [*ready("ana", dice, dt)])) == dice * expected


def test_expected_margin_if_a_12_fails_at_dt_12() -> None:
    assert mean(asked(m.RollTest("ana"), [*ready("ana", 3, 12)], STRICT)) == 3 * Fraction(-13, 12)


ONE_DIE = [
    # DT, then how many of twelve faces give +2, +1, -1, -2
    (1, 1, 10, 0, 1),
    (2, 1, 9, 1, 1),
    (3, 1, 8, 2, 1),
    (4, 1, 7, 3, 1),
    (5, 1, 6, 4, 1),
    (6, 1, 5, 5, 1),
    (7, 1, 4, 6, 1),
    (8, 1, 3, 7, 1),
    (9, 1, 2, 8, 1),
    (10, 1, 1, 9, 1),
    (11, 1, 0, 10, 1),
    (12, 1, 0, 10, 1),
]


@pytest.mark.parametrize(("dt", "two", "one", "minus_one", "minus_two"), ONE_DIE)
def test_one_die(dt: int, two: int, one: int, minus_one: int, minus_two: int) -> None:
    faces = {"+2": two, "+1": one, "-1": minus_one, "-2": minus_two}
    assert asked(m.RollTest("ana"), [*ready("ana", 1, dt)]) == {
        key: Fraction(n, 12) for key, n in faces.items() if n
    }


def test_two_dice_at_dt_6_by_hand() -> None:
    """+2 and -2 once in twelve, +1 and -1 five times: 144 throws."""
    throws = {"+4": 1, "+3": 10, "+2": 25, "+1": 10, "0": 52, "-1": 10, "-2": 25, "-3": 10, "-4": 1}
    assert asked(m.RollTest("ana"), [*ready("ana", 2, 6)]) == {
        key: Fraction(n, 144) for key, n in throws.items()
    }


def test_2d8_by_hand() -> None:
    triangle = {str(total): Fraction(8 - abs(total - 9), 64) for total in range(2, 17)}
    assert asked(m.RollDice(2, 8, "ana"), []) == triangle


@pytest.mark.parametrize("faces", [(1,), (2, 2), (-2, -1, -1, 1, 2), tuple(range(1, 7))])
@pytest.mark.parametrize("dice", range(5))
def test_the_power_of_a_die_counts_every_throw_once(dice: int, faces: tuple[int, ...]) -> None:
    assert rules.ways(dice, faces) == Counter(map(sum, product(faces, repeat=dice)))


def test_an_extended_test_asks_for_the_same_odds() -> None:
    basic, extended = (
        asked(m.RollTest("ana"), [*ready("ana", 5, 4, *refill)])
        for refill in ((), (rules.Refill.CON,))
    )
    assert basic == extended


def test_odds_run_from_the_lowest_to_the_highest() -> None:
    margins = [int(margin) for margin in asked(m.RollTest("ana"), [*ready("ana", 6, 4)])]
    assert margins == sorted(margins)


def test_what_does_not_draw_is_certain() -> None:
    assert asked(m.SetDt("ana", 4), [*ready("ana", 3, 6)], by=GM) == {"certain": 1}
    assert asked(m.RollTest("ana"), [*ready("ana", 0, 6)]) == {"0": 1}
    assert ruleset.odds(after(m.RollTest("ana"), ANA), m.Interpret("ana", "so")) is None


@pytest.mark.parametrize(
    "when", [m.RollTest("ana"), *(m.RollDice(20, sides, "ana") for sides in rules.DICE)]
)
def test_twenty_dice_are_answered_at_once(when: Message) -> None:
    given = [*ready("ana", 20, 7)]
    asked(when, given)
    took = []
    for _ in range(3):
        begun = perf_counter()
        asked(when, given)
        took.append(perf_counter() - begun)
    assert min(took) < 0.05


@pytest.mark.parametrize("options", [Options(), STRICT])
@pytest.mark.parametrize("dt", [1, 6, 11, 12])
@pytest.mark.parametrize("dice", [0, 1, 2, 5])
def test_the_chance_to_pass_is_that_of_all_positive_margins(
    dice: int, dt: int, options: Options
) -> None:
    given = [*ANA, *ready("ana", dice, dt)]
    state = after(m.RollTest("ana"), given, options)
    margins = odds(ruleset, state, m.RollTest("ana"), P1)
    passed = sum((chance for margin, chance in margins.items() if int(margin) > 0), Fraction())
    assert ruleset.success is not None
    assert ruleset.success(state, m.RollTest("ana")) == passed


def test_a_basic_test_in_one_step_has_the_odds_of_its_roll() -> None:
    state = after(m.RollTest("ana"), ANA)
    when = m.RunBasicTest("ana", ("STR", "fear"), 6)  # 4 - 2 dice
    found = odds(ruleset, state, when, GM)
    assert found == asked(m.RollTest("ana"), [*ready("ana", 2, 6)])
    assert found == enumerate_odds(ruleset, state, when, GM)
    assert ruleset.success is not None
    assert ruleset.success(state, when) == Fraction(46, 144)


def test_only_a_basic_test_with_pool_and_dt_has_a_chance_to_pass() -> None:
    assert ruleset.success is not None
    for given in (ready("ana", 2, 6, rules.Refill.CON), ready("ana", 2, 6)[:2]):
        state = after(m.RollTest("ana"), [*ANA, *given])
        assert ruleset.success(state, m.RollTest("ana")) is None
    assert ruleset.success(after(m.RollTest("ana"), ANA), m.RollDice(1, 6)) is None


@pytest.mark.parametrize("added", [-7, 0, 3])
def test_a_number_that_is_added_moves_every_sum(added: int) -> None:
    state, when = after(m.RollDice(1, 6), ANA), m.RollDice(2, 6, add=added)
    found = odds(ruleset, state, when, P1)
    assert found == enumerate_odds(ruleset, state, when, P1)
    assert {str(int(total) + added) for total in asked(m.RollDice(2, 6), [])} == set(found)


@pytest.mark.parametrize("by", [GM, P1])
@pytest.mark.parametrize("entities", [0, 1, 12])
def test_the_first_example_of_a_plain_roll_that_is_allowed_has_few_outcomes(
    entities: int, by: By
) -> None:
    """The list of commands contains the odds of that example (GET /commands)."""
    evening = ScriptedSession(ruleset=ruleset)
    for n in range(entities):
        evening.do("gm", m.CreateNpc(f"ork-{n}", f"Ork {n}", 1, 1))
    offered = {choice.kind: choice for choice in available_commands(evening.session, by)}
    first = offered["kingdoms.RollDice"].example
    assert isinstance(first, m.RollDice)
    assert (first.dice, first.sides) == (1, 4)
