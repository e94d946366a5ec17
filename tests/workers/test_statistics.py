"""Every figure against a slow, obvious recomputation from the facts of random evenings, and in batches of odd sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.state import Session
from domain.visibility import PUBLIC_VIEWER, turns_hidden_from
from projections import statistics_model as shapes
from projections.runner import catch_up
from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies, session_tallies
from tests.projections.contract import fresh
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import MemoryLog, play, play_table
from tests.workers.recomputation import Recomputation, compare
from workers.statistics.report import compute_report

SEEDS = range(2, 2 + scale(1, 10))


class Played(NamedTuple):
    ruleset: AnyRuleset
    facts: list[RecordedEvent]
    at: Callable[[int], Session]

    @property
    def evening(self) -> SessionTallies:
        return session_tallies(self.ruleset, self.facts)


@cache
def by_house(ruleset: AnyRuleset, seed: int) -> Played:
    log = MemoryLog()
    facts = play(seed, 200, ruleset, log=log, rewinds=0.03)
    return Played(ruleset, facts, lambda version: log.at(facts[0].session, version))


@cache
def by_table(ruleset: AnyRuleset, seed: int) -> Played:
    table = play_table(ruleset, seed, 50)
    return Played(ruleset, table.facts, table.then)


EVENINGS = [
    pytest.param((made, ruleset, seed), id=f"{made.__name__}-{ruleset.name}-{seed}")
    for made in (by_house, by_table) for ruleset in SCALED_RULESETS for seed in SEEDS
]  # fmt: skip


@pytest.fixture(scope="module", params=EVENINGS)
def played(request: pytest.FixtureRequest) -> Played:
    made, ruleset, seed = request.param
    return made(ruleset, seed)  # type: ignore[no-any-return]


WAYS: list[Any] = [
    pytest.param(lambda facts: {}, id="what led to the head"),
    pytest.param(lambda facts: {"undone": True}, id="all"),
    pytest.param(
        lambda facts: {"first": len(facts) // 3, "last": 2 * len(facts) // 3}, id="some versions"
    ),
]


@pytest.mark.parametrize("way", WAYS)
def test_every_figure_is_what_slow_loops_find(
    played: Played, way: Callable[[Sequence[RecordedEvent]], dict[str, Any]]
) -> None:
    compare(
        compute_report(played.evening, **way(played.facts)),
        Recomputation(*played, **way(played.facts)),
    )


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
def test_secrets_do_not_count_for_those_from_whom_they_are_hidden(ruleset: AnyRuleset) -> None:
    """A table's evening has secret turns of every kind; some of them are opened in its course."""
    played = by_table(ruleset, SEEDS[0])
    turns = turns_hidden_from(played.at(len(played.facts)), PUBLIC_VIEWER)
    assert turns
    compare(compute_report(played.evening.open_to(turns)), Recomputation(*played, hidden=turns))


@pytest.mark.parametrize("undone", [False, True], ids=["led to the head", "all"])
def test_every_test_is_corrected_for_all_of_its_kind(played: Played, undone: bool) -> None:
    """Holm's way, once more: the smallest p times their number, the next times one less, none smaller than before."""
    found = compute_report(played.evening, undone=undone)
    lucks = [luck.test for luck in found.luck["seats"].values()]
    for dice, others in (("drawn", lucks), ("declared", [])):
        tests = others + [
            test
            for faces in found.faces[dice].values()
            for test in (
                *(each.test for each in faces.seats.values()),
                *([faces.test] if len(faces.seats) > 1 else []),
            )
        ]
        made = sorted(
            (t for t in tests if isinstance(t, shapes.ChanceTest) and t.verdict != "few"),
            key=lambda t: t.p,
        )
        for nth, test in enumerate(made):
            steps = [
                min(1.0, each.p * (len(made) - rank)) for rank, each in enumerate(made[: nth + 1])
            ]
            assert test.adjusted == pytest.approx(max(steps), rel=1e-4)
            assert (test.verdict != "fair") is (test.adjusted < shapes.ALPHA)
        if dice == "drawn":
            assert found.tests.made == len(made)
            assert len(found.tests.found) == sum(test.verdict != "fair" for test in made)


@pytest.mark.parametrize("size", [1, 7, 64])
@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
def test_counted_in_batches_of_any_size_they_are_the_same_byte_for_byte(
    ruleset: AnyRuleset, size: int
) -> None:
    log = MemoryLog()
    session = play(SEEDS[0], 90, ruleset, log=log, rewinds=0.05)[0].session
    whole = msgspec.json.encode(compute_report(session_tallies(ruleset, log.read_events(session))))
    for evening in (
        _caught_up(log, session, size),
        _caught_up(log, session, len(log.rows(0, 10_000))),
    ):
        assert msgspec.json.encode(compute_report(evening)) == whole


def _caught_up(log: MemoryLog, session: str, size: int) -> SessionTallies:
    """Counted as far as each so many events let it be, the figures asked for in between."""
    with fresh() as views:
        for upto in (*range(size, log.end(), size), log.end()):
            catch_up(_Upto(log, upto), views.tallies)
            evening = views.tallies.of(session)
        compute_report(evening)
        return evening


class _Upto:
    """A log of which so many events are there."""

    def __init__(self, log: MemoryLog, upto: int) -> None:
        self._log, self._upto = log, upto
        self.at, self.wait = log.at, log.wait

    def rows(self, after: int, limit: int) -> Any:
        return self._log.rows(after, min(limit, max(0, self._upto - after)))

    def end(self) -> int:
        return self._upto


def test_figures_are_read_back_from_json_as_they_were(played: Played) -> None:
    found = compute_report(played.evening)
    assert msgspec.json.decode(msgspec.json.encode(found), type=SessionReport) == found


@pytest.fixture(scope="module")
def every() -> list[SessionReport]:
    """Of every evening that is recomputed."""
    return [
        compute_report(made(ruleset, seed).evening, undone=True)
        for made, ruleset, seed in (param.values[0] for param in EVENINGS)
    ]


KINDS = [
    "luck.seats", "results.seats", "points", "rewinds.draws", "draws.grades", "draws.voids",
    "faces.declared", "faces.drawn",
]  # fmt: skip


@pytest.mark.parametrize("path", KINDS)
def test_there_is_something_of_each_kind_to_recompute(
    every: list[SessionReport], path: str
) -> None:
    def at(figure: Any) -> Any:
        for part in path.split("."):
            figure = figure.get(part, ()) if isinstance(figure, dict) else figure
        return figure

    assert any(at(msgspec.to_builtins(figure)) for figure in every)
