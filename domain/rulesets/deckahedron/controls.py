"""What pages show beside the pools and conditions of Deckahedron, and the names of commands."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, free_conditions, kinds
from domain.rulesets.deckahedron.rules import HARM_POOL, STAMINA_POOL, WOUNDS_POOL, Injury

LINES = {
    "CreateCharacter": "with rank 2 in each stat",
    "CreateNpc": "played by the GM",
    "DistributeRanks": "six points, three stats",
    "Introduce": "who you are, what you want",
    "Retire": "it leaves the story for good",
    "Attempt": "say what you try",
    "SetDifficulty": "best or worst of several cards",
    "TellOutcome": "it cannot fail",
    "Withdraw": "before a card is flipped",
    "Flip": "the cards tell how it goes",
    "Choose": "one of the tied cards",
    "Interpret": "say what it means",
    "OpenTurn": "several attempts in a row",
    "EndTurn": "the next one acts",
    "Reshuffle": "discarded cards go back",
    "FlipNumber": "cards instead of a die",
    "AdjustRanks": "correct the sheet",
    "MoveCard": "to another pile",
    "SetCondition": "for some rounds or minutes",
    "EndCondition": "it is over",
    "EndRound": "conditions get shorter",
    "PassMinutes": "conditions get shorter",
    "SetCounter": "arrows, coins and the like",
    "LoseStamina": "cards are exhausted",
    "TakeInjury": "harm or a wound",
    "TakeBreather": "get stamina back",
    "Recover": "rest, or heal a day",
}
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
    first=kinds(
        "deckahedron",
        "Choose",
        "Attempt",
        "Flip",
        "EndTurn",
        "SetDifficulty",
        "TellOutcome",
        "Interpret",
        "TakeBreather",
        "Withdraw",
        "DistributeRanks",
        "OpenTurn",
    ),
    seldom=kinds(
        "deckahedron",
        "Introduce",
        "Reshuffle",
        "FlipNumber",
        "LoseStamina",
        "TakeInjury",
        "Recover",
        "SetCounter",
        "SetCondition",
        "PassMinutes",
    ),
    harmful=kinds("deckahedron", "LoseStamina", "TakeInjury"),
    lines={f"deckahedron.{name}": line for name, line in LINES.items()},
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
