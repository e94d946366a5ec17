"""Turns that come while another is written are written together; one that fails takes no other with it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import psycopg
import pytest

from domain.session.messages import Narrate
from service.sessions.command_handler import handle
from service.sessions.idempotency import RequestIdentity
from service.store.group_commit import GroupCommit
from tests.support.databases.places import address
from tests.support.processes import eventually
from tests.support.server import TestServer, laid, settings_in

OTHERS = 5


class Broken(Exception):
    pass


class Paper:
    """What is written, sheet by sheet; the first waits until it is let go. No sheet is taken with a `bad` turn."""

    def __init__(self, *bad: int, first: type[BaseException] | None = None) -> None:
        self.sheets: list[list[int]] = []
        self.tried: list[list[int]] = []
        self.under_way, self.let_go = Event(), Event()
        self._bad, self._first = set(bad), first

    def write(self, turns: Sequence[int]) -> None:
        self.tried.append(list(turns))
        if turns == [0]:
            self.under_way.set()
            assert self.let_go.wait(20)
            if self._first is not None:
                raise self._first
        if self._bad & set(turns):
            raise Broken(*turns)
        self.sheets.append(list(turns))


def written(paper: Paper) -> dict[int, Future[None]]:
    """What came of turn 0, and of others that came while it was written."""
    together = GroupCommit(paper.write)
    with ThreadPoolExecutor(OTHERS + 1) as threads:
        came = {0: threads.submit(together.add, 0)}
        assert paper.under_way.wait(20)
        for turn in range(1, OTHERS + 1):
            came[turn] = threads.submit(together.add, turn)
            assert eventually(lambda turn=turn: len(together._waiting) == turn)
        paper.let_go.set()
    together.add(99)  # nobody is left who believes to be writing
    return came


def test_who_comes_meanwhile_is_written_together() -> None:
    paper = Paper()
    came = written(paper)
    assert paper.sheets == [[0], [1, 2, 3, 4, 5], [99]]
    assert [future.exception() for future in came.values()] == [None] * (OTHERS + 1)


def test_one_that_cannot_be_written_has_its_error_alone() -> None:
    paper = Paper(3)
    came = written(paper)
    assert paper.tried[:2] == [[0], [1, 2, 3, 4, 5]]
    assert sorted(paper.sheets) == [[0], [1], [2], [4], [5], [99]]
    assert {
        turn: future.exception() for turn, future in came.items() if future.exception()
    }.keys() == {3}
    with pytest.raises(Broken, match=r"^3$"):
        came[3].result()


@pytest.mark.parametrize("error", [Broken, KeyboardInterrupt])
def test_who_fails_alone_leaves_the_writing_to_the_next(error: type[BaseException]) -> None:
    paper = Paper(first=error)
    came = written(paper)
    assert isinstance(came[0].exception(), error)
    assert paper.tried == [[0], [1, 2, 3, 4, 5], [99]], "an error of one alone is not tried again"
    assert paper.sheets == [[1, 2, 3, 4, 5], [99]]


def test_tables_that_play_at_once_share_transactions(tmp_path: Path) -> None:
    """How many transactions stored the turns, PostgreSQL can tell of its rows."""
    tables, turns = 8, 20
    with (
        address("wheel") as url,
        closing(TestServer(settings_in(tmp_path, DATABASE_URL=url))) as house,
    ):
        sessions = [laid(house).session for _ in range(tables)]
        before = house.app.log.end()

        def play(session: str) -> list[int]:
            return [
                handle(
                    house.app,
                    session,
                    Narrate(f"{nth}"),
                    RequestIdentity("gm", f"together-{session}-{nth}", b"?"),
                ).last
                for nth in range(turns)
            ]

        with ThreadPoolExecutor(tables) as threads:
            told = list(threads.map(play, sessions))
        with psycopg.connect(url) as connection:
            [(events, shared)] = connection.execute(
                "SELECT COUNT(*), COUNT(DISTINCT xmin::text) FROM fairlog.stored_events WHERE position>%s",
                (before,),
            ).fetchall()
        print(f"{events} turns of {tables} tables in {shared} transactions")
        assert [house.app.log.read(session).session.version for session in sessions] == [
            last[-1] for last in told
        ]
        assert events == tables * turns
        assert shared < events
