"""The meaning of each field of the events of FanSys23, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "ability": "the name of the ability that the dice were spent on",
    "absorbed": (
        "the number of points of damage that SP or MP absorbed, from 0 to the damage"
        " (the rest was subtracted from HP)"
    ),
    "after": "the new score in this stat, from 0 to 60",
    "aim": "what the roll is for (for example: pick the lock), absent if this was not stated",
    "amount": "the number of time units, from 1, absent if a check or a rest took the time",
    "applies": (
        'the rolls that the modifier applies to, the save DC or damage ("all" means all rolls,'
        " but neither the save DC nor damage)"
    ),
    "attack": (
        "the attack that the entity makes, either from its sheet or with bare hands"
        " (if it was announced, as it was at that time)"
    ),
    "background": "true if this is a background skill",
    "before": "the previous score in this stat, from 0 to 60",
    "bodiless": "true if the character lacks a physical form and so has 0 STR, DEX and CON",
    "capacity": (
        "the maximum number of dice of this kind that training allows, from 3 to 360"
        " (three per level, plus CON for SP dice or CHA for MP dice)"
    ),
    "capped": (
        "true if a dice sum above 12 counts as 12, which is the case for a skill without points"
        " if the option source_skills is on"
    ),
    "care": "true if medical care was given throughout a long rest",
    "cause": "what caused the damage, which is the attack's name if it was an attack",
    "check": "the open check, as it was when it was opened",
    "clock": "the time on the clock after the event, in seconds, from 1",
    "condition": "the name of one of the game's conditions or of a custom condition",
    "cover": (
        "a modifier to the target's hit threshold, for example for cover, from -50 to 50,"
        " absent if the event does not set it"
    ),
    "dc": "the save DC, which is 12 plus the sum of the terms",
    "defence": "the defence after the event (its bonus is 0 if it was removed)",
    "distance": "the distance in feet, from 1",
    "energy": "the kind of dice, SP or MP",
    "entity": "the id of the entity that the event is about",
    "entity_type": "the type of being, for example humanoid",
    "gauge": "the value that was set: HP, SP, SP dice, MP or MP dice",
    "granted": (
        "the different advantages and disadvantages on the next roll of any kind after the event,"
        " in the order advantage, extreme advantage, disadvantage, extreme disadvantage"
    ),
    "half": "true if the damage was halved and rounded down",
    "hit": "the character's hit threshold (HiT) after the event",
    "hp": "the current HP, from -999 to the maximum HP",
    "hp_max": "the maximum HP, from 1",
    "kept": (
        "the two dice that count: with advantage the two highest (highest first),"
        " with disadvantage the two lowest (lowest first),"
        " otherwise both dice in the order in which they were thrown"
    ),
    "known": "true if the character now has this proficiency",
    "layer": (
        "a static bonus, an SP ability (adds to static bonuses)"
        " or an MP ability (replaces all other bonuses to this part)"
    ),
    "length": "rest or long rest (about a day)",
    "looks": (
        "the character's appearance and voice, which have no effect on play,"
        " absent if they were not described"
    ),
    "mindless": (
        "true if the character was created as mindless"
        " (a character with 0 INT counts as mindless in any case)"
    ),
    "mode": "the mode of movement",
    "mp": "the current MP, from 0 to the maximum MP",
    "mp_dice": "the number of MP dice left, from 0 to the number owned",
    "mp_max": "the maximum MP, from 0",
    "mp_owned": "the number of MP dice owned, including spent dice, from 0 to 360",
    "nature": "natural (linked to SP) or supernatural (linked to MP)",
    "new": "the scene after the event: safe, quiet (relatively safe), tense or combat",
    "note": "what the custom condition does, absent if this was not stated",
    "number": (
        "the number that was taken: 24, 20 or 13, or 12 for a skill without points"
        " if the option source_skills is on"
    ),
    "old": "the entity's pools before the event",
    "only": "the only skill, attack or stat that is affected, absent if there is no such limit",
    "origin": "the kind of source: condition, circumstance, equipment or passive ability",
    "part": "the part of the hit threshold that the defence changes",
    "pools": "the entity's pools after the event",
    "race": "the character's race",
    "reach": "melee or ranged",
    "reason": "the reason that the sender of the command gave",
    "rounds": (
        "the number of rounds that were left, from 1,"
        " absent if the condition was not limited to a number of rounds"
    ),
    "saves": "the number of saves that the character is now proficient in, from 0 to 6",
    "seat": "the id of the seat that now plays the character (the GM's seat for an NPC)",
    "sides": "the number of sides on each damage die, from 2 to 20 (unused if there are no dice)",
    "size": "the character's size category",
    "skill": "the skill after the event",
    "source": "the source of the bonus or penalty",
    "sp": "the current SP, from 0 to the maximum SP",
    "sp_dice": "the number of SP dice left, from 0 to the number owned",
    "sp_max": "the maximum SP, from 0",
    "sp_owned": "the number of SP dice owned, including spent dice, from 0 to 360",
    "speed": "the new speed in feet per round, from 1, or 0 if it cannot move this way",
    "spiritual": (
        "true if the attack's damage is spiritual, so that it harms bodiless beings"
        " but not beings with 0 CHA"
    ),
    "sprint": "true if the character sprinted, which allows four times the speed",
    "stat": "the stat that was set",
    "stats": (
        "the stat whose bonus is used, or two stats in the order in which they were named"
        " (the bonus is then based on the mean of both scores)"
    ),
    "status": (
        "the status after the event: destroyed at minus the maximum HP or less,"
        " disabled at 0 HP or less, hurt at half of the maximum HP or less, otherwise ok"
    ),
    "success": "true if the check succeeded, absent if it had no threshold",
    "sum": (
        "the sum of the two kept dice, plus 2 for each 12 and minus 2 for each 1, from -2 to 28"
        " (at most 12 if it is capped)"
    ),
    "target": "the target entity's id",
    "terms": (
        "the parts of the modifier that are not 0: Base, the skill points or Nat or Sup,"
        " the bonus of the stats, then the other modifiers by nature and type"
    ),
    "threshold": (
        "the total that had to be reached, absent if there was none"
        " (the total is then the threshold of any waiting challengers, or the GM interprets it)"
    ),
    "throw": "the dice, the modifier and the total of the roll",
    "tied": (
        "all grants for one kind of roll that the entity has after the event, oldest first,"
        " absent if the event does not set them"
    ),
    "times": (
        "the number of times that the damage dice will be rolled, which is 1 plus the number"
        " of kept 12s, from 1 to 3, or 0 after a miss"
    ),
    "type": "the type (bonuses of the same type do not stack)",
    "unit": "round, minute, hour or day, absent if a check or a rest took the time",
    "until": (
        "the time on the clock at the end of the rest, in seconds,"
        " absent if the rest took no time on the clock"
    ),
    "use": "the kind of check: skill, ability or save",
    "why": (
        'the reason why no roll was needed ("never in doubt" if all possible rolls have the same'
        ' result, "unopposed" if the result follows from the other side of an opposed check)'
    ),
    "Created.entity": "the id of the new character",
    "Created.name": "the name shown to everyone",
    "Created.being": "PC if a player created the character, NPC if the GM created it",
    "Created.level": "the character's level, from 1 to 100",
    "Created.stats": (
        "the scores in STR, DEX, CON, INT, WIS and CHA, in this order, each from 0 to 60"
        " (0 if the character lacks the stat)"
    ),
    "HandedOver.being": "PC if the character was assigned to a seat, NPC if the GM took it back",
    "HandedOver.old": "the id of the seat that played the character before the event",
    "LevelGained.level": "the character's new level, from 2 to 100",
    "SkillLearned.old": "the skill before the event, absent if it was not on the sheet",
    "ProficiencySet.proficiency": "the name of the proficiency (the stat if it is for a save)",
    "AttackLearned.attack": "the attack after the event",
    "AttackLearned.old": "the attack before the event, absent if it was not on the sheet",
    "SpeedSet.old": "the previous speed in feet per round, from 1, or 0 if there was none",
    "DefenceSet.old": "the previous bonus, or a penalty if negative, or 0 if there was none",
    "ModifierSet.modifier": "the modifier after the event (its value is 0 if it was removed)",
    "ModifierSet.old": "the previous bonus, or a penalty if negative, or 0 if there was none",
    "TermsSet.threshold": (
        "the total that a roll must reach (12 is fairly tough): the GM's number,"
        " or in an opposed check the keeper's total,"
        " absent if the event does not set it"
    ),
    "TermsSet.routine": (
        "true if the task is routine, autonomous or habitual, false if it is not,"
        " absent if the event does not set it"
    ),
    "TermsSet.tries": (
        "the number of tries that time and materials allow, from 1,"
        " absent if the event does not set it"
    ),
    "TermsSet.seconds": (
        "the number of seconds that each try takes on the clock, from 1,"
        " absent if the event does not set it"
    ),
    "TermsSet.may_yield": (
        "true if the entity may choose to fail a CHA save, false if it may not,"
        " absent if the event does not set it"
    ),
    "SaveForced.entity": "the id of the entity that used the ability",
    "SaveForced.terms": (
        "what was added to 12, without parts that are 0: Base, Nat or Sup, the bonus of the stat,"
        " then the other modifiers by nature and type"
    ),
    "CheckRolled.name": (
        "the skill's name for a skill check, the stat for a save, and for an ability check"
        ' the stat or both stats (for example "STR and DEX")'
    ),
    "Taken.use": "the kind of check: skill or ability (saves must be rolled)",
    "Taken.name": (
        "the skill's name for a skill check, and for an ability check the stat or both stats"
        ' (for example "STR and DEX")'
    ),
    "Taken.total": "the number that was taken plus the sum of the terms",
    "Taken.tries": "the number of tries that were used up: 100 for 24, 20 for 20, otherwise 1",
    "CheckSettled.name": (
        "the skill's name for a skill check, the stat or both stats for an ability check"
        ' (for example "STR and DEX"), and each valid stat for a save'
        ' (for example "STR or DEX", whichever was chosen)'
    ),
    "CheckSettled.success": "true if the check succeeded",
    "CheckSettled.reason": "the GM's reason, absent if the check was not settled by a ruling",
    "CheckSettled.against": (
        "the id of the keeper if it could not oppose the entity, so that the check succeeded"
        " at once and was never opened, otherwise absent"
    ),
    "AttackRolled.entity": "the id of the entity that attacked",
    "AttackRolled.threshold": "the target's hit threshold (HiT), including the cover that was set",
    "AttackRolled.success": "true if the attack hit",
    "AttackAnnounced.entity": "the id of the entity that is about to attack",
    "AttackTermsSet.entity": "the id of the entity that announced the attack",
    "AttackTermsSet.twist": (
        "advantage or disadvantage (either can be extreme), or plain for neither,"
        " absent if the event does not set it"
    ),
    "AttackTermsSet.bonus": (
        "a circumstance bonus to the roll, or a penalty if negative, from -50 to 50,"
        " absent if the event does not set it"
    ),
    "AttackTermsSet.reason": "the reason that the GM gave, absent if the GM gave none",
    "AttackRuled.entity": "the id of the entity that announced the attack",
    "AttackRuled.success": "true if the attack hit",
    "DamageRolled.entity": (
        "the id of the entity that attacked, or the target entity's id if the GM dealt the damage"
        " without an attack"
    ),
    "DamageRolled.target": "the id of the entity that takes the damage",
    "DamageRolled.dice": (
        "all damage dice in the order in which they were rolled, each from 1 to the number"
        " of sides (empty if there are none)"
    ),
    "DamageRolled.bonus": "flat damage that is added once to the damage dice, from -50 to 999",
    "DamageRolled.points": "the final damage in points, from 0 (already halved if half is true)",
    "DamageRolled.attack": "the name of the attack that hit, absent if the GM dealt the damage",
    "DamageRolled.terms": (
        "what else was added once to the damage, without parts that are 0: the bonus of the stats"
        " (if the option stat_in_damage is on), then the modifiers by nature and type,"
        " absent if there is nothing to list"
    ),
    "Harmed.entity": "the id of the entity that took the damage",
    "Harmed.points": "the damage in points, including what was absorbed, from 0",
    "DiceSpent.dice": "the number of dice that were spent, from 1",
    "Rested.seconds": (
        "the number of seconds that the rest took, from 3,600,"
        " absent if the rest took no time on the clock"
    ),
    "Granted.twist": (
        "the combined effect of all grants for the same roll (plain if they cancel each other out"
        " or none is left)"
    ),
    "Granted.roll": "the kind of roll that is affected, absent if the next roll of any kind is",
    "Granted.target": "the target entity's id if only attacks on it count, otherwise absent",
    "ConditionSet.rounds": (
        "the duration in rounds, from 1, absent if the condition is limited in minutes"
        " or lasts until it is lifted"
    ),
    "ConditionSet.minutes": (
        "the duration of a custom condition in minutes, from 1, absent if the condition is limited"
        " in rounds, lasts until it is lifted or is one of the game's"
    ),
    "ConditionTicked.rounds": (
        "the number of rounds that are now left, from 0 (the condition has then ended),"
        " absent if it is limited in minutes"
    ),
    "ConditionTicked.minutes": (
        "the number of minutes that are now left, rounded up, from 0 (the condition has then"
        " ended), absent if it is limited in rounds"
    ),
    "ConditionLifted.condition": "the condition that was removed, which is one of the game's",
    "ConditionEnded.name": "the name of one of the game's conditions or of a custom condition",
    "TimePassed.seconds": "the number of seconds that passed, from 1",
    "SceneSet.old": "the scene before the event: safe, quiet (relatively safe), tense or combat",
    "Skill.name": "the skill's name",
    "Skill.points": "the number of skill points, from 0 to half the level (rounded up)",
    "AttackProfile.name": "the attack's name",
    "AttackProfile.dice": "the number of damage dice, from 0 to 20",
    "AttackProfile.bonus": "flat damage that is added once to the damage dice, from -50 to 99",
    "AttackProfile.proficiency": (
        "the name of the proficiency that applies (a character who has it adds Nat or Sup"
        " to the attack roll)"
    ),
    "Modifier.value": "the bonus, or a penalty if negative, from -50 to 50 (0 if it was removed)",
    "Defence.bonus": "the bonus, or a penalty if negative, from -50 to 50 (0 if it was removed)",
    "Term.name": (
        "the name of the term: Base, points, Nat, Sup, the stats whose bonus is used"
        ' (for example "STR and DEX"), the type of a modifier, natural or supernatural'
    ),
    "Term.value": "the value that is added, or subtracted if it is negative, never 0",
    "UnsettledCheck.name": (
        "the skill's name for a skill check, the stat or both stats for an ability check"
        ' (for example "STR and DEX"), and each valid stat for a save'
        ' (for example "STR or DEX")'
    ),
    "UnsettledCheck.stats": (
        "one or two stats in the order in which they were named: the stats whose bonus is added"
        " to the roll, or for a save the valid stats, of which only one is used"
    ),
    "UnsettledCheck.routine": (
        "true if the task is routine, autonomous or habitual"
        " (false when the check is opened, until TermsSet changes it)"
    ),
    "UnsettledCheck.tries": (
        "the number of tries that time and materials allow, from 1"
        " (1 when the check is opened, until TermsSet changes it)"
    ),
    "UnsettledCheck.may_yield": (
        "true if the entity may choose to fail a CHA save"
        " (false when the check is opened, until TermsSet changes it)"
    ),
    "UnsettledCheck.threshold": (
        "the total that a roll must reach (12 is fairly tough),"
        " absent if it has not been set or if the keeper of an opposed check rolls first"
    ),
    "UnsettledCheck.against": (
        "the id of the entity that defends the status quo, absent if this entity does so itself"
        " or if the check is not opposed"
    ),
    "UnsettledCheck.seconds": (
        "the number of seconds that each try takes, from 1"
        " (absent when the check is opened, until TermsSet sets it)"
    ),
    "Throw.twist": (
        "the combined effect of all advantages and disadvantages on the roll,"
        " which decides how many dice were thrown and which of them count"
    ),
    "Throw.dice": (
        "all dice in the order in which they were thrown, each from 1 to 12: two dice if plain,"
        " three with advantage or disadvantage, four if it is extreme"
    ),
    "Throw.modifier": "the sum of the terms, which is added to the sum of the dice",
    "Throw.total": "the sum of the dice plus the modifier",
    "TiedGrant.twist": "advantage or disadvantage (either can be extreme)",
    "TiedGrant.roll": "the kind of roll that is affected",
    "TiedGrant.target": "the target entity's id if only attacks on it count, otherwise absent",
}
