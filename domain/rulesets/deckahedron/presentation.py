"""Presentation of Deckahedron: its table, event descriptions and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb

from msgspec import UNSET, UnsetType

from domain import table
from domain.differences import Wording
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.rules import (
    BREATHER_DIE,
    CARDS,
    DECKS,
    EDGES,
    HARM_POOL,
    LEFT_POOL,
    MAX_HARM,
    MAX_WOUNDS,
    METHODS,
    STAMINA,
    STAMINA_POOL,
    SYMBOLS,
    WOUNDS_POOL,
    DeckName,
    Difficulty,
    Injury,
    Number,
    Pile,
    Ranks,
    Recovery,
    Result,
    Shuffle,
    Stat,
)
from domain.rulesets.deckahedron.state import Challenge, Character, OpenAttempt, State
from domain.tally import (
    Attempted,
    Counts,
    Moved,
    Owned,
    Rolled,
    Settled,
    Ticked,
    fair_die,
    reduce,
)

SYMBOLS_BY_RESULT = {result: symbol for symbol, result in SYMBOLS.items()}
TOPICS = ("background", "motivation", "special skills", "bonds")
MARKS = ("?", "!")  # a text that ends with one needs no other mark
HOUR = 60  # minutes
D4 = f"d{BREATHER_DIE}"
D4_CHANCES = fair_die(BREATHER_DIE)  # from the worst to the best: more stamina is better
BREATHER = "breather"
SUCCESSES = (Result.SUCCESS, Result.UNCONDITIONAL_SUCCESS)
PILES = {
    Pile.DECK: "the deck",
    Pile.DISCARD: "the discard pile",
    Pile.EXHAUSTION: "the exhaustion pile",
}


def show(state: State) -> table.Table:
    """Return the table: characters, piles, pools, conditions, open attempts and turns."""
    playing = {entity: of for entity, of in state.characters.items() if not of.retired}
    return table.Table(
        entities={entity: _entity(of) for entity, of in state.characters.items()},
        pools=dict(_pools(state, playing)),
        decks={entity: _deck(of) for entity, of in playing.items()},
        conditions={
            key: table.Condition(of.entity, of.name, of.rounds, of.minutes, of.note)
            for key, of in state.conditions.items()
        },
        tasks={name: task for row in state.characters.items() for name, task in _tasks(*row)},
        forecasts={name: flip for row in playing.items() for name, flip in _forecasts(state, *row)},
    )


def _forecasts(state: State, entity: str, of: Character) -> Iterator[tuple[str, table.Forecast]]:
    """Yield the chances of the next flip: on the attempt's stat, or else on each stat."""
    challenge: Challenge | UnsetType = UNSET
    if of.attempt is not UNSET and of.attempt.outcome is UNSET:
        challenge = of.attempt.challenge
    chosen = "" if challenge is UNSET else _method_words(challenge.difficulty)
    for stat in Stat if challenge is UNSET else (challenge.stat,):
        rank = of.ranks.of(stat) if challenge is UNSET else challenge.rank
        percent = _flip_percent(state.options.deck, of.discard, of.exhausted, rank)
        label = f"flip on {stat[:3].upper()}"
        forecast = table.Forecast(label, "difficulty", tuple(Result), percent, chosen)
        yield f"{entity}.{stat}", forecast


def _method_words(difficulty: Difficulty) -> str:
    method = METHODS[difficulty]
    if method.flips == 1:
        return "1 card"
    return f"{'best' if method.best else 'worst'} of {method.flips}"


@lru_cache
def _flip_percent(
    deck: DeckName, discard: tuple[str, ...], exhausted: tuple[str, ...], rank: int
) -> dict[str, tuple[int, ...]]:
    """Return the percentages of the results, worst first, for each number of cards to flip."""
    found = dict[str, tuple[int, ...]]()
    for difficulty, method in METHODS.items():
        gone = rules.discard_before_flips(discard, method.flips, exhausted) + exhausted
        left = rules.results_left(deck, gone, rank)
        ways, hands = rules.result_ways(left, difficulty), comb(sum(left), method.flips)
        if hands:  # a log with gaps can have lost the cards that went back
            percent = (round(100 * ways.get(result, 0) / hands) for result in Result)
            found[_method_words(difficulty)] = tuple(percent)
    return found


