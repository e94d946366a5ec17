"""What holds for any evening with these decks, whatever is commanded and however the cards fall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain.decider import By, Refused, fold
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron import ruleset
from domain.rulesets.deckahedron.rules import (
    CARDS,
    DECKS,
    METHODS,
    DeckName,
    Difficulty,
    Number,
    Options,
    Pile,
    Stat,
    TiedCards,
    counting_result,
    number_on,
    result_on,
)
from domain.rulesets.deckahedron.state import State
from domain.tally import Moved
from tests.domain.rulesets.deckahedron.people import GM, P1, P2, SPECTATOR
from tests.scale import scale

DECIDER = ruleset.decider
EVENTS: msgspec.json.Decoder[tuple[m.Event, ...]] = msgspec.json.Decoder(tuple[m.Event, ...])
thoroughly = settings(max_examples=scale(25, 500), deadline=None)

entities = st.sampled_from(["ana", "ana", "ben", "ben", "cleo"])
ranks = st.integers(0, 5)
words = st.sampled_from(["so it is", "Ünïcode — 🎲"])
numbers = st.integers(1, CARDS)
options = st.builds(Options, st.sampled_from(DeckName), st.sampled_from(TiedCards))
characters: st.SearchStrategy[m.Command] = st.one_of(
    st.builds(m.CreateCharacter, entities, words, st.sampled_from(["p1", "p2", "p3", UNSET])),
    st.builds(m.DistributeRanks, entities, ranks, ranks, ranks),
    st.builds(lambda who: m.DistributeRanks(who, 3, 2, 1), entities),
    st.builds(m.Introduce, entities, words, words | st.just(UNSET), words, words),
    st.builds(m.Retire, entities, words),
)
attempts: st.SearchStrategy[m.Command] = st.one_of(
    st.builds(m.Attempt, entities, words),
    st.builds(m.SetDifficulty, entities, st.sampled_from(Stat), st.sampled_from(Difficulty)),
    st.builds(m.SetDifficulty, entities, st.sampled_from(Stat), st.sampled_from(Difficulty)),
    st.builds(m.Flip, entities),
    st.builds(m.Flip, entities),
    st.builds(m.Choose, entities, numbers),
    st.builds(m.Interpret, entities, words),
    st.builds(m.Interpret, entities, words),
)
upkeep: st.SearchStrategy[m.Command] = st.one_of(
    st.builds(m.TellOutcome, entities, words),
    st.builds(m.Withdraw, entities),
    st.builds(m.OpenTurn, entities),
    st.builds(m.EndTurn, entities),
    st.builds(m.Reshuffle, entities),
    st.builds(m.FlipNumber, entities, st.sampled_from(Number)),
    st.builds(m.AdjustRanks, entities, words, ranks, ranks, ranks | st.just(UNSET)),
    st.builds(m.MoveCard, entities, numbers, st.sampled_from(Pile), words),
)
PLAYERS = {"ana": P1, "ben": P2, "cleo": By("p3", P1.role)}
MASTERY = (m.SetDifficulty, m.Interpret, m.TellOutcome, m.OpenTurn, m.AdjustRanks, m.MoveCard)


class Wish(NamedTuple):
    """Absent `by`: whoever may most likely."""

    by: By | None
    command: m.Command
    falls: tuple[int, ...]


falls = st.lists(st.integers(1, CARDS), max_size=5).map(tuple)
anybody = st.sampled_from([GM, P1, P2, SPECTATOR])
wishes = st.one_of(
    st.builds(Wish, st.none(), attempts, falls),
    st.builds(Wish, st.none(), attempts, falls),
    st.builds(Wish, st.none(), upkeep, falls),
    st.builds(Wish, anybody, characters | attempts | upkeep, falls),
)
OPENING = [
    Wish(P1, m.CreateCharacter("ana", "Ana"), ()),
    Wish(P2, m.CreateCharacter("ben", "Ben"), ()),
    Wish(P1, m.DistributeRanks("ana", 4, 1, 1), ()),
    Wish(GM, m.OpenTurn("ben"), ()),
]
scripts = st.lists(wishes, min_size=20, max_size=60).map(lambda rest: [*OPENING, *rest])


class Falls:
    """The cards lie as the numbers say, as far as there are so many left; then the first ones."""

    def __init__(self, wanted: tuple[int, ...]) -> None:
        self.path, self.sides = wanted, list[int]()

    def draw(self, sides: int) -> int:
        self.sides.append(sides)
        nth = len(self.sides) - 1
        return min(self.path[nth], sides) if nth < len(self.path) else 1


class Turn(NamedTuple):
    """A command, the state before it and what it came to: events, or the rule that refused it."""

    state: State
    wish: Wish
    by: By
    events: tuple[m.Event, ...]
    refused: str
    asked: tuple[int, ...]


def judged(state: State, wish: Wish) -> Turn:
    """Any exception but Refused breaks the law."""
    chance = Falls(wish.falls)
    likely = (
        GM if isinstance(wish.command, MASTERY) else PLAYERS[getattr(wish.command, "entity", "ana")]
    )
    by = likely if wish.by is None else wish.by
    try:
        events = DECIDER.decide(state, wish.command, by, chance)
    except Refused as refused:
        return Turn(state, wish, by, (), refused.rule, tuple(chance.sides))
    return Turn(state, wish, by, events, "", tuple(chance.sides))


def evening(script: list[Wish], opened: Options) -> Iterator[Turn]:
    state = DECIDER.initial(opened)
    for wish in script:
        turn = judged(state, wish)
        yield turn
        state = after(turn)


def after(turn: Turn) -> State:
    return fold(DECIDER.evolve, turn.state, turn.events)


@thoroughly
@given(scripts, options)
def test_the_folded_log_is_the_state_that_grew(script: list[Wish], opened: Options) -> None:
    turns = list(evening(script, opened))
    log = [event for turn in turns for event in turn.events]
    assert fold(DECIDER.evolve, DECIDER.initial(opened), log) == after(turns[-1])


@thoroughly
@given(scripts, options, st.data())
def test_evolve_and_show_take_any_part_of_a_log(
    script: list[Wish], opened: Options, data: st.DataObject
) -> None:
    log = [event for turn in evening(script, opened) for event in turn.events]
    seen = data.draw(st.lists(st.booleans(), min_size=len(log), max_size=len(log)))
    state = DECIDER.initial(opened)
    for event, open_to_viewer in zip(log, seen, strict=True):
        state = DECIDER.evolve(state, event) if open_to_viewer else state
        ruleset.show(state)


@thoroughly
@given(scripts, options)
def test_decide_is_a_function_also_of_a_state_restored_in_another_order(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        before = msgspec.json.encode(turn.state)
        sorted_again = msgspec.json.decode(
            msgspec.json.encode(turn.state, order="sorted"), type=State
        )
        assert judged(turn.state, turn.wish) == turn
        assert judged(sorted_again, turn.wish)._replace(state=turn.state) == turn
        assert msgspec.json.encode(turn.state) == before


@thoroughly
@given(scripts, options)
def test_a_refusal_comes_before_a_card_is_flipped_and_each_flip_asks_for_one_of_the_cards_left(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        flips = [event for event in turn.events if isinstance(event, m.Flipped | m.NumberFlipped)]
        left = [
            CARDS - len(event.discard) - nth for event in flips for nth in range(len(event.cards))
        ]
        assert list(turn.asked) == left


@thoroughly
@given(scripts, options)
def test_twenty_cards_six_points_and_one_character_a_seat(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        state = after(turn)
        seats = [of.seat for of in state.characters.values() if not of.retired]
        assert len(seats) == len(set(seats))
        for of in state.characters.values():
            assert len(set(of.discard)) == len(of.discard) <= CARDS
            assert set(of.discard) <= set(DECKS[opened.deck])
            spread = [of.ranks.of(stat) for stat in Stat]
            assert (sum(spread), min(spread) >= 1, max(spread) <= 4) == (6, True, True)


@thoroughly
@given(scripts, options)
def test_a_hand_is_what_the_difficulty_says_and_its_result_is_on_the_card_that_resolves(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        for event in turn.events:
            if isinstance(event, m.Flipped):
                assert len(event.cards) == METHODS[event.difficulty].flips
                assert list(event.results) == [result_on(card, event.rank) for card in event.cards]
                assert (
                    result_on(event.card, event.rank)
                    is event.result
                    is counting_result(event.results, event.difficulty)
                )
                assert not set(event.cards) & set(event.discard)
            if isinstance(event, m.NumberFlipped):
                *zeros, last = [number_on(card, event.number) for card in event.cards]
                assert (set(zeros) <= {0}, last) == (True, event.value)


@thoroughly
@given(scripts, options)
def test_whoever_has_no_longer_turn_never_waits_with_five_cards_after_an_action(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        if any(isinstance(event, m.Interpreted | m.NumberFlipped) for event in turn.events):
            of = after(turn).characters[turn.events[0].entity]  # type: ignore[union-attr]
            assert of.turn_open or CARDS - len(of.discard) > 5


@thoroughly
@given(scripts, options)
def test_a_reshuffle_makes_the_deck_whole(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        state = turn.state
        for event in turn.events:
            if isinstance(event, m.Reshuffled):
                assert (
                    len(state.characters[event.entity].discard)
                    == event.returned
                    == CARDS - event.left
                )
            state = DECIDER.evolve(state, event)
            if isinstance(event, m.Reshuffled):
                assert state.characters[event.entity].discard == ()


@thoroughly
@given(scripts, options)
def test_what_is_counted_is_what_the_decks_lost_and_gained(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        counts = [
            count
            for event in turn.events
            for count in ruleset.tally(event)
            if isinstance(count, Moved)
        ]
        now = after(turn).characters
        for name, was in turn.state.characters.items():
            moved, lost = (
                [count for count in counts if count.entity == name],
                len(now[name].discard) - len(was.discard),
            )
            assert -lost == sum(count.by for count in moved)
            assert [CARDS - len(now[name].discard)] * bool(moved) == [
                count.now for count in moved[-1:]
            ]


@thoroughly
@given(scripts, options)
def test_a_snapshot_is_json_without_null_or_float(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        assert msgspec.json.decode(msgspec.json.encode(turn.state), type=State) == turn.state
        assert EVENTS.decode(msgspec.json.encode(turn.events)) == turn.events
        for part in (turn.state, turn.events, ruleset.show(turn.state)):
            assert plain(msgspec.json.decode(msgspec.json.encode(part)))


def plain(part: object) -> bool:
    match part:
        case dict():
            return all(plain(value) for value in part.values())
        case list():
            return all(map(plain, part))
        case int():
            return abs(part) < 2**53
        case _:
            return isinstance(part, str)


@thoroughly
@given(scripts, options)
def test_what_happened_can_be_told(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        assert all(ruleset.tell(event)[-1] in '."' for event in turn.events)
