"""The console as the server answers it: who may open a page, its headers, its errors, and its files."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from domain.rulesets import RULESETS
from service.web import built_files, console
from tests.support.browsers import PEOPLE
from tests.support.server import TestServer, laid, settings_in

GZIP = {"Accept-Encoding": "gzip, br"}
PROGRAMS = {"Accept": "application/json"}
UNKNOWN = "0" * 32
FILLED = {
    "campaign": "0" * 32,
    "code": "fli_x",
    "ruleset": RULESETS[0].name,
    "moment": "newest",
    "draw": "0",
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


def read(house: TestServer, path: str, **headers: str) -> TestResponse:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return house.client.get(path, headers=PEOPLE | sent)


def pages(session: str) -> Iterator[str]:
    """Yield the address of every page."""
    yield "/"
    for address in console.ADDRESSES:
        yield re.sub(r"<\w+:(\w+)>|<(\w+)>", lambda each: filled(each, session), address)


def filled(found: re.Match[str], session: str) -> str:
    name = found[1] or found[2]
    return session if name == "session" else FILLED[name]


def without_ids(answer: TestResponse) -> str:
    return re.sub("[0-9a-f]{32}", "", answer.text)


def test_the_root_is_a_page_for_people_and_says_programs_where_to_look(house: TestServer) -> None:
    assert read(house, "/").mimetype == "text/html"
    for headers in ({}, PROGRAMS, {"Accept": "*/*"}):
        answer = house.client.get("/", headers=headers)
        assert set(answer.json) == {"name", "docs", "openapi", "ready"}
        assert answer.headers["Vary"].split(", ")[0] == "Accept"


def test_every_page_is_the_application_and_carries_its_headers(house: TestServer) -> None:
    evening = house.open(options={"listed": True})
    for path in pages(evening.session):
        answer = read(house, path)
        assert (answer.status_code, answer.mimetype) == (200, "text/html"), path
        assert '<div id="app">' in answer.text
        headers = answer.headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self'; ")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert len(headers["X-Request-Id"]) == 32
        assert len(headers.getlist("Content-Security-Policy")) == 1


HINT = re.compile(r'<link rel="(\w+)" (?:as="fetch" )?crossorigin href="([^"]+)">')


def test_a_page_names_all_its_files(house: TestServer) -> None:
    session = house.open(options={"listed": True}).session
    shell = set(HINT.findall(built_files.shell()))
    for path in pages(session):
        hints = [each for each in HINT.findall(read(house, path).text) if each not in shell]
        assert "modulepreload" in dict(hints), path
        for kind, address in hints:
            if kind != "preload":
                assert (built_files.DIST / address.removeprefix("/console/")).is_file(), address


def test_the_table_names_what_it_reads_first(house: TestServer) -> None:
    session = house.open(options={"listed": True}).session
    reads = [f"/v1/sessions/{session}", f"/v1/sessions/{session}/turns?limit=60"]
    found = HINT.findall(read(house, f"/s/{session}").text)
    assert [address for kind, address in found if kind == "preload"] == reads
    for other in (f"/s/{session}?as=p1", f"/s/{session}/luck"):
        assert 'rel="preload"' not in read(house, other).text


def test_readers_without_javascript_are_led_to_the_transcript(house: TestServer) -> None:
    session = house.open(options={"listed": True}).session
    link = f'href="/s/{session}/transcript"'
    assert link in read(house, f"/s/{session}").text
    assert "/transcript" not in read(house, "/").text
    assert read(house, f"/s/{session}/transcript").status_code == 200


def test_the_pages_of_a_session_are_for_those_who_may_see_it(house: TestServer) -> None:
    evening = laid(house)
    for hidden, unknown in zip(pages(evening.session), pages(UNKNOWN), strict=True):
        if hidden.startswith("/s/") and not hidden.endswith("/seat"):
            answers = read(house, hidden), read(house, unknown)
            assert [answer.status_code for answer in answers] == [401, 401]
            assert len({without_ids(answer) for answer in answers}) == 1
            for seat in ("gm", "p1", "watcher"):
                assert read(house, hidden, **evening.headers(seat)).status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nowhere", 404),
        ("/s/xyz", 404),
        (f"/s/{UNKNOWN}/at/anything", 404),
        ("/rulesets/nothing", 404),
        (f"/s/{UNKNOWN}", 401),
        (f"/s/{UNKNOWN}/transcript?as=X", 422),
    ],
)
def test_an_error_is_a_page_of_the_console(house: TestServer, path: str, status: int) -> None:
    answer = read(house, path)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert '<div id="app">' in answer.text
    assert answer.headers["X-Request-Id"] in answer.text
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'; ")


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/sessions?after=x", f"/v1/sessions/{UNKNOWN}"])
def test_under_v1_an_error_stays_a_problem(house: TestServer, path: str) -> None:
    assert read(house, path).mimetype == "application/problem+json"


def test_a_file_is_compressed_and_stored_for_good(house: TestServer) -> None:
    files = sorted((built_files.DIST / "assets").iterdir())
    assert files
    for file in files:
        address = f"/console/assets/{file.name}"
        with house.client.get(address, headers=GZIP) as sent:
            assert sent.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            is_compressed = sent.headers.get("Content-Encoding") == "gzip"
            assert is_compressed == (file.suffix in console.COMPRESSED)
            assert (gzip.decompress(sent.data) if is_compressed else sent.data) == file.read_bytes()
            assert int(sent.headers["Content-Length"]) == len(sent.data)
        with house.client.get(address) as plain:
            assert plain.data == file.read_bytes()
        known = GZIP | {"If-None-Match": sent.headers["ETag"]}
        with house.client.get(address, headers=known) as same:
            assert (same.status_code, same.data) == (304, b"")


@pytest.mark.parametrize("file", ["../index.html", "%2e%2e/index.html", "nothing.js", ""])
def test_no_other_file_is_served(house: TestServer, file: str) -> None:
    assert house.client.get(f"/console/assets/{file}").status_code == 404