def _entity(of: Character) -> table.Entity:
    said = zip(TOPICS, (of.background, of.motivation, of.skills, of.bonds), strict=True)
    sheet = {str(stat): _rank_words(of.ranks.of(stat)) for stat in Stat} | {
        topic: text for topic, text in said if text
    }
    if of.exhausted:
        sheet |= {"exhausted cards": ", ".join(of.exhausted)}
    stats = {stat[:3].upper(): str(of.ranks.of(stat)) for stat in Stat}
    kind = "NPC" if of.npc else "PC"
    return table.Entity(of.name, of.seat, kind, _status(of), sheet, of.background or "", stats)


def _status(of: Character) -> str:
    if of.retired:
        return "retired"
    return "incapacitated" if of.incapacitated else "ok"


def _entry_words(name: str, _: str) -> str:
    """Return what an entry of the sheet is. The boxes of the stats tell their ranks."""
    return "" if name in Stat.__members__.values() else f"the {name}"


WORDING = Wording(entry=_entry_words)


def _rank_words(rank: int) -> str:
    return f"{rank} ({EDGES[rank - 1].symbol})"


def _pools(state: State, playing: Mapping[str, Character]) -> Iterator[tuple[str, table.Pool]]:
    """Yield all counters, preceded by stamina and tokens if the session counts stamina."""
    if state.options.stamina_mode is not UNSET:
        for entity, of in playing.items():
            left, fatigue = STAMINA - len(of.exhausted), of.current_fatigue
            for pool in (
                table.Pool(entity, STAMINA_POOL, left, STAMINA, "stamina"),
                table.Pool(entity, HARM_POOL, fatigue.harm, MAX_HARM, "harm", slots=True),
                table.Pool(entity, WOUNDS_POOL, fatigue.wounds, MAX_WOUNDS + 1, "harm", slots=True),
            ):
                yield f"{entity}.{pool.label}", pool
    for key, counter in state.counters.items():
        yield key, table.Pool(counter.entity, counter.name, counter.value)


def _deck(of: Character) -> table.Deck:
    left, attempt = CARDS - len(of.gone), of.attempt
    if attempt is UNSET or attempt.outcome is UNSET:
        return table.Deck(left, discard=of.discard, shuffles_at=rules.RESHUFFLE_AT)
    up = attempt.outcome.cards
    edge = UNSET if attempt.challenge is UNSET else EDGES[attempt.challenge.rank - 1].side
    discard = tuple(card for card in of.discard if card not in up)
    return table.Deck(left, up, discard, edge, rules.RESHUFFLE_AT)


def _tasks(entity: str, of: Character) -> Iterator[tuple[str, table.Task]]:
    if of.attempt is not UNSET:
        yield (
            f"{entity}.attempt",
            table.Task(
                of.seat, "attempt", _waits_for(of.attempt), _attempt_sheet(entity, of.attempt)
            ),
        )
    if of.turn_open:
        yield f"{entity}.turn", table.Task(of.seat, "turn", "end the turn", {"entity": entity})


def _waits_for(attempt: OpenAttempt) -> str:
    if attempt.outcome is not UNSET:
        return "the GM's interpretation"
    return "the GM's difficulty" if attempt.challenge is UNSET else "the flip"


def _attempt_sheet(entity: str, attempt: OpenAttempt) -> dict[str, str]:
    sheet = {"entity": entity} | ({"aim": attempt.aim} if attempt.aim else {})
    if attempt.challenge is not UNSET:
        challenge = attempt.challenge
        sheet |= {
            "stat": challenge.stat,
            "rank": _rank_words(challenge.rank),
            "difficulty": challenge.difficulty,
        }
    if attempt.outcome is not UNSET:
        sheet |= {"card": attempt.outcome.card, "result": attempt.outcome.result}
    return sheet


