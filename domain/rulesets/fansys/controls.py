"""What pages show beside the pools and conditions of FanSys, and the names of its commands."""

from __future__ import annotations

from domain.controls import ConditionControl, Controls, PoolControl
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import Energy, Gauge

CONTROLS = Controls(
    (
        PoolControl("fansys.SpendDice", "loss", "dice", Gauge.SP_DICE, fixed={"energy": Energy.SP}),
        PoolControl("fansys.SpendDice", "loss", "dice", Gauge.MP_DICE, fixed={"energy": Energy.MP}),
        *(PoolControl("fansys.AdjustPool", "value", "now", gauge, "gauge") for gauge in Gauge),
    ),
    (
        ConditionControl("fansys.SetCondition", "condition", names=tuple(ConditionName)),
        ConditionControl("fansys.EndCondition", "name", ends=True),
    ),
    seldom=tuple(
        f"fansys.{name}"
        for name in (
            "TrainDice",
            "LearnSkill",
            "SetProficiency",
            "LearnAttack",
            "Equip",
            "SetSpeed",
            "SetDefence",
            "SetModifier",
        )
    ),
)
TITLES = {
    "Create": "Create a character or creature",
    "HandOver": "Hand a character over",
    "Retire": "Retire a character",
    "LevelUp": "Level up",
    "TrainDice": "Train dice",
    "LearnSkill": "Learn a skill",
    "SetProficiency": "Set a proficiency",
    "LearnAttack": "Learn an attack",
    "Equip": "Equip an item",
    "SetSpeed": "Set a speed",
    "SetDefence": "Set a defence",
    "SetModifier": "Set a modifier",
    "OpenCheck": "Check a skill or stat",
    "OpenSave": "Make a save",
    "SetTerms": "Set the terms",
    "ForceSave": "Force a save",
    "Oppose": "Oppose a check",
    "Roll": "Roll the check",
    "Take": "Take a number",
    "FailWillingly": "Fail willingly",
    "RuleCheck": "Rule on the check",
    "Drop": "Call it off",
    "AnnounceAttack": "Announce an attack",
    "SetAttackTerms": "Set the attack's terms",
    "RollAttack": "Roll the attack",
    "RuleAttack": "Rule on the attack",
    "RollDamage": "Roll damage",
    "SpendDice": "Spend dice",
    "Grant": "Grant advantage or disadvantage",
    "SetCondition": "Set a condition",
    "LiftCondition": "Lift a condition",
    "EndCondition": "End a condition",
    "AdjustPool": "Change a pool",
    "AdjustStat": "Change a stat",
    "PassTime": "Let time pass",
    "SetScene": "Change the scene",
}
