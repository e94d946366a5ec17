"""Logs with secrets, take-backs and forks: valid in every viewer's file, and whole once everything is opened."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Refused, Role
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.decider import hides_part
from domain.session.messages import Close, Narrate, OpenSeal, Rewind
from domain.verify import Evidence, messages, verify
from domain.verify.report import Level, Report
from domain.visibility import Viewer
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_logs as b
from tests.domain.forks import EVERYTHING, Child, file_of
from tests.domain.secret_sessions import Intrigue, about_to, intrigue
from tests.support.example import EXAMPLE, to_wait
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import ScriptedSession

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
NOBODY = Viewer()


def report_on(evening: ScriptedSession, viewer: Viewer = EVERYTHING) -> Report:
    return verify(file_of(evening, viewer=viewer), ed25519)


def gm_of(evening: ScriptedSession) -> str:
    return next(seat for seat, held in evening.session.info.seats.items() if held.role is Role.GM)


def opened(evening: Intrigue) -> Intrigue:
    """The same evening with every seal open that somebody at the table may open still."""
    for turn, seal in list(evening.session.secrets.seals.items()):
        for seat in (gm_of(evening), seal.seat):
            try:
                evening.ask(OpenSeal(turn), seat)
            except Refused:
                continue
            break
    return evening


@every_ruleset
def test_every_viewers_file_is_valid(ruleset: AnyRuleset) -> None:
    for seed in range(scale(1, 10)):
        evening = intrigue(ruleset, seed, 150)
        evening.ask(Close(carry_over=True), gm_of(evening))
        seals = Counter(seal.seat for seal in evening.session.secrets.seals.values())
        for seat in (UNSET, *evening.session.info.seats):
            report = report_on(evening, Viewer(seat))
            assert report.failure is None, (seed, seat)
            assert report.unopened == seals


@every_ruleset
def test_what_is_opened_at_the_end_is_checked_in_every_file(ruleset: AnyRuleset) -> None:
    for seed in range(scale(2, 10)):
        evening = opened(intrigue(ruleset, seed, 150))
        waiting = evening.session.secrets.seals.values()  # those of seats that left
        report = report_on(evening, NOBODY)
        assert report.failure is None
        assert report.counts.unopened == len(waiting)
        assert report.whole is not bool(waiting)
        assert report_on(evening).counts.unchecked == sum(seal.k is not UNSET for seal in waiting)


@every_ruleset
def test_a_secret_draw_is_checked_from_its_opening_on(ruleset: AnyRuleset) -> None:
    evening, wish = about_to(ruleset, "ana", draws=True)
    before = evening.session.version
    evening.ask(replace(wish, audience="self"), "ana")
    for viewer in (EVERYTHING, NOBODY):
        sealed = report_on(evening, viewer)
        assert (sealed.counts.unchecked, sealed.unopened) == (1, {"ana": 1})
        assert sealed.partly[0].behind == before + 1 if viewer is EVERYTHING else before + 3
        assert [each.level for each in sealed.partly] == [Level.RULES, Level.VIEWS][
            : 1 + (viewer is NOBODY)
        ]
        assert [each.grade for each in sealed.grades][-1:] == ["C"]
    evening.ask(OpenSeal(evening.session.turn), "ana")
    assert report_on(evening, NOBODY).whole


@every_ruleset
def test_a_fork_is_held_against_its_parent(ruleset: AnyRuleset) -> None:
    evening = intrigue(ruleset, seed=1, events=120)
    ends = [one.version for one, after in pairwise(evening.facts) if one.turn != after.turn]
    gm = gm_of(evening)
    may = [end for end in ends if not hides_part(evening.session, gm, end, evening.past)]
    for version in evening.random.sample(may, min(len(may), scale(3, 20))):
        child = Child(evening, version)
        child.do("gm", Narrate("Where were we?"))
        for viewer, known in ((EVERYTHING, True), (NOBODY, False)):
            lines = file_of(child, viewer=viewer)
            alone = verify(lines, ed25519)
            held = verify(lines, ed25519, Evidence(parent=file_of(evening, viewer=viewer)))
            assert (alone.failure, held.failure) == (None, None)
            assert alone.origin is not None
            assert held.origin is not None
            assert (alone.origin.session, alone.origin.version) == (evening.id, version)
            assert (alone.origin.checked, held.origin.checked) == (False, True)
            assert held.origin.table or not known


def test_what_is_said_of_a_forks_provenance() -> None:
    evening = intrigue(RULESETS[0], seed=1, events=60)
    child = Child(evening, 1)
    told = f"forked from version 1 of session {evening.id}: "
    alone = verify(file_of(child), ed25519)
    held = verify(file_of(child), ed25519, Evidence(parent=file_of(evening)))
    assert (
        list(messages.describe_counts(alone, 9))[-1]
        == f"{told}not checked. To check this, pass the parent's log with --parent"
    )
    assert list(messages.describe_counts(held, 9))[-1].startswith(
        f"{told}agrees with the parent's file, whose key was not checked, and with its table"
    )


def test_take_backs_are_listed_apart() -> None:
    evening = ScriptedSession(options={"take_back": True})
    b.go(evening, ("p1", EXAMPLE.bring), *to_wait()[:-1])
    before, rewinds = evening.session.version, []
    for seat in ("p1", "gm"):
        evening.do("p1", EXAMPLE.waits)
        rewinds += evening.do(seat, Rewind(before, "oops"))
    report = report_on(evening)
    assert report.take_backs == (rewinds[0].version,)
    assert (report.counts.rewinds, report.counts.take_backs) == (2, 1)
    assert (
        f"versions at which players took back moves: {rewinds[0].version}"
        in messages.describe_counts(report, 9)
    )


def test_a_fact_without_opening_behind_its_seals_is_unopened_too() -> None:
    evening, wish = about_to(RULESETS[0], "ana", draws=True)
    evening.ask(replace(wish, audience="gm"), "ana")
    fact = evening.session.version
    evening.ask(OpenSeal(evening.session.turn), "ana")
    lines = file_of(evening)
    lines[fact] = lines[fact][: lines[fact].index(b',"opening"')] + b"}\n"
    report = verify(lines, ed25519)
    assert report.failure is None
    assert [caution.versions for caution in report.warnings if caution.code == "W_UNOPENED"] == [
        (fact,)
    ]
    assert (report.unopened, report.counts.unchecked) == ({"ana": 1}, 1)


def test_a_whisper_that_nobody_may_read_hides_no_table() -> None:
    evening, wish = about_to(RULESETS[0], "ana", draws=False)
    evening.ask(Narrate("I keep the coin.", audience="self"), "ana")
    evening.ask(wish, "ana")
    report = report_on(evening, NOBODY)
    assert (report.failure, report.counts.unchecked, report.unopened) == (None, 0, {"ana": 1})
    assert [(part.level, part.of - part.done) for part in report.partly] == [
        (Level.RULES, 1),
        (Level.VIEWS, 1),
    ]
