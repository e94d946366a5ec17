"""Presentation of Deckahedron: its table, event descriptions and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from domain import table
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.rules import (
    CARDS,
    DECKS,
    EDGES,
    METHODS,
    SYMBOLS,
    DeckName,
    Difficulty,
    Pile,
    Ranks,
    Result,
    Shuffle,
    Stat,
)
from domain.rulesets.deckahedron.state import Character, OpenAttempt, State
from domain.tally import Counts, Moved, Probability, Rolled, Settled

SYMBOLS_BY_RESULT = {result: symbol for symbol, result in SYMBOLS.items()}
LEFT = "cards left"
TOPICS = ("background", "motivation", "special skills", "bonds")


RESHUFFLE_WORDS = {
    Shuffle.CHOSEN: "reshuffles",
    Shuffle.FORCED: "must reshuffle",
    Shuffle.SHORT: "reshuffles before the flip",
}


def show(state: State) -> table.Table:
    """Return the table: characters, decks, discard piles, open attempts and turns."""
    return table.Table(
        entities={entity: _entity(of) for entity, of in state.characters.items()},
        decks={entity: _deck(of) for entity, of in state.characters.items() if not of.retired},
        tasks={name: task for row in state.characters.items() for name, task in _tasks(*row)},
    )


def _entity(of: Character) -> table.Entity:
    said = zip(TOPICS, (of.background, of.motivation, of.skills, of.bonds), strict=True)
    sheet = {str(stat): _rank_words(of.ranks.of(stat)) for stat in Stat} | {
        topic: text for topic, text in said if text
    }
    return table.Entity(of.name, of.seat, "PC", "retired" if of.retired else "ok", sheet)


def _rank_words(rank: int) -> str:
    return f"{rank} ({EDGES[rank - 1].symbol})"


def _deck(of: Character) -> table.Deck:
    left, attempt = CARDS - len(of.discard), of.attempt
    if attempt is UNSET or attempt.outcome is UNSET:
        return table.Deck(left, discard=of.discard)
    up = attempt.outcome.cards
    edge = UNSET if attempt.challenge is UNSET else EDGES[attempt.challenge.rank - 1].side
    return table.Deck(left, up, tuple(card for card in of.discard if card not in up), edge)


def _tasks(entity: str, of: Character) -> Iterator[tuple[str, table.Task]]:
    if of.attempt is not UNSET:
        yield (
            f"{entity}.attempt",
            table.Task(
                of.seat, "attempt", _waits_for(of.attempt), _attempt_sheet(entity, of.attempt)
            ),
        )
    if of.turn_open:
        yield f"{entity}.turn", table.Task(of.seat, "turn", "end the turn", {"entity": entity})


def _waits_for(attempt: OpenAttempt) -> str:
    if attempt.outcome is not UNSET:
        return "the GM's interpretation"
    return "the GM's difficulty" if attempt.challenge is UNSET else "the flip"


def _attempt_sheet(entity: str, attempt: OpenAttempt) -> dict[str, str]:
    sheet = {"entity": entity} | ({"aim": attempt.aim} if attempt.aim else {})
    if attempt.challenge is not UNSET:
        challenge = attempt.challenge
        sheet |= {
            "stat": challenge.stat,
            "rank": _rank_words(challenge.rank),
            "difficulty": challenge.difficulty,
        }
    if attempt.outcome is not UNSET:
        sheet |= {"card": attempt.outcome.card, "result": attempt.outcome.result}
    return sheet


def describe(event: m.Event) -> str:
    """Describe the event in one sentence, with ids in braces (`{ana}`) instead of names."""
    match event:
        case m.CharacterCreated(entity):
            return f"{_name(entity)} comes to the table with {_ranks_words(event.ranks)} and {CARDS} cards."
        case m.RanksDistributed(entity, ranks):
            return f"{_name(entity)} has {_ranks_words(ranks)}."
        case m.Introduced(entity):
            return f"{_name(entity)} is introduced: {_introduction(event)}."
        case m.Retired(entity, reason):
            return f"{_name(entity)} leaves the story ({reason})."
        case m.RanksAdjusted(entity, old, new, reason):
            return f"The GM sets the ranks of {_name(entity)} from {_ranks_words(old)} to {_ranks_words(new)} ({reason})."
        case m.Attempted(entity, aim):
            return f"{_name(entity)} attempts to {aim}."
        case m.DifficultySet(entity, stat, rank, difficulty, flips):
            return f"{_name(entity)}'s attempt is {difficulty}: {stat} {_rank_words(rank)}, {_method_words(difficulty, flips)}."
        case m.OutcomeTold(entity, text):
            return f'{_name(entity)} needs no flip: "{text}"'
        case m.Withdrawn(entity):
            return f"{_name(entity)} thinks better of it."
        case m.Flipped(entity, stat, rank, difficulty):
            hand = _join(
                [
                    _card_face(card, result)
                    for card, result in zip(event.cards, event.results, strict=True)
                ]
            )
            return f"{_name(entity)} flips {hand} on {stat} {_rank_words(rank)}, {difficulty}: {_resolution(event)}."
        case m.CardChosen(entity, old, card):
            return f"{_name(entity)} lets {_card_face(card)} resolve instead of {_card_face(old)}."
        case m.Interpreted(entity, result, text):
            return f'{_name(entity)}, {result}: "{text}"'
        case m.TurnOpened(entity):
            return f"{_name(entity)} has a longer turn."
        case m.TurnEnded(entity, left):
            return f"{_name(entity)} ends the turn with {_cards(left)}."
        case m.Reshuffled(entity, why, left, returned):
            return f"{_name(entity)} {RESHUFFLE_WORDS[why]} with {_cards(left)} left and puts {_cards(returned)} back in."
        case m.NumberFlipped(entity, number):
            return f"{_name(entity)} flips {_join(event.cards)} for a {number}: {event.value}."
        case m.CardMoved(entity, card, _, new, _, reason):
            where = "the discard" if new is Pile.DISCARD else "the deck"
            return f"The GM puts {card} of {_name(entity)} into {where} ({reason})."
        case _:
            raise TypeError(event)


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _ranks_words(ranks: Ranks) -> str:
    return ", ".join(f"{stat} {ranks.of(stat)}" for stat in Stat)


def _introduction(event: m.Introduced) -> str:
    said = zip(TOPICS, (event.background, event.motivation, event.skills, event.bonds), strict=True)
    return "; ".join(f'{topic} "{text}"' for topic, text in said if text is not UNSET)


def _method_words(difficulty: Difficulty, flips: int) -> str:
    if flips == 1:
        return "flip 1 card"
    return f"flip {flips} cards, take the {'best' if METHODS[difficulty].best else 'worst'}"


def _join(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _card_face(card: str, result: Result | None = None) -> str:
    marks = ", ".join(DECKS[DeckName(card[0])][card].marks)
    shown = "" if result is None else f" {SYMBOLS_BY_RESULT[result]}"
    return f"{card}{shown} ({marks})" if marks else f"{card}{shown}"


def _resolution(event: m.Flipped) -> str:
    article = "an" if event.result is Result.UNCONDITIONAL_SUCCESS else "a"
    by = f"{event.card} resolves, " if len(event.cards) > 1 else ""
    return f"{by}{article} {event.result}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: cards with their odds, results and deck changes."""
    match event:
        case m.Flipped(entity, stat):
            hands = comb(sum(event.left), len(event.cards))
            ways = rules.result_ways(event.left, event.difficulty)
            outcomes: dict[str, Probability] = {
                result: (count, hands) for result, count in ways.items()
            }
            first = _FlipResult(
                event.result,
                outcomes,
                tuple(ways),
                {"difficulty": event.difficulty, "rank": event.rank},
            )
            return *_rolls_of_flip(event, stat, first), Settled(
                entity, stat, event.result, event.result
            )
        case m.NumberFlipped(entity, number):
            found = rules.number_ways(event.deck, event.discard, number)
            outcomes = {str(value): (count, sum(found.values())) for value, count in found.items()}
            value = str(event.value)
            return *_rolls_of_flip(event, number, _FlipResult(value, outcomes)), Settled(
                entity, number, value, value
            )
        case m.Reshuffled(entity, why, left, returned):
            return (Moved(entity, LEFT, returned, why, left + returned),) if returned else ()
        case m.CardMoved(entity, new=new):
            return (
                Moved(
                    entity,
                    LEFT,
                    -1 if new is Pile.DISCARD else 1,
                    "adjusted",
                    CARDS - len(event.discard),
                ),
            )
        case _:
            return ()


