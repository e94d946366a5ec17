"""The console's pages: where each is, and what opens more of it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""What axe checks."""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""By how many pixels a page is wider than its window."""
TALLER = "() => document.documentElement.scrollHeight - document.documentElement.clientHeight"
"""By how many pixels a page is taller than its window."""


def settle(page: Page) -> None:
    """Wait until the page has read what it shows."""
    page.wait_for_load_state("load")
    page.wait_for_function(QUIET)


def menu_button(page: Page) -> Locator:
    """Return the button of the menu: on a phone, the table has it at the bottom, as "More"."""
    return page.get_by_role("button", name=re.compile("^(Menu|More)$"))


def open_menu(page: Page) -> None:
    """Open the menu, and what a phone folds away in it."""
    menu_button(page).click()
    fold = page.locator(".menu-more summary")
    if fold.is_visible():
        fold.click()


def unfold(page: Page) -> None:
    """Open everything on the page that is folded."""
    if page.evaluate(UNFOLD):
        settle(page)


UNFOLD = """() => {
    const folded = document.querySelectorAll("details:not([open])");
    for (const each of folded) each.open = true;
    return folded.length;
}"""
QUIET = """() => new Promise(resolve => {
    let timer;
    const later = () => { clearTimeout(timer); timer = setTimeout(() => resolve(true), 300); };
    new PerformanceObserver(later).observe({ entryTypes: ["resource"] });
    new MutationObserver(later).observe(document, { childList: true, subtree: true, characterData: true });
    later();
})"""
"""Nothing was loaded and nothing changed for 300 ms."""
