"""The contract of HTTP at `fairlog serve`: on every database, by one and by four web processes (`make long` alone)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product

import pytest
from hypothesis import HealthCheck, settings
from schemathesis import Case

from tests.databases.places import DATABASES, address
from tests.queueing import beside
from tests.queues.finding import REDIS, VALKEY
from tests.service.http.behind import Behind
from tests.service.http.playing import House
from tests.service.http.test_contract import (
    API_SCHEMA,
    NO_CORNERS,
    OPERATIONS,
    SAME_BODY,
    keeps_its_contract,
    name_of,
    was_exercised,
)

pytestmark = pytest.mark.long

EXAMPLES = 10
"""Of each operation at each server: what is sent differs, and what a server adds is the same for all of it."""
QUEUE_OF = {1: VALKEY, 4: REDIS}
SERVERS = list(product(DATABASES, QUEUE_OF))


@pytest.fixture(scope="module")
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    folder, (database, processes) = tmp_path_factory.mktemp("served"), request.param
    with address(database) as url, beside(folder / "queue", QUEUE_OF[processes]) as chosen:
        chosen |= {
            "DATABASE_URL": url,
            "FAIRLOG_STREAM_SECONDS": "0.05",
            "FAIRLOG_SYNCHRONOUS": "NORMAL",
        }
        with closing(
            Behind(folder / "data", FAIRLOG_WEB_PROCESSES=str(processes), **chosen)
        ) as house:
            yield house


@pytest.fixture
def exercised(request: pytest.FixtureRequest, served: House) -> Iterator[None]:
    yield
    was_exercised(served, request.node.originalname.partition("[")[0].partition("_behind_")[0])


def served_name_of(operation: str, server: tuple[str, int]) -> str:
    return f"{name_of(operation)}_behind_{server[0]}_{server[1]}"


def contract_of(operation: str, server: tuple[str, int]) -> Callable[[Case, House], None]:
    """Of one server: what is sent holds the ids of what is there, and is made anew for the next."""

    def test(case: Case, served: House) -> None:
        keeps_its_contract(case, served)

    test.__name__ = served_name_of(operation, server)
    test = pytest.mark.parametrize(
        "served", [server], indirect=True, ids=["-".join(map(str, server))]
    )(test)
    test = pytest.mark.usefixtures("exercised")(test)
    test = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))(
        test
    )
    schema = NO_CORNERS if operation in SAME_BODY else API_SCHEMA
    return schema.include(name=operation).parametrize()(test)


for behind, each in product(SERVERS, OPERATIONS):
    globals()[served_name_of(each, behind)] = contract_of(each, behind)
