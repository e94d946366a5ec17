"""What a report says of a log's format and of extensions, and attacks on format 1 that format 2 shows."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.proof import merkle_tree
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.messages import Drawn, Forked, Opened, PresenceSet, SetPresence
from domain.session.turns import LEAST_HOUSE_LENGTH
from domain.verify import Evidence, verify
from domain.verify.messages import GRADE_LIMITS, ROLL_CHECKED, describe_roll
from domain.verify.report import Level, Report
from domain.verify.single_draw import verify_roll
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_table_draws as t
from tests.domain.broken_logs import DRAWS, with_body
from tests.domain.forks import Child, file_of
from tests.domain.format_2_faults import (
    ENTROPY,
    EXTENDED,
    anchor,
    draw,
    left,
    long,
    move,
    table,
)
from tests.domain.receipts import proofs
from tests.domain.session.test_format_2 import Roller
from tests.js.sound_tables import Sound, played
from tests.js.tables import HOUSE_LENGTH, Table
from tests.support.example import EXAMPLE, over, to_draw
from tests.support.sessions import ScriptedSession, TableSession, wish_of

EXTENSIONS = ("dice-tower",)


def report_of(made: Table) -> Report:
    return verify(made.file().splitlines(keepends=True), ed25519)


def warned(report: Report) -> dict[str, tuple[int, ...]]:
    return {warning.code: warning.versions for warning in report.warnings}


# The format.


@pytest.mark.parametrize(("log_format", "is_said"), [(1, True), (2, False)])
def test_a_log_of_format_1_is_said_to_promise_less(log_format: int, is_said: bool) -> None:
    for made in (Table(log_format=log_format), played(draw(), log_format=log_format)()):
        report = report_of(made)
        assert report.failure is None
        assert ("W_FORMAT_1" in warned(report)) is is_said


def test_the_format_is_said_of_a_log_that_does_not_hold() -> None:
    """The events could be read, so the report says all that they say."""
    made = played(draw(), move("p2", by="house"))()
    report = report_of(made)
    assert report.failure is not None
    assert "W_FORMAT_1" in warned(report)


def test_next_chains_of_seats_are_told_and_in_format_1_those_of_the_server_too() -> None:
    acts = (anchor("p1", shows=False), anchor("house", shows=False), anchor("p2", shows=False))
    version = Table().version
    rolled = [version + nth for nth in (1, 2, 3)]
    assert warned(report_of(played(*acts)()))["W_ROLLOVER"] == tuple(rolled)
    assert warned(report_of(table(*acts)()))["W_ROLLOVER"] == (rolled[0], rolled[2])


def test_a_server_that_used_up_its_chain_is_not_warned_of() -> None:
    report = report_of(long(draw("house"), draws=HOUSE_LENGTH, is_anchored=True)())
    assert report.failure is None
    assert "W_ROLLOVER" not in warned(report)
    assert len(warned(report)["W_HOUSE_ONLY"]) == HOUSE_LENGTH + 1


def test_draws_of_the_server_with_entropy_are_not_counted_as_its_own() -> None:
    acts = (draw("house", entropy=ENTROPY), draw("house"))
    report = report_of(table(*acts, draws="house")())
    drawn = [each.version for each in report.grades]
    assert [(each.grade, each.alone) for each in report.grades] == [("B", True), ("C", False)]
    assert warned(report)["W_HOUSE_ONLY"] == (drawn[1],)


def test_a_contributor_beside_the_asker_is_no_draw_of_the_asker_alone() -> None:
    made = table(left("p2"), draw("gm", "house", "p1", entropy=ENTROPY))()
    assert [(each.grade, each.alone) for each in report_of(made).grades] == [("B", False)]


# Extensions.


@pytest.mark.parametrize("case", EXTENDED, ids=lambda case: case.what)
def test_a_log_with_an_unknown_extension_is_checked_up_to_the_tree(case: Sound) -> None:
    report = report_of(case.play())
    assert (report.failure, report.reached) == (None, Level.TREE)
    assert report.valid
    assert not report.whole
    assert warned(report)["W_EXTENSION"] == ()
    assert "W_FORMAT_1" not in warned(report)


def test_a_log_without_an_extension_is_not_warned_of() -> None:
    assert "W_EXTENSION" not in warned(report_of(table(draw())()))


def extended(facts: list[RecordedEvent]) -> list[RecordedEvent]:
    """The events of a session of format 2 that says that it uses an extension."""
    opened = facts[0].body
    assert isinstance(opened, Opened)
    return [with_body(facts[0], replace(opened, extensions=EXTENSIONS)), *facts[1:]]


def test_an_extension_of_a_known_ruleset_ends_the_check_too() -> None:
    played_table = at_table()
    played_table.do("p1", EXAMPLE.draw)
    report = verify(t.lines(extended(played_table.facts), played_table), ed25519)
    assert (report.failure, report.reached, report.whole) == (None, Level.TREE, False)
    assert warned(report).keys() >= {"W_EXTENSION", "W_UNPINNED", "W_UNWITNESSED"}
    assert "W_RULES_MISSING" not in warned(report)


def test_a_fork_of_a_log_with_an_unknown_extension_is_checked_as_far_as_it_can_be() -> None:
    """The parent's event that records the fork may have fields of the extension, so it is not looked for."""
    parent = ScriptedSession(length=LEAST_HOUSE_LENGTH, log_format=2)
    parent.do("p1", EXAMPLE.bring)
    version = parent.session.version
    child = Child(parent, version)
    assert isinstance(parent.facts[-1].body, Forked)
    given = extended(parent.facts)
    root = merkle_tree.root_of([merkle_tree.leaf_hash(leaf_of(fact)) for fact in given[:version]])
    opened = child.facts[0].body
    assert isinstance(opened, Opened)
    assert opened.parent is not UNSET
    origin = replace(opened.parent, root=root.hex())
    facts = [with_body(child.facts[0], replace(opened, parent=origin)), *child.facts[1:]]
    known = Evidence(parent=file_of(parent, given))
    report = verify(file_of(child, facts), ed25519, known)
    assert report.failure is None
    assert report.reached is Level.VIEWS
    assert report.origin is not None
    assert (report.origin.checked, report.origin.table) == (True, False)


