"""Secrets, draws that wait, the past, points ahead and rewinds, as a seat comes by them on the page of a session."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from domain.rulesets import RULESETS
from tests.browser.acting import Evening, fill, form, opened, press, tell
from tests.browser.looking import go
from tests.browser.sitting import Browsed, gives, giving
from tests.browser.test_pages import RULES, SMALL
from tests.browser.windows import Window
from tests.support.example import as_json, example_of
from tests.support.example import kind as kind_of

pytestmark = pytest.mark.long

Open = Callable[..., Window]
WORDS = "It stays dark until the bell."


def test_a_secret_is_told_and_opened(url: str, windows: Open) -> None:
    evening = opened(url)
    page, other = evening.enter(windows()), evening.enter(windows(), "p1")
    found = form(page, "narrate")
    found.get_by_label("Words").fill(WORDS)
    found.get_by_label("For whom").select_option("self")
    press(found)
    expect(page.locator("#came")).to_contain_text(WORDS)
    expect(other.locator("#rows .row").first).to_contain_text("Sealed")
    assert WORDS not in other.content()
    press(form(page, "open"))
    expect(other.locator("#rows")).to_contain_text(WORDS)
    expect(page.locator('#actions form[data-act="open"]')).to_have_count(0)


def test_a_draw_that_waits_says_for_whom(url: str, windows: Open, tmp_path: Path) -> None:
    with closing(Browsed(url, tmp_path)) as table:
        ana = table.sit(windows(), "p1", "Ana")
        gives(ana)
        table.bring_by(ana)
        evening = Evening(url, table.gm.kept.session, {"gm": table.gm.kept.token})
        expect(ana.locator("#actions [name=version]").first).to_have_value(str(evening.version()))
        kind = ana.locator('#actions h3[data-part="head/chance"] + details form').get_attribute(
            "data-act"
        )
        acts = ana.locator('#actions fieldset[data-part="acts"]')
        press(form(ana, str(kind)))
        expect(ana.locator("#came")).to_contain_text("waits for")
        expect(acts).to_have_attribute("disabled", "")
        with giving(table.gm):
            expect(ana.locator("#came")).to_contain_text("Done.")
        expect(acts).not_to_have_attribute("disabled", "")


RING = next(
    (
        ruleset
        for ruleset in RULESETS
        if ruleset.show(ruleset.decider.initial(ruleset.options())).boards
    ),
    None,
)


@pytest.mark.skipif(RING is None, reason="no game has a board of its own")
def test_points_ahead_are_buttons_of_the_picture(url: str, windows: Open) -> None:
    assert RING is not None
    evening, example = opened(url, RING), example_of(RING)
    page = evening.enter(windows(), "p1")
    evening.post("p1", "/commands", {"command": as_json(example.bring)})
    for kind in map(kind_of, RING.commands):
        if kind in evening.allowed("p1") and not evening.get("")["table"].get("tasks"):
            evening.act("p1", kind)
    ways = page.locator("#table .ahead button:not([aria-disabled])")
    expect(ways.first).to_be_visible()
    said = ways.first.inner_text()
    ways.first.click()
    focused = page.locator("*:focus")
    chosen = (
        focused.locator("xpath=ancestor::form").locator("input[type=radio]:checked + label").last
    )
    assert chosen.inner_text() in said
    before = evening.get("")["table"]["boards"]
    focused.press("Enter")
    expect(page.locator("#came")).to_contain_text("Done.")
    assert evening.get("")["table"]["boards"] != before


def test_in_the_past_nothing_is_sent_and_it_says_why(url: str, windows: Open) -> None:
    evening = opened(url)
    page = evening.enter(windows())
    tell(page, "One.")
    expect(page.locator("#came")).to_contain_text("One.")
    go(page, 3)
    expect(page.locator("#stop")).to_contain_text("You look at the past.")
    expect(page.locator("#narrate-send")).to_be_disabled()
    way = page.get_by_role("link", name="Rewind to version 3")
    assert str(way.get_attribute("href")).endswith("/rewind?to=3")
    page.get_by_role("link", name="Act at the newest version").click()
    expect(page.locator("#narrate-send")).to_be_enabled()
    expect(page.locator("#stop")).to_be_hidden()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_rewind_is_looked_at_before_it_is_done(url: str, windows: Open, javascript: bool) -> None:
    evening = opened(url)
    to = evening.version()
    evening.act("gm", next(iter(evening.allowed())))
    page = evening.enter(windows(javascript=javascript), query="")
    page.get_by_role("link", name="Undo the last turn").click()
    page.get_by_role("heading", name=f"Rewind to version {to}").wait_for()
    assert page.locator(".told .told li").count() == evening.version() - to
    if javascript:
        assert (
            Axe()
            .run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
            .violations_count
            == 0
        )
        assert page.evaluate(SMALL) == []
    page.get_by_label("Reason").fill("A slip.")
    page.get_by_role("button", name="Rewind").click()
    page.wait_for_url("**/s/*did=*")
    expect(page.locator("#came")).to_contain_text("A slip.")
    assert evening.get("")["table"] == {} or "entities" not in evening.get("")["table"]


def test_without_javascript_it_is_done_and_refused(url: str, windows: Open) -> None:
    evening, window = opened(url), windows(javascript=False)
    page = evening.enter(window)
    kind, choice = next(iter(evening.allowed().items()))
    for status in (303, 409):
        found = form(page, kind)
        fill(found, choice["example"])
        window.expect(f"{evening.path}/do")
        with page.expect_response("**/do") as answer:
            press(found)
        page.wait_for_load_state()
        assert answer.value.status == status
    expect(page.get_by_role("alert")).to_contain_text("Refused: nothing was done.")
    assert (
        page.locator('details[open] [name="c.entity"]').input_value() == choice["example"]["entity"]
    )
