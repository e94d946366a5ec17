"""Rewinds from a session's pages, without JavaScript: what their preview says, and what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.service.web.forms import PEOPLE, Form, events, send
from tests.support.server import SessionClient, TestServer, laid, settings_in, staged


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path), laid if "evening" in request.fixturenames else None)
    yield served
    served.close()


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    return staged(house, laid)


def preview(evening: SessionClient, to: int | str, seat: str = "gm") -> TestResponse:
    return evening.house.client.get(
        f"/s/{evening.session}/rewind?to={to}", headers=PEOPLE | evening.headers(seat)
    )


def test_the_preview_of_a_rewind_says_what_it_undoes(evening: SessionClient) -> None:
    last = evening.version()
    turn = evening.get("gm", "/events?last=1").json["events"][0]["turn"]
    to = max(each["version"] for each in events(evening, 0) if each["turn"] < turn)
    evening.post("p1", "/narrate", {"text": "Words stay."})
    before = evening.table("gm")
    shown = preview(evening, to)
    assert shown.status_code == 200
    said = shown.text.partition('id="undone"')[2].partition("<h2>")[0]
    listed = [int(each) for each in re.findall(r'class="number">(\d+)<', said)]
    assert send(evening, Form(shown.text, "rewind").filled(reason="A slip.")).status_code == 303
    undone = [each["version"] for each in events(evening, to) if each.get("undone")]
    assert sorted(listed) == undone != []
    changed = shown.text.partition("What changes on the table")[2].partition("<h2>")[0]
    assert "gone" not in changed or all(
        f"{each} gone" not in changed for each in before["entities"]
    )
    assert ("<li>" in changed) == (before != evening.table("gm"))
    redo = preview(evening, last).text
    back = redo.partition('id="back"')[2].partition("<h2>")[0]
    assert sorted(map(int, re.findall(r'class="number">(\d+)<', back))) == undone
    assert "Nothing that the table holds." in redo


def test_a_rewind_that_is_not_allowed_says_why(evening: SessionClient) -> None:
    shown = preview(evening, evening.version() - 1, "p1").text
    assert "<code>gm-only</code>" in shown
    assert re.search(r'<button type="submit" disabled aria-describedby="no">', shown)
    answer = send(evening, Form(shown, "rewind").filled(reason="Please."), "p1")
    assert (answer.status_code, "Refused" in answer.text) == (409, True)
    for to, status in (("x", 422), ("0", 422), ("999999", 409)):
        assert preview(evening, to).status_code == status
