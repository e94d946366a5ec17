"""The first page and the page of a ruleset: an evening is begun, a session found again, the rules are read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from domain.rulesets import RULESETS
from service.http.routes.rulesets import ruleset_view
from tests.browser import sound
from tests.browser.conftest import Open
from tests.browser.served import Served
from tests.browser.windows import Look
from tests.support.scale import scale

pytestmark = pytest.mark.long

ROOM = RULESETS[0]
PAGES = {
    "new": f"/?ruleset={ROOM.name}",
    **{ruleset.name: f"/rulesets/{ruleset.name}" for ruleset in RULESETS},
}
SOUND = ("new", *(ruleset.name for ruleset in RULESETS[: scale(1, 9)]))


@pytest.mark.parametrize(("name", "look"), list(sound.looks(SOUND)), ids=str)
def test_it_is_sound(window: Open, name: str, look: Look) -> None:
    sound.check(window(look).open(PAGES[name]), look)


def begin(page: Page, title: str) -> None:
    page.get_by_role("link", name=ROOM.title, exact=True).click()
    page.get_by_label("Title of the evening").fill(title)
    page.get_by_label("Your name, as the GM").fill("Mo <b>")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Take back").check()
    page.get_by_role("button", name="Begin the evening").click()


def test_an_evening_is_begun_without_javascript(house: Served, window: Open) -> None:
    page = window(javascript=False).open("/")
    begin(page, "The <b>mint")
    expect(page.get_by_role("heading", level=1)).to_have_text("The <b>mint")
    expect(page.get_by_text("as Mo <b> (GM) sees it")).to_be_visible()
    session = page.url.rpartition("/")[2]
    shown = page.request.get(
        f"{house.url}/v1/sessions/{session}", headers={"Cookie": _cookie(page)}
    ).json()
    assert (shown["options"]["take_back"], shown["options"]["listed"], shown["title"]) == (
        True,
        False,
        "The <b>mint",
    )


def _cookie(page: Page) -> str:
    return "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())


def test_visited_sessions_are_remembered_by_the_browser_alone(house: Served, window: Open) -> None:
    page = window().open("/")
    begin(page, "A hidden evening")
    page.wait_for_url("**/s/*")
    address = page.url
    page.goto("/")
    found = page.locator("#visited a")
    expect(found).to_have_text(["A hidden evening"])
    found.click()
    page.wait_for_url(address)
    page.goto("/")
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator("#visited")).to_be_hidden()
    page.reload()
    expect(page.locator("#visited")).to_be_hidden()
    assert page.evaluate("() => localStorage.length") == 0


def test_a_code_leads_to_its_invitation(house: Served, window: Open) -> None:
    opened = window(javascript=False)
    page = opened.open("/")
    opened.expect("/join/fli_nowhere")
    page.get_by_label("Code of an invitation").fill(f"{house.url}/join#fli_nowhere")
    page.get_by_role("button", name="Look at it").click()
    assert page.url == f"{house.url}/join/fli_nowhere"


def test_the_rules_are_read_without_javascript(window: Open) -> None:
    page = window(javascript=False).open(PAGES[ROOM.name])
    sentences = [line for line in ruleset_view(ROOM).rules.splitlines() if line.startswith("- ")]
    assert page.locator(".rule").count() == len(sentences)
    page.locator("summary", has_text="Check").first.click()
    page.locator("#options").scroll_into_view_if_needed()
    page.locator("a", has_text="rule 2.3").first.click()
    assert page.url.endswith("#rule-2.3")
    assert page.locator("#odds ~ details").count() >= 4
