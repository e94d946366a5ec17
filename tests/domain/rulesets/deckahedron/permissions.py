"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import Number, Options, Pile, TiedCards
from tests.domain.rulesets.deckahedron.people import (
    EASY,
    GM,
    S,
    hand,
    hard,
    out,
    tried,
)

OPEN = [tried()]
SET = [*OPEN, hard()]
DOWN = [*SET, hand("D07")]
R = "for a reason"

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # when, given, its player · another player · the GM
    (m.CreateCharacter("cleo", "Cleo", "p1"), [out()], "may not-yours may"),
    (m.DistributeRanks("ana", 3, 2, 1), [], "may not-yours may"),
    (m.Introduce("ana", "the docks"), [], "may not-yours may"),
    (m.Retire("ana", R), [], "may not-yours may"),
    (m.Attempt("ana", "lift the gate"), [], "may not-yours may"),
    (m.Withdraw("ana"), OPEN, "may not-yours may"),
    (m.Flip("ana"), SET, "may not-yours may"),
    (m.Choose("ana", 7), DOWN, "may not-yours not-yours"),
    (m.Reshuffle("ana"), [], "may not-yours not-yours"),
    (m.FlipNumber("ana", Number.D6), [], "may not-yours may"),
    (m.EndTurn("ana"), [m.TurnOpened("ana")], "may not-yours may"),
    (m.OpenTurn("ana"), [], "gm-only gm-only may"),
    (m.SetDifficulty("ana", S, EASY), OPEN, "gm-only gm-only may"),
    (m.SetDifficulty("ana", S, EASY), [], "gm-only gm-only may"),
    (m.TellOutcome("ana", "It opens."), OPEN, "gm-only gm-only may"),
    (m.Interpret("ana", "It opens."), DOWN, "gm-only gm-only may"),
    (m.AdjustRanks("ana", R, 3, 1, 2), [], "gm-only gm-only may"),
    (m.MoveCard("ana", 7, Pile.DISCARD, R), [], "gm-only gm-only may"),
]

OPTIONS = Options(tied_cards=TiedCards.PLAYER)


EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a GM who plays ana shuffles its deck
    (m.Reshuffle("ana"), [], By("p1", GM.role), "may"),
]
