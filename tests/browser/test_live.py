"""A session's page follows what happens: within a moment, through a lost connection, and nobody is moved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from playwright.sync_api import Page, expect

from service.client.api import ApiConnection
from tests.browser.conftest import Open
from tests.browser.long_session import Grown, grown
from tests.browser.session_page import ready, shows
from tests.support.scale import scale

pytestmark = pytest.mark.long

SHOWN = 0.250
"""Seconds from a command to what it did on the screen: the budget, gated at four times, for the machine is shared."""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grown]:
    with grown(tmp_path_factory.mktemp("live"), 200) as running:
        yield running


@pytest.fixture
def page(night: Grown, window: Open) -> Page:
    return connected(window(url=night.url).open(night.path()))


def connected(page: Page) -> Page:
    expect(ready(page).locator("#connection")).to_have_text("Connected.")
    return page


def test_a_command_is_shown_at_once(night: Grown, page: Page) -> None:
    took = []
    for nth in range(scale(8, 40)):
        began = perf_counter()
        night.say(f"Step {nth} down the stairs.")
        page.wait_for_function(
            "nth => document.querySelector('#rows .row').textContent.includes(`Step ${nth} down`)",
            arg=nth,
        )
        took.append(perf_counter() - began)
    print(
        f"\ncommand to shown: median {1000 * median(took):.0f} ms, longest {1000 * max(took):.0f} ms"
    )
    assert median(took) < 4 * SHOWN
    shows(page, night.version(), night.version())


def test_the_table_follows(night: Grown, page: Page, window: Open) -> None:
    night.send(
        "commands",
        {"command": {"kind": "dhextiny.CreateCreature", "entity": "owl", "name": "Owl", "lp": 4}},
    )
    expect(page.locator("[data-part='entities/owl'] h3")).to_have_text("Owl")
    expect(page.locator("[data-part='entities/owl'] .change").first).to_have_text("new")
    shows(page, night.version())


def test_a_lost_connection_resumes_without_a_gap(night: Grown, window: Open) -> None:
    opened = window(url=night.url)
    page = connected(opened.open(night.path()))
    before = night.version()
    night.kill()
    expect(page.locator("#connection")).to_contain_text("Reconnecting since")
    night.start()
    for nth in range(3):
        night.say(f"Unheard {nth}.")
    expect(page.locator("#connection")).to_have_text("Connected.", timeout=20_000)
    shows(page, before + 3, before + 3)
    numbers = [int(each) for each in page.locator("#rows .number").all_inner_texts()]
    assert numbers == list(range(before + 3, before + 3 - len(numbers), -1))
    # a browser says of every connection that it could not make so in its console
    opened.faults = [each for each in opened.faults if "net::ERR_" not in each]


def test_a_revoked_token_is_told(tmp_path: Path, window: Open) -> None:
    with grown(tmp_path, 20) as closed:
        page = window(url=closed.url).open(closed.path("/enter"))
        page.get_by_label("Token of your seat").fill(closed.token)
        page.get_by_role("button", name="Enter").click()
        connected(page)
        with closing(ApiConnection(closed.url, closed.token)) as gm:
            gm.delete(f"/v1/sessions/{closed.session}/tokens/current")
        expect(page.locator("#connection")).to_contain_text("token was revoked")
