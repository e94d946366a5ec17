"""Honest tables are called out seldom, no matter who looks when, opens which secrets or rewinds what.

Each scenario prints how many honest sessions had a finding, with a 95 % interval. Seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from time import perf_counter

import pytest
from scipy.stats import binom, binomtest

from domain.rulesets import RULESETS
from domain.rulesets.dhextiny import messages as dhextiny, rules
from domain.rulesets.dhextiny.presentation import tally
from domain.tally import AnyCount, Graded
from projections.statistics_model import ALPHA, DRAWN, RUNNING_ALPHA, SessionReport
from projections.tallies import SessionTallies, Tally
from tests.support.scale import LONG, scale
from tests.support.simulation import simulate
from workers.statistics import verdicts
from workers.statistics.report import Chosen, compute_report
from workers.statistics.running import Running

SESSIONS = scale(12, 2_000)
LOOKS_SESSIONS = scale(2, 2_000)
DRAWS = 120
LOOK_INTERVAL = 4
SEATS = ("gm", "p1", "p2", "p3")
GM = Chosen(DRAWN, "gm")
LEVEL = 0.001
"""How seldom a test of this file would fail by chance, if the seeds were not fixed."""
MOST = 0.015
FAILURE = "F"


@cache
def check(seat: str, start: int, face: int) -> tuple[AnyCount, ...]:
    """Return the counts of a check on the ring."""
    point = rules.point_ahead(start, face)
    use = dhextiny.RollPurpose.CHECK
    return tally(dhextiny.Checked(f"pc-{seat}", use, start, face, point, rules.RING[point]))


class HonestTable:
    """Four seats that roll honest dice in turn."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"honest {seed}")
        self.tallies: list[Tally] = []
        self.start = self.version = 0

    def roll(self, *, sealed: bool = False) -> str:
        """Roll once, and return the result."""
        self.version += 1
        seat, face = SEATS[self.version % len(SEATS)], self.random.randint(1, 6)
        counts = check(seat, self.start, face)
        self._add(seat, Graded(f"@{seat}", "C", is_secret=sealed), sealed=False)
        for count in counts:
            self._add(seat, count, sealed=sealed)
        self.start = rules.point_ahead(self.start, face)
        return str(rules.RING[self.start])

    def _add(self, seat: str, count: AnyCount, *, sealed: bool) -> None:
        nth = len(self.tallies)
        self.tallies.append(
            Tally(self.version, nth, self.version, 0, seat, "drawn", sealed, False, count)
        )

    def undo(self) -> None:
        """Mark the last roll as undone, and return the token to where it was."""
        undone = [each.version == self.version for each in self.tallies]
        self.tallies = [
            each._replace(undone=each.undone or last)
            for each, last in zip(self.tallies, undone, strict=True)
        ]

    def session(self) -> SessionTallies:
        return SessionTallies(self.version, tuple(self.tallies), (), ())


def has_finding(report: SessionReport) -> bool:
    return any(summary.found for summary in report.verdicts.values())


def one_look(seed: int) -> bool:
    """Look once, after the end of a session of one of the games."""
    session = simulate(RULESETS[seed % len(RULESETS)], seed, 60 + seed % 60)
    return has_finding(compute_report(session, is_final=True))


def opened_by_choice(seed: int) -> bool:
    """Let the GM roll in secret and open the good rolls only. Strangers look at the end."""
    table, hidden = HonestTable(seed), set[int]()
    for _ in range(DRAWS):
        is_secret = SEATS[(table.version + 1) % len(SEATS)] == "gm"
        if table.roll(sealed=is_secret) == FAILURE and is_secret:
            hidden.add(table.version)
    report = compute_report(
        table.session().open_to(hidden), is_final=True, chosen=[GM] if hidden else [], hidden=hidden
    )
    assert not hidden or report.secret["gm"].open == report.secret["gm"].draws - len(hidden)
    return has_finding(report)


def failures_rewound(seed: int) -> bool:
    """Take back every failure, and roll again."""
    table = HonestTable(seed)
    for _ in range(DRAWS):
        start = table.start
        if table.roll() == FAILURE:
            table.undo()
            table.start = start
    return has_finding(compute_report(table.session(), is_final=True))


def chosen_range(seed: int) -> bool:
    """Look for a range of versions that has a verdict at all."""
    table = HonestTable(seed)
    for _ in range(DRAWS):
        table.roll()
    first = table.random.randint(1, DRAWS - 40)
    report = compute_report(table.session(), is_final=True, versions=(first, first + 39))
    return bool(report.verdicts) or bool(report.headline)


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("scenario", [one_look, opened_by_choice, failures_rewound, chosen_range])
def test_honest_tables_are_seldom_called_out(scenario: Callable[[int], bool]) -> None:
    called = count(scenario, SESSIONS, ALPHA)
    assert called == 0 or scenario is not chosen_range


@pytest.mark.timeout(3_600)
def test_looking_again_and_again_does_not_call_out_more_tables() -> None:
    """Look after every four draws of a running session, and once more after its end."""
    while_running = 0

    def ever(seed: int) -> bool:
        nonlocal while_running
        table, running = HonestTable(seed), Running()
        was_found = any(look(table, running) for _ in range(DRAWS // LOOK_INTERVAL))
        while_running += was_found
        return was_found or has_findings(running, is_final=True)

    count(ever, LOOKS_SESSIONS, ALPHA + RUNNING_ALPHA)
    print(f"while running: {while_running} of {LOOKS_SESSIONS}")
    assert while_running <= binom.ppf(1 - LEVEL, LOOKS_SESSIONS, RUNNING_ALPHA)


def look(table: HonestTable, running: Running) -> bool:
    """Let the table roll a few times, and return True if the running verdict has a finding."""
    known = len(table.tallies)
    for _ in range(LOOK_INTERVAL):
        table.roll()
    for each in table.tallies[known:]:
        running.add(each)
    return has_findings(running, is_final=False)


def has_findings(running: Running, *, is_final: bool) -> bool:
    ever = running.ever
    return bool(verdicts.families(ever.faces, ever.luck, is_final=is_final)[DRAWN].summary.found)


def count(scenario: Callable[[int], bool], sessions: int, stated: float) -> int:
    """Count the sessions with a finding, and compare the number with the stated rate."""
    began = perf_counter()
    called = sum(scenario(seed) for seed in range(sessions))
    interval = binomtest(called, sessions).proportion_ci(0.95)
    print(
        f"\n{scenario.__name__}: {called} of {sessions} honest sessions called out,"
        f" {called / sessions:.2%} (95 % interval {interval.low:.2%} to {interval.high:.2%}),"
        f" {stated:.1%} stated, {perf_counter() - began:.0f} s"
    )
    assert called <= binom.ppf(1 - LEVEL, sessions, stated)
    assert not LONG or called / sessions <= MOST
    return called
