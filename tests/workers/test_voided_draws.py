"""What stands behind a draw that was given up, worked out from the links that its seats keep to themselves."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec import UNSET

from domain import codec
from domain.chance import SeededChance
from domain.decider import Refused
from domain.proof import hash_chain
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import Declared, DrawVoided, SealOpened
from domain.visibility import PUBLIC_VIEWER, turns_hidden_from
from projections.statistics_model import VoidedValues
from projections.tallies import session_tallies
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import TableSession, play_table
from workers.statistics.report import compute_report
from workers.voided_draws import voided_results, voided_results_of_session

SEEDS = range(scale(2, 10))
TABLES = [
    pytest.param(ruleset, seed, id=f"{ruleset.name}-{seed}")
    for ruleset in SCALED_RULESETS
    for seed in SEEDS
]


@cache
def table_of(name: str, seed: int) -> TableSession:
    return play_table(next(ruleset for ruleset in RULESETS if ruleset.name == name), seed, 60)


def voids(table: TableSession) -> dict[int, tuple[RecordedEvent, RecordedEvent]]:
    """Each void's declaration and its end, by k."""
    declared = {
        fact.body.draw.k: fact
        for fact in table.facts
        if isinstance(fact.body, Declared) and fact.body.draw
    }
    return {
        fact.body.k: (declared[fact.body.k], fact)
        for fact in table.facts
        if isinstance(fact.body, DrawVoided)
    }


def would_have_been(table: TableSession, k: int) -> VoidedValues | None:
    """Of an open wish: what the house gave, and what each seat's device holds for the place that it was asked for."""
    declared, voided = voids(table)[k]
    wish = declared.body
    assert isinstance(wish, Declared)
    assert isinstance(voided.body, DrawVoided)
    assert wish.draw is not UNSET
    house = next(given for given in voided.body.contributions if given.seat == "house")
    links = [
        (
            seat,
            number,
            at,
            bytes.fromhex(house.link)
            if seat == "house"
            else table.devices[seat].chains[number][at],
        )
        for seat, number, at in wish.draw.contributors
    ]
    made = hash_chain.seed(bytes.fromhex(table.id), k, links, b"")
    before, chance = table.then(declared.version - 1), SeededChance(lambda: made)
    command = codec.decode_command(table.ruleset, wish.command)  # type: ignore[arg-type]
    try:
        events = table.ruleset.decider.decide(
            before.table, command, before.by(declared.seat), chance
        )
    except Refused:
        return None
    return VoidedValues(chance.values, tuple(map(table.ruleset.describe, events)))


@pytest.mark.parametrize(("ruleset", "seed"), TABLES)
def test_a_shadow_is_what_the_seats_would_have_given(ruleset: AnyRuleset, seed: int) -> None:
    table = table_of(ruleset.name, seed)
    found = voided_results(table.facts, table.then)
    assert found.keys() == voids(table).keys()
    for k, behind in found.items():
        wish = voids(table)[k][0].body
        assert isinstance(wish, Declared)
        if behind.shadow is not UNSET and wish.command is not UNSET:
            assert behind.shadow == would_have_been(table, k)


@pytest.mark.parametrize(("ruleset", "seed"), TABLES)
def test_what_is_hidden_has_no_shadow_and_casts_none(ruleset: AnyRuleset, seed: int) -> None:
    """Nobody in particular sees no secret's shadow, and none of a table that a secret has changed."""
    table = table_of(ruleset.name, seed)
    turns = turns_hidden_from(table.session, PUBLIC_VIEWER)
    open_to_all = {fact.body.k for fact in table.facts if isinstance(fact.body, SealOpened)}
    for k, behind in voided_results(table.facts, table.then, turns).items():
        declared, _ = voids(table)[k]
        assert isinstance(declared.body, Declared)
        if declared.body.command is UNSET and k not in open_to_all:
            assert behind.shadow is UNSET


def test_some_shadows_are_known_and_some_are_not() -> None:
    tables = [table_of(ruleset.name, seed) for ruleset in SCALED_RULESETS for seed in SEEDS]
    found = [
        behind for table in tables for behind in voided_results(table.facts, table.then).values()
    ]
    assert {behind.shadow is UNSET for behind in found} == {True, False}
    assert {behind.again is UNSET for behind in found} == {True, False}


@pytest.mark.parametrize(("ruleset", "seed"), TABLES)
def test_again_is_the_seats_next_roll_of_the_kind(ruleset: AnyRuleset, seed: int) -> None:
    table = table_of(ruleset.name, seed)
    rolls = [
        fact
        for fact in table.facts
        if isinstance(fact.body, Declared)
        and (fact.body.draw is not UNSET or fact.body.values is not UNSET)
    ]
    for k, behind in voided_results(table.facts, table.then).items():
        declared, voided = voids(table)[k]
        later = [
            roll for roll in rolls if roll.version > voided.version and roll.seat == declared.seat
        ]
        alike = [roll.version for roll in later if kind(roll) == kind(declared)]
        if kind(declared) and all(map(kind, later)):  # else a secret one may be of any kind
            assert behind.again == (alike[0] if alike else UNSET)


def kind(fact: RecordedEvent) -> str:
    assert isinstance(fact.body, Declared)
    if fact.body.command is UNSET:
        return ""
    return bytes(fact.body.command).partition(b'"kind":"')[2].partition(b'"')[0].decode()


def test_the_figures_take_them() -> None:
    table = next(table for seed in SEEDS if voids(table := table_of(RULESETS[0].name, seed)))
    evening = session_tallies(table.ruleset, table.facts, table.then)
    behind = voided_results_of_session(evening, lambda: table.facts, table.then)
    found = compute_report(evening, voided=behind).draws.voids
    assert [(void.k, void.shadow, void.again) for void in found] == [
        (k, *each) for k, each in behind.items()
    ]


def test_facts_are_read_only_where_there_is_a_void() -> None:
    evening = session_tallies(RULESETS[0], TableSession().facts)

    def read() -> list[RecordedEvent]:
        raise AssertionError

    assert voided_results_of_session(evening, read, TableSession().then) == {}
