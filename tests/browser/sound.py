"""What holds of every page: nothing that axe finds, no wider than its window, targets for fingers, no secret in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, product

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.test_pages import RULES, SMALL
from tests.browser.windows import LOOKS, Look
from tests.support.scale import LONG

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
OPENED = 3  # of the page's details, which are alike


def looks(names: tuple[str, ...]) -> Iterator[tuple[str, Look]]:
    """Each page once, each time another look; in the long run each with all of them."""
    return product(names, LOOKS) if LONG else zip(names, cycle(reversed(LOOKS)))


def check(page: Page, look: Look) -> None:
    """The page as it is shown now."""
    for details in page.locator("details").all()[:OPENED]:
        details.evaluate("each => { each.open = true }")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0
    if look.width < 500:
        assert page.evaluate(SMALL) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert page.evaluate(WIDER) == 0
