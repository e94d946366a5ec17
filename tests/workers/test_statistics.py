"""Every statistic against a slow recomputation from the events of random sessions, and in batches of odd sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import UNSET

from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.state import Session
from domain.visibility import PUBLIC_VIEWER, Viewer, turns_hidden_from
from projections import statistics_model as shapes
from projections.runner import catch_up
from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies, session_tallies
from tests.domain.secret_sessions import intrigue
from tests.projections.contract import fresh
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import MemoryLog, play, play_table
from tests.workers.recomputation import Recomputation, chosen_seats, compare
from workers.statistics import verdicts
from workers.statistics.report import Chosen, compute_report, fold

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


RANGES: list[Callable[[int], tuple[int, int | None]]] = [
    lambda size: (size // 3, 2 * size // 3),
    lambda size: (size // 2, None),
]


def test_every_statistic_is_what_slow_loops_find(played: Played) -> None:
    compare(compute_report(played.evening), Recomputation(*played))


@pytest.mark.parametrize("versions", RANGES, ids=["the middle third", "the second half"])
def test_so_is_that_of_some_versions(
    played: Played, versions: Callable[[int], tuple[int, int | None]]
) -> None:
    first, last = versions(len(played.facts))
    found = compute_report(played.evening, versions=(first, last))
    assert (found.first, found.last) == (first, len(played.facts) if last is None else last)
    compare(found, Recomputation(*played, first=first, last=last))


@cache
def with_intrigues(ruleset: AnyRuleset, seed: int) -> Played:
    evening = intrigue(ruleset, 900 + seed, 250)
    return Played(ruleset, evening.facts, evening.then)


@pytest.mark.parametrize("made", [by_table, with_intrigues])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
def test_secrets_count_for_nothing_that_is_compared_if_some_are_hidden(
    ruleset: AnyRuleset, seed: int, made: Callable[[AnyRuleset, int], Played]
) -> None:
    """Such sessions have secret turns of every kind. Some of them are opened in their course."""
    played = made(ruleset, seed)
    head = played.at(len(played.facts))
    viewers = [PUBLIC_VIEWER, *map(Viewer, head.info.seats)]
    views = {turns_hidden_from(head, viewer) for viewer in viewers}
    assert max(map(len, views))
    for turns in views:
        chosen = chosen_seats(played.facts, head, turns)
        found = compute_report(
            played.evening.open_to(turns), chosen=[Chosen(*each) for each in chosen], hidden=turns
        )
        compare(found, Recomputation(*played, hidden=turns))
        assert bool(found.secret) is any(origin == "drawn" for origin, _ in chosen)


def test_every_test_is_corrected_for_all_of_its_origin(played: Played) -> None:
    """Holm's way, once more: the smallest p times the weight of all, the next times that of the rest, none smaller than
    before. A test of repeats of drawn values weighs a tenth, and p is divided by the weight.
    """
    found = compute_report(played.evening, is_final=True)
    ever = fold(played.evening).ever
    families = verdicts.families(ever.faces, ever.luck, is_final=True)
    assert {origin: family.summary for origin, family in families.items()} == found.verdicts
    for origin, family in families.items():
        made = [
            (test, 0.1 if (origin, key.test) == ("drawn", "repeats") else 1.0)
            for key, test in family.tests.items()
            if test.verdict != "few"
        ]
        made.sort(key=lambda each: each[0].p / each[1])
        highest, left = 0.0, sum(weight for _, weight in made)
        for test, weight in made:
            highest = max(highest, min(1.0, test.p / weight * left))
            left -= weight
            assert test.adjusted == pytest.approx(highest, rel=1e-4)
            assert (test.verdict != "fair") is (test.adjusted < shapes.ALPHA)
        assert family.summary.made == len(made)
        assert len(family.summary.found) == sum(test.verdict != "fair" for test, _ in made)
        assert set(every_test_in(found, origin)) <= set(family.tests.values())


def test_every_test_of_the_family_is_at_its_seat_or_its_die(played: Played) -> None:
    """A test is left out only with the luck of a seat all of whose rolls were undone."""
    found = compute_report(played.evening)
    ever = fold(played.evening).ever
    for origin, family in verdicts.families(ever.faces, ever.luck, is_final=False).items():
        for (name, source, seat), test in family.tests.items():
            if not source:
                has_luck = seat in found.luck[origin]["seats"]
                assert not has_luck or found.luck[origin]["seats"][seat].tests[name] == test
            elif seat:
                assert found.faces[origin][source].seats[seat].tests[name] == test
            else:
                assert found.faces[origin][source].tests[name] == test


def every_test_in(report: SessionReport, origin: str) -> Iterator[shapes.ChanceTest]:
    for luck in report.luck[origin]["seats"].values():
        yield from luck.tests.values()
    for faces in report.faces[origin].values():
        yield from faces.tests.values()
        for of_seat in faces.seats.values():
            yield from of_seat.tests.values()


def test_statistics_of_some_versions_judge_nothing(played: Played) -> None:
    """Who looks could choose the versions by their results."""
    found = compute_report(played.evening, versions=(1, None), is_final=True)
    assert (found.verdicts, found.headline) == ({}, "")
    for origin in found.faces:
        assert list(every_test_in(found, origin)) == []
        for luck in found.luck[origin]["seats"].values():
            assert (luck.percentile, luck.text) == (UNSET, UNSET)


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
        compute_report(made(ruleset, seed).evening)
        for made, ruleset, seed in (param.values[0] for param in EVENINGS)
    ]


KINDS = [
    "luck.drawn.seats", "luck.drawn.entities", "luck.declared.seats", "streaks.drawn.seats", "results.seats", "points",
    "conditions", "rewinds.draws", "draws.grades", "draws.voids", "faces.declared", "faces.drawn", "verdicts.drawn",
    "highlights",
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
