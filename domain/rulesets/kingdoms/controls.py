"""What pages show beside the pools and conditions of Kingdoms and Rulers, and command names."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, free_conditions

CONTROLS = Controls(
    (PoolControl("kingdoms.AdjustPool", "value", "dice", "d12"),),
    free_conditions("kingdoms", "Prone", "Hidden", "Bleeding", "Stunned"),
)
TITLES = {
    "CreatePc": "Create a character",
    "CreateNpc": "Create an NPC",
    "Retire": "Retire a character",
    "NameStat": "Name a stat",
    "RenameStat": "Rename a stat",
    "RemoveStat": "Remove a stat",
    "ApproveStats": "Approve stats",
    "RejectStats": "Reject stats",
    "DeclareTest": "Declare a test",
    "GrantDice": "Grant dice",
    "AssemblePool": "Assemble the pool",
    "SetDt": "Set the DT",
    "DetermineDt": "Take the DT from an opponent",
    "ComputeDt": "Compute the DT",
    "RollTest": "Roll the test",
    "RunBasicTest": "Run a basic test",
    "Interpret": "Interpret the roll",
    "EndTest": "End the test",
    "RollDice": "Roll dice",
    "AdjustStat": "Set a stat",
    "ChangeStat": "Change a stat",
    "AdjustPool": "Change the pool",
    "DropTest": "Call off the test",
    "SetCondition": "Set a condition",
    "EndCondition": "End a condition",
    "EndRound": "End the round",
    "PassMinutes": "Let minutes pass",
}
