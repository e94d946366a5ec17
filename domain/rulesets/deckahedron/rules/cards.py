"""The cards as data: their edges, marks and numbers in both decks, and what can be counted of those that are left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from domain.table import Side


class Result(StrEnum):
    """The four results, worst first."""

    CATEGORICAL_FAILURE = "categorical failure"
    FAILURE = "failure"
    SUCCESS = "success"
    UNCONDITIONAL_SUCCESS = "unconditional success"


SYMBOLS = dict(zip(("✗✗", "✗", "✔", "✔✔"), Result, strict=True))  # as the cards print them


class Edge(msgspec.Struct, frozen=True):
    """`symbol` is on the back of the card, `side` where the edge lies on its front."""

    symbol: str
    colour: str
    side: Side


EDGES = (  # by rank, from 1
    Edge("Anchor", "red", "bottom"),
    Edge("Bulb", "yellow", "right"),
    Edge("Crescent", "green", "left"),
    Edge("Dart", "blue", "top"),
)


class Mark(StrEnum):
    STAMINA = "stamina"
    XP = "XP"
    CRIT_FAIL = "crit-fail"
    CRIT_WIN = "crit-win"


class Number(StrEnum):
    """What the cards can stand in for."""

    D4 = "d4"
    D6 = "d6"
    CURVE = "2-10"


class Card(msgspec.Struct, frozen=True):
    """`edges` by rank; `d4` and `d6` are pips, 0 to flip again; a deck whose pips nobody can read has 0 throughout."""

    edges: tuple[Result, ...]
    marks: tuple[Mark, ...]
    d4: int = 0
    d6: int = 0
    zodiac: tuple[str, ...] = ()


class DeckName(StrEnum):
    """D: as the game's data lists it; P: as its picture shows it."""

    D = "D"
    P = "P"


# Card, Anchor, Bulb, Crescent, Dart, marks; in deck D also d4, d6 and the zodiac from the north-west corner clockwise.
DECK_D = """
    D01  ✗✗  ✗✗  ✗✗  ✗✗  crit-fail         0  2  cow horse rabbit rat
    D02  ✗✗  ✗   ✔   ✗   -                 1  1  horse pig dog tiger
    D03  ✗✗  ✔✔  ✔   ✔✔  -                 2  6  rat snake monkey tiger
    D04  ✗   ✗   ✔   ✔✔  -                 3  5  dog monkey cock cow
    D05  ✗   ✔   ✗   ✔   -                 4  0  rabbit snake cock pig
    D06  ✗✗  ✗   ✗   ✔   -                 0  3  horse rat rabbit cow
    D07  ✗   ✗✗  ✗   ✔   -                 1  6  tiger pig dog horse
    D08  ✗✗  ✗✗  ✔✔  ✗✗  XP                2  4  snake tiger monkey rat
    D09  ✗   ✗   ✗✗  ✗   XP                3  2  cow monkey cock dog
    D10  ✔   ✗✗  ✗   ✗   -                 4  5  snake pig cock rabbit
    D11  ✔✔  ✔✔  ✔✔  ✔✔  stamina,crit-win  4  6  horse rat cow rabbit
    D12  ✗✗  ✔   ✔   ✔✔  stamina           3  1  dog pig horse tiger
    D13  ✔   ✔   ✔✔  ✔✔  stamina           2  5  snake tiger rat monkey
    D14  ✔   ✔✔  ✔   ✔✔  stamina           1  4  cock monkey dog cow
    D15  ✗✗  ✗   ✗   ✔✔  stamina,XP        0  3  snake pig rabbit cock
    D16  ✔   ✗   ✗✗  ✗   stamina,XP        4  2  horse cow rabbit rat
    D17  ✔✔  ✗✗  ✗✗  ✗   stamina,XP        3  0  dog horse pig tiger
    D18  ✔   ✔✔  ✔   ✔✔  stamina           2  3  snake rat monkey tiger
    D19  ✗✗  ✔   ✔✔  ✗   stamina           1  1  cock dog monkey cow
    D20  ✔   ✔   ✔✔  ✔   stamina           0  4  snake rabbit cock pig
"""
DECK_P = """
    P01  ✗✗  ✗✗  ✗✗  ✗✗  crit-fail
    P02  ✗✗  ✗   ✔✔  ✗✗  XP
    P03  ✗✗  ✗   ✔   ✗   -
    P04  ✗✗  ✔✔  ✔   ✔✔  -
    P05  ✗   ✗   ✔   ✔✔  -
    P06  ✗   ✔   ✗   ✔   -
    P07  ✗✗  ✗✗  ✗   ✔   -
    P08  ✗   ✗✗  ✗   ✔   -
    P09  ✗   ✗   ✗✗  ✗   XP
    P10  ✔   ✗✗  ✗   ✗   -
    P11  ✔✔  ✔✔  ✔✔  ✔✔  stamina,crit-win
    P12  ✗✗  ✔   ✔   ✔✔  stamina
    P13  ✔   ✔   ✔✔  ✗   stamina
    P14  ✔   ✗✗  ✔   ✔✔  stamina,XP
    P15  ✗✗  ✗   ✗   ✔✔  stamina
    P16  ✔   ✗   ✗✗  ✔✔  stamina,XP
    P17  ✗✗  ✔✔  ✔✔  ✗   stamina,XP
    P18  ✔   ✔✔  ✔   ✔✔  stamina
    P19  ✔✔  ✔   ✔✔  ✗   stamina
    P20  ✔   ✔   ✗✗  ✔   stamina
"""


