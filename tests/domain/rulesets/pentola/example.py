"""What the tests of the frame play where Pentola is the first room."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.pentola.messages.commands.play import (
    AddBonus,
    AdjustCharacteristic,
    CallTest,
    CreateNpc,
    CreatePc,
    DeclareIntent,
    RollTest,
)
from domain.rulesets.pentola.rules import Bonus, Characteristic, Difficulty
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = AdjustCharacteristic("ana", Characteristic.BOD, 7, "a fever")
EXAMPLE = Example(
    bring=CreatePc("ana", "Ana", 11, 14),
    guest=CreateNpc("rat", "Rat", 5, 6),
    ready=(
        (Role.PLAYER, DeclareIntent("ana", "open the lock", "with a hairpin")),
        (Role.GM, CallTest("ana", Characteristic.BOD, Difficulty.NORMAL)),
    ),
    draw=RollTest("ana"),
    dice=(100,),
    waits=DeclareIntent("ana", "open the lock", "with a hairpin"),
    over=(),
    plain=AddBonus("ana", "locks", Bonus.SKILL, 38),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "score", 1, 100),
    option=Choice("steps_stop_at_one", False, "yes"),
    carried={},
    closing="The evening closes.",
    bent=Bent(brought={"body": 12}, drawn={"percent": 101}, plain={"percent": 39}),
)
