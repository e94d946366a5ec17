"""The transcript as a page: all that the reader may see, escaped, by turns, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from service.web import transcript
from tests.support.browsers import PEOPLE
from tests.support.example import over
from tests.support.server import SessionClient, TestServer, laid, settings_in

SECRET = "zqsecret"
MARKUP = '"><script>x</script>&amp;'


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    served = TestServer(settings_in(tmp_path))
    yield laid(served, options={"listed": True}, title=MARKUP)
    served.close()


def page(evening: SessionClient, seat: str | None = "gm", query: str = "") -> TestResponse:
    address = f"/s/{evening.session}/transcript{query}"
    return evening.house.client.get(address, headers=PEOPLE | evening.headers(seat))


def test_each_turn_stands_there_once_and_what_was_undone_is_struck(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript, "BATCH_EVENTS", 5)
    to = evening.version() - 3
    evening.post("gm", "/rewind", {"to": to, "reason": "the <wrong> door"})
    shown = page(evening).text
    turns = evening.get("gm", "/turns?limit=1000").json["turns"]
    found = [int(each) for each in re.findall(r"</time>\s\S turn\s(\d+)", shown)]
    assert found == sorted(found)
    assert found == [turn["turn"] for turn in turns]
    assert "the &lt;wrong&gt; door" in shown
    assert shown.count("<s>") >= 1
    assert transcript.FAIRNESS["C"] in shown
    assert shown.count("undone</span>") == sum(turn.get("undone", False) for turn in turns) > 0


def test_what_continues_a_roll_stands_under_it_and_words_under_the_one_who_said_them(
    evening: SessionClient,
) -> None:
    evening.go(*over())
    evening.post("p2", "/narrate", {"text": "Well done."})
    shown = page(evening, "p1").text
    turns = [turn["turn"] for turn in evening.get("p1", "/turns?limit=1000").json["turns"]]
    found = [int(each) for each in re.findall(r"</time>\s\S turn\s(\d+)", shown)]
    assert sorted(found) == turns
    rolls = re.findall(r'<article class="roll [^>]*>.*?</article>', shown, re.DOTALL)
    assert any("<p class=more>" in roll for roll in rolls)
    assert re.search(r"<b class=who>p2</b>[^\n]*\n<p class=words><bdi>Well done\.</bdi>", shown)
    assert "p2: Well done." not in shown


def test_people_and_days_are_in_words_and_a_seat_is_named_once(evening: SessionClient) -> None:
    shown = page(evening).text
    assert re.search(r"<b>People:</b> [^<]+, GM; ", shown)
    assert re.search(r'<time datetime="\d{4}-\d\d-\d\d">\d{1,2} [A-Z][a-z]+ \d{4}</time>', shown)
    assert "is now called" not in shown


def test_people_write_no_markup_and_the_page_runs_no_script(evening: SessionClient) -> None:
    evening.post("gm", "/narrate", {"text": MARKUP})
    answer = page(evening)
    assert MARKUP not in answer.text
    assert not re.search("<(script|form|input)", answer.text)
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_reader_finds_no_secret_of_others(evening: SessionClient) -> None:
    evening.post("gm", "/narrate", {"text": SECRET, "audience": "gm"})
    readers = {seat: SECRET in page(evening, seat).text for seat in ("gm", "p1", "watcher", None)}
    assert readers == {"gm": True, "p1": False, "watcher": False, None: False}
    assert SECRET not in page(evening, "gm", "?as=p1").text
    assert transcript.HIDDEN_TURN in page(evening, "p1").text
    marks = {
        seat: "secret, for the GM</small>" in page(evening, seat).text for seat in ("gm", "p1")
    }
    assert marks == {"gm": True, "p1": False}


def test_a_session_that_is_not_listed_is_for_its_seats(tmp_path: Path) -> None:
    served = TestServer(settings_in(tmp_path))
    evening = laid(served)
    assert page(evening, None).status_code == 401
    assert page(evening, "p1").status_code == 200
    served.close()
