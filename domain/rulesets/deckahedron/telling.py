"""What a screen shows, what the log says and what statistics count. `tell` and `tally` need the event alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.deckahedron import rules
from domain.rulesets.deckahedron.messages.events import (
    Attempted,
    CardChosen,
    CardMoved,
    CharacterCreated,
    DifficultySet,
    Event,
    Flipped,
    Interpreted,
    Introduced,
    NumberFlipped,
    OutcomeTold,
    RanksAdjusted,
    RanksDistributed,
    Reshuffled,
    Retired,
    TurnEnded,
    TurnOpened,
    Withdrawn,
)
from domain.rulesets.deckahedron.rules import METHODS, Difficulty, Pile, Ranks, Shuffle, Stat, cards
from domain.rulesets.deckahedron.rules.cards import CARDS, DECKS, EDGES, SYMBOLS, DeckName, Result
from domain.rulesets.deckahedron.state import Character, OpenAttempt, State
from domain.table import Deck, Entity, Table, Task
from domain.tally import Chance, Counts, Moved, Rolled
from domain.tally import Settled as Concluded

SYMBOL = {result: symbol for symbol, result in SYMBOLS.items()}
LEFT = "cards left"
TOPICS = ("background", "motivation", "special skills", "bonds")


def show(state: State) -> Table:
    """The characters, their decks with the discards face up, and what waits: attempts and longer turns."""
    return Table(
        entities={entity: _entity(of) for entity, of in state.characters.items()},
        decks={entity: _deck(of) for entity, of in state.characters.items() if not of.retired},
        tasks={name: task for row in state.characters.items() for name, task in _tasks(*row)},
    )


def _entity(of: Character) -> Entity:
    said = zip(TOPICS, (of.background, of.motivation, of.skills, of.bonds), strict=True)
    sheet = {str(stat): _rank(of.ranks.of(stat)) for stat in Stat} | {
        topic: text for topic, text in said if text
    }
    return Entity(of.name, of.seat, "PC", "retired" if of.retired else "ok", sheet)


def _rank(rank: int) -> str:
    return f"{rank} ({EDGES[rank - 1].symbol})"


def _deck(of: Character) -> Deck:
    left, attempt = CARDS - len(of.discard), of.attempt
    if attempt is UNSET or attempt.outcome is UNSET:
        return Deck(left, discard=of.discard)
    up = attempt.outcome.cards
    edge = UNSET if attempt.challenge is UNSET else EDGES[attempt.challenge.rank - 1].side
    return Deck(left, up, tuple(card for card in of.discard if card not in up), edge)


def _tasks(entity: str, of: Character) -> Iterator[tuple[str, Task]]:
    if of.attempt is not UNSET:
        yield (
            f"{entity}.attempt",
            Task(of.seat, "attempt", _waits(of.attempt), _sheet(entity, of.attempt)),
        )
    if of.turn_open:
        yield f"{entity}.turn", Task(of.seat, "turn", "end the turn", {"entity": entity})


def _waits(attempt: OpenAttempt) -> str:
    if attempt.outcome is not UNSET:
        return "the GM's interpretation"
    return "the GM's difficulty" if attempt.challenge is UNSET else "the flip"


def _sheet(entity: str, attempt: OpenAttempt) -> dict[str, str]:
    sheet = {"entity": entity} | ({"aim": attempt.aim} if attempt.aim else {})
    if attempt.challenge is not UNSET:
        challenge = attempt.challenge
        sheet |= {
            "stat": challenge.stat,
            "rank": _rank(challenge.rank),
            "difficulty": challenge.difficulty,
        }
    if attempt.outcome is not UNSET:
        sheet |= {"card": attempt.outcome.card, "result": attempt.outcome.result}
    return sheet


def tell(event: Event) -> str:
    """One sentence in the words of the rulebook; `{ana}` stands for a character's name."""
    match event:
        case CharacterCreated(who):
            return f"{_id(who)} comes to the table with {_ranks(event.ranks)} and {CARDS} cards."
        case RanksDistributed(who, ranks):
            return f"{_id(who)} has {_ranks(ranks)}."
        case Introduced(who):
            return f"{_id(who)} is introduced: {_introduction(event)}."
        case Retired(who, reason):
            return f"{_id(who)} leaves the story ({reason})."
        case RanksAdjusted(who, old, new, reason):
            return f"The GM sets the ranks of {_id(who)} from {_ranks(old)} to {_ranks(new)} ({reason})."
        case _:
            return _tell_attempt(event)


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _ranks(ranks: Ranks) -> str:
    return ", ".join(f"{stat} {ranks.of(stat)}" for stat in Stat)


def _introduction(event: Introduced) -> str:
    said = zip(TOPICS, (event.background, event.motivation, event.skills, event.bonds), strict=True)
    return "; ".join(f'{topic} "{text}"' for topic, text in said if text is not UNSET)


