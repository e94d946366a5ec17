"""Schemathesis' state machine over the links of the whole document, on a real server: no 500, no hang, no growth."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import Flaky
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.transport import Response
from schemathesis.generation.stateful import APIStateMachine
from schemathesis.specs.openapi import checks

from service.http.app import document
from service.http.errors import PROBLEMS
from service.http.openapi import DOCUMENT
from service.jobs.embedded_server import EmbeddedQueueServer
from tests.service.http import openapi_links
from tests.service.http.api_walk import Wanderer
from tests.service.http.case_values import guide
from tests.support.long_sessions import Held, grown, held_by
from tests.support.processes import Running
from tests.support.scale import LONG, scale
from tests.support.server import TestServer, settings_in

pytestmark = pytest.mark.long

CASES = scale(150, 20_000)
STEPS = 40
"""Cases of one scenario, which begins with no table of its own."""
SECONDS = 10.0
"""That an answer may take: a machine at work elsewhere is slow, a server that hangs never answers."""
MOST = Held(memory=64, threads=0, files=8, databases=4)
"""That the server may hold more at the end than after a third of the cases."""
SEED = 20_260_101
NOT_LINKED = (
    "checkLiveness",
    "checkReadiness",
    "getMetrics",
    "getStatus",
    "getIndexCheckpoint",
    "listIndexEntries",
    *(
        said["operationId"]
        for path, methods in document()["paths"].items()
        for method, said in methods.items()
        if method != "parameters" and path.startswith("/v1/campaigns")
    ),
)
"""Operations that no answer leads to, and that lead nowhere, and those on campaigns: they are asked for behind the list of rulesets."""
HELD = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]


class Run:
    """What was sent, and what came of it."""

    def __init__(self, url: str, house: TestServer) -> None:
        self.url, self.wanderer, self.session = url, Wanderer(house, SEED), requests.Session()
        self.answers: dict[str, Counter[int]] = {}
        self.slowest, self.slowest_of, self.flaky = 0.0, "", 0
        self.failures: dict[tuple[str, int], str] = {}

    @property
    def cases(self) -> int:
        return sum(counted.total() for counted in self.answers.values())

    def note(self, case: Case, response: Response) -> None:
        label = case.operation.label
        self.answers.setdefault(label, Counter())[response.status_code] += 1
        if response.elapsed > self.slowest:
            self.slowest, self.slowest_of = response.elapsed, label
        self.wanderer.learn(case, response.status_code, response.content)

    def never_made(self) -> list[str]:
        """The operations that were never answered by what was asked for."""
        return [
            label
            for label, told in self.answers.items()
            if not any(200 <= status < 300 for status in told)
        ]


def machine_of(document: dict[str, Any], run: Run) -> type[APIStateMachine]:
    """The state machine of the document, which speaks to the run's server with the run's tokens."""
    schema = schemathesis.openapi.from_dict(document)
    schema.config.base_url = run.url

    class Machine(schema.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            self.control.max_operations_per_source = STEPS

        def before_call(self, case: Case) -> None:
            guide(run.wanderer, case)

        def get_call_kwargs(self, case: Case) -> dict[str, Any]:
            return {
                "session": run.session,
                "timeout": SECONDS,
                "headers": {"Accept-Encoding": "identity"},
            }

        def after_call(self, response: Response, case: Case) -> None:
            super().after_call(response, case)
            run.note(case, response)

        def validate_response(self, response: Response, case: Case, *_: Any, **__: Any) -> None:
            if (
                response.status_code == HTTPStatus.REQUEST_URI_TOO_LONG
            ):  # said by the web server, in front of ours
                return
            try:
                case.validate_response(response, checks=HELD)
                if response.status_code >= 400 and case.operation.path != "/readyz":
                    assert PROBLEMS[response.json()["code"]].status == response.status_code
            except (FailureGroup, AssertionError) as failed:
                run.failures.setdefault((case.operation.label, response.status_code), str(failed))

    return Machine


def linked(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with links, also to operations that no response leads to."""
    openapi_links.add(document)
    answer = document["paths"]["/v1/rulesets"]["get"]["responses"]["200"]
    answer["links"] |= {name: {"operationId": name} for name in NOT_LINKED}
    return document


def wander(machine: type[APIStateMachine], run: Run, cases: int) -> None:
    """Scenario after scenario, until so many cases were sent. What fails is kept, one of each kind, and it goes on."""
    each = settings(
        max_examples=50,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    while run.cases < cases:
        try:
            machine.run(settings=each)
        except Flaky:  # the server is another one than before: a scenario that begins alike may go on differently
            run.flaky += 1


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, TestServer, set[int]]]:
    """Its address, a house on the same files, and the processes that answer."""
    few = {
        "FAIRLOG_WEB_THREADS": "4",
        "FAIRLOG_STREAMS": "4",
        "FAIRLOG_LOG": "error",
        "FAIRLOG_STREAM_SECONDS": "0.1",
    }
    queue = EmbeddedQueueServer(settings_in(tmp_path, REDIS_URL=""))
    queue.start()
    with closing(TestServer(settings_in(tmp_path, REDIS_URL="", **few))) as house:
        running = Running(tmp_path, "serve", "--only", "web", FAIRLOG_SYNCHRONOUS="NORMAL", **few)
        try:
            url = running.url()
            yield url, house, running.children("service") | {running.process.pid}
        finally:
            running.stop()
            queue.stop()
            print(*running.rest(), sep="\n")


@pytest.mark.timeout(0 if LONG else 120)
def test_a_wanderer_through_the_api_meets_no_500_no_hang_and_no_growth(
    server: tuple[str, TestServer, set[int]],
) -> None:
    url, house, web = server
    run, began = Run(url, house), time.monotonic()
    document = linked(json.loads(house.flask.extensions[DOCUMENT]))
    operations = {
        f"{m.upper()} {p}"
        for p, said in document["paths"].items()
        for m in said
        if m != "parameters"
    }
    machine = machine_of(document, run)
    wander(machine, run, CASES // 3)
    before = held_by(*web)
    wander(machine, run, CASES)
    after, classes = held_by(*web), Counter[str]()
    for told in run.answers.values():
        classes.update(f"{status // 100}xx" for status in told.elements())
    print(
        f"\n{run.cases} cases in {time.monotonic() - began:.0f} s, {dict(sorted(classes.items()))}, {run.flaky} flaky"
    )
    print(f"slowest {run.slowest:.2f} s, {run.slowest_of}; the server held {before}, then {after}")
    for label, told in sorted(run.answers.items()):
        made = sum(count for status, count in told.items() if 200 <= status < 300)
        print(f"{made:6} of {told.total():6}  {label}  {dict(sorted(told.items()))}")
    assert not run.failures, "\n\n".join(run.failures.values())
    assert not classes["5xx"]
    assert not grown(before, after, MOST)
    if LONG:
        assert run.answers.keys() == operations
        assert not run.never_made()
