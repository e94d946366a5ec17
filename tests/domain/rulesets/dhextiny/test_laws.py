"""What holds for any evening, whatever is commanded and however the dice fall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Enumerated
from domain.decider import By, Refused, fold
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny import ruleset
from domain.rulesets.dhextiny.rules import MAX_POINTS, MIN_LP, Options, Result, Status
from domain.rulesets.dhextiny.state import State
from domain.tally import Moved
from tests.domain.rulesets.dhextiny.people import GM, P1, P2, SPECTATOR

DECIDER = ruleset.decider
EVENTS: msgspec.json.Decoder[tuple[m.Event, ...]] = msgspec.json.Decoder(tuple[m.Event, ...])

entities = st.sampled_from(["ana", "rat", "ana", "rat", "ben", "tobin", "nobody"])
abilities = st.sampled_from(["locks", "locks", "locks", "sword"])
maybe = st.one_of(st.just(UNSET), abilities)
reasons = st.just("so it is")
ap = st.integers(0, 20)
options = st.builds(
    Options,
    point=st.integers(0, 5),
    last_result=st.one_of(st.just(UNSET), st.sampled_from(Result)),
    s_surcharge_counts_for_amx=st.booleans(),
    natural_f_gains_at_once=st.booleans(),
    gains_stop_at_ap_max=st.booleans(),
    spared_creatures_die_at_zero=st.booleans(),
)
characters: st.SearchStrategy[m.Command] = st.one_of(
    st.builds(m.CreatePc, entities, st.just("Somebody"), st.sampled_from(["p1", "p2", UNSET])),
    st.builds(m.CreateNpc, entities, st.just("Somebody")),
    st.builds(m.CreateCreature, entities, st.just("Somebody"), st.integers(1, 9), st.booleans()),
    st.builds(m.RollAbilities, entities),
    st.builds(m.NameAbility, entities, abilities, st.one_of(st.just(UNSET), st.integers(0, 9))),
)
actions: st.SearchStrategy[m.Command] = st.one_of(
    st.builds(m.Check, entities, maybe),
    st.builds(m.Attack, entities, entities, maybe),
    st.builds(m.PutOut, entities, entities, maybe),
    st.builds(m.Alter, entities, abilities, st.integers(1, 5)),
    st.builds(m.AlterToF, entities, abilities),
    st.builds(m.Settle, entities),
    st.builds(m.Settle, entities),
    st.builds(m.DeathCheck, entities),
)
mastery: st.SearchStrategy[m.Command] = st.one_of(
    st.builds(m.SetAflame, entities),
    st.builds(m.EndRound),
    st.builds(m.Burn, entities, st.integers(1, 9) | st.integers(1, MAX_POINTS)),
    st.builds(m.Rest, entities),
    st.builds(m.Kill, entities, reasons),
    st.builds(m.AdjustAp, entities, ap, reasons),
    st.builds(m.AdjustApMax, entities, ap, reasons),
    st.builds(m.AdjustLp, entities, st.integers(-9, 9), reasons),
    st.builds(m.AdjustAmx, entities, abilities, st.integers(0, 9), reasons),
    st.builds(m.AdjustStatus, entities, st.sampled_from(Status), reasons),
    st.builds(m.MoveToken, st.integers(0, 5), reasons),
)


class Wish(NamedTuple):
    by: By | None
    command: m.Command
    face: int


OPENING = [
    Wish(P1, m.CreatePc("ana", "Ana"), 1),
    Wish(P2, m.CreatePc("ben", "Ben"), 1),
    Wish(GM, m.CreateNpc("tobin", "Tobin"), 1),
    Wish(GM, m.CreateCreature("rat", "The rat", 9), 1),
    Wish(P1, m.RollAbilities("ana"), 6),
    Wish(P1, m.NameAbility("ana", "locks"), 1),
    Wish(GM, m.NameAbility("rat", "locks", 7), 1),
]
OWNERS = {"ana": P1, "ben": P2}

faces = st.integers(1, 6)
anybody = st.sampled_from([GM, P1, P2, SPECTATOR])
wishes = st.one_of(
    st.builds(Wish, st.none(), actions, faces),
    st.builds(Wish, st.none(), actions, faces),
    st.builds(Wish, st.just(GM), mastery, faces),
    st.builds(Wish, anybody, characters | actions | mastery, faces),
)
scripts = st.lists(wishes, min_size=20, max_size=60).map(lambda rest: [*OPENING, *rest])


def meant(state: State, wish: Wish) -> Wish:
    """A wish of nobody is its owner's, and one about the open check means the entity whose check it is."""
    command = wish.command
    if wish.by is not None:
        return wish
    if isinstance(command, m.Alter | m.AlterToF | m.Settle) and state.check is not UNSET:
        command = replace(command, entity=state.check.entity)
    return Wish(OWNERS.get(getattr(command, "entity", ""), GM), command, wish.face)


