"""Who may command what: the player of a character, another player, the GM."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron import ruleset
from domain.rulesets.deckahedron.rules import Number, Options, Pile, TiedCards
from tests.domain.rulesets.deckahedron.people import (
    AUDITOR,
    BEN,
    EASY,
    GM,
    HOUSE,
    P1,
    P2,
    SPECTATOR,
    TABLE,
    S,
    hand,
    hard,
    tried,
)
from tests.domain.rulesets.given import after

OPEN = [*TABLE, tried()]
SET = [*OPEN, hard()]
DOWN = [*SET, hand("D07")]
R = "for a reason"

WHO: list[tuple[Message, Sequence[Message], str]] = [
    # when, given, its player · another player · the GM
    (m.CreateCharacter("ana", "Ana", "p1"), [BEN], "may not-yours may"),
    (m.DistributeRanks("ana", 3, 2, 1), TABLE, "may not-yours may"),
    (m.Introduce("ana", "the docks"), TABLE, "may not-yours may"),
    (m.Retire("ana", R), TABLE, "may not-yours may"),
    (m.Attempt("ana", "lift the gate"), TABLE, "may not-yours may"),
    (m.Withdraw("ana"), OPEN, "may not-yours may"),
    (m.Flip("ana"), SET, "may not-yours may"),
    (m.Choose("ana", 7), DOWN, "may not-yours not-yours"),
    (m.Reshuffle("ana"), TABLE, "may not-yours not-yours"),
    (m.FlipNumber("ana", Number.D6), TABLE, "may not-yours may"),
    (m.EndTurn("ana"), [*TABLE, m.TurnOpened("ana")], "may not-yours may"),
    (m.OpenTurn("ana"), TABLE, "gm-only gm-only may"),
    (m.SetDifficulty("ana", S, EASY), OPEN, "gm-only gm-only may"),
    (m.SetDifficulty("ana", S, EASY), TABLE, "gm-only gm-only may"),
    (m.TellOutcome("ana", "It opens."), OPEN, "gm-only gm-only may"),
    (m.Interpret("ana", "It opens."), DOWN, "gm-only gm-only may"),
    (m.AdjustRanks("ana", R, 3, 1, 2), TABLE, "gm-only gm-only may"),
    (m.MoveCard("ana", 7, Pile.DISCARD, R), TABLE, "gm-only gm-only may"),
]


def answer(when: Message, given: Sequence[Message], by: By) -> str:
    options = Options(tied_cards=TiedCards.PLAYER)
    try:
        ruleset.decider.decide(after(when, given, options), when, by, Enumerated(()))  # type: ignore[arg-type]
    except Refused as refused:
        return refused.rule
    return "may"


@pytest.mark.parametrize(("when", "given", "answers"), WHO)
def test_who_may(when: Message, given: Sequence[Message], answers: str) -> None:
    assert [answer(when, given, by) for by in (P1, P2, GM)] == answers.split()


@pytest.mark.parametrize(("when", "given"), [row[:2] for row in WHO])
@pytest.mark.parametrize("by", [SPECTATOR, AUDITOR, HOUSE])
def test_nobody_else_plays(when: Message, given: Sequence[Message], by: By) -> None:
    assert answer(when, given, by) == "not-playing"


def test_the_table_has_every_command() -> None:
    assert {type(when) for when, *_ in WHO} == set(ruleset.commands)


def test_a_gm_with_a_character_of_the_own_shuffles_its_deck() -> None:
    assert answer(m.Reshuffle("ana"), TABLE, By("p1", GM.role)) == "may"
