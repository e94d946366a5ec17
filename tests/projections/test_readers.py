"""What readers ask of the views, and the same answers made from the log where a view is behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from domain.decider import Role
from domain.session.messages import LeaveSeat, Narrate, Rewind, Rewound
from projections import tallies as tallies_module
from projections.registry import ReadModels
from projections.runner import catch_up
from projections.sessions import SeatEntry, SessionEntry
from projections.tables import public_table
from projections.tallies import session_tallies
from projections.timeline import timeline_lines
from tests.projections.contract import fresh
from tests.support.databases.places import DATABASES
from tests.support.sessions import MemoryLog, ScriptedSession, play

BEHIND = 30


@pytest.fixture
def log() -> MemoryLog:
    log = MemoryLog()
    play(1, 150, log=log, rewinds=0.1)
    return log


@pytest.fixture(params=DATABASES)
def views(request: pytest.FixtureRequest) -> Iterator[ReadModels]:
    with fresh(request.param) as views:
        yield views


def test_the_timeline_comes_in_pages(log: MemoryLog, views: ReadModels) -> None:
    catch_up(log, views.timeline)
    [session] = log.sessions()
    pages, after = [], 0
    while page := views.timeline.page(session, after, 13):
        pages += page
        after = page[-1].version
    assert [line.version for line in pages] == list(range(1, log.end() + 1))
    assert views.timeline.version(session) == log.end()
    assert views.timeline.page("0" * 32, 0, 10) == []


def test_lines_from_the_log_are_those_of_the_view(log: MemoryLog, views: ReadModels) -> None:
    """As the edge does it: the view is behind, its rewinds and those of the tail tell what is undone."""
    [session] = log.sessions()
    part = MemoryLog()
    part.append([row.event for row in log.rows(0, log.end() - BEHIND)])
    catch_up(part, views.timeline)
    tail = log.read_events(session, views.timeline.version(session))
    rewinds = views.timeline.rewinds(session) + [
        (fact.version, fact.body.to) for fact in tail if isinstance(fact.body, Rewound)
    ]
    lines = timeline_lines(
        log.head(session).ruleset,
        log.read_events(session),
        rewinds,
        log.end(),
        partial(log.at, session),
    )
    catch_up(log, views.timeline)
    assert lines == views.timeline.page(session, 0, log.end())
    assert views.timeline.rewinds(session) == rewinds


def test_narration_and_seats_stay_when_a_branch_is_undone(views: ReadModels) -> None:
    evening = ScriptedSession()
    before = evening.session.version
    evening.do("p1", Narrate("I listen at the door."))
    evening.do("p2", LeaveSeat("p2"))
    evening.do("gm", Rewind(before, "wrong door"))
    catch_up(evening.log, views.timeline)
    assert not any(line.undone for line in views.timeline.page(evening.id, 0, 100))


def test_tables_show_the_newest_state(log: MemoryLog, views: ReadModels) -> None:
    [session] = log.sessions()
    assert views.tables.of([session]) == {}
    catch_up(log, views.tables)
    assert views.tables.of([session]) == {session: public_table(log.head(session))}


def test_tallies_from_the_facts_are_those_of_the_view(log: MemoryLog, views: ReadModels) -> None:
    [session] = log.sessions()
    catch_up(log, views.tallies)
    evening = views.tallies.of(session)
    assert evening == session_tallies(log.head(session).ruleset, log.read_events(session))
    assert evening.version == views.tallies.version(session) == log.end()
    assert any(tally.undone for tally in evening.tallies)
    assert views.tallies.of("0" * 32).version == views.tallies.version("0" * 32) == 0


@pytest.mark.parametrize("size", [1, 3, 10])
def test_tallies_are_read_in_parts_of_any_size(
    log: MemoryLog, views: ReadModels, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event's tallies are in one part, if no event has more of them than a part."""
    [session] = log.sessions()
    catch_up(log, views.tallies)
    whole = views.tallies.of(session)
    most = max(Counter(tally.version for tally in whole.tallies).values())
    assert most > 3
    monkeypatch.setattr(tallies_module, "MAX_ROWS", most + size)
    monkeypatch.setattr(tallies_module, "MAX_NUMBERS", size)
    assert views.tallies.of(session) == whole
    first, last = whole.version // 4, whole.version // 2
    assert list(views.tallies.after(session, first, last)) == [
        tally for tally in whole.tallies if first < tally.version <= last
    ]
    assert list(views.tallies.turns_after(session, first, last)) == [
        turn for turn in whole.turns if first < turn.first <= last
    ]
    assert views.tallies.rewinds_after(session, first) == [
        rewind for rewind in whole.rewinds if rewind.version > first
    ]
    numbers = {turn.turn for turn in whole.turns[::3]}
    found = views.tallies.turns(session, {*numbers, whole.turns[-1].turn + 1})
    assert sorted(found) == sorted(turn for turn in whole.turns if turn.turn in numbers)
    assert views.tallies.turns(session, ()) == []


def test_the_list_has_listed_sessions_newest_first(views: ReadModels) -> None:
    log = MemoryLog()
    listed = [ScriptedSession(seed, options={"listed": True}, log=log).id for seed in range(3)]
    private = [ScriptedSession(seed, log=log).id for seed in range(10, 13)]
    catch_up(log, views.sessions)

    def ids(entries: list[SessionEntry]) -> list[str]:
        return [entry.session for entry in entries]

    assert ids(views.sessions.page(0, 10)) == listed[::-1]
    first = views.sessions.page(0, 2)
    assert ids(views.sessions.page(first[-1].number, 2)) == [listed[0]]
    assert views.sessions.heads() == dict.fromkeys(listed + private, log.head(listed[0]).version)


def test_a_line_of_the_list_shows_seats_and_whether_they_are_held(views: ReadModels) -> None:
    evening = ScriptedSession()
    evening.do("p2", LeaveSeat("p2"))
    catch_up(evening.log, views.sessions)
    entry = views.sessions.get(evening.id)
    assert entry is not None
    assert (entry.session, entry.version) == (evening.id, evening.session.version)
    assert entry.seats["p2"] == SeatEntry(Role.PLAYER, present=False, name="Player 2")
    assert entry.seats["house"].role is Role.HOUSE
    assert views.sessions.get("0" * 32) is None
