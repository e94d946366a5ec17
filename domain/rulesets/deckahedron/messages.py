"""Deckahedron's commands and events.

Commands are named in the imperative, events in the past tense. The limits in JSON schemas and forms
come from the types of the command fields.
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

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would allow a line break at the end
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lower-case letter, then lower-case letters, digits or hyphens",
    ),
]
EntityId = Annotated[
    str, Meta(pattern=ID, description="the character's id", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the character (default: your own seat)",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the character's name, shown to everyone",
    ),
]
Aim = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description='what the character tries to do, phrased to follow "attempts to"',
    ),
]
Text = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description="what happens in the story, in your own words",
    ),
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
        description="what the character is especially good at",
    ),
]
Bonds = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description="how the character knows the others, and what connects them",
    ),
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason to record in the log"),
]
Strength = Annotated[int, Meta(ge=0, le=POINTS, description="points for Strength, from 1 to 4")]
Dexterity = Annotated[int, Meta(ge=0, le=POINTS, description="points for Dexterity, from 1 to 4")]
Intelligence = Annotated[
    int, Meta(ge=0, le=POINTS, description="points for Intelligence, from 1 to 4")
]
CardNumber = Annotated[
    int, Meta(ge=1, le=CARDS, description="the number of the card, such as 7 for D07 or P07")
]


# Commands


class CreateCharacter(Message, frozen=True, tag="deckahedron.CreateCharacter"):
    """Create a player character with rank 2 in each stat and a full deck."""

    entity: NewEntityId
    name: Name
    seat: SeatId | UnsetType = UNSET


class DistributeRanks(Message, frozen=True, tag="deckahedron.DistributeRanks"):
    """Distribute 6 points among Strength, Dexterity and Intelligence.

    A stat that you leave out keeps its current rank, which is initially 2.
    """

    entity: EntityId
    strength: Strength | UnsetType = UNSET
    dexterity: Dexterity | UnsetType = UNSET
    intelligence: Intelligence | UnsetType = UNSET


class Introduce(Message, frozen=True, tag="deckahedron.Introduce"):
    """Describe the character's background, motivation, special skills or bonds with others."""

    entity: EntityId
    background: Background | UnsetType = UNSET
    motivation: Motivation | UnsetType = UNSET
    skills: Skills | UnsetType = UNSET
    bonds: Bonds | UnsetType = UNSET


class Retire(Message, frozen=True, tag="deckahedron.Retire"):
    """Remove a character from the story permanently."""

    entity: EntityId
    reason: Reason


class Attempt(Message, frozen=True, tag="deckahedron.Attempt"):
    """State what the character attempts, and wait for the GM's decision."""

    entity: EntityId
    aim: Aim


class SetDifficulty(Message, frozen=True, tag="deckahedron.SetDifficulty"):
    """Set the stat and the difficulty for an attempt before any card is flipped.

    If the player has not announced an attempt, this command starts one.
    """

    entity: EntityId
    stat: Annotated[Stat, Meta(description="the stat that governs the attempt")]
    difficulty: Annotated[Difficulty, Meta(description="the difficulty of the attempt")]


class TellOutcome(Message, frozen=True, tag="deckahedron.TellOutcome"):
    """State the outcome of an attempt that cannot fail.

    No card is flipped.
    """

    entity: EntityId
    text: Text


class Withdraw(Message, frozen=True, tag="deckahedron.Withdraw"):
    """Give up an attempt before any card is flipped."""

    entity: EntityId


class Flip(Message, frozen=True, tag="deckahedron.Flip"):
    """Flip as many cards as the difficulty requires, and read the edge for the stat's rank."""

    entity: EntityId


class Choose(Message, frozen=True, tag="deckahedron.Choose"):
    """Choose which of the tied cards resolves the attempt."""

    entity: EntityId
    card: CardNumber


class Interpret(Message, frozen=True, tag="deckahedron.Interpret"):
    """State what the result means in the story."""

    entity: EntityId
    text: Text


class OpenTurn(Message, frozen=True, tag="deckahedron.OpenTurn"):
    """Give a character a longer turn, which may include several attempts."""

    entity: EntityId


class EndTurn(Message, frozen=True, tag="deckahedron.EndTurn"):
    """End a character's longer turn.

    If 5 or fewer cards are left in the deck, the deck is reshuffled.
    """

    entity: EntityId


class Reshuffle(Message, frozen=True, tag="deckahedron.Reshuffle"):
    """Shuffle the discard pile back into the deck."""

    entity: EntityId


class FlipNumber(Message, frozen=True, tag="deckahedron.FlipNumber"):
    """Flip cards instead of rolling a d4, a d6 or both added together (2 to 10)."""

    entity: EntityId
    number: Annotated[Number, Meta(description="the die or dice that the cards replace")]


class AdjustRanks(Message, frozen=True, tag="deckahedron.AdjustRanks"):
    """Change a character's ranks.

    Stats that you leave out keep their ranks.
    """

    entity: EntityId
    reason: Reason
    strength: Strength | UnsetType = UNSET
    dexterity: Dexterity | UnsetType = UNSET
    intelligence: Intelligence | UnsetType = UNSET


class MoveCard(Message, frozen=True, tag="deckahedron.MoveCard"):
    """Correct a character's cards by moving one between the deck and the discard pile."""

    entity: EntityId
    card: CardNumber
    to: Annotated[Pile, Meta(description="the pile to move the card to")]
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


# Events: their fields have no bounds, so that old logs stay readable if a bound changes.


class CharacterCreated(Message, frozen=True, tag="deckahedron.CharacterCreated"):
    entity: str
    name: str
    seat: str
    ranks: Ranks


class RanksDistributed(Message, frozen=True, tag="deckahedron.RanksDistributed"):
    entity: str
    ranks: Ranks


class Introduced(Message, frozen=True, tag="deckahedron.Introduced"):
    """A character was introduced.

    Only the topics that the introduction covers are present.
    """

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
    """The GM set the stat and the difficulty for an attempt.

    This event starts the attempt if the player had not announced one. `flips` is the number of
    cards to flip. Their results are read on the edge for `rank`.
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
    """Cards were flipped for an attempt, and `card` resolves it.

    `discard` and `left` describe the piles before the flip. `left` counts the cards in the deck by
    their result on the edge for `rank`, worst result first.
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
    """The player chose `card` instead of the tied card `old` to resolve the attempt."""

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
    """A longer turn ended with `left` cards remaining in the deck."""

    entity: str
    left: int


class Reshuffled(Message, frozen=True, tag="deckahedron.Reshuffled"):
    """The discard pile was shuffled into the deck, which is now full.

    Before that, the deck had `left` cards and the discard pile had `returned` cards.
    """

    entity: str
    why: Shuffle
    left: int
    returned: int


class NumberFlipped(Message, frozen=True, tag="deckahedron.NumberFlipped"):
    """Cards were flipped until one showed a number.

    `discard` is the discard pile before the flip. The last card shows `value`, and the other cards
    show no number.
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
    """The GM moved a card between a character's deck and discard pile.

    `discard` is the discard pile after the move.
    """

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
