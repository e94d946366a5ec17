"""Texts of refusals in Kingdoms and Rulers: for each rule, the reason and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, tuple[str, str]] = {
    "no-such-die": (
        "The game has no die with {sides} sides.",
        "Choose one of these dice: {dice}.",
    ),
    "entity-exists": (
        "The id that you chose already belongs to {entity}.",
        "Choose another id.",
    ),
    "no-such-entity": (
        'No PC or NPC at the table has the id "{entity}".',
        "Choose a PC or NPC that is at the table, or create this one first.",
    ),
    "retired": (
        "{entity} has left the story for good.",
        "Choose a PC or NPC that is still in the story.",
    ),
    "not-yours": (
        "Players can create and play only their own PCs, and {entity} is not one of them.",
        "Choose one of your own PCs, or ask the GR to do it.",
    ),
    "pc-needs-a-seat": (
        "You did not say which seat plays {entity}.",
        "Name the seat that the PC belongs to.",
    ),
    "too-many-entities": (
        "The table already has {most} PCs and NPCs, which is the maximum.",
        "Use one of those that are already there.",
    ),
    "stat-exists": (
        "There is already a stat called {stat} on {entity}'s sheet.",
        "Choose another name, or ask the GR to change the value.",
    ),
    "no-such-stat": (
        "There is no stat called {stat} on {entity}'s sheet.",
        "Choose a stat that is on the sheet, or add this one first.",
    ),
    "stat-stays": (
        "Every sheet has {stat}, so {entity}'s cannot be renamed or removed.",
        "Choose another stat, or change the value of this one.",
    ),
    "too-many-stats": (
        "There are already {most} stats on {entity}'s sheet, which is the maximum.",
        "Use a stat that is already on the sheet.",
    ),
    "no-stats": (
        "You named none of {entity}'s stats, and at least one stat must count.",
        "Choose at least one stat from the sheet.",
    ),
    "stat-twice": (
        "You named {entity}'s {stat} twice, and each stat counts only once.",
        "Name each stat only once.",
    ),
    "test-open": (
        "The {test} test of {entity} is still open.",
        "Finish that test or call it off first.",
    ),
    "no-test-open": (
        "There is no open test for {entity}.",
        "Ask the GR to declare a test for {entity} first.",
    ),
    "dice-per-source": (
        "There must be one number for each source of dice ({sources}), but you gave {dice}.",
        "Give one number for each source, in this order, or leave the numbers out to take all"
        " dice.",
    ),
    "over-source": (
        "You can use at most {holds} dice from {source}, but you gave {dice}.",
        "Choose {holds} or fewer, or leave the numbers out to use all dice.",
    ),
    "under-source": (
        "You must use at least {least} dice from {source}, but you gave {dice}.",
        "Choose {least} or more, or leave the numbers out to use all dice.",
    ),
    "source-exists": (
        "{entity}'s test already has a source of dice called {source}.",
        "Choose another name for the bonus dice.",
    ),
    "too-many-sources": (
        "Bonus dice for {entity} have already been granted {most} times, which is the maximum.",
        "Wait until the pool is assembled, then change its number of dice.",
    ),
    "pool-assembled": (
        "The pool for {entity} is already assembled ({pool}d12).",
        "Continue with this pool, or ask the GR to change its number of dice.",
    ),
    "too-many-dice": (
        "The pool for {entity} would have {dice} dice, and the maximum is {most}.",
        "Use fewer dice, or ask the GR to lower a stat.",
    ),
    "pool-first": (
        "There is no pool for {entity} yet.",
        "Assemble {entity}'s pool, then try again.",
    ),
    "dt-first": (
        "There is no Difficulty Threshold (DT) for {entity} yet.",
        "Ask the GR to set the DT first.",
    ),
    "dt-out-of-range": (
        "The Difficulty Threshold (DT) must be between {least} and {most}, so it cannot be {dt}.",
        "Choose a number from {least} to {most}.",
    ),
    "not-an-opponent": (
        "This is {entity}'s test, so {entity} cannot also be the opponent.",
        "Choose another opponent, or set the DT yourself.",
    ),
    "interpret-first": (
        "Roll {roll} in {entity}'s test has not been interpreted yet.",
        "Ask the GR to interpret that roll first.",
    ),
    "not-rolled": (
        "There is no roll to interpret in {entity}'s test.",
        "Wait for the next roll, then interpret it.",
    ),
    "refill-missing": (
        "An extended test needs a stat that refills the pool, and you named none for {entity}.",
        "Choose CON for a physical test, or CHA for a social one.",
    ),
    "refill-only-extended": (
        "A basic test is a single roll, so {refill} has no pool to refill.",
        "Leave {refill} out, or declare an extended test for {entity}.",
    ),
    "not-extended": (
        "{entity}'s test is basic, so it ends when you interpret the roll.",
        "Interpret the roll instead, or call the test off.",
    ),
    "too-many-rolls": (
        "{entity}'s test already has {most} rolls, which is the maximum.",
        "Ask the GR to end the test.",
    ),
    "no-margin": (
        "No roll has been made in {entity}'s test, so there is no margin yet.",
        "Roll the test first, or leave the margin out.",
    ),
    "opponent-missing": (
        "You named an opponent's stats for {entity}'s test, but not the opponent.",
        "Name the opponent, or leave those stats out.",
    ),
    "nothing-waits": (
        "No stat of that name is awaiting approval on {entity}'s sheet.",
        "Choose one of the new stats that the table shows.",
    ),
    "stat-out-of-range": (
        "That would make {entity}'s {stat} {value}, and stats must be between {least} and {most}.",
        "Choose a smaller change.",
    ),
    "nothing-changes": (
        "This would not change {entity}'s {what}.",
        "Choose another value, or leave it alone.",
    ),
    "no-such-condition": (
        "{entity} has no such condition.",
        "Choose one of the conditions that the table shows.",
    ),
    "one-duration": (
        "A condition lasts for rounds or for minutes, but you gave both.",
        "Give only one of them, or neither if the condition lasts until you end it.",
    ),
    "too-many-conditions": (
        "There are already {most} conditions on {entity}, which is the maximum.",
        "End one of them first.",
    ),
    "nothing-runs": (
        "No condition at the table is counted in {unit}.",
        "Set a condition with a number of {unit} first.",
    ),
    "blank-text": (
        "The field {field} contains no visible characters.",
        "Enter at least one letter or digit.",
    ),
    "gm-only": (
        "Only the GR may do this.",
        "Ask the GR to do it.",
    ),
    "role-may-not": ("Your role does not allow this.", "Ask the GR or a player to do it."),
    "seat-does-not-play": (
        "No one plays in seat {seat}: it is empty, or its holder does not play.",
        "Choose the seat of a player or the GR.",
    ),
    "not-playing": (
        "Only the players and the GR take part in the game, but your role is {role}.",
        "Ask the GR for a player's seat.",
    ),
}
