"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c, events as e
from domain.rulesets.pentola.rules import Being, Die, Distance, Finding
from tests.domain.rulesets.pentola.people import (
    BOD,
    DUEL,
    HARD,
    NORMAL,
    P1,
    SKILL,
    acts,
    apart,
    called,
    initiative,
    intends,
    reacts,
    slot,
    started,
    turn,
)

HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
KICKED = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")]
NEAR = apart("toph", "spire", Distance.NEAR)
GUARDED = [started("guard", "toph"), initiative("toph", 31)]
OX = e.CharacterCreated("ox", "Ox", Being.PC, "p1", 12, 13, UNSET, 12)
R = "for a reason"

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # command, events after those of TABLE; answers to its player, another player, · the referee
    (c.CreatePc("cleo", "Cleo", 10, 10, UNSET, "p1"), [], "may not-yours may"),
    (c.CreateNpc("cleo", "Cleo", 10, 10), [], "gm-only gm-only may"),
    (c.CreateThing("door", "A door"), [], "gm-only gm-only may"),
    (c.Retire("toph", R), [], "may not-yours may"),
    (c.Retire("guard", R), [], "not-yours not-yours may"),
    (c.Retire("spire", R), [], "not-yours not-yours may"),
    (c.AddBonus("toph", "climbing", SKILL, 10), [], "may not-yours may"),
    (c.AddItem("toph", "rope", Die.D6), [], "may not-yours may"),
    (c.AddAbility("toph", "battle cry", Die.D6), [], "may not-yours may"),
    (c.GiveItem("toph", "herbs", "tarasi"), [], "may not-yours may"),
    (c.AddBonus("guard", "watching", SKILL, 10), [], "not-yours not-yours may"),
    (c.DeclareIntent("toph", "win"), [], "may not-yours may"),
    (c.DeclareIntent("guard", "win"), [], "not-yours not-yours may"),
    (c.ExplainApproach("toph", "by wit"), [intends("toph", UNSET)], "may not-yours may"),
    (c.Withdraw("toph"), [intends("toph")], "may not-yours may"),
    (c.RuleAutomatic("toph", Finding.CANNOT_FAIL), [intends("toph")], "gm-only gm-only may"),
    (c.CallTest("toph", BOD, NORMAL), [intends("toph")], "gm-only gm-only may"),
    (c.DemandTest("toph", BOD, NORMAL), [], "gm-only gm-only may"),
    (c.Oppose("toph", "guard", BOD, NORMAL), called("toph"), "gm-only gm-only may"),
    (c.ChangeTest("toph", BOD, HARD, R), called("toph"), "gm-only gm-only may"),
    (c.CallOff("toph", R), called("toph"), "gm-only gm-only may"),
    (c.RuleBonus("toph", "fencing", False), [], "gm-only gm-only may"),
    (c.RollTest("toph"), called("toph"), "may not-yours may"),
    (c.RollTest("guard"), called("guard"), "not-yours not-yours may"),
    (c.UseAbility("toph", "second wind"), [], "may not-yours may"),
    (c.UseItem("toph", "herbs"), [], "may not-yours may"),
    (c.PassMinute(), [e.ItemUsed("toph", "herbs", 1)], "gm-only gm-only may"),
    (c.RollUsage("toph", "herbs"), [e.RollsDue("toph", "herbs", 1)], "may not-yours may"),
    (
        c.RollUsage("toph", "herbs"),
        [e.ItemUsed("toph", "herbs", 1)],
        "minute-not-over not-yours may",
    ),
    (c.StartMoment(), [], "gm-only gm-only may"),
    (c.SetInitiative("toph", HARD), [started("toph")], "gm-only gm-only may"),
    (c.RollInitiative("toph"), [started("toph")], "may not-yours may"),
    (c.RollInitiative("guard"), [started("guard")], "not-yours not-yours may"),
    (c.RollRest(), GUARDED, "gm-only gm-only may"),
    (c.SetOrder(("tarasi", "toph"), R), DUEL, "gm-only gm-only may"),
    (c.DeclareAction("toph", "win", "a kick"), HIS_SLOT, "may not-yours may"),
    (c.DeclareMove("toph", "spire"), [*HIS_SLOT, NEAR], "may not-yours may"),
    (c.DeclareReaction("toph", "a dodge", "tarasi"), HIS_SLOT, "may not-yours may"),
    (c.DropReaction("toph"), KICKED, "may not-yours may"),
    (c.EndDeclaration("toph"), HIS_SLOT, "may not-yours may"),
    (c.EndMoment(R), DUEL, "gm-only gm-only may"),
    (c.SetDistance("toph", "spire", Distance.FAR), [], "gm-only gm-only may"),
    (c.SetCondition("toph", "hexed"), [], "gm-only gm-only may"),
    (c.EndCondition("toph", "hexed", R), [e.ConditionSet("toph", "hexed")], "gm-only gm-only may"),
    (c.Harm("ox", 3, R), [OX], "gm-only gm-only may"),
    (c.Heal("ox", 3, R), [OX, e.Harmed("ox", 5, 7, 12, R)], "gm-only gm-only may"),
    (c.AdjustCharacteristic("toph", BOD, 14, R), [], "gm-only gm-only may"),
    (c.AdjustBonus("toph", "fencing", 46, R), [], "gm-only gm-only may"),
    (c.AdjustUsageDie("toph", "herbs", Die.D12, R), [], "gm-only gm-only may"),
]

EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a former GM keeps no NPC
    (c.DeclareIntent("guard", "win"), [], By("gm", P1.role), "not-yours"),
]
