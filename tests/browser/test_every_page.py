"""Every page of the console and every state of it: axe finds nothing, and it fits its window.

A new page, sheet or dialog is one line of `STATES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER, open_menu, settle, unfold
from tests.browser.played_server import Served
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

SIZES = {"320 px": (320, 800), "200 % zoom": (640, 400)}
"""A laptop's window of 1280 by 800 has 640 by 400 CSS pixels at 200 %."""


class State(NamedTuple):
    """A page at an address, opened by a seat or by no one, after some buttons were pressed."""

    path: str
    seat: str = ""
    presses: tuple[str, ...] = ()
    status: int = 200


TABLE = "/s/{session}"
STATES = {
    "table for everybody": State(TABLE),
    "table": State(TABLE, "p1"),
    "table of the GM": State(TABLE, "gm"),
    "menu": State(TABLE, "gm", ("Menu",)),
    "people": State(TABLE, "gm", ("Menu", "People")),
    "invite": State(TABLE, "gm", ("Menu", "Invite")),
    "personal link": State(TABLE, "p1", ("Menu", "My personal link")),
    "view as": State(TABLE, "gm", ("Menu", "View as…")),
    "leave": State(TABLE, "p1", ("Menu", "Leave the seat…")),
    "sign out": State(TABLE, "p1", ("Menu", "Sign out of this browser…")),
    "end": State(TABLE, "gm", ("Menu", "End session…")),
    "luck": State("/s/{session}/luck", "p1"),
    "luck while it is computed": State("/s/{fresh}/luck"),
    "sign in": State("/s/{session}/seat"),
    "transcript": State("/s/{session}/transcript"),
    "session of others": State("/s/{hidden}/luck", status=401),
    "unknown address": State("/nowhere", status=404),
}
SMOKE = ("people",)


def states_and_looks() -> Iterator[tuple[str, Look]]:
    return product(STATES, LOOKS) if LONG else product(SMOKE, (PHONE,))


def show(server: Served, window: Open, name: str, look: Look = LAPTOP) -> Page:
    """Open the page, and bring it into the state."""
    state, opened = STATES[name], window(look)
    if state.seat:
        opened.sign_in(server.tokens[state.seat])
    path = state.path.format(session=server.session, fresh=server.fresh, hidden=server.hidden)
    page = opened.open(path, state.status)
    settle(page)
    for label in state.presses:
        if label == "Menu":
            open_menu(page)
        else:
            page.get_by_role("button", name=label, exact=True).last.click()
        settle(page)
    return page


@pytest.mark.smoke
@pytest.mark.parametrize(("name", "look"), list(states_and_looks()), ids=str)
def test_axe_finds_nothing_and_it_fits(server: Served, window: Open, name: str, look: Look) -> None:
    page = show(server, window, name, look)
    panels = page.locator("nav.nav button")
    for nth in range(panels.count() or 1):
        if panels.count() and panels.nth(nth).is_visible() and not page.locator("dialog").count():
            panels.nth(nth).click()
        settle(page)
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate(WIDER) == 0
    unfold(page)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WIDER) == 0, size
