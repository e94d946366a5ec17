"""Presentation of the open ruleset: table, event descriptions and statistics."""

from __future__ import annotations

from functools import lru_cache

from msgspec import UNSET, UnsetType

from domain import table
from domain.differences import Wording, plain_status
from domain.rulesets.open import messages as m
from domain.rulesets.open.controls import SLOTS, bar_kind
from domain.rulesets.open.dice import DiceResult
from domain.rulesets.open.notation import Dice, dice_of, parse
from domain.rulesets.open.odds import distribution
from domain.rulesets.open.roll_text import describe_roll, join
from domain.rulesets.open.rules import THE_TABLE, Being
from domain.rulesets.open.state import Character, Condition, Deck, State
from domain.tally import (
    MAX_WAYS,
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
)

CARDS_LEFT = "cards left"
INITIATIVE = "initiative"
FUDGE_FACES = ("-1", "0", "1")
MAX_OUTCOMES = 400
"""The largest number of outcomes that the statistics store for one roll."""
MAX_STEPS = 1_000_000
"""The budget for the odds of a roll in statistics, at most a quarter of a second for a notation.

It is enough for every notation with few dice, whose odds can be stored.
"""


def show(state: State) -> table.Table:
    """Return the table: characters, bars, conditions, turn order, decks and counters."""
    characters = sorted(state.characters.items(), key=lambda row: row[1].removed)
    bars = {
        f"{entity}.{bar.name}": table.Pool(
            entity,
            bar.name,
            bar.now,
            bar.max,
            bar_kind(bar.name),
            SLOTS in bar.name.casefold(),
        )
        for entity, character in characters
        for bar in character.bars
    }
    counters = {
        f"{THE_TABLE}.{counter.name}": table.Pool(THE_TABLE, counter.name, counter.value)
        for counter in state.counters
    }
    return table.Table(
        entities={entity: _entity(state, entity, character) for entity, character in characters},
        pools=bars | counters,
        decks={id_: _deck(deck) for id_, deck in state.decks.items()},
        conditions={
            f"{entity}.{held.name}": _condition(entity, held)
            for entity, character in characters
            for held in character.conditions
        },
        order=_order(state),
        tasks=_tasks(state),
    )


def _entity(state: State, entity: str, character: Character) -> table.Entity:
    """Return the character. A name on its sheet can belong to a number, a saved roll or both."""
    sheet = {number.name: str(number.value) for number in character.numbers}
    for saved in character.rolls:
        number = f"{sheet[saved.name]}, " if saved.name in sheet else ""
        sheet[saved.name] = f"{number}roll {saved.notation}"
    status = "removed" if character.removed else _initiative(state, entity) or "ok"
    summary = " · ".join(f"{number.name} {number.value}" for number in character.numbers)
    return table.Entity(
        character.name,
        character.seat,
        character.being,
        status,
        sheet,
        summary,
        rolls={saved.name: saved.notation for saved in character.rolls},
    )


def _status_words(status: str) -> str:
    return f"has {status}" if status.startswith(INITIATIVE) else plain_status(status)


def _entry_words(name: str, value: str) -> str:
    return f"the roll {name}" if value.startswith("roll ") else name


WORDING = Wording(status=_status_words, entry=_entry_words)


def _initiative(state: State, entity: str) -> str:
    """Return the initiative and any change for the next round, or "" if there is neither."""
    words = [f"{INITIATIVE} {place.initiative}" for place in state.order if place.entity == entity]
    changes = [place.initiative for place in state.changes if place.entity == entity]
    return ", ".join([*words, *(f"{number} from the next round on" for number in changes)])


def _deck(deck: Deck) -> table.Deck:
    in_play = deck.names([card.place for card in deck.in_play])
    return table.Deck(len(deck.left), in_play, deck.names(deck.discard))


def _condition(entity: str, held: Condition) -> table.Condition:
    return table.Condition(entity, held.name, held.rounds, held.minutes, held.note)


def _order(state: State) -> dict[str, table.Order]:
    ids = tuple(place.entity for place in state.order)
    return {INITIATIVE: table.Order(ids, state.at)} if ids else {}