def describe(event: m.Event) -> str:
    """Describe the event in one sentence, with ids in braces (`{ana}`) instead of names.

    If the event states the purpose of a roll, the sentence begins with that purpose.
    """
    match event:
        case m.DifficultySet() | m.Flipped() | m.NumberFlipped():
            return _with_aim(event.aim, _describe_flip(event))
        case m.StaminaLost() | m.BreatherTaken():
            return _with_aim(event.aim, _describe_stamina(event))
        case m.Injured() | m.Recovered():
            return _describe_stamina(event)
        case m.ConditionSet() | m.ConditionTicked() | m.ConditionEnded():
            return _describe_condition(event)
        case m.CounterSet():
            return _describe_counter(event)
        case _:
            return _describe_other(event)


def _describe_other(event: m.Event) -> str:
    match event:
        case m.CharacterCreated(entity):
            kind = " as an NPC" if event.npc else ""
            return (
                f"{_name(entity)} joins the game{kind} with {CARDS} cards,"
                f" {_ranks_words(event.ranks)}."
            )
        case m.RanksDistributed(entity, ranks):
            return f"{_name(entity)} now has {_ranks_words(ranks)}."
        case m.Introduced(entity):
            return _introduction(_name(entity), event)
        case m.Retired(entity, reason):
            return f"{_name(entity)} leaves the story for good ({reason})."
        case m.RanksAdjusted(entity, old, new, reason):
            return f"The GM {_rank_changes(_name(entity), old, new)} ({reason})."
        case m.Attempted(entity, aim):
            attempt = f"{_name(entity)} attempts to {_without_stop(aim)}"
            return attempt if attempt.endswith(MARKS) else f"{attempt}."
        case m.OutcomeTold(entity, text):
            return f"{_name(entity)} needs no flip. The GM: {_quote(text)}"
        case m.Withdrawn(entity):
            return f"{_name(entity)} calls off the attempt."
        case m.CardChosen(entity, old, card):
            if card == old:
                return f"{_name(entity)} stays with {_card_face(card)}."
            return f"{_name(entity)} picks {_card_face(card)} instead of {old}."
        case m.Interpreted(entity, result, text):
            return f"{result.capitalize()} for {_name(entity)}. The GM: {_quote(text)}"
        case m.TurnOpened(entity):
            return f"The GM gives {_name(entity)} a longer turn, with several actions."
        case m.TurnEnded(entity, left):
            return f"{_name(entity)} ends the turn with {_cards(left)} left."
        case m.Reshuffled(entity, why, left, returned):
            return f"{_name(entity)} {_reshuffle_words(why, left, returned)}."
        case m.CardMoved(entity, card, _, new, _, reason):
            return f"The GM moves {_name(entity)}'s {card} to {PILES[new]} ({reason})."
        case _:
            raise TypeError(event)


def _with_aim(aim: str | UnsetType, sentence: str) -> str:
    """Return the sentence, preceded by the aim if there is one, as in "Pick the lock: ..."."""
    words = "" if aim is UNSET else _without_stop(aim)
    if not words:
        return sentence
    beginning = f"{words[0].upper()}{words[1:]}"
    if beginning.endswith(MARKS):
        return f"{beginning} {sentence}"
    rest = f"the {sentence.removeprefix('The ')}" if sentence.startswith("The ") else sentence
    return f"{beginning}: {rest}"


def _without_stop(aim: str) -> str:
    return aim.strip().rstrip(". ")


def _quote(text: str) -> str:
    """Return the text in quotation marks and on one line."""
    return f'"{" ".join(text.split())}"'


def _describe_flip(event: m.DifficultySet | m.Flipped | m.NumberFlipped) -> str:
    match event:
        case m.DifficultySet(entity, stat, rank, difficulty, flips):
            article = "an" if difficulty is Difficulty.EASY else "a"
            return (
                f"The GM asks {_name(entity)} for {article} {difficulty} flip on {stat}"
                f" {_rank_words(rank)}: {method_words(difficulty, flips)}."
            )
        case m.Flipped(entity, stat):
            hand = _join(
                [
                    _card_face(card, result)
                    for card, result in zip(event.cards, event.results, strict=True)
                ]
            )
            return f"{_name(entity)} flips {hand} on {stat}{_resolution(event)}."
        case m.NumberFlipped(entity, number):
            use = "number from 2 to 10" if number is Number.CURVE else number
            cards = f"card{'s' if len(event.cards) > 1 else ''} {_join(event.cards)}"
            return f"{_name(entity)} flips {cards} for a {use} and gets {event.value}."