def _tell_attempt(event: Event) -> str:
    match event:
        case Attempted(who, aim):
            return f"{_id(who)} attempts to {aim}."
        case DifficultySet(who, stat, rank, difficulty, flips):
            return f"{_id(who)}'s attempt is {difficulty}: {stat} {_rank(rank)}, {_method(difficulty, flips)}."
        case OutcomeTold(who, text):
            return f'{_id(who)} needs no flip: "{text}"'
        case Withdrawn(who):
            return f"{_id(who)} thinks better of it."
        case Flipped(who, stat, rank, difficulty):
            hand = _and(
                [
                    _face(card, result)
                    for card, result in zip(event.cards, event.results, strict=True)
                ]
            )
            return f"{_id(who)} flips {hand} on {stat} {_rank(rank)}, {difficulty}: {_resolved(event)}."
        case CardChosen(who, old, card):
            return f"{_id(who)} lets {_face(card)} resolve instead of {_face(old)}."
        case Interpreted(who, result, text):
            return f'{_id(who)}, {result}: "{text}"'
        case _:
            return _tell_deck(event)


def _method(difficulty: Difficulty, flips: int) -> str:
    if flips == 1:
        return "flip 1 card"
    return f"flip {flips} cards, take the {'best' if METHODS[difficulty].best else 'worst'}"


def _and(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _face(card: str, result: Result | None = None) -> str:
    """The card with what it shows, and with the marks it bears."""
    marks = ", ".join(DECKS[DeckName(card[0])][card].marks)
    shown = "" if result is None else f" {SYMBOL[result]}"
    return f"{card}{shown} ({marks})" if marks else f"{card}{shown}"


def _resolved(event: Flipped) -> str:
    article = "an" if event.result is Result.UNCONDITIONAL_SUCCESS else "a"
    by = f"{event.card} resolves, " if len(event.cards) > 1 else ""
    return f"{by}{article} {event.result}"


def _tell_deck(event: Event) -> str:
    match event:
        case TurnOpened(who):
            return f"{_id(who)} has a longer turn."
        case TurnEnded(who, left):
            return f"{_id(who)} ends the turn with {_cards(left)}."
        case Reshuffled(who, why, left, returned):
            return f"{_id(who)} {WHY[why]} with {_cards(left)} left and puts {_cards(returned)} back in."
        case NumberFlipped(who, number):
            return f"{_id(who)} flips {_and(event.cards)} for a {number}: {event.value}."
        case CardMoved(who, card, _, new, _, reason):
            where = "the discard" if new is Pile.DISCARD else "the deck"
            return f"The GM puts {card} of {_id(who)} into {where} ({reason})."
        case _:
            raise TypeError(event)


WHY = {
    Shuffle.CHOSEN: "reshuffles",
    Shuffle.FORCED: "must reshuffle",
    Shuffle.SHORT: "reshuffles before the flip",
}


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def tally(event: Event) -> Counts:
    """What the event counts for: every card with its exact chances, the result, and cards that leave and come back."""
    match event:
        case Flipped(who, stat):
            hands = comb(sum(event.left), len(event.cards))
            ways = rules.ways(event.left, event.difficulty)
            outcomes: dict[str, Chance] = {result: (count, hands) for result, count in ways.items()}
            first = _First(
                event.result,
                outcomes,
                tuple(ways),
                {"difficulty": event.difficulty, "rank": event.rank},
            )
            return *_flipped(event, stat, first), Concluded(who, stat, event.result, event.result)
        case NumberFlipped(who, number):
            found = cards.number_ways(event.deck, event.discard, number)
            outcomes = {str(value): (count, sum(found.values())) for value, count in found.items()}
            value = str(event.value)
            return *_flipped(event, number, _First(value, outcomes)), Concluded(
                who, number, value, value
            )
        case Reshuffled(who, why, left, returned):
            return (Moved(who, LEFT, returned, why, left + returned),) if returned else ()
        case CardMoved(who, new=new):
            return (
                Moved(
                    who,
                    LEFT,
                    -1 if new is Pile.DISCARD else 1,
                    "adjusted",
                    CARDS - len(event.discard),
                ),
            )
        case CharacterCreated() | RanksDistributed() | Introduced() | Retired():
            return ()
        case (
            Attempted()
            | DifficultySet()
            | OutcomeTold()
            | Withdrawn()
            | CardChosen()
            | Interpreted()
        ):
            return ()
        case TurnOpened() | TurnEnded() | RanksAdjusted():
            return ()
        case _:
            raise TypeError(event)


class _First(NamedTuple):
    """What a whole flip came to; no `scale` of a number, for what it stands in for may be good or bad."""

    outcome: str
    outcomes: dict[str, Chance]
    scale: tuple[str, ...] = ()
    given: Mapping[str, int | str] = {}


def _flipped(event: Flipped | NumberFlipped, use: str, first: _First) -> Counts:
    """The first card carries what the whole flip came to: its chances were those of that moment.

    The others have no scale beside it, for what they show is in that already.
    """
    left, rolls = list(cards.remaining(event.deck, event.discard)), list[Rolled]()
    for nth, card in enumerate(event.cards):
        chances: dict[str, Chance] = dict.fromkeys(left, (1, len(left)))
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
