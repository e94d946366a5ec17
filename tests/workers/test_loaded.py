"""With one loaded die at the table the report names the die and the seat, by as many draws as power theory says.

One value weighs 1.5 times each other one: the 6 of a d6, the 12 of a d12, one card of a deck. One seat draws so.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest
from msgspec import UNSET
from scipy.stats import binom

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from projections.statistics_model import ALPHA, SessionReport
from projections.tallies import SessionTallies
from tests.support.scale import LONG, scale
from tests.support.simulation import Loaded, scenes_of, simulate_loaded
from tests.workers.test_power import draws_needed
from workers.statistics.report import compute_report

SESSIONS = scale(4, 100)
POWER = 0.9
"""The share of loaded dice that are found after so many draws."""
LEVEL = 0.001
WATCHED = scale(0, 10)
LOOKS = scale(2, 10)
GATE = {"dhextiny"}
GAMES = [
    pytest.param(ruleset, id=ruleset.name) for ruleset in RULESETS if LONG or ruleset.name in GATE
]


class Theory(NamedTuple):
    """After how many draws a loaded die is found, of how many tests in one report."""

    draws: int
    tests: int


def loaded_in(ruleset: AnyRuleset) -> Loaded:
    return scenes_of(ruleset).LOADED


@cache
def theory(ruleset: AnyRuleset) -> Theory:
    """Return the number of draws for the tests that the report of a session of this length makes."""
    loaded = loaded_in(ruleset)
    session, _ = simulate_loaded(ruleset, -1, needed(loaded, ALPHA / 10))
    tests = compute_report(session, is_final=True).verdicts["drawn"].made
    return Theory(needed(loaded, ALPHA / tests), tests)


def needed(loaded: Loaded, level: float) -> int:
    return draws_needed(loaded.values, loaded.weight, level, POWER)


class Told(NamedTuple):
    """What the report says after as many draws as theory says, and after how many draws it says so first."""

    named: bool
    accused: bool
    first: int | None


@cache
def told(ruleset: AnyRuleset) -> tuple[Told, ...]:
    """Look at each session. In the first ones, look earlier too."""
    loaded, most = loaded_in(ruleset), theory(ruleset).draws
    every = []
    for seed in range(SESSIONS):
        played = simulate_loaded(ruleset, seed, most + 1)
        report = after(most, *played)
        looks = [most * nth // LOOKS for nth in range(1, LOOKS + 1) if seed < WATCHED]
        first = next((look for look in looks if names(after(look, *played), loaded)), None)
        every.append(Told(names(report, loaded), accuses(report, loaded), first))
    return tuple(every)


def after(number: int, session: SessionTallies, versions: list[int]) -> SessionReport:
    """Return the report of a session that ended before the loaded draw that would be one more."""
    end = versions[number]
    tallies = tuple(tally for tally in session.tallies if tally.version < end)
    turns = tuple(turn for turn in session.turns if turn.last < end)
    return compute_report(
        session._replace(version=end - 1, tallies=tallies, turns=turns), is_final=True
    )


def names(report: SessionReport, loaded: Loaded) -> bool:
    """Return True if the report says of that seat's die that chance does not explain its faces."""
    found = [(each.test, each.seat, each.source) for each in report.verdicts["drawn"].found]
    return ("faces", loaded.seat, loaded.source) in found


def accuses(report: SessionReport, loaded: Loaded) -> bool:
    """Return True if the report calls out another seat, or another die."""
    seats, sources = (loaded.seat, UNSET), (loaded.source, UNSET)
    return any(
        found.seat not in seats or found.source not in sources
        for found in report.verdicts["drawn"].found
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", GAMES)
def test_die_and_seat_are_named_after_as_many_draws_as_theory_says(ruleset: AnyRuleset) -> None:
    loaded, (draws, tests) = loaded_in(ruleset), theory(ruleset)
    named = sum(each.named for each in told(ruleset))
    print(
        f"\n{ruleset.name}: {loaded.value} of {loaded.source} weighs {loaded.weight}, {tests} tests in a report."
    )
    print(
        f"  {draws} draws by theory for {POWER:.0%}; so many named it in {named} of {SESSIONS} sessions"
    )
    print(f"  first named after {[each.first for each in told(ruleset)[:WATCHED]]} draws")
    assert named >= binom.ppf(LEVEL, SESSIONS, POWER)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", GAMES)
def test_nobody_else_is_accused(ruleset: AnyRuleset) -> None:
    accused = sum(each.accused for each in told(ruleset))
    print(f"\n{ruleset.name}: somebody or something else named in {accused} of {SESSIONS} sessions")
    assert accused <= binom.ppf(1 - LEVEL, SESSIONS, ALPHA)