class _FlipResult(NamedTuple):
    """The combined outcome of the cards that were flipped together.

    `scale` lists the possible results, worst first. It is empty if the cards were flipped for a
    number, because a high number may be good or bad.
    """

    outcome: str
    outcomes: dict[str, Probability]
    scale: tuple[str, ...] = ()
    given: Mapping[str, int | str] = {}


def _rolls_of_flip(event: m.Flipped | m.NumberFlipped, use: str, first: _FlipResult) -> Counts:
    """Return one roll per card, and the change in the number of cards left.

    The first roll also carries the outcome of the whole flip and the probability of each possible
    outcome.
    """
    left, rolls = list(rules.cards_left(event.deck, event.discard)), list[Rolled]()
    for nth, card in enumerate(event.cards):
        chances: dict[str, Probability] = dict.fromkeys(left, (1, len(left)))
        given = {"left": len(left), **first.given}
        rolled = Rolled(event.entity, f"deck {event.deck}", card, use, chances, given=given)
        known = (
            {}
            if nth
            else {"outcome": first.outcome, "outcomes": first.outcomes, "scale": first.scale}
        )
        rolls.append(replace(rolled, **known))
        left.remove(card)
    return *rolls, Moved(event.entity, LEFT, -len(event.cards), use, len(left))
