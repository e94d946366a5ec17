"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import (
    Injury,
    Number,
    Options,
    Pile,
    Recovery,
    StaminaMode,
    TiedCards,
)
from tests.domain.rulesets.deckahedron.people import (
    CURSED,
    EASY,
    EVEN,
    GM,
    P1,
    P2,
    POISONED,
    S,
    dodged,
    hand,
    hard,
    lost,
    out,
    tried,
)

OPEN = [tried()]
SET = [*OPEN, hard()]
DOWN = [*SET, hand("D07")]
TIRED = [lost("D12", "D13")]
WOLF = m.CharacterCreated("wolf", "Wolf", "gm", EVEN, npc=True)
R = "for a reason"

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # when, given, its player · another player · the GM
    (m.CreateCharacter("cleo", "Cleo", "p1"), [out()], "may not-yours may"),
    (m.CreateNpc("wolf", "Wolf"), [], "gm-only gm-only may"),
    (m.DistributeRanks("ana", 3, 2, 1), [], "may not-yours may"),
    (m.Introduce("ana", "the docks"), [], "may not-yours may"),
    (m.Retire("ana", R), [], "may not-yours may"),
    (m.Attempt("ana", "lift the gate"), [], "may not-yours may"),
    (m.Withdraw("ana"), OPEN, "may not-yours may"),
    (m.Flip("ana"), SET, "may not-yours may"),
    (m.Choose("ana", 7), DOWN, "may not-yours may"),
    (m.Reshuffle("ana"), [], "may not-yours may"),
    (m.FlipNumber("ana", Number.D6), [], "may not-yours may"),
    (m.EndTurn("ana"), [m.TurnOpened("ana")], "may not-yours may"),
    (m.OpenTurn("ana"), [], "gm-only gm-only may"),
    (m.SetDifficulty("ana", S, EASY), OPEN, "gm-only gm-only may"),
    (m.SetDifficulty("ana", S, EASY), [], "gm-only gm-only may"),
    (m.TellOutcome("ana", "It opens."), OPEN, "gm-only gm-only may"),
    (m.Interpret("ana", "It opens."), DOWN, "gm-only gm-only may"),
    (m.AdjustRanks("ana", R, 3, 1, 2), [], "gm-only gm-only may"),
    (m.MoveCard("ana", 7, Pile.DISCARD, R), [], "gm-only gm-only may"),
    (m.SetCondition("ana", "poisoned", 3), [], "gm-only gm-only may"),
    (m.EndCondition("ana", "poisoned", R), [POISONED], "gm-only gm-only may"),
    (m.EndRound(), [POISONED], "gm-only gm-only may"),
    (m.PassMinutes(5), [CURSED], "gm-only gm-only may"),
    (m.SetCounter("ana", "arrows", 12), [], "may not-yours may"),
    (m.LoseStamina("ana", 2), [], "may not-yours may"),
    (m.TakeInjury("ana", Injury.HARM), [], "may not-yours may"),
    (m.TakeBreather("ana"), [*TIRED, *SET, dodged("D07")], "may not-yours may"),
    (m.Recover("ana", Recovery.REST), TIRED, "may not-yours may"),
    (m.Attempt("wolf", "bite"), [WOLF], "not-yours not-yours may"),
    (m.Reshuffle("wolf"), [WOLF], "not-yours not-yours may"),
]

OPTIONS = Options(tied_cards=TiedCards.PLAYER, stamina_mode=StaminaMode.HEROIC)


EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a GM who plays ana shuffles its deck
    (m.Reshuffle("ana"), [], By("p1", GM.role), "may"),
    # who was the GM plays no NPC any more, and who is the GM now does
    (m.Attempt("wolf", "bite"), [WOLF], By("gm", P1.role), "not-yours"),
    (m.Reshuffle("wolf"), [WOLF], By("gm", P2.role), "not-yours"),
    (m.Attempt("wolf", "bite"), [WOLF], By("p1", GM.role), "may"),
]
