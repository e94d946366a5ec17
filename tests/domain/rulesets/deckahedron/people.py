"""The entities of these tests, and short names for events that happened to them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import (
    METHODS,
    DeckName,
    Difficulty,
    Number,
    Ranks,
    StaminaMode,
    Stat,
    card_number,
    cards_left,
    counting_result,
    result_on,
    results_left,
    stamina_cards,
)

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)

EVEN = Ranks(2, 2, 2)
ANA = m.CharacterCreated("ana", "Ana", "p1", EVEN)
BEN = m.CharacterCreated("ben", "Ben", "p2", EVEN)
TABLE: tuple[Message, ...] = (ANA, BEN)
POISONED = m.ConditionSet("ana", "poisoned", 3)
CURSED = m.ConditionSet("ana", "cursed", UNSET, 60)

S, D, INT = Stat
VERY_EASY, EASY, STANDARD, DIFFICULT, VERY_DIFFICULT = Difficulty
ALL = tuple(cards_left(DeckName.D, ()))
AIM = "lift the gate"


def ranks(
    strength: int, dexterity: int, intelligence: int, entity: str = "ana"
) -> m.RanksDistributed:
    return m.RanksDistributed(entity, Ranks(strength, dexterity, intelligence))


def tried(entity: str = "ana", aim: str = AIM) -> m.Attempted:
    return m.Attempted(entity, aim)


def hard(difficulty: Difficulty = STANDARD, rank: int = 2, entity: str = "ana") -> m.DifficultySet:
    """Return the GM's difficulty for an attempt of Strength."""
    return m.DifficultySet(entity, S, rank, difficulty, METHODS[difficulty].flips)


def hand(
    *cards: str,
    difficulty: Difficulty = STANDARD,
    rank: int = 2,
    discard: Sequence[str] = (),
    exhausted: Sequence[str] = (),
    aim: str | UnsetType = UNSET,
    entity: str = "ana",
) -> m.Flipped:
    """Return the flip of these cards."""
    results = tuple(result_on(card, rank) for card in cards)
    result, deck = counting_result(results, difficulty), DeckName(cards[0][0])
    left, card = results_left(deck, (*discard, *exhausted), rank), cards[results.index(result)]
    return m.Flipped(
        entity,
        S,
        rank,
        difficulty,
        deck,
        tuple(discard),
        left,
        cards,
        results,
        card,
        result,
        tuple(exhausted) or UNSET,
        aim,
    )


def gone(*cards: str, entity: str = "ana") -> m.NumberFlipped:
    """Return an event that puts these cards on the discard, without an open attempt."""
    return m.NumberFlipped(entity, Number.CURVE, DeckName.D, cards[:-1], cards[-1:], 2)


def out(entity: str = "ana") -> m.Retired:
    return m.Retired(entity, "as the example begins")


def faces(*cards: str) -> list[int]:
    """Return the declared values that flip these cards: the numbers printed on them."""
    return [card_number(card) for card in cards]


def places(*cards: str, discard: Sequence[str] = ()) -> list[int]:
    """Return the values that draw these cards in edition 1: their places among the cards left."""
    left, declared = list(cards_left(DeckName.D, discard)), list[int]()
    for card in cards:
        declared.append(left.index(card) + 1)
        left.remove(card)
    return declared


def lost(
    *cards: str,
    mode: StaminaMode = StaminaMode.HEROIC,
    discard: Sequence[str] = (),
    exhausted: Sequence[str] = (),
    aim: str | UnsetType = UNSET,
    entity: str = "ana",
) -> m.StaminaLost:
    """Return the loss of stamina in which these cards are drawn."""
    costly = tuple(card for card in cards if card in stamina_cards(DeckName.D, (), mode))
    return m.StaminaLost(
        entity, mode, DeckName.D, tuple(discard), tuple(exhausted), cards, costly, aim
    )


def dodged(*cards: str, rank: int = 2, discard: Sequence[str] = ()) -> m.Flipped:
    """Return a flip of Dexterity with these cards."""
    return replace(hand(*cards, rank=rank, discard=discard), stat=D)
