"""What `/metrics` says, read by Prometheus' own parser: what was done is counted, what lags is told."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from service.jobs import definitions
from service.jobs.embedded_server import EmbeddedQueueServer
from tests.support.example import EXAMPLE, to_draw
from tests.support.processes import Running, eventually
from tests.support.scale import scale
from tests.support.server import Clock, DrawTable, TestServer, laid, settings_in

Numbers = dict[tuple[str, ...], float]
SECRET = "a-key-for-the-scraper"
PROCESSES = scale(2, 4)


def numbers(text: str) -> Numbers:
    """Every sample by its name and the values of its labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def told(house: TestServer) -> Numbers:
    answer = house.client.get("/metrics")
    assert answer.status_code == 200
    assert answer.content_type.startswith("text/plain; version=0.0.4")
    return numbers(answer.text)


def test_turns_draws_and_noes_are_counted(house: TestServer) -> None:
    before = told(house)
    evening = laid(house)
    no = evening.command("watcher", EXAMPLE.draw)
    stale = evening.post("gm", "/narrate", {"text": "x"}, If_Match='"1"')
    assert (no.status_code, stale.status_code) == (409, 412)
    house.follow()
    after = told(house)

    def more(*name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    session = house.app.log.read(evening.session).session
    turns = 3 + len(to_draw())
    assert after["fairlog_turns_total", session.ruleset.name] == turns
    assert after["fairlog_draws_total", "C"] == session.k > 0
    assert (
        after["fairlog_events_total", session.ruleset.name]
        == after["fairlog_log_position",]
        == house.app.log.end()
    )
    assert after["fairlog_sessions_total", "opened"] == 1
    assert more("fairlog_turn_seconds_count") == session.turn - 2  # three turns were one opening
    assert more("fairlog_refusals_total", no.json["rule"]) == 1
    assert more("fairlog_conflicts_total") == 1
    assert more("fairlog_problems_total", "refused") == 1
    rule = "/v1/sessions/<session:session>/commands"
    assert more("fairlog_request_seconds_count", "POST", rule, "2") == turns
    assert more("fairlog_request_seconds_count", "POST", rule, "4") == 1


def test_voids_are_counted(asked: DrawTable, clock: Clock) -> None:
    clock.ahead += 3_600_000
    asked.evening.get("p1", "")
    asked.house.follow()
    assert told(asked.house)["fairlog_voids_total",] == 1


def test_what_lags_is_told(house: TestServer, queue: EmbeddedQueueServer) -> None:
    assert told(house)["fairlog_queue_up",] == 0
    served = TestServer(settings_in(house.settings.data, REDIS_URL=queue.address))
    served.app.queue.enqueue(definitions.statistics(laid(served).session))
    lagging = told(served)
    assert {name: lagging["fairlog_view_lag", name] for name in ("tables", "totals")} == {
        "tables": served.app.log.end(),
        "totals": served.app.log.end(),
    }
    assert (lagging["fairlog_queue_up",], lagging["fairlog_jobs", "waiting"]) == (1, 1)
    assert (lagging["fairlog_jobs", "failed"], lagging["fairlog_workers",]) == (0, 0)
    served.follow()
    assert told(served)["fairlog_view_lag", "tables"] == 0
    served.close()


def test_a_key_may_be_wanted(tmp_path: Path) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_METRICS_KEY=SECRET))
    assert house.client.get("/metrics").status_code == 401
    for wrong in ("", "x", SECRET[:-1], SECRET + "x"):
        assert (
            house.client.get("/metrics", headers={"Authorization": f"Bearer {wrong}"}).status_code
            == 401
        )
    assert (
        house.client.get("/metrics", headers={"Authorization": f"Bearer {SECRET}"}).status_code
        == 200
    )
    house.close()


def test_every_process_tells_the_numbers_of_all(tmp_path: Path) -> None:
    """Some of them: whichever answers, each knows what all have counted, and who has gone holds no stream open."""
    server = Running(
        tmp_path,
        "serve",
        "--only",
        "web",
        FAIRLOG_WEB_PROCESSES=str(PROCESSES),
        REDIS_URL="redis://127.0.0.1:1/0",
    )
    try:
        url = server.url()
        for _ in range(40):  # each on a connection of its own, so that all processes get some
            assert requests.get(f"{url}/livez", timeout=90).status_code == 200
        name = ("fairlog_request_seconds_count", "GET", "/livez", "2")
        assert {
            numbers(requests.get(f"{url}/metrics", timeout=90).text)[name] for _ in range(12)
        } == {40.0}
    finally:
        server.stop()
    assert [*Path("/tmp").glob(f"fairlog-metrics-*/*_{server.process.pid}.db")] == []


@pytest.mark.long
def test_counters_outlive_a_killed_process_and_its_streams_do_not(tmp_path: Path) -> None:
    server = Running(tmp_path, "serve", "--only", "web", REDIS_URL="redis://127.0.0.1:1/0")
    try:
        url = server.url()
        opened = requests.post(
            f"{url}/v1/sessions",
            json={"ruleset": "dhextiny", "title": "T", "name": "Mo"},
            timeout=90,
        ).json()
        stream = requests.get(
            f"{url}/v1/sessions/{opened['session']}/stream",
            headers={"Authorization": f"Bearer {opened['token']}"},
            stream=True,
            timeout=90,
        )
        assert stream.status_code == 200
        before = numbers(requests.get(f"{url}/metrics", timeout=90).text)
        assert before["fairlog_streams",] == 1
        requests.request("INVENTED", f"{url}/v1/sessions", timeout=90)
        [killed] = server.children("gunicorn")
        os.kill(killed, signal.SIGKILL)
        assert eventually(lambda: server.children("gunicorn") - {killed} != set())
        after = numbers(requests.get(f"{url}/metrics", timeout=90).text)
        assert after["fairlog_streams",] == 0
        opening = ("fairlog_request_seconds_count", "POST", "/v1/sessions", "2")
        assert after[opening] == before[opening] == 1
        assert after["fairlog_request_seconds_count", "other", "", "4"] == 1
        assert "INVENTED" not in {label for name in after for label in name}
    finally:
        server.stop()