def _describe_stamina(event: m.StaminaLost | m.Injured | m.BreatherTaken | m.Recovered) -> str:
    match event:
        case m.StaminaLost(entity):
            return f"{_name(entity)} {_loss_words(event)}."
        case m.Injured(entity, injury, harm, wounds):
            if wounds > MAX_WOUNDS:
                return f"{_name(entity)} takes one wound too many and is incapacitated."
            token = "a harm token" if injury is Injury.HARM else "a wound"
            return f"{_name(entity)} takes {token} and now has {_join(_tokens(harm, wounds))}."
        case m.BreatherTaken(entity):
            foe = "" if event.result is Result.UNCONDITIONAL_SUCCESS else "; the foe gains position"
            return f"{_name(entity)} {_breather_words(event)}{foe}."
        case m.Recovered(entity, recovery):
            way = "rests" if recovery is Recovery.REST else "heals for a day"
            stamina = f"{STAMINA - len(event.exhausted)} stamina"
            has = _join([stamina, *_tokens(event.harm, event.wounds)])
            return f"{_name(entity)} {way} and now has {has}."


def _loss_words(event: m.StaminaLost) -> str:
    left = STAMINA - len(event.exhausted) - len(event.lost)
    after = f"has {left} left" if left else "is incapacitated"
    lost = f"{len(event.lost)} stamina ({_join(event.lost)})"
    if event.cards == event.lost:
        return f"loses {lost} and {after}"
    return f"flips {_join(event.cards)}, loses {lost} and {after}"


def _breather_words(event: m.BreatherTaken) -> str:
    rolls = "" if event.die is UNSET else f"rolls {event.die}, "
    if not event.regained:
        return "takes a breather but regains no stamina"
    left = STAMINA - len(event.exhausted)
    return f"takes a breather, {rolls}regains {len(event.regained)} stamina and now has {left}"


def _tokens(harm: int, wounds: int) -> list[str]:
    wounded = "1 wound" if wounds == 1 else f"{wounds} wounds"
    return [words for count, words in ((harm, f"{harm} harm"), (wounds, wounded)) if count]


def _describe_condition(event: m.ConditionSet | m.ConditionTicked | m.ConditionEnded) -> str:
    who = _name(event.entity)
    match event:
        case m.ConditionSet(_, name, rounds, minutes, note):
            lasting = _lasting(rounds, minutes)
            noted = "" if note is UNSET else f" ({note})"
            return f'{who} now has the condition "{name}"{lasting}{noted}.'
        case m.ConditionTicked(_, name, rounds, minutes):
            if rounds or minutes:
                left = _lasting(rounds, minutes, "more ")
                return f'{who} has the condition "{name}"{left}.'
            return f'{who} no longer has the condition "{name}".'
        case m.ConditionEnded(_, name, reason):
            return f'{who} no longer has the condition "{name}" ({reason}).'


def _lasting(rounds: int | UnsetType, minutes: int | UnsetType, more: str = "") -> str:
    if rounds is not UNSET:
        return f" for {_count(rounds, f'{more}round')}"
    return "" if minutes is UNSET else f" for {_duration(minutes, more)}"


def _duration(minutes: int, more: str) -> str:
    """Return the duration as text. Durations of two hours or more are in hours and minutes."""
    if minutes < 2 * HOUR:
        return _count(minutes, f"{more}minute")
    hours, rest = divmod(minutes, HOUR)
    time = f"{hours} hours and {_count(rest, 'minute')}" if rest else f"{hours} hours"
    return f"another {time}" if more else time


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _describe_counter(event: m.CounterSet) -> str:
    who = _name(event.entity)
    reason = "" if event.reason is UNSET else f" ({event.reason})"
    if event.value is UNSET:
        return f"{who} no longer keeps count of {event.counter}{reason}."
    if event.old is UNSET:
        return f"{who} now keeps count of {event.counter}, starting at {event.value}{reason}."
    return f"{who} goes from {event.old} to {event.value} {event.counter}{reason}."


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _ranks_words(ranks: Ranks) -> str:
    return _join([f"{stat} {ranks.of(stat)}" for stat in Stat])


