"""Events: what happened, with its outcome. Plain values: a bound that changes must not make an old log unreadable."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.deckahedron.rules import Difficulty, Pile, Ranks, Shuffle, Stat
from domain.rulesets.deckahedron.rules.cards import DeckName, Number, Result


class CharacterCreated(Message, frozen=True, tag="deckahedron.CharacterCreated"):
    entity: str
    name: str
    seat: str
    ranks: Ranks


class RanksDistributed(Message, frozen=True, tag="deckahedron.RanksDistributed"):
    entity: str
    ranks: Ranks


class Introduced(Message, frozen=True, tag="deckahedron.Introduced"):
    """What is absent was not said now."""

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
    """`flips` cards will be flipped and the best or worst taken, on the edge of `rank`; opens what was not open."""

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
    """`discard` and `left` (the cards left by result on the edge, worst first) are from before; `card` resolves."""

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
    """Of the tied cards, `card` resolves instead of `old`."""

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
    """With so many cards left."""

    entity: str
    left: int


class Reshuffled(Message, frozen=True, tag="deckahedron.Reshuffled"):
    """`returned` cards went back to the `left` that were still in the deck, which is whole again."""

    entity: str
    why: Shuffle
    left: int
    returned: int


class NumberFlipped(Message, frozen=True, tag="deckahedron.NumberFlipped"):
    """`discard` is from before; `value` is what the last of the cards shows, the others are ignored."""

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
    """`discard` is the pile as it is now."""

    entity: str
    card: str
    old: Pile
    new: Pile
    discard: tuple[str, ...]
    reason: str


Character = CharacterCreated | RanksDistributed | Introduced | Retired
Resolution = (
    Attempted | DifficultySet | OutcomeTold | Withdrawn | Flipped | CardChosen | Interpreted
)
Upkeep = TurnOpened | TurnEnded | Reshuffled | NumberFlipped
Adjustment = RanksAdjusted | CardMoved
Event = Character | Resolution | Upkeep | Adjustment
