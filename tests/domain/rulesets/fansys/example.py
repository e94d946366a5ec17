"""The commands that general tests play if FanSys23 is the first ruleset."""

from __future__ import annotations

from domain.decider import Role
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys.rules.vocabulary import Gauge, Scene, Size, Stat
from tests.domain.rulesets.example import Bent, Choice, Example, Sized

SHEET = (6, 16, 12, 14, 10, 11, 9, 8, 4, "humanoid", "human", Size.MEDIUM)
EXAMPLE = Example(
    bring=c.Create("ana", "Ana", *SHEET),
    guest=c.Create("rat", "Rat", *SHEET),
    ready=((Role.PLAYER, c.OpenCheck("ana", stat=Stat.STR)),),
    draw=c.Roll("ana"),
    dice=(12, 12),
    waits=c.OpenCheck("ana", stat=Stat.STR),
    over=(),
    plain=c.SetProficiency("ana", "CHA", True),
    override=c.SetScene(Scene.TENSE, "something moved"),
    sized=Sized(c.AdjustPool("ana", Gauge.SP, 20, "a long climb"), "now", -999, 9999),
    option=Choice("clock", 0, -1),
    carried={"clock": 0},
    closing="The session ends. The next one can start where it ended.",
    bent=Bent(brought={"level": 7}, drawn={"name": "DEX"}, plain={"known": False}),
)
