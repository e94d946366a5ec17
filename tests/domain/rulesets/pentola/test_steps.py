"""What the moment makes of a goal, and what is spent with a roll: focus, the third thing, reactions, ruled bonuses."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.ruleset import Message
from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola.rules import Difficulty, Options
from tests.domain.rulesets.given import check, play
from tests.domain.rulesets.pentola.people import (
    BOD,
    DUEL,
    EASY,
    GM,
    HARD,
    NORMAL,
    P1,
    TABLE,
    acts,
    called,
    reacts,
    rolled,
    slot,
    started,
    turn,
)

HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
KICKED: list[Message] = [
    *[*TABLE, *HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")],
    e.CalledForTest("tarasi", BOD, NORMAL),
]
OPPOSED = [*KICKED, e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)]
BARRED, LIFTED = e.BonusRuled("toph", "fencing", False), e.BonusRuled("toph", "fencing", True)

STEPS = [
    # difficulty, focus, things -> steps; with the option
    (NORMAL, False, 1, 0, 0),
    (NORMAL, True, 1, 1, 1),
    (EASY, True, 1, 2, 1),
    (HARD, True, 1, 0, 0),
    (NORMAL, False, 2, 0, 0),
    (NORMAL, False, 3, -1, -1),
    (HARD, False, 3, -2, -1),
    (EASY, False, 3, 0, 0),
]


@pytest.mark.parametrize(("difficulty", "focus", "things", "steps", "clamped"), STEPS)
def test_focus_and_the_third_thing(
    difficulty: Difficulty, focus: bool, things: int, steps: int, clamped: int
) -> None:
    declared = [*HIS_SLOT, acts(2, "toph", things=things, focus=focus), turn(2, "toph")]
    given = [*TABLE, *declared, e.CalledForTest("toph", BOD, difficulty)]
    for options, expected in ((Options(), steps), (Options(steps_stop_at_one=True), clamped)):
        event, *_ = play((P1, c.RollTest("toph"), 100), given=given, options=options)
        assert isinstance(event, e.RolledTest)
        assert event.steps == expected


def test_the_third_thing_makes_a_reaction_harder_too() -> None:
    given = [*TABLE, *HIS_SLOT, reacts(2, "toph", "tarasi", 1, things=3), turn(1, "tarasi")]
    called_for = [
        e.CalledForTest("tarasi", BOD, NORMAL),
        e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2),
    ]
    event, *_ = play((P1, c.RollTest("toph"), 18), given=[*given, *called_for])
    assert event == replace(rolled("toph", "tarasi", 36, -1, 18), difficulty=NORMAL)


def test_ruling_11_the_initiative_stays_as_it_was_rolled() -> None:
    event, *_ = play((P1, c.RollInitiative("toph"), 38), given=[*TABLE, started("toph")])
    assert isinstance(event, e.InitiativeRolled)
    assert event.steps == 0


def test_a_reaction_opposes_one_action_once() -> None:
    check(given=OPPOSED, when=c.Oppose("tarasi", "toph", BOD, NORMAL), by=GM, then="in-a-test")
    *_, ended = play(
        (GM, c.RollTest("tarasi"), 21),
        (P1, c.RollTest("toph", ("fencing",)), 27),
        given=OPPOSED,
    )
    assert ended == e.MomentEnded(1)


def test_a_bonus_that_is_ruled_out_is_not_named_until_the_ruling_is_lifted_or_spent() -> None:
    given = [*TABLE, *called("toph")]
    check(
        given=[*given, BARRED],
        when=c.RollTest("toph", ("fencing", "bravo")),
        by=P1,
        then="bonus-barred",
    )
    (bravo,) = play((P1, c.RollTest("toph", ("bravo",)), 50), given=[*given, BARRED])
    (fencing,) = play((P1, c.RollTest("toph", ("fencing",)), 50), given=[*given, BARRED, LIFTED])
    (spent,) = play(
        (P1, c.RollTest("toph", ("fencing",)), 50), given=[*given, BARRED, bravo, *called("toph")]
    )
    assert [roll.added for roll in (bravo, fencing, spent) if isinstance(roll, e.RolledTest)] == [
        25,
        43,
        43,
    ]
