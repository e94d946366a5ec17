"""Random evenings at which the table draws, in every room: what holds of all logs holds of theirs.

Of two rooms, and of two seeds of a room, one evening has format 1 and the other format 2.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache, partial
from itertools import pairwise

import pytest
from msgspec import UNSET

from domain.codec import decode, encode
from domain.decider import fold
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.annotations import grade
from domain.session.descriptions import describe, tally
from domain.session.evolve import evolve
from domain.session.messages import EVENTS, Declared, Drawn, DrawVoided, PresenceSet, SeatLeft
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import HOUSE, History, initial
from domain.tally import Graded, Voided
from domain.verify import Evidence, verify
from domain.verify.report import Level, Report
from domain.verify.views_check import DescribedEvent, ServerViews, TalliedEvent
from domain.visibility import Viewer, visible_session
from service.platform.ed25519 import verify as ed25519
from tests.domain.broken_table_draws import lines
from tests.domain.forks import file_of
from tests.domain.replay import Replay
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import TableSession, play_table

SEEDS, TURNS = scale(1, 10), scale(80, 150)
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
every_seed = pytest.mark.parametrize("seed", range(SEEDS))


@lru_cache(maxsize=256)
def played(ruleset: AnyRuleset, seed: int) -> TableSession:
    is_newer = (SCALED_RULESETS.index(ruleset) + seed) % 2
    return play_table(ruleset, seed, TURNS, log_format=2 if is_newer else 1)


@cache
def report_of(ruleset: AnyRuleset, seed: int) -> Report:
    return verify(lines(of=played(ruleset, seed), given=played(ruleset, seed).facts), ed25519)


def past_of(table: TableSession) -> History:
    return History(table.then, lambda after, upto: table.facts[after:upto])


@every_ruleset
@every_seed
def test_every_evening_is_valid_and_all_of_it_is_checked(ruleset: AnyRuleset, seed: int) -> None:
    table, report = played(ruleset, seed), report_of(ruleset, seed)
    assert report.failure is None
    assert report.reached is Level.VIEWS
    assert report.counts.events == len(table.facts)
    assert report.counts.turns == len({fact.turn for fact in table.facts})
    assert report.counts.voids == sum(isinstance(fact.body, DrawVoided) for fact in table.facts)
    graded = [(fact.version, letter) for fact in table.facts if (letter := grade(fact, table.then))]
    assert [(each.version, each.grade) for each in report.grades] == graded
    assert any(each.code == "W_FORMAT_1" for each in report.warnings) is (table.log_format == 1)


@every_ruleset
def test_every_turn_can_be_the_last_and_so_can_a_waiting_draw(ruleset: AnyRuleset) -> None:
    table = played(ruleset, 0)
    ends = [
        one.version
        for one, then in pairwise(table.facts)
        if one.turn != then.turn or waits_at(table, one.version)
    ]
    for end in ends[:: scale(4, 1)]:
        report = verify(lines(of=table, given=table.facts[:end]), ed25519)
        assert report.failure is None, end
        waits = [caution.versions for caution in report.warnings if caution.code == "W_OPEN_END"]
        assert waits == ([(waits_at(table, end),)] if waits_at(table, end) else []), end


def waits_at(table: TableSession, version: int) -> int | None:
    """The declaration that waits for seats at a version; the house's own draws are appended whole."""
    pending = table.then(version).pending
    return pending.version if pending and len(pending.contributors) > 1 else None


@every_ruleset
@every_seed
def test_every_version_is_the_replay_of_its_lineage(ruleset: AnyRuleset, seed: int) -> None:
    table = played(ruleset, seed)
    replay, past = Replay(ruleset, table.facts), past_of(table)
    for version in range(1, table.session.version + 1, scale(2, 1)):
        session, hidden = table.then(version), replay.hidden(version)
        brute = cache(partial(replay.table, version))
        assert session.table == brute(frozenset())
        assert bool(session.tables_by_seat) == any(
            brute(hides) != session.table for hides in hidden.values()
        )
        for seat, hides in hidden.items():
            assert visible_session(session, Viewer(seat or UNSET), past).table == brute(hides), (
                version,
                seat,
            )


@every_ruleset
@every_seed
def test_the_fold_of_a_log_is_the_session_that_grew(ruleset: AnyRuleset, seed: int) -> None:
    table = played(ruleset, seed)
    past = past_of(table)
    assert (
        fold(lambda state, fact: evolve(state, fact, past), initial(table.id), table.facts)
        == table.session
    )


@every_ruleset
@every_seed
def test_evolve_takes_any_subset_of_what_the_rulesets_wrote(ruleset: AnyRuleset, seed: int) -> None:
    """As who does not see the rest: the room's events of some turns are left out."""
    table = played(ruleset, seed)
    start = (
        next(fact.version for fact in table.facts if type(fact.body) not in SESSION_EVENT_TYPES) - 1
    )
    chosen = [
        fact.body
        for fact in table.facts
        if type(fact.body) not in SESSION_EVENT_TYPES and fact.turn % 3
    ]
    ruleset.show(fold(ruleset.decider.evolve, table.then(start).table, chosen))


