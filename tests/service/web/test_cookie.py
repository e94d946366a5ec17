"""The API by a browser's cookie: it reads by it, and changes something where a page of ours asks for it alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.server import SessionClient, TestServer, laid, settings_in, staged

FETCHED = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    served = TestServer(settings_in(tmp_path), laid)
    yield staged(served, laid)
    served.close()


def asked(
    evening: SessionClient, method: str, path: str, headers: dict[str, str], **more: Any
) -> TestResponse:
    """By p1's cookie alone."""
    client = evening.house.client
    client.set_cookie("fairlog-seat", evening.tokens["p1"])
    return client.open(
        f"/v1/sessions/{evening.session}{path}", method=method, headers=headers, **more
    )


def problem(answer: TestResponse) -> Any:
    return answer.json


SENT = [
    # headers                                                     status of a change
    ({"Sec-Fetch-Site": "same-origin"}, 201),
    ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, 201),
    ({"Origin": "http://localhost"}, 201),
    ({"Origin": "https://localhost"}, 201),
    ({}, 401),
    ({"Sec-Fetch-Site": "same-site"}, 401),
    ({"Sec-Fetch-Site": "cross-site"}, 401),
    ({"Sec-Fetch-Site": "none"}, 401),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 401),
    ({"Origin": "null"}, 401),
    ({"Origin": "http://localhost.evil.example"}, 401),
    ({"Origin": "http://localhost:8000"}, 401),
    ({"Origin": "http://["}, 401),
    ({"Referer": "http://localhost/s/x"}, 401),
]


@pytest.mark.parametrize(("headers", "status"), SENT, ids=str)
def test_a_change_is_taken_from_our_own_pages(
    evening: SessionClient, headers: dict[str, str], status: int
) -> None:
    before = evening.house.log()
    answer = asked(evening, "POST", "/narrate", headers, json={"text": "Here."})
    assert answer.status_code == status
    assert (evening.house.log() == before) == (status == 401)
    if status == 401:
        assert problem(answer)["code"] == "token-missing"


@pytest.mark.parametrize("method", ["POST", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/seats/p1", "/tokens/current", "/seats/p1/name", "/invitations", "/commands"]
)
def test_nothing_changes_by_another_sites_page(
    evening: SessionClient, method: str, path: str
) -> None:
    before = evening.house.log()
    answer = asked(evening, method, path, {"Sec-Fetch-Site": "cross-site"}, json={})
    assert answer.status_code in (401, 405, 422)
    assert evening.house.log() == before
    assert evening.get("p1", "").status_code == 200  # its token lives


@pytest.mark.parametrize("headers", [FETCHED, {}, {"Sec-Fetch-Site": "cross-site"}], ids=str)
@pytest.mark.parametrize(
    "path", ["", "/events", "/feed", "/feed/0", "/checkpoint", "/export", "/commands"]
)
def test_it_reads_by_the_cookie(evening: SessionClient, path: str, headers: dict[str, str]) -> None:
    answer = asked(evening, "GET", path, headers)
    assert answer.status_code == 200
    answer.close()


def test_what_it_reads_is_its_seats(evening: SessionClient) -> None:
    evening.post("gm", "/narrate", {"text": "Nobody hears this.", "audience": "gm"})
    assert "Nobody hears this." not in asked(evening, "GET", "/events?limit=999", FETCHED).text
    assert "Nobody hears this." in evening.get("gm", "/events?limit=999").text


def test_the_stream_goes_by_the_cookie_and_ends_with_its_token(evening: SessionClient) -> None:
    with asked(evening, "GET", "/stream?after=0", FETCHED) as answer:
        assert answer.status_code == 200
        assert b"id: 1\n" in answer.data


def test_a_header_goes_before_the_cookie(evening: SessionClient) -> None:
    headers = evening.headers("gm") | FETCHED
    assert asked(evening, "GET", "/invitations", headers).status_code == 200
    assert problem(asked(evening, "GET", "/invitations", FETCHED))["rule"] == "gm-only"
    assert asked(evening, "GET", "", {"Authorization": "Bearer flt_x"}).status_code == 401


def test_a_dead_cookie_is_said(evening: SessionClient) -> None:
    client = evening.house.client
    client.set_cookie("fairlog-seat", "flt_nothing")
    assert problem(client.get(f"/v1/sessions/{evening.session}"))["code"] == "token-invalid"
