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
    HIGHEST,
    LOWEST,
    MAX_COUNT,
    MAX_MINUTES,
    MAX_ROUNDS,
    STAMINA,
    DeckName,
    Difficulty,
    Injury,
    Number,
    Pile,
    Ranks,
    Recovery,
    Result,
    Shuffle,
    StaminaMode,
    Stat,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would allow a line break at the end
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"
LINES = r"^[^\x00-\x08\x0b-\x1f\x7f]+(?<!\n)$(?!\n)"  # may have line breaks, but not at the end

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
        description='what the roll is for, such as "pick the lock"',
    ),
]
AttemptAim = Annotated[
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
        max_length=4000,
        pattern=LINES,
        description="what happens in the story, in your own words",
    ),
]
Background = Annotated[
    str,
    Meta(
        min_length=1, max_length=4000, pattern=LINES, description="where the character comes from"
    ),
]
Motivation = Annotated[
    str, Meta(min_length=1, max_length=4000, pattern=LINES, description="what the character wants")
]
Skills = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=LINES,
        description="what the character is especially good at",
    ),
]
Bonds = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=LINES,
        description="how the character knows the others, and what connects them",
    ),
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason to record in the log"),
]
Strength = Annotated[int, Meta(ge=LOWEST, le=HIGHEST, description="the rank in Strength")]
Dexterity = Annotated[int, Meta(ge=LOWEST, le=HIGHEST, description="the rank in Dexterity")]
Intelligence = Annotated[int, Meta(ge=LOWEST, le=HIGHEST, description="the rank in Intelligence")]
CardNumber = Annotated[
    int, Meta(ge=1, le=CARDS, description="the number of the card, such as 7 for D07 or P07")
]
ConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description='the name of the condition, such as "poisoned"',
    ),
]
HeldConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description="the name of one of the character's conditions",
        extra={"of": "condition"},
    ),
]
Rounds = Annotated[
    int, Meta(ge=1, le=MAX_ROUNDS, description="how many rounds it lasts (default: until ended)")
]
Minutes = Annotated[
    int, Meta(ge=1, le=MAX_MINUTES, description="how many minutes it lasts (default: until ended)")
]
Note = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what the condition does")
]
CounterName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description='what is counted, such as "arrows"',
    ),
]
Count = Annotated[
    int,
    Meta(
        ge=-MAX_COUNT,
        le=MAX_COUNT,
        description="the new number (default: stop counting it)",
    ),
]


# Commands


class CreateCharacter(Message, frozen=True, tag="deckahedron.CreateCharacter"):
    """Create a player character with rank 2 in each stat and a full deck."""

    entity: NewEntityId
    name: Name
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="deckahedron.CreateNpc"):
    """Create a non-player character (NPC) with a deck of its own, played by the GM."""

    entity: NewEntityId
    name: Name


class DistributeRanks(Message, frozen=True, tag="deckahedron.DistributeRanks"):
    """Distribute 6 points among Strength, Dexterity and Intelligence, from 1 to 4 each.

    A stat that you leave out keeps its current rank, which is initially 2.
    """

    entity: EntityId
    strength: Strength | UnsetType = UNSET
    dexterity: Dexterity | UnsetType = UNSET
    intelligence: Intelligence | UnsetType = UNSET


class Introduce(Message, frozen=True, tag="deckahedron.Introduce"):
    """Describe the character's background, motivation, special skills or bonds with others.

    A new name replaces the character's name.
    """

    entity: EntityId
    background: Background | UnsetType = UNSET
    motivation: Motivation | UnsetType = UNSET
    skills: Skills | UnsetType = UNSET
    bonds: Bonds | UnsetType = UNSET
    name: Name | UnsetType = UNSET


class Retire(Message, frozen=True, tag="deckahedron.Retire"):
    """Remove a character from the story permanently."""

    entity: EntityId
    reason: Reason


class Attempt(Message, frozen=True, tag="deckahedron.Attempt"):
    """State what the character attempts, and wait for the GM's decision."""

    entity: EntityId
    aim: AttemptAim


class SetDifficulty(Message, frozen=True, tag="deckahedron.SetDifficulty"):
    """Set the stat and the difficulty for an attempt before any card is flipped.

    If the player has not announced an attempt, this command starts one.
    """

    entity: EntityId
    stat: Annotated[Stat, Meta(description="the stat that governs the attempt")]
    difficulty: Annotated[Difficulty, Meta(description="the difficulty of the attempt")]
    aim: Aim | UnsetType = UNSET


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
    aim: Aim | UnsetType = UNSET


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
    aim: Aim | UnsetType = UNSET


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
    """Correct a character's cards by moving one to another pile."""

    entity: EntityId
    card: CardNumber
    to: Annotated[Pile, Meta(description="the pile to move the card to")]
    reason: Reason


