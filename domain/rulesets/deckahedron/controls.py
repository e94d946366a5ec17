"""What pages show beside the pools and conditions of Deckahedron, and the names of commands."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, free_conditions
from domain.rulesets.deckahedron.rules import HARM_POOL, STAMINA_POOL, WOUNDS_POOL, Injury

CONTROLS = Controls(
    (
        PoolControl("deckahedron.LoseStamina", "loss", "points", STAMINA_POOL),
        PoolControl(
            "deckahedron.TakeInjury", "gain", pool=HARM_POOL, fixed={"injury": Injury.HARM}
        ),
        PoolControl(
            "deckahedron.TakeInjury", "gain", pool=WOUNDS_POOL, fixed={"injury": Injury.WOUND}
        ),
        PoolControl("deckahedron.SetCounter", "value", "value", pool_field="counter"),
    ),
    free_conditions("deckahedron", "Prone", "Hidden", "Bleeding", "Stunned"),
)
TITLES = {
    "CreateCharacter": "Create a character",
    "CreateNpc": "Create an NPC",
    "DistributeRanks": "Distribute ranks",
    "Introduce": "Write the sheet",
    "Retire": "Retire a character",
    "SetDifficulty": "Set the difficulty",
    "TellOutcome": "Tell the outcome",
    "Withdraw": "Call off the attempt",
    "Choose": "Choose a card",
    "Interpret": "Interpret the result",
    "OpenTurn": "Give a longer turn",
    "EndTurn": "End the turn",
    "FlipNumber": "Flip for a number",
    "AdjustRanks": "Change ranks",
    "MoveCard": "Move a card",
    "SetCondition": "Set a condition",
    "EndCondition": "End a condition",
    "EndRound": "End the round",
    "PassMinutes": "Let minutes pass",
    "SetCounter": "Set a counter",
    "LoseStamina": "Lose stamina",
    "TakeInjury": "Take an injury",
    "TakeBreather": "Take a breather",
    "Recover": "Rest or heal",
}
