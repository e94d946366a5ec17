"""The commands and events of the open ruleset.

The limits in JSON schemas and forms come from the types of the command fields.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.open.dice import DiceResult
from domain.rulesets.open.rules import (
    MAX_CARDS,
    MAX_CARDS_AT_ONCE,
    MAX_MINUTES,
    MAX_NOTATION_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_ROUNDS,
    MAX_VALUE,
    Being,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would also match before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"
LINES = r"^[^\x00-\x08\x0b-\x1f\x7f]+(?<!\n)$(?!\n)"  # may have line breaks, but not at the end

NewId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lowercase letter,"
        " then up to 31 lowercase letters, digits or hyphens",
    ),
]
EntityId = Annotated[
    str, Meta(pattern=ID, description="the character's id", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the character (default: your own)",
        extra={"of": "seat"},
    ),
]
DeckId = Annotated[str, Meta(pattern=ID, description="the deck's id", extra={"of": "deck"})]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name shown to everyone")
]
Label = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="a new name or one that is already in use",
    ),
]
SheetName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="a name on the character's sheet",
        extra={"of": "ability"},
    ),
]
RollName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="the name of a saved roll, or a name for the notation if you give one",
        extra={"of": "ability"},
    ),
]
BarName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=TEXT,
        description="the name of one of the character's bars",
        extra={"of": "bar"},
    ),
]
NewConditionName = Annotated[
    str,
    Meta(min_length=1, max_length=60, pattern=TEXT, description="the name of the condition"),
]
ConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description="the name of one of the character's conditions",
        extra={"of": "condition"},
    ),
]
Notation = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_NOTATION_LENGTH,
        pattern=TEXT,
        description="the dice to roll, such as 1d20+5 or 4d6kh3",
        extra={"of": "notation"},
    ),
]
Value = Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE, description="the new value")]
Change = Annotated[
    int,
    Meta(ge=-MAX_VALUE, le=MAX_VALUE, description="how much to add (negative to subtract)"),
]
Level = Annotated[int, Meta(ge=0, le=MAX_VALUE, description="the current points in the bar")]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason, recorded in the log"),
]
Aim = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description='what the dice or cards are for, such as "Sneak past the guard"',
    ),
]
CardName = Annotated[str, Meta(min_length=1, max_length=40, pattern=TEXT)]
CardNameInPlay = Annotated[
    str, Meta(min_length=1, max_length=40, pattern=TEXT, extra={"of": "card"})
]
CardsInPlay = Annotated[
    tuple[CardNameInPlay, ...],
    Meta(
        min_length=1,
        max_length=MAX_CARDS_AT_ONCE,
        description="the names of cards of this deck that are in play",
    ),
]


# Commands


class CreateCharacter(Message, frozen=True, tag="open.CreateCharacter"):
    """Create a character.

    Players create PCs for their own seat. The GM creates PCs for any seat, or NPCs.
    """

    entity: NewId
    name: Name
    seat: SeatId | UnsetType = UNSET


class Remove(Message, frozen=True, tag="open.Remove"):
    """Remove a character from play."""

    entity: EntityId


class SetNumber(Message, frozen=True, tag="open.SetNumber"):
    """Set a number on a character's sheet."""

    entity: EntityId
    name: Label
    value: Value


class AddToNumber(Message, frozen=True, tag="open.AddToNumber"):
    """Add to a number on a character's sheet, and say why."""

    entity: EntityId
    name: SheetName
    by: Change
    reason: Reason


class SetBar(Message, frozen=True, tag="open.SetBar"):
    """Set the current points and the maximum of a character's bar, such as hit points."""

    entity: EntityId
    name: Label
    now: Level
    max: Annotated[int, Meta(ge=1, le=MAX_VALUE, description="the maximum of the bar")]


class ChangeBar(Message, frozen=True, tag="open.ChangeBar"):
    """Add points to a bar, or take points away."""

    entity: EntityId
    name: BarName
    by: Change


class SetCondition(Message, frozen=True, tag="open.SetCondition"):
    """Give a character a condition for some rounds or minutes, or until it is ended.

    Setting a condition again replaces its duration and note.
    """

    entity: EntityId
    name: NewConditionName
    rounds: (
        Annotated[int, Meta(ge=1, le=MAX_ROUNDS, description="the duration in rounds")] | UnsetType
    ) = UNSET
    minutes: (
        Annotated[int, Meta(ge=1, le=MAX_MINUTES, description="the duration in game minutes")]
        | UnsetType
    ) = UNSET
    note: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                pattern=TEXT,
                description="what the condition does, or where it comes from",
            ),
        ]
        | UnsetType
    ) = UNSET


class EndCondition(Message, frozen=True, tag="open.EndCondition"):
    """End a condition of a character."""

    entity: EntityId
    name: ConditionName


