"""Deckahedron's constants, cards and arithmetic, as explained in RULES.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from math import comb
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.table import Side

# The first edition in which each rule holds. Sessions of earlier editions do not apply the rule.

GM_BRINGS_NPCS_SINCE = 2  # RULES 2.2
NO_BLANK_TEXTS_SINCE = 2  # RULES 2.10
PRINTED_NUMBERS_SINCE = 2  # RULES 4.7
ATTEMPT_AIM_SINCE = 2  # RULES 6.8
RANKS_MUST_CHANGE_SINCE = 2  # RULES 10.1
GM_ACTS_FOR_ALL_SINCE = 2  # RULES 12.3
NAMED_SEATS_MUST_PLAY_SINCE = 2  # RULES 17.7

# RULES 2: characters


class Stat(StrEnum):
    STRENGTH = "Strength"
    DEXTERITY = "Dexterity"
    INTELLIGENCE = "Intelligence"


class Ranks(msgspec.Struct, frozen=True):
    strength: int
    dexterity: int
    intelligence: int

    def of(self, stat: Stat) -> int:
        return dict(zip(Stat, (self.strength, self.dexterity, self.intelligence), strict=True))[
            stat
        ]


LOWEST, HIGHEST, POINTS = 1, 4, 6
EVEN = Ranks(2, 2, 2)  # RULES 2.4: the ranks before the points are distributed
MAX_CHARACTERS = 64  # so that every table fits on a page (RULES 2.8)


# RULES 4: the deck


class Result(StrEnum):
    """The four possible results on a card, worst first."""

    CATEGORICAL_FAILURE = "categorical failure"
    FAILURE = "failure"
    SUCCESS = "success"
    UNCONDITIONAL_SUCCESS = "unconditional success"


SYMBOLS = dict(zip(("✗✗", "✗", "✔", "✔✔"), Result, strict=True))  # as printed on the cards


class Edge(msgspec.Struct, frozen=True):
    """An edge of a card.

    `side` is the edge's position on the front of the card. `symbol` is printed on the back.
    """

    symbol: str
    colour: str
    side: Side


EDGES = (  # by rank, starting at 1
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
    """The dice that cards can replace.

    CURVE stands for a d4 and a d6 added together.
    """

    D4 = "d4"
    D6 = "d6"
    CURVE = "2-10"


class Card(msgspec.Struct, frozen=True):
    """A card, with one result per rank.

    `edges` lists these results, starting at rank 1. `d4` and `d6` are the numbers that the card
    shows, or 0 if it shows none. They are always 0 in deck P, where the numbers are not legible.
    """

    edges: tuple[Result, ...]
    marks: tuple[Mark, ...]
    d4: int = 0
    d6: int = 0
    zodiac: tuple[str, ...] = ()


class DeckName(StrEnum):
    """The two versions of the deck.

    D is based on the game's card data, and P on a picture of the deck.
    """

    D = "D"
    P = "P"


# The columns are the card, its results on the Anchor, Bulb, Crescent and Dart edges, and its marks.
# Deck D also has columns for the d4, the d6 and the zodiac animals (clockwise from the top left).
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


def _parse_deck(rows: str) -> dict[str, Card]:
    return {row.split()[0]: _parse_card(*row.split()[1:]) for row in rows.strip().splitlines()}


def _parse_card(
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


DECKS = {DeckName.D: _parse_deck(DECK_D), DeckName.P: _parse_deck(DECK_P)}
CARDS = 20


# RULES 5 and 6: attempts


class Difficulty(StrEnum):
    VERY_EASY = "very easy"
    EASY = "easy"
    STANDARD = "standard"
    DIFFICULT = "difficult"
    VERY_DIFFICULT = "very difficult"


class Method(msgspec.Struct, frozen=True):
    """The number of cards to flip, and whether the best or the worst result counts."""

    flips: int
    best: bool


METHODS = {
    Difficulty.VERY_EASY: Method(3, True),
    Difficulty.EASY: Method(2, True),
    Difficulty.STANDARD: Method(1, True),
    Difficulty.DIFFICULT: Method(2, False),
    Difficulty.VERY_DIFFICULT: Method(3, False),
}


def counting_result(results: Sequence[Result], difficulty: Difficulty) -> Result:
    order = list(Result)
    return (
        max(results, key=order.index) if METHODS[difficulty].best else min(results, key=order.index)
    )


def result_ways(left: Sequence[int], difficulty: Difficulty) -> dict[Result, int]:
    """Return the number of hands that yield each possible result.

    The numbers add up to comb(cards left, flips).
    """
    method, passed, found = METHODS[difficulty], 0, dict[Result, int]()
    rising = list(zip(Result, left, strict=True))
    for result, count in rising if method.best else reversed(rising):
        found[result] = comb(passed + count, method.flips) - comb(passed, method.flips)
        passed += count
    return {result: found[result] for result in Result if found[result]}


# RULES 7: the discard pile


RESHUFFLE_AT = 5  # a turn that ends with this many cards or fewer forces a reshuffle


class Pile(StrEnum):
    """The piles of a character's cards. The exhaustion pile belongs to stamina (RULES 16)."""

    DECK = "deck"
    DISCARD = "discard"
    EXHAUSTION = "exhaustion pile"


