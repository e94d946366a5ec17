"""The state of an open table: characters, the turn order, decks and counters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.open import messages as m
from domain.rulesets.open.rules import Being, Options, fold_words


class NamedNumber(msgspec.Struct, frozen=True):
    """A number on a sheet, or a counter that the whole table shares."""

    name: str
    value: int


class CharacterBar(msgspec.Struct, frozen=True):
    name: str
    now: int
    max: int


class Condition(msgspec.Struct, frozen=True):
    """A condition. If neither `rounds` nor `minutes` is set, it lasts until someone ends it."""

    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class SavedRoll(msgspec.Struct, frozen=True):
    name: str
    notation: str


class Character(msgspec.Struct, frozen=True):
    """A character. A removed character keeps its name, because texts in the log need it."""

    name: str
    being: Being
    seat: str
    numbers: tuple[NamedNumber, ...] = ()
    bars: tuple[CharacterBar, ...] = ()
    conditions: tuple[Condition, ...] = ()
    rolls: tuple[SavedRoll, ...] = ()
    removed: bool = False


class TurnPlace(msgspec.Struct, frozen=True):
    """A character's place in the turn order."""

    entity: str
    initiative: int


class CardInPlay(msgspec.Struct, frozen=True):
    """A drawn card, given by its index in the deck's list, and the seat that has it."""

    place: int
    seat: str


class Deck(msgspec.Struct, frozen=True):
    """A deck.

    The cards that are neither in play nor discarded are left to draw. They have no hidden order.
    `discard` lists the indices of the discarded cards in the list of all cards.
    """

    name: str
    cards: tuple[str, ...]
    in_play: tuple[CardInPlay, ...] = ()
    discard: tuple[int, ...] = ()

    @property
    def left(self) -> tuple[int, ...]:
        """Return the indices of the cards that are left, in the order of the list."""
        gone = {card.place for card in self.in_play}.union(self.discard)
        return tuple(place for place in range(len(self.cards)) if place not in gone)

    def names(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.cards[place] for place in places)


class State(msgspec.Struct, frozen=True):
    """The state of a session.

    `order` lists the characters in turn order. `changes` lists the new places that some of them
    take when the round ends. `at` is the character whose turn it is. Until the first turn starts,
    `round` is 0 and `at` is unset. Snapshots and forks store the state as JSON without nulls or
    floats.
    """

    options: Options
    characters: dict[str, Character] = {}
    order: tuple[TurnPlace, ...] = ()
    changes: tuple[TurnPlace, ...] = ()
    round: int = 0
    at: str | UnsetType = UNSET
    decks: dict[str, Deck] = {}
    counters: tuple[NamedNumber, ...] = ()


N = TypeVar("N", bound=NamedNumber | CharacterBar | Condition | SavedRoll)


def find(held: Iterable[N], name: str) -> N | None:
    """Return the item with this name, or None. Spacing and capitalization do not matter."""
    folded = fold_words(name)
    return next((each for each in held if fold_words(each.name) == folded), None)


def initial(options: Options) -> State:
    return State(options)


def evolve(state: State, event: m.Event) -> State:
    """Return the state after the event.

    An event about an unknown character or deck has no effect, because the event that created it may
    be sealed for the viewer.
    """
    match event:
        case m.CharacterCreated(entity, name, being, seat):
            created = {entity: Character(name, being, seat)}
            return replace(state, characters=state.characters | created)
        case m.Removed(entity):
            return _remove(state, entity)
        case m.NumberSet(entity, name, value) | m.NumberChanged(entity, name, new=value):
            return _put(state, entity, NamedNumber(name, value))
        case m.BarSet(entity, name, now, most) | m.BarChanged(entity, name, _, now, most):
            return _put(state, entity, CharacterBar(name, now, most))
        case m.ConditionSet(entity, name, rounds, minutes, note):
            return _put(state, entity, Condition(name, rounds, minutes, note))
        case m.ConditionTicked() | m.ConditionEnded():
            return _change_condition(state, event)
        case m.RollSaved(entity, name, notation):
            return _put(state, entity, SavedRoll(name, notation))
        case m.InitiativeRolled(entity, total=value) | m.InitiativeSet(entity, value):
            return _place(state, TurnPlace(entity, value))
        case m.TurnStarted(entity, number):
            return replace(state, at=entity, round=number)
        case m.InitiativeEnded():
            return replace(state, order=(), changes=(), round=0, at=UNSET)
        case m.RoundEnded():
            return _change_places(state)
        case m.DeckCreated(deck, name, cards):
            return replace(state, decks=state.decks | {deck: Deck(name, cards)})
        case m.CardsDrawn() | m.CardsDiscarded() | m.CardsReturned() | m.Shuffled():
            return _move_cards(state, event)
        case m.CounterSet(name, value):
            return replace(state, counters=_put_part(state.counters, NamedNumber(name, value)))
        case m.MinutesPassed() | m.DiceRolled() | m.NoteWritten():
            return state
        case _:
            raise TypeError(event)


