"""The example of the open ruleset: what the session-level tests play if it is the first one."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.open import messages as m
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = m.AddToNumber("ana", "strength", 3, "a potion")
EXAMPLE = Example(
    bring=m.CreateCharacter("ana", "Ana"),
    guest=m.CreateCharacter("rat", "Rat"),
    ready=((Role.PLAYER, m.SetInitiative("ana", 12)),),
    draw=m.Roll("ana", "1d20+5"),
    dice=(20,),
    waits=m.SetInitiative("ana", 12),
    over=(),
    plain=m.SetNumber("ana", "luck", 1),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "by", -999_999, 999_999),
    option=Choice("high_is_lucky", True, 1),
    carried={},
    closing="The session ends.",
    bent=Bent(brought={"seat": "p2"}, drawn={"total": 99}, plain={"value": 2}),
)