class EndRound(Message, frozen=True, tag="open.EndRound"):
    """End a round outside of initiative.

    Each condition that lasts for rounds becomes one round shorter.
    """


class PassMinutes(Message, frozen=True, tag="open.PassMinutes"):
    """Let minutes of game time pass.

    Each condition that lasts for minutes becomes that many minutes shorter.
    """

    minutes: Annotated[
        int, Meta(ge=1, le=MAX_MINUTES, description="how many minutes of game time pass")
    ]


class SaveRoll(Message, frozen=True, tag="open.SaveRoll"):
    """Save a roll on a character's sheet, replacing any saved roll with the same name."""

    entity: EntityId
    name: Label
    notation: Notation


class Roll(Message, frozen=True, tag="open.Roll"):
    """Roll dice that are given by a notation or by the name of a character's saved roll."""

    entity: EntityId | UnsetType = UNSET
    notation: Notation | UnsetType = UNSET
    name: RollName | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class RollInitiative(Message, frozen=True, tag="open.RollInitiative"):
    """Roll a character's initiative and place the character in the turn order."""

    entity: EntityId
    notation: Notation
    aim: Aim | UnsetType = UNSET


class SetInitiative(Message, frozen=True, tag="open.SetInitiative"):
    """Set a character's initiative and place the character in the turn order."""

    entity: EntityId
    value: Value


class NextTurn(Message, frozen=True, tag="open.NextTurn"):
    """End the current turn, if any, and start the next. The round ends after its last turn."""


class EndInitiative(Message, frozen=True, tag="open.EndInitiative"):
    """End initiative, so that no character has a turn any more."""


class CreateDeck(Message, frozen=True, tag="open.CreateDeck"):
    """Put a deck of cards on the table."""

    deck: NewId
    name: Name
    cards: Annotated[
        tuple[CardName, ...],
        Meta(
            min_length=1,
            max_length=MAX_CARDS,
            description="the names of the cards (list a card twice if the deck contains it twice)",
        ),
    ]


class DrawCards(Message, frozen=True, tag="open.DrawCards"):
    """Draw cards from a deck, each at random from those that are left."""

    deck: DeckId
    number: Annotated[int, Meta(ge=1, le=MAX_CARDS_AT_ONCE, description="how many cards to draw")]
    entity: EntityId | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Discard(Message, frozen=True, tag="open.Discard"):
    """Put cards that are in play on the discard pile of their deck."""

    deck: DeckId
    cards: CardsInPlay


class ReturnCards(Message, frozen=True, tag="open.ReturnCards"):
    """Put cards that are in play back into their deck."""

    deck: DeckId
    cards: CardsInPlay


class Shuffle(Message, frozen=True, tag="open.Shuffle"):
    """Shuffle the discard pile of a deck back into the deck."""

    deck: DeckId


class SetCounter(Message, frozen=True, tag="open.SetCounter"):
    """Set a counter that the whole table shares, such as a clock or the group's supplies."""

    name: Label
    value: Value


class AddToCounter(Message, frozen=True, tag="open.AddToCounter"):
    """Add to a counter that the whole table shares, or subtract from it."""

    name: Label
    by: Change


class Note(Message, frozen=True, tag="open.Note"):
    """Write a note or a handout into the log."""

    title: Annotated[
        str,
        Meta(min_length=1, max_length=80, pattern=TEXT, description="the title of the note"),
    ]
    text: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_NOTE_LENGTH, pattern=LINES, description="the text"),
    ]


Command = (
    CreateCharacter
    | Remove
    | SetNumber
    | AddToNumber
    | SetBar
    | ChangeBar
    | SetCondition
    | EndCondition
    | EndRound
    | PassMinutes
    | SaveRoll
    | Roll
    | RollInitiative
    | SetInitiative
    | NextTurn
    | EndInitiative
    | CreateDeck
    | DrawCards
    | Discard
    | ReturnCards
    | Shuffle
    | SetCounter
    | AddToCounter
    | Note
)


# Events. Their fields have no limits, so that old logs stay readable if command limits change.


class CharacterCreated(Message, frozen=True, tag="open.CharacterCreated"):
    entity: str
    name: str
    being: Being
    seat: str


class Removed(Message, frozen=True, tag="open.Removed"):
    """A character left the game. Its sheet, bars and conditions are gone."""

    entity: str


class NumberSet(Message, frozen=True, tag="open.NumberSet"):
    """A number was set. `was` is unset if there was no such number."""

    entity: str
    name: str
    value: int
    was: int | UnsetType = UNSET


class NumberChanged(Message, frozen=True, tag="open.NumberChanged"):
    """Something was added to a number. `old` is 0 if there was no such number."""

    entity: str
    name: str
    old: int
    new: int
    reason: str


