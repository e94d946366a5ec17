"""Views that an earlier Fairlog made: what has other columns by now is made anew, the rest stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from projections.registry import ReadModels, StoreAddress
from projections.results import JobResult, Results
from projections.runner import catch_up, lag
from projections.statistics_states import STATE_FORMAT, StoredState
from projections.tallies import TALLY_FORMAT, Tallies
from projections.timeline import TEXT_FORMAT, Timeline
from tests.projections.contract import expected, results_of, rows_of
from tests.support.databases.places import DATABASES, place
from tests.support.sessions import MemoryLog, ScriptedSession, play

COLUMNS = Tallies.tables["tallies"]
UNMARKED = COLUMNS.replace(f" /* {TALLY_FORMAT} */", "")
"""The columns as they are now, of counts that were written before they had a shape."""

EARLIER = {
    # The tables as they were before counts and results knew of secrets.
    "tallies": "(session TEXT NOT NULL, version INTEGER NOT NULL, nth INTEGER NOT NULL, turn INTEGER NOT NULL, "
    "at INTEGER NOT NULL, seat TEXT NOT NULL, dice TEXT NOT NULL, undone INTEGER NOT NULL, count TEXT NOT NULL, "
    "PRIMARY KEY (session, version, nth)) WITHOUT ROWID",
    "tally_turns": "(session TEXT NOT NULL, turn INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, "
    "at INTEGER NOT NULL, seat TEXT NOT NULL, kind TEXT NOT NULL, dice TEXT NOT NULL, undone INTEGER NOT NULL, "
    "PRIMARY KEY (session, first), UNIQUE (session, turn)) WITHOUT ROWID",
    "results": "(session TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, "
    "PRIMARY KEY (session, name)) WITHOUT ROWID",
}


@pytest.fixture
def log() -> MemoryLog:
    log = MemoryLog()
    play(1, 60, log=log)
    return log


@pytest.fixture(params=DATABASES)
def path(request: pytest.FixtureRequest, log: MemoryLog) -> Iterator[StoreAddress]:
    """At the head of the log, as the earlier one left it."""
    with place(request.param) as path:
        _of_earlier(path, log)
        yield path


def _of_earlier(path: StoreAddress, log: MemoryLog) -> None:
    with closing(ReadModels(path, create=True)) as views:
        for view in views.followed:
            catch_up(log, view)
        for name, columns in EARLIER.items():
            _make(views, name, columns)
        views.store.write("INSERT INTO tallies VALUES ('a', 1, 0, 1, 0, 'gm', 'drawn', 0, '{}')")
        views.store.write("INSERT INTO results VALUES ('a', 'statistics', 7, '[7]')")


def _make(views: ReadModels, name: str, columns: str) -> None:
    with views.store.writing() as cursor:
        cursor.execute(f"DROP TABLE {name}")
        views.store.create_table(cursor, name, columns)


def test_a_view_with_other_columns_is_caught_up_from_zero(
    path: StoreAddress, log: MemoryLog
) -> None:
    with closing(ReadModels(path, create=True)) as views:
        assert [view.name for view in views.followed if lag(log, view)] == ["tallies"]
        assert views.tallies.of("a").version == 0
        catch_up(log, views.tallies)
        for view in views.followed:
            assert rows_of(view) == expected(log, view.name)


@pytest.mark.parametrize("columns", [UNMARKED, COLUMNS.replace(f"/* {TALLY_FORMAT} */", "/* 1 */")])
def test_counts_of_another_shape_are_made_anew(
    path: StoreAddress, log: MemoryLog, columns: str
) -> None:
    with closing(ReadModels(path, create=True)) as views:
        catch_up(log, views.tallies)
        _make(views, "tallies", columns)
    with closing(ReadModels(path, create=True)) as views:
        assert [view.name for view in views.followed if lag(log, view)] == ["tallies"]
        catch_up(log, views.tallies)
        assert rows_of(views.tallies) == expected(log, "tallies")


def test_texts_of_another_version_are_made_anew(path: StoreAddress, log: MemoryLog) -> None:
    columns = Timeline.tables["timeline"].replace(f" /* {TEXT_FORMAT} */", "")
    with closing(ReadModels(path, create=True)) as views:
        catch_up(log, views.tallies)
        _make(views, "timeline", columns)
    with closing(ReadModels(path, create=True)) as views:
        assert [view.name for view in views.followed if lag(log, view)] == ["timeline"]
        catch_up(log, views.timeline)
        assert rows_of(views.timeline) == expected(log, "timeline")


def test_results_of_an_earlier_shape_are_forgotten(path: StoreAddress) -> None:
    with closing(ReadModels(path, create=True)) as views:
        assert views.results.versions("statistics") == {}
        views.results.put(JobResult("a", "statistics", 3, "[3]", (2,)))
        assert results_of(views, "a", "statistics") == [
            JobResult("a", "statistics", 3, "[3]", (2,))
        ]


def test_figures_of_another_shape_are_forgotten(path: StoreAddress) -> None:
    """The columns are as they are now, but not what stands in them."""
    with closing(ReadModels(path)) as views:
        _make(views, "results", Results.tables["results"].partition(" /*")[0])
        views.store.write("INSERT INTO results VALUES ('a', 'statistics', 7, '{}', '[]')")
    with closing(ReadModels(path, create=True)) as views:
        assert views.results.versions("statistics") == {}


@pytest.mark.parametrize("marks", ["", f" /* {TALLY_FORMAT}.{STATE_FORMAT - 1} */", " /* 2.1 */"])
def test_running_statistics_of_another_shape_are_forgotten(path: StoreAddress, marks: str) -> None:
    """Else a job would continue from counts of an older format."""
    state = StoredState(7, (), (), "{}")
    with closing(ReadModels(path, create=True)) as views:
        views.statistics_states.put("a", state)
        columns = views.statistics_states.tables["statistics_states"].partition(" /*")[0]
        _make(views, "statistics_states", columns + marks)
        views.statistics_states.put("a", state)
    with closing(ReadModels(path, create=True)) as views:
        assert views.statistics_states.of("a") == []
        views.statistics_states.put("a", state)
    with closing(ReadModels(path, create=True)) as views:
        assert views.statistics_states.body("a", state) == "{}"


def test_the_next_start_finds_them_as_they_are(path: StoreAddress, log: MemoryLog) -> None:
    """Also those that a rebuild put in their place."""
    with closing(ReadModels(path, create=True)) as views:
        for view in views.followed:
            views.rebuild(log, view.name)
        views.results.put(JobResult("a", "statistics", 3, "[3]"))
    with closing(ReadModels(path, create=True)) as views:
        assert [lag(log, view) for view in views.followed] == [0, 0, 0, 0, 0]
        assert views.results.versions("statistics") == {"a": 3}
        ScriptedSession(9, log=log)
        for view in views.followed:
            catch_up(log, view)
            assert rows_of(view) == expected(log, view.name)
