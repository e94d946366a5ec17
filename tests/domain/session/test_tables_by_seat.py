"""What each seat's table holds, and from which version on: openings, rewinds, comers, and a log with holes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import count

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.evolve import evolve
from domain.session.messages import (
    EVENTS,
    Declared,
    HandOver,
    LeaveSeat,
    Narrate,
    Narrated,
    OpenSeal,
    Rewind,
    TakeSeat,
)
from domain.session.state import PUBLIC, History, Session, initial
from domain.visibility import Viewer, is_visible
from tests.domain.secret_sessions import Intrigue, by_chance, intrigue
from tests.support.scale import SCALED_RULESETS, scale

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)


def with_a_secret(ruleset: AnyRuleset) -> tuple[Intrigue, int]:
    """An evening whose last turn is ana's, for the GM's eyes, and changed the table; the version before it."""
    for seed in count():
        evening = Intrigue(ruleset, seed)
        while evening.session.version < 40 and not evening.session.secrets.since:
            before = evening.session.version
            if by_chance(evening, "ana", "gm") and evening.session.tables_by_seat:
                return evening, before
            by_chance(evening, "gm")
    raise AssertionError


@every_ruleset
def test_one_table_is_kept_until_something_is_hidden(ruleset: AnyRuleset) -> None:
    evening, before = with_a_secret(ruleset)
    assert all(evening.past.state(version).tables_by_seat == {} for version in range(1, before + 1))
    assert evening.session.tables_by_seat.keys() == {PUBLIC, "gm", "ana"}
    assert (
        evening.session.tables_by_seat["gm"]
        is evening.session.tables_by_seat["ana"]
        is evening.session.table
    )


@every_ruleset
def test_what_is_opened_enters_the_table_there_and_not_before(ruleset: AnyRuleset) -> None:
    evening, before = with_a_secret(ruleset)
    hidden = evening.session.version
    evening.ask(OpenSeal(evening.session.turn), "gm")
    assert evening.seen("ben") == evening.session.table
    assert (
        evening.seen("ben", at=hidden) == evening.past.state(before).table != evening.session.table
    )


@every_ruleset
def test_a_rewind_shows_what_is_open_by_now(ruleset: AnyRuleset) -> None:
    evening, before = with_a_secret(ruleset)
    secret = evening.session
    evening.ask(Narrate("Well?"), "ben")
    evening.ask(Rewind(secret.version, "still under seal"), "gm")
    assert evening.seen("ben") == evening.past.state(before).table
    evening.ask(OpenSeal(secret.turn), "ana")
    evening.ask(Rewind(before, "undone"), "gm")
    evening.ask(Rewind(secret.version, "redone, and open"), "gm")
    assert evening.seen("ben") == evening.session.table == secret.table


@every_ruleset
def test_before_the_first_secret_there_is_one_table_again(ruleset: AnyRuleset) -> None:
    evening, before = with_a_secret(ruleset)
    evening.ask(HandOver("ben"), "gm")
    evening.ask(Rewind(before, "it never was"), "ben")
    assert evening.session.tables_by_seat == {}


@every_ruleset
def test_who_comes_later_sees_what_everyone_sees_and_an_auditor_all(ruleset: AnyRuleset) -> None:
    evening, before = with_a_secret(ruleset)
    for seat, role in (("dan", Role.PLAYER), ("tom", Role.SPECTATOR), ("zoe", Role.AUDITOR)):
        evening.ask(TakeSeat(seat, role), seat)
    assert evening.seen("dan") == evening.seen("tom") == evening.past.state(before).table
    assert evening.seen("zoe") == evening.session.table


@every_ruleset
def test_who_leaves_has_seen_what_was_seen(ruleset: AnyRuleset) -> None:
    evening, before = with_a_secret(ruleset)
    evening.ask(LeaveSeat("ana"), "ana")
    assert evening.seen("ana") == evening.session.table
    evening.ask(TakeSeat("ana", Role.PLAYER), "ana")
    assert evening.seen("ana") == evening.session.table
    assert evening.seen("ben") == evening.past.state(before).table


@every_ruleset
def test_what_a_viewer_may_read_folds_to_what_the_viewer_sees(ruleset: AnyRuleset) -> None:
    for evening in evenings(ruleset):
        for seat in (*evening.session.info.seats, UNSET):
            viewer = Viewer(seat)
            read = [fact for fact in evening.facts if is_visible(evening.session, viewer, fact)]
            folded = with_holes(evening, [replace(fact, sealed=False) for fact in read])
            assert folded.table == evening.seen(seat), seat


@every_ruleset
def test_evolve_takes_any_log_with_holes(ruleset: AnyRuleset) -> None:
    for evening in evenings(ruleset):
        chosen = random.Random(evening.id)
        left = [fact for fact in evening.facts if not may_lack(fact) or chosen.random() < 0.7]
        folded = with_holes(evening, left)
        assert len(left) < folded.version == evening.session.version
        for table in (folded.table, *folded.tables_by_seat.values()):
            ruleset.show(table)


def evenings(ruleset: AnyRuleset) -> Iterator[Intrigue]:
    return (intrigue(ruleset, seed, 150) for seed in range(scale(3, 15)))


def may_lack(fact: RecordedEvent) -> bool:
    """Whether an event may stand in a file without its opening (log.md)."""
    match fact.body:
        case Declared(draw=draw):
            return draw is UNSET
        case Narrated():
            return True
    return not isinstance(fact.body, EVENTS)


def with_holes(evening: Intrigue, facts: Sequence[RecordedEvent]) -> Session:
    """The session as somebody folds it who has the other facts' leaves alone."""
    by_version = {fact.version: fact for fact in facts}
    states = [initial(evening.id)]
    past = History(
        states.__getitem__,
        lambda after, upto: [fact for fact in facts if after < fact.version <= upto],
    )
    for leaf in evening.facts:
        fact = by_version.get(leaf.version)
        states.append(
            replace(states[-1], version=leaf.version, turn=leaf.turn)
            if fact is None
            else evolve(states[-1], fact, past)
        )
    return states[-1]
