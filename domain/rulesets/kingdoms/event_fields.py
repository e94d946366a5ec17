"""The meaning of each field of the events of Kingdoms and Rulers, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "being": "the kind of entity: PC (a player character) or NPC (a non-player character)",
    "cha": "the value of CHA, from -99 to 99 (0 if the value awaits the GR's approval)",
    "con": "the value of CON, from -99 to 99 (0 if the value awaits the GR's approval)",
    "constant": "the number that the computation starts from, from -99 to 99",
    "dt": "the Difficulty Threshold (DT), from 1 to 12 (a die that rolls higher is a success)",
    "entity": "the id of the entity whose sheet, test or condition the event is about",
    "failed": "the number of dice that failed, from 0 to `pool` (a die that shows 1 counts as one)",
    "failures": (
        "the number of failures, from 0 to twice `pool` (a die that shows 1 counts as two failures)"
    ),
    "halved": (
        "the opponent's stats that were halved (rounded down) and added, with their full values, "
        "in the order in which the GR named them; empty if there are none"
    ),
    "less": (
        "the entity's own stats that were subtracted from the DT, with their values, "
        "in the order in which the GR named them; empty if there are none"
    ),
    "margin_of": (
        "the id of the entity whose last margin this roll is based on; "
        "absent if the roll is not based on a margin"
    ),
    "note": "what the condition does; absent if there is no note",
    "passed": (
        "true if the basic test passed, which means that `margin` is above 0; "
        "absent if the test is extended"
    ),
    "purpose": "what the sum represents, for example damage; absent if no purpose was given",
    "reason": "the reason given in the command",
    "refill": "the stat that refills the pool, CON or CHA; absent if the test is basic",
    "removed": "the number of failed dice that were removed from the pool, from 0 to 200",
    "rolls": "the number of rolls in the test, from 0 to 40 (always 1 in a basic test)",
    "seat": "the id of the seat that plays the entity (the GR's seat if it is an NPC)",
    "sides": "the number of sides of each die: 4, 6, 8, 10, 12, 20 or 100",
    "source": "a short name for the source of the bonus dice",
    "sources": (
        "the sources of the pool's dice: first the test's stats, in the order in which "
        "the GR named them, then the bonus dice, in the order in which the GR granted them"
    ),
    "stat": "the name of the stat or proficiency",
    "successes": (
        "the number of successes, from 0 to twice `pool` "
        "(a die that shows 12 counts as two successes, unless it fails)"
    ),
    "sum": "the sum of `faces`, plus `added` if it is present; it can be negative",
    "test": "the kind of test: basic (one roll) or extended (several rolls with a changing pool)",
    "text": "what the roll means, in the GR's words; it can contain line breaks",
    "twelve_succeeds": "true if a 12 counts as two successes even if the DT is 12",
    "StatValue.name": "the name of the stat, as it is spelled on the sheet",
    "StatValue.value": "the value of the stat at the time of the event, from -99 to 99",
    "DiceSource.name": "the name of the stat, or the short name for the source of the bonus dice",
    "DiceSource.dice": (
        "the number of dice from the source, from -99 to 99; "
        "negative if a stat below zero takes dice away"
    ),
    "EntityCreated.entity": "the new entity's id",
    "EntityCreated.name": "the name shown to everyone",
    "Retired.entity": "the id of the entity that leaves the story permanently",
    "StatNamed.value": "the stat's value, which is now on the sheet, from -99 to 99",
    "StatRenamed.old": "the previous name of the stat or proficiency",
    "StatRenamed.new": "the new name of the stat or proficiency",
    "StatRemoved.value": "the stat's value when it was removed, from -99 to 99",
    "StatProposed.value": "the value that awaits the GR's approval, from -99 to 99",
    "StatRejected.value": "the value that the GR rejected, from -99 to 99",
    "TestDeclared.stats": (
        "the names of the stats that apply to the test, in the order in which the GR named them"
    ),
    "TestDeclared.aim": (
        "what the test is for, for example: pick the lock; absent if no aim was given"
    ),
    "DiceGranted.dice": "the number of bonus dice, from 1 to 99",
    "DiceGranted.pool": (
        "the number of dice in the pool including the bonus dice, from 1 to 200; "
        "absent if the pool has not been assembled yet"
    ),
    "PoolAssembled.pool": (
        "the number of dice in the pool, from 0 to 200: "
        "the total from all sources, or 0 if the total is negative"
    ),
    "DtSet.old": "the test's previous DT, from 1 to 12; absent if it had none",
    "DtDetermined.opponent": "the opponent's id",
    "DtDetermined.stats": (
        "the opponent's stats that were added up for the DT, with their values, "
        "in the order in which the GR named them"
    ),
    "DtDetermined.computed": (
        "the sum of the values in `stats` minus the sum of the values in `less`; "
        "it can be below 1 or above 12"
    ),
    "DtDetermined.dt": (
        "the Difficulty Threshold (DT), from 1 to 12: the number in this range "
        "that is nearest to `computed`"
    ),
    "DtDetermined.old": "the test's previous DT, from 1 to 12; absent if it had none",
    "DtComputed.stats": (
        "the opponent's stats that were added in full, with their values, "
        "in the order in which the GR named them; empty if there are none"
    ),
    "DtComputed.computed": (
        "`constant` plus the values in `stats`, plus half of each value in `halved` "
        "(rounded down), minus the values in `less`; it can be below 1 or above 12"
    ),
    "DtComputed.dt": (
        "the Difficulty Threshold (DT), from 1 to 12: the number in this range "
        "that is nearest to `computed`"
    ),
    "DtComputed.opponent": "the opponent's id; absent if the GR named no opponent",
    "DtComputed.old": "the test's previous DT, from 1 to 12; absent if it had none",
    "TestRolled.nth": (
        "the number of this roll within the test, from 1 to 40 (always 1 in a basic test)"
    ),
    "TestRolled.pool": "the number of dice that were rolled, from 0 to 200",
    "TestRolled.faces": (
        "the face of each d12, from 1 to 12, in the order in which the dice were rolled; "
        "empty if the pool has no dice"
    ),
    "TestRolled.margin": (
        "the margin of this roll: `successes` minus `failures`, from -400 to 400 "
        "(0 if the pool has no dice)"
    ),
    "TestRolled.total": (
        "the sum of the margins of all rolls in the test so far, including this roll; "
        "it can be negative"
    ),
    "TestRolled.aim": (
        "what the roll is for, or what the test is for if the roll has no aim of its own; "
        "absent if neither has an aim"
    ),
    "Interpreted.nth": (
        "the number, within the test, of the roll that the GR interpreted, from 1 to 40 "
        "(always 1 in a basic test)"
    ),
    "Refilled.nth": (
        "the number, within the test, of the roll after which the pool was refilled, from 1 to 40"
    ),
    "Refilled.stat": "the stat that refills the pool: CON or CHA",
    "Refilled.value": "the value of `stat` when the pool was refilled, from -99 to 99",
    "Refilled.added": (
        "the number of dice that were added after the failed dice were removed, from -99 to 99: "
        "`value`, limited so that the pool has 0 to 200 dice; negative if dice were taken away"
    ),
    "Refilled.pool": "the number of dice in the pool after the refill, from 0 to 200",
    "TestEnded.total": (
        "the sum of the margins of all rolls in the test; it can be negative, "
        "and it is 0 if there were no rolls"
    ),
    "TestEnded.pool": (
        "the number of dice in the pool when the test ended, from 0 to 200 (0 if the pool was "
        "not assembled; in a basic test, the dice that failed are still in the pool)"
    ),
    "DiceRolled.entity": (
        "the id of the entity that rolls, or `@` followed by the id of the seat "
        "if the seat rolls without an entity"
    ),
    "DiceRolled.faces": (
        "the face of each die, from 1 to `sides`, in the order in which the dice were rolled "
        "(at least 1 die and at most 50)"
    ),
    "DiceRolled.added": (
        "the number added to the sum, or subtracted if it is negative, from -999 to 999; "
        "absent if no number was given"
    ),
    "DiceRolled.margin": (
        "the margin of the last roll in the open test of the entity `margin_of`, "
        "from -400 to 400; absent if `margin_of` is absent"
    ),
    "DiceRolled.aim": "what the roll is for; absent if no aim was given",
    "StatAdjusted.old": "the stat's previous value, from -99 to 99",
    "StatAdjusted.new": "the stat's new value, from -99 to 99",
    "PoolAdjusted.old": "the previous number of dice in the pool, from 0 to 200",
    "PoolAdjusted.new": "the new number of dice in the pool, from 0 to 200",
    "TestDropped.pool": (
        "the number of dice in the pool when the test was cancelled, from 0 to 200 "
        "(0 if the pool was not assembled)"
    ),
    "ConditionSet.name": "the name of the condition",
    "ConditionSet.rounds": (
        "the duration in rounds, from 1 to 10,000; absent if the condition does not last for rounds"
    ),
    "ConditionSet.minutes": (
        "the duration in minutes, from 1 to 100,000; "
        "absent if the condition does not last for minutes"
    ),
    "ConditionTicked.name": "the name of the condition",
    "ConditionTicked.rounds": (
        "the number of rounds that remain, from 0 to 9,999 (at 0, the condition ends); "
        "absent if the condition does not last for rounds"
    ),
    "ConditionTicked.minutes": (
        "the number of minutes that remain, from 0 to 99,999 (at 0, the condition ends); "
        "absent if the condition does not last for minutes"
    ),
    "ConditionEnded.name": "the name of the condition",
    "ConditionEnded.rounds": (
        "the number of rounds that remained, from 1 to 10,000; "
        "absent if the condition did not last for rounds"
    ),
}
