"""What statistics count: rolls against all that they could have been, results, points, rounds."""

from __future__ import annotations

import pytest

from domain.rulesets.fansys import events as e
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.rules.dice import ADVANTAGE
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    Energy,
    Length,
    Pools,
    Status,
    Use,
    Why,
)
from domain.tally import Chance, Counts, Moved, Rolled, Settled, Ticked
from tests.domain.rulesets.fansys.people import (
    BASE,
    NATURAL,
    SAFE,
    SUPERNATURAL,
    SWORD,
    created,
    full,
    is_now,
    left,
    opened,
    throw,
)
from tests.domain.rulesets.fansys.test_tables import SUMS

PLAIN_SUMS: dict[str, Chance] = {str(total): (number, 144) for total, number in SUMS.items()}
A, B = full(), Pools(20, 26, 24, 36, 0, 0, 33, 33, 0, 0)
D8: dict[str, Chance] = {str(face): (1, 8) for face in range(1, 9)}
BY_SUM = tuple(map(str, sorted(SUMS)))
WORST_FIRST = ("failure", "success")


def plain(total: int, use: str, outcome: str, ways: int, **given: int | str) -> Rolled:
    """2d12 against a threshold, with so many of 144 ways to succeed."""
    outcomes: dict[str, Chance] = {"success": (ways, 144), "failure": (144 - ways, 144)}
    of = {"twist": "plain", **given}
    return Rolled("ana", "2d12", str(total), use, PLAIN_SUMS, outcome, outcomes, WORST_FIRST, of)


def d8(face: int, scale: str) -> Rolled:
    return Rolled("ana", "d8", str(face), "damage", D8, scale=tuple(scale))


ROWS: list[tuple[e.Event, Counts]] = [
    (
        e.CheckRolled("ana", Use.SKILL, "locks", throw(12, 7)),
        (
            Rolled(
                "ana",
                "2d12",
                "21",
                "skill",
                PLAIN_SUMS,
                scale=BY_SUM,
                given={"twist": "plain", "kept": "12 7", "modifier": 0},
            ),
        ),
    ),
    (
        e.CheckRolled("ana", Use.ABILITY, "DEX", throw(6, 4, terms=(BASE,)), 12, False),
        (
            plain(10, "ability", "failure", 95, kept="6 4", modifier=1, threshold=12),
            Settled("ana", "ability", "failure", "failure"),
        ),
    ),
    (
        e.CheckRolled("ana", Use.SAVE, "DEX", throw(1, 1), -50, False),
        (
            plain(-2, "save", "failure", 143, kept="1 1", modifier=0, threshold=-50),
            Settled("ana", "save", "failure", "failure"),
        ),
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(12, 12), 99, True, 3),
        (
            plain(28, "attack", "success", 1, kept="12 12", modifier=0, threshold=99),
            Settled("ana", "attack", "success", "success"),
        ),
    ),
    (
        e.DamageRolled("ana", "ben", 8, (5, 8), 2, False, 15, "sword"),
        (d8(5, "12345678"), d8(8, "12345678"), Settled("ana", "damage", "15")),
    ),
    (
        e.DamageRolled("ana", "ana", 8, (5,), 0, False, 5),
        (d8(5, "87654321"), Settled("ana", "damage", "5")),
    ),
    (e.DamageRolled("ana", "ana", 2, (), 7, True, 3), (Settled("ana", "damage", "3"),)),
    (
        e.Harmed("ana", NATURAL, 18, 12, "sword", A, B, Status.OK),
        (Moved("ana", "HP", -6, "damage", 20), Moved("ana", "SP", -12, "damage", 24)),
    ),
    (e.Harmed("ana", SUPERNATURAL, 0, 0, "a sneer", A, A, Status.OK), ()),
    (
        e.Taken("ana", Use.SKILL, "locks", 13, (), 13, 1, 10, True),
        (Settled("ana", "skill", "success"),),
    ),
    (e.Taken("ana", Use.SKILL, "locks", 13, (), 13, 1), ()),
    (
        e.CheckSettled("ana", Use.SAVE, "CON", True, Why.BODILESS),
        (Settled("ana", "save", "success"),),
    ),
    (
        e.DiceSpent(
            "ana",
            Energy.SP,
            1,
            "a leap",
            full(sp_dice=8),
            Pools(26, 26, 50, 52, 7, 8, 33, 33, 0, 0),
        ),
        (Moved("ana", "SP", -2, "spent", 50), Moved("ana", "SP dice", -1, "spent", 7)),
    ),
    (
        e.Rested("ana", Length.LONG, False, B, A, Status.OK),
        (Moved("ana", "HP", 6, "rest", 26), Moved("ana", "SP", 12, "rest", 36)),
    ),
    (
        e.DiceTrained("ana", Energy.SP, 21, A, full(sp_dice=1)),
        (Moved("ana", "SP", 2, "trained", 38), Moved("ana", "SP dice", 1, "trained", 1)),
    ),
    (e.LevelGained("ana", 4, "a feat", A, A), ()),
    (
        e.StatAdjusted("ana", STR, 1, 2, "a curse", A, B, Status.OK),
        (Moved("ana", "HP", -6, "adjusted", 20), Moved("ana", "SP", -12, "adjusted", 24)),
    ),
    (left("ana", hp=3), (Moved("ana", "HP", -23, "adjusted", 3),)),
    (is_now("ana", Condition.STUNNED, 3), (Ticked("ana", "stunned", 3),)),
    (is_now("ana", Condition.STUNNED), ()),
    (e.ConditionTicked("ana", Condition.STUNNED, 2), (Ticked("ana", "stunned", 2),)),
    (e.ConditionLifted("ana", Condition.STUNNED, 2), (Ticked("ana", "stunned", 0),)),
    (e.ConditionLifted("ana", Condition.STUNNED), ()),
    (opened("ana"), ()),
    (created("ana"), ()),
    (SAFE, ()),
]


@pytest.mark.parametrize(("event", "counts"), ROWS)
def test_tally(event: e.Event, counts: Counts) -> None:
    assert ruleset.tally(event) == counts


def test_advantage_is_counted_apart() -> None:
    (rolled,) = ruleset.tally(
        e.CheckRolled("ana", Use.ABILITY, DEX, throw(3, 9, 12, twist=ADVANTAGE))
    )
    assert isinstance(rolled, Rolled)
    assert (rolled.source, rolled.value, rolled.chances["28"]) == (
        "3d12 drop lowest",
        "23",
        (34, 1728),
    )
    assert rolled.given == {"twist": "advantage", "kept": "12 9", "modifier": 0}


def test_an_untrained_roll_says_so() -> None:
    rolled, _ = ruleset.tally(
        e.CheckRolled("ana", Use.SKILL, "locks", throw(9, 8, capped=True), 12, True)
    )
    assert isinstance(rolled, Rolled)
    assert (rolled.value, rolled.given["most"], rolled.outcomes["success"]) == ("12", 12, (87, 144))