class SetCondition(Message, frozen=True, tag="deckahedron.SetCondition"):
    """Give a character a condition for a number of rounds or minutes, or until it is ended.

    Setting a condition again replaces its duration and its note.
    """

    entity: EntityId
    name: ConditionName
    rounds: Rounds | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    note: Note | UnsetType = UNSET


class EndCondition(Message, frozen=True, tag="deckahedron.EndCondition"):
    """End one of a character's conditions."""

    entity: EntityId
    name: HeldConditionName
    reason: Reason


class EndRound(Message, frozen=True, tag="deckahedron.EndRound"):
    """End a round.

    Each condition that is counted in rounds becomes one round shorter.
    """


class PassMinutes(Message, frozen=True, tag="deckahedron.PassMinutes"):
    """Let time pass.

    Each condition that is counted in minutes becomes that many minutes shorter.
    """

    minutes: Annotated[
        int, Meta(ge=1, le=MAX_MINUTES, description="the number of minutes that pass")
    ]


class SetCounter(Message, frozen=True, tag="deckahedron.SetCounter"):
    """Count something for a character, such as arrows, coins or experience points."""

    entity: EntityId
    counter: CounterName
    value: Count | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET


class LoseStamina(Message, frozen=True, tag="deckahedron.LoseStamina"):
    """Move one card to the exhaustion pile for each point of stamina that the character loses."""

    entity: EntityId
    points: Annotated[
        int, Meta(ge=1, le=STAMINA, description="how much stamina the character loses")
    ]
    aim: Aim | UnsetType = UNSET


class TakeInjury(Message, frozen=True, tag="deckahedron.TakeInjury"):
    """Lose 1 stamina and take a harm or wound token.

    A character that already has 2 harm tokens takes a wound token instead of a third harm token.
    """

    entity: EntityId
    injury: Annotated[Injury, Meta(description="the token to take")]
    aim: Aim | UnsetType = UNSET


class TakeBreather(Message, frozen=True, tag="deckahedron.TakeBreather"):
    """Regain stamina after an attempt that uses Dexterity or Intelligence.

    After a success or an unconditional success, a d4 determines how much.
    """

    entity: EntityId
    aim: Aim | UnsetType = UNSET


class Recover(Message, frozen=True, tag="deckahedron.Recover"):
    """Rest, or heal for a day.

    A rest removes a harm token. A day of healing removes all harm tokens and a wound token. One
    card stays exhausted for each token that is left.
    """

    entity: EntityId
    recovery: Annotated[Recovery, Meta(description="a rest or a day of healing")]


Command = (
    CreateCharacter
    | CreateNpc
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
    | SetCondition
    | EndCondition
    | EndRound
    | PassMinutes
    | SetCounter
    | LoseStamina
    | TakeInjury
    | TakeBreather
    | Recover
)


# Events: their fields have no bounds, so that old logs stay readable if a bound changes. A field
# that was added later is absent by default, so that old events are encoded as before.


class CharacterCreated(Message, frozen=True, tag="deckahedron.CharacterCreated"):
    """A character came to the table. `npc` is present, and True, if the GM plays it."""

    entity: str
    name: str
    seat: str
    ranks: Ranks
    npc: bool | UnsetType = UNSET


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
    name: str | UnsetType = UNSET


class Retired(Message, frozen=True, tag="deckahedron.Retired"):
    entity: str
    reason: str


class Attempted(Message, frozen=True, tag="deckahedron.Attempted"):
    entity: str
    aim: str


class DifficultySet(Message, frozen=True, tag="deckahedron.DifficultySet"):
    """The GM set the stat and the difficulty for an attempt.

    This event starts the attempt if the player had not announced one. `flips` is the number of
    cards to flip. Their results are read on the edge for `rank`. If `aim` is present, it replaces
    the aim that the player announced.
    """

    entity: str
    stat: Stat
    rank: int
    difficulty: Difficulty
    flips: int
    aim: str | UnsetType = UNSET


class OutcomeTold(Message, frozen=True, tag="deckahedron.OutcomeTold"):
    entity: str
    text: str


class Withdrawn(Message, frozen=True, tag="deckahedron.Withdrawn"):
    entity: str


