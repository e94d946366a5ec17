"""The commands that general tests play if Pentola is the first ruleset."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola.rules import Bonus, Characteristic, Difficulty
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = c.AdjustCharacteristic("ana", Characteristic.BOD, 7, "a fever")
EXAMPLE = Example(
    bring=c.CreatePc("ana", "Ana", 11, 14),
    guest=c.CreateNpc("rat", "Rat", 5, 6),
    ready=(
        (Role.PLAYER, c.DeclareIntent("ana", "open the lock", "with a hairpin")),
        (Role.GM, c.CallTest("ana", Characteristic.BOD, Difficulty.NORMAL)),
    ),
    draw=c.RollTest("ana"),
    dice=(100,),
    waits=c.DeclareIntent("ana", "open the lock", "with a hairpin"),
    over=(),
    plain=c.AddBonus("ana", "locks", Bonus.SKILL, 38),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "score", 1, 100),
    option=Choice("steps_stop_at_one", False, "yes"),
    carried={},
    closing="The session ends.",
    bent=Bent(brought={"body": 12}, drawn={"percent": 101}, plain={"percent": 39}),
)
