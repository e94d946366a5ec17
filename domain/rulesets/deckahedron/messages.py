"""Deckahedron's messages: commands (imperative), then events (past tense).

The fields of the commands carry their bounds. Schemas and forms are derived from them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.deckahedron.rules import (
    CARDS,
    POINTS,
    DeckName,
    Difficulty,
    Number,
    Pile,
    Ranks,
    Result,
    Shuffle,
    Stat,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # the end alone would let a last line break through
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[
    str, Meta(pattern=ID, description="the character's id", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the character; absent: your own",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name that everyone reads")
]
Aim = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description='what the character tries; it reads on after "to"',
    ),
]
Text = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what happens, in your words")
]
Background = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="where the character comes from"),
]
Motivation = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what the character wants")
]
Skills = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description="what the character is specially good at",
    ),
]
Bonds = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description="how it knows the others, and what binds them",
    ),
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]
Strength = Annotated[int, Meta(ge=0, le=POINTS, description="points for Strength, 1 to 4")]
Dexterity = Annotated[int, Meta(ge=0, le=POINTS, description="points for Dexterity, 1 to 4")]
Intelligence = Annotated[int, Meta(ge=0, le=POINTS, description="points for Intelligence, 1 to 4")]
CardNumber = Annotated[
    int, Meta(ge=1, le=CARDS, description="the number of the card: 7 for D07 or P07")
]


# Commands


class CreateCharacter(Message, frozen=True, tag="deckahedron.CreateCharacter"):
    """Bring a player's character to the table, with rank 2 in each stat and a whole deck."""

    entity: NewEntityId
    name: Name
    seat: SeatId | UnsetType = UNSET


class DistributeRanks(Message, frozen=True, tag="deckahedron.DistributeRanks"):
    """Distribute the 6 points into Strength, Dexterity and Intelligence.

    A rank that is absent stays at 2.
    """

    entity: EntityId
    strength: Strength | UnsetType = UNSET
    dexterity: Dexterity | UnsetType = UNSET
    intelligence: Intelligence | UnsetType = UNSET


class Introduce(Message, frozen=True, tag="deckahedron.Introduce"):
    """Introduce the character by background, motivation, special skills or bonds with others."""

    entity: EntityId
    background: Background | UnsetType = UNSET
    motivation: Motivation | UnsetType = UNSET
    skills: Skills | UnsetType = UNSET
    bonds: Bonds | UnsetType = UNSET


class Retire(Message, frozen=True, tag="deckahedron.Retire"):
    """Let a character leave the story for good."""

    entity: EntityId
    reason: Reason


class Attempt(Message, frozen=True, tag="deckahedron.Attempt"):
    """Say what the character attempts, and look to the GM."""

    entity: EntityId
    aim: Aim


class SetDifficulty(Message, frozen=True, tag="deckahedron.SetDifficulty"):
    """Say which stat governs an attempt and how difficult it is, before a card is flipped.

    The GM calls for an attempt in the same way.
    """

    entity: EntityId
    stat: Annotated[Stat, Meta(description="the stat that governs it")]
    difficulty: Annotated[
        Difficulty, Meta(description="how many cards are flipped, and which of them counts")
    ]


class TellOutcome(Message, frozen=True, tag="deckahedron.TellOutcome"):
    """Tell what comes of an attempt without a flip, where there is no chance of failure."""

    entity: EntityId
    text: Text


class Withdraw(Message, frozen=True, tag="deckahedron.Withdraw"):
    """Think better of an attempt before a card is flipped."""

    entity: EntityId


class Flip(Message, frozen=True, tag="deckahedron.Flip"):
    """Flip as many cards as the difficulty says and read the edge of the rank."""

    entity: EntityId


class Choose(Message, frozen=True, tag="deckahedron.Choose"):
    """Pick which of the tied cards resolves the attempt."""

    entity: EntityId
    card: CardNumber


class Interpret(Message, frozen=True, tag="deckahedron.Interpret"):
    """Say what the result comes to in the story."""

    entity: EntityId
    text: Text


class OpenTurn(Message, frozen=True, tag="deckahedron.OpenTurn"):
    """Give a character a turn that goes on over several attempts."""

    entity: EntityId


class EndTurn(Message, frozen=True, tag="deckahedron.EndTurn"):
    """End the longer turn: with 5 or fewer cards the player must reshuffle."""

    entity: EntityId


class Reshuffle(Message, frozen=True, tag="deckahedron.Reshuffle"):
    """Shuffle the discard pile back into the deck."""

    entity: EntityId


class FlipNumber(Message, frozen=True, tag="deckahedron.FlipNumber"):
    """Flip the deck in place of a die: a d4, a d6, or both together for 2 to 10."""

    entity: EntityId
    number: Annotated[Number, Meta(description="what the cards stand in for")]


