"""Joining, and the forms of the page of people, as they are answered: whose they are, what they refuse and hide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.service.web.test_pages import OURS, PEOPLE
from tests.support.server import SessionClient, TestServer, laid, settings_in, staged

ELSEWHERE = {"Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    served = TestServer(settings_in(tmp_path), laid)
    yield staged(served, laid)
    served.close()


def asked(evening: SessionClient, seat: str, path: str = "/people", /, **form: str) -> TestResponse:
    """A page, or its form, by the cookie of the seat."""
    return sent(evening, seat, path, OURS, **form)


def sent(
    evening: SessionClient, seat: str, path: str, headers: dict[str, str], /, **form: str
) -> TestResponse:
    client = evening.house.client
    client.set_cookie("fairlog-seat", evening.tokens[seat])
    address = f"/s/{evening.session}{path}"
    if not form:
        return client.get(address, headers=PEOPLE | headers)
    return client.post(address, data=form, headers=PEOPLE | headers)


def code_of(evening: SessionClient, **body: Any) -> str:
    told: Any = evening.post("gm", "/invitations", {"role": "player", **body}).json
    return str(told["code"])


FORMS = [
    ("/people", {"act": "invite", "role": "player"}), ("/people", {"act": "name", "seat": "gm", "name": "Mallory"}),
    ("/people", {"act": "hand-over", "seat": "p1"}), ("/people", {"act": "leave", "seat": "p1"}),
    ("/people", {"act": "presence", "seat": "p1", "present": "false"}), ("/token", {"sure": "yes"}),
]  # fmt: skip


@pytest.mark.parametrize(
    "headers", [ELSEWHERE, {"Origin": "null"}, {"Origin": "http://evil.example"}], ids=str
)
@pytest.mark.parametrize(("path", "form"), FORMS, ids=lambda each: str(each)[:30])
def test_a_form_of_another_site_changes_nothing(
    evening: SessionClient, path: str, form: dict[str, str], headers: dict[str, str]
) -> None:
    before = evening.house.log()
    answer = sent(evening, "gm", path, headers, **form)
    assert (answer.status_code, evening.house.log() == before) == (403, True)
    assert "flt_" not in answer.text


def test_without_a_seat_nothing_is_done(evening: SessionClient) -> None:
    for path, form in FORMS:
        answer = evening.house.client.post(
            f"/s/{evening.session}{path}", data=form, headers=PEOPLE | OURS
        )
        assert answer.status_code == 401


def test_the_token_is_told_to_our_own_page_alone(evening: SessionClient) -> None:
    answer = asked(evening, "p1", "/token", sure="yes")
    told = json.loads(answer.text)
    assert (told, answer.headers["Cache-Control"]) == ({"token": evening.tokens["p1"]}, "no-store")
    assert asked(evening, "p1", "/token").status_code == 405
    for path in ("/people", ""):
        assert "flt_" not in asked(evening, "p1", path).text


def test_a_code_is_shown_once(evening: SessionClient) -> None:
    made = asked(evening, "gm", act="invite", role="player", max_uses="2", key="k" * 20)
    codes = set(re.findall(r"fli_[\w-]{20,}", made.text))
    assert len(codes) == 1
    again = asked(evening, "gm", act="invite", role="player", max_uses="2", key="k" * 20)
    assert set(re.findall(r"fli_[\w-]{20,}", again.text)) == codes  # a second press
    for seat in ("gm", "p1"):
        assert not codes & set(re.findall(r"fli_[\w-]{20,}", asked(evening, seat).text))


WRONG = [
    ({"act": "nothing"}, 422, "One of:"),
    ({"act": "name", "seat": "p1"}, 422, "name"),
    ({"act": "name", "seat": "../gm", "name": "x"}, 422, "no such one"),
    ({"act": "invite", "role": "gm"}, 422, "role"),
    ({"act": "invite", "role": "player", "max_uses": "many"}, 422, "max_uses"),
    ({"act": "withdraw", "invitation": "x"}, 422, "no such one"),
    ({"act": "withdraw", "invitation": "0" * 16}, 404, "Not found, or not visible to you"),
    ({"act": "leave", "seat": "gm"}, 409, "The GM cannot leave."),
    ({"act": "presence", "seat": "p1", "present": "maybe"}, 422, "true or false"),
    ({"act": "presence", "seat": "nobody", "present": "false"}, 409, "Seat nobody is not taken in this session."),
    ({"act": "hand-over", "seat": "gm"}, 409, "Seat gm is not a player, so it cannot become the GM."),
]  # fmt: skip


@pytest.mark.parametrize(("form", "status", "words"), WRONG, ids=str)
def test_what_cannot_be_done_is_said(
    evening: SessionClient, form: dict[str, str], status: int, words: str
) -> None:
    before = evening.house.log()
    answer = asked(evening, "gm", **form)
    assert (answer.status_code, words in answer.text) == (status, True)
    assert evening.house.log() == before


@pytest.mark.parametrize("headers", [ELSEWHERE, {"Origin": "http://evil.example"}], ids=str)
def test_another_sites_form_takes_no_seat(evening: SessionClient, headers: dict[str, str]) -> None:
    answer = evening.house.client.post(
        f"/join/{code_of(evening)}", data={"name": "x"}, headers=PEOPLE | headers
    )
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)


def test_who_has_taken_a_seat_keeps_it_when_the_browser_is_closed(evening: SessionClient) -> None:
    answer = evening.house.client.post(
        f"/join/{code_of(evening)}", data={"name": "Zoe"}, headers=PEOPLE | OURS
    )
    assert (answer.status_code, answer.location) == (303, f"/s/{evening.session}")
    cookies = [set(each.split("; ")) for each in answer.headers.getlist("Set-Cookie")]
    assert [{"HttpOnly", "Max-Age=15552000"} <= each for each in cookies] == [True, True]
