"""What pages show beside the bars and conditions of the open table, and the names of commands."""

from __future__ import annotations

from domain.controls import Controls, PoolControl, RollControl, free_conditions, kinds
from domain.table import PoolKind

LINES = {
    "CreateCharacter": "one to play",
    "Remove": "it leaves the game",
    "SetNumber": "such as armour class 14",
    "AddToNumber": "and say why",
    "SetBar": "such as 9 of 12 HP",
    "ChangeBar": "such as 3 HP less",
    "SetCondition": "for some rounds or minutes",
    "EndCondition": "it is over",
    "EndRound": "conditions get shorter",
    "PassMinutes": "conditions get shorter",
    "SaveRoll": "one press rolls it again",
    "Roll": "any dice",
    "RollInitiative": "who acts when",
    "SetInitiative": "without a roll",
    "NextTurn": "the next one acts",
    "EndInitiative": "the order of turns is over",
    "CreateDeck": "name it and its cards",
    "DrawCards": "at random",
    "Discard": "cards that lie open",
    "ReturnCards": "back into the deck",
    "Shuffle": "with the discarded ones",
    "SetCounter": "for the whole table",
    "AddToCounter": "for the whole table",
    "Note": "a letter, a rumour, a map",
}
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
    first=kinds("open", "Roll", "NextTurn", "RollInitiative", "DrawCards", "Note", "EndRound"),
    seldom=kinds(
        "open",
        "Remove",
        "SetNumber",
        "SetBar",
        "ChangeBar",
        "SetCondition",
        "EndCondition",
        "PassMinutes",
        "SaveRoll",
        "SetInitiative",
        "EndInitiative",
        "Discard",
        "ReturnCards",
        "Shuffle",
        "SetCounter",
        "AddToCounter",
    ),
    harmful=kinds("open", "Remove"),
    lines={f"open.{name}": line for name, line in LINES.items()},
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
