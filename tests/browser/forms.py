"""How the forms of a session's page are found and sent."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def form(page: Page, act: str) -> Locator:
    """The form of an act, opened."""
    found = page.locator(f'#actions form[data-act="{act}"]').first
    later = found.locator("xpath=ancestor::details[@class='later' and not(@open)]")
    if later.count():
        later.locator("summary").first.click()
    details = found.locator("xpath=..")
    if details.get_attribute("open") is None:
        details.locator("summary").first.click()
    return found


def press(found: Locator) -> None:
    found.locator("button[type=submit]").click()


def tell(page: Page, words: str) -> None:
    """A narration by its form."""
    found = form(page, "narrate")
    found.get_by_label("Words").fill(words)
    press(found)
