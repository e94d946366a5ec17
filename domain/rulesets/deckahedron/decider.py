"""Deckahedron's decider. Its functions follow the order of RULES.md."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain.chance import Chance, draw_card
from domain.decider import By, Refused, Role
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.rules import (
    BREATHER_DIE,
    BREATHER_POINTS,
    CARDS,
    HIGHEST,
    LOWEST,
    METHODS,
    POINTS,
    RESHUFFLE_AT,
    STAMINA,
    Injury,
    Pile,
    Ranks,
    Shuffle,
    StaminaMode,
    Stat,
    TiedCards,
    key_of,
)
from domain.rulesets.deckahedron.state import (
    Challenge,
    Character,
    Condition,
    FlipResult,
    OpenAttempt,
    State,
)
from domain.text import is_blank

Cards = tuple[str, ...]


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that the command causes.

    Raises Refused before drawing any card if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    _require_text(state, command)
    match command:
        case m.CreateCharacter():
            return _create_character(state, command, by)
        case m.CreateNpc():
            return _create_npc(state, command, by)
        case m.DistributeRanks():
            return _distribute_ranks(state, command, by)
        case m.Introduce():
            return _introduce(state, command, by)
        case m.Retire():
            return _retire(state, command, by)
        case m.Attempt() | m.SetDifficulty() | m.TellOutcome() | m.Withdraw():
            return _decide_attempt(state, command, by)
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
        case m.SetCondition() | m.EndCondition() | m.EndRound() | m.PassMinutes():
            return _decide_condition(state, command, by)
        case m.SetCounter():
            return _set_counter(state, command, by)
        case m.LoseStamina() | m.TakeInjury() | m.TakeBreather() | m.Recover():
            return _decide_stamina(state, command, by, chance)
        case _:
            raise TypeError(command)


def _require_text(state: State, command: m.Command) -> None:
    """Raise Refused if a text in the command has no visible character (RULES 2.10).

    In sessions of edition 1, this applies only to texts that were added with edition 2. All other
    texts may be blank there.
    """
    for field, value in asdict(command).items():
        if not isinstance(value, str) or not is_blank(value):
            continue
        if state.edition >= rules.NO_BLANK_TEXTS_SINCE or _is_new_text(command, field):
            raise Refused("blank-text", field=field)


def _is_new_text(command: m.Command, field: str) -> bool:
    """Return True if the text field was added with edition 2.

    These fields are the names of conditions and counters, and every `aim` but that of an attempt.
    """
    match command:
        case m.SetCondition() | m.EndCondition():
            return field == "name"
        case m.SetCounter():
            return field == "counter"
        case m.Attempt():
            return False
        case _:
            return field == "aim"


# RULES 2 and 3: characters


def _create_character(state: State, command: m.CreateCharacter, by: By) -> tuple[m.Event, ...]:
    seat = _player_seat(command, by)
    if state.edition >= rules.GM_BRINGS_NPCS_SINCE and by.is_gm and seat == by.seat:
        raise Refused("gm-brings-npcs", entity=command.entity)
    _require_unused(state, command.entity)
    playing = sorted(
        entity
        for entity, of in state.characters.items()
        if of.seat == seat and not of.retired and not of.npc
    )
    if playing:
        raise Refused("one-character", seat=seat, entity=playing[0])
    return (_created(state, command, seat),)


def _player_seat(command: m.CreateCharacter, by: By) -> str:
    if by.is_gm and command.seat is UNSET:
        raise Refused("character-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


def _create_npc(state: State, command: m.CreateNpc, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _require_unused(state, command.entity)
    return (_created(state, command, by.seat, npc=True),)


def _created(
    state: State,
    command: m.CreateCharacter | m.CreateNpc,
    seat: str,
    npc: bool | UnsetType = UNSET,
) -> m.CharacterCreated:
    """Return the event that creates a character. Raises Refused if there are too many already."""
    if len(state.characters) >= rules.MAX_CHARACTERS:
        raise Refused("too-many-entities", most=rules.MAX_CHARACTERS)
    return m.CharacterCreated(command.entity, command.name, seat, rules.EVEN, npc)


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
    character = _find_own(state, command.entity, by)
    topics = (command.background, command.motivation, command.skills, command.bonds)
    if all(text is UNSET for text in topics):
        if command.name is UNSET:
            raise Refused("nothing-said", entity=command.entity)
        if command.name == character.name:
            raise Refused("nothing-changes", entity=command.entity)
    return (m.Introduced(command.entity, *topics, command.name),)


def _retire(state: State, command: m.Retire, by: By) -> tuple[m.Event, ...]:
    _require_idle(command.entity, _find_own(state, command.entity, by))
    return (m.Retired(command.entity, command.reason),)


# RULES 5: attempts


def _decide_attempt(
    state: State, command: m.Attempt | m.SetDifficulty | m.TellOutcome | m.Withdraw, by: By
) -> tuple[m.Event, ...]:
    match command:
        case m.Attempt():
            return _attempt(state, command, by)
        case m.SetDifficulty():
            return _set_difficulty(state, command, by)
        case m.TellOutcome():
            return _tell_outcome(state, command, by)
        case m.Withdraw():
            return _withdraw(state, command, by)


def _attempt(state: State, command: m.Attempt, by: By) -> tuple[m.Event, ...]:
    _require_idle(command.entity, _find_own(state, command.entity, by))
    return (m.Attempted(command.entity, command.aim),)


def _set_difficulty(state: State, command: m.SetDifficulty, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    character = _find_in_play(state, command.entity)
    if character.attempt is not UNSET:
        _find_unflipped(command.entity, character)
    rank, flips = character.ranks.of(command.stat), METHODS[command.difficulty].flips
    return (
        m.DifficultySet(command.entity, command.stat, rank, command.difficulty, flips, command.aim),
    )


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
    discard = rules.discard_before_flips(character.discard, flips, character.exhausted)
    hand = _draw_cards(state, discard + character.exhausted, flips, chance)
    before = _reshuffle_before(command.entity, character, discard)
    return *before, _flipped(state, command, challenge, discard, hand)


def _flipped(
    state: State, command: m.Flip, challenge: Challenge, discard: Cards, hand: Cards
) -> m.Flipped:
    """Return the Flipped event for the cards in `hand`.

    The character's rank determines which edge of each card is read. If several cards tie for the
    best result, or for the worst if the worst counts, the first one resolves the attempt.
    """
    deck, character = state.options.deck, state.characters[command.entity]
    results = tuple(rules.result_on(card, challenge.rank) for card in hand)
    result = rules.counting_result(results, challenge.difficulty)
    return m.Flipped(
        command.entity,
        challenge.stat,
        challenge.rank,
        challenge.difficulty,
        deck,
        discard,
        rules.results_left(deck, discard + character.exhausted, challenge.rank),
        hand,
        results,
        hand[results.index(result)],
        result,
        character.exhausted or UNSET,
        _aim_of_flip(state, command, character),
    )


def _aim_of_flip(state: State, command: m.Flip, of: Character) -> str | UnsetType:
    """Return the purpose of the flip: the command's aim, or else the attempt's aim.

    In edition 1, the attempt's aim is not used.
    """
    if command.aim is not UNSET or state.edition < rules.ATTEMPT_AIM_SINCE:
        return command.aim
    return _find_attempt(command.entity, of).aim or UNSET


def _draw_cards(state: State, gone: Cards, flips: int, chance: Chance) -> Cards:
    """Draw `flips` of the cards that are not in `gone`, one at a time, and return them."""
    left = list(rules.cards_left(state.options.deck, gone))
    return tuple(_draw_card(state, left, chance) for _ in range(flips))


def _draw_card(state: State, left: list[str], chance: Chance) -> str:
    """Draw one of the cards in `left`, remove it from the list, and return it."""
    if state.edition < rules.PRINTED_NUMBERS_SINCE:
        return left.pop(chance.draw(len(left)) - 1)
    number = draw_card(chance, CARDS, [rules.card_number(card) for card in left])
    card = rules.card_id(state.options.deck, number)
    left.remove(card)
    return card


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
    ended = m.TurnEnded(command.entity, _deck_size(character, character.discard))
    return ended, *_forced_reshuffle(command.entity, character, character.discard)


def _end_action(entity: str, of: Character, discard: Cards) -> tuple[m.Event, ...]:
    """Return the Reshuffled event that is required after an action, or ().

    No reshuffle is required during a longer turn.
    """
    return () if of.turn_open else _forced_reshuffle(entity, of, discard)


def _reshuffle(state: State, command: m.Reshuffle, by: By) -> tuple[m.Event, ...]:
    character = _find_with_own_cards(state, command.entity, by)
    _require_idle(command.entity, character)
    return (_reshuffled(command.entity, character, character.discard, Shuffle.CHOSEN),)


def _reshuffle_before(entity: str, of: Character, after: Cards) -> tuple[m.Event, ...]:
    """Return a Reshuffled event if the deck was reshuffled before cards were drawn, or ().

    `after` is the discard pile just before the draw. It differs from the character's discard pile
    only if the deck was reshuffled.
    """
    return () if of.discard == after else (_reshuffled(entity, of, of.discard, Shuffle.SHORT),)


def _forced_reshuffle(entity: str, of: Character, discard: Cards) -> tuple[m.Event, ...]:
    """Return the Reshuffled event for the end of a turn, or () if none is required.

    A reshuffle is forced if `RESHUFFLE_AT` or fewer cards are left in the deck.
    """
    if _deck_size(of, discard) > RESHUFFLE_AT:
        return ()
    return (_reshuffled(entity, of, discard, Shuffle.FORCED),)


def _reshuffled(entity: str, of: Character, discard: Cards, why: Shuffle) -> m.Reshuffled:
    return m.Reshuffled(entity, why, _deck_size(of, discard), len(discard))


def _deck_size(of: Character, discard: Cards) -> int:
    return CARDS - len(discard) - len(of.exhausted)


# RULES 8: numbers


def _flip_number(
    state: State, command: m.FlipNumber, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    _require_idle(command.entity, character)
    deck, number, exhausted = state.options.deck, command.number, character.exhausted
    if not rules.number_ways(deck, (), number):
        raise Refused("deck-without-numbers", deck=deck, number=number)
    discard = rules.discard_before_number(deck, character.discard, number, exhausted)
    hand, value = _flip_until_shown(state, discard + exhausted, command, chance)
    flipped = m.NumberFlipped(
        command.entity, number, deck, discard, hand, value, exhausted or UNSET, command.aim
    )
    before = _reshuffle_before(command.entity, character, discard)
    return *before, flipped, *_end_action(command.entity, character, discard + hand)


def _flip_until_shown(
    state: State, gone: Cards, command: m.FlipNumber, chance: Chance
) -> tuple[Cards, int]:
    """Flip cards until one shows a number, and return the cards and that number."""
    hand: Cards = ()
    while True:
        hand += _draw_cards(state, gone + hand, 1, chance)
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
    if state.edition >= rules.RANKS_MUST_CHANGE_SINCE and new == character.ranks:
        raise Refused("nothing-changes", entity=command.entity)
    return (m.RanksAdjusted(command.entity, character.ranks, new, command.reason),)


def _move_card(state: State, command: m.MoveCard, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    character = _find_in_play(state, command.entity)
    _require_idle(command.entity, character)
    card = rules.card_id(state.options.deck, command.card)
    old = _pile_of(card, character)
    if old is command.to:
        raise Refused("card-already-there", entity=command.entity, card=card, pile=old)
    if command.to is Pile.EXHAUSTION:
        _stamina_mode(state, command.entity)
        if len(character.exhausted) >= STAMINA:
            raise Refused("incapacitated", entity=command.entity)
    discard = _with_card(character.discard, card, there=command.to is Pile.DISCARD)
    exhausted = _with_card(character.exhausted, card, there=command.to is Pile.EXHAUSTION)
    return (
        m.CardMoved(
            command.entity,
            card,
            old,
            command.to,
            discard,
            command.reason,
            UNSET if state.options.stamina_mode is UNSET else exhausted,
        ),
    )


def _pile_of(card: str, of: Character) -> Pile:
    if card in of.exhausted:
        return Pile.EXHAUSTION
    return Pile.DISCARD if card in of.discard else Pile.DECK


def _with_card(pile: Cards, card: str, *, there: bool) -> Cards:
    """Return the pile with the card at its end if `there` is True, otherwise without the card."""
    others = tuple(other for other in pile if other != card)
    return (*others, card) if there else others


# RULES 15: conditions and counters


def _decide_condition(
    state: State,
    command: m.SetCondition | m.EndCondition | m.EndRound | m.PassMinutes,
    by: By,
) -> tuple[m.Event, ...]:
    by.require_gm()
    match command:
        case m.SetCondition():
            return _set_condition(state, command)
        case m.EndCondition():
            return _end_condition(state, command)
        case m.EndRound():
            return _end_round(state)
        case m.PassMinutes():
            return _pass_minutes(state, command)


def _set_condition(state: State, command: m.SetCondition) -> tuple[m.Event, ...]:
    entity = command.entity
    _find_in_play(state, entity)
    if command.rounds is not UNSET and command.minutes is not UNSET:
        raise Refused("one-duration", rounds=command.rounds, minutes=command.minutes)
    name = _label(command.name)
    old = state.conditions.get(key_of(entity, name))
    held = sum(of.entity == entity for of in state.conditions.values())
    if old is None and held >= rules.MAX_CONDITIONS:
        raise Refused("too-many-conditions", entity=entity, most=rules.MAX_CONDITIONS)
    name = name if old is None else old.name
    terms = command.rounds, command.minutes, command.note
    if Condition(entity, name, *terms) == old:
        raise Refused("nothing-changes", entity=entity)
    return (m.ConditionSet(entity, name, *terms),)


def _end_condition(state: State, command: m.EndCondition) -> tuple[m.Event, ...]:
    _find_in_play(state, command.entity)
    name = _label(command.name)
    known = state.conditions.get(key_of(command.entity, name))
    if known is None:
        raise Refused("no-such-condition", entity=command.entity, condition=name)
    return (m.ConditionEnded(command.entity, known.name, command.reason, known.rounds),)


def _end_round(state: State) -> tuple[m.Event, ...]:
    ticked = tuple(
        m.ConditionTicked(of.entity, of.name, rounds=of.rounds - 1)
        for _, of in sorted(state.conditions.items())
        if of.rounds is not UNSET
    )
    if not ticked:
        raise Refused("nothing-timed", unit="rounds")
    return ticked


def _pass_minutes(state: State, command: m.PassMinutes) -> tuple[m.Event, ...]:
    ticked = tuple(
        m.ConditionTicked(of.entity, of.name, minutes=max(0, of.minutes - command.minutes))
        for _, of in sorted(state.conditions.items())
        if of.minutes is not UNSET
    )
    if not ticked:
        raise Refused("nothing-timed", unit="minutes")
    return ticked


def _set_counter(state: State, command: m.SetCounter, by: By) -> tuple[m.Event, ...]:
    entity, name = command.entity, _label(command.counter)
    _find_own(state, entity, by)
    if name.casefold() in rules.reserved_counters(state.options.stamina_mode):
        raise Refused("counter-reserved", counter=name)
    old = state.counters.get(key_of(entity, name))
    if old is None:
        if command.value is UNSET:
            raise Refused("no-such-counter", entity=entity, counter=name)
        if sum(of.entity == entity for of in state.counters.values()) >= rules.MAX_COUNTERS:
            raise Refused("too-many-counters", entity=entity, most=rules.MAX_COUNTERS)
        return (m.CounterSet(entity, name, UNSET, command.value, command.reason),)
    if old.value == command.value:
        raise Refused("nothing-changes", entity=entity)
    return (m.CounterSet(entity, old.name, old.value, command.value, command.reason),)


def _label(text: str) -> str:
    """Return the text without leading, trailing or repeated spaces."""
    return " ".join(text.split())


# RULES 16: stamina


def _decide_stamina(
    state: State,
    command: m.LoseStamina | m.TakeInjury | m.TakeBreather | m.Recover,
    by: By,
    chance: Chance,
) -> tuple[m.Event, ...]:
    character = _find_own(state, command.entity, by)
    mode = _stamina_mode(state, command.entity)
    match command:
        case m.LoseStamina():
            return _lose_stamina(state, command, mode, command.points, chance)
        case m.TakeInjury():
            lost = _lose_stamina(state, command, mode, 1, chance)
            return *lost, _injured(command, character)
        case m.TakeBreather():
            return _take_breather(command, character, chance)
        case m.Recover():
            return _recover(command, character)


def _lose_stamina(
    state: State,
    command: m.LoseStamina | m.TakeInjury,
    mode: StaminaMode,
    points: int,
    chance: Chance,
) -> tuple[m.Event, ...]:
    """Return the events for losing `points` stamina, or all remaining stamina if that is less."""
    entity, character = command.entity, state.characters[command.entity]
    deck, exhausted = state.options.deck, character.exhausted
    _require_idle(entity, character)
    _require_stamina(entity, character)
    points = min(points, STAMINA - len(exhausted))
    discard = rules.discard_before_loss(deck, character.discard, exhausted, mode, points)
    cards, lost = _draw_stamina(state, discard + exhausted, mode, points, chance)
    before = _reshuffle_before(entity, character, discard)
    return *before, m.StaminaLost(entity, mode, deck, discard, exhausted, cards, lost, command.aim)


def _draw_stamina(
    state: State, gone: Cards, mode: StaminaMode, points: int, chance: Chance
) -> tuple[Cards, Cards]:
    """Draw cards until `points` of them cost stamina.

    Return all drawn cards, and the drawn cards that cost stamina.
    """
    deck, cards, lost = state.options.deck, list[str](), list[str]()
    left = list(rules.cards_left(deck, gone))
    costly = rules.stamina_cards(deck, gone, mode)
    while len(lost) < points:
        card = _draw_card(state, left, chance)
        cards.append(card)
        if card in costly:
            lost.append(card)
    return tuple(cards), tuple(lost)


def _injured(command: m.TakeInjury, of: Character) -> m.Injured:
    old = of.current_fatigue
    harm, wounds = rules.tokens_after_injury(command.injury, old.harm, old.wounds)
    taken = Injury.WOUND if wounds > old.wounds else Injury.HARM
    return m.Injured(command.entity, taken, harm, wounds)


def _take_breather(command: m.TakeBreather, of: Character, chance: Chance) -> tuple[m.Event, ...]:
    entity, attempt = command.entity, _find_attempt(command.entity, of)
    result = _find_outcome(entity, of).result
    if attempt.challenge is UNSET or attempt.challenge.stat is Stat.STRENGTH:
        raise Refused("breather-by-strength", entity=entity)
    if attempt.breather:
        raise Refused("breather-taken", entity=entity)
    _require_stamina(entity, of)
    if not of.exhausted:
        raise Refused("stamina-full", entity=entity)
    die: int | UnsetType = UNSET if result in BREATHER_POINTS else chance.draw(BREATHER_DIE)
    points = BREATHER_POINTS[result] if die is UNSET else die
    regained, exhausted = of.exhausted[:points], of.exhausted[points:]
    discard = of.discard + regained
    return (m.BreatherTaken(entity, result, regained, exhausted, discard, die, command.aim),)


def _recover(command: m.Recover, of: Character) -> tuple[m.Event, ...]:
    """Return the event of a recovery.

    The cards that were exhausted last are the ones that stay exhausted (RULES 16.10).
    """
    _require_idle(command.entity, of)
    old = of.current_fatigue
    harm, wounds = rules.tokens_after_recovery(command.recovery, old.harm, old.wounds)
    freed = max(0, len(old.exhausted) - harm - wounds)
    if (harm, wounds, freed) == (old.harm, old.wounds, 0):
        raise Refused("nothing-changes", entity=command.entity)
    regained, exhausted = old.exhausted[:freed], old.exhausted[freed:]
    return (
        m.Recovered(
            command.entity,
            command.recovery,
            regained,
            exhausted,
            of.discard + regained,
            harm,
            wounds,
            old.harm - harm,
            old.wounds - wounds,
        ),
    )


def _stamina_mode(state: State, entity: str) -> StaminaMode:
    """Return which cards cost stamina. Raises Refused if the session does not count stamina."""
    if state.options.stamina_mode is UNSET:
        raise Refused("stamina-not-played", entity=entity)
    return state.options.stamina_mode


def _require_stamina(entity: str, of: Character) -> None:
    if of.incapacitated:
        raise Refused("incapacitated", entity=entity)


# Preconditions


def _require_unused(state: State, entity: str) -> None:
    if entity in state.characters:
        raise Refused("entity-exists", entity=entity)


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
    if not by.is_gm and (character.npc or character.seat != by.seat):
        raise Refused("not-yours", entity=entity, seat=character.seat)
    return character


def _find_with_own_cards(state: State, entity: str, by: By) -> Character:
    """Return the character. Raises Refused unless the sender may decide about its cards.

    In edition 1, only the character's player may decide, and the GM may decide only for NPCs
    (RULES 12.3).
    """
    character = _find_own(state, entity, by)
    players_alone = state.edition < rules.GM_ACTS_FOR_ALL_SINCE and not character.npc
    if players_alone and character.seat != by.seat:
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
