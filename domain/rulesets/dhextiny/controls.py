"""What pages show beside the pools and conditions of Dhextiny, and the names of its commands."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, free_conditions

CONTROLS = Controls(
    (
        PoolControl("dhextiny.Harm", "loss", "points", "LP"),
        PoolControl("dhextiny.AdjustLp", "value", "lp", "LP"),
        PoolControl("dhextiny.AdjustAp", "value", "ap", "AP"),
    ),
    free_conditions("dhextiny", "Prone", "Hidden", "Bleeding", "Stunned"),
    ask_first=("dhextiny.SetAflame",),
)
TITLES = {
    "CreatePc": "Create a character",
    "CreateNpc": "Create an NPC",
    "CreateCreature": "Create a creature",
    "RollAbilities": "Roll for abilities",
    "NameAbility": "Name an ability",
    "CheckAside": "Check without the token",
    "PutOut": "Put out flames",
    "AlterToF": "Alter to F",
    "DeathCheck": "Death check",
    "SetAflame": "Set aflame",
    "SetCondition": "Set a condition",
    "EndCondition": "End a condition",
    "EndRound": "End the round",
    "PassMinutes": "Let minutes pass",
    "RestAll": "Everybody rests",
    "GrantAbility": "Grant an ability",
    "RenameAbility": "Rename an ability",
    "RemoveAbility": "Remove an ability",
    "AdjustAp": "Change AP",
    "AdjustApMax": "Change the maximum of AP",
    "AdjustLp": "Change LP",
    "AdjustLpMax": "Change the maximum of LP",
    "AdjustFire": "Change the flames",
    "AdjustAmx": "Change the AMX of an ability",
    "AdjustStatus": "Change the status",
    "SetDeathRule": "Set when it dies",
    "MoveToken": "Move the token",
}