def _tasks(state: State) -> dict[str, table.Task]:
    """Return the task to end the current turn, or to start the first one."""
    if not state.order:
        return {}
    entity = state.order[0].entity if state.at is UNSET else state.at
    seat = state.characters[entity].seat if entity in state.characters else ""
    if state.at is UNSET:
        return {"turn": table.Task(seat, "turn", "start the first turn", {"entity": entity})}
    sheet = {"entity": entity, "round": str(state.round)}
    return {"turn": table.Task(seat, "turn", "end the turn", sheet)}


def describe(event: m.Event) -> str:
    """Describe the event in one sentence, with ids in braces, such as `{ana}`."""
    match event:
        case m.CharacterCreated(entity, _, being):
            article = "an" if being is Being.NPC else "a"
            return f"{_name(entity)} joins the game as {article} {being}."
        case m.Removed(entity):
            return f"{_name(entity)} leaves the game."
        case m.NumberSet(entity, name, value, was):
            if was is UNSET:
                verb = "are" if _is_plural(name) else "is"
                return f"{_name(entity)}'s {name} {verb} {value}."
            return f"{_name(entity)}'s {name} {_change(was, value, plural=_is_plural(name))}."
        case m.NumberChanged(entity, name, old, new, reason):
            change = _change(old, new, plural=_is_plural(name))
            return f"{_name(entity)}'s {name} {change} ({reason})."
        case m.BarSet(entity, name, now, most):
            return f"{_name(entity)} has {now} of {most} {name}."
        case m.BarChanged():
            return _describe_bar(event)
        case m.RollSaved(entity, name, notation):
            return f"From now on, {_name(entity)} rolls {notation} for {_quote(name)}."
        case m.DiceRolled(seat, notation, dice, total):
            what = notation if event.name is UNSET else f"{_quote(event.name)} ({notation})"
            rolled = describe_roll(parse(notation), dice, total)
            return f"{_aim(event.aim)}{_name_or_seat(event.entity, seat)} rolls {what}: {rolled}."
        case m.InitiativeRolled(entity, notation, dice, total):
            rolled = describe_roll(parse(notation), dice, total)
            return f"{_aim(event.aim)}{_name(entity)} rolls {notation} for initiative: {rolled}."
        case m.InitiativeSet(entity, value):
            return f"{_name(entity)}'s initiative is {value}."
        case m.TurnStarted(entity, number, True):
            return f"Round {number} begins, and {_name(entity)} goes first."
        case m.TurnStarted(entity):
            return f"It is {_name(entity)}'s turn."
        case m.InitiativeEnded():
            return "Initiative is over."
        case _:
            return _describe_time_or_cards(event)


def _describe_time_or_cards(event: m.Event) -> str:
    """Describe an event about conditions and time, or about decks, counters and notes."""
    match event:
        case m.ConditionSet(entity, name, rounds, minutes, note):
            reason = "" if note is UNSET else f" ({note})"
            time = _time_words(rounds, minutes)
            return f"{_name(entity)} now has the condition {_quote(name)}{time}{reason}."
        case m.ConditionTicked(entity, name, rounds, minutes):
            time = _time_words(rounds, minutes, more=True)
            return f"{_name(entity)} has the condition {_quote(name)}{time}."
        case m.ConditionEnded(entity, name):
            return f"{_name(entity)} no longer has the condition {_quote(name)}."
        case m.RoundEnded(number):
            return "The round ends." if number is UNSET else f"Round {number} ends."
        case m.MinutesPassed(minutes):
            return f"Time passes: {_duration(minutes)}."
        case m.DeckCreated(_, name, cards):
            return f"A new deck is on the table: {_quote(name)} ({_count(len(cards), 'card')})."
        case m.CardsDrawn(_, name, seat, before, cards):
            who = _name_or_seat(event.entity, seat)
            rest = _left(len(before) - len(cards))
            return f"{_aim(event.aim)}{who} draws {join(cards)} from {_quote(name)}{rest}."
        case m.CardsDiscarded(_, name, seat, cards):
            return f"{_seat(seat)} puts {join(cards)} on the discard pile of {_quote(name)}."
        case m.CardsReturned(_, name, seat, cards, _, left):
            return f"{_seat(seat)} puts {join(cards)} back into {_quote(name)}{_now(left)}."
        case m.Shuffled(_, name, seat, returned, left):
            back = f"{_count(returned, 'discarded card')} back into " if returned else ""
            return (
                f"{_seat(seat)} shuffles {back}{_quote(name)}{_now(left) if back else _left(left)}."
            )
        case m.CounterSet(name, value, was):
            change = f"starts at {value}" if was is UNSET else _change(was, value)
            return f"The counter {_quote(name)} {change}."
        case m.NoteWritten(seat, title, text):
            return (
                f"{_seat(seat)} writes the note {_quote(title)}: {_quote(' '.join(text.split()))}"
            )
        case _:
            raise TypeError(event)


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _seat(seat: str) -> str:
    return f"{{@{seat}}}"


