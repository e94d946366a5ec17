"""Who may command what: the player of a PC, another player, the GM; and nobody else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.rules.dice import ADVANTAGE
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    Applies,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    Part,
    Scene,
    Size,
    Source,
    Taking,
    Unit,
)
from tests.domain.rulesets.fansys.people import (
    AUDITOR,
    BOW,
    EVEN,
    GM,
    HOUSE,
    MELEE,
    NATURAL,
    P1,
    P2,
    QUIET,
    SPECTATOR,
    TABLE,
    has_hit,
    is_now,
    left,
    opened,
)
from tests.domain.rulesets.given import after

OPEN, R = opened("ana"), "for a reason"
DICE = [left("ana", sp_dice=3, sp_owned=3)]
OURS, OWN, MASTERS, NPC = (
    "may not-yours may",
    "may not-yours not-yours",
    "gm-only gm-only may",
    "not-yours not-yours may",
)

WHO: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the GM
    (c.Create("cleo", "Cleo", 1, *EVEN, 0, 0, "elf", "elf", Size.SMALL), [], "may may may"),
    (c.HandOver("ana", R), [], MASTERS),
    (c.LevelUp("ana", R), [], MASTERS),
    (c.TrainDice("ana", Energy.SP, 3), [], OURS),
    (c.LearnSkill("ana", "knots", 1, DEX), [], OURS),
    (c.SetProficiency("ana", "swords", True), [], OURS),
    (c.LearnAttack("ana", "axe", STR, NATURAL, MELEE, 1, 6, 0), [], OURS),
    (c.Equip("ana", Item.DAGGER), [], OURS),
    (c.SetSpeed("ana", Mode.WALK, 30), [], OURS),
    (c.SetDefence("ana", Part.DODGE, Layer.STATIC, "grace", 1), [], OURS),
    (c.SetDefence("ana", Part.DODGE, Layer.MP, "mirror", 1), [], "gm-only not-yours may"),
    (
        c.SetModifier("ana", "rope", Source.EQUIPMENT, NATURAL, "tool", Applies.SKILL, 1),
        [],
        MASTERS,
    ),
    (c.OpenCheck("ana", "locks"), [], OURS),
    (c.OpenCheck("ana", "locks", threshold=12), [], "gm-only not-yours may"),
    (c.OpenSave("ana", STR, 12), [], MASTERS),
    (c.SetTerms("ana", 12), [OPEN], MASTERS),
    (c.ForceSave("ana", "ben", NATURAL, STR, STR), [], OURS),
    (c.Oppose("ana", "ben", keeper_stat=STR, challenger_stat=STR), [], MASTERS),
    (c.Roll("ana"), [OPEN], OURS),
    (c.Take("ana", Taking.CARE), [QUIET, OPEN], OURS),
    (c.FailWillingly("ana"), [OPEN], OWN),
    (c.RuleCheck("ana", True, R), [OPEN], MASTERS),
    (c.Drop("ana", R), [OPEN], MASTERS),
    (c.Attack("ana", "ben", "sword"), [], OURS),
    (c.RollDamage("ana"), [has_hit()], OURS),
    (c.Harm("ana", NATURAL, 3, R), [], MASTERS),
    (c.Move("ana", Mode.WALK, 5), [e.SpeedSet("ana", Mode.WALK, 0, 30)], OURS),
    (c.SpendDice("ana", Energy.SP, 1, "a leap"), DICE, OWN),
    (c.Rest("ana", Length.REST), [], MASTERS),
    (c.Grant("ana", ADVANTAGE, R), [], MASTERS),
    (c.SetCondition("ana", Condition.PRONE), [], MASTERS),
    (c.LiftCondition("ana", Condition.PRONE), [is_now("ana", Condition.PRONE)], MASTERS),
    (c.PassTime(1, Unit.HOUR), [], MASTERS),
    (c.SetScene(Scene.SAFE, R), [], MASTERS),
    (c.AdjustPool("ana", Gauge.HP, 3, R), [], MASTERS),
    (c.AdjustStat("ana", STR, 3, R), [], MASTERS),
    (c.LearnSkill("rat", "hiding", 1, DEX), [], NPC),
    (c.OpenCheck("rat", stat=DEX), [], NPC),
    (c.Roll("rat"), [opened("rat")], NPC),
    (c.FailWillingly("rat"), [opened("rat")], NPC),
    (c.Attack("rat", "ana", "gnawing"), [], NPC),
    (c.RollDamage("rat"), [has_hit("rat", "ana", BOW)], NPC),
    (c.SpendDice("ghost", Energy.MP, 1, "a wail"), [], NPC),
]


def answer(when: Message, given: Sequence[Message], by: By) -> str:
    try:
        ruleset.decider.decide(after(when, [*TABLE, *given]), when, by, Enumerated(()))  # type: ignore[arg-type]
    except Refused as refused:
        return refused.rule
    return "may"


@pytest.mark.parametrize(("when", "given", "answers"), WHO)
def test_who_may(when: Message, given: Sequence[Message], answers: str) -> None:
    assert [answer(when, given, by) for by in (P1, P2, GM)] == answers.split()


@pytest.mark.parametrize(("when", "given"), [row[:2] for row in WHO])
@pytest.mark.parametrize("by", [SPECTATOR, AUDITOR, HOUSE])
def test_nobody_else_plays(when: Message, given: Sequence[Message], by: By) -> None:
    assert answer(when, given, by) == "not-playing"


def test_the_table_has_every_command() -> None:
    assert {type(when) for when, *_ in WHO} == set(ruleset.commands)


def test_a_gm_with_a_pc_of_the_own_spends_its_dice() -> None:
    assert answer(c.SpendDice("ana", Energy.SP, 1, "a leap"), DICE, By("p1", GM.role)) == "may"


def test_who_was_gm_before_keeps_no_npc() -> None:
    assert answer(c.OpenCheck("rat", stat=DEX), [], By("gm", P1.role)) == "not-yours"
