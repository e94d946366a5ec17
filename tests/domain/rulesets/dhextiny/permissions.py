"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import Dies, Status
from tests.domain.rulesets.dhextiny.people import (
    GM,
    P1,
    aflame,
    checked,
    dying,
    rolled_abilities,
    settled,
    stunned,
)

OPEN = checked("ana", 0, 4)
BURNING, FALLEN, UNNAMED = [aflame("ben", 2)], dying("ana", 0), [rolled_abilities("ana", 8)]
R = "for a reason"

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the GM
    (m.CreatePc("cleo", "Cleo", "p1"), [], "may not-yours may"),
    (m.RollAbilities("ana"), [], "may not-yours may"),
    (m.NameAbility("ana", "climbing"), UNNAMED, "may not-yours may"),
    (m.Check("ana", "locks"), [], "may not-yours may"),
    (m.Check("ana", settle=True, aim="pick the lock"), [], "may not-yours may"),
    (m.Attack("ana", "ben", "locks"), [], "may not-yours may"),
    (m.PutOut("ana", "ben"), BURNING, "may not-yours may"),
    (m.Alter("ana", "locks", 1), [OPEN], "may not-yours may"),
    (m.AlterToF("ana", "locks"), [OPEN], "may not-yours may"),
    (m.Settle("ana"), [OPEN], "may not-yours may"),
    (m.DeathCheck("ana"), FALLEN, "may not-yours may"),
    (m.CreateNpc("warden", "The warden"), [], "gm-only gm-only may"),
    (m.CreateCreature("hound", "The hound", 9), [], "gm-only gm-only may"),
    (m.RollAbilities("tobin"), [], "not-yours not-yours may"),
    (m.NameAbility("rat", "hiding", 5), [], "not-yours not-yours may"),
    (m.Check("tobin", "gossip"), [], "not-yours not-yours may"),
    (m.Attack("rat", "ana"), [], "not-yours not-yours may"),
    (m.Alter("rat", "gnawing", 1), [checked("rat", 0, 4)], "not-yours not-yours may"),
    (m.AlterToF("tobin", "gossip"), [checked("tobin", 0, 4)], "not-yours not-yours may"),
    (m.Settle("rat"), [checked("rat", 0, 4)], "not-yours not-yours may"),
    (m.DeathCheck("rat"), dying("rat", 0), "not-yours not-yours may"),
    (m.CheckAside("tobin", "gossip"), [], "gm-only gm-only may"),
    (m.CheckAside("ana", aim="notice the trap"), [OPEN], "gm-only gm-only may"),
    (m.Interpret("ana", "It opens."), settled("ana", 0, 4), "gm-only gm-only may"),
    (m.SetAflame("ana"), [], "gm-only gm-only may"),
    (m.AdjustFire("ben", 0, R), BURNING, "gm-only gm-only may"),
    (m.SetCondition("ana", "stunned", 2), [], "gm-only gm-only may"),
    (m.EndCondition("ana", "stunned", R), [stunned("ana", 2)], "gm-only gm-only may"),
    (m.PassMinutes(5), [stunned("ana", minutes=9)], "gm-only gm-only may"),
    (m.EndRound(), BURNING, "gm-only gm-only may"),
    (m.Burn("ben", 1), BURNING, "gm-only gm-only may"),
    (m.Harm("ana", 1, R), [], "gm-only gm-only may"),
    (m.Rest("ana"), [], "gm-only gm-only may"),
    (m.RestAll(), [], "gm-only gm-only may"),
    (m.Kill("ana", R), [], "gm-only gm-only may"),
    (m.GrantAbility("ana", "luck", R), [], "gm-only gm-only may"),
    (m.RenameAbility("ana", "locks", "doors", R), [], "gm-only gm-only may"),
    (m.RemoveAbility("ana", "locks", R), [], "gm-only gm-only may"),
    (m.AdjustAp("ana", 3, R), [], "gm-only gm-only may"),
    (m.AdjustApMax("ana", 13, R), [], "gm-only gm-only may"),
    (m.AdjustLp("ana", 3, R), [], "gm-only gm-only may"),
    (m.AdjustLpMax("ana", 8, R), [], "gm-only gm-only may"),
    (m.SetDeathRule("rat", Dies.AT_ZERO, R), [], "gm-only gm-only may"),
    (m.AdjustAmx("ana", "locks", 4, R), [], "gm-only gm-only may"),
    (m.AdjustStatus("ana", Status.DEAD, R), [], "gm-only gm-only may"),
    (m.MoveToken(3, R), [], "gm-only gm-only may"),
]

EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a GM who plays ana spends its AP
    (m.Alter("ana", "locks", 1), [OPEN], By("p1", GM.role), "may"),
    # a former GM keeps no creature
    (m.Check("rat"), [], By("gm", P1.role), "not-yours"),
]
