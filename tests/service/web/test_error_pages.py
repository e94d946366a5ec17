"""What a browser gets when a request fails: the console with the facts, or a page that needs nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.web import built_files
from tests.support.browsers import PEOPLE
from tests.support.server import TestServer, settings_in

UNKNOWN = f"/s/{'0' * 32}"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "index.html").write_text("<html><body><div id=app></div></body></html>")
    monkeypatch.setattr(built_files, "DIST", folder)


@pytest.fixture
def unbuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_files, "DIST", tmp_path / "nothing")


@pytest.mark.usefixtures("built")
def test_the_console_says_what_happened(house: TestServer) -> None:
    answer = house.client.get(UNKNOWN, headers=PEOPLE)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    [told] = re.findall(r'<script type="application/json" id="problem">(.+?)</script>', answer.text)
    facts = json.loads(told)
    assert (facts["code"], facts["session"]) == ("token-missing", "0" * 32)
    assert facts["request"] == answer.headers["X-Request-Id"]


@pytest.mark.usefixtures("built")
def test_a_revoked_token_is_removed_from_the_browser(house: TestServer) -> None:
    client = house.client
    client.set_cookie("fairlog-seat", "flt_unknown")
    answer = client.get(UNKNOWN, headers=PEOPLE)
    assert answer.status_code == 401
    assert all("Max-Age=0" in each for each in answer.headers.getlist("Set-Cookie"))
    assert len(answer.headers.getlist("Set-Cookie")) == 2


@pytest.mark.usefixtures("unbuilt")
def test_without_the_console_a_plain_page_says_it(house: TestServer) -> None:
    answer = house.client.get(UNKNOWN, headers=PEOPLE)
    assert (answer.status_code, answer.mimetype) == (401, "text/html")
    assert "<h1>A token is required</h1>" in answer.text
    assert "<script" not in answer.text
    assert "style=" not in answer.text


@pytest.mark.usefixtures("unbuilt")
def test_a_page_says_that_the_console_is_missing(house: TestServer) -> None:
    answer = house.client.get("/status", headers=PEOPLE)
    assert (answer.status_code, answer.mimetype) == (503, "text/html")
    assert "<h1>The console is missing</h1>" in answer.text


@pytest.mark.usefixtures("built")
def test_what_a_request_contains_is_text(house: TestServer) -> None:
    answer = house.client.get("/rulesets/nothing-of-the-kind", headers=PEOPLE)
    assert answer.status_code == 404
    assert answer.text.count("</script>") == 1


def test_programs_get_a_problem_document(house: TestServer) -> None:
    for path, headers in (("/v1/nowhere", PEOPLE), ("/nowhere", {"Accept": "application/json"})):
        answer = house.client.get(path, headers=headers)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
