"""The characters of these tests, and short names for events that happened to them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.open import messages as m
from domain.rulesets.open.dice import DiceResult
from domain.rulesets.open.rules import Being

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)

ANA = (
    m.CharacterCreated("ana", "Ana", Being.PC, "p1"),
    m.NumberSet("ana", "strength", 3),
    m.BarSet("ana", "HP", 7, 12),
    m.RollSaved("ana", "stealth", "1d20+7"),
)
BEN = (m.CharacterCreated("ben", "Ben", Being.PC, "p2"), m.BarSet("ben", "HP", 9, 9))
ORC = (m.CharacterCreated("orc", "The orc", Being.NPC, "gm"), m.BarSet("orc", "HP", 15, 15))
CARDS = ("Ace", "Ace", "Two", "Three", "Four")
DECK = (m.DeckCreated("small", "the small deck", CARDS),)
TABLE: tuple[Message, ...] = (*ANA, *BEN, *ORC, *DECK)


def result(
    sides: int,
    *rolled: Sequence[int],
    value: int | UnsetType = UNSET,
    rerolled: Sequence[int] = (),
    dropped: Sequence[int] = (),
    low: int = 1,
) -> DiceResult:
    """Return dice, each with its faces; their value is the sum of all faces if none is given."""
    faces = tuple(tuple(die) for die in rolled)
    total = sum(map(sum, faces)) if value is UNSET else value
    return DiceResult(sides, low, faces, tuple(rerolled), tuple(dropped), total)


def rolled(
    notation: str,
    *dice: DiceResult,
    total: int | UnsetType = UNSET,
    entity: str | UnsetType = "ana",
    name: str | UnsetType = UNSET,
    aim: str | UnsetType = UNSET,
    seat: str = "p1",
    high_is_lucky: bool = True,
) -> m.DiceRolled:
    """Return a roll, whose total is the value of all dice if none is given."""
    value = sum(die.value for die in dice) if total is UNSET else total
    return m.DiceRolled(seat, notation, dice, value, high_is_lucky, entity, name, aim)


def in_order(**initiative: int) -> tuple[m.InitiativeSet, ...]:
    """Return the events that place characters in the order of turns."""
    return tuple(m.InitiativeSet(entity, value) for entity, value in initiative.items())


def turn(entity: str, number: int = 1, starts_round: bool = True) -> m.TurnStarted:
    return m.TurnStarted(entity, number, starts_round)


def drawn(
    *places: int,
    entity: str | UnsetType = "ana",
    seat: str = "p1",
    left: Sequence[str] = CARDS,
    aim: str | UnsetType = UNSET,
) -> m.CardsDrawn:
    """Return cards drawn from the small deck, by their places in it."""
    cards = tuple(CARDS[place] for place in places)
    return m.CardsDrawn(
        "small", "the small deck", seat, tuple(left), cards, tuple(places), entity, aim
    )
