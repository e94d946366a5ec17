"""Texts of refusals at an open table: for each rule, the reason and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, tuple[str, str]] = {
    "not-playing": (
        "Only the players and the GM may act at the table, but your role is {role}.",
        "Ask the GM for a player's seat.",
    ),
    "id-taken": (
        "The id that you chose already belongs to {entity}.",
        "Choose another id.",
    ),
    "no-such-entity": (
        "There is no character {entity} at the table.",
        "Check the spelling, or create the character first.",
    ),
    "not-yours": (
        "Players act only for the characters of their own seat, and {entity} is not one of them.",
        "Choose your own character, or ask the GM to do it.",
    ),
    "removed": (
        "The character {entity} has left the game.",
        "Choose a character who is still in the game, or create a new one.",
    ),
    "too-many-characters": (
        "The table already has {most} characters, including those who left. That is the maximum.",
        "Use a character who is in the game, or start a new session.",
    ),
    "blank-text": (
        "The field {field} contains no visible characters.",
        "Write at least one word.",
    ),
    "nothing-changes": (
        "That would not change {name}.",
        "Choose another value, or leave everything as it is.",
    ),
    "bad-notation": (
        "The notation {notation} is wrong at character {position}: {reason}.",
        "Correct it. Notations look like this: 1d20+5 or 4d6kh3.",
    ),
    "no-notation": (
        "You did not say what to roll.",
        "Write the dice, such as 1d20+5, or name a saved roll.",
    ),
    "whose-roll": (
        "A saved roll belongs to a character, and you did not say whose {name} to roll.",
        "Choose the character, or write the dice instead.",
    ),
    "no-such-roll": (
        "There is no saved roll called {name} on {entity}'s sheet.",
        "Save it first, or write the dice instead.",
    ),
    "too-many-rolls": (
        "There are already {most} saved rolls on {entity}'s sheet, which is the maximum.",
        "Replace one that is no longer needed.",
    ),
    "odds-too-large": (
        "The odds of {notation} are too complex to compute.",
        "Ask for the odds of a simpler notation. You can still roll this one.",
    ),
    "number-too-large": (
        "That would make {entity}'s {name} {value}, but it must be between -{most} and {most}.",
        "Add or subtract less.",
    ),
    "too-many-numbers": (
        "There are already {most} numbers on {entity}'s sheet, which is the maximum.",
        "Use an existing one.",
    ),
    "over-max": (
        "A bar cannot have more points than its maximum: {now} is more than {max}.",
        "Choose at most {max} for {name}, or a higher maximum.",
    ),
    "no-such-bar": (
        "There is no bar called {name} on {entity}'s sheet.",
        "Set the bar and its maximum first.",
    ),
    "too-many-bars": (
        "There are already {most} bars on {entity}'s sheet, which is the maximum.",
        "Use an existing one.",
    ),
    "one-duration": (
        "A condition lasts for rounds or minutes, not both (rounds: {rounds}, minutes: {minutes}).",
        "Leave one of them out.",
    ),
    "no-such-condition": (
        "{entity} has no such condition.",
        "Choose a condition that is shown for {entity}.",
    ),
    "too-many-conditions": (
        "The character {entity} already has {most} conditions, which is the maximum.",
        "End one of them first.",
    ),
    "initiative-runs": (
        "Initiative is running, so round {round} ends when everyone has had a turn.",
        "Go on to the next turn, or end initiative first.",
    ),
    "no-initiative": (
        "No character has initiative yet.",
        "Roll or set initiative for a character first.",
    ),
    "no-such-deck": (
        "There is no deck {deck} on the table.",
        "Choose a deck that is on the table, or ask the GM to create this one.",
    ),
    "too-many-decks": (
        "There are already {most} decks on the table, which is the maximum.",
        "Use an existing one.",
    ),
    "too-few-cards": (
        "You want to draw {number} from {deck}, but it has only {left} left.",
        "Draw fewer cards, or shuffle the discard pile back in first.",
    ),
    "card-not-in-play": (
        "The card {card} of {deck} is not in play, or you listed it more times than it is in play.",
        "Choose a card that has been drawn and not discarded.",
    ),
    "not-your-card": (
        "The card {card} belongs to seat {seat}, not to you.",
        "Ask the player in that seat or the GM to do it.",
    ),
    "too-many-counters": (
        "There are already {most} counters on the table, which is the maximum.",
        "Use an existing one.",
    ),
}
