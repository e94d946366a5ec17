"""Jobs by themselves: on the real log, as often as one likes, late, and against older ones."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rq.utils import import_attribute

from domain.rulesets import RULESETS
from domain.session.messages import Narrate, OpenSeal
from projections.results import (
    MAX_NAMES_BY_PREFIX,
    RANGES,
    STATISTICS,
    STATISTICS_WITH_UNDONE,
    JobResult,
    range_name,
)
from projections.runner import catch_up
from projections.statistics_model import SessionReport
from projections.tallies import session_tallies
from service.jobs.definitions import FUNCTIONS, JobKind
from service.ops.migrate import prepare
from service.platform.settings import Settings
from service.sessions.app import build
from tests.projections.contract import expected, results_of, rows_of
from tests.support.sessions import ScriptedSession, play
from tests.workers.stand_ins import StandIn, stand_in
from workers import jobs
from workers.statistics.report import compute_report

FIRST, SECOND = RULESETS[0], RULESETS[1]
read = msgspec.json.Decoder(SessionReport).decode


@pytest.fixture
def app(tmp_path: Path) -> Iterator[StandIn]:
    app = stand_in(tmp_path)
    yield app
    app.read_models.close()


def compute(app: Any, session: str) -> None:
    jobs.compute_statistics(app, session)


def statistics_of(app: StandIn, session: str, name: str = STATISTICS) -> tuple[int, SessionReport]:
    """Where nothing is hidden from anyone."""
    [result] = results_of(app.read_models, session, name)
    assert result.hidden == ()
    return result.version, read(result.body)


@pytest.mark.parametrize("kind", JobKind)
def test_every_kind_names_a_function_that_takes_ids_alone(kind: JobKind) -> None:
    function = import_attribute(FUNCTIONS[kind])
    taken = {name: said for name, said in function.__annotations__.items() if name != "return"}
    assert taken
    assert set(taken.values()) <= {"str", "int", "int | None"}


def test_statistics_are_computed_and_stored_as_of_the_head(app: StandIn) -> None:
    evening = ScriptedSession(4, log=app.log)
    compute(app, evening.id)
    compute(app, evening.id)
    assert statistics_of(app, evening.id) == (
        evening.session.version,
        compute_report(app.read_models.tallies.of(evening.id)),
    )


def test_what_rewinds_left_behind_is_counted_for_those_who_ask(app: StandIn) -> None:
    facts = play(4, 200, log=app.log, rewinds=0.1)
    session, counted = facts[0].session, session_tallies(FIRST, facts)
    compute(app, session)
    told, with_undone = (
        statistics_of(app, session, name) for name in (STATISTICS, STATISTICS_WITH_UNDONE)
    )
    assert (told, with_undone) == (
        (len(facts), compute_report(counted)),
        (len(facts), compute_report(counted, undone=True)),
    )
    assert told[1].faces != with_undone[1].faces


def test_a_way_of_seeing_that_is_gone_is_dropped(app: StandIn) -> None:
    evening = ScriptedSession(4, log=app.log)
    evening.do("p1", Narrate("Psst.", audience="gm"))
    compute(app, evening.id)
    turn = evening.session.turn
    assert {result.hidden for result in results_of(app.read_models, evening.id, STATISTICS)} == {
        (),
        (turn,),
    }
    evening.do("gm", OpenSeal(turn))
    compute(app, evening.id)
    assert statistics_of(app, evening.id)[0] == evening.session.version


def test_of_a_session_that_the_log_has_lost_nothing_is_stored(app: StandIn) -> None:
    compute(app, "0" * 32)
    assert app.read_models.results.versions(STATISTICS) == {}


def test_a_late_job_changes_nothing(app: StandIn) -> None:
    evening = ScriptedSession(4, log=app.log)
    newer = JobResult(evening.id, STATISTICS, evening.session.version + 5, '{"newer": true}')
    app.read_models.results.put(newer)
    compute(app, evening.id)
    assert results_of(app.read_models, evening.id, STATISTICS) == [newer]


def test_the_same_job_twice_at_once_ends_as_once(app: StandIn) -> None:
    facts = play(4, 120, log=app.log, rewinds=0.1)
    session = facts[0].session
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: compute(app, session), range(4)))
    for name, undone in ((STATISTICS, False), (STATISTICS_WITH_UNDONE, True)):
        assert statistics_of(app, session, name) == (
            len(facts),
            compute_report(session_tallies(FIRST, facts), undone=undone),
        )


def test_the_figures_of_some_versions_stand_under_a_name_of_their_own(app: StandIn) -> None:
    facts = play(4, 120, log=app.log, rewinds=0.1)
    session, counted = facts[0].session, session_tallies(FIRST, facts)
    for first, last in ((1, 60), (30, None), (30, 90), (30, 90)):
        jobs.compute_range(app, session, first, last)  # type: ignore[arg-type]
        for undone in (False, True):
            stored = statistics_of(app, session, range_name(first, last, undone=undone))
            assert stored == (
                len(facts),
                compute_report(counted, undone=undone, first=first, last=last),
            )


def test_of_many_ranges_the_newest_are_kept(app: StandIn) -> None:
    evening = ScriptedSession(4, log=app.log)
    session = evening.id
    compute(app, session)
    for first in range(1, MAX_NAMES_BY_PREFIX[RANGES]):
        jobs.compute_range(app, session, first, None)  # type: ignore[arg-type]
        kept = app.read_models.results.names(session, RANGES)
        assert {range_name(first, None, undone=undone) for undone in (False, True)} <= set(kept)
        assert len(kept) == min(2 * first, MAX_NAMES_BY_PREFIX[RANGES])
    assert statistics_of(app, session)[0] == evening.session.version, "other results stay"


def test_the_job_builds_what_it_needs_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRLOG_DATA", str(tmp_path))
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path)})
    prepare(settings)
    evening = ScriptedSession(5)
    facts = play(5, 60)
    app = build(settings)
    try:
        app.log.append(evening.head, evening.facts)
        app.log.append(evening.head, facts[len(evening.facts) :])
        jobs.statistics(evening.id)
        [stored] = results_of(app.read_models, evening.id, STATISTICS)
        assert stored.version == len(facts)
        for view in app.read_models.followed:
            catch_up(app.log, view)
            evening.log.append(facts[evening.log.end() :])
            assert rows_of(view) == expected(evening.log, view.name), (
                "the real log gives the rows of the one in memory"
            )
    finally:
        app.close()
