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
from domain.tally import Rolled
from projections.statistics_model import ALPHA, SessionReport
from projections.tallies import SessionTallies
from tests.support.scale import LONG, scale
from tests.support.simulation import Loaded, scenes_of, simulate_loaded
from tests.workers.power import POWER, rolls_needed
from workers.statistics.pooled_draws import Pools, pool
from workers.statistics.report import compute_report

EVENINGS = scale(4, 100)
LEVEL = 0.001
WATCHED = scale(0, 10)
LOOKS = scale(2, 10)
GATE = {"dhextiny"}
ROOMS = [
    pytest.param(ruleset, id=ruleset.name) for ruleset in RULESETS if LONG or ruleset.name in GATE
]


class Theory(NamedTuple):
    """After how many draws, of how many tests in one report."""

    draws: int
    tests: int


def loaded_in(ruleset: AnyRuleset) -> Loaded:
    return scenes_of(ruleset).LOADED


def rows_of(evening: SessionTallies, loaded: Loaded) -> Pools:
    """The draws of what is loaded, with their chances."""
    rolls = [
        tally.of
        for tally in evening.tallies
        if isinstance(tally.of, Rolled) and tally.seat == loaded.seat
    ]
    return pool(
        (tuple(roll.chances.items()), roll.value) for roll in rolls if roll.source == loaded.source
    )


@cache
def theory(ruleset: AnyRuleset) -> Theory:
    """By the chances of the draws of an evening long enough to find one die, and the tests that its report makes."""
    loaded = loaded_in(ruleset)
    short, _ = simulate_loaded(ruleset, -1, 1_000)
    evening, _ = simulate_loaded(ruleset, -1, needed(short, loaded, ALPHA))
    tests = compute_report(evening).tests.made
    return Theory(needed(evening, loaded, ALPHA / tests), tests)


def needed(evening: SessionTallies, loaded: Loaded, alpha: float) -> int:
    return rolls_needed(rows_of(evening, loaded), loaded.value, loaded.weight, alpha)


class Told(NamedTuple):
    """What the report said after as many draws as theory says, and after how many draws it said so first."""

    named: bool
    accused: bool
    first: int | None


@cache
def told(ruleset: AnyRuleset) -> tuple[Told, ...]:
    """Of each evening; in the first ones it is looked for earlier too."""
    loaded, most = loaded_in(ruleset), theory(ruleset).draws
    every = []
    for seed in range(EVENINGS):
        played = simulate_loaded(ruleset, seed, most + 1)
        report = after(most, *played)
        looks = [most * nth // LOOKS for nth in range(1, LOOKS + 1) if seed < WATCHED]
        first = next((look for look in looks if names(after(look, *played), loaded)), None)
        every.append(Told(names(report, loaded), accuses(report, loaded), first))
    return tuple(every)


def after(number: int, evening: SessionTallies, versions: list[int]) -> SessionReport:
    """The figures before the loaded draw that would be one more, and what came at once with it."""
    return compute_report(evening, last=versions[number] - 1)


def names(report: SessionReport, loaded: Loaded) -> bool:
    """Whether it says of that seat and that die or deck that chance hardly gives such faces."""
    told = [(found.test, found.seat, found.source) for found in report.tests.found]
    return ("faces", loaded.seat, loaded.source) in told


def accuses(report: SessionReport, loaded: Loaded) -> bool:
    """Whether it calls out another seat, or another die."""
    seats, sources = (loaded.seat, UNSET), (loaded.source, UNSET)
    return any(
        found.seat not in seats or found.source not in sources for found in report.tests.found
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_die_and_seat_are_named_after_as_many_draws_as_theory_says(ruleset: AnyRuleset) -> None:
    loaded, (draws, tests) = loaded_in(ruleset), theory(ruleset)
    named = sum(each.named for each in told(ruleset))
    print(
        f"\n{ruleset.name}: {loaded.value} of {loaded.source} weighs {loaded.weight}, {tests} tests in a report."
    )
    print(
        f"  {draws} draws by theory for {POWER:.0%}; so many named it in {named} of {EVENINGS} evenings"
    )
    print(f"  first named after {[each.first for each in told(ruleset)[:WATCHED]]} draws")
    assert named >= binom.ppf(LEVEL, EVENINGS, POWER)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_nobody_else_is_accused(ruleset: AnyRuleset) -> None:
    accused = sum(each.accused for each in told(ruleset))
    print(f"\n{ruleset.name}: somebody or something else named in {accused} of {EVENINGS} evenings")
    assert accused <= binom.ppf(1 - LEVEL, EVENINGS, ALPHA)
