"""Sign-in by a personal link of a campaign, and what tells a page whether its browser is signed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.server import SessionClient, TestServer, laid, settings_in, staged

OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
OTHER_SITES = [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}]


class Member(NamedTuple):
    """A member of a campaign with their browser."""

    client: FlaskClient
    campaign: str
    token: str

    def post(
        self, path: str, body: object = None, headers: dict[str, str] = OWN_PAGE
    ) -> TestResponse:
        return self.client.post(f"/c/{self.campaign}{path}", json=body, headers=headers)

    def signed_in(self) -> object:
        return self.client.get(f"/c/{self.campaign}/signed-in").json["person"]

    def sees(self) -> int:
        path = f"/v1/campaigns/{self.campaign}"
        return self.client.get(path, headers=OWN_PAGE).status_code


@pytest.fixture
def member(tmp_path: Path) -> Iterator[Member]:
    server = TestServer(settings_in(tmp_path), laid)
    client = server.client
    body = {"title": "The long road", "person": "mo", "name": "Mo"}
    created = client.post("/v1/campaigns", json=body).json
    yield Member(client, created["campaign"], created["token"])
    server.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    server = TestServer(settings_in(tmp_path), laid)
    yield staged(server, laid)
    server.close()


def test_a_personal_link_signs_a_browser_in_until_it_signs_out(member: Member) -> None:
    assert (member.signed_in(), member.sees()) == (None, 404)
    answer = member.post("/sign-in", {"token": member.token})
    assert answer.status_code == 204
    cookies = answer.headers.getlist("Set-Cookie")
    paths = ("/c/", "/v1/campaigns/", "/v1/jobs/campaign-")
    assert len(cookies) == len(paths)
    for cookie, path in zip(cookies, paths, strict=True):
        assert f"Path={path}{member.campaign}" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie or path == "/c/"
    assert (member.signed_in(), member.sees()) == ("mo", 200)
    shown = member.post("/token", {})
    assert (shown.json, shown.headers["Cache-Control"]) == ({"token": member.token}, "no-store")
    assert member.post("/sign-out", {}).status_code == 204
    assert (member.signed_in(), member.sees()) == (None, 404)
    assert member.post("/sign-in", {"token": member.token}).status_code == 204


@pytest.mark.parametrize("token", ["flc_unknown", "flt_unknown", "", None, 7])
def test_what_is_no_token_of_a_member_signs_no_one_in(member: Member, token: object) -> None:
    answer = member.post("/sign-in", {"token": token})
    assert answer.status_code in (401, 404, 422)
    assert "Set-Cookie" not in answer.headers


def test_a_token_of_another_campaign_signs_no_one_in(member: Member) -> None:
    body = {"title": "Another", "person": "mo", "name": "Mo"}
    other = member.client.post("/v1/campaigns", json=body).json
    answer = member.post("/sign-in", {"token": other["token"]})
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (404, False)


@pytest.mark.parametrize("headers", OTHER_SITES, ids=str)
def test_another_site_neither_signs_in_nor_reads_the_token(
    member: Member, headers: dict[str, str]
) -> None:
    answer = member.post("/sign-in", {"token": member.token}, headers)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)
    member.post("/sign-in", {"token": member.token})
    for path in ("/token", "/sign-out"):
        assert member.post(path, {}, headers).status_code == 403
    assert member.signed_in() == "mo"


def test_a_page_can_ask_whether_its_browser_has_a_seat(evening: SessionClient) -> None:
    client, path = evening.house.client, f"/s/{evening.session}/signed-in"
    assert client.get(path).json == {"seat": None}
    client.set_cookie("fairlog-seat", evening.tokens["p1"])
    answer = client.get(path)
    assert (answer.json, answer.headers["Cache-Control"]) == ({"seat": "p1"}, "no-store")
    evening.delete("p1", "/seats/p1")
    assert client.get(path).json == {"seat": None}
