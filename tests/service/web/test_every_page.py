"""What holds of every page: markup that people write is text, other sites' forms change nothing, odd evenings too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.web.forms import PEOPLE, Form, send
from tests.service.web.test_pages import OURS
from tests.support.example import EXAMPLE, brought
from tests.support.server import SessionClient, TestServer, laid, settings_in
from workers.jobs import compute_statistics

BELOW = (
    "",
    "/actions",
    "/people",
    "/verify",
    "/branches",
    "/stats",
    "/print",
    "/enter",
    "/rewind?to=3",
)
MARKUP = '"><script>x</script>\u202e\N{GRINNING FACE}&amp;'
SCRIPT = re.compile(r"<script(?! type=.(?:module|application/json). )")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


def texts(
    evening: SessionClient, *seats: str | None, below: tuple[str, ...] = BELOW
) -> Iterator[tuple[str, str]]:
    """Each page with its text, for each seat."""
    for seat in seats:
        for path in below:
            answer = evening.house.client.get(
                f"/s/{evening.session}{path}", headers=PEOPLE | evening.headers(seat)
            )
            assert answer.status_code in (200, 202, 401), (seat, path, answer.text)
            yield f"{path} for {seat}", answer.text


def test_what_people_write_is_text_on_every_page(house: TestServer) -> None:
    name = MARKUP.replace("\u202e", "")  # which no name can contain
    evening = house.open(title=MARKUP, name=name, options={"listed": True})
    evening.seat("p1", name=name)
    evening.go(("p1", brought("ana", MARKUP)), ("gm", EXAMPLE.guest))
    evening.post("gm", "/narrate", {"text": MARKUP})
    evening.post("gm", "/rewind", {"to": evening.version() - 3, "reason": MARKUP})
    evening.post("gm", "/narrate", {"text": MARKUP, "audience": "gm"})
    house.follow()
    compute_statistics(house.app, evening.session)
    below = (
        *BELOW,
        f"?text={MARKUP[:4]}",
        "?did=6",
        f"/branches?from=2&to={evening.version()}",
        "?at=6",
    )
    found = dict(texts(evening, "gm", "p1", None, below=below))
    code = evening.invite()
    for path in (
        "/",
        "/status",
        f"/join/{code}",
        "/?after=<script>x</script>",
        f"/s/{evening.session}?at=<script>",
    ):
        found[path] = house.client.get(path, headers=PEOPLE).text
    assert [where for where, text in found.items() if SCRIPT.search(text) or MARKUP in text] == []
    named = [where for where, text in found.items() if "\N{GRINNING FACE}" in text]
    assert {f"{path} for gm" for path in ("", "/people", "/branches", "/print", "/stats")} | {
        "/"
    } <= set(named)


def test_no_form_of_another_site_changes_anything(house: TestServer) -> None:
    evening = laid(house)
    code, client, tried = evening.invite(), house.client, 0
    client.set_cookie("fairlog-seat", evening.tokens["gm"])
    before = house.log()
    for rule in house.flask.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.rule.startswith("/v1/"):
            address = rule.rule.replace("<code:code>", code)
            for name in ("session", "campaign"):
                address = address.replace(f"<{name}:{name}>", evening.session)
            for headers in (
                {"Sec-Fetch-Site": "cross-site"},
                {"Origin": "http://evil.example"},
                {"Origin": "null"},
            ):
                data = {
                    "do": "narrate",
                    "text": "x",
                    "version": "2",
                    "act": "leave",
                    "seat": "p1",
                    "title": "x",
                }
                answer = client.post(address, data=data, headers=PEOPLE | headers)
                assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False), address
                tried += 1
    assert tried >= 3 * 9
    assert house.log() == before


def test_a_browser_keeps_the_seats_of_two_sessions_apart(house: TestServer) -> None:
    one, other = house.open(title="One", name="Zofia"), house.open(title="Other", name="Xaver")
    client = house.client
    for evening in (one, other):
        form = {"token": evening.tokens["gm"]}
        assert (
            client.post(f"/s/{evening.session}/enter", data=form, headers=PEOPLE | OURS).status_code
            == 303
        )
    for evening, mine, theirs in ((one, "Zofia (GM)", "Xaver"), (other, "Xaver (GM)", "Zofia")):
        page = client.get(f"/s/{evening.session}", headers=PEOPLE).text
        assert mine in page
        assert theirs not in page
    assert client.post(f"/s/{one.session}/leave", headers=PEOPLE | OURS).status_code == 303
    assert client.get(f"/s/{one.session}", headers=PEOPLE).status_code == 401
    assert client.get(f"/s/{other.session}", headers=PEOPLE).status_code == 200


def test_a_closed_evening_and_one_of_the_gm_alone_have_every_page(house: TestServer) -> None:
    closed, alone = laid(house), house.open()
    narrated = Form(dict(texts(closed, "gm"))[" for gm"], "narrate").filled(text="To the end.")
    assert closed.post("gm", "/close", {"carry_over": False}).status_code == 201
    assert len(list(texts(closed, "gm", "p1", "watcher"))) == 3 * len(BELOW)
    assert len(list(texts(alone, "gm"))) == len(BELOW)
    late = send(closed, narrated)
    assert (late.status_code, "The session has moved on" in late.text) == (412, True)
