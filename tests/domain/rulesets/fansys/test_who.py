"""Who may command what: the player of a PC, another player, the GM; and nobody else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.messages.commands.characters import (
    Create,
    Equip,
    HandOver,
    LearnAttack,
    LearnSkill,
    LevelUp,
    SetDefence,
    SetModifier,
    SetProficiency,
    SetSpeed,
    TrainDice,
)
from domain.rulesets.fansys.messages.commands.checks import (
    Drop,
    FailWillingly,
    ForceSave,
    OpenCheck,
    OpenSave,
    Oppose,
    Roll,
    RuleCheck,
    SetTerms,
    Take,
)
from domain.rulesets.fansys.messages.commands.combat import Attack, Harm, Move, RollDamage
from domain.rulesets.fansys.messages.commands.mastery import (
    AdjustPool,
    AdjustStat,
    Grant,
    LiftCondition,
    PassTime,
    Rest,
    SetCondition,
    SetScene,
    SpendDice,
)
from domain.rulesets.fansys.messages.events.characters import SpeedSet
from domain.rulesets.fansys.rules.armoury import Item
from domain.rulesets.fansys.rules.conditions import Condition
from domain.rulesets.fansys.rules.dice import ADVANTAGE
from domain.rulesets.fansys.rules.words import (
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
    (Create("cleo", "Cleo", 1, *EVEN, 0, 0, "elf", "elf", Size.SMALL), [], "may may may"),
    (HandOver("ana", R), [], MASTERS),
    (LevelUp("ana", R), [], MASTERS),
    (TrainDice("ana", Energy.SP, 3), [], OURS),
    (LearnSkill("ana", "knots", 1, DEX), [], OURS),
    (SetProficiency("ana", "swords", True), [], OURS),
    (LearnAttack("ana", "axe", STR, NATURAL, MELEE, 1, 6, 0), [], OURS),
    (Equip("ana", Item.DAGGER), [], OURS),
    (SetSpeed("ana", Mode.WALK, 30), [], OURS),
    (SetDefence("ana", Part.DODGE, Layer.STATIC, "grace", 1), [], OURS),
    (SetDefence("ana", Part.DODGE, Layer.MP, "mirror", 1), [], "gm-only not-yours may"),
    (SetModifier("ana", "rope", Source.EQUIPMENT, NATURAL, "tool", Applies.SKILL, 1), [], MASTERS),
    (OpenCheck("ana", "locks"), [], OURS),
    (OpenCheck("ana", "locks", threshold=12), [], "gm-only not-yours may"),
    (OpenSave("ana", STR, 12), [], MASTERS),
    (SetTerms("ana", 12), [OPEN], MASTERS),
    (ForceSave("ana", "ben", NATURAL, STR, STR), [], OURS),
    (Oppose("ana", "ben", keeper_stat=STR, challenger_stat=STR), [], MASTERS),
    (Roll("ana"), [OPEN], OURS),
    (Take("ana", Taking.CARE), [QUIET, OPEN], OURS),
    (FailWillingly("ana"), [OPEN], OWN),
    (RuleCheck("ana", True, R), [OPEN], MASTERS),
    (Drop("ana", R), [OPEN], MASTERS),
    (Attack("ana", "ben", "sword"), [], OURS),
    (RollDamage("ana"), [has_hit()], OURS),
    (Harm("ana", NATURAL, 3, R), [], MASTERS),
    (Move("ana", Mode.WALK, 5), [SpeedSet("ana", Mode.WALK, 0, 30)], OURS),
    (SpendDice("ana", Energy.SP, 1, "a leap"), DICE, OWN),
    (Rest("ana", Length.REST), [], MASTERS),
    (Grant("ana", ADVANTAGE, R), [], MASTERS),
    (SetCondition("ana", Condition.PRONE), [], MASTERS),
    (LiftCondition("ana", Condition.PRONE), [is_now("ana", Condition.PRONE)], MASTERS),
    (PassTime(1, Unit.HOUR), [], MASTERS),
    (SetScene(Scene.SAFE, R), [], MASTERS),
    (AdjustPool("ana", Gauge.HP, 3, R), [], MASTERS),
    (AdjustStat("ana", STR, 3, R), [], MASTERS),
    (LearnSkill("rat", "hiding", 1, DEX), [], NPC),
    (OpenCheck("rat", stat=DEX), [], NPC),
    (Roll("rat"), [opened("rat")], NPC),
    (FailWillingly("rat"), [opened("rat")], NPC),
    (Attack("rat", "ana", "gnawing"), [], NPC),
    (RollDamage("rat"), [has_hit("rat", "ana", BOW)], NPC),
    (SpendDice("ghost", Energy.MP, 1, "a wail"), [], NPC),
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
    assert answer(SpendDice("ana", Energy.SP, 1, "a leap"), DICE, By("p1", GM.role)) == "may"


def test_who_was_gm_before_keeps_no_npc() -> None:
    assert answer(OpenCheck("rat", stat=DEX), [], By("gm", P1.role)) == "not-yours"
