"""What statistics count: rolls against all that they could have been, results, points, rounds."""

from __future__ import annotations

import pytest

from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.characters import DiceTrained, LevelGained
from domain.rulesets.fansys.messages.events.checks import CheckRolled, CheckSettled, Taken
from domain.rulesets.fansys.messages.events.combat import AttackRolled, DamageRolled, Harmed
from domain.rulesets.fansys.messages.events.mastery import (
    ConditionLifted,
    ConditionTicked,
    DiceSpent,
    Rested,
    StatAdjusted,
)
from domain.rulesets.fansys.rules.conditions import Condition
from domain.rulesets.fansys.rules.dice import ADVANTAGE
from domain.rulesets.fansys.rules.records import Pools
from domain.rulesets.fansys.rules.words import DEX, STR, Energy, Length, Status, Use, Why
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

ROWS: list[tuple[Event, Counts]] = [
    (
        CheckRolled("ana", Use.SKILL, "locks", throw(12, 7)),
        (Rolled("ana", "2d12", "21", "skill", PLAIN_SUMS),),
    ),
    (
        CheckRolled("ana", Use.ABILITY, "DEX", throw(6, 4, terms=(BASE,)), 12, False),
        (
            Rolled("ana", "2d12", "10", "ability", PLAIN_SUMS, "failure", {"success": (95, 144), "failure": (49, 144)}),
            Settled("ana", "ability", "failure", "failure"),
        ),
    ),
    (
        CheckRolled("ana", Use.SAVE, "DEX", throw(1, 1), -50, False),
        (
            Rolled("ana", "2d12", "-2", "save", PLAIN_SUMS, "failure", {"success": (143, 144), "failure": (1, 144)}),
            Settled("ana", "save", "failure", "failure"),
        ),
    ),
    (
        AttackRolled("ana", "ben", SWORD, throw(12, 12), 99, True, 3),
        (
            Rolled("ana", "2d12", "28", "attack", PLAIN_SUMS, "success", {"success": (1, 144), "failure": (143, 144)}),
            Settled("ana", "attack", "success", "success"),
        ),
    ),
    (
        DamageRolled("ana", "ben", 8, (5, 8), 2, False, 15, "sword"),
        (
            Rolled("ana", "d8", "5", "damage", D8),
            Rolled("ana", "d8", "8", "damage", D8),
            Settled("ana", "damage", "15"),
        ),
    ),
    (DamageRolled("ana", "ana", 2, (), 7, True, 3), (Settled("ana", "damage", "3"),)),
    (
        Harmed("ana", NATURAL, 18, 12, "sword", A, B, Status.OK),
        (Moved("ana", "HP", -6, "damage"), Moved("ana", "SP", -12, "damage")),
    ),
    (Harmed("ana", SUPERNATURAL, 0, 0, "a sneer", A, A, Status.OK), ()),
    (Taken("ana", Use.SKILL, "locks", 13, (), 13, 1, 10, True), (Settled("ana", "skill", "success"),)),
    (Taken("ana", Use.SKILL, "locks", 13, (), 13, 1), ()),
    (
        CheckSettled("ana", Use.SAVE, "CON", True, Why.BODILESS),
        (Settled("ana", "save", "success"),),
    ),
    (
        DiceSpent("ana", Energy.SP, 1, "a leap", full(sp_dice=8), Pools(26, 26, 50, 52, 7, 8, 33, 33, 0, 0)),
        (Moved("ana", "SP", -2, "spent"), Moved("ana", "SP dice", -1, "spent")),
    ),
    (
        Rested("ana", Length.LONG, False, B, A, Status.OK),
        (Moved("ana", "HP", 6, "rest"), Moved("ana", "SP", 12, "rest")),
    ),
    (
        DiceTrained("ana", Energy.SP, 21, A, full(sp_dice=1)),
        (Moved("ana", "SP", 2, "trained"), Moved("ana", "SP dice", 1, "trained")),
    ),
    (LevelGained("ana", 4, "a feat", A, A), ()),
    (
        StatAdjusted("ana", STR, 1, 2, "a curse", A, B, Status.OK),
        (Moved("ana", "HP", -6, "adjusted"), Moved("ana", "SP", -12, "adjusted")),
    ),
    (left("ana", hp=3), (Moved("ana", "HP", -23, "adjusted"),)),
    (is_now("ana", Condition.STUNNED, 3), (Ticked("ana", "stunned", 3),)),
    (is_now("ana", Condition.STUNNED), ()),
    (ConditionTicked("ana", Condition.STUNNED, 2), (Ticked("ana", "stunned", 2),)),
    (ConditionLifted("ana", Condition.STUNNED, 2), (Ticked("ana", "stunned", 0),)),
    (ConditionLifted("ana", Condition.STUNNED), ()),
    (opened("ana"), ()),
    (created("ana"), ()),
    (SAFE, ()),
]


@pytest.mark.parametrize(("event", "counts"), ROWS)
def test_tally(event: Event, counts: Counts) -> None:
    assert ruleset.tally(event) == counts


def test_advantage_is_counted_apart() -> None:
    (rolled,) = ruleset.tally(CheckRolled("ana", Use.ABILITY, DEX, throw(3, 9, 12, twist=ADVANTAGE)))
    assert isinstance(rolled, Rolled)
    assert (rolled.source, rolled.value, rolled.chances["28"]) == ("3d12 drop lowest", "23", (34, 1728))
