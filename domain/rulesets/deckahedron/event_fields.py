"""The meaning of each field of the events of Deckahedron, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "aim": "what the roll is for; absent if the command does not say",
    "background": "where the character comes from; absent if the introduction does not say",
    "bonds": (
        "how the character knows the others, and what connects them; absent if the introduction"
        " does not say"
    ),
    "counter": "what is counted, for example: arrows; spelled as when the counter was created",
    "deck": (
        "the version of the deck that the session uses: D is based on the game's card data, and P"
        " on a picture of the deck"
    ),
    "die": (
        "the number rolled on the d4, from 1 to 4; absent if no die was rolled, because the result"
        " is a failure or a categorical failure"
    ),
    "difficulty": "the difficulty of the attempt",
    "entity": "the character's id",
    "flips": "the number of cards to flip, from 1 to 3",
    "harm": "the number of harm tokens that the character now has, from 0 to 2",
    "harm_healed": "the number of harm tokens that the recovery removed, from 0 to 2",
    "injury": (
        "the token that the character took: a character that already has 2 harm tokens takes a"
        " wound token instead of a third harm token"
    ),
    "lost": (
        "the ids of the drawn cards that went to the exhaustion pile, in the order in which they"
        " were drawn: from 1 to 10 cards, one for each point of stamina that the character lost"
    ),
    "mode": "which cards cost stamina: all (heroic), or those with the stamina mark (gritty)",
    "motivation": "what the character wants; absent if the introduction does not say",
    "note": "what the condition does; absent if the command does not say",
    "npc": "true if the character is an NPC, played by the GM; absent if it is a player character",
    "number": "the die or dice that the cards replace; 2-10 is a d4 and a d6 added together",
    "rank": (
        "the character's rank in the stat, from 1 (the worst) to 4 (the best), which is also the"
        " number of the edge that is read on each card"
    ),
    "reason": "the reason recorded in the log",
    "recovery": "the kind of recovery: a rest or a day of healing",
    "regained": (
        "the ids of the cards that went from the exhaustion pile to the discard pile, in the order"
        " in which they had been added to the exhaustion pile; empty if the character regained no"
        " stamina"
    ),
    "result": (
        "the result of the attempt, which is the best or the worst of the results on the flipped"
        " cards, depending on the difficulty"
    ),
    "results": "the result on each of the `cards`, in the same order, read on the edge for `rank`",
    "returned": "the number of discarded cards that were shuffled into the deck, from 0 to 20",
    "seat": (
        "the id of the seat that plays the character, which for an NPC is the seat of the GM that"
        " created it"
    ),
    "skills": "what the character is especially good at; absent if the introduction does not say",
    "stat": "the stat that governs the attempt",
    "text": "what happens in the story, in the GM's words",
    "why": (
        "the reason for the reshuffle: the player or the GM chose it (chosen), 5 or fewer cards"
        " were left at the end of a turn (forced), or the deck had too few suitable cards for a"
        " flip or a loss of stamina (short)"
    ),
    "wounds": "the number of wound tokens that the character now has, from 0 to 3",
    "wounds_healed": "the number of wound tokens that the recovery removed, 0 or 1",
    "CharacterCreated.name": "the character's name, shown to everyone",
    "CharacterCreated.ranks": "the initial rank in each stat, which is 2",
    "RanksDistributed.ranks": "the rank in each stat after the points were distributed",
    "Introduced.name": "the character's name from now on; absent if the introduction does not say",
    "Attempted.aim": 'what the character tries to do, phrased to follow "attempts to"',
    "DifficultySet.aim": (
        "what the roll is for, which replaces any earlier aim of the attempt; absent if the command"
        " does not say, so that the attempt keeps its aim"
    ),
    "Flipped.discard": (
        "the ids of the cards in the discard pile before the flip, in the order in which they were"
        " added to it"
    ),
    "Flipped.left": (
        "the numbers of cards in the deck before the flip that show a categorical failure, a"
        " failure, a success and an unconditional success, in this order, on the edge for `rank`;"
        " each from 0"
    ),
    "Flipped.cards": "the ids of the 1 to 3 flipped cards, in the order of the flips",
    "Flipped.card": (
        "the id of the card that resolves the attempt, which is the first of the `cards` that show"
        " `result`; a later CardChosen event can replace it"
    ),
    "Flipped.exhausted": (
        "the ids of the cards in the exhaustion pile before the flip, in the order in which they"
        " were added to it; absent if no card is exhausted"
    ),
    "Flipped.aim": (
        "what the roll is for, as stated by the command or otherwise, from edition 2, by the"
        " attempt; absent if neither says, or in edition 1 if the command does not say"
    ),
    "CardChosen.old": "the id of the card that resolved the attempt until then",
    "CardChosen.card": (
        "the id of the tied card that resolves the attempt from now on, which can be the same as"
        " `old`"
    ),
    "TurnEnded.left": "the number of cards left in the deck at the end of the turn, from 0 to 20",
    "Reshuffled.left": "the number of cards left in the deck before the reshuffle, from 0 to 20",
    "NumberFlipped.discard": (
        "the ids of the cards in the discard pile before the flip, in the order in which they were"
        " added to it"
    ),
    "NumberFlipped.cards": (
        "the ids of the flipped cards, in the order of the flips, of which only the last one shows"
        " a number for the die or dice"
    ),
    "NumberFlipped.value": (
        "the number that the last card shows: from 1 to 4 for d4, from 1 to 6 for d6, and from 2 to"
        " 10 for 2-10"
    ),
    "NumberFlipped.exhausted": (
        "the ids of the cards in the exhaustion pile before the flip, in the order in which they"
        " were added to it; absent if no card is exhausted"
    ),
    "RanksAdjusted.old": "the rank in each stat before the change",
    "RanksAdjusted.new": "the rank in each stat after the change",
    "CardMoved.card": "the id of the moved card",
    "CardMoved.old": "the pile that the card was in before the move",
    "CardMoved.new": "the pile that the card was moved to",
    "CardMoved.discard": (
        "the ids of the cards in the discard pile after the move, in the order in which they were"
        " added to it"
    ),
    "CardMoved.exhausted": (
        "the ids of the cards in the exhaustion pile after the move, in the order in which they"
        " were added to it; absent if the session does not count stamina"
    ),
    "ConditionSet.name": "the name of the condition, spelled as when the character got it",
    "ConditionSet.rounds": (
        "how many rounds the condition lasts, from 1 to 10,000; absent if it is not counted in"
        " rounds"
    ),
    "ConditionSet.minutes": (
        "how many minutes the condition lasts, from 1 to 100,000; absent if it is not counted in"
        " minutes"
    ),
    "ConditionTicked.name": "the name of the condition, spelled as when the character got it",
    "ConditionTicked.rounds": (
        "the number of rounds that remain, from 0 (the condition has ended) to 9,999; absent if the"
        " condition is counted in minutes"
    ),
    "ConditionTicked.minutes": (
        "the number of minutes that remain, from 0 (the condition has ended) to 99,999; absent if"
        " the condition is counted in rounds"
    ),
    "ConditionEnded.name": "the name of the condition, spelled as when the character got it",
    "ConditionEnded.rounds": (
        "the number of rounds that remained, from 1 to 10,000; absent if the condition was not"
        " counted in rounds"
    ),
    "CounterSet.old": "the old number, from -9,999 to 9,999; absent if the counter is new",
    "CounterSet.value": "the new number, from -9,999 to 9,999; absent if the counter was removed",
    "CounterSet.reason": "the reason recorded in the log; absent if the command gives none",
    "StaminaLost.discard": (
        "the ids of the cards in the discard pile before the loss, in the order in which they were"
        " added to it"
    ),
    "StaminaLost.exhausted": (
        "the ids of the cards in the exhaustion pile before the loss, in the order in which they"
        " were added to it"
    ),
    "StaminaLost.cards": (
        "the ids of the drawn cards, in the order in which they were drawn; those that are not in"
        " `lost` went to the discard pile"
    ),
    "BreatherTaken.exhausted": (
        "the ids of the cards in the exhaustion pile after the breather, in the order in which they"
        " were added to it"
    ),
    "BreatherTaken.discard": (
        "the ids of the cards in the discard pile after the breather, in the order in which they"
        " were added to it"
    ),
    "Recovered.exhausted": (
        "the ids of the cards in the exhaustion pile after the recovery, in the order in which they"
        " were added to it"
    ),
    "Recovered.discard": (
        "the ids of the cards in the discard pile after the recovery, in the order in which they"
        " were added to it"
    ),
    "Ranks.strength": "the rank in Strength, from 1 (the worst) to 4 (the best)",
    "Ranks.dexterity": "the rank in Dexterity, from 1 (the worst) to 4 (the best)",
    "Ranks.intelligence": "the rank in Intelligence, from 1 (the worst) to 4 (the best)",
}
