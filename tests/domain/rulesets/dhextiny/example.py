"""The example of Dhextiny: what the session-level tests play if it is the first ruleset."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.dhextiny import messages as m
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = m.AdjustAp("ana", 3, "a rat is no lion")
EXAMPLE = Example(
    bring=m.CreatePc("ana", "Ana"),
    guest=m.CreateCreature("rat", "Rat", 6),
    ready=(),
    draw=m.Check("ana"),
    dice=(6,),
    waits=m.Check("ana"),
    over=((Role.PLAYER, m.Settle("ana")),),
    plain=m.Settle("ana"),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "ap", 0, 999),
    option=Choice("point", 0, 6),
    carried={"point": 0},
    closing="The session ends. The next one can start where it ended.",
    bent=Bent(brought={"ap": 13}, drawn={"point": 6}, plain={"point": 6}),
)
