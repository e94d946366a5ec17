"""Texts of the refusals of FanSys23: for each rule, the reason and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, tuple[str, str]] = {
    "not-playing": (
        "Only players and the GM take part in the game.",
        "Ask the GM for a player's seat.",
    ),
    "not-yours": (
        "You cannot do this for {entity}, who is played by {seat}.",
        "Ask {seat} to do it, or choose a character of your own.",
    ),
    "no-such-entity": (
        "There is no {entity} at the table.",
        "Choose a character who is at the table.",
    ),
    "over-capacity": (
        "That makes {dice} {energy} dice, but {entity} can own at most {capacity}.",
        "Choose {capacity} dice or fewer.",
    ),
    "entity-exists": (
        "The id that you chose already belongs to {entity}.",
        "Choose another id for the new character.",
    ),
    "too-many-entities": (
        "There are already {most} characters at the table, which is the maximum.",
        "Use a character who is already there.",
    ),
    "over-level": (
        "{entity} has already reached level {most}, the highest level.",
        "Choose another character to raise.",
    ),
    "in-combat": (
        "You cannot change {entity}'s sheet in the middle of a fight.",
        "Wait until the fight is over, or ask the GM to make the change.",
    ),
    "sheet-full": (
        "This part of {entity}'s sheet already has {most} entries, which is the maximum.",
        "Change one of the entries instead of adding another.",
    ),
    "no-body-no-stat": (
        "Without a physical form, {entity} must have a score of 0 in {stats}.",
        "Set the score to 0, or choose another stat.",
    ),
    "harmless": (
        "That cannot harm {entity}, who has {why}.",
        "Choose another kind of attack or damage.",
    ),
    "no-strength": (
        "{entity} has no STR and cannot touch anything.",
        "Choose a supernatural attack.",
    ),
    "cannot-move": (
        "{entity} is {state} and cannot move.",
        "Ask the GM what would let {entity} move again.",
    ),
    "cannot-act": (
        "{entity} is {why} and cannot act.",
        "Let another character act, or ask the GM how {entity} can recover.",
    ),
    "no-such-mode": (
        "{entity} has no {mode} speed and cannot move this way.",
        "Choose another way to move, or set this speed on the sheet.",
    ),
    "over-speed": (
        "That makes {distance} feet, but {entity} moves at most {most} feet this way in a round.",
        "Choose a shorter distance, sprint if you can, or wait for the next round.",
    ),
    "destroyed": (
        "{entity} is destroyed.",
        "Choose another character.",
    ),
    "over-background": (
        "That makes {skills} background skills, but {entity} can have only {level} at level"
        " {level}.",
        "Add it as an ordinary skill instead.",
    ),
    "over-skill-points": (
        "That is {points} points in one skill, but {entity} can have at most {most}.",
        "Choose {most} or fewer.",
    ),
    "name-a-stat": (
        "A check needs a stat unless it uses a skill on {entity}'s sheet.",
        "Name a stat, or choose a skill from the sheet.",
    ),
    "active-ability": (
        "Active abilities such as {source} cannot give a modifier.",
        "Give the character a condition, then set a modifier that comes from that condition.",
    ),
    "check-open": (
        "{entity} already has an open check: {check}.",
        "Finish that check first, or ask the GM to call it off.",
    ),
    "no-check-open": (
        "{entity} has no open check.",
        "Open a check first, or ask the GM to call for one.",
    ),
    "nothing-to-set": (
        "You did not set any of the terms of {entity}'s check.",
        "Set the threshold or another term.",
    ),
    "nothing-open": (
        "{entity} has no open check, no announced attack and no damage to roll.",
        "Choose a character who has an open check, an announced attack or damage to roll.",
    ),
    "choose-a-save": (
        "This save offers a choice: {valid}.",
        "Choose one of them.",
    ),
    "not-a-valid-save": (
        "You cannot choose {stat} for this check ({check}).",
        "Choose a stat that the save offers, or leave the stat out.",
    ),
    "autonomous": (
        "CON covers what the body does by itself, so a CON roll cannot be failed on purpose.",
        "Roll the check, or choose another stat if the save offers one.",
    ),
    "ask-the-gm": (
        "You may fail a CHA save on purpose only if the GM allows it.",
        "Ask the GM to allow it, or roll the save.",
    ),
    "no-cha-save": (
        "Only failing a CHA save on purpose needs the GM's permission, and {entity}'s open check"
        " ({check}) is not a CHA save.",
        "Leave out the permission.",
    ),
    "not-takeable": (
        "You cannot take a number for a save: it must be rolled.",
        "Roll the {check} save.",
    ),
    "not-safe": (
        "You can take 20 or 24 only in a safe scene, and this is a {scene} scene.",
        "Roll the check, or ask the GM whether the scene is safe.",
    ),
    "too-few-tries": (
        "That takes {needs} tries, but time and materials allow only {tries}.",
        "Ask the GM for more tries, or roll the check.",
    ),
    "not-quiet": (
        "You can take 13 only in a safe or quiet scene, and this is a {scene} scene.",
        "Roll the check, or ask the GM whether the scene is quiet.",
    ),
    "not-routine": (
        "You can take 13 only on a routine task or on a skill with points, and {check} is neither.",
        "Roll the check, or ask the GM to make it routine.",
    ),
    "needs-two-sides": (
        "{entity} cannot be on both sides of a check.",
        "Choose two different characters.",
    ),
    "status-quo-first": (
        "{keeper} keeps the status quo and rolls first.",
        "Wait until {keeper} has rolled.",
    ),
    "hider-keeps-status-quo": (
        "A hidden character always keeps the status quo, and {hidden} is not the keeper here.",
        "Choose the hidden character as the keeper, or leave out the hidden character.",
    ),
    "sp-leaves-armour": (
        "An SP ability cannot change {entity}'s armour.",
        "Choose dodge, deflect, hide or circumstance instead.",
    ),
    "no-such-attack": (
        "{entity} has no attack called {attack}.",
        "Choose an attack from the sheet, or leave it out to attack unarmed.",
    ),
    "damage-waits": (
        "{entity} has hit {target}, and the damage has not been rolled yet.",
        "Roll the damage before the next attack.",
    ),
    "no-damage-to-roll": (
        "{entity} has no hit to roll damage for.",
        "Make an attack first.",
    ),
    "no-other-grip": (
        "The {item} has no separate two-handed grip.",
        "Leave out the two-handed grip.",
    ),
    "dice-and-sides": (
        "Damage dice need both a number of dice and a number of sides.",
        "Set both, or leave out both to deal fixed damage.",
    ),
    "over-dice": (
        "{entity} does not have enough {energy} dice left ({dice} needed, {left} left).",
        "Spend fewer dice, or ask the GM for a rest.",
    ),
    "care-takes-long": (
        "Medical care helps only during a long rest.",
        "Choose a long rest, or rest without medical care.",
    ),
    "end-of-time": (
        "The game's clock cannot advance that far.",
        "Let less time pass.",
    ),
    "not-in-that-condition": (
        "{entity} has no such condition.",
        "Choose a condition that {entity} has.",
    ),
    "no-such-condition": (
        "{entity} has no such condition.",
        "Choose a condition that {entity} has.",
    ),
    "no-skill-points-left": (
        "That would bring {entity}'s skill points to {points}, but the maximum is {most}.",
        "Choose fewer points, or take some from another skill first.",
    ),
    "over-the-most": (
        "That would set {entity}'s {gauge} to {now}, but the maximum is {most}.",
        "Choose {most} or less.",
    ),
    "below-zero": (
        "Only HP can fall below 0, so {entity}'s {gauge} cannot be {now}.",
        "Choose 0 or more.",
    ),
    "retired": (
        "{entity} has left the story.",
        "Choose a character who is still in it.",
    ),
    "still-open": (
        "A check, an attack or damage that involves {entity} is still open.",
        "Finish it first, or ask the GM to call it off.",
    ),
    "sprint-takes-all": (
        "A sprint takes the whole round, and {entity} has already {done} in this one.",
        "Wait for the next round, which begins when the GM lets time pass.",
    ),
    "attacks-itself": (
        "No character can attack itself.",
        "Choose another target for {entity}.",
    ),
    "attack-announced": (
        "{entity} has already announced an attack on {target}.",
        "Roll that attack first, or ask the GM to call it off.",
    ),
    "no-attack-announced": (
        "{entity} has announced no attack.",
        "Announce an attack first.",
    ),
    "announce-first": (
        "At this table, players announce attacks before they roll them.",
        "Announce {entity}'s attack, and wait for the GM's terms.",
    ),
    "terms-first": (
        "The GM has not set the terms of {entity}'s attack yet.",
        "Wait until the GM has set the terms.",
    ),
    "name-the-roll": (
        "It is not clear which of {entity}'s rolls this is for.",
        "Name the kind of roll. Ability checks, saves and the save DC take a stat, and only attacks"
        " take a target.",
    ),
    "name-one-condition": (
        "Name exactly one condition for {entity}: either one of the game's or a custom one.",
        "Choose one of the game's conditions, or enter the name of a custom one, but not both.",
    ),
    "one-duration": (
        "A condition can last for rounds or for minutes, but not for both.",
        "Set one of them, or neither if it lasts until it is ended.",
    ),
    "no-note-on-a-preset": (
        "The game's own conditions, such as {condition}, cannot have a note.",
        "Leave out the note, or set a custom condition with another name.",
    ),
    "too-many-conditions": (
        "{entity} already has {most} custom conditions, which is the maximum.",
        "End one of them first.",
    ),
    "blank-text": (
        "The field {field} contains no visible characters.",
        "Enter at least one word.",
    ),
    "almost-the-same": (
        "{entity} already has {held}, and {name} differs only in spacing or capitalization.",
        "Use the spelling {held}, or choose another name.",
    ),
    "same-stat-twice": (
        "{stat} cannot be both the first and the second stat.",
        "Leave out the second stat, or choose another.",
    ),
    "nothing-changes": (
        "This would not change anything about {entity}.",
        "Choose another value, or leave it as it is.",
    ),
}
