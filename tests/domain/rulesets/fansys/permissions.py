"""The answers to each command of its player, another player and the GM."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.rules.dice import ADVANTAGE
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    Applies,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    ModifierOrigin,
    Scene,
    Size,
    Taking,
    ThresholdPart,
    Unit,
)
from tests.domain.rulesets.fansys.people import (
    ANNOUNCED,
    BOW,
    EVEN,
    GM,
    MELEE,
    NATURAL,
    P1,
    QUIET,
    has_hit,
    hexed,
    is_now,
    left,
    opened,
)

OPEN, R = opened("ana"), "for a reason"
DICE = [left("ana", sp_dice=3, sp_owned=3)]
OURS = "may not-yours may"
MASTERS = "gm-only gm-only may"
NPC = "not-yours not-yours may"

PERMISSIONS: list[tuple[Message, Sequence[Message], str]] = [
    # command, events after those of TABLE; answers to its player, another player, · the GM
    (c.Create("cleo", "Cleo", 1, *EVEN, 0, 0, "elf", "elf", Size.SMALL), [], "may may may"),
    (c.HandOver("ana", R), [], MASTERS),
    (c.Retire("ana", R), [], OURS),
    (c.LevelUp("ana", R), [], MASTERS),
    (c.TrainDice("ana", Energy.SP, 3), [], OURS),
    (c.LearnSkill("ana", "knots", 1, DEX), [], OURS),
    (c.SetProficiency("ana", "swords", True), [], OURS),
    (c.LearnAttack("ana", "axe", STR, NATURAL, MELEE, 1, 6, 0), [], OURS),
    (c.Equip("ana", Item.DAGGER), [], OURS),
    (c.SetSpeed("ana", Mode.WALK, 30), [], OURS),
    (c.SetDefence("ana", ThresholdPart.DODGE, Layer.STATIC, "grace", 1), [], OURS),
    (c.SetDefence("ana", ThresholdPart.DODGE, Layer.MP, "mirror", 1), [], "gm-only not-yours may"),
    (
        c.SetModifier("ana", "rope", ModifierOrigin.EQUIPMENT, NATURAL, "tool", Applies.SKILL, 1),
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
    (c.FailWillingly("ana"), [OPEN], OURS),
    (c.RuleCheck("ana", True, R), [OPEN], MASTERS),
    (c.Drop("ana", R), [OPEN], MASTERS),
    (c.Attack("ana", "ben", "sword"), [], OURS),
    (c.AnnounceAttack("ana", "ben", "sword"), [], OURS),
    (c.SetAttackTerms("ana"), [ANNOUNCED], MASTERS),
    (c.RollAttack("ana"), [ANNOUNCED], OURS),
    (c.RuleAttack("ana", True, R), [ANNOUNCED], MASTERS),
    (c.RollDamage("ana"), [has_hit()], OURS),
    (c.Harm("ana", NATURAL, 3, R), [], MASTERS),
    (c.Move("ana", Mode.WALK, 5), [e.SpeedSet("ana", Mode.WALK, 0, 30)], OURS),
    (c.SpendDice("ana", Energy.SP, 1, "a leap"), DICE, OURS),
    (c.Rest("ana", Length.REST), [], MASTERS),
    (c.Grant("ana", ADVANTAGE, R), [], MASTERS),
    (c.SetCondition("ana", ConditionName.PRONE), [], MASTERS),
    (c.LiftCondition("ana", ConditionName.PRONE), [is_now("ana", ConditionName.PRONE)], MASTERS),
    (c.SetCondition("ana", name="hexed", minutes=5), [], MASTERS),
    (c.EndCondition("ana", "hexed", R), [hexed("ana")], MASTERS),
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
    (c.AnnounceAttack("rat", "ana", "gnawing"), [], NPC),
    (c.Retire("rat", R), [], NPC),
]

EXCEPTIONS: list[tuple[Message, Sequence[Message], By, str]] = [
    # when, given, by, answer
    # a GM who plays ana spends its dice
    (c.SpendDice("ana", Energy.SP, 1, "a leap"), DICE, By("p1", GM.role), "may"),
    # a former GM keeps no NPC
    (c.OpenCheck("rat", stat=DEX), [], By("gm", P1.role), "not-yours"),
]
