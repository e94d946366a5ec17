"""What the tests of the frame play where Deckahedron is the first room."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.deckahedron.messages.commands import (
    AdjustRanks,
    CreateCharacter,
    Flip,
    Interpret,
    Introduce,
    SetDifficulty,
)
from domain.rulesets.deckahedron.rules import Difficulty, Stat
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = AdjustRanks("ana", "a potion", 4, 1, 1)
EXAMPLE = Example(
    bring=CreateCharacter("ana", "Ana"),
    guest=CreateCharacter("rat", "Rat", "p3"),
    ready=((Role.GM, SetDifficulty("ana", Stat.STRENGTH, Difficulty.STANDARD)),),
    draw=Flip("ana"),
    dice=(20,),
    waits=Flip("ana"),
    over=((Role.GM, Interpret("ana", "so it goes")),),
    plain=Introduce("ana", "a thief"),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "strength", 0, 6),
    option=Choice("deck", "D", "X"),
    carried={"deck": "D"},
    closing="The evening closes; carried over: deck D.",
    bent=Bent(brought={"name": "Eve"}, drawn={"rank": 6}, plain={"background": "a judge"}),
)
