"""Free rolls: any dice, in a session of any ruleset, as an extension of format 2."""

from __future__ import annotations

from functools import lru_cache

import msgspec
import pytest
from hypothesis import given
from msgspec import UNSET
from msgspec.structs import replace

from domain.available_commands import available_commands
from domain.codec import decode, encode
from domain.decider import Refused
from domain.odds import odds
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session import rolls
from domain.session.messages import Declared, Drawn, Opened, OpenSeal
from domain.session.rolls import DiceRolled, Roll, with_rolls
from domain.session.turns import LEAST_HOUSE_LENGTH
from domain.tally import Attempted, Rolled
from domain.verify import verify
from domain.verify.report import Level, Report
from fairlog.testing.laws import LAWS, Law
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_table_draws as t
from tests.domain.broken_logs import with_body
from tests.domain.scripts import every_ruleset, script, scripts, seeds
from tests.support.sessions import ScriptedSession, TableSession, wish_of

AIM = "Does the rope hold?"


def session_of(ruleset: AnyRuleset) -> ScriptedSession:
    return ScriptedSession(
        ruleset=ruleset,
        length=LEAST_HOUSE_LENGTH,
        log_format=2,
        extensions=(rolls.NAME,),
    )


@lru_cache
def rolled(ruleset: AnyRuleset) -> ScriptedSession:
    """A session with a free roll of a player, and a secret one of the GM, which is opened."""
    session = session_of(ruleset)
    session.do("p1", Roll("2d6+1", AIM))
    session.do("gm", replace(wish_of(Roll("d20")), audience="gm"))
    secret = session.session.turn
    session.do("gm", OpenSeal(secret, session.kept[secret]))
    return session


def report_of(session: ScriptedSession, facts: list[RecordedEvent] | None = None) -> Report:
    return verify(t.lines(session.facts if facts is None else facts, session), ed25519)


@every_ruleset
def test_a_free_roll_is_drawn_and_changes_nothing(ruleset: AnyRuleset) -> None:
    session = session_of(ruleset)
    before = session.session.table
    declared, drawn, roll = (fact.body for fact in session.do("p1", Roll("2d6+1", AIM)))
    assert isinstance(declared, Declared)
    assert isinstance(drawn, Drawn)
    assert isinstance(roll, DiceRolled)
    assert (roll.seat, roll.aim) == ("p1", AIM)
    assert roll.total == sum(face for _, face in drawn.values) + 1
    assert session.session.table is before


@every_ruleset
def test_a_log_with_free_rolls_is_verified_on_all_levels(ruleset: AnyRuleset) -> None:
    report = report_of(rolled(ruleset))
    assert (report.failure, report.reached, report.whole) == (None, Level.VIEWS, True)


@every_ruleset
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@scripts
@given(seed=seeds)
def test_the_laws_of_rulesets_hold_with_free_rolls(
    law: Law, ruleset: AnyRuleset, seed: int
) -> None:
    extended = with_rolls(ruleset)
    assert list(law(extended, script(extended, seed))) == []


@every_ruleset
def test_a_session_without_the_extension_has_no_free_rolls(ruleset: AnyRuleset) -> None:
    session = ScriptedSession(ruleset=ruleset)
    with pytest.raises(msgspec.DecodeError):
        session.do("p1", wish_of(Roll("d6")))


@every_ruleset
def test_free_rolls_are_offered_to_players_and_the_gm(ruleset: AnyRuleset) -> None:
    session = session_of(ruleset).session
    for seat in ("gm", "p1"):
        offered = {each.kind: each for each in available_commands(session, session.by(seat))}
        assert offered["rolls.Roll"].allowed


@every_ruleset
def test_the_odds_of_a_free_roll_are_exact(ruleset: AnyRuleset) -> None:
    session = session_of(ruleset).session
    found = odds(session.ruleset, session.table, Roll("2d6"), session.by("p1"))
    assert {outcome: chance * 36 for outcome, chance in found.items()} == {
        str(total): 6 - abs(total - 7) for total in range(2, 13)
    }


def test_a_free_roll_counts_for_the_dice_but_not_for_luck() -> None:
    session = session_of(RULESETS[0])
    *_, roll = session.do("p1", Roll("2d6+1"))
    counts = session.session.ruleset.tally(roll.body)
    assert [count.source for count in counts if isinstance(count, Rolled)] == ["d6", "d6"]
    assert [count.is_ranked for count in counts if isinstance(count, Attempted)] == [False]


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (Roll("2d"), "bad-notation"),
        (Roll("hello"), "bad-notation"),
        (Roll("d6", "\u3164"), "blank-text"),
    ],
)
def test_a_wrong_free_roll_is_refused(command: Roll, rule: str) -> None:
    with pytest.raises(Refused, match=rule):
        session_of(RULESETS[0]).do("p1", command)


def test_seats_contribute_to_free_rolls() -> None:
    table = TableSession(log_format=2, extensions=(rolls.NAME,))
    facts = table.do("p1", Roll("d20"))
    assert [type(fact.body) for fact in facts] == [Declared, Drawn, DiceRolled]
    report = report_of(table)
    assert (report.failure, report.reached) == (None, Level.VIEWS)
    assert [graded.grade for graded in report.grades] == ["B"]


# Verification of logs that lie.


def with_total(fact: RecordedEvent, by: int) -> RecordedEvent:
    assert isinstance(fact.body, DiceRolled)
    return with_body(fact, replace(fact.body, total=fact.body.total + by))


def test_a_changed_total_is_found() -> None:
    session = session_of(RULESETS[0])
    *_, roll = session.do("p1", Roll("2d6+1"))
    facts = [*session.facts[:-1], with_total(roll, 1)]
    failure = report_of(session, facts).failure
    assert failure is not None
    assert (failure.level, failure.code) == (Level.RULES, "E_OUTCOME")


def test_a_free_roll_in_a_log_without_the_extension_is_found() -> None:
    session = rolled(RULESETS[0])
    opened = session.facts[0].body
    assert isinstance(opened, Opened)
    facts = [with_body(session.facts[0], replace(opened, extensions=UNSET)), *session.facts[1:]]
    failure = report_of(session, facts).failure
    assert failure is not None
    assert (failure.level, failure.code) == (Level.BYTES, "E_FORMAT")


def test_an_older_verifier_checks_bytes_and_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.verify.bytes_check.EXTENSIONS", frozenset())
    report = report_of(rolled(RULESETS[0]))
    assert (report.failure, report.reached, report.whole) == (None, Level.TREE, False)
    assert "W_EXTENSION" in {warning.code for warning in report.warnings}


def test_a_verifier_without_the_ruleset_checks_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.verify.bytes_check.RULESETS_BY_EDITION", {})
    report = report_of(rolled(RULESETS[0]))
    assert (report.failure, report.reached) == (None, Level.DRAWS)


def test_events_of_free_rolls_are_read_as_they_are_written() -> None:
    events = [fact.body for fact in rolled(RULESETS[0]).facts]
    assert [decode(encode(event)) for event in events] == events
