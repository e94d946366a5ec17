"""The figures of chance of a few counts, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from domain.rulesets import RULESETS
from domain.session.messages import Narrate
from domain.tally import Rolled, Settled
from projections import statistics_model as shapes
from projections.statistics_model import (
    ActionStatistics,
    ObservedCount,
    OutcomeCounts,
    Streak,
    Tempo,
)
from projections.tallies import SessionTallies, TalliedRewind, Tally, session_tallies
from tests.support import sessions
from tests.workers.counts import COIN, HEADS, of, toss
from workers.statistics.report import compute_report

NONE = ObservedCount(0, 0.0, 0, 0)
LATER = TalliedRewind(4, 0, "gm", 0)


def test_an_evening_without_a_turn_has_figures() -> None:
    evening = sessions.ScriptedSession()
    evening.do("p1", Narrate("We are early."))
    found = compute_report(session_tallies(evening.ruleset, evening.facts))
    assert found.tempo == Tempo(0, 0.0, 0.0, {})
    assert found.faces == {"drawn": {}, "declared": {}}
    assert (found.tests.made, found.tests.verdict) == (0, "few")
    assert (found.first, found.last, found.version) == (1, len(evening.facts), len(evening.facts))


def test_faces() -> None:
    found = of(toss("heads"), toss("tails"), toss("heads")).faces
    seen = {"heads": ObservedCount(2, 1.5, 0, 3), "tails": ObservedCount(1, 1.5, 0, 3)}
    [coin] = found["drawn"].values()
    assert (coin.draws, coin.values, coin.seats["p1"].values) == (3, seen, seen)
    assert coin.test == shapes.ChanceTest(0.333333, 1.0, 1.0, "exact", "few", 1)
    assert found["declared"] == {}


def test_what_was_declared_stands_apart() -> None:
    found = of(toss("heads"), dice="declared")
    assert found.faces["drawn"] == {}
    assert found.faces["declared"]["coin"].draws == 1
    assert found.luck == {"seats": {}, "entities": {}}
    assert found.streaks == {"seats": {}, "entities": {}}


LUCK = [
    # what came                    z, by hand: the sum of +-1/4 over the root of n/16
    (["heads"],                    [1.0]),
    (["heads", "tails"],           [1.0, 0.0]),
    (["heads", "heads", "heads"],  [1.0, 1.4142, 1.7321]),
]  # fmt: skip


@pytest.mark.parametrize(("came", "series"), LUCK)
def test_luck(came: list[str], series: list[float]) -> None:
    found = of(*map(toss, came)).luck["seats"]["p1"]
    assert [z for _, z in found.series] == series
    assert found.z == pytest.approx(series[-1], abs=1e-4)


def test_luck_knows_which_values_are_better_and_counts_none_where_none_is() -> None:
    assert of(toss("heads", HEADS[::-1])).luck["seats"]["p1"].z == -1.0
    assert of(toss("heads", ())).luck == {"seats": {}, "entities": {}}


def test_a_certain_outcome_is_no_luck() -> None:
    sure = Rolled(
        "ana",
        "coin",
        "heads",
        "toss",
        COIN,
        "won",
        {"won": (1, 1), "lost": (0, 1)},
        ("lost", "won"),
    )
    assert of(sure).luck["entities"] == {}


STREAKS = [
    # what came       longest run of heads      of tails: of n coins P(a run of 1) = 1 - 2**-n; of 3, P(HH) = 3/8
    ("h",             Streak(1, 1, 1, 0.5),     None),
    ("hht",           Streak(2, 1, 2, 0.375),   Streak(1, 3, 3, 0.875)),
    ("thh",           Streak(2, 2, 3, 0.375),   Streak(1, 1, 1, 0.875)),
    ("hth",           Streak(1, 1, 1, 0.875),   Streak(1, 2, 2, 0.875)),
    ("hhhh",          Streak(4, 1, 4, 0.0625),  None),
]  # fmt: skip


@pytest.mark.parametrize(("came", "lucky", "unlucky"), STREAKS)
def test_streaks(came: str, lucky: Streak | None, unlucky: Streak | None) -> None:
    found = of(*(toss("heads" if each == "h" else "tails") for each in came)).streaks["seats"]["p1"]
    assert (found.get("lucky"), found.get("unlucky")) == (lucky, unlucky)


def test_results() -> None:
    found = of(
        Rolled("ana", "coin", "heads", "toss", COIN, "won", {"won": (1, 2), "lost": (1, 2)}),
        Rolled("ana", "coin", "tails", "toss", COIN, "lost", {"won": (1, 4), "lost": (3, 4)}),
        Settled("ana", "toss", "won", "lost"),
    ).results
    use = ActionStatistics(
        {
            "won": OutcomeCounts(1, ObservedCount(1, 0.75, 0, 2), NONE),
            "lost": OutcomeCounts(0, ObservedCount(1, 1.25, 0, 2), NONE),
        },
        {"lost": {"won": 1}},
    )
    assert found == {"seats": {"p1": {"toss": use}}, "entities": {"ana": {"toss": use}}}


def test_undone_counts_are_out_and_in_where_they_are_asked_for() -> None:
    assert of(toss("heads"), undone=True, rewinds=(LATER,)).faces["drawn"] == {}
    tally = Tally(1, 0, 1, 0, "p1", "drawn", False, True, toss("heads"))
    found = compute_report(SessionTallies(4, (tally,), (), (LATER,)), undone=True)
    assert (found.undone, found.faces["drawn"]["coin"].draws) == (True, 1)


RANGES = [
    # first, last  draws
    (1,      None, 3),
    (2,      None, 2),
    (1,      1,    1),
    (2,      99,   2),
    (3,      2,    0),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last", "draws"), RANGES)
def test_some_versions(first: int, last: int | None, draws: int) -> None:
    found = of(*(toss("heads"),) * 3, first=first, last=last)
    assert (found.first, found.last) == (first, 3 if last is None else min(last, 3))
    assert sum(die.draws for die in found.faces["drawn"].values()) == draws


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_figures_come_out_the_same_again(ruleset: Any) -> None:
    evening = session_tallies(ruleset, sessions.play(1, 40, ruleset))
    assert compute_report(evening) == compute_report(evening)