def _name_or_seat(entity: str | UnsetType, seat: str) -> str:
    return _seat(seat) if entity is UNSET else _name(entity)


def _aim(aim: str | UnsetType) -> str:
    """Return the aim as the beginning of a text, or "" if there is no aim."""
    return "" if aim is UNSET else f"{aim}: "


def _quote(text: str) -> str:
    return f'"{text}"'


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _is_plural(name: str) -> bool:
    """Return True if the name looks like a plural.

    For example, "spell slots" does, but "focus" does not.
    """
    return name.endswith("s") and not name.endswith(("ss", "us", "is", "ics"))


def _change(old: int, new: int, *, plural: bool = False) -> str:
    verb = "rise" if new > old else "fall"
    return f"{verb}{'' if plural else 's'} from {old} to {new}"


def _left(cards: int) -> str:
    return f" ({_count(cards, 'card') if cards else 'no cards'} left)"


def _now(cards: int) -> str:
    return f" (now {_count(cards, 'card')})"


def _time_words(rounds: int | UnsetType, minutes: int | UnsetType, *, more: bool = False) -> str:
    """Return the duration as text, such as " for 2 more rounds", or "" if it is unlimited."""
    extra = "more " if more else ""
    if rounds is not UNSET:
        return f" for {_count(rounds, f'{extra}round')}"
    if minutes is UNSET:
        return ""
    if minutes < LONG_MINUTES:
        return f" for {_count(minutes, f'{extra}minute')}"
    return f" for {'another ' if more else ''}{_duration(minutes)}"


LONG_MINUTES = 2 * 60  # durations of this length or more are given in hours and minutes


def _duration(minutes: int) -> str:
    """Return the duration as text, for example "7 hours and 50 minutes"."""
    hours, minutes = divmod(minutes, 60) if minutes >= LONG_MINUTES else (0, minutes)
    parts = ((hours, "hour"), (minutes, "minute"))
    return join([_count(number, unit) for number, unit in parts if number])


