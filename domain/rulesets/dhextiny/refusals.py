"""Dhextiny's refusals: for each rule, the reason and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, tuple[str, str]] = {
    "entity-exists": (
        "This id already belongs to {entity}.",
        "Choose another id.",
    ),
    "no-such-entity": (
        "There is no {entity} at the table.",
        "Check the spelling, or choose a character or creature that is at the table.",
    ),
    "not-yours": (
        "Only the player of {entity} or the GM can do that.",
        "Ask that player or the GM to do it.",
    ),
    "pc-needs-a-seat": (
        "You did not say which seat will play {entity}.",
        "Choose the player's seat.",
    ),
    "too-many-entities": (
        "The table already has {most} characters and creatures, which is the maximum.",
        "Use one that is already at the table.",
    ),
    "abilities-rolled": (
        "{entity}'s number of abilities has already been rolled: {number}.",
        "Name the abilities that are still missing.",
    ),
    "creatures-do-not-roll": (
        "Creatures such as {entity} do not roll for their abilities.",
        "Name the abilities that {entity} should have.",
    ),
    "abilities-not-rolled": (
        "The number of abilities for {entity} has not been rolled yet.",
        "Roll for the abilities first, then name them.",
    ),
    "no-ability-left": (
        "All {number} abilities of {entity} already have names.",
        "Use the abilities that {entity} has, or ask the GM to grant another one.",
    ),
    "ability-exists": (
        "{entity} already has an ability called {ability}.",
        "Choose another name.",
    ),
    "amx-starts-at-three": (
        "Every new ability of {entity} starts with AMX 3, so you cannot choose another AMX.",
        "Leave the AMX out. The GM can adjust it later.",
    ),
    "too-many-abilities": (
        "The sheet of {entity} already lists {most} abilities, which is the maximum.",
        "Use one of these abilities.",
    ),
    "no-such-ability": (
        "{entity} has no such ability.",
        "Check the spelling, or choose an ability from the sheet of {entity}.",
    ),
    "check-open": (
        "The check of {entity} is not settled yet, and the whole table shares one token.",
        "Settle that check first, or ask its player or the GM to settle it.",
    ),
    "no-check-open": (
        "No check is open, so there is nothing to alter or settle.",
        "Roll a check first.",
    ),
    "not-its-check": (
        "The open check belongs to {open}, not to {entity}.",
        "Choose {open} instead, or wait until that check is settled.",
    ),
    "dead": (
        "That is not possible, because {entity} is dead.",
        "Choose another character or creature.",
    ),
    "dying": (
        "With {lp} LP, {entity} is dying and cannot do that.",
        "Make a death check for {entity} instead.",
    ),
    "nothing-to-interpret": (
        "There is no settled check of {entity} that still needs an interpretation.",
        "Interpret the check that was settled last, or narrate what happens.",
    ),
    "already-at-f": (
        "The token already stands on F, so there is no move to make.",
        "Settle the check, or move the token to another result.",
    ),
    "over-amx": (
        "That move costs {cost} AP on {ability}, but its AMX allows only {amx} in one action.",
        "Choose a cheaper move, or settle the check.",
    ),
    "over-ap": (
        "That move costs {cost} AP, but {entity} has only {ap}.",
        "Choose a cheaper move, or settle the check.",
    ),
    "one-ability": (
        "This check uses {named}, so {ability} cannot alter it.",
        "Use {named}, or settle the check.",
    ),
    "altered-already": (
        "A check can be altered only once, and {entity} has already done that.",
        "Settle the check.",
    ),
    "ability-has-paid": (
        "In this check, {entity} has already used {ability}.",
        "Choose another ability, or settle the check.",
    ),
    "f-was-chosen": (
        "After the free move to F, {entity} cannot move the token again.",
        "Settle the check.",
    ),
    "attacks-itself": (
        "An attack needs a target other than {entity}.",
        "Choose another target, or ask the GM to say how much harm {entity} does to itself.",
    ),
    "no-one-can-rest": (
        "No PC at the table has the status ok, so no PC can take a full rest.",
        "Choose an NPC or a creature to rest, or help the dying first.",
    ),
    "not-dying": (
        "Only a dying character or creature can make a death check, and {entity} is {status}.",
        "Choose a character or creature that is dying.",
    ),
    "death-rule-twice": (
        "You gave two rules for when {entity} dies.",
        "Leave out the death rule or the LP at which {entity} dies.",
    ),
    "not-a-creature": (
        "Only a creature's death rule can be changed, and {entity} is not a creature.",
        "Choose a creature.",
    ),
    "already-aflame": (
        "There are already flames on {entity} (rounds left: {rounds}).",
        "Let the flames burn out, or have someone put them out first.",
    ),
    "nothing-aflame": (
        "No one is aflame and no condition is counted in rounds, so there is no round to end.",
        "Play on, or set a condition with a duration in rounds.",
    ),
    "not-aflame": (
        "{entity} is not aflame.",
        "Choose a character or creature that is aflame.",
    ),
    "aflame-is-a-fire": (
        "Being aflame has its own rules, so you cannot set it as a condition.",
        "Set {entity} aflame instead.",
    ),
    "one-duration": (
        "A condition lasts for rounds or for minutes, but you gave both ({rounds} and {minutes}).",
        "Leave one of them out.",
    ),
    "too-many-conditions": (
        "There are already {most} conditions on {entity}, which is the maximum.",
        "End one of them first.",
    ),
    "no-such-condition": (
        "{entity} has no such condition.",
        "Check the spelling, or choose a condition that {entity} has.",
    ),
    "no-minutes-counted": (
        "No condition is counted in minutes, so there is nothing to shorten.",
        "Play on, or set a condition with a duration in minutes.",
    ),
    "over-ap-max": (
        "That would leave {entity} with {ap} AP but an AP max of only {ap_max}.",
        "Choose fewer AP or a higher AP max.",
    ),
    "over-starting-lp": (
        "That would leave {entity} with {lp} LP but an LP max of only {start}.",
        "Choose fewer LP or a higher LP max.",
    ),
    "status-against-lp": (
        "With {lp} LP, {entity} cannot be {status}.",
        "Adjust the LP of {entity} first.",
    ),
    "nothing-changes": (
        "That would not change anything.",
        "Choose another value, or leave everything as it is.",
    ),
    "not-playing": (
        "Only the players and the GM can act in the game.",
        "Ask a player or the GM to do it.",
    ),
    "blank-text": (
        "The field {field} contains no visible characters.",
        "Write at least one word.",
    ),
}
