"""Deckahedron's state: characters, discard piles, attempts, conditions and counters."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import (
    MAX_WOUNDS,
    STAMINA,
    Difficulty,
    Options,
    Ranks,
    Result,
    Stat,
    key_of,
)


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

    `aim` is empty if the GM started the attempt and did not state it. `breather` is present, and
    True, after the character has taken a breather.
    """

    aim: str
    challenge: Challenge | UnsetType = UNSET
    outcome: FlipResult | UnsetType = UNSET
    breather: bool | UnsetType = UNSET


class Fatigue(msgspec.Struct, frozen=True):
    """A character's exhaustion pile, the oldest card first, and its harm and wound tokens."""

    exhausted: tuple[str, ...] = ()
    harm: int = 0
    wounds: int = 0


class Character(msgspec.Struct, frozen=True):
    """A character and the state of its deck.

    `discard` lists the discarded cards in the order in which they were flipped. All cards that are
    neither discarded nor exhausted are in the deck, which has no order. `npc` is present, and True,
    if the GM plays the character. `fatigue` is absent until it first changes.
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
    npc: bool | UnsetType = UNSET
    fatigue: Fatigue | UnsetType = UNSET

    @property
    def current_fatigue(self) -> Fatigue:
        """Return the fatigue, or an empty one if it is absent."""
        return Fatigue() if self.fatigue is UNSET else self.fatigue

    @property
    def exhausted(self) -> tuple[str, ...]:
        return self.current_fatigue.exhausted

    @property
    def gone(self) -> tuple[str, ...]:
        """Return the cards that are not in the deck."""
        return self.discard + self.exhausted

    @property
    def incapacitated(self) -> bool:
        return len(self.exhausted) >= STAMINA or self.current_fatigue.wounds > MAX_WOUNDS


class Condition(msgspec.Struct, frozen=True):
    """A condition of a character.

    If it has neither `rounds` nor `minutes`, it lasts until it is ended.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class Counter(msgspec.Struct, frozen=True):
    """A number that is counted for a character, such as arrows."""

    entity: str
    name: str
    value: int


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game state at one version of a session.

    Snapshots and forks store it as JSON without nulls or floats. The states in the logs of old
    forks have no `conditions`, `counters` and `edition`. They must be encoded to the same bytes
    again, so JSON omits these fields if they have their defaults. `characters` has no default,
    because those states always contain it.
    """

    options: Options
    characters: dict[str, Character]
    conditions: dict[str, Condition] = {}
    counters: dict[str, Counter] = {}
    edition: int = 1


Change = str | bool | Ranks | tuple[str, ...] | OpenAttempt | Fatigue | UnsetType


def initial(edition: int, options: Options) -> State:
    return State(options, {}, edition=edition)


def evolve(state: State, event: m.Event) -> State:
    """Return the state after the event.

    An event about an unknown character changes nothing, because the character may have been created
    in a sealed event.
    """
    match event:
        case m.CharacterCreated():
            created = Character(event.name, event.seat, event.ranks, npc=event.npc)
            return replace(state, characters=state.characters | {event.entity: created})
        case m.RanksDistributed():
            return _change_character(state, event.entity, ranks=event.ranks, distributed=True)
        case m.RanksAdjusted():
            return _change_character(state, event.entity, ranks=event.new)
        case m.Introduced():
            return _introduce(state, event)
        case m.Retired():
            return _retire(state, event.entity)
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
        case m.ConditionSet() | m.ConditionTicked() | m.ConditionEnded():
            return _evolve_condition(state, event)
        case m.CounterSet():
            return _set_counter(state, event)
        case m.CardMoved() | m.StaminaLost() | m.Injured() | m.BreatherTaken() | m.Recovered():
            return _evolve_fatigue(state, event)
        case _:
            raise TypeError(event)


def _introduce(state: State, event: m.Introduced) -> State:
    said = {
        "background": event.background,
        "motivation": event.motivation,
        "skills": event.skills,
        "bonds": event.bonds,
        "name": event.name,
    }
    return _change_character(
        state, event.entity, **{topic: text for topic, text in said.items() if text is not UNSET}
    )


def _retire(state: State, entity: str) -> State:
    """Return the state without the character's conditions and counters."""
    return replace(
        _change_character(state, entity, retired=True),
        conditions={key: of for key, of in state.conditions.items() if of.entity != entity},
        counters={key: of for key, of in state.counters.items() if of.entity != entity},
    )