# An attack of format 1: the server keeps a seat's refused statement until a draw that it wants to bend.


def at_table(log_format: int = 2) -> TableSession:
    """gm, p1, p2 and p3 hold chains, and p1 may draw."""
    made = TableSession(
        7,
        options={"declared_dice": True},
        length=LEAST_HOUSE_LENGTH,
        own=("gm", "p1", "p2", "p3"),
        log_format=log_format,  # type: ignore[arg-type]
    )
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        made.do(seat, command)
    return made


@pytest.mark.parametrize(("log_format", "code"), [(1, None), (2, "E_FORK")])
def test_a_statement_of_last_week_cannot_leave_a_seat_out_today(
    log_format: int, code: str | None
) -> None:
    made = at_table(log_format)
    said = made.signed("p2", SetPresence("p2", present=False))
    assert isinstance(said, SetPresence)
    for seat, command in (("p1", EXAMPLE.draw), *over(), *to_draw()[:-1]):
        made.do(seat, command)
    word = PresenceSet(1, False, "p2", said.signature, said.seen_root, said.seen_size)
    like = replace(made.facts[-1], seat="p2", turn=90_000)
    report = verify(t.lines(t.host([*made.facts, with_body(like, word)], (), made), made), ed25519)
    if code is None:
        assert report.failure is None
        return
    assert report.failure is not None
    version = made.session.version + 1
    assert (report.failure.level, report.failure.code) == (DRAWS, code)
    assert report.failure.version == version


def test_in_format_1_the_draw_after_it_is_still_of_grade_a() -> None:
    """What format 2 is for: p2 gave to the first draw, and the server leaves it out of the second."""
    made = at_table(log_format=1)
    said = made.signed("p2", SetPresence("p2", present=False))
    for seat, command in (("p1", EXAMPLE.draw), *over(), *to_draw()[:-1]):
        made.do(seat, command)
    made._turn(said, made.session.by("p2"))
    made.do("p1", EXAMPLE.draw)
    report = verify(t.lines(made.facts, made), ed25519)
    assert report.failure is None
    assert [each.grade for each in report.grades] == ["A", "A"]


# Other logs of the server alone, by the rules of a known game.


def test_a_session_in_which_the_server_uses_its_next_chain_holds_on_every_level() -> None:
    made = rolled_over()
    report = verify(file_of(made), ed25519)
    assert (report.failure, report.reached) == (None, Level.VIEWS)
    assert warned(report).keys() == {
        "W_HOUSE_ONLY",
        "W_ENTROPY",
        "W_CUSTODIAL",
        "W_UNPINNED",
        "W_UNWITNESSED",
    }


def test_a_roll_of_the_servers_next_chain_is_proved() -> None:
    made = rolled_over()
    *_, (_, end, raw) = proofs(made)
    roll = verify_roll(raw, ed25519)
    assert (roll.failure, roll.k, roll.grade) == (None, LEAST_HOUSE_LENGTH, "B")
    assert isinstance(end.body, Drawn)
    assert (end.body.contributions[0].chain, roll.values) == (1, end.body.values)


@cache
def rolled_over() -> ScriptedSession:
    """The last draw is the first of the next chain, and has entropy."""
    made = Roller()
    made.roll(LEAST_HOUSE_LENGTH)
    for seat, command in to_draw()[:-1]:
        made.do(seat, command)
    made.do("p1", replace(wish_of(EXAMPLE.draw), entropy=ENTROPY))
    return made


def test_the_proof_of_a_secret_roll_says_what_only_the_whole_log_shows() -> None:
    made = ScriptedSession(length=LEAST_HOUSE_LENGTH, log_format=2)
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        made.do(seat, command)
    secret = replace(wish_of(EXAMPLE.draw, "gm"), entropy=ENTROPY)
    made.do("p1", secret)
    [*_, (_, _, raw)] = proofs(made, whole=False)
    roll = verify_roll(raw, ed25519)
    assert (roll.failure, roll.grade, roll.values) == (None, "C or better", UNSET)
    said = list(describe_roll(roll))
    assert GRADE_LIMITS["C or better"] in said
    assert ROLL_CHECKED in said
