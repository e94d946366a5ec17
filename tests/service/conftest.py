"""A server in process for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.jobs.embedded_server import EmbeddedQueueServer
from tests.support.databases.places import DATABASES, SQLITE, address
from tests.support.queue_server import serving
from tests.support.queue_servers import QUEUES
from tests.support.scale import LONG
from tests.support.server import (
    Clock,
    DrawTable,
    SessionClient,
    TestServer,
    ask,
    gathered,
    laid,
    settings_in,
    staged,
)

ON_EACH = (
    "test_repeats.py",
    "test_two_processes.py",
    "test_a_closed_session_is_kept_as_long_as_is_set",
)
"""Files and tests that the gate holds on every database. The long run holds all that is asked of `house`."""
STAGES = {"circle": gathered, "evening": laid}
"""By the name of the fixture that needs it."""
OF_FILES = (
    "test_where_nothing_waits_nothing_is_read_of_what_waits",
    "test_a_data_directory_from_before_gets_its_index_by_migrate",
    "test_a_session_is_read_though_its_draw_cannot_be_ended",
)
"""What looks into SQLite, or at the files of a server that had no other; all of `test_dying.py` does."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    named = {Path(str(metafunc.module.__file__)).name, metafunc.function.__name__}
    is_of_files = not named.isdisjoint({"test_dying.py", *OF_FILES})
    has_its_own = any(
        "database" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")
    )
    if (
        "database" in metafunc.fixturenames
        and not has_its_own
        and (LONG or not named.isdisjoint(ON_EACH))
        and not is_of_files
    ):
        metafunc.parametrize("database", DATABASES, indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """What DATABASE_URL is set to."""
    with address(getattr(request, "param", SQLITE)) as url:
        yield url


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[TestServer]:
    """Begins with the table that the test is about, where that can be copied."""
    wanted = [
        stage
        for name, stage in STAGES.items()
        if name in request.fixturenames and database == SQLITE
    ]
    served = TestServer(settings_in(tmp_path, DATABASE_URL=database), *wanted[:1])
    yield served
    served.close()


@pytest.fixture(params=QUEUES)
def queue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path, request.param) as server:
        yield server


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    return staged(house, laid)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr("service.platform.clock.now_ms", moved.now_ms)
    return moved


@pytest.fixture
def circle(house: TestServer) -> DrawTable:
    """A table that draws together, in front of its first draw."""
    return DrawTable.at(staged(house, gathered))


@pytest.fixture
def asked(circle: DrawTable) -> DrawTable:
    """The same behind the declaration of p1's draw, which waits."""
    assert ask(circle).status_code == 202
    return circle
