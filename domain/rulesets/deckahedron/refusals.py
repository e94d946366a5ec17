"""Deckahedron's refusals: for each rule, the reason and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, tuple[str, str]] = {
    "one-character": (
        "Seat {seat} already plays {entity}, and each seat has only one character at a time.",
        "Play on with {entity}, or retire that character for good first.",
    ),
    "entity-exists": (
        "Another character, {entity}, already has this id.",
        "Choose a different id for the new character.",
    ),
    "no-such-entity": (
        "There is no {entity} at the table.",
        "Choose one of the characters at the table.",
    ),
    "not-yours": (
        "This decision about {entity} is up to seat {seat}, not to you.",
        "Ask the player in that seat or the GM to do it, or act for your own character.",
    ),
    "character-needs-a-seat": (
        "Every character needs a player, and you have not said who plays {entity}.",
        "Choose the seat that will play {entity}.",
    ),
    "rank-without-edge": (
        "A rank must be between 1 and 4, so {stat} cannot be {rank}.",
        "Choose a rank from 1 to 4 for {stat}.",
    ),
    "ranks-not-six": (
        "The three ranks must add up to 6, and these add up to {sum}.",
        "Choose ranks that add up to 6, counting any stat that you leave out at its current rank.",
    ),
    "ranks-distributed": (
        "{entity}'s points have already been distributed, and this can be done only once.",
        "Ask the GM to adjust the ranks.",
    ),
    "attempt-open": (
        "{entity} is still in the middle of an attempt.",
        "Finish the attempt first, or withdraw it if no card has been flipped yet.",
    ),
    "retired": (
        "{entity} has left the story for good.",
        "Choose a character who is still in the story.",
    ),
    "too-many-entities": (
        "The session already has {most} characters, which is the maximum.",
        "Play on with these characters, or start a new session.",
    ),
    "nothing-said": (
        "This introduction says nothing about {entity}.",
        "Enter a name, a background, a motivation, special skills or bonds.",
    ),
    "difficulty-not-set": (
        "The GM has not yet said how difficult {entity}'s attempt is.",
        "Ask the GM to set the stat and the difficulty first.",
    ),
    "already-flipped": (
        "The cards have already decided {entity}'s attempt: {result}.",
        "Ask the GM to interpret the result.",
    ),
    "no-attempt-open": (
        "{entity} is not attempting anything at the moment.",
        "Announce an attempt first, or ask the GM to call for one.",
    ),
    "not-flipped": (
        "No card has been flipped for {entity}'s attempt yet.",
        "Flip the cards first, or if the attempt cannot fail, ask the GM to say what happens.",
    ),
    "first-card-resolves": (
        "In this session the first of the tied cards counts, and that is {card}.",
        "Ask the GM to interpret the result.",
    ),
    "card-not-tied": (
        "Among the flipped cards, the result that counts is on {tied}, not on {card}.",
        "Choose a card that shows that result, or ask the GM to interpret the result.",
    ),
    "turn-open": (
        "{entity} already has a longer turn.",
        "Let {entity} end this turn first.",
    ),
    "no-turn-open": (
        "{entity} is not in a longer turn, so there is none to end.",
        "Play on, because an ordinary turn ends by itself after one action.",
    ),
    "deck-without-numbers": (
        "The cards of deck {deck} show no numbers, so they cannot replace dice.",
        "Roll dice at the table, or choose deck D when you start a session.",
    ),
    "card-already-there": (
        "Card {card} is already in {entity}'s {pile}.",
        "Choose another card or another pile.",
    ),
    "gm-brings-npcs": (
        "{entity} cannot be a player character, because the chosen seat is the GM's.",
        "Create {entity} as an NPC, or choose the seat of a player.",
    ),
    "blank-text": (
        "The field {field} contains no visible characters.",
        "Enter some text, or leave the field out if it is optional.",
    ),
    "nothing-changes": (
        "That would not change anything about {entity}.",
        "Enter at least one value that is different.",
    ),
    "one-duration": (
        "A condition cannot last for both rounds and minutes.",
        "Enter one of them, or neither if the condition lasts until you end it.",
    ),
    "too-many-conditions": (
        "{entity} already has {most} conditions, which is the maximum.",
        "End one of these conditions first.",
    ),
    "no-such-condition": (
        "{entity} has no such condition.",
        "Choose one of the conditions that {entity} has.",
    ),
    "nothing-timed": (
        "No condition at the table lasts for a number of {unit}.",
        "Set a condition with a number of {unit} first, or just say that time passes.",
    ),
    "too-many-counters": (
        "{entity} already has {most} counters, which is the maximum.",
        "Remove one of these counters first, by setting it without a value.",
    ),
    "no-such-counter": (
        "{entity} has no counter named {counter}.",
        "Enter a value to begin counting, or choose one of the counters that {entity} has.",
    ),
    "counter-reserved": (
        "The rules already count {counter}.",
        "Choose another name for the counter.",
    ),
    "stamina-not-played": (
        "This session does not count stamina, so {entity} has none to lose or regain.",
        "Use a counter or a condition instead, or choose a stamina mode when you start a session.",
    ),
    "incapacitated": (
        "{entity} is incapacitated and can neither lose stamina nor take a breather.",
        "Say what happens to {entity}, or let {entity} rest or heal.",
    ),
    "stamina-full": (
        "None of {entity}'s cards are exhausted, so there is no stamina to regain.",
        "Play on: {entity} has full stamina.",
    ),
    "breather-by-strength": (
        "{entity}'s attempt uses Strength, but a breather needs Dexterity or Intelligence.",
        "Ask the GM to interpret the result and to call for a Dexterity or Intelligence attempt.",
    ),
    "breather-taken": (
        "{entity} has already taken a breather after this attempt.",
        "Ask the GM to interpret the result.",
    ),
    "faces-missing": (
        "The rules need more numbers than the {given} that you entered: the next one goes up to"
        " {die}.",
        "Enter one number for each card, in the order of the flips. For a breather, enter the face"
        " of the d4.",
    ),
    "face-off-the-die": (
        "You entered {face}, but the number must be from 1 to {die}.",
        "Correct that number.",
    ),
    "faces-left-over": (
        "You entered more numbers than the rules use: {given} instead of {asked}.",
        "Enter one number for each card that is flipped. If none is flipped, send the command"
        " without faces.",
    ),
    "card-not-left": (
        "Card {card} is not in the deck any more, or you entered it twice.",
        "Enter the number that is printed on each card, and each card once. If the cards on the"
        " table differ from those in the log, ask the GM to correct them.",
    ),
    "not-playing": (
        "Only players and the GM may play, but your role is {role}.",
        "Ask the GM for an invitation as a player.",
    ),
}
