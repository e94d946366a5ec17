"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.open import messages as m
from domain.rulesets.open.rules import Being
from tests.domain.rulesets.open.people import GM, P1, drawn, in_order, turn

PRONE = [m.ConditionSet("ana", "prone")]
IN_TURN = [*in_order(ana=12, orc=3), turn("ana")]
ORC_IN_TURN = [*in_order(ana=1, orc=3), turn("orc")]

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the GM
    (m.CreateCharacter("cleo", "Cleo", "p1"), [], "may not-yours may"),
    (m.CreateCharacter("cleo", "Cleo"), [], "may may may"),
    (m.Remove("ana"), [], "may not-yours may"),
    (m.Remove("orc"), [], "not-yours not-yours may"),
    (m.SetNumber("ana", "gold", 5), [], "may not-yours may"),
    (m.AddToNumber("ana", "strength", 1, "a potion"), [], "may not-yours may"),
    (m.SetBar("ana", "HP", 3, 12), [], "may not-yours may"),
    (m.ChangeBar("ana", "HP", -3), [], "may not-yours may"),
    (m.ChangeBar("orc", "HP", -3), [], "not-yours not-yours may"),
    (m.SetCondition("ana", "prone"), [], "may not-yours may"),
    (m.EndCondition("ana", "prone"), PRONE, "may not-yours may"),
    (m.EndRound(), [], "gm-only gm-only may"),
    (m.PassMinutes(10), [], "gm-only gm-only may"),
    (m.SaveRoll("ana", "bow", "1d20+5"), [], "may not-yours may"),
    (m.Roll("ana", "1d20"), [], "may not-yours may"),
    (m.Roll("ana", name="stealth"), [], "may not-yours may"),
    (m.Roll("orc", "1d20"), [], "not-yours not-yours may"),
    (m.Roll(notation="1d20"), [], "may may may"),
    (m.RollInitiative("ana", "1d20"), [], "may not-yours may"),
    (m.SetInitiative("ana", 12), [], "may not-yours may"),
    (m.NextTurn(), in_order(ana=12), "may not-yours may"),
    (m.NextTurn(), IN_TURN, "may not-yours may"),
    (m.NextTurn(), ORC_IN_TURN, "not-yours not-yours may"),
    (m.EndInitiative(), IN_TURN, "gm-only gm-only may"),
    (m.CreateDeck("large", "Large", ("Ace",)), [], "gm-only gm-only may"),
    (m.DrawCards("small", 2), [], "may may may"),
    (m.DrawCards("small", 2, "ana"), [], "may not-yours may"),
    (m.Discard("small", ("Ace",)), [drawn(0)], "may not-your-card may"),
    (m.ReturnCards("small", ("Ace",)), [drawn(0)], "may not-your-card may"),
    (m.Shuffle("small"), [], "may may may"),
    (m.SetCounter("doom", 3), [], "gm-only gm-only may"),
    (m.AddToCounter("doom", 3), [], "gm-only gm-only may"),
    (m.Note("A letter", "Come at once."), [], "may may may"),
]

EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a former GM keeps no NPC
    (m.Roll("orc", "1d6"), [], By("gm", P1.role), "not-yours"),
    # the GM plays a PC of the GM's own seat
    (m.Roll("mo", "1d6"), [m.CharacterCreated("mo", "Mo", Being.PC, "gm")], GM, "may"),
]
