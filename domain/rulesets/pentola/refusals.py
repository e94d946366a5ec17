"""Texts of the refusals of Pentola: for each rule, the reason and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping

REFUSALS: Mapping[str, tuple[str, str]] = {
    "entity-exists": (
        "The id that you chose already belongs to {entity}.",
        "Choose another id.",
    ),
    "no-such-entity": (
        'No character or thing at the table has the id "{entity}".',
        "Choose one of the characters and things at the table.",
    ),
    "retired": (
        "{entity} has left the story for good.",
        "Choose someone or something that is still in the story.",
    ),
    "no-such-characteristic": (
        "{entity} has no score for {characteristic}.",
        "Choose BOD or INT instead.",
    ),
    "no-such-bonus": (
        "There is no bonus called {bonus} on the sheet.",
        "Choose a bonus that is on the sheet.",
    ),
    "not-held": (
        "{entity} has no item or ability called {held}.",
        "Choose an item or ability from the character's sheet.",
    ),
    "name-taken": (
        "The sheet of {entity} already has an entry called {name}.",
        "Choose another name.",
    ),
    "sheet-full": (
        "The sheet of {entity} already holds {most} bonuses, items and abilities, which is the"
        " maximum.",
        "Describe the rest in a narration.",
    ),
    "too-many-entities": (
        "The table already holds {most} characters and things, which is the maximum.",
        "Describe any newcomers in a narration.",
    ),
    "blank-text": (
        "The field {field} contains no visible characters.",
        "Write something there, or leave the field out if it is optional.",
    ),
    "not-yours": (
        "You may act only for your own characters, and {entity} is not one of them.",
        "Ask the referee or that character's player to do it.",
    ),
    "pc-needs-a-seat": (
        "You have not said who will play {entity}.",
        "Choose the player's seat.",
    ),
    "not-a-character": (
        "{entity} is a thing or a place, not a character.",
        "Choose a character.",
    ),
    "action-open": (
        "{entity} is still in the middle of an action.",
        "Finish that action or withdraw it first.",
    ),
    "approach-explained": (
        "The approach of {entity} has already been explained.",
        "Leave the approach as it is, or withdraw the action.",
    ),
    "no-intent": (
        "{entity} is not trying to do anything right now.",
        "Declare the character's intent first, or wait for its turn if a moment is under way.",
    ),
    "no-approach": (
        "No one has said yet how {entity} goes about it.",
        "Have the approach explained first.",
    ),
    "no-test-needed": (
        "The action of {entity} has already been ruled an {ruling}, so there is nothing to test.",
        "Wait for a new intent before you call for a test.",
    ),
    "ruled-already": (
        "The action of {entity} has already been ruled an {ruling}.",
        "Let the ruling stand, or rewind the session.",
    ),
    "rolled-already": (
        "A die has already been rolled for {rolled}.",
        "Let the roll stand and play on.",
    ),
    "test-called": (
        "A test at {difficulty} difficulty has already been called for {entity}.",
        "Wait for the roll, or ask the referee to change the test or call it off.",
    ),
    "no-test": (
        "No test has been called for {entity}.",
        "Ask the referee to call for a test first.",
    ),
    "bonus-barred": (
        "The referee has ruled that {bonus} does not apply to the next roll of {entity}.",
        "Leave it out of this roll.",
    ),
    "in-a-test": (
        "{entity} is already in a test.",
        "Finish that test first.",
    ),
    "not-oneself": (
        "This needs two different characters or things, but you named {entity} twice.",
        "Name someone or something else.",
    ),
    "too-many-sides": (
        "At most {most} characters can take part in a moment or an opposed test.",
        "Name fewer characters.",
    ),
    "expended": (
        "There are no uses of {held} left.",
        "Choose something else, or ask the referee to set a new usage die.",
    ),
    "not-such-a-use": (
        "This cannot be done with {held}, because it is an {usable}.",
        "Choose something else, or use it as an {usable}.",
    ),
    "minute-not-over": (
        "{entity} used {held} less than a minute ago.",
        "Ask the referee to let a minute pass.",
    ),
    "nothing-used": (
        "No usage die and no condition is waiting for a minute to pass.",
        "Play on, or use an item first.",
    ),
    "too-many-rolls": (
        "The usage die of {held} already has {most} rolls waiting, which is the maximum.",
        "Make some of these rolls first.",
    ),
    "moment-running": (
        "Moment {number} is still under way.",
        "Finish it first, or end it early.",
    ),
    "no-moment": (
        "No moment is under way.",
        "Ask the referee to start a moment first.",
    ),
    "not-declaring": (
        "No one may declare anything while the participants are {phase}.",
        "Wait until the next initiative rolls have been made.",
    ),
    "not-your-slot": (
        "It is {declares}'s turn to declare, not {entity}'s.",
        "Wait until it is {entity}'s turn to declare.",
    ),
    "not-lower": (
        "{entity} may react only to someone lower in the turn order, and {against} is not.",
        "Choose an action by someone lower in the turn order.",
    ),
    "not-declared": (
        "There is no action number {which} of {against} to react to.",
        "Choose an action that has been declared.",
    ),
    "over-budget": (
        "With this, {entity} would have {things} actions and reactions (a sprint counts as two),"
        " and {most} is the maximum in a moment.",
        "Leave this one out.",
    ),
    "extra-not-said": (
        "A moment allows {budget} actions and reactions without a penalty, and this would make"
        " {things}.",
        "Declare it as extra, which makes all of the character's tests in this moment one step"
        " harder, or leave it out.",
    ),
    "nothing-extra": (
        "A moment allows {budget} actions and reactions without a penalty, and this would make only"
        " {things}.",
        "Declare it without marking it as extra.",
    ),
    "focus-is-one-thing": (
        "With focus, {entity} may do only one thing in a moment, and this would make {things}.",
        "Do one thing with focus, or several without it.",
    ),
    "no-reaction": (
        "{entity} has no unused reaction to the action that is being resolved.",
        "Choose someone who has declared a reaction to it, or let someone compete without one.",
    ),
    "reaction-waits": (
        "This action cannot be rolled until every reaction to it is settled. The reactions of"
        " these characters are not settled yet: {waiting}.",
        "Ask the referee to name them as opponents, or drop their reactions first.",
    ),
    "use-not-declared": (
        "While a moment lasts, {entity} can use {held} only as part of an action or reaction that"
        " was declared with it and has begun, and only once for each of these.",
        "Declare an action or reaction that uses it and wait until it begins, or wait until the"
        " moment is over.",
    ),
    "in-a-moment": (
        "{entity} is taking part in moment {number}, so this has to wait.",
        "Declare it as an action of this moment, or wait until the moment is over.",
    ),
    "nobody-takes-part": (
        "A moment needs at least one participant.",
        "Choose who takes part.",
    ),
    "named-twice": (
        "Each participant can be named only once, but you repeated: {entities}.",
        "Name each of them once.",
    ),
    "not-in-the-moment": (
        "The current moment does not include {entity}.",
        "Choose one of the participants, or wait until the moment is over.",
    ),
    "not-a-skill-or-vocation": (
        "Only a skill or a vocation helps with initiative, and {bonus} is a {source}.",
        "Choose a skill or a vocation, or roll without a bonus.",
    ),
    "players-roll-first": (
        "The NPCs roll last, and the table is still waiting for rolls from: {players}.",
        "Wait for these rolls, or make them yourself if a player is away.",
    ),
    "initiative-is-over": (
        "The initiative rolls are over. The participants are already {phase}.",
        "Wait for the next moment.",
    ),
    "not-the-participants": (
        "The order must contain exactly the participants of this moment: {participants}.",
        "Put all of them in order, best first.",
    ),
    "declared-already": (
        "The declarations of moment {number} have already begun.",
        "Keep this order until the next moment.",
    ),
    "out-of-reach": (
        "{target} is {distance}, which is out of reach for a {by}.",
        "Choose a nearer target, or sprint to reach a distant one.",
    ),
    "distance-unknown": (
        "The referee has not said how far {entity} is from {target}.",
        "Ask the referee to set the distance first.",
    ),
    "already-close": (
        "{entity} is already close to {target}.",
        "Declare something else, because a few steps need no declaration.",
    ),
    "no-farther": (
        "{target} is already {distance}, and a {by} cannot increase that distance.",
        "If the target is distant, sprint away. If it is far, declare the escape as an action.",
    ),
    "one-duration": (
        "A condition cannot last for both moments and minutes.",
        "Set one or the other, or neither.",
    ),
    "too-many-conditions": (
        "{entity} already has {most} conditions, which is the maximum.",
        "End one of them first.",
    ),
    "no-such-condition": (
        "{entity} has no such condition.",
        "Choose one of the conditions that the table shows.",
    ),
    "no-hit-points": (
        "This session does not track the hit points of {entity}.",
        "Narrate the damage, or give the character a condition.",
    ),
    "dead": (
        "{entity} is dead.",
        "Choose a character who is alive, or ask the referee to heal this one.",
    ),
    "nothing-changes": (
        "This would change nothing.",
        "Leave it as it is, or choose another value.",
    ),
    "gm-only": (
        "Only the referee may do this.",
        "Ask the referee to do it.",
    ),
    "not-playing": (
        "Only players and the referee may do this, but your role is {role}.",
        "Ask a player or the referee to do it.",
    ),
}
