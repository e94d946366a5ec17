"""Every projection keeps the same promises: in order, once, whole, and equal however the log was cut into batches."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import given, settings, strategies as st

from domain.decider import Role
from domain.recorded_event import LogRow
from domain.rulesets import RULESETS
from domain.session.messages import Close, Declared, Forked, Inherited, Rewound, SealOpened
from projections.registry import FOLLOWED, ReadModels, StoreAddress, open_store
from projections.runner import (
    Cursor,
    EventSource,
    NotMigratedError,
    ReadModel,
    catch_up,
    lag,
    migrate,
    rebuild,
)
from tests.domain.secret_sessions import intrigue
from tests.golden.named_dice import NamedDicePlay
from tests.projections.contract import Rows, expected, fresh, mixed, rows_of
from tests.projections.rewound_sessions import forked, taken_back
from tests.support.databases.places import AT_LENGTH, DATABASES, place
from tests.support.scale import LONG, SCALED_RULESETS, scale
from tests.support.sessions import MemoryLog, ScriptedSession, play

NAMES = ("tables", "timeline", "tallies", "sessions", "totals")
BATCHES = [
    (database, batch)
    for database in DATABASES
    for batch in ((1, 7, 1000) if LONG else (50, 1000))
    if batch > 50 or database in AT_LENGTH
]
by_name = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    """Evenings of every room, open ones, secret ones and a fork of these, and one with named dice, their events in a
    mixed order.
    """
    openly = [
        play(seed, 120, ruleset, rewinds=0.1) for ruleset in SCALED_RULESETS for seed in range(2)
    ]
    secretly = [intrigue(ruleset, 500, 250) for ruleset in SCALED_RULESETS]
    forks = [forked(evening, evening.session.version, 150) for evening in secretly]
    forks += [forked(evening, evening.session.secrets.since - 1, 50) for evening in secretly]
    named = NamedDicePlay(RULESETS[0]).evening
    return mixed(
        [*openly, *(evening.facts for evening in (*secretly, *forks, taken_back(), named))]
    )


@pytest.fixture(scope="module")
def whole(log: MemoryLog) -> dict[str, Rows]:
    """The rows of each projection at the end of it, worked out by hand once."""
    return {name: expected(log, name) for name in NAMES}


@pytest.fixture(params=AT_LENGTH)
def views(request: pytest.FixtureRequest) -> Iterator[ReadModels]:
    with fresh(request.param) as views:
        yield views


@pytest.fixture(params=DATABASES)
def on_each(request: pytest.FixtureRequest) -> Iterator[ReadModels]:
    """For what the gate too holds on every database."""
    with fresh(request.param) as views:
        yield views


def test_the_log_has_secrets_openings_forks_and_take_backs(log: MemoryLog) -> None:
    """Else the suite below would say nothing of them."""
    facts = [row.event for row in log.rows(0, log.end())]
    assert {type(fact.body) for fact in facts} >= {Inherited, Forked, SealOpened, Rewound}
    assert {fact.sealed for fact in facts if isinstance(fact.body, Inherited)} == {True, False}
    assert len({type(fact.body) for fact in facts if fact.sealed}) > 50
    roles = {
        log.at(fact.session, fact.version).by(fact.seat).role
        for fact in facts
        if isinstance(fact.body, Rewound)
    }
    assert roles == {Role.GM, Role.PLAYER}
    assert any(log.head(session).tables_by_seat for session in log.sessions()), (
        "and tables that are not for everyone"
    )
    assert any(isinstance(fact.body, Declared) and fact.body.dice_name for fact in facts)


def test_every_projection_is_tried(views: ReadModels) -> None:
    assert tuple(view.name for view in views.followed) == NAMES
    assert [type(view) for view in views.followed] == list(FOLLOWED)


@pytest.mark.parametrize(("database", "batch"), BATCHES)
@by_name
def test_rows_are_those_worked_out_by_hand_whatever_the_batch(
    log: MemoryLog, whole: dict[str, Rows], name: str, batch: int, database: str
) -> None:
    with fresh(database) as views:
        view: ReadModel = getattr(views, name)
        assert catch_up(log, view, batch) == log.end()
        assert rows_of(view) == whole[name]
        assert lag(log, view) == 0


@pytest.mark.parametrize("database", AT_LENGTH)
@by_name
@settings(max_examples=scale(3, 40), deadline=None)
@given(seed=st.integers(0, 10_000), cuts=st.lists(st.integers(1, 40), min_size=1, max_size=8))
def test_rows_follow_the_log_as_it_grows(
    name: str, database: str, seed: int, cuts: list[int]
) -> None:
    played, growing = MemoryLog(), MemoryLog()
    play(seed, 25, log=played, rewinds=0.2)
    intrigue(RULESETS[0], 20_000 + seed, 80, log=played)
    with fresh(database) as views:
        view: ReadModel = getattr(views, name)
        for cut in [*cuts, played.end()]:
            growing.append([row.event for row in played.rows(growing.end(), cut)])
            catch_up(growing, view, batch=max(cuts))
            assert rows_of(view) == expected(growing, name)


@by_name
def test_a_second_run_changes_nothing(log: MemoryLog, views: ReadModels, name: str) -> None:
    view: ReadModel = getattr(views, name)
    catch_up(log, view)
    before = rows_of(view)
    assert catch_up(log, view) == 0
    assert rows_of(view) == before


class Crash(Exception):
    """The process ends here."""


class Crashing:
    """A view that dies inside its transaction, after its rows are written."""

    def __init__(self, view: ReadModel, at: int) -> None:
        self.view, self.left = view, at
        self.name, self.tables, self.store = view.name, view.tables, view.store

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        self.view.apply(rows, log, cursor)
        self.left -= 1
        if not self.left:
            raise Crash


@by_name
@pytest.mark.parametrize("at", [1, 3])
def test_a_crash_loses_the_batch_and_nothing_else(
    log: MemoryLog, whole: dict[str, Rows], views: ReadModels, name: str, at: int
) -> None:
    view: ReadModel = getattr(views, name)
    with pytest.raises(Crash):
        catch_up(log, Crashing(view, at), batch=50)
    assert view.store.position(name) == 50 * (at - 1)
    part = MemoryLog()
    part.append([row.event for row in log.rows(0, 50 * (at - 1))])
    assert rows_of(view) == expected(part, name)
    assert catch_up(log, view, batch=50) == log.end() - 50 * (at - 1)
    assert rows_of(view) == whole[name]


@by_name
def test_a_batch_behind_anothers_is_left_alone(
    log: MemoryLog, on_each: ReadModels, name: str
) -> None:
    """Two processes read the same position: the longer batch must not apply the rows of the other again."""
    views = on_each
    view: ReadModel = getattr(views, name)
    assert view.store.advance(view, 0, log.rows(0, 20), log)
    before = rows_of(view)
    assert not view.store.advance(view, 0, log.rows(0, 30), log)
    assert (rows_of(view), view.store.position(name)) == (before, 20)


@pytest.mark.parametrize("database", AT_LENGTH)
@by_name
def test_two_processes_at_once_do_the_work_once(
    log: MemoryLog, whole: dict[str, Rows], name: str, database: str
) -> None:
    with place(database) as made:
        ReadModels(made, create=True).close()
        _at_once(log, whole[name], made, name)


def _at_once(log: MemoryLog, whole: Rows, made: StoreAddress, name: str) -> None:
    applied: list[int] = []

    def process(batch: int) -> None:
        with closing(ReadModels(made)) as views:
            applied.append(catch_up(log, getattr(views, name), batch))

    threads = [threading.Thread(target=process, args=(batch,)) for batch in (3, 5, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with closing(ReadModels(made)) as views:
        assert sum(applied) == log.end()
        assert rows_of(getattr(views, name)) == whole


@by_name
def test_rebuilt_equals_incremental_and_is_shown_whole(
    log: MemoryLog, views: ReadModels, name: str
) -> None:
    view: ReadModel = getattr(views, name)
    catch_up(log, view, batch=13)
    before = rows_of(view)
    seen = []

    class Watching(type(view)):  # type: ignore[misc]
        """The view under construction; looks at the shown one while it works."""

        def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
            super().apply(rows, log, cursor)
            seen.append(rows_of(view))

    assert rebuild(log, views.store, Watching) == log.end()
    assert seen
    assert all(rows == before for rows in seen)
    assert rows_of(view) == before
    assert lag(log, view) == 0


@by_name
def test_a_rebuild_mends_what_was_bent_and_goes_on(on_each: ReadModels, name: str) -> None:
    evening, views = ScriptedSession(3), on_each
    view: ReadModel = getattr(views, name)
    catch_up(evening.log, view)
    for table in view.tables:
        view.store.write(f"DROP TABLE {table}")
    views.rebuild(evening.log, name)
    assert rows_of(view) == expected(evening.log, name)
    evening.do("gm", Close(carry_over=True))
    assert catch_up(evening.log, view) == 1
    assert rows_of(view) == expected(evening.log, name)


@by_name
def test_a_log_that_was_set_back_shows_as_negative_lag(
    log: MemoryLog, views: ReadModels, name: str
) -> None:
    view: ReadModel = getattr(views, name)
    catch_up(log, view)
    older = MemoryLog()
    older.append([row.event for row in log.rows(0, 100)])
    assert lag(older, view) == 100 - log.end()
    views.rebuild(older, name)
    assert (lag(older, view), rows_of(view)) == (0, expected(older, name))


@pytest.mark.parametrize("database", DATABASES)
def test_a_view_without_tables_says_so(database: str) -> None:
    with place(database) as made, closing(open_store(made)) as store:
        migrate(store, [])
        with pytest.raises(NotMigratedError):
            catch_up(MemoryLog(), FOLLOWED[0](store))


def test_migration_runs_as_often_as_one_likes(
    log: MemoryLog, whole: dict[str, Rows], views: ReadModels
) -> None:
    catch_up(log, views.timeline)
    for _ in range(2):
        migrate(views.store, views.followed)
    assert lag(log, views.timeline) == 0
    assert rows_of(views.timeline) == whole["timeline"]
