"""What pages show beside the bars and conditions of the open table, and the names of commands."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, RollControl, free_conditions
from domain.table import PoolKind

CONTROLS = Controls(
    (
        PoolControl("open.ChangeBar", "change", "by", pool_field="name"),
        PoolControl("open.AddToCounter", "change", "by", pool_field="name"),
    ),
    free_conditions(
        "open", "Prone", "Hidden", "Bleeding", "Poisoned", "Stunned", "Frightened", "Unconscious"
    ),
    (RollControl("open.Roll", "notation", "name"),),
    ("open.Remove", "open.EndInitiative"),
)
TITLES = {
    "CreateCharacter": "Create a character",
    "Remove": "Remove a character",
    "SetNumber": "Set a number",
    "AddToNumber": "Add to a number",
    "SetBar": "Set a bar",
    "ChangeBar": "Change a bar",
    "SetCondition": "Set a condition",
    "EndCondition": "End a condition",
    "EndRound": "End the round",
    "PassMinutes": "Let minutes pass",
    "SaveRoll": "Save a roll",
    "Roll": "Roll dice",
    "RollInitiative": "Roll initiative",
    "SetInitiative": "Set initiative",
    "NextTurn": "Next turn",
    "EndInitiative": "End initiative",
    "CreateDeck": "Create a deck",
    "DrawCards": "Draw cards",
    "Discard": "Discard cards",
    "ReturnCards": "Return cards",
    "Shuffle": "Shuffle a deck",
    "SetCounter": "Set a counter",
    "AddToCounter": "Change a counter",
    "Note": "Write a note",
}
KINDS: dict[str, PoolKind] = {
    "hp": "health",
    "hit points": "health",
    "health": "health",
    "lp": "health",
    "life": "health",
    "wounds": "harm",
    "stress": "harm",
    "sp": "stamina",
    "stamina": "stamina",
    "mp": "magic",
    "mana": "magic",
    "magic": "magic",
    "luck": "luck",
    "fate": "luck",
    "inspiration": "luck",
}
"""What a bar of this name is, for its colour."""
SLOTS = "slot"
"""A bar whose name contains this word is shown as dots, one for each slot."""


def bar_kind(name: str) -> PoolKind:
    """Return what a bar with this name is."""
    folded = name.casefold()
    return "magic" if SLOTS in folded else KINDS.get(folded, "other")