def _set_challenge(state: State, event: m.DifficultySet) -> State:
    known = state.characters.get(event.entity)
    announced = "" if known is None or known.attempt is UNSET else known.attempt.aim
    aim = announced if event.aim is UNSET else event.aim
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
                attempt.aim if event.aim is UNSET else event.aim,
                Challenge(event.stat, event.rank, event.difficulty),
                FlipResult(event.cards, event.results, event.card, event.result),
            )
        case m.CardChosen() if attempt.outcome is not UNSET:
            attempt = replace(attempt, outcome=replace(attempt.outcome, card=event.card))
    return _change_character(state, event.entity, attempt=attempt)


def _evolve_condition(
    state: State, event: m.ConditionSet | m.ConditionTicked | m.ConditionEnded
) -> State:
    """Return the state after a condition changed.

    The state does not change if the character is unknown, or if an unknown condition ticks or ends.
    """
    key = key_of(event.entity, event.name)
    if event.entity not in state.characters:
        return state
    if isinstance(event, m.ConditionSet):
        known = Condition(event.entity, event.name, event.rounds, event.minutes, event.note)
        return replace(state, conditions=state.conditions | {key: known})
    if key not in state.conditions:
        return state
    if isinstance(event, m.ConditionTicked) and (event.rounds or event.minutes):
        known = replace(state.conditions[key], rounds=event.rounds, minutes=event.minutes)
        return replace(state, conditions=state.conditions | {key: known})
    others = {other: of for other, of in state.conditions.items() if other != key}
    return replace(state, conditions=others)


def _set_counter(state: State, event: m.CounterSet) -> State:
    key = key_of(event.entity, event.counter)
    if event.entity not in state.characters:
        return state
    others = {other: of for other, of in state.counters.items() if other != key}
    if event.value is UNSET:
        return replace(state, counters=others)
    counter = Counter(event.entity, event.counter, event.value)
    return replace(state, counters=others | {key: counter})


def _evolve_fatigue(
    state: State,
    event: m.CardMoved | m.StaminaLost | m.Injured | m.BreatherTaken | m.Recovered,
) -> State:
    """Return the state after cards moved between piles, or tokens were taken or removed."""
    if event.entity not in state.characters:
        return state
    known = state.characters[event.entity]
    discard, fatigue, attempt = known.discard, known.current_fatigue, known.attempt
    match event:
        case m.CardMoved():
            discard = event.discard
            if event.exhausted is UNSET:
                return _change_character(state, event.entity, discard=discard)
            fatigue = replace(fatigue, exhausted=event.exhausted)
        case m.StaminaLost():
            revealed = tuple(card for card in event.cards if card not in event.lost)
            discard = event.discard + revealed
            fatigue = replace(fatigue, exhausted=event.exhausted + event.lost)
        case m.Injured():
            fatigue = replace(fatigue, harm=event.harm, wounds=event.wounds)
        case m.BreatherTaken():
            discard, fatigue = event.discard, replace(fatigue, exhausted=event.exhausted)
            attempt = UNSET if attempt is UNSET else replace(attempt, breather=True)
        case m.Recovered():
            discard, fatigue = event.discard, Fatigue(event.exhausted, event.harm, event.wounds)
    return _change_character(state, event.entity, discard=discard, fatigue=fatigue, attempt=attempt)


def _change_character(state: State, entity: str, **changes: Change) -> State:
    if entity not in state.characters:
        return state
    return replace(
        state, characters=state.characters | {entity: replace(state.characters[entity], **changes)}
    )
