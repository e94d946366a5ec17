"""Who asks too often is told to wait: by token, by address, by what is opened; with a queue's server and without."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.http import rate_limits
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import MAX_REQUESTED_PER_SESSION
from service.platform.clock import now
from tests.support.example import FIRST
from tests.support.server import TestServer, laid, settings_in

KEY = "a-key-for-those-who-begin"
BODY = {"ruleset": FIRST.name, "title": "The mint of Carrow"}


def served(folder: Path, **settings: str) -> TestServer:
    return TestServer(settings_in(folder, **settings))


def statuses(client: FlaskClient, path: str, times: int, **how: Any) -> list[int]:
    return [client.get(path, **how).status_code for _ in range(times)]


def statuses_of(client: FlaskClient, heads: list[dict[str, str]]) -> list[int]:
    return [client.get("/v1/sessions", headers=head).status_code for head in heads]


def is_told_to_wait(answer: TestResponse, most: int) -> bool:
    wait = int(answer.headers["Retry-After"])
    return (answer.status_code, answer.json["code"]) == (
        429,
        "too-many",
    ) and 1 <= wait == answer.json["retry_after"] <= most


def test_an_address_has_its_number_in_a_minute(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_RATE_ADDRESS="5")
    assert statuses(house.client, "/v1/sessions", 7) in ([200] * 5 + [429] * 2, [200] * 6 + [429])
    assert is_told_to_wait(house.client.get("/v1/sessions"), 60)
    page = house.client.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, page.content_type) == (429, "text/html; charset=utf-8")
    assert int(page.headers["Retry-After"]) >= 1
    other = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
    assert statuses(house.client, "/v1/sessions", 2, **other) == [200, 200]
    assert statuses(house.client, "/livez", 9) == statuses(house.client, "/readyz", 9) == [200] * 9
    assert statuses(house.client, "/metrics", 9) == [200] * 9
    house.close()


def test_a_seat_has_its_number_wherever_its_token_is_used(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_RATE_TOKEN="20")
    evening = house.open()
    own = evening.headers("gm")
    codes = [
        house.client.get(
            evening.path, headers=own, environ_base={"REMOTE_ADDR": f"192.0.2.{nth}"}
        ).status_code
        for nth in range(45)
    ]
    assert {200, 429} == set(codes)
    assert 20 <= codes.count(200) <= 40  # the minute may have turned once
    assert house.client.get("/v1/sessions").status_code == 200
    house.close()


def test_a_new_token_of_a_seat_starts_no_new_count(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_RATE_TOKEN="20")
    evening, codes = house.open(), []
    for _ in range(45):
        renewed = evening.post(
            "gm", "/tokens/current/renew", {}, Idempotency_Key=f"{KEY}-{len(codes)}"
        )
        codes.append(renewed.status_code)
        if renewed.status_code == 201:
            evening.tokens["gm"] = renewed.json["token"]
    assert set(codes) == {201, 429}
    assert codes.count(201) <= 40  # the minute may have turned once
    house.close()


@pytest.mark.parametrize(
    "addresses",
    [
        [f"203.0.113.9:{port}" for port in range(9)],
        [f"[2001:db8::1]:{port}" for port in range(9)],
        ["::ffff:203.0.113.9", "203.0.113.9"] * 2,
        ["64:ff9b::203.0.113.9", "203.0.113.9", "::ffff:203.0.113.9"] * 3,
        [f"2002:cb00:7109:{nth}::1" for nth in range(8)] + ["203.0.113.9"],
        [f"unknown-{nth}" for nth in range(9)],
    ],
)
def test_one_client_counts_as_one_however_its_address_is_written(
    tmp_path: Path, addresses: list[str]
) -> None:
    house = served(tmp_path, FAIRLOG_RATE_ADDRESS="3", FAIRLOG_PROXIES="1")
    heads = [{"X-Forwarded-For": address} for address in addresses]
    assert 429 in statuses_of(house.client, heads)
    house.close()


@pytest.mark.parametrize("embedded", ["::ffff:{}", "64:ff9b::{}", "{}:4711"])
def test_two_clients_count_as_two(tmp_path: Path, embedded: str) -> None:
    house = served(tmp_path, FAIRLOG_RATE_ADDRESS="1", FAIRLOG_PROXIES="1")
    heads = [{"X-Forwarded-For": embedded.format(f"203.0.113.{nth}")} for nth in range(9)]
    assert statuses_of(house.client, heads) == [200] * 9
    house.close()


@pytest.mark.parametrize(("proxies", "fits"), [("0", False), ("1", True)])
def test_a_header_says_who_asks_only_where_a_proxy_is_trusted(
    tmp_path: Path, proxies: str, fits: bool
) -> None:
    house = served(tmp_path, FAIRLOG_RATE_ADDRESS="1", FAIRLOG_PROXIES=proxies)
    codes = [
        house.client.get("/v1/sessions", headers={"X-Forwarded-For": f"192.0.2.{nth}"}).status_code
        for nth in range(9)
    ]
    assert (codes == [200] * 9) is fits
    house.close()


def test_what_a_client_writes_before_the_proxy_is_not_believed(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_RATE_ADDRESS="1", FAIRLOG_PROXIES="1")
    heads = [{"X-Forwarded-For": f"192.0.2.{nth}, 198.51.100.1"} for nth in range(9)]
    assert 429 in [house.client.get("/v1/sessions", headers=head).status_code for head in heads]
    house.close()


def test_a_household_counts_as_one(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_RATE_ADDRESS="1")
    hosts = [{"REMOTE_ADDR": f"2001:db8:0:1::{nth:x}"} for nth in range(1, 9)]
    assert 429 in [
        house.client.get("/v1/sessions", environ_base=host).status_code for host in hosts
    ]
    house.close()


def test_an_address_opens_so_many_sessions_in_an_hour(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_OPENINGS="2")
    gm, _ = house.open(), house.open()
    before = house.app.log.end()
    no = house.client.post("/v1/sessions", json=BODY)
    assert is_told_to_wait(no, 3600)
    assert is_told_to_wait(gm.post("gm", "/forks", {"version": 3}), 3600)
    assert house.app.log.end() == before, "and nothing was written"
    house.close()


def test_an_address_holds_so_many_streams_whatever_their_seats(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_STREAMS_EACH="2", FAIRLOG_STREAM_SECONDS="30")
    evening, opened = laid(house), []
    for seat in ("gm", "p1", "p2"):
        how: dict[str, Any] = {"headers": evening.headers(seat), "buffered": False}
        opened.append(house.client.get(f"{evening.path}/stream", **how))
    assert [each.status_code for each in opened] == [200, 200, 429]
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.7"}}
    opened.append(house.client.get(f"{evening.path}/stream", **how, **elsewhere))
    assert opened[-1].status_code == 200
    for each in opened:
        each.close()
    house.close()


def test_a_seat_holds_so_many_streams(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_STREAMS_EACH="2", FAIRLOG_STREAM_SECONDS="30")
    evening = house.open()

    def follow() -> TestResponse:
        return house.client.get(
            f"{evening.path}/stream", headers=evening.headers("gm"), buffered=False
        )

    first, second = follow(), follow()
    assert (first.status_code, second.status_code) == (200, 200)
    assert is_told_to_wait(follow(), 60)
    first.close()
    third = follow()
    assert third.status_code == 200
    for each in (second, third):
        each.close()
    house.close()


def test_two_processes_count_together_where_the_queue_answers_and_alone_where_not(
    tmp_path: Path, queue: EmbeddedQueueServer
) -> None:
    """Lost with the queue's server is the count, and no request."""
    settings = {"REDIS_URL": queue.address, "FAIRLOG_RATE_ADDRESS": "10"}
    one, two = served(tmp_path, **settings), served(tmp_path, **settings)
    codes = [
        house.client.get("/v1/sessions").status_code for _ in range(16) for house in (one, two)
    ]
    assert 10 <= codes.count(200) <= 20
    assert codes.count(429) == 32 - codes.count(200)
    queue.stop()
    codes = [
        house.client.get("/v1/sessions").status_code for _ in range(16) for house in (one, two)
    ]
    assert 20 <= codes.count(200) <= 40
    assert set(codes) == {200, 429}
    for house in (one, two):
        house.close()


