"""The first page: what Fairlog is, the games, and the sessions of this browser and of everyone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER
from tests.browser.test_join import links, sit_down, start
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]


@pytest.mark.smoke
@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_a_stranger_sees_what_it_is_and_where_to_begin(windows: Open, look: Look) -> None:
    page = windows(look).open("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Roll together. No one can cheat, and nothing is lost."
    )
    expect(page.locator(".game")).to_have_count(6)
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate(WIDER) == 0
    for width in (320, look.width):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(WIDER) == 0
    page.get_by_role("link", name="Pentola").click()
    expect(page.get_by_role("radio", name="Pentola")).to_be_checked()
    expect(page.get_by_role("main")).not_to_contain_text("RULES")


@pytest.mark.parametrize("look", LOOKS if LONG else (LAPTOP,), ids=str)
@pytest.mark.parametrize("path", ["/start", "/games", "/join"])
def test_axe_finds_nothing(windows: Open, path: str, look: Look) -> None:
    page = windows(look).open(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    page.wait_for_load_state("networkidle")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0


def test_a_game_is_shown_without_its_example(windows: Open) -> None:
    window = windows(LAPTOP)
    window.expect("/v1/rulesets/pentola/odds")
    window.page.route("**/pentola/odds", lambda route: route.fulfill(status=503, json={}))
    page = window.open("/games")
    expect(page.locator(".sample .roll")).to_have_count(5)
    expect(page.locator(".sample .being")).to_have_count(5)
    expect(page.locator(".sample .boards")).to_have_count(5)
    expect(page.locator(".game-row")).to_have_count(6)


def test_no_option_quotes_the_rulebook(windows: Open) -> None:
    page = windows(LAPTOP).open("/start")
    page.locator("summary", has_text="House rules").click()
    for game in page.locator(".choose-game label").all():
        game.click()
        expect(page.get_by_role("group", name="Rules of")).to_contain_text(
            game.locator("b").inner_text()
        )
        assert "RULES" not in page.get_by_role("main").inner_text()


def test_visited_sessions_are_listed_and_can_be_removed(windows: Open) -> None:
    window = windows(LAPTOP)
    gm = start(window)
    sit_down(windows(LAPTOP), links(gm)[0], "Pia", "Gold")
    page = window.open("/")
    row = page.locator(".rows .row", has_text="The salt mine")
    expect(row).to_contain_text("Dhextiny")
    expect(row).to_contain_text("Live")
    expect(row.locator(".face")).to_have_text(["G", "P"])
    row.get_by_role("link", name="Continue").click()
    expect(page.locator(".live")).to_have_text("Live")
    page = window.open("/")
    page.get_by_role("button", name="Remove some").click()
    page.get_by_role("button", name="Remove The salt mine from this list").click()
    expect(page.get_by_text("The salt mine")).to_have_count(0)


def test_a_chosen_file_is_checked(windows: Open) -> None:
    page = windows(LAPTOP).open("/")
    file = {"name": "x.roll", "mimeType": "application/json", "buffer": b"{}"}
    page.get_by_label("Drop a .fairlog or .roll file").set_input_files(file)
    expect(page.get_by_role("dialog")).to_contain_text("x.roll")