class Shuffle(StrEnum):
    """The reason for shuffling the discard pile into the deck.

    Either the player chose to reshuffle, or too few cards were left at the end of a turn or for a
    flip.
    """

    CHOSEN = "chosen"
    FORCED = "forced"
    SHORT = "short"


def cards_left(deck: DeckName, gone: Sequence[str]) -> tuple[str, ...]:
    """Return the cards that are still in the deck, in the order of `DECKS`.

    `gone` contains the discarded and the exhausted cards. The order in which the others will be
    drawn is not determined in advance.
    """
    return tuple(card for card in DECKS[deck] if card not in gone)


def result_on(card: str, rank: int) -> Result:
    return DECKS[DeckName(card[0])][card].edges[rank - 1]


def results_left(deck: DeckName, gone: Sequence[str], rank: int) -> tuple[int, int, int, int]:
    """Return how many cards in the deck show each result on the edge for `rank`.

    The worst result comes first.
    """
    counts = Counter(result_on(card, rank) for card in cards_left(deck, gone))
    worst, bad, good, best = (counts[result] for result in Result)
    return worst, bad, good, best


def discard_before_flips(
    discard: tuple[str, ...], flips: int, exhausted: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the discard pile at the start of a flip (RULES 7.6).

    If fewer than `flips` cards are left in the deck, return an empty pile, because the discarded
    cards are then shuffled back into the deck.
    """
    return discard if CARDS - len(discard) - len(exhausted) >= flips else ()


# RULES 8: numbers


def number_on(card: str, number: Number) -> int:
    """Return the number that the card shows for these dice, or 0 if it shows none."""
    of = DECKS[DeckName(card[0])][card]
    return {Number.D4: of.d4, Number.D6: of.d6, Number.CURVE: of.d4 + of.d6}[number]


def number_ways(deck: DeckName, gone: Sequence[str], number: Number) -> dict[int, int]:
    """Return how many of the cards left in the deck show each number.

    Cards that show no number are not counted.
    """
    counts = Counter(number_on(card, number) for card in cards_left(deck, gone))
    return {value: counts[value] for value in sorted(counts) if value}


def discard_before_number(
    deck: DeckName, discard: tuple[str, ...], number: Number, exhausted: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the discard pile at the start of a flip for a number.

    If no card left in the deck shows a number, return an empty pile, because the discarded cards
    are then shuffled back into the deck.
    """
    return discard if number_ways(deck, discard + exhausted, number) else ()


def card_id(deck: DeckName, nth: int) -> str:
    return f"{deck}{nth:02}"


def card_number(card: str) -> int:
    """Return the number that is printed on the card."""
    return int(card[1:])


# RULES 15: conditions and counters


MAX_CONDITIONS, MAX_COUNTERS = 20, 20  # per character
MAX_ROUNDS, MAX_MINUTES = 10_000, 100_000
MAX_COUNT = 9_999
LEFT_POOL = "cards left"
STAMINA_POOL, HARM_POOL, WOUNDS_POOL = "stamina", "harm", "wounds"


def key_of(entity: str, name: str) -> str:
    """Return the key of a character's condition or counter in the state.

    The key does not depend on capitalization. It is ASCII, because a fork stores the state as
    canonical JSON, which allows only ASCII keys.
    """
    return f"{entity}.{name.casefold().encode('unicode_escape').decode()}"


# RULES 16: stamina


class StaminaMode(StrEnum):
    """The cards that cost stamina: all cards (heroic), or those with the stamina mark (gritty)."""

    HEROIC = "heroic"
    GRITTY = "gritty"


class Injury(StrEnum):
    HARM = "harm"
    WOUND = "wound"


class Recovery(StrEnum):
    REST = "rest"
    HEALING = "a day of healing"


STAMINA = 10  # a character with this many exhausted cards is incapacitated
MAX_HARM, MAX_WOUNDS = 2, 2  # one more harm becomes a wound, and one more wound incapacitates
BREATHER_DIE = 4
BREATHER_POINTS = {Result.CATEGORICAL_FAILURE: 0, Result.FAILURE: 1}  # better results roll a d4


def reserved_counters(mode: StaminaMode | UnsetType) -> tuple[str, ...]:
    """Return the names of the pools that the rules themselves count, in lower case."""
    if mode is UNSET:
        return (LEFT_POOL,)
    return LEFT_POOL, STAMINA_POOL, HARM_POOL, WOUNDS_POOL


def stamina_cards(deck: DeckName, gone: Sequence[str], mode: StaminaMode) -> tuple[str, ...]:
    """Return the cards left in the deck that cost a point of stamina when drawn."""
    return tuple(
        card
        for card in cards_left(deck, gone)
        if mode is StaminaMode.HEROIC or Mark.STAMINA in DECKS[deck][card].marks
    )


def discard_before_loss(
    deck: DeckName,
    discard: tuple[str, ...],
    exhausted: tuple[str, ...],
    mode: StaminaMode,
    points: int,
) -> tuple[str, ...]:
    """Return the discard pile before a character loses `points` of stamina.

    If the deck has too few cards for that, return an empty pile, because the discarded cards are
    then shuffled back into the deck.
    """
    return discard if len(stamina_cards(deck, discard + exhausted, mode)) >= points else ()


def tokens_after_injury(injury: Injury, harm: int, wounds: int) -> tuple[int, int]:
    """Return the harm and wound tokens after an injury."""
    if injury is Injury.HARM and harm < MAX_HARM:
        return harm + 1, wounds
    return harm, wounds + 1


def tokens_after_recovery(recovery: Recovery, harm: int, wounds: int) -> tuple[int, int]:
    """Return the harm and wound tokens after a rest or a day of healing."""
    if recovery is Recovery.REST:
        return max(0, harm - 1), wounds
    return 0, max(0, wounds - 1)


# RULES 14: options


class TiedCards(StrEnum):
    """The tied card that resolves an attempt: the first one, or one that the player chooses."""

    FIRST = "first"
    PLAYER = "player"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's choices when opening the session: the deck, ties and stamina.

    Options that were added later are absent by default, so that old options are encoded as before.
    """

    deck: Annotated[
        DeckName,
        Meta(
            description="the version of the deck: D is based on the game's card data,"
            " and P on a picture of the deck (RULES 4.3)"
        ),
    ] = DeckName.D
    tied_cards: Annotated[
        TiedCards,
        Meta(
            description="which tied card resolves an attempt: the first one flipped,"
            " or one that the player picks (RULES 6.6)"
        ),
    ] = TiedCards.FIRST
    stamina_mode: (
        Annotated[
            StaminaMode,
            Meta(
                description="which cards cost stamina: all (heroic), or those with the stamina mark"
                " (gritty); default: nothing costs stamina (RULES 16)"
            ),
        ]
        | UnsetType
    ) = UNSET