class AdjustRanks(Message, frozen=True, tag="deckahedron.AdjustRanks"):
    """Set the ranks of a character anew; those that are absent stay as they are."""

    entity: EntityId
    reason: Reason
    strength: Strength | UnsetType = UNSET
    dexterity: Dexterity | UnsetType = UNSET
    intelligence: Intelligence | UnsetType = UNSET


class MoveCard(Message, frozen=True, tag="deckahedron.MoveCard"):
    """Put one card of a character's deck right, where the table and the log differ."""

    entity: EntityId
    card: CardNumber
    to: Annotated[Pile, Meta(description="where the card belongs")]
    reason: Reason


Command = (
    CreateCharacter
    | DistributeRanks
    | Introduce
    | Retire
    | Attempt
    | SetDifficulty
    | TellOutcome
    | Withdraw
    | Flip
    | Choose
    | Interpret
    | OpenTurn
    | EndTurn
    | Reshuffle
    | FlipNumber
    | AdjustRanks
    | MoveCard
)


# Events: plain values without bounds, so that a changed bound leaves old logs readable.


class CharacterCreated(Message, frozen=True, tag="deckahedron.CharacterCreated"):
    entity: str
    name: str
    seat: str
    ranks: Ranks


class RanksDistributed(Message, frozen=True, tag="deckahedron.RanksDistributed"):
    entity: str
    ranks: Ranks


class Introduced(Message, frozen=True, tag="deckahedron.Introduced"):
    """An introduction, or a part of one; other topics are absent."""

    entity: str
    background: str | UnsetType = UNSET
    motivation: str | UnsetType = UNSET
    skills: str | UnsetType = UNSET
    bonds: str | UnsetType = UNSET


class Retired(Message, frozen=True, tag="deckahedron.Retired"):
    entity: str
    reason: str


class Attempted(Message, frozen=True, tag="deckahedron.Attempted"):
    entity: str
    aim: str


class DifficultySet(Message, frozen=True, tag="deckahedron.DifficultySet"):
    """The GM set what an attempt is made on, or opened one.

    `flips` cards will be flipped and the best or worst taken, on the edge of `rank`.
    """

    entity: str
    stat: Stat
    rank: int
    difficulty: Difficulty
    flips: int


class OutcomeTold(Message, frozen=True, tag="deckahedron.OutcomeTold"):
    entity: str
    text: str


class Withdrawn(Message, frozen=True, tag="deckahedron.Withdrawn"):
    entity: str


class Flipped(Message, frozen=True, tag="deckahedron.Flipped"):
    """Cards were flipped; `card` resolves the attempt.

    `discard` and `left` are from before the flip. `left` counts the cards by result on the edge,
    worst first.
    """

    entity: str
    stat: Stat
    rank: int
    difficulty: Difficulty
    deck: DeckName
    discard: tuple[str, ...]
    left: tuple[int, int, int, int]
    cards: tuple[str, ...]
    results: tuple[Result, ...]
    card: str
    result: Result


class CardChosen(Message, frozen=True, tag="deckahedron.CardChosen"):
    """The player chose the tied `card` instead of `old` to resolve the attempt."""

    entity: str
    old: str
    card: str


class Interpreted(Message, frozen=True, tag="deckahedron.Interpreted"):
    entity: str
    result: Result
    text: str


class TurnOpened(Message, frozen=True, tag="deckahedron.TurnOpened"):
    entity: str


class TurnEnded(Message, frozen=True, tag="deckahedron.TurnEnded"):
    """A longer turn ended with `left` cards in the deck."""

    entity: str
    left: int


class Reshuffled(Message, frozen=True, tag="deckahedron.Reshuffled"):
    """The deck is whole again: `returned` cards joined the `left` that were in it."""

    entity: str
    why: Shuffle
    left: int
    returned: int


class NumberFlipped(Message, frozen=True, tag="deckahedron.NumberFlipped"):
    """Cards were flipped for a number.

    `discard` is from before the flip. `value` is on the last card; the others show no number.
    """

    entity: str
    number: Number
    deck: DeckName
    discard: tuple[str, ...]
    cards: tuple[str, ...]
    value: int


class RanksAdjusted(Message, frozen=True, tag="deckahedron.RanksAdjusted"):
    entity: str
    old: Ranks
    new: Ranks
    reason: str


class CardMoved(Message, frozen=True, tag="deckahedron.CardMoved"):
    """The GM moved a card; `discard` is the pile after the move."""

    entity: str
    card: str
    old: Pile
    new: Pile
    discard: tuple[str, ...]
    reason: str


Event = (
    CharacterCreated
    | RanksDistributed
    | Introduced
    | Retired
    | Attempted
    | DifficultySet
    | OutcomeTold
    | Withdrawn
    | Flipped
    | CardChosen
    | Interpreted
    | TurnOpened
    | TurnEnded
    | Reshuffled
    | NumberFlipped
    | RanksAdjusted
    | CardMoved
)
