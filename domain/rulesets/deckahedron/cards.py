"""Roll cards of Deckahedron: the flipped cards with their edges."""

from __future__ import annotations

from domain.roll_card import (
    CardsDrawing,
    DiceDrawing,
    DrawnCard,
    EdgeResult,
    RollCard,
    details,
    plain_dice,
)
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.presentation import SYMBOLS_BY_RESULT, method_words
from domain.rulesets.deckahedron.rules import (
    BREATHER_DIE,
    DECKS,
    EDGES,
    DeckName,
    Difficulty,
    Number,
    Result,
)

LEVELS = {result: level for level, result in enumerate(Result, 1)}


def roll_card(event: m.Event) -> RollCard | None:
    """Return what a page shows of the event, or None if nothing is flipped or rolled."""
    match event:
        case m.Flipped(entity, stat, rank, difficulty):
            is_plain = difficulty is Difficulty.STANDARD
            edge = EDGES[rank - 1]
            cards = tuple(_card(card, rank, card == event.card) for card in event.cards)
            note = f"{stat} {rank} reads the {edge.side} edge ({edge.symbol})."
            return RollCard(
                entity,
                f"flips on {stat}",
                details("" if is_plain else difficulty, event.aim),
                SYMBOLS_BY_RESULT[event.result],
                "",
                event.result.capitalize(),
                "" if is_plain else f"{method_words(difficulty, len(event.cards))}",
                LEVELS[event.result],
                (CardsDrawing(cards, note),),
            )
        case m.CardChosen(entity, old, card) if card != old:
            return RollCard(entity, note=f"{card} instead of {old}", continues=True)
        case m.Interpreted(entity, text=text):
            return RollCard(entity, said=text, continues=True)
        case m.NumberFlipped(entity, number):
            last = len(event.cards) - 1
            cards = tuple(
                DrawnCard(_number(card, number), nth == last)
                for nth, card in enumerate(event.cards)
            )
            what = "a number from 2 to 10" if number is Number.CURVE else f"a {number}"
            return RollCard(
                entity,
                f"flips for {what}",
                details(event.aim),
                str(event.value),
                str(number),
                drawings=(CardsDrawing(cards),),
            )
        case m.StaminaLost(entity, cards=flipped, lost=lost):
            cards = tuple(DrawnCard(card, card in lost) for card in flipped)
            return RollCard(
                entity,
                "loses stamina",
                details(event.aim),
                f"\N{MINUS SIGN}{len(lost)}",
                "stamina",
                drawings=(CardsDrawing(cards),),
            )
        case m.BreatherTaken(entity, _, regained):
            dice = (_breather_die(event.die),) if event.die else ()
            return RollCard(
                entity,
                "takes a breather",
                details(event.aim),
                f"+{len(regained)}",
                "stamina",
                drawings=dice,
            )
        case _:
            return None


def _breather_die(face: int) -> DiceDrawing:
    return plain_dice(BREATHER_DIE, [face])


def _card(card: str, rank: int, counts: bool) -> DrawnCard:
    """Return the card with its results, and the edge that is read for the rank."""
    results = DECKS[DeckName(card[0])][card].edges
    edges = tuple(
        EdgeResult(edge.side, SYMBOLS_BY_RESULT[result], LEVELS[result])
        for edge, result in zip(EDGES, results, strict=True)
    )
    return DrawnCard(card, counts, edges, EDGES[rank - 1].side)


def _number(card: str, number: Number) -> str:
    """Return the card with the number that it shows, if it shows one."""
    shown = rules.number_on(card, number)
    return f"{card}: {shown}" if shown else card
