"""What the tests of the frame play where Dhextiny is the first room."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.dhextiny.messages.commands import (
    AdjustAp,
    Check,
    CreateCreature,
    CreatePc,
    Settle,
)
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = AdjustAp("ana", 3, "a rat is no lion")
EXAMPLE = Example(
    bring=CreatePc("ana", "Ana"),
    guest=CreateCreature("rat", "Rat", 6),
    ready=(),
    draw=Check("ana"),
    dice=(6,),
    waits=Check("ana"),
    over=((Role.PLAYER, Settle("ana")),),
    plain=Settle("ana"),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "ap", 0, 999),
    option=Choice("point", 0, 6),
    carried={"point": 0},
    closing="The evening closes; carried over: point 0.",
    bent=Bent(brought={"ap": 13}, drawn={"point": 6}, plain={"point": 6}),
)