def _rank_changes(name: str, old: Ranks, new: Ranks) -> str:
    changes = [
        f"{stat} from {old.of(stat)} to {new.of(stat)}"
        for stat in Stat
        if old.of(stat) != new.of(stat)
    ]
    if not changes:
        return f"leaves {name}'s ranks at {_ranks_words(new)}"
    return f"changes {name}'s {_join(changes)}"


def _introduction(name: str, event: m.Introduced) -> str:
    """Return the introduction, as in `Ana's sheet now says: background "the docks".`."""
    topics = ("name", *TOPICS)
    texts = (event.name, event.background, event.motivation, event.skills, event.bonds)
    said = zip(topics, texts, strict=True)
    listed = "; ".join(f"{topic} {_quote(text)}" for topic, text in said if text is not UNSET)
    line = f"{name}'s sheet now says: {listed}"
    return line if line.endswith(('."', '!"', '?"')) else f"{line}."


def method_words(difficulty: Difficulty, flips: int) -> str:
    if flips == 1:
        return "1 card"
    best, worst = ("better", "worse") if flips == 2 else ("best", "worst")
    return f"the {best if METHODS[difficulty].best else worst} of {flips} cards"


def _join(words: Sequence[str]) -> str:
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _card_face(card: str, result: Result | None = None) -> str:
    marks = ", ".join(mark.replace("-", " ") for mark in DECKS[DeckName(card[0])][card].marks)
    shown = "" if result is None else f" {SYMBOLS_BY_RESULT[result]}"
    return f"{card}{shown} ({marks})" if marks else f"{card}{shown}"


def _resolution(event: m.Flipped) -> str:
    counting = f"; {event.card} counts" if len(event.cards) > 1 else ""
    return f"{counting}: {event.result}"


def _reshuffle_words(why: Shuffle, left: int, returned: int) -> str:
    pile = "the discarded card" if returned == 1 else f"the {returned} discarded cards"
    if why is Shuffle.CHOSEN:
        if not returned:
            return "shuffles the whole deck"
        return f"shuffles {pile} back in and has {left + returned} cards again"
    if why is Shuffle.FORCED:
        few = f"only {_cards(left)}" if left else "no cards"
        return f"has {few} left and must shuffle {pile} back in"
    short = f"{_cards(left)} left, which is not enough," if left else "no cards left"
    return f"has {short} and shuffles {pile} back in first"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: cards, results with their odds, pools and conditions."""
    match event:
        case m.CharacterCreated(entity, seat=seat):
            return (Owned(entity, seat),)
        case m.Flipped() | m.NumberFlipped():
            return _flip_counts(event)
        case m.Reshuffled(entity, why, left, returned):
            return (Moved(entity, LEFT_POOL, returned, why, left + returned),) if returned else ()
        case m.CardMoved():
            return _count_moved_card(event)
        case m.ConditionSet() | m.ConditionTicked() | m.ConditionEnded():
            return _count_rounds(event)
        case m.CounterSet(entity, counter):
            was, value_now = event.old or 0, event.value or 0
            return _moved(entity, counter, value_now - was, "set", value_now)
        case m.StaminaLost() | m.Injured() | m.BreatherTaken() | m.Recovered():
            return _count_stamina(event)
        case _:
            return ()


def _moved(entity: str, pool: str, by: int, why: str, now: int) -> Counts:
    """Return the change to the pool, or () if it did not change."""
    return (Moved(entity, pool, by, why, now),) if by else ()


def _count_moved_card(event: m.CardMoved) -> Counts:
    exhausted = len(event.exhausted or ())
    left = CARDS - len(event.discard) - exhausted
    by = (event.new is Pile.DECK) - (event.old is Pile.DECK)
    regained = (event.old is Pile.EXHAUSTION) - (event.new is Pile.EXHAUSTION)
    return (
        *_moved(event.entity, LEFT_POOL, by, "adjusted", left),
        *_moved(event.entity, STAMINA_POOL, regained, "adjusted", STAMINA - exhausted),
    )


def _count_rounds(event: m.ConditionSet | m.ConditionTicked | m.ConditionEnded) -> Counts:
    """Return a count of the condition's rounds left, or () if it is not counted in rounds."""
    if event.rounds is UNSET:
        return ()
    if isinstance(event, m.ConditionEnded):
        return (Ticked(event.entity, event.name, 0, is_set=True),)
    is_set = isinstance(event, m.ConditionSet)
    return (Ticked(event.entity, event.name, event.rounds, is_set),)


