"""The pages beside the table as they are answered: a new evening, the rules, the check, branches, the chronicle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from domain.rulesets import RULESETS
from tests.service.cli.test_tell import without_draws
from tests.service.web.test_pages import OURS, PEOPLE
from tests.support.server import SessionClient, TestServer, laid, settings_in, staged
from workers.audits import compute_audit

ROOM = RULESETS[0]
NEW = {
    "ruleset": ROOM.name,
    "edition": ROOM.edition,
    "title": "The mint",
    "draws": "house",
    "option-deadline": "8",
}
IDS = [f"{ruleset.name}-{ruleset.edition}" for ruleset in RULESETS]


def listed(house: TestServer) -> SessionClient:
    return laid(house, options={"listed": True})


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(
        settings_in(tmp_path), listed if "evening" in request.fixturenames else None
    )
    yield served
    served.close()


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    return staged(house, listed)


def read(evening: SessionClient, path: str, seat: str | None = "gm") -> TestResponse:
    return evening.house.client.get(
        f"/s/{evening.session}{path}", headers=PEOPLE | evening.headers(seat)
    )


def send(house: TestServer, path: str, form: dict[str, str], **headers: str) -> TestResponse:
    return house.client.post(path, data=form, headers=PEOPLE | OURS | headers)


def words(answer: TestResponse) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", answer.text)))


def test_a_new_evening_is_opened_once_however_often_its_form_is_sent(house: TestServer) -> None:
    key = re.findall(
        r'name="key" value="([0-9a-f]{32})"',
        house.client.get(f"/?ruleset={ROOM.name}", headers=PEOPLE).text,
    )
    one, other = (send(house, "/new", NEW | {"key": key[0]}) for _ in range(2))
    assert (one.status_code, one.location) == (303, other.location)
    assert {cookie.partition("; ")[0] for cookie in one.headers.getlist("Set-Cookie")} == {
        cookie.partition("; ")[0] for cookie in other.headers.getlist("Set-Cookie")
    }
    again = send(house, "/new", NEW | {"key": key[0], "title": "Another"})
    assert (
        again.status_code,
        "The idempotency key was already used for a different request" in again.text,
    ) == (422, True)


WRONG = [
    ({"title": ""}, "title", "Length must be between 1 and 120."),
    ({"option-deadline": "9000"}, "option-deadline", "less than or equal to 600"),
    ({"option-deadline": "soon"}, "option-deadline", "Must be a whole number."),
    ({"option-deadline": "9"}, "option-deadline", "where the table draws"),
    ({"draws": "nobody"}, "", "Nothing was opened."),
]


@pytest.mark.parametrize(("bent", "field", "said"), WRONG, ids=str)
def test_what_is_wrong_is_said_beside_its_field(
    house: TestServer, bent: dict[str, str], field: str, said: str
) -> None:
    answer = send(house, "/new", NEW | bent)
    assert answer.status_code == 422
    assert said in answer.text
    if field:
        assert re.search(
            rf'id="{field}"[^>]* aria-describedby="{field}-wrong[^>]* aria-invalid="true"',
            answer.text,
        )
        assert f'id="{field}-wrong" role="alert"' in answer.text
    assert answer.headers.getlist("Set-Cookie") == []
    assert house.log() == []


def test_the_check_says_what_was_kept_and_asks_for_more(evening: SessionClient) -> None:
    assert "There is no report yet." in read(evening, "/verify", None).text
    assert "Ask for a check now" not in read(evening, "/verify", None).text
    compute_audit(evening.house.app, evening.session)
    page = words(read(evening, "/verify"))
    assert f"Valid at version {evening.version()}, the newest" in page
    assert "All five rungs hold." in page
    asked = evening.house.client.post(
        f"/s/{evening.session}/verify", headers=PEOPLE | OURS | evening.headers("gm")
    )
    assert (asked.status_code, asked.mimetype) == (503, "text/html")  # the queue is away here
    nobody = evening.house.client.post(f"/s/{evening.session}/verify", headers=PEOPLE | OURS)
    assert nobody.status_code == 401


def rewound(evening: SessionClient) -> int:
    """The version of a rewind."""
    to = evening.version() - 3
    answer = evening.post("gm", "/rewind", {"to": to, "reason": "the <wrong> door"})
    assert answer.status_code == 201, answer.text
    return evening.version()


def test_the_branches_say_who_left_which_and_why(evening: SessionClient) -> None:
    assert "Nobody has rewound" in read(evening, "/branches").text
    version = rewound(evening)
    page = read(evening, "/branches")
    assert f"Mo rewound at version {version} to version {version - 4}" in words(page)
    assert "the &lt;wrong&gt; door" in page.text
    assert f"Left: {version - 3} to {version - 1} (3 events, 1 turn). It is undone still." in words(
        page
    )
    assert page.text.count('class="rewind"') == 1
    assert f'href="/s/{evening.session}?at={version - 3}"' in page.text


def test_two_versions_are_compared(evening: SessionClient) -> None:
    head = evening.version()
    assert "It is the same at both." in read(evening, f"/branches?from={head}&to={head}").text
    assert '<ul class="changes">' in read(evening, f"/branches?from=2&to={head}").text
    assert '<ul class="changes">' in read(evening, "/branches?from=2&to=").text
    assert read(evening, f"/branches?from=1&to={head + 1}").status_code == 409
    assert read(evening, "/branches?from=x").status_code == 422


FORKS = [
    ("gm", {"version": "2", "title": "What if"}, 303, ""),
    ("watcher", {"version": "2"}, 303, ""),
    ("gm", {"version": "x"}, 422, "Must be a whole number."),
    ("gm", {}, 422, "Missing data for required field."),
    ("gm", {"version": "999"}, 409, "The session has not reached that version."),
    (None, {"version": "2"}, 401, "This session is visible to its seats only."),
]


@pytest.mark.parametrize(("seat", "form", "status", "said"), FORKS, ids=str)
def test_a_seat_forks(
    evening: SessionClient, seat: str | None, form: dict[str, str], status: int, said: str
) -> None:
    path, own = f"/s/{evening.session}/branches", evening.headers(seat)
    answer = evening.house.client.post(path, data=form, headers=PEOPLE | OURS | own)
    assert (answer.status_code, said in answer.text) == (status, True)
    if status == 303:
        child = str(answer.location).rpartition("/")[2]
        assert any(f"Path=/s/{child}" in cookie for cookie in answer.headers.getlist("Set-Cookie"))
        assert child in evening.get("gm", "/events?limit=200").text


def test_the_chronicle_tells_all_and_strikes_what_was_undone(evening: SessionClient) -> None:
    version = rewound(evening)
    evening.post("gm", "/narrate", {"text": "zqsecret", "audience": "gm"})
    page = read(evening, "/print")
    events = evening.get("gm", "/events?limit=200").json["events"]
    shown = [
        event
        for _, turn in groupby(events, itemgetter("turn"))
        for event in without_draws(list(turn))
    ]
    assert re.findall(r'class="number">(\d+)<', page.text) == [
        str(event["version"]) for event in shown
    ]
    assert len(shown) < len(events)
    assert "grade C" in page.text
    undone = [event for event in shown if event["undone"]]
    assert page.text.count("<s>") == len(undone) >= 1
    assert f'class="number">{version}</span> <bdi>' in page.text
    assert "(the &lt;wrong&gt; door).</bdi> <b>rewind</b>" in page.text
    assert ("zqsecret" in page.text, "zqsecret" in read(evening, "/print", "p1").text) == (
        True,
        False,
    )
    assert "Sealed: not for your eyes yet." in read(evening, "/print", None).text
    assert read(evening, "/print?as=p1").text.count("zqsecret") == 0
    assert page.headers["Content-Security-Policy"].startswith("default-src 'self'; ")
