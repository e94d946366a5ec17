"""What pages show beside the pools and conditions of Pentola, and the names of its commands."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, free_conditions

CONTROLS = Controls(
    (
        PoolControl("pentola.Harm", "loss", "points", "HP"),
        PoolControl("pentola.Heal", "gain", "points", "HP"),
    ),
    free_conditions("pentola", "Prone", "Hidden", "Bleeding", "Stunned"),
)
TITLES = {
    "CreatePc": "Create a character",
    "CreateNpc": "Create an NPC",
    "CreateThing": "Create a thing",
    "Retire": "Retire a character",
    "AddBonus": "Add a bonus",
    "AddItem": "Add an item",
    "AddAbility": "Add an ability",
    "GiveItem": "Give an item",
    "DeclareIntent": "Say what you want",
    "ExplainApproach": "Say how",
    "RuleAutomatic": "Rule without a test",
    "CallTest": "Call for a test",
    "DemandTest": "Demand a test",
    "ChangeTest": "Change the test",
    "CallOff": "Call off the test",
    "RuleBonus": "Rule on a bonus",
    "RollTest": "Roll the test",
    "UseAbility": "Use an ability",
    "UseItem": "Use an item",
    "PassMinute": "Let minutes pass",
    "RollUsage": "Roll the usage die",
    "StartMoment": "Start a moment",
    "SetInitiative": "Call for initiative",
    "RollRest": "Roll for the rest",
    "SetOrder": "Set the order",
    "EndMoment": "End the moment",
    "DeclareAction": "Declare an action",
    "DeclareMove": "Declare a move",
    "DeclareReaction": "Declare a reaction",
    "DropReaction": "Drop the reaction",
    "EndDeclaration": "Let the next one declare",
    "SetDistance": "Set a distance",
    "SetCondition": "Set a condition",
    "EndCondition": "End a condition",
    "AdjustCharacteristic": "Change a characteristic",
    "AdjustBonus": "Change a bonus",
    "AdjustUsageDie": "Change a usage die",
}
