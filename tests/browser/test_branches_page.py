"""The pages of the branches and of the chronicle: both are read, and used, without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import sound
from tests.browser.conftest import Open
from tests.browser.served import SECRET, Served
from tests.browser.windows import Look

pytestmark = pytest.mark.long

PAGES = {"branches": "/branches?from=20&to=60", "print": "/print"}


def entered(house: Served, window: Open, path: str, *, javascript: bool = False) -> Page:
    opened = window(javascript=javascript)
    page = opened.open(f"/s/{house.session}/enter")
    page.get_by_label("Token of your seat").fill(house.tokens["gm"])
    page.get_by_role("button", name="Enter").click()
    page.wait_for_load_state()
    return opened.open(f"/s/{house.session}{path}")


@pytest.mark.parametrize(("name", "look"), list(sound.looks(tuple(PAGES))), ids=str)
def test_it_is_sound(house: Served, window: Open, name: str, look: Look) -> None:
    page = window(look).open(f"/s/{house.session}{PAGES[name]}")
    assert SECRET not in page.content()
    sound.check(page, look)


def test_the_branches_are_a_picture_and_the_same_in_words(house: Served, window: Open) -> None:
    page = window(javascript=False).open(f"/s/{house.session}/branches")
    rewinds = page.locator(".branches li")
    assert rewinds.count() >= 1
    assert page.locator("svg.lanes .rewind").count() == rewinds.count()
    assert page.locator("svg.lanes title").text_content()
    rewinds.first.get_by_role("link").nth(1).click()
    expect(page.locator("#where")).to_contain_text("Version ")
    assert "?at=" in page.url


def test_two_versions_are_compared_without_javascript(house: Served, window: Open) -> None:
    page = window(javascript=False).open(f"/s/{house.session}/branches")
    page.get_by_label("From version").first.fill("20")
    page.get_by_label("To version").fill("60")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="The table at 20 and at 60")).to_be_visible()
    assert page.locator(".changes li").count() >= 1
    page.get_by_role("link", name="Compare its end with now").first.click()
    assert page.locator(".changes li").count() >= 1


def test_the_gm_forks_without_javascript(house: Served, window: Open) -> None:
    page = entered(house, window, "/branches")
    page.locator("#fork-version").fill("13")
    page.locator("#fork-title").fill("What if")
    page.get_by_role("button", name="Fork the evening").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What if")
    assert house.session not in page.url
    expect(page.get_by_text("(GM) sees it")).to_be_visible()


def test_the_chronicle_is_read_and_printed_without_javascript(house: Served, window: Open) -> None:
    page = entered(house, window, "/print")
    numbers = [int(each) for each in page.locator(".turn .number").all_inner_texts()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert page.locator(".turn s").count() >= 1
    assert page.locator(".turn b", has_text="rewind").count() >= 1
    assert SECRET in page.content()
    page.emulate_media(media="print")
    assert not page.locator(".among").is_visible()
    assert (
        page.locator(".turn").first.evaluate("each => getComputedStyle(each).breakInside")
        == "avoid"
    )
    assert page.locator(".turn").first.is_visible()


def test_whoever_has_no_seat_sees_no_secret_in_the_chronicle(house: Served, window: Open) -> None:
    page = window(javascript=False).open(f"/s/{house.session}/print")
    expect(page.get_by_text("Sealed: not for your eyes yet.").first).to_be_visible()
    assert SECRET not in page.content()