class Flipped(Message, frozen=True, tag="deckahedron.Flipped"):
    """Cards were flipped for an attempt, and `card` resolves it.

    `discard`, `exhausted` and `left` describe the piles before the flip. `left` counts the cards in
    the deck by their result on the edge for `rank`, worst result first. `exhausted` is absent if no
    card is exhausted.
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
    exhausted: tuple[str, ...] | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class CardChosen(Message, frozen=True, tag="deckahedron.CardChosen"):
    """A tied card, `card`, was chosen instead of `old` to resolve the attempt."""

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
    """The discard pile was shuffled into the deck, which now has all cards but the exhausted ones.

    Before that, the deck had `left` cards and the discard pile had `returned` cards.
    """

    entity: str
    why: Shuffle
    left: int
    returned: int


class NumberFlipped(Message, frozen=True, tag="deckahedron.NumberFlipped"):
    """Cards were flipped until one showed a number.

    `discard` and `exhausted` are the piles before the flip. `exhausted` is absent if no card is
    exhausted. The last card shows `value`, and the other cards show no number.
    """

    entity: str
    number: Number
    deck: DeckName
    discard: tuple[str, ...]
    cards: tuple[str, ...]
    value: int
    exhausted: tuple[str, ...] | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class RanksAdjusted(Message, frozen=True, tag="deckahedron.RanksAdjusted"):
    entity: str
    old: Ranks
    new: Ranks
    reason: str


class CardMoved(Message, frozen=True, tag="deckahedron.CardMoved"):
    """The GM moved a card from one of a character's piles to another.

    `discard` and `exhausted` are the piles after the move. `exhausted` is absent if the session
    does not count stamina.
    """

    entity: str
    card: str
    old: Pile
    new: Pile
    discard: tuple[str, ...]
    reason: str
    exhausted: tuple[str, ...] | UnsetType = UNSET


class ConditionSet(Message, frozen=True, tag="deckahedron.ConditionSet"):
    """A character got a condition, or one of its conditions changed.

    If both `rounds` and `minutes` are absent, the condition lasts until it is ended.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="deckahedron.ConditionTicked"):
    """Time passed, which shortened a condition.

    `rounds` or `minutes` is the remaining duration. If it is 0, the condition has ended.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class ConditionEnded(Message, frozen=True, tag="deckahedron.ConditionEnded"):
    """The GM ended a condition.

    `rounds` is the number of rounds that it had left. It is absent if the condition was not counted
    in rounds.
    """

    entity: str
    name: str
    reason: str
    rounds: int | UnsetType = UNSET


class CounterSet(Message, frozen=True, tag="deckahedron.CounterSet"):
    """A counter changed.

    `old` is absent if the counter is new, and `value` is absent if the counter was removed.
    """

    entity: str
    counter: str
    old: int | UnsetType = UNSET
    value: int | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class StaminaLost(Message, frozen=True, tag="deckahedron.StaminaLost"):
    """A character lost one point of stamina for each card in `lost`.

    `discard` and `exhausted` are the piles before the loss. Of the drawn `cards`, those in `lost`
    went to the exhaustion pile and the others to the discard pile.
    """

    entity: str
    mode: StaminaMode
    deck: DeckName
    discard: tuple[str, ...]
    exhausted: tuple[str, ...]
    cards: tuple[str, ...]
    lost: tuple[str, ...]
    aim: str | UnsetType = UNSET


class Injured(Message, frozen=True, tag="deckahedron.Injured"):
    """A character took a harm or wound token.

    `harm` and `wounds` are the numbers of such tokens that it now has.
    """

    entity: str
    injury: Injury
    harm: int
    wounds: int


class BreatherTaken(Message, frozen=True, tag="deckahedron.BreatherTaken"):
    """A character took a breather after an attempt.

    The `regained` cards went to the discard pile. `exhausted` and `discard` are the piles after the
    breather. `die` is the number rolled on the d4, if it was rolled.
    """

    entity: str
    result: Result
    regained: tuple[str, ...]
    exhausted: tuple[str, ...]
    discard: tuple[str, ...]
    die: int | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Recovered(Message, frozen=True, tag="deckahedron.Recovered"):
    """A character rested, or healed for a day.

    The `regained` cards went to the discard pile. `exhausted` and `discard` are the piles after the
    recovery. `harm` and `wounds` are the numbers of tokens left, and `harm_healed` and
    `wounds_healed` are the numbers of tokens removed.
    """

    entity: str
    recovery: Recovery
    regained: tuple[str, ...]
    exhausted: tuple[str, ...]
    discard: tuple[str, ...]
    harm: int
    wounds: int
    harm_healed: int
    wounds_healed: int


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
    | ConditionSet
    | ConditionTicked
    | ConditionEnded
    | CounterSet
    | StaminaLost
    | Injured
    | BreatherTaken
    | Recovered
)
