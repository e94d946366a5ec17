"""Commands: what a seat may wish. Their fields carry the bounds; schemas, forms and the CLI are derived from them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.deckahedron.rules import POINTS, Difficulty, Pile, Stat
from domain.rulesets.deckahedron.rules.cards import CARDS, Number

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


class CreateCharacter(Message, frozen=True, tag="deckahedron.CreateCharacter"):
    """Bring a player's character to the table, with rank 2 in each stat and a whole deck."""

    entity: NewEntityId
    name: Name
    seat: SeatId | UnsetType = UNSET


class DistributeRanks(Message, frozen=True, tag="deckahedron.DistributeRanks"):
    """Distribute the 6 points into Strength, Dexterity and Intelligence; a rank that is absent stays at 2."""

    entity: EntityId
    strength: Strength | UnsetType = UNSET
    dexterity: Dexterity | UnsetType = UNSET
    intelligence: Intelligence | UnsetType = UNSET


class Introduce(Message, frozen=True, tag="deckahedron.Introduce"):
    """Introduce the character: background, motivation, special skills, bonds with the others, or some of these."""

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
    """Say which stat governs an attempt and how difficult it is, before a card is flipped; or call for one thus."""

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


Character = CreateCharacter | DistributeRanks | Introduce | Retire
Resolution = Attempt | SetDifficulty | TellOutcome | Withdraw | Flip | Choose | Interpret
Upkeep = OpenTurn | EndTurn | Reshuffle | FlipNumber
Adjustment = AdjustRanks | MoveCard
Command = Character | Resolution | Upkeep | Adjustment
