"""Jobs by themselves: on the real log, as often as one likes, late, and against older ones."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rq.utils import import_attribute

from domain.recorded_event import RecordedEvent
from domain.rulesets import RULESETS
from domain.session.messages import Close, Narrate, OpenSeal, Rewind
from projections.results import (
    MAX_NAMES_BY_PREFIX,
    RANGES,
    STATISTICS,
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
from tests.support.example import EXAMPLE, over, to_draw
from tests.support.sessions import ScriptedSession, play
from tests.workers.stand_ins import StandIn, stand_in
from workers import jobs
from workers.statistics.report import compute_report

FIRST = RULESETS[0]
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


def test_statistics_go_on_from_what_was_stored(
    app: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job reads no tallies from before the newest state that no rewind has made useless."""
    evening = ScriptedSession(4, log=app.log)
    evening.do("p1", Narrate("We are early."))
    compute(app, evening.id)
    first = evening.session.version
    for _ in range(3):
        evening.do("p1", Narrate("And on."))
    read_after = []

    def watched(session: str, version: int, upto: int) -> Any:
        read_after.append(version)
        return type(app.read_models.tallies).after(app.read_models.tallies, session, version, upto)

    monkeypatch.setattr(app.read_models.tallies, "after", watched)
    compute(app, evening.id)
    assert read_after == [first]
    evening.do("gm", Rewind(first - 1, "a step too far"))
    compute(app, evening.id)
    assert read_after == [first, 0]
    assert statistics_of(app, evening.id)[1].version == evening.session.version


def test_without_stored_states_statistics_are_computed_from_the_beginning(app: StandIn) -> None:
    facts = play(4, 120, log=app.log, rewinds=0.1)
    session = facts[0].session
    compute(app, session)
    known = statistics_of(app, session)
    with app.read_models.store.writing() as cursor:
        cursor.execute("DELETE FROM statistics_states")
    compute(app, session)
    assert statistics_of(app, session) == known == (len(facts), of_all(facts))


def of_all(facts: list[RecordedEvent]) -> SessionReport:
    return compute_report(session_tallies(FIRST, facts))


@pytest.mark.parametrize("is_closed", [False, True])
def test_the_verdict_is_final_after_the_close(app: StandIn, is_closed: bool) -> None:
    evening = ScriptedSession(9, log=app.log)
    for seat, command in (
        ("p1", EXAMPLE.bring),
        *(step for _ in range(12) for step in (*to_draw(), *over())),
    ):
        evening.do(seat, command)
    if is_closed:
        evening.do("gm", Close(carry_over=True))
    compute(app, evening.id)
    _, found = statistics_of(app, evening.id)
    assert {summary.final for summary in found.verdicts.values()} == {is_closed}
    assert found == compute_report(app.read_models.tallies.of(evening.id), is_final=is_closed)


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
    assert statistics_of(app, session) == (len(facts), of_all(facts))


def test_statistics_of_some_versions_stand_under_a_name_of_their_own(app: StandIn) -> None:
    facts = play(4, 120, log=app.log, rewinds=0.1)
    session, counted = facts[0].session, session_tallies(FIRST, facts)
    for first, last in ((1, 60), (30, None), (30, 90), (30, 90)):
        jobs.compute_range(app, session, first, last)  # type: ignore[arg-type]
        stored = statistics_of(app, session, range_name(first, last))
        assert stored == (len(facts), compute_report(counted, versions=(first, last)))


def test_of_many_ranges_the_newest_are_kept(app: StandIn) -> None:
    evening = ScriptedSession(4, log=app.log)
    session = evening.id
    compute(app, session)
    for first in range(1, MAX_NAMES_BY_PREFIX[RANGES] + 3):
        jobs.compute_range(app, session, first, None)  # type: ignore[arg-type]
        kept = app.read_models.results.names(session, RANGES)
        assert range_name(first, None) in kept
        assert len(kept) == min(first, MAX_NAMES_BY_PREFIX[RANGES])
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
