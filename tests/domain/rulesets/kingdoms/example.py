"""The example of Kingdoms and Rulers: what the session-level tests play if it is the first ruleset."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.kingdoms import messages as m
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = m.AdjustStat("ana", "CHA", 3, "a night's rest")
EXAMPLE = Example(
    bring=m.CreatePc("ana", "Ana", 2, 2),
    guest=m.CreateNpc("rat", "Rat", 2, 1),
    ready=(
        (Role.GM, m.DeclareTest("ana", "basic", ("CON",))),
        (Role.PLAYER, m.AssemblePool("ana")),
        (Role.GM, m.SetDt("ana", 6)),
    ),
    draw=m.RollTest("ana"),
    dice=(12, 12),
    waits=m.RollTest("ana"),
    over=((Role.GM, m.Interpret("ana", "so it goes")),),
    plain=m.NameStat("ana", "luck", 1),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "value", -99, 99),
    option=Choice("whole_stats", True, 1),
    carried={},
    closing="The session ends.",
    bent=Bent(brought={"con": 3}, drawn={"margin": 9}, plain={"value": 2}),
)
