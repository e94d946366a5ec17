"""What a seat does by the forms of a session's page, as they are sent without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.service.web.forms import (
    Form,
    allowed,
    events,
    filled,
    first,
    page,
    send,
    text_of,
)
from tests.support.example import FIRST
from tests.support.scale import LONG
from tests.support.server import SessionClient, TestServer, laid, settings_in, staged

SECRET = "zqa-hidden-aim"


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path), laid if "evening" in request.fixturenames else None)
    yield served
    served.close()


@pytest.fixture
def evening(house: TestServer) -> SessionClient:
    return staged(house, laid)


@pytest.mark.parametrize(
    "ruleset",
    RULESETS if LONG else [FIRST],
    ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}",
)
def test_every_allowed_command_of_a_fresh_table_is_sent_by_its_form(
    house: TestServer, ruleset: AnyRuleset
) -> None:
    evening = house.open(ruleset=ruleset.name, edition=ruleset.edition)
    sent = set[str]()
    while choices := [each for each in allowed(evening) if each["kind"] not in sent]:
        choice, before = choices[0], evening.version()
        sent.add(choice["kind"])
        form = Form(page(evening), choice["kind"]).filled(choice["example"])
        answer = send(evening, form)
        assert answer.status_code == 303, (choice, form, answer.text)
        wish = next(each for each in events(evening, before) if each["kind"] == "session.Declared")
        assert wish["body"]["command"] == choice["example"]
    assert len(sent) > 3


def test_a_form_that_is_sent_twice_is_done_once(evening: SessionClient) -> None:
    data = filled(evening, first(evening, "p1", draws=True), "p1")
    one, before = send(evening, data, "p1"), evening.version()
    other = send(evening, data, "p1")
    assert (one.status_code, other.status_code) == (303, 303)
    assert one.location == other.location
    assert evening.version() == before


def test_what_is_wrong_stands_at_its_field(evening: SessionClient) -> None:
    act = next(each["kind"] for each in allowed(evening) if "entity" in each["example"])
    answer = send(evening, {**filled(evening, act), "c.entity": "No id!"})
    assert answer.status_code == 422
    [described] = re.findall(r'aria-describedby="([a-z -]+)" aria-invalid="true"', answer.text)
    said = re.search(rf'<p class="wrong" id="{described.split()[-1]}">([^<]+)<', answer.text)
    assert said is not None
    assert "Must be a lower-case letter" in said[1]
    assert evening.version() == int(Form(answer.text, act).fields["version"][0])


def test_a_refusal_is_told_by_its_rule_and_facts(evening: SessionClient) -> None:
    refused = next(
        each for each in evening.get("gm", "/commands").json["commands"] if not each["allowed"]
    )
    assert refused["detail"].partition(". ")[0] in text_of(page(evening))
    entity = next(iter(evening.table("gm")["entities"]))
    data = {**Form(page(evening), refused["kind"]).fields, "c.entity": entity}
    example = {"kind": refused["kind"], "entity": entity}
    tried = evening.post("gm", "/commands", {"command": example})
    answer = send(evening, data)
    assert answer.status_code == tried.status_code == 409
    place = answer.text.partition('role="alert"')[2].partition("</form>")[0]
    assert "Refused: nothing was done." in place
    assert f"<code>{tried.json['rule']}</code>" in place
    assert re.search(rf'href="/rulesets/{FIRST.name}#rule-\d+\.\d+"', place)
    for name in tried.json["facts"]:
        assert name.replace("_", " ") in place


def test_on_a_conflict_it_says_what_came_in_between(evening: SessionClient) -> None:
    data = filled(evening, "narrate", text="Mine.")
    assert evening.post("p1", "/narrate", {"text": "Meanwhile, a bell."}).status_code == 201
    answer = send(evening, data)
    assert answer.status_code == 412
    place = answer.text.partition('role="alert"')[2].partition("</form>")[0]
    assert "Meanwhile, a bell." in place
    form = Form(answer.text, "narrate").fields
    assert form["version"] == [str(evening.version())]
    assert send(evening, {**form, "text": "Mine."}).status_code == 303


def test_a_secret_is_asked_for_and_opened(evening: SessionClient) -> None:
    act = first(evening, "p1", draws=True)
    assert send(evening, filled(evening, act, "p1", audience="gm"), "p1").status_code == 303
    [hidden] = evening.get("p2", "/events?last=1").json["events"]
    assert hidden["sealed"]
    assert 'data-act="open"' not in page(evening, "p2")
    form = Form(page(evening), "open").fields
    assert send(evening, form).status_code == 303
    came = evening.get("p2", "/events?last=1").json["events"][0]
    assert came["kind"] == "session.SealOpened"


def test_a_secret_stands_in_no_form_of_another_seat(evening: SessionClient) -> None:
    for seat, audience in (("gm", "self"), ("p1", "gm")):
        told = evening.post(seat, "/narrate", {"text": f"It is {SECRET}.", "audience": audience})
        assert told.status_code == 201
    assert SECRET in page(evening)
    for seat in ("p2", None):
        if seat is not None:
            assert SECRET not in page(evening, seat)
            assert (
                SECRET
                not in send(
                    evening, filled(evening, "narrate", seat, text="x", version="2"), seat
                ).text
            )


def test_a_text_keeps_its_lines(evening: SessionClient) -> None:
    """A browser ends the lines of a text with CRLF."""
    data = filled(evening, "narrate", text="Dear Ana,\r\ncome at once.")
    assert send(evening, data).status_code == 303
    told = events(evening, evening.version() - 1)[0]["body"]["text"]
    assert told == "Dear Ana,\ncome at once."


def test_the_evening_is_closed_by_its_form(evening: SessionClient) -> None:
    assert 'data-act="close"' not in page(evening, "p1")
    assert send(evening, filled(evening, "close")).status_code == 303
    closed = events(evening, evening.version() - 1)[0]
    assert (closed["kind"], closed["body"].get("carry") is not None) == ("session.Closed", True)
    shown = page(evening)
    assert 'data-act="narrate"' in shown
    assert f'data-act="{FIRST.name}.' not in shown


def test_a_form_needs_a_seat_and_its_own_page(evening: SessionClient) -> None:
    data = filled(evening, "narrate", text="Hello.")
    assert send(evening, data, None).status_code == 401
    assert send(evening, data, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert send(evening, {**data, "do": "nothing.Known"}).status_code == 422
    assert send(evening, {**data, "version": "soon"}).status_code == 422


def test_the_past_and_other_eyes_stop_the_forms(evening: SessionClient) -> None:
    for query in ("?at=2", "?as=p1"):
        shown = page(evening, "gm", query)
        assert shown.count('<fieldset class="acts"') == len(
            re.findall(r'<fieldset class="acts"[^>]* disabled', shown)
        )