def _count_stamina(event: m.StaminaLost | m.Injured | m.BreatherTaken | m.Recovered) -> Counts:
    """Return the drawn cards or the rolled die, and the changes to stamina and tokens."""
    match event:
        case m.StaminaLost(entity):
            left = STAMINA - len(event.exhausted) - len(event.lost)
            lost = _moved(entity, STAMINA_POOL, -len(event.lost), "lost", left)
            return *_drawn(event, STAMINA_POOL), _cards_left(event, STAMINA_POOL), *lost
        case m.Injured(entity, injury, harm, wounds):
            if injury is Injury.HARM:
                return _moved(entity, HARM_POOL, 1, "injury", harm)
            return _moved(entity, WOUNDS_POOL, 1, "injury", wounds)
        case m.BreatherTaken(entity):
            left = STAMINA - len(event.exhausted)
            regained = _moved(entity, STAMINA_POOL, len(event.regained), BREATHER, left)
            if event.die is UNSET:
                return regained
            die = str(event.die)
            attempted = Attempted(entity, BREATHER, die, die, D4_CHANCES)
            return Rolled(entity, D4, die, BREATHER), attempted, *regained
        case m.Recovered(entity, recovery):
            left = STAMINA - len(event.exhausted)
            return (
                *_moved(entity, STAMINA_POOL, len(event.regained), recovery, left),
                *_moved(entity, HARM_POOL, -event.harm_healed, recovery, event.harm),
                *_moved(entity, WOUNDS_POOL, -event.wounds_healed, recovery, event.wounds),
            )


def _flip_counts(event: m.Flipped | m.NumberFlipped) -> Counts:
    """Return each card, the outcome of the flip with its odds, the result and the cards left."""
    attempted = _flip_attempt(event) if isinstance(event, m.Flipped) else _number_attempt(event)
    entity, use, outcome = attempted.entity, attempted.use, attempted.outcome
    settled = Settled(entity, use, outcome, outcome)
    return *_drawn(event, use), attempted, settled, _cards_left(event, use)


def _flip_attempt(event: m.Flipped) -> Attempted:
    hands = comb(sum(event.left), len(event.cards))
    ways = rules.result_ways(event.left, event.difficulty)
    return Attempted(
        event.entity,
        event.stat,
        " + ".join(event.cards),
        event.result,
        {result: reduce(number, hands) for result, number in ways.items()},
        tuple(result for result in SUCCESSES if result in ways),
        given={
            "left": sum(event.left),
            "difficulty": event.difficulty,
            "rank": event.rank,
        },
    )


def _number_attempt(event: m.NumberFlipped) -> Attempted:
    """Return the number with its odds, which are not ranked: a high number may be good or bad."""
    gone = _gone(event)
    ways = rules.number_ways(event.deck, gone, event.number)
    return Attempted(
        event.entity,
        event.number,
        " + ".join(event.cards),
        str(event.value),
        {str(value): reduce(number, sum(ways.values())) for value, number in ways.items()},
        is_ranked=False,
        given={"left": CARDS - len(gone)},
    )


def _drawn(event: m.Flipped | m.NumberFlipped | m.StaminaLost, use: str) -> Iterator[Rolled]:
    """Yield each card with those that were left before it."""
    left = list(rules.cards_left(event.deck, _gone(event)))
    for card in event.cards:
        yield Rolled(event.entity, f"deck {event.deck}", card, use, tuple(left))
        left.remove(card)


def _cards_left(event: m.Flipped | m.NumberFlipped | m.StaminaLost, use: str) -> Moved:
    drawn = len(event.cards)
    return Moved(event.entity, LEFT_POOL, -drawn, use, CARDS - len(_gone(event)) - drawn)


def _gone(event: m.Flipped | m.NumberFlipped | m.StaminaLost) -> tuple[str, ...]:
    """Return the cards that were not in the deck before the draw."""
    return event.discard + (event.exhausted or ())
