"""The entities of these tests, and short names for events that happened to them."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import (
    METHODS,
    DeckName,
    Difficulty,
    Number,
    Ranks,
    Stat,
    cards_left,
    counting_result,
    result_on,
    results_left,
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

S, D, INT = Stat
VERY_EASY, EASY, STANDARD, DIFFICULT, VERY_DIFFICULT = Difficulty
ALL = tuple(cards_left(DeckName.D, ()))


def ranks(
    strength: int, dexterity: int, intelligence: int, entity: str = "ana"
) -> m.RanksDistributed:
    return m.RanksDistributed(entity, Ranks(strength, dexterity, intelligence))


def tried(entity: str = "ana", aim: str = "lift the gate") -> m.Attempted:
    return m.Attempted(entity, aim)


def hard(difficulty: Difficulty = STANDARD, rank: int = 2, entity: str = "ana") -> m.DifficultySet:
    """Return the GM's difficulty for an attempt of Strength."""
    return m.DifficultySet(entity, S, rank, difficulty, METHODS[difficulty].flips)


def hand(
    *cards: str,
    difficulty: Difficulty = STANDARD,
    rank: int = 2,
    discard: Sequence[str] = (),
    entity: str = "ana",
) -> m.Flipped:
    """Return the flip of these cards."""
    results = tuple(result_on(card, rank) for card in cards)
    result, deck = counting_result(results, difficulty), DeckName(cards[0][0])
    left, card = results_left(deck, discard, rank), cards[results.index(result)]
    return m.Flipped(
        entity, S, rank, difficulty, deck, tuple(discard), left, cards, results, card, result
    )


def gone(*cards: str, entity: str = "ana") -> m.NumberFlipped:
    """Return an event that puts these cards on the discard, without an open attempt."""
    return m.NumberFlipped(entity, Number.CURVE, DeckName.D, cards[:-1], cards[-1:], 2)


def out(entity: str = "ana") -> m.Retired:
    return m.Retired(entity, "as the example begins")


def faces(*cards: str, discard: Sequence[str] = (), deck: DeckName = DeckName.D) -> list[int]:
    """Return the declared values that flip these cards one after the other."""
    left, declared = list(cards_left(deck, discard)), list[int]()
    for card in cards:
        declared.append(left.index(card) + 1)
        left.remove(card)
    return declared
