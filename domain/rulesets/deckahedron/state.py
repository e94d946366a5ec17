"""Deckahedron's state: characters, discard piles and attempts."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import Difficulty, Options, Ranks, Result, Stat


class Challenge(msgspec.Struct, frozen=True):
    """The stat and the difficulty that the GM sets before cards are flipped."""

    stat: Stat
    rank: int
    difficulty: Difficulty


class FlipResult(msgspec.Struct, frozen=True):
    """The cards flipped for an attempt, and the card that resolves it.

    `result` is the result on `card`.
    """

    cards: tuple[str, ...]
    results: tuple[Result, ...]
    card: str
    result: Result


class OpenAttempt(msgspec.Struct, frozen=True):
    """An attempt that the GM has not interpreted yet.

    `aim` is empty if the GM started the attempt.
    """

    aim: str
    challenge: Challenge | UnsetType = UNSET
    outcome: FlipResult | UnsetType = UNSET


class Character(msgspec.Struct, frozen=True):
    """A character and the state of its deck.

    `discard` lists the discarded cards in the order in which they were flipped. All other cards are
    in the deck, which has no order.
    """

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
    """The game state at one version of a session.

    Snapshots and forks store it as JSON without nulls or floats.
    """

    options: Options
    characters: dict[str, Character] = {}


Change = str | bool | Ranks | tuple[str, ...] | OpenAttempt | UnsetType


def initial(options: Options) -> State:
    return State(options)


def evolve(state: State, event: m.Event) -> State:
    """Return the state after the event.

    An event about an unknown character changes nothing, because the character may have been created
    in a sealed event.
    """
    match event:
        case m.CharacterCreated():
            created = Character(event.name, event.seat, event.ranks)
            return replace(state, characters=state.characters | {event.entity: created})
        case m.RanksDistributed():
            return _change_character(state, event.entity, ranks=event.ranks, distributed=True)
        case m.RanksAdjusted():
            return _change_character(state, event.entity, ranks=event.new)
        case m.Introduced():
            return _introduce(state, event)
        case m.Retired():
            return _change_character(state, event.entity, retired=True)
        case m.Attempted():
            return _change_character(state, event.entity, attempt=OpenAttempt(event.aim))
        case m.DifficultySet():
            return _set_challenge(state, event)
        case m.CardChosen():
            return _resolve(state, event)
        case m.OutcomeTold() | m.Withdrawn() | m.Interpreted():
            return _change_character(state, event.entity, attempt=UNSET)
        case m.TurnOpened():
            return _change_character(state, event.entity, turn_open=True)
        case m.TurnEnded():
            return _change_character(state, event.entity, turn_open=False)
        case m.Flipped():
            return _resolve(
                _change_character(state, event.entity, discard=event.discard + event.cards), event
            )
        case m.NumberFlipped():
            return _change_character(state, event.entity, discard=event.discard + event.cards)
        case m.Reshuffled():
            return _change_character(state, event.entity, discard=())
        case m.CardMoved():
            return _change_character(state, event.entity, discard=event.discard)
        case _:
            raise TypeError(event)


def _introduce(state: State, event: m.Introduced) -> State:
    said = {
        "background": event.background,
        "motivation": event.motivation,
        "skills": event.skills,
        "bonds": event.bonds,
    }
    return _change_character(
        state, event.entity, **{topic: text for topic, text in said.items() if text is not UNSET}
    )


def _set_challenge(state: State, event: m.DifficultySet) -> State:
    known = state.characters.get(event.entity)
    aim = "" if known is None or known.attempt is UNSET else known.attempt.aim
    challenge = Challenge(event.stat, event.rank, event.difficulty)
    return _change_character(state, event.entity, attempt=OpenAttempt(aim, challenge))


def _resolve(state: State, event: m.Flipped | m.CardChosen) -> State:
    """Return the state with the outcome of the open attempt stored.

    The state does not change if the character or its attempt is unknown.
    """
    known = state.characters.get(event.entity)
    if known is None or known.attempt is UNSET:
        return state
    attempt = known.attempt
    match event:
        case m.Flipped():
            attempt = OpenAttempt(
                attempt.aim,
                Challenge(event.stat, event.rank, event.difficulty),
                FlipResult(event.cards, event.results, event.card, event.result),
            )
        case m.CardChosen() if attempt.outcome is not UNSET:
            attempt = replace(attempt, outcome=replace(attempt.outcome, card=event.card))
    return _change_character(state, event.entity, attempt=attempt)


def _change_character(state: State, entity: str, **changes: Change) -> State:
    if entity not in state.characters:
        return state
    return replace(
        state, characters=state.characters | {entity: replace(state.characters[entity], **changes)}
    )
