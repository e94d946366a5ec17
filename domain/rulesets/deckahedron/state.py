"""The table between events: the characters with their discards and attempts; and evolve, which only copies."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.deckahedron.messages.events import (
    Attempted,
    CardChosen,
    CardMoved,
    CharacterCreated,
    DifficultySet,
    Event,
    Flipped,
    Interpreted,
    Introduced,
    NumberFlipped,
    OutcomeTold,
    RanksAdjusted,
    RanksDistributed,
    Reshuffled,
    Retired,
    TurnEnded,
    TurnOpened,
    Withdrawn,
)
from domain.rulesets.deckahedron.rules import Difficulty, Options, Ranks, Stat
from domain.rulesets.deckahedron.rules.cards import Result


class Challenge(msgspec.Struct, frozen=True):
    """What the GM set before the flip."""

    stat: Stat
    rank: int
    difficulty: Difficulty


class Outcome(msgspec.Struct, frozen=True):
    """What was flipped; `card` resolves and shows `result`."""

    cards: tuple[str, ...]
    results: tuple[Result, ...]
    card: str
    result: Result


class OpenAttempt(msgspec.Struct, frozen=True):
    """An attempt until the GM's interpretation; `aim` is empty where the GM has called for it."""

    aim: str
    challenge: Challenge | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET


class Character(msgspec.Struct, frozen=True):
    """`discard` in the order of flipping; what is not in it is left in the deck, in an order that exists nowhere."""

    name: str
    seat: str
    ranks: Ranks
    distributed: bool = False
    background: str = ""
    motivation: str = ""
    skills: str = ""
    bonds: str = ""
    discard: tuple[str, ...] = ()
    attempt: OpenAttempt | UnsetType = UNSET
    turn_open: bool = False
    retired: bool = False


class State(msgspec.Struct, frozen=True):
    """JSON without null or float: snapshots and forks store it."""

    options: Options
    characters: dict[str, Character] = {}


def initial(options: Options) -> State:
    return State(options)


def evolve(state: State, event: Event) -> State:
    """The state after the event. Of a character that was never seen created, nothing is kept."""
    match event:
        case CharacterCreated():
            created = Character(event.name, event.seat, event.ranks)
            return replace(state, characters=state.characters | {event.entity: created})
        case _:
            return _of_one(state, event)


def _of_one(state: State, event: Event) -> State:
    """What happened to one character."""
    match event:
        case RanksDistributed():
            return _with(state, event.entity, ranks=event.ranks, distributed=True)
        case RanksAdjusted():
            return _with(state, event.entity, ranks=event.new)
        case Introduced():
            return _introduced(state, event)
        case Retired():
            return _with(state, event.entity, retired=True)
        case Attempted():
            return _with(state, event.entity, attempt=OpenAttempt(event.aim))
        case DifficultySet():
            return _challenged(state, event)
        case CardChosen():
            return _resolving(state, event)
        case OutcomeTold() | Withdrawn() | Interpreted():
            return _with(state, event.entity, attempt=UNSET)
        case TurnOpened():
            return _with(state, event.entity, turn_open=True)
        case TurnEnded():
            return _with(state, event.entity, turn_open=False)
        case _:
            return _of_deck(state, event)


def _of_deck(state: State, event: Event) -> State:
    """What happened to one character's cards."""
    match event:
        case Flipped():
            return _resolving(
                _with(state, event.entity, discard=event.discard + event.cards), event
            )
        case NumberFlipped():
            return _with(state, event.entity, discard=event.discard + event.cards)
        case Reshuffled():
            return _with(state, event.entity, discard=())
        case CardMoved():
            return _with(state, event.entity, discard=event.discard)
        case _:
            raise TypeError(event)


def _introduced(state: State, event: Introduced) -> State:
    said = {
        "background": event.background,
        "motivation": event.motivation,
        "skills": event.skills,
        "bonds": event.bonds,
    }
    return _with(
        state, event.entity, **{topic: text for topic, text in said.items() if text is not UNSET}
    )


def _challenged(state: State, event: DifficultySet) -> State:
    known = state.characters.get(event.entity)
    aim = "" if known is None or known.attempt is UNSET else known.attempt.aim
    challenge = Challenge(event.stat, event.rank, event.difficulty)
    return _with(state, event.entity, attempt=OpenAttempt(aim, challenge))


def _resolving(state: State, event: Flipped | CardChosen) -> State:
    """The open attempt, one step further; nothing where it was never seen."""
    known = state.characters.get(event.entity)
    if known is None or known.attempt is UNSET:
        return state
    attempt = known.attempt
    match event:
        case Flipped():
            attempt = OpenAttempt(
                attempt.aim,
                Challenge(event.stat, event.rank, event.difficulty),
                Outcome(event.cards, event.results, event.card, event.result),
            )
        case CardChosen() if attempt.outcome is not UNSET:
            attempt = replace(attempt, outcome=replace(attempt.outcome, card=event.card))
    return _with(state, event.entity, attempt=attempt)


Change = str | bool | Ranks | tuple[str, ...] | OpenAttempt | UnsetType


def _with(state: State, entity: str, **changes: Change) -> State:
    """The state with one character changed; unchanged where the character was never seen."""
    if entity not in state.characters:
        return state
    return replace(
        state, characters=state.characters | {entity: replace(state.characters[entity], **changes)}
    )