def test_many_threads_count_at_once_where_the_queue_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is refused, and nothing fails, where each finds for itself that it is away."""
    monkeypatch.setattr(rate_limits, "BREAK", 0.0)
    limits = rate_limits.Limits(
        settings_in(tmp_path, FAIRLOG_RATE_ADDRESS="1000000"), lambda: "redis://127.0.0.1:1", now
    )
    interval, until = sys.getswitchinterval(), now() + 2
    sys.setswitchinterval(1e-6)

    def count(_: int) -> None:
        while now() < until:
            limits.request("127.0.0.1")

    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(count, range(8)))
    finally:
        sys.setswitchinterval(interval)


def test_opening_may_want_a_key(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_OPENING_KEY=KEY)
    for head in ({}, {"Authorization": f"Bearer {KEY[:-1]}"}, {"Authorization": "Bearer x"}):
        answer = house.client.post("/v1/sessions", json=BODY, headers=head)
        assert (answer.status_code, answer.json["code"]) == (401, "opening-key-required")
    assert house.app.log.end() == 0
    ticket = house.client.post(
        "/v1/sessions", json=BODY, headers={"Authorization": f"bearer {KEY}"}
    )
    assert ticket.status_code == 201
    said = {"Authorization": f"Bearer {ticket.json['token']}"}
    assert (
        house.client.get(f"/v1/sessions/{ticket.json['session']}", headers=said).status_code == 200
    )
    house.close()


def test_a_session_has_few_ranges_waiting(tmp_path: Path, queue: EmbeddedQueueServer) -> None:
    house = served(tmp_path, REDIS_URL=queue.address)
    evening = laid(house, options={"listed": True})
    ranges = [(first, last) for last in range(2, 6) for first in range(1, last + 1)]
    answers = [
        evening.get(None, f"/statistics?from={first}&to={last}")
        for first, last in ranges[: MAX_REQUESTED_PER_SESSION + 1]
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [202] * MAX_REQUESTED_PER_SESSION + [429]
    assert is_told_to_wait(answers[-1], 60)
    house.close()


def test_a_reader_of_many_sessions_leaves_room_for_others(
    tmp_path: Path, queue: EmbeddedQueueServer
) -> None:
    """A job that waits already is not counted again; another address has its own number."""
    house = served(tmp_path, REDIS_URL=queue.address, FAIRLOG_RATE_JOBS="3")
    evenings = [laid(house, options={"listed": True}) for _ in range(4)]
    sent = [evenings[nth].get(None, "/statistics?from=2") for nth in (0, 0, 1, 1, 2, 0)]
    assert [answer.status_code for answer in sent] == [202] * 6
    refused = [
        evenings[3].get(None, "/statistics?from=2"),
        evenings[3].post("gm", "/audits", {}),
    ]
    assert all(is_told_to_wait(answer, 60) for answer in refused)
    other = house.client.get(
        f"{evenings[3].path}/statistics?from=2", environ_base={"REMOTE_ADDR": "192.0.2.7"}
    )
    assert other.status_code == 202
    house.close()


def test_a_seat_holds_so_many_streams_whatever_its_addresses(tmp_path: Path) -> None:
    house = served(tmp_path, FAIRLOG_STREAMS_EACH="2", FAIRLOG_STREAM_SECONDS="30")
    evening = house.open()
    opened = [
        house.client.get(
            f"{evening.path}/stream",
            headers=evening.headers("gm"),
            buffered=False,
            environ_base={"REMOTE_ADDR": f"192.0.2.{nth}"},
        )
        for nth in range(3)
    ]
    assert [each.status_code for each in opened] == [200, 200, 429]
    for each in opened:
        each.close()
    house.close()
