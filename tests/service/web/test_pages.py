"""The console's pages as they are answered: headers, who may read them, what a no looks like, files that are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from service.web import assets
from tests.support.server import SessionClient, TestServer, laid, settings_in, staged

PEOPLE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PROGRAMS = {"Accept": "application/json"}
ROOT = Path(__file__).resolve().parents[3] / "service" / "web"
UNKNOWN = "0" * 32
OWN = r'<script type="(module" src="\{\{ asset\(|application/json" id="page")'
"""A module of ours, and the page's data, which runs nowhere."""
OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path), laid if "evening" in request.fixturenames else None)
    yield served
    served.close()


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    return staged(house, laid)


def read(house: TestServer, path: str, **headers: str) -> TestResponse:
    return house.client.get(
        path, headers=PEOPLE | {name.replace("_", "-"): said for name, said in headers.items()}
    )


def enter(evening: SessionClient, token: str, **headers: str) -> TestResponse:
    return evening.house.client.post(
        f"/s/{evening.session}/enter",
        data={"token": token},
        headers=PEOPLE | {name.replace("_", "-"): said for name, said in headers.items()},
    )


def without_ids(answer: TestResponse) -> str:
    return re.sub("[0-9a-f]{32}", "", answer.text)


def test_the_root_is_a_page_for_people_and_says_programs_where_to_look(house: TestServer) -> None:
    assert read(house, "/").mimetype == "text/html"
    for headers in ({}, PROGRAMS, {"Accept": "*/*"}):
        answer = house.client.get("/", headers=headers)
        assert set(answer.json) == {"name", "docs", "openapi", "ready"}
        assert answer.headers["Vary"].split(", ")[0] == "Accept"


@pytest.mark.parametrize(
    "path", ["/", "/status", f"/s/{UNKNOWN}/stats", f"/s/{UNKNOWN}/enter", "/nowhere"]
)
def test_every_page_carries_its_headers(house: TestServer, path: str) -> None:
    headers = read(house, path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self'; ")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert len(headers["X-Request-Id"]) == 32
    assert len(headers.getlist("Content-Security-Policy")) == 1


@pytest.mark.parametrize(
    "template", sorted((ROOT / "templates").iterdir()), ids=lambda path: path.name
)
def test_no_template_holds_a_script_or_a_style(template: Path) -> None:
    text = re.sub(OWN, "", template.read_text())
    assert not re.search(
        r"<script|<style|\sstyle=|\son[a-z]+=|javascript:|\|\s*safe|https?://", text
    )


def test_the_list_has_what_everybody_may_see(house: TestServer) -> None:
    for listed in (True, False):
        house.open(title=f"Listed is {listed} <b>", options={"listed": listed})
    house.follow()
    page = read(house, "/").text
    assert "Listed is True &lt;b&gt;" in page
    assert "Listed is False" not in page


def test_an_unlisted_session_looks_like_none(evening: SessionClient) -> None:
    hidden, unknown = (
        read(evening.house, f"/s/{session}/stats") for session in (evening.session, UNKNOWN)
    )
    assert (hidden.status_code, unknown.status_code) == (401, 401)
    assert without_ids(hidden) == without_ids(unknown)
    entrances = [
        without_ids(read(evening.house, f"/s/{each}/enter")) for each in (evening.session, UNKNOWN)
    ]
    assert entrances[0] == entrances[1]


def test_a_seat_reads_by_its_token_and_by_its_cookie(evening: SessionClient) -> None:
    path = f"/s/{evening.session}/stats"
    by_token = evening.house.client.get(path, headers=PEOPLE | evening.headers("p1"))
    assert (by_token.status_code, by_token.headers["Retry-After"]) == (202, "2")
    client = evening.house.client
    form = {"token": f" {evening.tokens['p1']} "}
    entered = client.post(f"/s/{evening.session}/enter", data=form, headers=PEOPLE | OURS)
    assert (entered.status_code, entered.location) == (303, path.removesuffix("/stats"))
    pages, api = (set(cookie.split("; ")) for cookie in entered.headers.getlist("Set-Cookie"))
    assert {"HttpOnly", f"Path=/s/{evening.session}", "SameSite=Lax"} <= pages
    assert {"HttpOnly", f"Path=/v1/sessions/{evening.session}", "SameSite=Strict"} <= api
    assert not any(part.startswith("Max-Age") for part in pages | api)
    assert "Ana&#39;s player (player)" in client.get(path, headers=PEOPLE).text
    assert client.get(f"/v1/sessions/{evening.session}").status_code == 200
    left = client.post(f"/s/{evening.session}/leave", headers=PEOPLE | OURS)
    assert left.status_code == 303
    assert [cookie.split("; ")[0] for cookie in left.headers.getlist("Set-Cookie")] == [
        "fairlog-seat="
    ] * 2
    assert client.get(path, headers=PEOPLE).status_code == 401
    assert client.get(f"/v1/sessions/{evening.session}").status_code == 401


def test_by_https_the_cookie_goes_by_https_alone(tmp_path: Path) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_URL="https://table.example"))
    evening = house.open()
    assert "Secure" in enter(evening, evening.tokens["gm"], **OURS).headers["Set-Cookie"].split(
        "; "
    )
    house.close()


