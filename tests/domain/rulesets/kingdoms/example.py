"""What the tests of the frame play where Kingdoms and Rulers is the first room."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.kingdoms.messages.commands import (
    AdjustStat,
    AssemblePool,
    CreateNpc,
    CreatePc,
    DeclareTest,
    Interpret,
    NameStat,
    RollTest,
    SetDt,
)
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = AdjustStat("ana", "CHA", 3, "a night's rest")
EXAMPLE = Example(
    bring=CreatePc("ana", "Ana", 2, 2),
    guest=CreateNpc("rat", "Rat", 2, 1),
    ready=(
        (Role.GM, DeclareTest("ana", "basic", ("CON",))),
        (Role.PLAYER, AssemblePool("ana")),
        (Role.GM, SetDt("ana", 6)),
    ),
    draw=RollTest("ana"),
    dice=(12, 12),
    waits=RollTest("ana"),
    over=((Role.GM, Interpret("ana", "so it goes")),),
    plain=NameStat("ana", "luck", 1),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "value", -99, 99),
    option=Choice("whole_stats", True, 1),
    carried={},
    closing="The evening closes.",
    bent=Bent(brought={"con": 3}, drawn={"margin": 9}, plain={"value": 2}),
)
