"""Background work over HTTP: asked for, followed to its end by a real worker, and read by whom it concerns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.jobs import inspection
from service.jobs.definitions import JobKind
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import REQUESTED_QUEUE_NAME
from tests.support.example import FIRST
from tests.support.queue_server import fail, queue_of, serving, work
from tests.support.queue_servers import QUEUES
from tests.support.server import SessionClient, TestServer, laid, settings_in
from workers.sweep import sweep

PROGRESS = {"done": 40, "total": 100, "description": "the figures"}


@pytest.fixture(scope="module", params=QUEUES)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path_factory.mktemp("queue"), request.param) as server:
        yield server


@pytest.fixture
def house(
    tmp_path: Path, server: EmbeddedQueueServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestServer]:
    """With a queue that answers, and its settings in the environment of the jobs."""
    with queue_of(server) as queue:
        queue.connection.flushall()
    settings = settings_in(tmp_path, REDIS_URL=server.address)
    for name, value in settings.environ().items():
        monkeypatch.setenv(name, value)
    served = TestServer(settings)
    yield served
    served.close()


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    return laid(house)


def at(evening: SessionClient, address: str, seat: str | None = "gm") -> Any:
    answer = evening.house.client.get(address, headers=evening.headers(seat))
    assert answer.status_code == 200, answer.text
    return answer.json


def count(evening: SessionClient, server: EmbeddedQueueServer) -> None:
    """Do the work of the follower and of a worker."""
    evening.house.follow()
    sweep(evening.house.app)
    work(server)


def of_kind(house: TestServer, kind: JobKind) -> list[str]:
    return [job.name for job in inspection.waiting_jobs(house.app.queue) if job.kind is kind]


def test_statistics_are_waited_for_at_their_job(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    asked = evening.get("p1", "/statistics")
    assert (asked.status_code, asked.headers["Retry-After"]) == (202, "2")
    job = asked.headers["Location"]
    assert at(evening, job)["status"] == "waiting"
    count(evening, server)
    done = at(evening, job)
    assert (done["status"], done["kind"]) == ("finished", "statistics")
    assert at(evening, done["result"])["current"] is True


def test_some_versions_are_counted_when_they_are_asked_for(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    head = evening.version()
    asked = evening.get("p1", "/statistics?from=5&to=9")
    assert asked.status_code == 202
    assert asked.json["job"] == asked.headers["Location"].rpartition("/")[2]
    assert (
        evening.get("p1", "/statistics?from=5&to=9").headers["Location"]
        == asked.headers["Location"]
    )
    assert len(of_kind(evening.house, JobKind.RANGE)) == 1
    assert at(evening, asked.headers["Location"])["status"] == "queued"
    work(server)
    done = at(evening, asked.headers["Location"])
    assert (done["status"], done["result"]) == (
        "finished",
        f"{evening.path}/statistics?from=5&to=9",
    )
    told = at(evening, done["result"])
    assert (told["version"], told["figures"]["first"], told["figures"]["last"]) == (head, 5, 9)
    assert (told["figures"]["verdicts"], told["figures"]["headline"]) == ({}, "")
    assert evening.get("p1", "/statistics?to=9").status_code == 202, "another range"


def test_a_range_of_an_older_head_is_told_and_counted_anew(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    query = "/statistics?from=5"
    evening.get("p1", query)
    work(server)
    head = evening.version()
    evening.post("gm", "/narrate", {"text": "And on."})
    older = at(evening, evening.path + query)
    assert (older["version"], older["current"], older["head"]) == (head, False, head + 1)
    work(server)
    newer = at(evening, evening.path + query)
    assert (newer["current"], newer["figures"]["last"]) == (True, head + 1)


WRONG = [
    # query; the field that is wrong
    ("from=9&to=8", "to"),
    ("from=1000", "from"),
    ("to=1000", "to"),
    ("from=1000&to=1000", "to"),
    ("from=0", "from"),
    ("to=x", "to"),
    ("from=2&from=3", "from"),
]


@pytest.mark.parametrize(("query", "field"), WRONG)
def test_what_is_no_range_of_the_session_is_malformed(
    evening: SessionClient, query: str, field: str
) -> None:
    answer = evening.get("p1", f"/statistics?{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")
    assert [error["parameter"] for error in answer.json["errors"]] == [field]
    assert of_kind(evening.house, JobKind.RANGE) == []


def test_an_audit_is_asked_for_followed_and_read(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    version = evening.version()
    asked = evening.post("p1", "/audits", None)
    assert (asked.status_code, asked.json["status"]) == (202, "queued")
    assert evening.post("gm", "/audits", None).headers["Location"] == asked.headers["Location"]
    work(server)
    done = at(evening, asked.headers["Location"], "p1")
    assert (done["status"], done["kind"]) == ("finished", "audit")
    [audit] = at(evening, done["result"], "p1")["audits"]
    assert (audit["version"], audit["current"], audit["valid"]) == (version, True, True)
    assert evening.post("p1", "/audits", None).json["status"] == "queued", (
        "again, for the disk may have changed"
    )


def test_only_a_seat_has_a_session_audited(evening: SessionClient) -> None:
    assert evening.post(None, "/audits", None).status_code == 401
    stranger = evening.house.open()
    headers = stranger.headers("gm")
    assert evening.house.client.post(f"{evening.path}/audits", headers=headers).status_code == 404


def test_a_session_that_closes_is_audited(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    count(evening, server)
    assert at(evening, f"{evening.path}/audits")["audits"] == []
    assert evening.post("gm", "/close", {"carry_over": True}).status_code == 201
    count(evening, server)
    [audit] = at(evening, f"{evening.path}/audits")["audits"]
    assert audit["current"]


def test_a_job_is_for_those_who_may_read_its_session(evening: SessionClient) -> None:
    job = evening.post("gm", "/audits", None).headers["Location"]
    client, stranger = evening.house.client, evening.house.open()
    assert at(evening, job, "watcher")["status"] == "queued"
    assert client.get(job).status_code == 401
    assert client.get(job, headers=stranger.headers("gm")).status_code == 404
    listed = evening.house.open(options={"listed": True})
    assert client.get(listed.post("gm", "/audits", None).headers["Location"]).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "x",
        "audit-1",
        f"merge-1-{FIRST.name}-{FIRST.edition}",
        f"audit-{'0' * 32}-0",
        "range--1-2-3",
    ],
)
def test_what_no_job_is_called_is_not_there(house: TestServer, name: str) -> None:
    assert house.client.get(f"/v1/jobs/{name}").status_code == 404


def test_a_job_that_nobody_asked_for_is_not_there(evening: SessionClient) -> None:
    for name in (f"audit-{evening.session}-2", f"range-{evening.session}-5-1-2"):
        assert (
            evening.house.client.get(f"/v1/jobs/{name}", headers=evening.headers("gm")).status_code
            == 404
        )


def test_how_far_a_job_is_can_be_read(evening: SessionClient, server: EmbeddedQueueServer) -> None:
    location = evening.get("p1", "/statistics?from=2").headers["Location"]
    with queue_of(server, REQUESTED_QUEUE_NAME) as queue:
        [name] = of_kind(evening.house, JobKind.RANGE)
        job = queue.fetch_job(name)
        assert job is not None
        job.meta = PROGRESS
        job.save_meta()
        job.set_status("started")
    told = at(evening, location)
    assert (told["status"], told["progress"]) == ("running", PROGRESS)


def test_a_failed_job_says_what_to_do_and_not_what_went_wrong(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    location = evening.get("p1", "/statistics?from=2").headers["Location"]
    fail(server, *of_kind(evening.house, JobKind.RANGE))
    told = at(evening, location)
    assert told["status"] == "failed"
    assert "fairlog jobs --retry" in told["action"]
    assert "nothing_of_the_kind" not in json.dumps(told)
    assert evening.get("p1", "/statistics?from=2").status_code == 202, "asked for again"
    assert at(evening, location)["status"] == "queued"
    work(server)
    assert at(evening, location)["status"] == "finished"


def test_without_a_queue_what_is_stored_is_read_and_jobs_are_not_to_be_had(
    evening: SessionClient, server: EmbeddedQueueServer
) -> None:
    house = evening.house
    evening.get("p1", "/statistics?from=2")
    evening.post("p1", "/audits", None)
    count(evening, server)
    done = f"/v1/jobs/audit-{evening.session}-{evening.version()}"
    away = TestServer(settings_in(house.settings.data))
    try:
        elsewhere = SessionClient(away, evening.session, evening.tokens)
        assert elsewhere.get("p1", "/statistics").status_code == 200
        assert elsewhere.get("p1", "/statistics?from=2").status_code == 200
        assert elsewhere.get("p1", "/audits").status_code == 200
        assert away.client.get(done, headers=evening.headers("p1")).json["status"] == "finished"
        refused = [
            elsewhere.post("p1", "/audits", None),
            elsewhere.get("p1", "/statistics?from=3"),
            away.client.get(f"/v1/jobs/audit-{evening.session}-2", headers=evening.headers("p1")),
        ]
        for answer in refused:
            assert (answer.status_code, answer.json["code"]) == (503, "queue-away")
            assert "Retry-After" in answer.headers
            assert "sock" not in answer.text
    finally:
        away.close()