def _remove(state: State, entity: str) -> State:
    if entity not in state.characters:
        return state
    character = state.characters[entity]
    removed = Character(character.name, character.being, character.seat, removed=True)
    return replace(
        state,
        characters=state.characters | {entity: removed},
        order=_other_places(state.order, entity),
        changes=_other_places(state.changes, entity),
        at=UNSET if state.at == entity else state.at,
    )


def _put(
    state: State, entity: str, part: NamedNumber | CharacterBar | Condition | SavedRoll
) -> State:
    """Return the state with the part added to the character's sheet.

    It replaces any part of the same kind with the same name.
    """
    if entity not in state.characters:
        return state
    character = state.characters[entity]
    match part:
        case NamedNumber():
            changed = replace(character, numbers=_put_part(character.numbers, part))
        case CharacterBar():
            changed = replace(character, bars=_put_part(character.bars, part))
        case Condition():
            changed = replace(character, conditions=_put_part(character.conditions, part))
        case SavedRoll():
            changed = replace(character, rolls=_put_part(character.rolls, part))
    return replace(state, characters=state.characters | {entity: changed})


def _put_part(parts: tuple[N, ...], new: N) -> tuple[N, ...]:
    """Return the parts with `new` in place of the part with the same name, or else at the end."""
    if all(each.name != new.name for each in parts):
        return (*parts, new)
    return tuple(new if each.name == new.name else each for each in parts)


def _change_condition(state: State, event: m.ConditionTicked | m.ConditionEnded) -> State:
    if event.entity not in state.characters:
        return state
    character = state.characters[event.entity]
    conditions: list[Condition] = []
    for held in character.conditions:
        if held.name != event.name:
            conditions.append(held)
        elif isinstance(event, m.ConditionTicked):
            conditions.append(replace(held, rounds=event.rounds, minutes=event.minutes))
    changed = replace(character, conditions=tuple(conditions))
    return replace(state, characters=state.characters | {event.entity: changed})


def _place(state: State, place: TurnPlace) -> State:
    """Return the state with a character placed in the turn order.

    A character that has a place in the current round keeps it until the round ends (RULES 9.1).
    """
    if place.entity not in state.characters:
        return state
    if state.round and any(each.entity == place.entity for each in state.order):
        return replace(state, changes=(*_other_places(state.changes, place.entity), place))
    return replace(state, order=_insert_place(state.order, place))


def _change_places(state: State) -> State:
    order = state.order
    for place in state.changes:
        order = _insert_place(order, place)
    return replace(state, order=order, changes=())


def _insert_place(order: tuple[TurnPlace, ...], place: TurnPlace) -> tuple[TurnPlace, ...]:
    """Return the order with a character placed after those with the same initiative."""
    others = _other_places(order, place.entity)
    before = [each for each in others if each.initiative >= place.initiative]
    return (*before, place, *others[len(before) :])


def _other_places(places: tuple[TurnPlace, ...], entity: str) -> tuple[TurnPlace, ...]:
    return tuple(place for place in places if place.entity != entity)


def _move_cards(
    state: State, event: m.CardsDrawn | m.CardsDiscarded | m.CardsReturned | m.Shuffled
) -> State:
    if event.deck not in state.decks:
        return state
    deck = state.decks[event.deck]
    match event:
        case m.CardsDrawn(seat=seat, places=places):
            drawn = tuple(CardInPlay(place, seat) for place in places)
            moved = replace(deck, in_play=(*deck.in_play, *drawn))
        case m.CardsDiscarded(places=places):
            discard = (*deck.discard, *places)
            moved = replace(deck, in_play=_other_cards(deck.in_play, places), discard=discard)
        case m.CardsReturned(places=places):
            moved = replace(deck, in_play=_other_cards(deck.in_play, places))
        case m.Shuffled():
            moved = replace(deck, discard=())
    return replace(state, decks=state.decks | {event.deck: moved})


def _other_cards(cards: tuple[CardInPlay, ...], places: tuple[int, ...]) -> tuple[CardInPlay, ...]:
    return tuple(card for card in cards if card.place not in places)
