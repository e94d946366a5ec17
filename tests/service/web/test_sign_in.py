"""Sign-in by a personal link: whose token is stored in the cookie, who may send it, and who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.support.server import SessionClient, TestServer, laid, settings_in, staged

OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
OTHER_SITES = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "https://evil.example"},
]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    served = TestServer(settings_in(tmp_path), laid)
    yield staged(served, laid)
    served.close()


def sign_in(
    evening: SessionClient, token: object, headers: dict[str, str] = OWN_PAGE
) -> TestResponse:
    return evening.house.client.post(
        f"/s/{evening.session}/sign-in", json={"token": token}, headers=headers
    )


def read_token(evening: SessionClient, seat: str, headers: dict[str, str]) -> TestResponse:
    client = evening.house.client
    client.set_cookie("fairlog-seat", evening.tokens[seat])
    return client.post(f"/s/{evening.session}/token", json={}, headers=headers)


def test_the_token_is_stored_in_two_cookies_of_the_session(evening: SessionClient) -> None:
    answer = sign_in(evening, evening.tokens["p1"])
    assert answer.status_code == 204
    cookies = answer.headers.getlist("Set-Cookie")
    assert len(cookies) == 2
    for cookie, path, site in zip(
        cookies, ("/s/", "/v1/sessions/"), ("Lax", "Strict"), strict=True
    ):
        assert evening.tokens["p1"] in cookie
        assert f"Path={path}{evening.session}" in cookie
        assert f"SameSite={site}" in cookie
        assert "HttpOnly" in cookie
        assert "Max-Age=15552000" in cookie


def test_a_browser_that_signed_in_holds_the_seat(evening: SessionClient) -> None:
    client = evening.house.client
    assert client.get(f"/s/{evening.session}").status_code == 401
    body = {"token": evening.tokens["p1"]}
    assert (
        client.post(f"/s/{evening.session}/sign-in", json=body, headers=OWN_PAGE).status_code == 204
    )
    assert client.get(evening.path, headers=OWN_PAGE).json["you"] == "p1"
    assert client.get(f"/s/{evening.session}").status_code == 200
    left = client.post(f"/s/{evening.session}/sign-out", json={}, headers=OWN_PAGE)
    assert left.status_code == 204
    assert client.get(f"/s/{evening.session}").status_code == 401
    assert sign_in(evening, evening.tokens["p1"]).status_code == 204, "the token stays valid"


@pytest.mark.parametrize("token", ["flt_unknown", "", "two words", "x" * 201, None, 7])
def test_what_is_no_token_of_a_seat_signs_no_one_in(evening: SessionClient, token: object) -> None:
    answer = sign_in(evening, token)
    assert answer.status_code in (401, 422)
    assert "Set-Cookie" not in answer.headers


def test_a_token_of_another_session_signs_no_one_in(evening: SessionClient) -> None:
    other = evening.house.open()
    for token in (other.tokens["gm"], other.seat("p1")):
        answer = sign_in(evening, token)
        assert (answer.status_code, answer.json["code"]) == (401, "token-invalid")


def test_a_revoked_token_signs_no_one_in(evening: SessionClient) -> None:
    old = evening.tokens["p1"]
    evening.seat("p1")
    assert sign_in(evening, old).status_code == 401
    assert sign_in(evening, evening.tokens["p1"]).status_code == 204


@pytest.mark.parametrize("headers", OTHER_SITES, ids=str)
def test_another_sites_page_signs_no_one_in_or_out(
    evening: SessionClient, headers: dict[str, str]
) -> None:
    answer = sign_in(evening, evening.tokens["p1"], headers)
    left = evening.house.client.post(f"/s/{evening.session}/sign-out", json={}, headers=headers)
    for each in (answer, left):
        assert (each.status_code, each.json["code"]) == (403, "forbidden")
        assert "Set-Cookie" not in each.headers


def test_a_page_of_ours_reads_the_token_for_the_personal_link(evening: SessionClient) -> None:
    answer = read_token(evening, "p1", OWN_PAGE)
    assert answer.json == {"token": evening.tokens["p1"]}
    assert answer.headers["Cache-Control"] == "no-store"
    assert evening.house.client.get(f"/s/{evening.session}/token").status_code == 405


@pytest.mark.parametrize("headers", [{}, *OTHER_SITES], ids=str)
def test_no_one_else_reads_the_token(evening: SessionClient, headers: dict[str, str]) -> None:
    answer = read_token(evening, "p1", headers)
    assert answer.status_code in (401, 403)
    assert "flt_" not in answer.text


def test_a_page_of_ours_renews_the_token_and_stays_signed_in(evening: SessionClient) -> None:
    client, old = evening.house.client, evening.tokens["p1"]
    body = {"token": old}
    client.post(f"/s/{evening.session}/sign-in", json=body, headers=OWN_PAGE)
    path = f"/s/{evening.session}/token/renew"
    for headers in OTHER_SITES:
        assert client.post(path, json={}, headers=headers).status_code in (401, 403)
    answer = client.post(path, json={}, headers=OWN_PAGE)
    assert answer.status_code == 200
    assert answer.json["token"] not in ("", old)
    assert len(answer.headers.getlist("Set-Cookie")) == 2
    assert client.get(evening.path, headers=OWN_PAGE).json["you"] == "p1"
    assert sign_in(evening, old).status_code == 401
    assert sign_in(evening, answer.json["token"]).status_code == 204


def test_the_page_that_signs_in_asks_for_no_seat(evening: SessionClient) -> None:
    answer = evening.house.client.get(f"/s/{evening.session}/seat")
    assert answer.status_code == 200
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_a_browser_keeps_the_seats_of_two_sessions_apart(evening: SessionClient) -> None:
    other, client = evening.house.open(), evening.house.client
    for each in (evening, other):
        body = {"token": each.tokens["gm"]}
        answer = client.post(f"/s/{each.session}/sign-in", json=body, headers=OWN_PAGE)
        assert answer.status_code == 204
    client.post(f"/s/{other.session}/sign-out", json={}, headers=OWN_PAGE)
    assert client.get(f"/s/{other.session}").status_code == 401
    assert client.get(f"/s/{evening.session}").status_code == 200


def test_with_https_the_cookie_is_sent_with_https_alone(tmp_path: Path) -> None:
    served = TestServer(settings_in(tmp_path, FAIRLOG_URL="https://table.example"))
    evening = served.open()
    for cookie in sign_in(evening, evening.tokens["gm"]).headers.getlist("Set-Cookie"):
        assert "Secure" in cookie.split("; ")
    served.close()
