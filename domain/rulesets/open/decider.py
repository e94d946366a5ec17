"""The decider of the open ruleset. Its functions follow the order of RULES.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain.chance import Chance, draw_card
from domain.decider import By, Refused, Role
from domain.rulesets.open import messages as m, rules
from domain.rulesets.open.dice import roll
from domain.rulesets.open.notation import Expression, NotationError, parse
from domain.rulesets.open.rules import MAX_VALUE, THE_TABLE, Being
from domain.rulesets.open.state import (
    CardInPlay,
    Character,
    CharacterBar,
    Condition,
    Deck,
    NamedNumber,
    State,
    evolve,
    find,
)
from domain.text import is_blank


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that result from the command.

    Raises Refused, before any value is drawn, if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    _require_texts(command)
    match command:
        case m.Roll():
            return _roll(state, command, by, chance)
        case m.SaveRoll():
            return _save_roll(state, command, by)
        case m.RollInitiative():
            return _roll_initiative(state, command, by, chance)
        case m.SetInitiative():
            return _set_initiative(state, command, by)
        case m.NextTurn():
            return _next_turn(state, by)
        case m.EndInitiative():
            return _end_initiative(state, by)
        case m.CreateDeck():
            return _create_deck(state, command, by)
        case m.DrawCards():
            return _draw_cards(state, command, by, chance)
        case m.Discard():
            return _discard(state, command, by)
        case m.ReturnCards():
            return _return_cards(state, command, by)
        case m.Shuffle():
            return _shuffle(state, command, by)
        case m.SetCounter():
            return _set_counter(state, command, by)
        case m.AddToCounter():
            return _add_to_counter(state, command, by)
        case m.Note():
            return (m.NoteWritten(by.seat, command.title, command.text),)
        case _:
            return _decide_about_character(state, command, by)


def _decide_about_character(state: State, command: m.Command, by: By) -> tuple[m.Event, ...]:
    """Return the events of a command about characters, their sheets and their conditions."""
    match command:
        case m.CreateCharacter():
            return _create_character(state, command, by)
        case m.Remove():
            return _remove(state, command, by)
        case m.SetNumber():
            return _set_number(state, command, by)
        case m.AddToNumber():
            return _add_to_number(state, command, by)
        case m.SetBar():
            return _set_bar(state, command, by)
        case m.ChangeBar():
            return _change_bar(state, command, by)
        case m.SetCondition():
            return _set_condition(state, command, by)
        case m.EndCondition():
            return _end_condition(state, command, by)
        case m.EndRound():
            return _end_round(state, by)
        case m.PassMinutes():
            return _pass_minutes(state, command, by)
        case _:
            raise TypeError(command)


# RULES 1: characters


def _create_character(state: State, command: m.CreateCharacter, by: By) -> tuple[m.Event, ...]:
    seat = by.seat if command.seat is UNSET else command.seat
    if not by.is_gm and seat != by.seat:
        raise Refused("not-yours", entity=command.name, seat=seat)
    _require_new_id(state, command.entity)
    if len(state.characters) >= rules.MAX_CHARACTERS:
        raise Refused("too-many-characters", most=rules.MAX_CHARACTERS)
    being = Being.NPC if by.is_gm and command.seat is UNSET else Being.PC
    return (m.CharacterCreated(command.entity, command.name, being, seat),)


def _remove(state: State, command: m.Remove, by: By) -> tuple[m.Event, ...]:
    """Return the events that remove a character.

    If it was the character's turn, the next turn starts, or the initiative ends if no one is left.
    """
    _find_own(state, command.entity, by)
    removed = m.Removed(command.entity)
    if state.at != command.entity:
        return (removed,)
    after = evolve(state, removed)
    if not after.order:
        return removed, m.InitiativeEnded()
    return removed, *_start_turn(after, _entities_in_order(state).index(command.entity))


# RULES 6: rolls


def _roll(state: State, command: m.Roll, by: By, chance: Chance) -> tuple[m.Event, ...]:
    if command.entity is not UNSET:
        _find_own(state, command.entity, by)
    notation, name = named_notation(state, command)
    result = roll(_parse(notation), chance)
    return (
        m.DiceRolled(
            seat=by.seat,
            notation=notation,
            dice=result.dice,
            total=result.total,
            high_is_lucky=state.options.high_is_lucky,
            entity=command.entity,
            name=name,
            aim=command.aim,
        ),
    )


def named_notation(state: State, command: m.Roll) -> tuple[str, str | UnsetType]:
    """Return the notation to roll, and the name of the roll if it has one.

    If the command has no notation, return the notation and the name of the saved roll. Raises
    Refused if there is no such saved roll.
    """
    if command.notation is not UNSET:
        return command.notation, command.name
    if command.name is UNSET:
        raise Refused("no-notation")
    if command.entity is UNSET:
        raise Refused("whose-roll", name=command.name)
    saved = find(state.characters[command.entity].rolls, command.name)
    if saved is None:
        raise Refused("no-such-roll", entity=command.entity, name=command.name)
    return saved.notation, saved.name


def _save_roll(state: State, command: m.SaveRoll, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    _parse(command.notation)
    held = find(character.rolls, command.name)
    if held is None:
        if len(character.rolls) >= rules.MAX_SAVED_ROLLS:
            raise Refused("too-many-rolls", entity=command.entity, most=rules.MAX_SAVED_ROLLS)
        return (m.RollSaved(command.entity, command.name, command.notation),)
    if held.notation == command.notation:
        raise Refused("nothing-changes", name=held.name)
    return (m.RollSaved(command.entity, held.name, command.notation),)


def _parse(notation: str) -> Expression:
    try:
        return parse(notation)
    except NotationError as wrong:
        raise Refused(
            "bad-notation", notation=notation, position=wrong.position, reason=wrong.reason
        ) from None


# RULES 7: numbers and bars


def _set_number(state: State, command: m.SetNumber, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    held = _find_number(command.entity, character, command.name)
    if held is None:
        return (m.NumberSet(command.entity, command.name, command.value),)
    if held.value == command.value:
        raise Refused("nothing-changes", name=held.name)
    return (m.NumberSet(command.entity, held.name, command.value, held.value),)


def _add_to_number(state: State, command: m.AddToNumber, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    held = _find_number(command.entity, character, command.name)
    name, old = (command.name, 0) if held is None else (held.name, held.value)
    new = _add(command.entity, name, old, command.by)
    return (m.NumberChanged(command.entity, name, old, new, command.reason),)


def _find_number(entity: str, character: Character, name: str) -> NamedNumber | None:
    """Return a number on the sheet, or None if the sheet has none with this name.

    Raises Refused if the sheet has no space for another number.
    """
    held = find(character.numbers, name)
    if held is None and len(character.numbers) >= rules.MAX_NUMBERS:
        raise Refused("too-many-numbers", entity=entity, most=rules.MAX_NUMBERS)
    return held


def _add(owner: str, name: str, old: int, by: int) -> int:
    """Return the sum. Raises Refused if nothing is added, or if the sum is too large."""
    new = old + by
    if new == old:
        raise Refused("nothing-changes", name=name)
    if abs(new) > MAX_VALUE:
        raise Refused("number-too-large", entity=owner, name=name, value=new, most=MAX_VALUE)
    return new


def _set_bar(state: State, command: m.SetBar, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    if command.now > command.max:
        raise Refused("over-max", name=command.name, now=command.now, max=command.max)
    held = find(character.bars, command.name)
    if held is None:
        if len(character.bars) >= rules.MAX_BARS:
            raise Refused("too-many-bars", entity=command.entity, most=rules.MAX_BARS)
        return (m.BarSet(command.entity, command.name, command.now, command.max),)
    if (held.now, held.max) == (command.now, command.max):
        raise Refused("nothing-changes", name=held.name)
    return (m.BarSet(command.entity, held.name, command.now, command.max, held.now),)


def _change_bar(state: State, command: m.ChangeBar, by: By) -> tuple[m.Event, ...]:
    """Return the event for a change to a bar.

    The bar stays between 0 and its maximum, so the actual change may be 0.
    """
    bar = _find_bar(command.entity, _find_own(state, command.entity, by), command.name)
    if not command.by:
        raise Refused("nothing-changes", name=bar.name)
    now = max(0, min(bar.max, bar.now + command.by))
    return (m.BarChanged(command.entity, bar.name, now - bar.now, now, bar.max),)


def _find_bar(entity: str, character: Character, name: str) -> CharacterBar:
    bar = find(character.bars, name)
    if bar is None:
        raise Refused("no-such-bar", entity=entity, name=name)
    return bar


# RULES 8: conditions and time


def _set_condition(state: State, command: m.SetCondition, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    if command.rounds is not UNSET and command.minutes is not UNSET:
        raise Refused("one-duration", rounds=command.rounds, minutes=command.minutes)
    held = find(character.conditions, command.name)
    if held is None and len(character.conditions) >= rules.MAX_CONDITIONS:
        raise Refused("too-many-conditions", entity=command.entity, most=rules.MAX_CONDITIONS)
    name = command.name if held is None else held.name
    if held == Condition(name, command.rounds, command.minutes, command.note):
        raise Refused("nothing-changes", name=name)
    entity = command.entity
    return (m.ConditionSet(entity, name, command.rounds, command.minutes, command.note),)


def _end_condition(state: State, command: m.EndCondition, by: By) -> tuple[m.Event, ...]:
    held = find(_find_own(state, command.entity, by).conditions, command.name)
    if held is None:
        raise Refused("no-such-condition", entity=command.entity, condition=command.name)
    return (m.ConditionEnded(command.entity, held.name, held.rounds, held.minutes),)


def _end_round(state: State, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    if state.round:
        raise Refused("initiative-runs", round=state.round)
    return m.RoundEnded(), *_tick_rounds(state)


def _pass_minutes(state: State, command: m.PassMinutes, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    ticks: tuple[m.Event, ...] = tuple(
        m.ConditionTicked(entity, held.name, minutes=held.minutes - command.minutes)
        if held.minutes > command.minutes
        else m.ConditionEnded(entity, held.name, minutes=0)
        for entity, held in _conditions(state)
        if held.minutes is not UNSET
    )
    return m.MinutesPassed(command.minutes), *ticks


def _tick_rounds(state: State) -> tuple[m.Event, ...]:
    return tuple(
        m.ConditionTicked(entity, held.name, held.rounds - 1)
        if held.rounds > 1
        else m.ConditionEnded(entity, held.name, 0)
        for entity, held in _conditions(state)
        if held.rounds is not UNSET
    )


def _conditions(state: State) -> Iterator[tuple[str, Condition]]:
    """Yield all conditions, sorted by character.

    They are sorted because the characters of a restored state are in a different order.
    """
    for entity, character in sorted(state.characters.items()):
        for held in character.conditions:
            yield entity, held


# RULES 9: initiative


def _roll_initiative(
    state: State, command: m.RollInitiative, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    _find_own(state, command.entity, by)
    result = roll(_parse(command.notation), chance)
    return (
        m.InitiativeRolled(
            command.entity,
            command.notation,
            result.dice,
            result.total,
            state.options.high_is_lucky,
            command.aim,
        ),
    )


def _set_initiative(state: State, command: m.SetInitiative, by: By) -> tuple[m.Event, ...]:
    _find_own(state, command.entity, by)
    return (m.InitiativeSet(command.entity, command.value),)


def _next_turn(state: State, by: By) -> tuple[m.Event, ...]:
    """Return the events that end a turn and start the next one, or that start the first one."""
    _require_order(state)
    entities = _entities_in_order(state)
    # In a seat's partial view, the character whose turn it is can be missing from the order.
    if state.at is UNSET or state.at not in entities:
        _find_own(state, entities[0], by)
        return (m.TurnStarted(entities[0], state.round + 1, True),)
    _find_own(state, state.at, by)
    return _start_turn(state, entities.index(state.at) + 1)


def _start_turn(state: State, nth: int) -> tuple[m.Event, ...]:
    """Return the events that start the turn at index `nth` of the turn order.

    After the last character, the round ends and the first turn of the next round starts.
    """
    entities = _entities_in_order(state)
    if nth < len(entities):
        return (m.TurnStarted(entities[nth], state.round, False),)
    ended = m.RoundEnded(state.round)
    first = _entities_in_order(evolve(state, ended))[0]  # in the updated order (RULES 9.1)
    return ended, *_tick_rounds(state), m.TurnStarted(first, state.round + 1, True)


def _end_initiative(state: State, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _require_order(state)
    return (m.InitiativeEnded(),)


def _require_order(state: State) -> None:
    if not state.order:
        raise Refused("no-initiative")


def _entities_in_order(state: State) -> Sequence[str]:
    return [place.entity for place in state.order]


# RULES 10: decks


def _create_deck(state: State, command: m.CreateDeck, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _require_new_id(state, command.deck)
    if len(state.decks) >= rules.MAX_DECKS:
        raise Refused("too-many-decks", most=rules.MAX_DECKS)
    return (m.DeckCreated(command.deck, command.name, command.cards),)


def _draw_cards(state: State, command: m.DrawCards, by: By, chance: Chance) -> tuple[m.Event, ...]:
    deck = _find_deck(state, command.deck)
    seat = by.seat if command.entity is UNSET else _find_own(state, command.entity, by).seat
    left = list(deck.left)
    if command.number > len(left):
        raise Refused("too-few-cards", deck=deck.name, number=command.number, left=len(left))
    names = deck.names(left)
    places = tuple(_draw_card(deck, left, chance) for _ in range(command.number))
    return (
        m.CardsDrawn(
            deck=command.deck,
            name=deck.name,
            seat=seat,
            left=names,
            cards=deck.names(places),
            places=places,
            entity=command.entity,
            aim=command.aim,
        ),
    )


def _draw_card(deck: Deck, left: list[int], chance: Chance) -> int:
    """Draw one of the cards that are left, remove it from `left`, and return its index."""
    place = draw_card(chance, len(deck.cards), [place + 1 for place in left]) - 1
    left.remove(place)
    return place


def _discard(state: State, command: m.Discard, by: By) -> tuple[m.Event, ...]:
    deck = _find_deck(state, command.deck)
    places = _find_cards_in_play(deck, command.cards, by)
    return (m.CardsDiscarded(command.deck, deck.name, by.seat, command.cards, places),)


def _return_cards(state: State, command: m.ReturnCards, by: By) -> tuple[m.Event, ...]:
    deck = _find_deck(state, command.deck)
    places = _find_cards_in_play(deck, command.cards, by)
    left = len(deck.left) + len(places)
    return (m.CardsReturned(command.deck, deck.name, by.seat, command.cards, places, left),)


def _shuffle(state: State, command: m.Shuffle, by: By) -> tuple[m.Event, ...]:
    deck = _find_deck(state, command.deck)
    returned = len(deck.discard)
    return (m.Shuffled(command.deck, deck.name, by.seat, returned, len(deck.left) + returned),)


def _find_deck(state: State, deck: str) -> Deck:
    if deck not in state.decks:
        raise Refused("no-such-deck", deck=deck)
    return state.decks[deck]


def _find_cards_in_play(deck: Deck, cards: Sequence[str], by: By) -> tuple[int, ...]:
    """Return the indices of the named cards.

    Raises Refused if a card is not in play, or if another seat has it. The GM may move all cards.
    """
    in_play = list(deck.in_play)
    places: list[int] = []
    for name in cards:
        named = [card for card in in_play if deck.cards[card.place] == name]
        if not named:
            raise Refused("card-not-in-play", card=name, deck=deck.name)
        card = _find_own_card(named, by)
        if card is None:
            raise Refused("not-your-card", card=name, seat=named[0].seat)
        in_play.remove(card)
        places.append(card.place)
    return tuple(places)


def _find_own_card(named: Sequence[CardInPlay], by: By) -> CardInPlay | None:
    return next((card for card in named if by.is_gm or card.seat == by.seat), None)


# RULES 11: counters


def _set_counter(state: State, command: m.SetCounter, by: By) -> tuple[m.Event, ...]:
    held = _find_counter(state, command.name, by)
    if held is None:
        return (m.CounterSet(command.name, command.value),)
    if held.value == command.value:
        raise Refused("nothing-changes", name=held.name)
    return (m.CounterSet(held.name, command.value, held.value),)


def _add_to_counter(state: State, command: m.AddToCounter, by: By) -> tuple[m.Event, ...]:
    held = _find_counter(state, command.name, by)
    if held is None:
        return (m.CounterSet(command.name, _add(THE_TABLE, command.name, 0, command.by)),)
    new = _add(THE_TABLE, held.name, held.value, command.by)
    return (m.CounterSet(held.name, new, held.value),)


def _find_counter(state: State, name: str, by: By) -> NamedNumber | None:
    """Return the shared counter with this name, or None if there is none.

    Raises Refused if the seat is not the GM's, or if the table has no space for another counter.
    """
    by.require_gm()
    held = find(state.counters, name)
    if held is None and len(state.counters) >= rules.MAX_COUNTERS:
        raise Refused("too-many-counters", most=rules.MAX_COUNTERS)
    return held


# Preconditions


def _require_texts(command: m.Command) -> None:
    """Raise Refused if a text in the command has no visible character."""
    for field, value in asdict(command).items():
        texts = value if isinstance(value, tuple) else (value,)
        if any(isinstance(text, str) and is_blank(text) for text in texts):
            raise Refused("blank-text", field=field)


def _require_new_id(state: State, id_: str) -> None:
    if id_ in state.characters or id_ in state.decks:
        raise Refused("id-taken", entity=id_)


def _find_own(state: State, entity: str, by: By) -> Character:
    """Return the character, or raise Refused if the sender may not act for it.

    Players may act only for PCs of their own seat. The GM may act for all characters.
    """
    if entity not in state.characters:
        raise Refused("no-such-entity", entity=entity)
    character = state.characters[entity]
    if not by.is_gm and (character.being is not Being.PC or character.seat != by.seat):
        raise Refused("not-yours", entity=entity, seat=character.seat)
    if character.removed:
        raise Refused("removed", entity=entity)
    return character
