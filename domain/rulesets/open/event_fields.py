"""The meaning of each field of the events of the open table, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "aim": (
        'what the dice or cards are for, such as "Sneak past the guard"; '
        "absent if the command gave no aim"
    ),
    "being": "the kind of character: PC (player character) or NPC (non-player character)",
    "by": (
        "the number of points by which the bar changed, from -999,999 to 999,999; negative if it "
        "lost points, and 0 if it was already empty or full"
    ),
    "deck": "the deck's id",
    "dice": (
        "the results of the dice, in the order of the notation, with one entry for each group of "
        "dice such as 4d6kh3; empty if the notation contains no dice"
    ),
    "entity": "the character's id",
    "high_is_lucky": (
        "true if the statistics count high results as lucky and low results as unlucky, false if "
        "they count the other way round (the value of the ruleset's option of this name)"
    ),
    "max": "the maximum of the bar, from 1 to 999,999",
    "new": "the new value, from -999,999 to 999,999",
    "notation": "the dice to roll, such as 1d20+5 or 4d6kh3",
    "now": "the current points in the bar, from 0 to `max`",
    "old": "the previous value, from -999,999 to 999,999; 0 if there was no such number",
    "places": (
        "the indices of the cards in the deck's list of all cards, from 0, in the order of `cards`"
    ),
    "reason": "the reason for the change",
    "returned": "the number of discarded cards that were put back into the deck, from 0 to 120",
    "starts_round": "true if the turn is the first one of its round",
    "text": "the text of the note, which can contain line breaks",
    "title": "the title of the note",
    "total": "the result of the whole notation, from -1,000,000,000 to 1,000,000,000",
    "value": "the new value, from -999,999 to 999,999",
    "CharacterCreated.name": "the name of the character",
    "CharacterCreated.seat": (
        "the id of the seat that plays the character; for an NPC, the GM's seat, which created it"
    ),
    "NumberSet.name": "the name of the number on the character's sheet, in its first spelling",
    "NumberSet.was": (
        "the previous value, from -999,999 to 999,999; absent if there was no such number"
    ),
    "NumberChanged.name": "the name of the number on the character's sheet, in its first spelling",
    "BarSet.name": "the name of the bar, in its first spelling",
    "BarSet.was": (
        "the previous points in the bar, from 0 to 999,999; absent if there was no such bar"
    ),
    "BarChanged.name": "the name of the bar, in its first spelling",
    "ConditionSet.name": "the name of the condition, in its first spelling",
    "ConditionSet.rounds": (
        "the duration in rounds, from 1 to 1,000; absent if the condition does not last for rounds"
    ),
    "ConditionSet.minutes": (
        "the duration in game minutes, from 1 to 525,600; absent if the condition does not last "
        "for minutes"
    ),
    "ConditionSet.note": (
        "what the condition does, or where it comes from; absent if there is no note"
    ),
    "ConditionTicked.name": "the name of the condition, in its first spelling",
    "ConditionTicked.rounds": (
        "the number of rounds that remain, from 1 to 999; absent if the condition lasts for minutes"
    ),
    "ConditionTicked.minutes": (
        "the number of game minutes that remain, from 1 to 525,599; absent if the condition lasts "
        "for rounds"
    ),
    "ConditionEnded.name": "the name of the condition, in its first spelling",
    "ConditionEnded.rounds": (
        "the number of rounds that were left, from 1 to 1,000, or 0 if the condition ran out; "
        "absent if it did not last for rounds"
    ),
    "ConditionEnded.minutes": (
        "the number of game minutes that were left, from 1 to 525,600, or 0 if the condition ran "
        "out; absent if it did not last for minutes"
    ),
    "RoundEnded.round": (
        "the number of the round that ended, from 1; absent if it ended outside of initiative or "
        "before the first turn"
    ),
    "MinutesPassed.minutes": "the number of minutes of game time that passed, from 1 to 525,600",
    "RollSaved.name": "the name of the saved roll, in its first spelling",
    "DiceRolled.seat": "the id of the seat that rolled the dice",
    "DiceRolled.notation": (
        "the dice to roll, such as 1d20+5 or 4d6kh3, as given in the command or by the saved roll"
    ),
    "DiceRolled.entity": (
        "the id of the character for which the seat rolled; absent if it was the seat's own roll"
    ),
    "DiceRolled.name": (
        "the name of the saved roll, in its first spelling, or the name that the command gave to "
        "its notation; absent if the command gave a notation without a name"
    ),
    "InitiativeRolled.total": (
        "the result of the whole notation, from -1,000,000,000 to 1,000,000,000, which is the "
        "character's new initiative; it applies from the next round on if the character already "
        "has a place in the current round"
    ),
    "InitiativeSet.value": (
        "the character's new initiative, from -999,999 to 999,999; it applies from the next round "
        "on if the character already has a place in the current round"
    ),
    "TurnStarted.round": "the number of the round to which the turn belongs, from 1",
    "DeckCreated.name": "the name of the deck",
    "DeckCreated.cards": (
        "the names of all cards of the deck, in the order to which `places` in later events refers "
        "(a card is listed twice if the deck contains it twice)"
    ),
    "CardsDrawn.name": "the name of the deck",
    "CardsDrawn.seat": (
        "the id of the seat that now has the cards: the character's seat if `entity` is present, "
        "otherwise the seat that drew them"
    ),
    "CardsDrawn.left": (
        "the names of the cards that were left before the draw, in the order of the deck's list of "
        "all cards"
    ),
    "CardsDrawn.cards": "the names of the drawn cards, in the order in which they were drawn",
    "CardsDrawn.entity": (
        "the id of the character for which the cards were drawn; absent if the seat drew them for "
        "itself"
    ),
    "CardsDiscarded.name": "the name of the deck",
    "CardsDiscarded.seat": (
        "the id of the seat that discarded the cards, which is not always the seat that had them"
    ),
    "CardsDiscarded.cards": "the names of the discarded cards, in the order of the command",
    "CardsReturned.name": "the name of the deck",
    "CardsReturned.seat": (
        "the id of the seat that put the cards back, which is not always the seat that had them"
    ),
    "CardsReturned.cards": "the names of the cards that were put back, in the order of the command",
    "CardsReturned.left": (
        "the number of cards that are left to draw after the event, from 1 to 120"
    ),
    "Shuffled.name": "the name of the deck",
    "Shuffled.seat": "the id of the seat that shuffled the discard pile back into the deck",
    "Shuffled.left": "the number of cards that are left to draw after the event, from 0 to 120",
    "CounterSet.name": "the name of the counter, in its first spelling",
    "CounterSet.was": (
        "the previous value, from -999,999 to 999,999; absent if there was no such counter"
    ),
    "NoteWritten.seat": "the id of the seat that wrote the note",
    "DiceResult.sides": "the number of faces of each die, from 2 to 100; 3 for Fudge dice",
    "DiceResult.low": "the lowest face of each die: 1, or -1 for Fudge dice",
    "DiceResult.rolled": (
        "one list of faces for each die, in the order in which the dice were rolled; each list has "
        "the first face, the face after a reroll if there was one, then the faces after "
        "explosions, each from `low` to `low + sides - 1`"
    ),
    "DiceResult.rerolled": (
        "the indices in `rolled`, from 0 and in ascending order, of the dice that were rerolled, "
        "so that their first face does not count; empty if there are none"
    ),
    "DiceResult.dropped": (
        "the indices, from 0 and in ascending order, of the dropped faces in the list of all faces "
        "in `rolled`, one die after the other, without the first face of each rerolled die; empty "
        "if there are none"
    ),
    "DiceResult.value": (
        "the sum of the kept faces or, if the notation counts successes, the number of kept faces "
        "that are successes, from 0"
    ),
}
