"""The example of Deckahedron: what the session-level tests play if it is the first ruleset."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import Difficulty, Stat
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

OVERRIDE = m.AdjustRanks("ana", "a potion", 4, 1, 1)
EXAMPLE = Example(
    bring=m.CreateCharacter("ana", "Ana"),
    guest=m.CreateCharacter("rat", "Rat", "p3"),
    ready=((Role.GM, m.SetDifficulty("ana", Stat.STRENGTH, Difficulty.STANDARD)),),
    draw=m.Flip("ana"),
    dice=(20,),
    waits=m.Flip("ana"),
    over=((Role.GM, m.Interpret("ana", "so it goes")),),
    plain=m.Introduce("ana", "a thief"),
    override=OVERRIDE,
    sized=Sized(OVERRIDE, "strength", 1, 4),
    option=Choice("deck", "D", "X"),
    carried={"deck": "D"},
    closing="The session ends. The next one can start where it ended.",
    bent=Bent(brought={"name": "Eve"}, drawn={"rank": 6}, plain={"background": "a judge"}),
)
