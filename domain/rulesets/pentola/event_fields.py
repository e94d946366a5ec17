"""The meaning of each field of the events of Pentola, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "action": (
        "the id of the character whose action is tested; the same as `entity` if `use` is "
        "`demanded test`"
    ),
    "added": "the percentage that the bonus adds to the goal, from 0 to 300; 0 if no bonus is used",
    "against": "the id of the participant whose action the reaction is to",
    "aim": "what the roll is for, for example: pick the lock; absent if this was not stated",
    "applies": "true if the bonus applies to the character's next roll",
    "at": "the id of the participant who declares first, which is the last in the order",
    "away": (
        "true if the move or sprint leads away from the target; absent if it leads towards it, "
        "or if `thing` is `action`"
    ),
    "being": "the kind of character: `PC` (player character) or `NPC` (non-player character)",
    "body": "the BOD score, from 1 to 100; the goal in percent is three times as high",
    "bonus": "the name of the bonus on the character's sheet",
    "characteristic": "the characteristic to test",
    "competes": (
        "true if the referee lets the opponent oppose without a declared reaction, for example in "
        "a race; absent if the opponent uses a reaction, or if the referee did not state this"
    ),
    "die": "the usage die: `d20`, `d12`, `d10`, `d8`, `d6` or `d4`",
    "difficulty": "the difficulty: easy doubles the goal, hard halves it",
    "due": "the number of rolls of the usage die that can be made now, from 0 to 20",
    "entities": (
        "the ids of the participants (1 to 20), in the order in which the referee named them; "
        "if the referee named none, in their order in the last MomentStarted, or else sorted by "
        "seat and id"
    ),
    "entity": "the id of the character",
    "face": (
        "the number rolled on the usage die, from 1 to its number of sides; a 1 moves the die one "
        "step down (from `d4` to `expended`)"
    ),
    "finding": "the reason why no test is needed",
    "focus": "true if the character focuses: an easier test, but no other action or reaction",
    "gained": "the number of hit points that the character regains, from 1 to 100",
    "held": "the name of the item or ability on the character's sheet",
    "hit_points": (
        "the maximum number of hit points, from 1 to 100, with which the character starts; absent "
        "if the session does not count hit points"
    ),
    "intellect": "the INT score, from 1 to 100; the goal in percent is three times as high",
    "intent": "what the character wants to achieve",
    "item": "the name of the item on the character's sheet",
    "lost": "the number of hit points that the character loses, from 1 to 100",
    "most": "the character's maximum number of hit points, from 1 to 100",
    "note": "what the condition does, for example: all tests are hard; absent if there is no note",
    "number": "the number of the moment, counted from 1",
    "old_characteristic": "the characteristic to test before the change",
    "old_difficulty": "the difficulty before the change",
    "opponent": "the id of the opponent, who counts as a defender",
    "other": "the other entity's id",
    "outcome": "the outcome of the roll: `fumble`, `failure`, `success` or `critical`",
    "percent": "the goal in percent with the bonus, but before any steps, from 3 to 600",
    "power": (
        "the POW score, from 1 to 100; the goal in percent is three times as high; absent if the "
        "character has no POW"
    ),
    "reactions": (
        "the declaration numbers of the reactions that can be used again, in ascending order; "
        "empty if there are none"
    ),
    "reason": "the reason recorded in the log",
    "result": (
        "what happens as a result, in the referee's words, which can have line breaks; absent if "
        "the referee did not state it"
    ),
    "roll": "the number rolled on the d100, from 1 to 100",
    "ruling": "the ruling that follows from `finding`: `automatic success` or `automatic failure`",
    "source": "the origin of the bonus",
    "things": (
        "the number of actions and reactions that the character has declared in the moment so far, "
        "including this one, from 1 to 3; a move counts as one, and a sprint as two"
    ),
    "tie": (
        "the rule that ranked the first side above the second, which was tied with it: `player`, "
        "`defender`, `goal` or `order`; absent if there was no such tie, and in edition 1"
    ),
    "usable": "the kind of entry on the sheet: `item` or `ability`",
    "use": (
        "the purpose of the roll: `test` (of an action that no character opposes), `demanded test` "
        "(of no action) or `opposed test`"
    ),
    "uses": "the name of the item or ability that is used; absent if the declaration names none",
    "waiting": (
        "the number of rolls of the usage die that become due after a minute of game time, from 0 "
        "to 20"
    ),
    "CharacterCreated.entity": "the id of the new character",
    "CharacterCreated.name": "the name shown to everyone",
    "CharacterCreated.seat": (
        "the id of the seat that plays the PC; for an NPC, the id of the seat of the referee who "
        "created it"
    ),
    "ThingCreated.entity": "the id of the new thing or place",
    "ThingCreated.name": "the name shown to everyone",
    "ThingCreated.seat": "the id of the seat of the referee who created the thing or place",
    "Retired.entity": "the id of the character, thing or place that leaves the story permanently",
    "BonusAdded.bonus": "the name of the new bonus",
    "BonusAdded.percent": "the percentage that the bonus adds to a goal, from 1 to 300",
    "UsableAdded.held": "the name of the new item or ability",
    "ItemGiven.entity": "the id of the character who hands over the item",
    "ItemGiven.to": "the id of the character who receives the item",
    "ItemGiven.nth": (
        "the number of the declaration that the item is handed over with, from 1; absent if there "
        "is no moment, and in edition 1"
    ),
    "IntentDeclared.approach": (
        "how the character tries to achieve the outcome; absent if the approach has not been "
        "explained yet"
    ),
    "ApproachExplained.approach": "how the character tries to achieve the outcome",
    "Withdrawn.entity": "the id of the character whose action is withdrawn",
    "Withdrawn.intent": "what the character wanted to achieve; absent in edition 1",
    "Withdrawn.approach": (
        "how the character wanted to achieve the outcome; absent if the approach had not been "
        "explained, and in edition 1"
    ),
    "Withdrawn.nth": (
        "the number of the action's declaration, from 1; absent if the action was not declared in "
        "a moment, and in edition 1"
    ),
    "Ruled.entity": "the id of the character whose action is decided",
    "CalledForTest.entity": "the id of the character whose action is tested",
    "TestDemanded.entity": "the id of the character who makes the test",
    "OpponentNamed.entity": "the id of the character whose action is opposed",
    "OpponentNamed.characteristic": "the characteristic that the opponent tests",
    "OpponentNamed.difficulty": (
        "the difficulty of the opponent's test: easy doubles the goal, hard halves it"
    ),
    "OpponentNamed.nth": (
        "the declaration number of the reaction that the opponent uses, from 2; absent if the "
        "opponent uses none"
    ),
    "OpponentNamed.aim": "what the opponent's roll is for; absent if this was not stated",
    "TestChanged.entity": "the id of the character who makes the test",
    "TestChanged.characteristic": "the characteristic to test after the change",
    "TestChanged.difficulty": (
        "the difficulty after the change: easy doubles the goal, hard halves it"
    ),
    "TestChanged.aim": "what the roll is for after the change; absent if this was never stated",
    "CalledOff.entity": "the id of the character whose test is called off",
    "RolledTest.entity": "the id of the character who makes the test",
    "RolledTest.characteristic": "the characteristic that was tested",
    "RolledTest.difficulty": (
        "the difficulty, which `steps` includes: easy doubles the goal, hard halves it"
    ),
    "RolledTest.steps": (
        "the sum of the steps for the difficulty, for focus and for a third action or reaction, "
        "from -2 to 2 (from -1 to 1 with the option `steps_stop_at_one`); each step above 0 "
        "doubles the goal, each step below 0 halves it"
    ),
    "RolledTest.bonus": (
        "the name of the bonus, the highest of those that were named; absent if none was named"
    ),
    "OpposedSettled.entity": "the id of the character whose action was opposed",
    "OpposedSettled.ranking": "the ids of the 2 to 20 characters in the opposed test, best first",
    "ItemUsed.entity": "the id of the character who uses the item",
    "ItemUsed.waiting": (
        "the number of rolls of the usage die that become due after a minute of game time, from 1 "
        "to 20, including the roll for this use"
    ),
    "ItemUsed.nth": (
        "the number of the declaration that the item is used with, from 1; absent if there is no "
        "moment, and in edition 1"
    ),
    "ItemUsed.aim": "what the later roll of the usage die is for; absent if this was not stated",
    "RollsDue.entity": "the id of the character who holds the item",
    "RollsDue.due": (
        "the number of rolls of the usage die that can be made now, from 1 to 20, including any "
        "that could already be made"
    ),
    "RollsDue.minutes": (
        "the number of minutes that have passed, from 1 to 100,000; absent if the referee gave no "
        "number, which means one minute"
    ),
    "UsageRolled.entity": "the id of the character who holds the item or ability",
    "UsageRolled.die": "the usage die that was rolled: `d20`, `d12`, `d10`, `d8`, `d6` or `d4`",
    "UsageRolled.left": "the usage die after the roll, or `expended` if no uses are left",
    "UsageRolled.due": (
        "the number of further rolls of the usage die that can be made now, from 0 to 19 (0 for an "
        "ability, or if `left` is `expended`)"
    ),
    "UsageRolled.waiting": (
        "the number of further rolls of the usage die that become due after a minute of game time, "
        "from 0 to 19 (0 for an ability, or if `left` is `expended`)"
    ),
    "UsageRolled.nth": (
        "the number of the declaration that the ability is used with, from 1; absent for an item, "
        "if there is no moment, and in edition 1"
    ),
    "DistanceSet.entity": "the id of one of the two entities (characters, things or places)",
    "DistanceSet.new": "the new distance",
    "DistanceSet.old": "the distance before the change; absent if no distance was set",
    "ConditionSet.entity": "the id of the character, thing or place that has the condition",
    "ConditionSet.name": "the name of the condition, for example: hexed",
    "ConditionSet.rounds": (
        "the duration in moments, from 1 to 10,000; absent if the condition lasts for minutes or "
        "until it is ended"
    ),
    "ConditionSet.minutes": (
        "the duration in minutes, from 1 to 100,000; absent if the condition lasts for moments or "
        "until it is ended"
    ),
    "ConditionTicked.entity": "the id of the character, thing or place that has the condition",
    "ConditionTicked.name": "the name of the condition",
    "ConditionTicked.rounds": (
        "the number of moments left, from 0 to 9,999; at 0, the condition is over; absent if the "
        "duration is in minutes"
    ),
    "ConditionTicked.minutes": (
        "the number of minutes left, from 0 to 99,999; at 0, the condition is over; absent if the "
        "duration is in moments"
    ),
    "ConditionEnded.entity": "the id of the character, thing or place that had the condition",
    "ConditionEnded.name": "the name of the condition",
    "ConditionEnded.rounds": (
        "the number of moments that were left, from 1 to 10,000; absent if the duration was not "
        "in moments"
    ),
    "ConditionEnded.minutes": (
        "the number of minutes that were left, from 1 to 100,000; absent if the duration was not "
        "in minutes"
    ),
    "Harmed.left": "the number of hit points left, from 0 to 99; at 0, the character is dead",
    "Healed.left": "the number of hit points that the character now has, from 1 to 100",
    "CharacteristicAdjusted.characteristic": "the characteristic that was set",
    "CharacteristicAdjusted.old": "the score before the change, from 1 to 100",
    "CharacteristicAdjusted.new": "the new score, from 1 to 100",
    "BonusAdjusted.old": "the percentage that the bonus added to a goal before, from 0 to 300",
    "BonusAdjusted.new": "the percentage that the bonus adds to a goal, from 0 to 300",
    "UsageDieAdjusted.old": "the usage die before the change, or `expended` if no uses were left",
    "UsageDieAdjusted.new": "the new usage die, or `expended` if no uses are left",
    "UsageDieAdjusted.due": (
        "the number of rolls of the usage die that can be made now, from 0 to 20 (0 if `new` is "
        "`expended`)"
    ),
    "UsageDieAdjusted.waiting": (
        "the number of rolls of the usage die that become due after a minute of game time, from 0 "
        "to 20 (0 if `new` is `expended`)"
    ),
    "MomentStarted.aim": "what the initiative rolls are for; absent if this was not stated",
    "InitiativeSet.entity": "the id of the participant who makes the initiative test",
    "InitiativeSet.difficulty": (
        "the difficulty of the initiative test: easy doubles the goal, hard halves it"
    ),
    "InitiativeSet.aim": (
        "what the initiative roll is for; absent if the referee did not state it, so that it stays "
        "as it was"
    ),
    "InitiativeRolled.entity": "the id of the participant who makes the initiative test",
    "InitiativeRolled.steps": (
        "the step for the difficulty, from -1 to 1: a step of 1 doubles the goal, and a step of -1 "
        "halves it"
    ),
    "InitiativeRolled.bonus": (
        "the name of the participant's highest bonus of those that were named; absent if there is "
        "none"
    ),
    "Ordered.ranking": "the ids of all participants in turn order, best first",
    "OrderSet.old": (
        "the ids of all participants in the previous order: best first, or as in MomentStarted if "
        "no turn order was set"
    ),
    "OrderSet.new": "the ids of all participants in the new turn order, best first",
    "ActionDeclared.entity": "the id of the participant who declares",
    "ActionDeclared.nth": (
        "the number of the declaration among those of all participants in the moment, from 1"
    ),
    "ActionDeclared.thing": "what is declared: `action`, `move` or `sprint`",
    "ActionDeclared.intent": (
        "what the character wants to achieve; for a move or sprint: `get close`, `get nearer` or "
        "`get away`"
    ),
    "ActionDeclared.approach": "what the character does; for a move or sprint, the same as `thing`",
    "ActionDeclared.target": (
        "the id of the entity that the move or sprint leads towards or away from; absent if "
        "`thing` is `action`"
    ),
    "ReactionDeclared.entity": "the id of the participant who reacts",
    "ReactionDeclared.nth": (
        "the number of the declaration among those of all participants in the moment, from 2"
    ),
    "ReactionDeclared.approach": "how the character reacts",
    "ReactionDeclared.to": "the declaration number of the action that the reaction is to, from 1",
    "ReactionDropped.entity": "the id of the participant whose reaction ends unused",
    "ReactionDropped.nth": "the declaration number of the reaction, from 2",
    "ReactionDropped.approach": "how the character wanted to react",
    "SlotPassed.entity": "the id of the participant who declares next",
    "TurnCame.entity": "the id of the participant whose turn starts",
    "TurnCame.nth": "the number of the declaration that is carried out, from 1",
    "TurnCame.intent": "what the character wants to achieve, as in ActionDeclared",
    "TurnCame.approach": "what the character does, as in ActionDeclared",
    "MomentEnded.reason": (
        "the reason why the referee ended the moment early; absent if the referee did not do so"
    ),
    "Moved.entity": "the id of the participant who moves",
    "Moved.target": "the id of the entity that the move or sprint leads towards or away from",
    "Moved.thing": "the kind of move: `move` or `sprint`",
    "Moved.old": "the distance to the target before the move",
    "Moved.new": "the distance to the target after the move, which can be the same as `old`",
}
