"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import Being
from tests.domain.rulesets.kingdoms.people import (
    BASIC,
    CON,
    EXTENDED,
    GM,
    P1,
    declared,
    extended,
    pooled,
    ready,
    rolled,
)

CALLED, POOLED, READY = [declared("ana")], [declared("ana"), pooled("ana", 4)], ready("ana", 1, 6)
FALLEN = [*READY, rolled("ana", 6, [7], (1, 0, 1, 0))]
WAITING = [m.StatProposed("ana", "INT", 9)]
POISONED = [m.ConditionSet("ana", "poisoned", rounds=3)]
BOUND = [m.ConditionSet("ana", "bound", minutes=30)]
R = "for a reason"

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the GR
    (m.CreatePc("cleo", "Cleo", 1, 2, "p1"), [], "may not-yours may"),
    (m.Retire("ana", R), [], "may not-yours may"),
    (m.Retire("ork", R), [], "not-yours not-yours may"),
    (m.NameStat("ana", "INT", 3), [], "may not-yours may"),
    (m.RenameStat("ana", "STR", "Strength", R), [], "gm-only gm-only may"),
    (m.RemoveStat("ana", "STR", R), [], "gm-only gm-only may"),
    (m.AssemblePool("ana"), CALLED, "may not-yours may"),
    (m.RollTest("ana"), READY, "may not-yours may"),
    (m.RollTest("ana", "jump"), READY, "may not-yours may"),
    (m.RollDice(2, 8, "ana", "damage"), [], "may not-yours may"),
    (m.RollDice(2, 8, "ana", margin_of="ana"), FALLEN, "may not-yours may"),
    (m.RollDice(1, 100), [], "may may may"),
    (m.RollDice(1, 6, margin_of="ana"), FALLEN, "may not-yours may"),
    (m.CreateNpc("imp", "The imp", 1, 1), [], "gm-only gm-only may"),
    (m.NameStat("ork", "INT", 0), [], "not-yours not-yours may"),
    (m.AssemblePool("ork"), [declared("ork", "AC")], "not-yours not-yours may"),
    (m.RollTest("ork"), ready("ork", 1, 6), "not-yours not-yours may"),
    (m.RollDice(1, 12, "ork"), [], "not-yours not-yours may"),
    (m.ApproveStats("ana"), WAITING, "gm-only gm-only may"),
    (m.RejectStats("ana", R), WAITING, "gm-only gm-only may"),
    (m.DeclareTest("ana", BASIC, ("STR",)), [], "gm-only gm-only may"),
    (m.DeclareTest("ana", EXTENDED, ("STR", "CHA"), CON), [], "gm-only gm-only may"),
    (m.RunBasicTest("ana", ("STR",), 6), [], "gm-only gm-only may"),
    (m.GrantDice("ana", "high ground", 1), CALLED, "gm-only gm-only may"),
    (
        m.GrantDice("ana", "high ground", 1),
        [extended("ana"), pooled("ana", 4)],
        "gm-only gm-only may",
    ),
    (m.SetDt("ana", 6), POOLED, "gm-only gm-only may"),
    (m.DetermineDt("ana", "ork", ("AC",), ("STR",)), POOLED, "gm-only gm-only may"),
    (m.ComputeDt("ana", 6, ("STR",)), POOLED, "gm-only gm-only may"),
    (m.Interpret("ana", "so"), FALLEN, "gm-only gm-only may"),
    (m.EndTest("ana"), [extended("ana")], "gm-only gm-only may"),
    (m.AdjustStat("ana", "STR", 5, R), [], "gm-only gm-only may"),
    (m.ChangeStat("ana", "STR", -1, R), [], "gm-only gm-only may"),
    (m.AdjustPool("ana", 5, R), POOLED, "gm-only gm-only may"),
    (m.DropTest("ana", R), CALLED, "gm-only gm-only may"),
    (m.SetCondition("ana", "poisoned", 3), [], "gm-only gm-only may"),
    (m.EndCondition("ana", "poisoned", R), POISONED, "gm-only gm-only may"),
    (m.EndRound(), POISONED, "gm-only gm-only may"),
    (m.PassMinutes(10), BOUND, "gm-only gm-only may"),
]

EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a former GM keeps no NPC
    (m.RollDice(1, 6, "ork"), [], By("gm", P1.role), "not-yours"),
    # the GM plays a PC of the GM's own seat
    (m.RollDice(1, 6, "mo"), [m.EntityCreated("mo", "Mo", Being.PC, "gm", 1, 1)], GM, "may"),
]
