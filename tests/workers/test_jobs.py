"""Jobs by themselves: on the real log, as often as one likes, late, and against older ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from domain.session.messages import Narrate, OpenSeal
from projections.results import STATISTICS, STATISTICS_WITH_UNDONE, Result
from projections.tallies import evening_of
from projections.views import catch_up
from service.bootstrap import build, prepare
from service.settings import Settings
from tests.evenings import Evening, play
from tests.projections.contract import expected, results_of, rows_of
from tests.workers.stand_ins import StandIn, stand_in
from workers import jobs
from workers.jobs import compute_statistics, sweep
from workers.statistics import figures


@pytest.fixture
def app(tmp_path: Path) -> Iterator[StandIn]:
    app = stand_in(tmp_path)
    yield app
    app.views.close()


def statistics_of(app: StandIn, session: str, name: str = STATISTICS) -> tuple[int, object]:
    """Where nothing is hidden from anyone."""
    [result] = results_of(app.views, session, name)
    assert result.hidden == ()
    return result.version, json.loads(result.body)


def test_statistics_are_computed_and_stored_as_of_the_head(app: StandIn) -> None:
    evening = Evening(4, log=app.log)
    compute_statistics(app, evening.id)  # type: ignore[arg-type]
    compute_statistics(app, evening.id)  # type: ignore[arg-type]
    assert statistics_of(app, evening.id) == (evening.session.version, figures(app.views.tallies.of(evening.id)))


def test_what_rewinds_left_behind_is_counted_for_those_who_ask(app: StandIn) -> None:
    facts = play(4, 200, log=app.log, rewinds=0.1)
    session, counted = facts[0].session, evening_of(RULESETS[0], facts)
    compute_statistics(app, session)  # type: ignore[arg-type]
    told, with_undone = (statistics_of(app, session, name) for name in (STATISTICS, STATISTICS_WITH_UNDONE))
    assert (told, with_undone) == ((len(facts), figures(counted)), (len(facts), figures(counted, undone=True)))
    every = counted._replace(tallies=tuple(tally._replace(undone=False) for tally in counted.tallies))
    for part in ("faces", "results", "points", "conditions"):
        assert figures(counted, undone=True)[part] == figures(every)[part]
    for part in ("rewinds", "tempo"):  # which speak of them anyhow
        assert figures(counted, undone=True)[part] == figures(counted)[part]
    assert figures(counted, undone=True)["faces"] != figures(counted)["faces"]


def test_a_way_of_seeing_that_is_gone_is_dropped(app: StandIn) -> None:
    evening = Evening(4, log=app.log)
    evening.do("p1", Narrate("Psst.", audience="gm"))
    compute_statistics(app, evening.id)  # type: ignore[arg-type]
    turn = evening.session.turn
    assert {result.hidden for result in results_of(app.views, evening.id, STATISTICS)} == {(), (turn,)}
    evening.do("gm", OpenSeal(turn))
    compute_statistics(app, evening.id)  # type: ignore[arg-type]
    assert statistics_of(app, evening.id)[0] == evening.session.version


def test_of_a_session_that_the_log_has_lost_nothing_is_stored(app: StandIn) -> None:
    compute_statistics(app, "0" * 32)  # type: ignore[arg-type]
    assert app.views.results.versions(STATISTICS) == {}


def test_a_late_job_changes_nothing(app: StandIn) -> None:
    evening = Evening(4, log=app.log)
    newer = Result(evening.id, STATISTICS, evening.session.version + 5, '{"newer": true}')
    app.views.results.put(newer)
    compute_statistics(app, evening.id)  # type: ignore[arg-type]
    assert results_of(app.views, evening.id, STATISTICS) == [newer]


def test_the_job_builds_what_it_needs_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRLOG_DATA", str(tmp_path))
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path)})
    prepare(settings)
    evening = Evening(5)
    facts = play(5, 60)
    app = build(settings)
    try:
        app.log.append(evening.head, evening.facts)
        app.log.append(evening.head, facts[len(evening.facts) :])
        jobs.statistics(evening.id)
        [stored] = results_of(app.views, evening.id, STATISTICS)
        assert stored.version == len(facts)
        for view in app.views.followed:
            catch_up(app.log, view)
            evening.log.append(facts[evening.log.end() :])
            assert rows_of(view) == expected(evening.log, view.name), "the real log gives the rows of the one in memory"
    finally:
        app.close()


def test_the_sweep_nudges_what_lags_and_only_that(app: StandIn) -> None:
    done, behind, new = (Evening(seed, log=app.log) for seed in range(3))
    catch_up(app.log, app.views.sessions)
    for evening, version in ((done, done.session.version), (behind, 1)):
        app.views.results.put(Result(evening.id, STATISTICS, version, "{}"))
    assert sweep(app) == 2  # type: ignore[arg-type]
    assert set(app.queue.nudged) == {behind.id, new.id}


def test_the_sweep_waits_for_a_queue_that_is_full_or_away(app: StandIn) -> None:
    Evening(1, log=app.log)
    catch_up(app.log, app.views.sessions)
    app.queue.waiting = 1
    assert (sweep(app), app.queue.nudged) == (1, [])  # type: ignore[arg-type]
    app.queue.waiting, app.queue.away = 0, True
    assert (sweep(app), app.queue.nudged) == (1, [])  # type: ignore[arg-type]
    app.queue.away = False
    assert (sweep(app), len(app.queue.nudged)) == (1, 1)  # type: ignore[arg-type]