class BarSet(Message, frozen=True, tag="open.BarSet"):
    """A bar was set. `was` is its previous value, or unset if there was no such bar."""

    entity: str
    name: str
    now: int
    max: int
    was: int | UnsetType = UNSET


class BarChanged(Message, frozen=True, tag="open.BarChanged"):
    """A bar changed by `by` points.

    This can be less than the command asked for, because a bar stops at 0 and at its maximum.
    """

    entity: str
    name: str
    by: int
    now: int
    max: int


class ConditionSet(Message, frozen=True, tag="open.ConditionSet"):
    """A character got a condition, or the duration or note of its condition changed.

    If `rounds` and `minutes` are unset, the condition lasts until it is ended.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="open.ConditionTicked"):
    """Time passed for a condition, which now lasts for another `rounds` or `minutes`."""

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class ConditionEnded(Message, frozen=True, tag="open.ConditionEnded"):
    """A condition ended.

    `rounds` or `minutes` is the duration that was left, which is 0 if it ran out.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class RoundEnded(Message, frozen=True, tag="open.RoundEnded"):
    """A round ended. `round` is its number, or unset outside of initiative."""

    round: int | UnsetType = UNSET


class MinutesPassed(Message, frozen=True, tag="open.MinutesPassed"):
    minutes: int


class RollSaved(Message, frozen=True, tag="open.RollSaved"):
    entity: str
    name: str
    notation: str


class DiceRolled(Message, frozen=True, tag="open.DiceRolled"):
    """Dice were rolled by a seat, for a character if `entity` is set.

    `dice` lists the results of the dice in the order of the notation. `name` is the name of the
    saved roll, or the name that the command gave to its notation.
    """

    seat: str
    notation: str
    dice: tuple[DiceResult, ...]
    total: int
    high_is_lucky: bool
    entity: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class InitiativeRolled(Message, frozen=True, tag="open.InitiativeRolled"):
    entity: str
    notation: str
    dice: tuple[DiceResult, ...]
    total: int
    high_is_lucky: bool
    aim: str | UnsetType = UNSET


class InitiativeSet(Message, frozen=True, tag="open.InitiativeSet"):
    entity: str
    value: int


class TurnStarted(Message, frozen=True, tag="open.TurnStarted"):
    """A character's turn started. `starts_round` is True for the first turn of a round."""

    entity: str
    round: int
    starts_round: bool


class InitiativeEnded(Message, frozen=True, tag="open.InitiativeEnded"):
    """Initiative ended, so no character has a turn any more."""


class DeckCreated(Message, frozen=True, tag="open.DeckCreated"):
    deck: str
    name: str
    cards: tuple[str, ...]


class CardsDrawn(Message, frozen=True, tag="open.CardsDrawn"):
    """Cards were drawn by a seat, for a character if `entity` is set.

    `left` lists the cards that were left before the draw, in the order of the deck. `places` lists
    the indices of the drawn cards in the deck's list of all cards.
    """

    deck: str
    name: str
    seat: str
    left: tuple[str, ...]
    cards: tuple[str, ...]
    places: tuple[int, ...]
    entity: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class CardsDiscarded(Message, frozen=True, tag="open.CardsDiscarded"):
    deck: str
    name: str
    seat: str
    cards: tuple[str, ...]
    places: tuple[int, ...]


class CardsReturned(Message, frozen=True, tag="open.CardsReturned"):
    """Cards in play were put back into the deck, which now has `left` cards."""

    deck: str
    name: str
    seat: str
    cards: tuple[str, ...]
    places: tuple[int, ...]
    left: int


class Shuffled(Message, frozen=True, tag="open.Shuffled"):
    """A discard pile of `returned` cards was shuffled back into its deck.

    The deck now has `left` cards.
    """

    deck: str
    name: str
    seat: str
    returned: int
    left: int


class CounterSet(Message, frozen=True, tag="open.CounterSet"):
    """A counter was set. `was` is unset if there was no such counter."""

    name: str
    value: int
    was: int | UnsetType = UNSET


class NoteWritten(Message, frozen=True, tag="open.NoteWritten"):
    seat: str
    title: str
    text: str


Event = (
    CharacterCreated
    | Removed
    | NumberSet
    | NumberChanged
    | BarSet
    | BarChanged
    | ConditionSet
    | ConditionTicked
    | ConditionEnded
    | RoundEnded
    | MinutesPassed
    | RollSaved
    | DiceRolled
    | InitiativeRolled
    | InitiativeSet
    | TurnStarted
    | InitiativeEnded
    | DeckCreated
    | CardsDrawn
    | CardsDiscarded
    | CardsReturned
    | Shuffled
    | CounterSet
    | NoteWritten
)