def _describe_bar(event: m.BarChanged) -> str:
    """Describe the change, such as "{ana} loses 5 HP" or "{ana}'s arrows fall by 5"."""
    name, bar, points = _name(event.entity), event.name, abs(event.by)
    plural, gains = _is_plural(bar), event.by > 0
    if not event.by:
        return f"{name}'s {bar} {'stay' if plural else 'stays'} at {event.now} of {event.max}."
    level = f"now {event.now} of {event.max}" if gains else f"{event.now} of {event.max} left"
    if plural:
        return f"{name}'s {bar} {'rise' if gains else 'fall'} by {points} ({level})."
    return f"{name} {'gains' if gains else 'loses'} {points} {bar} ({level})."


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: dice, cards, results with their odds, points and rounds."""
    match event:
        case m.CharacterCreated(entity, seat=seat):
            return (Owned(entity, seat),)
        case m.DiceRolled(seat, notation):
            who = f"@{seat}" if event.entity is UNSET else event.entity
            return _roll_counts(event, who, notation if event.name is UNSET else event.name)
        case m.InitiativeRolled(entity):
            return _roll_counts(event, entity, INITIATIVE)
        case m.BarSet(entity, name, now, _, was):
            return () if was is UNSET else _pool_change(entity, name, now - was, "set", now)
        case m.BarChanged(entity, name, by, now):
            return _pool_change(entity, name, by, "changed", now)
        case m.CounterSet(name, value, was):
            return () if was is UNSET else _pool_change(THE_TABLE, name, value - was, "set", value)
        case m.ConditionSet(entity, name, rounds) | m.ConditionTicked(entity, name, rounds):
            is_set = isinstance(event, m.ConditionSet)
            return () if rounds is UNSET else (Ticked(entity, name, rounds, is_set),)
        case m.ConditionEnded(entity, name, rounds):
            # A condition that ran out had no rounds left when it ended.
            return () if rounds is UNSET else (Ticked(entity, name, 0, is_set=rounds > 0),)
        case m.CardsDrawn():
            return _card_counts(event)
        case m.CardsReturned(deck, cards=cards, left=left):
            return _pool_change(deck, CARDS_LEFT, len(cards), "returned", left)
        case m.Shuffled(deck, returned=returned, left=left):
            return _pool_change(deck, CARDS_LEFT, returned, "shuffled", left)
        case _:
            return ()


def _roll_counts(event: m.DiceRolled | m.InitiativeRolled, who: str, use: str) -> Counts:
    """Return each face, the total with its odds if they can be stored, and the total.

    The faces include those that were rerolled or dropped.
    """
    faces = [(result, face) for result in event.dice for die in result.rolled for face in die]
    rolls = (_face(who, use, result, face) for result, face in faces)
    total = str(event.total)
    chances = _total_chances(event.notation, event.high_is_lucky) if faces else {}
    if not chances:
        return *rolls, Settled(who, use, total)
    value = " + ".join(str(face) for _, face in faces)
    return *rolls, Attempted(who, use, value, total, chances), Settled(who, use, total)


def _face(who: str, use: str, result: DiceResult, face: int) -> Rolled:
    if result.low < 1:
        return Rolled(who, "dF", str(face), use, FUDGE_FACES)
    return Rolled(who, f"d{result.sides}", str(face), use)


@lru_cache(maxsize=1024)
def _total_chances(notation: str, high_is_lucky: bool) -> dict[str, Probability]:
    """Return the probability of each total, from the unluckiest to the luckiest.

    Return {} if the notation has exploding dice, too many outcomes, or so many dice that a
    probability would be too small to store.
    """
    expression = parse(notation)
    if any(dice.explodes or _has_tiny_chances(dice) for dice in dice_of(expression)):
        return {}
    found = distribution(expression, MAX_STEPS)
    if found is None or len(found) > MAX_OUTCOMES:
        return {}
    totals = sorted(found.items(), reverse=not high_is_lucky)
    chances = {str(total): (chance.numerator, chance.denominator) for total, chance in totals}
    is_storable = all(denominator <= MAX_WAYS for _, denominator in chances.values())
    return chances if is_storable else {}


def _has_tiny_chances(dice: Dice) -> bool:
    """Return True if the rarest sum of the dice is too rare to store.

    This check saves most of the work for notations with many dice. Rerolls and counts change how
    often the rarest value comes, so this function does not judge them.
    """
    is_plain = dice.reroll is None and dice.count is None
    return is_plain and dice.sides**dice.number > MAX_WAYS


def _card_counts(event: m.CardsDrawn) -> Counts:
    """Return one roll for each card, and the change in the number of cards left."""
    who = f"@{event.seat}" if event.entity is UNSET else event.entity
    left, rolls = list(event.left), list[Rolled]()
    for card in event.cards:
        rolls.append(Rolled(who, f"deck {event.deck}", card, event.name, tuple(left)))
        left.remove(card)
    return *rolls, Moved(event.deck, CARDS_LEFT, -len(rolls), "drawn", len(left))


def _pool_change(owner: str, pool: str, by: int, why: str, now: int) -> Counts:
    return (Moved(owner, pool, by, why, now),) if by else ()
