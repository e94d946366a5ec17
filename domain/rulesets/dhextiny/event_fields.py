"""The meaning of each field of the events of Dhextiny, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "aim": "what the roll is for; absent if the command did not say",
    "amx": (
        "the maximum AP that can be spent on the ability in one action (AMX), from 0 to 99; 3 "
        "unless the GM chose another number"
    ),
    "ap": "the number of ability points (AP) that the entity has afterwards, from 0 to 999",
    "dies_at": (
        "the number of life points (LP) at or below which the entity dies, 0 or -6; absent if it "
        "cannot die from losing LP"
    ),
    "entity": "the id of the entity",
    "face": "the face of the die, from 1 to 6",
    "lp": "the number of life points (LP) that the entity has left, from -999 to 998",
    "name": "the name of the condition, spelled as when the entity got it",
    "point": (
        "the index of the point where the token ends, from 0 to 5, counted clockwise from F "
        "(index 0)"
    ),
    "reason": "the reason that the GM gave",
    "result": (
        "the result, which is the label of `point`: `F` (failure), `PF` (partial failure), `PS` "
        "(partial success) or `S` (success)"
    ),
    "start": (
        "the index of the point where the token started, from 0 to 5, counted clockwise from F "
        "(index 0)"
    ),
    "status": "the entity's status afterwards: `ok`, `dying` or `dead`",
    "use": "the purpose of the check: `check`, `attack` or `put out` (to put out flames)",
    "EntityCreated.entity": "the id of the new entity",
    "EntityCreated.name": "the entity's name, shown to everyone",
    "EntityCreated.being": "the kind of entity: `PC`, `NPC` or `creature`",
    "EntityCreated.seat": (
        "the id of the seat that plays the PC; for an NPC or a creature, the id of the seat of the "
        "GM who created it"
    ),
    "EntityCreated.ap": (
        "the initial number of ability points (AP), always 12, which is also the initial maximum"
    ),
    "EntityCreated.lp": (
        "the initial number of life points (LP), which is also the initial maximum: 6 for a PC or "
        "an NPC, from 1 to 999 for a creature"
    ),
    "AbilitiesRolled.number": (
        "the number of abilities that the entity may name, from 3 to 8: the face of the die plus 2"
    ),
    "AbilityNamed.ability": "the name of the new ability",
    "AbilityGranted.ability": "the name of the new ability",
    "AbilityRenamed.old": "the ability's previous name",
    "AbilityRenamed.new": "the ability's new name",
    "AbilityRemoved.ability": "the name of the ability that the entity no longer has",
    "Checked.entity": "the id of the entity that makes the check",
    "Checked.ability": (
        "the name of the ability that the check uses; absent if the command named none"
    ),
    "Checked.target": "the id of the target entity; absent if `use` is `check`",
    "CheckedAside.entity": "the id of the entity for which the GM makes the check",
    "CheckedAside.start": (
        "the index of the point where the token stands, from 0 to 5, counted clockwise from F "
        "(index 0)"
    ),
    "CheckedAside.point": (
        "the index of the point to which the roll would move the token, from 0 to 5, counted "
        "clockwise from F (index 0)"
    ),
    "CheckedAside.ability": (
        "the name of the ability that the check uses; absent if the command named none"
    ),
    "Altered.entity": "the id of the entity that alters its check",
    "Altered.ability": "the name of the ability with which the entity alters the check",
    "Altered.steps": "the number of points that the token moves clockwise, from 1 to 5",
    "Altered.moved": (
        "the number of points that the token has moved in the whole check, from 2: the face of the "
        "die plus the steps of this and any earlier alteration"
    ),
    "Altered.cost": "the number of AP that the alteration costs, from 0 to 7; 0 if it ends on F",
    "Settled.entity": "the id of the entity that made the check",
    "Settled.rolled": (
        "the result of the roll, before any alteration: `F` (failure), `PF` (partial failure), "
        "`PS` (partial success) or `S` (success)"
    ),
    "Settled.point": (
        "the index of the point where the token stays, from 0 to 5, counted clockwise from F "
        "(index 0)"
    ),
    "Settled.result": (
        "the final result, which is the label of `point`: `F` (failure), `PF` (partial failure), "
        "`PS` (partial success) or `S` (success)"
    ),
    "Interpreted.entity": "the id of the entity that made the check",
    "Interpreted.result": (
        "the result of the last settled check: `F` (failure), `PF` (partial failure), `PS` "
        "(partial success) or `S` (success)"
    ),
    "Interpreted.text": (
        "what the result means in the story, in at most 4,000 characters, which may include line "
        "breaks"
    ),
    "Gained.nominal": "the number of AP gained for a failure according to the rulebook, always 2",
    "Gained.gain": (
        "the number of AP actually gained, from 0 to 2; less than `nominal` if a limit reduced it"
    ),
    "Hit.entity": "the id of the attacking entity",
    "Hit.target": "the id of the target entity",
    "Hit.result": "the result of the attack: `PS` (partial success) or `S` (success)",
    "Hit.damage": (
        "the number of points that the token moved for the attack, from 1: the face of the die "
        "plus the steps of all alterations"
    ),
    "Hit.pool": (
        "the pool from which the target lost points: `AP` (ability points) or `LP` (life points)"
    ),
    "Hit.loss": (
        "the number of points that the target lost from `pool`, from 0; it can differ from "
        "`damage`, because AP stop at 0, LP stop at -999, and `PS` costs 1 LP if the target has no "
        "AP"
    ),
    "Hit.left": (
        "the number of points that the target has left in `pool`, from 0 to 998 for `AP` and from "
        "-999 to 998 for `LP`"
    ),
    "Hit.status": "the target's status afterwards: `ok`, `dying` or `dead`",
    "DeathChecked.entity": "the id of the entity that was dying",
    "DeathChecked.old": "the number of life points (LP) before the check, from -999 to 0",
    "DeathChecked.lp": (
        "the number of life points (LP) after the check: 1 if `result` is `S`, otherwise from -999 "
        "to 0"
    ),
    "CaughtFire.rounds": (
        "the number of rounds for which the entity will burn, from 1 to 6: the face of the die"
    ),
    "Smouldered.rounds": "the number of rounds that remain, from 0 to 5; 0 if the fire is out",
    "Extinguished.entity": "the id of the entity that put out the flames",
    "Extinguished.target": (
        "the id of the entity whose flames were put out, which can be the same as `entity`"
    ),
    "FireAdjusted.old": "the number of rounds that remained before, from 1 to 6",
    "FireAdjusted.new": (
        "the number of rounds that remain, from 0 to 6; 0 if the GM put out the flames"
    ),
    "ConditionSet.rounds": (
        "the number of rounds for which the condition lasts, from 1 to 10,000; absent if it is not "
        "counted in rounds"
    ),
    "ConditionSet.minutes": (
        "the number of minutes for which the condition lasts, from 1 to 100,000; absent if it is "
        "not counted in minutes"
    ),
    "ConditionSet.note": "what the condition does; absent if the GM gave no note",
    "ConditionTicked.rounds": (
        "the number of rounds that remain, from 0 to 9,999; 0 if the condition has ended; absent "
        "if it is counted in minutes"
    ),
    "ConditionTicked.minutes": (
        "the number of minutes that remain, from 0 to 99,999; 0 if the condition has ended; absent "
        "if it is counted in rounds"
    ),
    "ConditionEnded.rounds": (
        "the number of rounds that remained, from 1 to 10,000; absent if the condition was not "
        "counted in rounds"
    ),
    "Burned.old": "the number of life points (LP) before the loss, from -999 to 999",
    "Harmed.old": "the number of life points (LP) before the loss, from -999 to 999",
    "Rested.gain": "the number of AP gained by the rest, from 0 to 999",
    "Killed.old": "the entity's status before its death: `ok` or `dying`",
    "Adjusted.pool": (
        "the number that the GM set: `AP` (ability points), `AP max` (maximum AP), `LP` (life "
        "points) or `LP max` (maximum LP)"
    ),
    "Adjusted.old": (
        "the previous number, from 0 to 999 for `AP` and `AP max`, from -999 to 999 for `LP`, and "
        "from 1 to 999 for `LP max`"
    ),
    "Adjusted.new": (
        "the new number, from 0 to 999 for `AP` and `AP max`, from -999 to 999 for `LP`, and from "
        "1 to 999 for `LP max`"
    ),
    "AmxAdjusted.ability": "the name of the ability",
    "AmxAdjusted.old": (
        "the previous maximum AP that could be spent on the ability in one action (AMX), from 0 to "
        "99"
    ),
    "AmxAdjusted.new": (
        "the new maximum AP that can be spent on the ability in one action (AMX), from 0 to 99"
    ),
    "DeathRuleSet.entity": "the id of the creature",
    "DeathRuleSet.old": (
        "the LP at which the creature died before the change: `never`, `at 0 LP` or `at -6 LP`"
    ),
    "DeathRuleSet.new": "the LP at which the creature dies: `never`, `at 0 LP` or `at -6 LP`",
    "StatusAdjusted.old": "the previous status of the entity: `ok`, `dying` or `dead`",
    "StatusAdjusted.new": "the new status of the entity: `ok`, `dying` or `dead`",
    "TokenMoved.old": (
        "the index of the point where the token stood, from 0 to 5, counted clockwise from F "
        "(index 0)"
    ),
    "TokenMoved.new": (
        "the index of the point where the token stands now, from 0 to 5, counted clockwise from F "
        "(index 0)"
    ),
}
