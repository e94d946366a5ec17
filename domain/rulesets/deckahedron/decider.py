"""Deckahedron's decider. Its functions follow the order of RULES.md."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.rules import (
    CARDS,
    HIGHEST,
    LOWEST,
    METHODS,
    POINTS,
    RESHUFFLE_AT,
    DeckName,
    Pile,
    Ranks,
    Shuffle,
    Stat,
    TiedCards,
)
from domain.rulesets.deckahedron.state import Challenge, Character, FlipResult, OpenAttempt, State

Cards = tuple[str, ...]


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that the command causes.

    Raises Refused before drawing any card if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case m.CreateCharacter():
            return _create_character(state, command, by)
        case m.DistributeRanks():
            return _distribute_ranks(state, command, by)
        case m.Introduce():
            return _introduce(state, command, by)
        case m.Retire():
            return _retire(state, command, by)
        case m.Attempt():
            return _attempt(state, command, by)
        case m.SetDifficulty():
            return _set_difficulty(state, command, by)
        case m.TellOutcome():
            return _tell_outcome(state, command, by)
        case m.Withdraw():
            return _withdraw(state, command, by)
        case m.Flip():
            return _flip(state, command, by, chance)
        case m.Choose():
            return _choose(state, command, by)
        case m.Interpret():
            return _interpret(state, command, by)
        case m.OpenTurn():
            return _open_turn(state, command, by)
        case m.EndTurn():
            return _end_turn(state, command, by)
        case m.Reshuffle():
            return _reshuffle(state, command, by)
        case m.FlipNumber():
            return _flip_number(state, command, by, chance)
        case m.AdjustRanks():
            return _adjust_ranks(state, command, by)
        case m.MoveCard():
            return _move_card(state, command, by)
        case _:
            raise TypeError(command)


# RULES 2 and 3: characters


def _create_character(state: State, command: m.CreateCharacter, by: By) -> tuple[m.Event, ...]:
    seat = _player_seat(command, by)
    if command.entity in state.characters:
        raise Refused("entity-exists", entity=command.entity)
    playing = sorted(
        entity for entity, of in state.characters.items() if of.seat == seat and not of.retired
    )
    if playing:
        raise Refused("one-character", seat=seat, entity=playing[0])
    if len(state.characters) >= rules.MAX_CHARACTERS:
        raise Refused("too-many-entities", most=rules.MAX_CHARACTERS)
    return (m.CharacterCreated(command.entity, command.name, seat, rules.EVEN),)


def _player_seat(command: m.CreateCharacter, by: By) -> str:
    if by.is_gm and command.seat is UNSET:
        raise Refused("character-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


def _distribute_ranks(state: State, command: m.DistributeRanks, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    _require_idle(command.entity, character)
    if character.distributed:
        raise Refused("ranks-distributed", entity=command.entity)
    ranks = _distribute_points(
        character.ranks, command.strength, command.dexterity, command.intelligence
    )
    return (m.RanksDistributed(command.entity, ranks),)


def _distribute_points(old: Ranks, *changes: int | UnsetType) -> Ranks:
    """Return the ranks after applying `changes`.

    Each rank must be between 1 and 4, and the three ranks must add up to 6. Raises Refused
    otherwise.
    """
    new = [
        old.of(stat) if rank is UNSET else rank for stat, rank in zip(Stat, changes, strict=True)
    ]
    for stat, rank in zip(Stat, new, strict=True):
        if not LOWEST <= rank <= HIGHEST:
            raise Refused("rank-without-edge", stat=stat, rank=rank)
    if sum(new) != POINTS:
        raise Refused("ranks-not-six", sum=sum(new))
    return Ranks(*new)


def _introduce(state: State, command: m.Introduce, by: By) -> tuple[m.Event, ...]:
    _find_own(state, command.entity, by)
    said = (command.background, command.motivation, command.skills, command.bonds)
    if all(text is UNSET for text in said):
        raise Refused("nothing-said", entity=command.entity)
    return (m.Introduced(command.entity, *said),)


def _retire(state: State, command: m.Retire, by: By) -> tuple[m.Event, ...]:
    _require_idle(command.entity, _find_own(state, command.entity, by))
    return (m.Retired(command.entity, command.reason),)


# RULES 5: attempts


def _attempt(state: State, command: m.Attempt, by: By) -> tuple[m.Event, ...]:
    _require_idle(command.entity, _find_own(state, command.entity, by))
    return (m.Attempted(command.entity, command.aim),)


def _set_difficulty(state: State, command: m.SetDifficulty, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    character = _find_in_play(state, command.entity)
    if character.attempt is not UNSET:
        _find_unflipped(command.entity, character)
    rank, flips = character.ranks.of(command.stat), METHODS[command.difficulty].flips
    return (m.DifficultySet(command.entity, command.stat, rank, command.difficulty, flips),)


def _tell_outcome(state: State, command: m.TellOutcome, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _find_unflipped(command.entity, _find_in_play(state, command.entity))
    return (m.OutcomeTold(command.entity, command.text),)


def _withdraw(state: State, command: m.Withdraw, by: By) -> tuple[m.Event, ...]:
    _find_unflipped(command.entity, _find_own(state, command.entity, by))
    return (m.Withdrawn(command.entity),)


# RULES 6: flipping


def _flip(state: State, command: m.Flip, by: By, chance: Chance) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    challenge = _find_challenge(command.entity, character)
    flips = METHODS[challenge.difficulty].flips
    discard = rules.discard_before_flips(character.discard, flips)
    hand = _draw_cards(state.options.deck, discard, flips, chance)
    before = _reshuffle_before(command.entity, character.discard, discard)
    return *before, _flipped(state, command.entity, challenge, discard, hand)


def _flipped(
    state: State, entity: str, challenge: Challenge, discard: Cards, hand: Cards
) -> m.Flipped:
    """Return the Flipped event for the cards in `hand`.

    The character's rank determines which edge of each card is read. If several cards tie for the
    best result, or for the worst if the worst counts, the first one resolves the attempt.
    """
    deck = state.options.deck
    results = tuple(rules.result_on(card, challenge.rank) for card in hand)
    result = rules.counting_result(results, challenge.difficulty)
    return m.Flipped(
        entity,
        challenge.stat,
        challenge.rank,
        challenge.difficulty,
        deck,
        discard,
        rules.results_left(deck, discard, challenge.rank),
        hand,
        results,
        hand[results.index(result)],
        result,
    )


def _draw_cards(deck: DeckName, discard: Cards, flips: int, chance: Chance) -> Cards:
    """Draw `flips` cards from the deck, one at a time, and return them."""
    left = list(rules.cards_left(deck, discard))
    return tuple(left.pop(chance.draw(len(left)) - 1) for _ in range(flips))


def _choose(state: State, command: m.Choose, by: By) -> tuple[m.Event, ...]:
    outcome = _find_outcome(command.entity, _find_with_own_cards(state, command.entity, by))
    if state.options.tied_cards is not TiedCards.PLAYER:
        raise Refused("first-card-resolves", entity=command.entity, card=outcome.card)
    card = rules.card_id(state.options.deck, command.card)
    shown = zip(outcome.cards, outcome.results, strict=True)
    tied = tuple(other for other, result in shown if result is outcome.result)
    if card not in tied:
        raise Refused("card-not-tied", card=card, tied=tied)
    return (m.CardChosen(command.entity, outcome.card, card),)


def _interpret(state: State, command: m.Interpret, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    character = _find_in_play(state, command.entity)
    outcome = _find_outcome(command.entity, character)
    interpreted = m.Interpreted(command.entity, outcome.result, command.text)
    return interpreted, *_end_action(command.entity, character, character.discard)


# RULES 7: turns and reshuffling


def _open_turn(state: State, command: m.OpenTurn, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    if _find_in_play(state, command.entity).turn_open:
        raise Refused("turn-open", entity=command.entity)
    return (m.TurnOpened(command.entity),)


def _end_turn(state: State, command: m.EndTurn, by: By) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    _require_idle(command.entity, character)
    if not character.turn_open:
        raise Refused("no-turn-open", entity=command.entity)
    ended = m.TurnEnded(command.entity, CARDS - len(character.discard))
    return ended, *_forced_reshuffle(command.entity, character.discard)


def _end_action(entity: str, of: Character, discard: Cards) -> tuple[m.Event, ...]:
    """Return the Reshuffled event that is required after an action, or ().

    No reshuffle is required during a longer turn.
    """
    return () if of.turn_open else _forced_reshuffle(entity, discard)


def _reshuffle(state: State, command: m.Reshuffle, by: By) -> tuple[m.Event, ...]:
    character = _find_with_own_cards(state, command.entity, by)
    _require_idle(command.entity, character)
    return (_reshuffled(command.entity, character.discard, Shuffle.CHOSEN),)


def _reshuffle_before(entity: str, before: Cards, after: Cards) -> tuple[m.Event, ...]:
    """Return a Reshuffled event if the deck was reshuffled before a flip, or ().

    `before` and `after` are the discard pile before and after that reshuffle. They are equal if
    there was none.
    """
    return () if before == after else (_reshuffled(entity, before, Shuffle.SHORT),)


def _forced_reshuffle(entity: str, discard: Cards) -> tuple[m.Event, ...]:
    """Return the Reshuffled event for the end of a turn, or () if none is required.

    A reshuffle is forced if `RESHUFFLE_AT` or fewer cards are left in the deck.
    """
    if CARDS - len(discard) > RESHUFFLE_AT:
        return ()
    return (_reshuffled(entity, discard, Shuffle.FORCED),)


def _reshuffled(entity: str, discard: Cards, why: Shuffle) -> m.Reshuffled:
    return m.Reshuffled(entity, why, CARDS - len(discard), len(discard))


# RULES 8: numbers


def _flip_number(
    state: State, command: m.FlipNumber, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    _require_idle(command.entity, character)
    deck = state.options.deck
    if not rules.number_ways(deck, (), command.number):
        raise Refused("deck-without-numbers", deck=deck, number=command.number)
    discard = rules.discard_before_number(deck, character.discard, command.number)
    hand, value = _flip_until_shown(deck, discard, command, chance)
    flipped = m.NumberFlipped(command.entity, command.number, deck, discard, hand, value)
    before = _reshuffle_before(command.entity, character.discard, discard)
    return *before, flipped, *_end_action(command.entity, character, discard + hand)


def _flip_until_shown(
    deck: DeckName, discard: Cards, command: m.FlipNumber, chance: Chance
) -> tuple[Cards, int]:
    """Flip cards until one shows a number, and return the cards and that number."""
    hand: Cards = ()
    while True:
        hand += _draw_cards(deck, discard + hand, 1, chance)
        if value := rules.number_on(hand[-1], command.number):
            return hand, value


# RULES 10: the GM's adjustments


def _adjust_ranks(state: State, command: m.AdjustRanks, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    character = _find_in_play(state, command.entity)
    _require_idle(command.entity, character)
    new = _distribute_points(
        character.ranks, command.strength, command.dexterity, command.intelligence
    )
    return (m.RanksAdjusted(command.entity, character.ranks, new, command.reason),)


def _move_card(state: State, command: m.MoveCard, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    character = _find_in_play(state, command.entity)
    _require_idle(command.entity, character)
    card = rules.card_id(state.options.deck, command.card)
    old = Pile.DISCARD if card in character.discard else Pile.DECK
    if old is command.to:
        raise Refused("card-already-there", card=card, pile=old)
    others = tuple(other for other in character.discard if other != card)
    discard = (*others, card) if command.to is Pile.DISCARD else others
    return (m.CardMoved(command.entity, card, old, command.to, discard, command.reason),)


# Preconditions


def _find_character(state: State, entity: str) -> Character:
    if entity not in state.characters:
        raise Refused("no-such-entity", entity=entity)
    return state.characters[entity]


def _find_in_play(state: State, entity: str) -> Character:
    character = _find_character(state, entity)
    if character.retired:
        raise Refused("retired", entity=entity)
    return character


def _find_own(state: State, entity: str, by: By) -> Character:
    """Return the character. Raises Refused unless its player or the GM sent the command."""
    character = _find_in_play(state, entity)
    if not by.is_gm and character.seat != by.seat:
        raise Refused("not-yours", entity=entity, seat=character.seat)
    return character


def _find_with_own_cards(state: State, entity: str, by: By) -> Character:
    """Return the character. Raises Refused unless its player sent the command.

    Not even the GM may make decisions about a player's cards (RULES 7.4).
    """
    character = _find_in_play(state, entity)
    if character.seat != by.seat:
        raise Refused("not-yours", entity=entity, seat=character.seat)
    return character


def _require_idle(entity: str, of: Character) -> None:
    if of.attempt is not UNSET:
        raise Refused("attempt-open", entity=entity)


def _find_attempt(entity: str, of: Character) -> OpenAttempt:
    if of.attempt is UNSET:
        raise Refused("no-attempt-open", entity=entity)
    return of.attempt


def _find_unflipped(entity: str, of: Character) -> OpenAttempt:
    """Return the open attempt.

    Raises Refused if no attempt is open, or if cards have already been flipped for it.
    """
    attempt = _find_attempt(entity, of)
    if attempt.outcome is not UNSET:
        raise Refused("already-flipped", entity=entity, result=attempt.outcome.result)
    return attempt


def _find_challenge(entity: str, of: Character) -> Challenge:
    """Return the stat and the difficulty that the GM set for the open attempt.

    Raises Refused if the GM has not set them, or if cards have already been flipped.
    """
    attempt = _find_unflipped(entity, of)
    if attempt.challenge is UNSET:
        raise Refused("difficulty-not-set", entity=entity)
    return attempt.challenge


def _find_outcome(entity: str, of: Character) -> FlipResult:
    """Return the open attempt's outcome.

    Raises Refused if no attempt is open, or if no cards have been flipped for it.
    """
    attempt = _find_attempt(entity, of)
    if attempt.outcome is UNSET:
        raise Refused("not-flipped", entity=entity)
    return attempt.outcome
