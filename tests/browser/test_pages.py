"""Every page in a real browser: axe finds nothing, it fits its window, and it shows no secret."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.played_server import SEATED, SECRET, Served
from tests.browser.session_page import WIDER, ready
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = pytest.mark.long

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPENED = 4  # the tables of numbers are all alike, and slow to judge
SMALL = """() => [...document.querySelectorAll("a, button, input, select, summary")].filter(each => {
    const box = (each.closest(".tick") ?? each).getBoundingClientRect();
    const aside = each.classList.contains("skip") || (each.closest("p, dd, td") && each.matches("a:not(.button)"));
    return !aside && each.checkVisibility() && (box.height < 44 || box.width < 44);
}).map(each => each.outerHTML)"""
PAGES = (
    "home", "new", "ruleset", "status", "session", "past", "people", "branches", "print", "verify",
    "stats", "pending", "enter", "join", "closed", "unknown", "malformed", "refused", *SEATED,
)  # fmt: skip


MOST_USED = "session", "join"


def pages_and_looks() -> Iterator[tuple[str, Look]]:
    """Yield the pages that are used most with one look each, in `make long` all pages with all looks."""
    return product(PAGES, LOOKS) if LONG else zip(MOST_USED, cycle(LOOKS))


def opened(
    server: Served, window: Open, name: str, look: Look = LAPTOP, javascript: bool = True
) -> Page:
    """Return the page of that name; the GM opens those in `SEATED`."""
    browser = window(look, javascript)
    if name in SEATED:
        page = browser.open(f"/s/{server.session}/enter")
        page.get_by_label("Token of your seat").fill(server.tokens["gm"])
        page.get_by_role("button", name="Enter", exact=True).click()
        page.wait_for_url(f"{server.url}/s/{server.session}")
    return browser.open(*server.pages()[name])


@pytest.mark.smoke
@pytest.mark.parametrize(("name", "look"), list(pages_and_looks()), ids=str)
def test_axe_finds_nothing_and_it_fits(server: Served, window: Open, name: str, look: Look) -> None:
    page = opened(server, window, name, look)
    for details in page.locator("details").all()[:OPENED]:
        details.evaluate("each => { each.open = true }")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0
    if look.width <= PHONE.width:
        assert page.evaluate(SMALL) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert page.evaluate(WIDER) == 0


@pytest.mark.parametrize("name", ["home", "session", "branches", "print", "stats", "join"])
def test_it_is_readable_without_javascript(server: Served, window: Open, name: str) -> None:
    page = opened(server, window, name, javascript=False)
    assert len(page.locator("main").inner_text()) > 100


@pytest.mark.parametrize("name", [name for name in PAGES if name not in SEATED])
def test_the_public_sees_no_secret_on_the_page(server: Served, window: Open, name: str) -> None:
    page = opened(server, window, name)
    assert SECRET not in page.content()
    assert not any(token in page.content() for token in server.tokens.values())


def test_a_secret_is_in_no_response_that_the_browser_receives(server: Served, window: Open) -> None:
    received: list[str] = []
    page = window().open(f"/s/{server.session}")
    page.on("response", lambda response: received.append(response.url))
    page.reload()
    ready(page)
    page.wait_for_function("() => document.querySelector('.density path') !== null")
    assert any("/feed/" in each for each in received)
    for address in {each for each in received if "/stream" not in each}:
        assert SECRET not in page.request.get(address).text()