def _deck(rows: str) -> dict[str, Card]:
    return {row.split()[0]: _card(*row.split()[1:]) for row in rows.strip().splitlines()}


def _card(
    anchor: str,
    bulb: str,
    crescent: str,
    dart: str,
    marks: str,
    d4: str = "0",
    d6: str = "0",
    *zodiac: str,
) -> Card:
    edges = tuple(SYMBOLS[symbol] for symbol in (anchor, bulb, crescent, dart))
    return Card(
        edges,
        tuple(Mark(mark) for mark in marks.split(",") if mark != "-"),
        int(d4),
        int(d6),
        zodiac,
    )


DECKS = {DeckName.D: _deck(DECK_D), DeckName.P: _deck(DECK_P)}
CARDS = 20


def remaining(deck: DeckName, discard: Sequence[str]) -> tuple[str, ...]:
    """The cards not yet flipped, in the order of the list: the order in which they will come exists nowhere."""
    return tuple(card for card in DECKS[deck] if card not in discard)


def result_on(card: str, rank: int) -> Result:
    """What the card shows on the edge of that rank."""
    return DECKS[DeckName(card[0])][card].edges[rank - 1]


def left_on(deck: DeckName, discard: Sequence[str], rank: int) -> tuple[int, int, int, int]:
    """How many of the cards left show each result on that edge, worst first."""
    counts = Counter(result_on(card, rank) for card in remaining(deck, discard))
    worst, bad, good, best = (counts[result] for result in Result)
    return worst, bad, good, best


def number_on(card: str, number: Number) -> int:
    """The number that the card stands in for, 0 to flip again."""
    of = DECKS[DeckName(card[0])][card]
    return {Number.D4: of.d4, Number.D6: of.d6, Number.CURVE: of.d4 + of.d6}[number]


def number_ways(deck: DeckName, discard: Sequence[str], number: Number) -> dict[int, int]:
    """How many of the cards left show each number; those to be flipped again are not counted."""
    counts = Counter(number_on(card, number) for card in remaining(deck, discard))
    return {value: counts[value] for value in sorted(counts) if value}


def before_flips(discard: tuple[str, ...], flips: int) -> tuple[str, ...]:
    """The discard as the flip begins: shuffled back in where too few cards are left (RULES 7.6)."""
    return discard if CARDS - len(discard) >= flips else ()


def before_number(deck: DeckName, discard: tuple[str, ...], number: Number) -> tuple[str, ...]:
    """As before_flips, for a number: shuffled back in where no card that is left shows one."""
    return discard if number_ways(deck, discard, number) else ()


def card_id(deck: DeckName, nth: int) -> str:
    return f"{deck}{nth:02}"