@every_ruleset
@every_seed
def test_every_fact_is_read_as_it_was_written_and_told_in_a_line(
    ruleset: AnyRuleset, seed: int
) -> None:
    table = played(ruleset, seed)
    for fact in table.facts:
        assert encode(decode(fact.raw)) == fact.raw
        assert "\n" not in describe(ruleset, fact, table.then)
    told = tuple(
        DescribedEvent(fact.version, describe(ruleset, fact, table.then)) for fact in table.facts
    )
    tallies = tuple(
        TalliedEvent(fact.version, tally(ruleset, fact, table.then)) for fact in table.facts
    )
    assert (
        verify(
            lines(of=table, given=table.facts), ed25519, Evidence(views=ServerViews(told, tallies))
        ).failure
        is None
    )


@every_ruleset
@every_seed
def test_the_frame_counts_the_grades_and_voids_of_the_report_for_who_asked(
    ruleset: AnyRuleset, seed: int
) -> None:
    table, report = played(ruleset, seed), report_of(ruleset, seed)
    asked = {fact.turn: f"@{fact.seat}" for fact in table.facts if isinstance(fact.body, Declared)}
    grades = {graded.version: graded.grade for graded in report.grades}
    voids = {void.version: (void.k, void.missing) for void in report.voids}
    for fact in table.facts:
        match tally(ruleset, fact, table.then):
            case (Graded(entity, letter),):
                assert (entity, letter) == (asked[fact.turn], grades.pop(fact.version))
            case (Voided(entity, k, missing),):
                assert (entity, (k, missing)) == (asked[fact.turn], voids.pop(fact.version))
            case counts:
                assert counts == () or type(fact.body) not in EVENTS
    assert (grades, voids) == ({}, {})


@every_ruleset
@every_seed
def test_what_a_seat_is_given_of_the_log_is_valid(ruleset: AnyRuleset, seed: int) -> None:
    table = played(ruleset, seed)
    for seat in ("p1", "", HOUSE):
        assert verify(file_of(table, viewer=Viewer(seat or UNSET)), ed25519).failure is None, seat


@every_ruleset
@every_seed
def test_links_are_shown_once_and_positions_never_again(ruleset: AnyRuleset, seed: int) -> None:
    table, places, shown = played(ruleset, seed), set(), set()
    for fact in table.facts:
        for seat, chain, position, link in given_in(fact):
            assert (seat, chain, position) not in places
            assert link not in shown
            places.add((seat, chain, position))
            shown.add(link)
    assert (
        len({fact.body.k for fact in table.facts if isinstance(fact.body, Drawn | DrawVoided)})
        == table.session.k
    )


def has_entropy(fact: RecordedEvent) -> bool:
    return isinstance(fact.body, Drawn) and fact.body.entropy is not UNSET


def has_seen(fact: RecordedEvent) -> bool:
    return isinstance(fact.body, SeatLeft | PresenceSet) and fact.body.seen_size is not UNSET


def given_in(fact: RecordedEvent) -> list[tuple[str, int, int, str]]:
    if not isinstance(fact.body, Drawn | DrawVoided):
        return []
    return [
        (given.seat, given.chain, given.position, given.link) for given in fact.body.contributions
    ]


def test_the_evenings_hold_all_that_there_is() -> None:
    met: Counter[str] = Counter()
    for ruleset in SCALED_RULESETS:
        for seed in range(SEEDS):
            table, report = played(ruleset, seed), report_of(ruleset, seed)
            met[f"format {table.log_format}"] += 1
            met.update(type(fact.body).__name__ for fact in table.facts)
            met["entropy"] += any(has_entropy(fact) for fact in table.facts)
            met["signed and seen"] += any(has_seen(fact) for fact in table.facts)
            met.update(f"grade {graded.grade}" for graded in report.grades)
            met["shadow"] += sum(void.values is not UNSET for void in report.voids)
            met["no shadow"] += sum(void.values is UNSET for void in report.voids)
            met["used up"] += any(
                chain.position == chain.length for chain in table.session.chains.values()
            )
    wanted = {
        "format 1",
        "format 2",
        "entropy",
        "signed and seen",
        "Drawn",
        "DrawVoided",
        "PresenceSet",
        "SeatLeft",
        "SeatTaken",
        "ChainAnchored",
        "SealOpened",
        "Rewound",
        "Narrated",
        "grade A",
        "grade B",
        "grade D",
        "shadow",
        "no shadow",
        "used up",
    }
    assert not wanted - {what for what, count in met.items() if count}, met