def test_only_a_token_of_the_session_enters(evening: SessionClient) -> None:
    other = evening.house.open()
    for token in ("", "flt_x", "flt_" + "A" * 43, other.tokens["gm"], "ü" * 9):
        answer = enter(evening, token, **OURS)
        assert (answer.status_code, answer.headers.get("Set-Cookie")) == (422, None)
        assert 'aria-invalid="true"' in answer.text
    gone = evening.tokens["p2"]
    evening.seat("p2")  # the seat is taken anew
    assert enter(evening, gone, **OURS).status_code == 422


SENT = [
    ({"Sec_Fetch_Site": "same-origin"}, 303),
    ({"Sec_Fetch_Site": "same-origin", "Origin": "null"}, 303),
    ({"Origin": "http://localhost"}, 303),
    ({}, 303),
    ({"Sec_Fetch_Site": "same-site"}, 403),
    ({"Sec_Fetch_Site": "cross-site"}, 403),
    ({"Sec_Fetch_Site": "cross-site", "Origin": "http://localhost"}, 403),
    ({"Sec_Fetch_Site": "none"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://localhost.evil.example"}, 403),
    ({"Origin": "http://localhost:8000"}, 403),
]


@pytest.mark.parametrize(("headers", "status"), SENT, ids=str)
def test_a_form_is_taken_from_our_own_pages(
    evening: SessionClient, headers: dict[str, str], status: int
) -> None:
    answer = enter(evening, evening.tokens["gm"], **headers)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (status, status == 303)


NOES = [
    ("/nowhere", 404, "The list of sessions"),
    ("/s/xyz/stats", 404, "The list of sessions"),
    (f"/s/{UNKNOWN}/stats", 401, "Token of your seat"),
    (f"/s/{UNKNOWN}/stats?from=maybe", 422, "<code>from</code>"),
    ("/?after=x", 422, "<code>after</code>"),
    (f"/s/{UNKNOWN}/leave", 405, "use a link or a form"),
]


@pytest.mark.parametrize(("path", "status", "words"), NOES)
def test_a_no_is_a_page_that_says_what_to_do(
    house: TestServer, path: str, status: int, words: str
) -> None:
    answer = read(house, path)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert words in answer.text
    assert answer.headers["X-Request-Id"] in answer.text


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/sessions?after=x", f"/v1/sessions/{UNKNOWN}"])
def test_under_v1_a_no_stays_a_problem(house: TestServer, path: str) -> None:
    assert read(house, path).mimetype == "application/problem+json"
    assert house.client.get("/nowhere", headers=PROGRAMS).mimetype == "application/problem+json"


def test_only_the_gm_looks_as_another_seat(evening: SessionClient) -> None:
    path = f"/s/{evening.session}/stats?as=p2"
    for seat, status in (("gm", 202), ("p1", 409)):
        answer = evening.house.client.get(path, headers=PEOPLE | evening.headers(seat))
        assert answer.status_code == status
        assert ('<select id="as"' in answer.text) == (seat == "gm")


def test_what_an_auditor_reads_is_kept(evening: SessionClient) -> None:
    evening.seat("judge", "auditor")
    evening.house.client.get(
        f"/s/{evening.session}/stats", headers=PEOPLE | evening.headers("judge")
    )
    assert f"/s/{evening.session}/stats" in evening.get("gm", "/audit-reads").text


def test_a_file_is_kept_for_good_under_its_release_alone(house: TestServer) -> None:
    [address] = re.findall(r'href="(/static/[0-9a-f]{12}/console\.css)"', read(house, "/").text)
    now = house.client.get(address)
    assert now.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert now.mimetype == "text/css"
    other = house.client.get(
        "/static/0123456789ab/console.css", headers={"If-None-Match": now.headers["ETag"]}
    )
    assert (other.status_code, other.headers["Cache-Control"]) == (304, "no-cache")
    module = house.client.get(f"/static/{assets.release()}/verifier/verify.js")
    assert module.mimetype == "text/javascript"
    for path in ("../pages.py", "%2e%2e/__init__.py", "nothing.css", ""):
        assert house.client.get(f"/static/{assets.release()}/{path}").status_code == 404
    for answer in (now, other, module):
        answer.close()
