"""What a voided draw would have given, worked out from the links that its seats keep to themselves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
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
from projections.results import STATISTICS
from projections.statistics_model import PossibleValue, SessionReport, VoidedResult, VoidedValues
from projections.tallies import session_tallies
from tests.projections.contract import results_of
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import TableSession, play_table
from tests.workers.stand_ins import stand_in
from workers import session_statistics
from workers.jobs import compute_statistics
from workers.statistics.report import compute_report
from workers.voided_draws import voided_results

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
    values = tuple(PossibleValue(*each) for each in chance.values)
    return VoidedValues(values, tuple(map(table.ruleset.describe, events)))


@pytest.mark.parametrize(("ruleset", "seed"), TABLES)
def test_the_result_is_what_the_seats_would_have_given(ruleset: AnyRuleset, seed: int) -> None:
    table = table_of(ruleset.name, seed)
    found = voided_results(table.facts, table.then)
    assert found.keys() == voids(table).keys()
    for k, behind in found.items():
        wish = voids(table)[k][0].body
        assert isinstance(wish, Declared)
        if behind.result is not UNSET and wish.command is not UNSET:
            assert behind.result == would_have_been(table, k)


@pytest.mark.parametrize(("ruleset", "seed"), TABLES)
def test_what_is_hidden_has_no_result_and_changes_none(ruleset: AnyRuleset, seed: int) -> None:
    """Nobody in particular sees no secret's result, and none of a table that a secret has changed."""
    table = table_of(ruleset.name, seed)
    turns = turns_hidden_from(table.session, PUBLIC_VIEWER)
    open_to_all = {fact.body.k for fact in table.facts if isinstance(fact.body, SealOpened)}
    for k, behind in voided_results(table.facts, table.then, turns).items():
        declared, _ = voids(table)[k]
        assert isinstance(declared.body, Declared)
        if declared.body.command is UNSET and k not in open_to_all:
            assert behind.result is UNSET


def test_some_results_are_known_and_some_are_not() -> None:
    tables = [table_of(ruleset.name, seed) for ruleset in SCALED_RULESETS for seed in SEEDS]
    found = [
        behind for table in tables for behind in voided_results(table.facts, table.then).values()
    ]
    assert {behind.result is UNSET for behind in found} == {True, False}
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


@pytest.mark.parametrize(("ruleset", "seed"), TABLES)
def test_the_newest_events_alone_give_the_same_or_less(ruleset: AnyRuleset, seed: int) -> None:
    """A job reads only these. A link can be missing there, but no other one is in its place."""
    table = table_of(ruleset.name, seed)
    whole, log_format = voided_results(table.facts, table.then), table.session.info.log_format
    for cut in range(1, len(table.facts), len(table.facts) // 4):
        found = voided_results(table.facts[cut:], table.then, log_format=log_format)
        assert found.keys() == {
            k for k, (declared, _) in voids(table).items() if declared.version > cut
        }
        for k, behind in found.items():
            assert behind.again == whole[k].again
            assert behind.result in (UNSET, whole[k].result)
        unknown = voided_results(
            table.facts[cut:], table.then, log_format=log_format, is_known=False
        )
        assert all(behind.result is UNSET for behind in unknown.values())
        assert {k: behind.again for k, behind in unknown.items()} == {
            k: behind.again for k, behind in found.items()
        }


def test_a_report_takes_them() -> None:
    table = next(table for seed in SEEDS if voids(table := table_of(RULESETS[0].name, seed)))
    evening = session_tallies(table.ruleset, table.facts, table.then)
    behind = voided_results(table.facts, table.then)
    found = compute_report(evening, voided=behind).draws.voids
    assert [(void.draw, void.result, void.again) for void in found] == [
        (k, each.result, each.again) for k, each in behind.items()
    ]


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
def test_jobs_find_them_as_the_session_goes_on(ruleset: AnyRuleset, tmp_path: Path) -> None:
    """For everyone who may look: the result when the draw is voided, and the next roll when it is made."""
    table = next(table for seed in range(9) if voids(table := table_of(ruleset.name, seed)))
    for hidden, found in stored_voids(table, tmp_path).items():
        assert found == voided_results(table.facts, table.then, hidden)


@pytest.mark.parametrize("window", [5, 60])
def test_jobs_look_for_the_newest_ones(
    tmp_path: Path, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they miss stays unknown. They never tell what the viewer may not know, or anything else."""
    monkeypatch.setattr(session_statistics, "VOID_WINDOW", window)
    table, known = table_of("deckahedron", 2), 0
    for hidden, found in stored_voids(table, tmp_path).items():
        wanted = voided_results(table.facts, table.then, hidden)
        assert found.keys() == wanted.keys()
        for k, behind in found.items():
            known += behind.result is not UNSET
            assert behind.result in (UNSET, wanted[k].result)
            assert behind.again in (UNSET, wanted[k].again)
    assert known or window == 5, "the missing link came later"


def stored_voids(
    table: TableSession, folder: Path
) -> dict[tuple[int, ...], dict[int, VoidedResult]]:
    """Return what jobs find out about voided draws, by the turns that are hidden from viewers.

    There is a job after each of the last voids, a few events later, and at the end.
    """
    app, ends = stand_in(folder), [fact.version for _, fact in list(voids(table).values())[-2:]]
    try:
        for end in (*(end + more for end in ends for more in (0, 3)), len(table.facts)):
            app.log.append(table.facts[app.log.end() : max(end, app.log.end())])
            compute_statistics(app, table.id)  # type: ignore[arg-type]
        stored = results_of(app.read_models, table.id, STATISTICS)
    finally:
        app.read_models.close()
    reports = {each.hidden: msgspec.json.decode(each.body, type=SessionReport) for each in stored}
    return {
        hidden: {void.draw: VoidedResult(void.result, void.again) for void in found.draws.voids}
        for hidden, found in reports.items()
    }


def test_without_a_void_there_is_none() -> None:
    evening = TableSession()
    assert voided_results(evening.facts, evening.then) == {}
    assert voided_results([], evening.then) == {}