class Turn(NamedTuple):
    """A command, the state before it and what it came to: events, or none where a rule refused."""

    state: State
    command: m.Command
    by: By
    face: int
    events: tuple[m.Event, ...]
    refused: bool
    asked: list[int]


def judged(state: State, command: m.Command, by: By, face: int) -> Turn:
    """Any exception but Refused breaks the law."""
    chance = Enumerated((face,))
    try:
        return Turn(
            state,
            command,
            by,
            face,
            DECIDER.decide(state, command, by, chance),
            False,
            chance.sides,
        )
    except Refused:
        return Turn(state, command, by, face, (), True, chance.sides)


def evening(script: list[Wish], opened: Options) -> Iterator[Turn]:
    state = DECIDER.initial(opened)
    for wish in script:
        by, command, face = meant(state, wish)
        assert by is not None
        turn = judged(state, command, by, face)
        yield turn
        state = after(turn)


def after(turn: Turn) -> State:
    return fold(DECIDER.evolve, turn.state, turn.events)


@given(scripts, options)
def test_the_folded_log_is_the_state_that_grew(script: list[Wish], opened: Options) -> None:
    turns = list(evening(script, opened))
    log = [event for turn in turns for event in turn.events]
    assert fold(DECIDER.evolve, DECIDER.initial(opened), log) == after(turns[-1])


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


@given(scripts, options)
def test_decide_is_a_function_and_changes_nothing(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        before = msgspec.json.encode(turn.state)
        assert judged(turn.state, turn.command, turn.by, turn.face) == turn
        assert msgspec.json.encode(turn.state) == before


@given(scripts, options)
def test_what_is_refused_is_refused_before_a_die_falls(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        assert turn.asked == [] if turn.refused else turn.asked in ([], [6])


@given(scripts, options)
def test_the_numbers_stay_on_the_sheet(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        assert 0 <= turn.state.point <= 5
        for entity in turn.state.entities.values():
            assert 0 <= entity.ap <= (entity.ap_max if opened.gains_stop_at_ap_max else MAX_POINTS)
            assert MIN_LP <= entity.lp <= entity.lp_start
            assert entity.status is Status.DEAD or (entity.status is Status.OK) == (entity.lp > 0)
            assert 0 <= entity.aflame <= 6
            assert len({ability.name for ability in entity.abilities}) == len(entity.abilities)


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


@given(scripts, options)
def test_what_happened_can_be_told_and_counted(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for event in turn.events:
            assert ruleset.tell(event).endswith(".")
            assert all(count.entity for count in ruleset.tally(event))


@given(scripts, options)
def test_what_is_counted_is_what_the_pools_moved(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        counts = [
            count
            for event in turn.events
            for count in ruleset.tally(event)
            if isinstance(count, Moved)
        ]
        now = after(turn).entities
        for name, was in turn.state.entities.items():
            for pool, before, left in [("AP", was.ap, now[name].ap), ("LP", was.lp, now[name].lp)]:
                moved = [count for count in counts if (count.entity, count.pool) == (name, pool)]
                assert left - before == sum(count.by for count in moved)
                assert [left] * bool(moved) == [count.now for count in moved[-1:]]
