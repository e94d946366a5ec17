"""Playing by keyboard and command line in a real browser, macros, and being told."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER
from tests.browser.test_table import Evening
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look, Window

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]

LINE = "Say something"


class FreeEvening(Evening):
    """A session of Dhextiny with free rolls."""

    def send(self, seat: str, path: str, body: dict[str, Any]) -> Any:
        return super().send(seat, path, body | {"free_rolls": True} if "ruleset" in body else body)

    def page(
        self, windows: Open, seat: str, look: Look = LAPTOP, refused: str | None = None
    ) -> Page:
        """Open the table. The server will refuse what is sent to the path `refused`."""

        def open_(look: Look) -> Window:
            window: Window = windows(look)
            if refused is not None:
                window.expect(self.path + refused)
                window.expect(f"{self.path}/odds")
            return window

        return super().page(open_, seat, look)


@pytest.fixture
def evening(url: str) -> FreeEvening:
    return FreeEvening(url)


def write(page: Page, line: str) -> None:
    page.get_by_label(LINE).fill(line)
    page.keyboard.press("Enter")


def check_until_one_is_open(page: Page) -> None:
    """Make checks until one can be altered: some end at once."""
    for number in range(1, 9):
        write(page, "/check")
        expect(page.locator(".roll")).to_have_count(number)
        page.wait_for_timeout(300)
        if page.locator(".next").count():
            break


def last(page: Page) -> Any:
    return page.locator(".turns > *").last


@pytest.mark.smoke
def test_an_evening_is_played_by_keyboard(windows: Open, evening: FreeEvening) -> None:
    ana, gm = (evening.page(windows, seat) for seat in ("p1", "gm"))
    ana.keyboard.press("/")
    expect(ana.get_by_label(LINE)).to_be_focused()
    ana.keyboard.type("r 2d6+1 for the door")
    expect(ana.locator(".odds-line")).to_have_text("8.0 on average, from 3 to 13")
    ana.keyboard.press("Enter")
    for page in (ana, gm):
        expect(page.locator(".roll").last).to_contain_text("2d6 + 1")
        expect(page.locator(".roll").last).to_contain_text("the door")
    ana.get_by_label(LINE).fill("/che")
    expect(ana.get_by_role("option").first).to_contain_text("/check")
    ana.keyboard.press("ArrowDown")
    expect(ana.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    ana.keyboard.press("Tab")
    expect(ana.get_by_label(LINE)).to_have_value("/check ")
    ana.keyboard.press("Enter")
    expect(gm.locator(".roll").last).to_contain_text("check")
    write(gm, "/undo")
    expect(ana.locator(".turns")).to_contain_text("undone")


def test_a_wrong_line_says_what_to_do_and_stays(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1", refused="/commands")
    write(page, "/dance")
    expect(page.get_by_role("alert")).to_contain_text("There is no command “/dance” right now.")
    expect(page.get_by_label(LINE)).to_have_value("/dance")
    write(page, "/r 2d")
    expect(page.get_by_role("alert")).to_contain_text("The notation 2d is wrong")
    expect(page.get_by_label(LINE)).to_have_value("/r 2d")


def test_a_whisper_reaches_the_gm_alone(windows: Open, evening: FreeEvening) -> None:
    ana, gm, bo = (evening.page(windows, seat) for seat in ("p1", "gm", "p2"))
    write(ana, "/w gm I keep the ring")
    expect(gm.locator(".turns")).to_contain_text("I keep the ring")
    expect(bo.locator(".sealed")).to_be_visible()
    assert "ring" not in bo.locator(".turns").inner_text()
    write(ana, "/me opens the door")
    expect(last(bo)).to_contain_text("Ana opens the door")


def test_a_session_without_free_rolls_says_so(windows: Open, url: str) -> None:
    page = Evening(url).page(windows, "p1")
    write(page, "/r d6")
    expect(page.get_by_role("alert")).to_contain_text("started without free rolls")


def test_a_recent_command_is_sent_again_after_a_reload(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1")
    write(page, "/w gm /r d20 to listen")
    expect(page.locator(".roll")).to_have_count(1)
    page.reload()
    page.get_by_label(LINE).focus()
    page.locator(".recent button").first.click()
    expect(page.locator(".roll")).to_have_count(2)
    expect(page.locator(".roll").last).to_contain_text("secret")


def test_many_recent_commands_do_not_widen_a_phone(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1", PHONE)
    for number in range(4):
        write(page, f"/w gm /r {number + 2}d20 to listen at the door of the chapel")
        expect(last(page)).to_contain_text(f"{number + 2}d20")
    expect(page.locator(".recent button")).to_have_count(4)
    assert page.locator(".recent").evaluate("each => each.scrollWidth > each.clientWidth")
    assert page.evaluate(WIDER) == 0


def test_the_keys_are_listed_and_lead_to_the_parts(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("write a command or say something")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator(".actions :focus")).to_have_count(1)
    page.keyboard.press("p")
    expect(page.locator(".party :focus")).to_have_count(1)


def test_keys_of_one_letter_can_be_off(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1")
    page.evaluate("""localStorage.setItem("fairlog-notices", '{"shortcuts": false}')""")
    page.reload()
    expect(page.locator(".live")).to_have_text("Live")
    page.keyboard.press("?")
    page.keyboard.press("/")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_label(LINE)).not_to_be_focused()


def test_what_concerns_a_seat_is_told(windows: Open, evening: FreeEvening) -> None:
    ana = evening.page(windows, "p1")
    evening.command("gm", kind="Harm", entity="ana", points=1, reason="a rat bites")
    expect(ana.locator(".toast")).to_contain_text("Ana")
    evening.send("gm", f"{evening.path}/rewind", {"to": 14, "reason": "no rat"})
    expect(ana.locator(".toast").last).to_contain_text(re.compile(r"Gwen undid turns? \d+"))
    ana.locator(".toast button").last.click()


def test_the_title_says_whose_turn_it_is(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1")
    assert page.title() == "The salt mine · Fairlog"
    check_until_one_is_open(page)
    expect(page).to_have_title("● Your turn · The salt mine · Fairlog")
    expect(page.locator(".next")).to_contain_text("Check: alter or settle")


class LenientEvening(Evening):
    """A session in which players may take back their last action until it is settled."""

    def send(self, seat: str, path: str, body: dict[str, Any]) -> Any:
        options = {"options": {"take_back": True}} if "ruleset" in body else {}
        return super().send(seat, path, body | options)


def test_a_player_takes_back_a_roll_that_is_not_settled(windows: Open, url: str) -> None:
    evening = LenientEvening(url)
    page, other = evening.page(windows, "p1"), evening.page(windows, "p2", PHONE)
    check_until_one_is_open(page)
    other.locator(".nav").get_by_role("button", name="Act", exact=True).click()
    expect(other.get_by_label("Secret")).to_be_visible()
    expect(other.get_by_role("button", name="Undo the last turn")).to_have_count(0)
    page.get_by_role("button", name="Undo the last turn").click()
    expect(page.locator(".roll.undone")).to_have_count(1)
    expect(page.locator(".next")).to_have_count(0)


def test_a_phone_counts_the_turns_that_its_log_hides(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1", PHONE)
    page.locator(".nav").get_by_role("button", name="Party").click()
    evening.command("p2", kind="Check", entity="ben")
    expect(page.locator(".nav .badge")).to_contain_text("1")
    expect(page.locator(".toast")).to_contain_text("Ben")
    page.locator(".nav").get_by_role("button", name="Log").click()
    expect(page.locator(".nav .badge")).to_have_count(0)


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_suggestions_toasts_and_keys_are_accessible(
    windows: Open, evening: FreeEvening, look: Look
) -> None:
    page = evening.page(windows, "p1", look)
    write(page, "/r d6")
    expect(page.locator(".recent button")).to_have_count(1)
    page.get_by_label(LINE).fill("/")
    expect(page.get_by_role("listbox")).to_be_visible()
    evening.command("gm", kind="Harm", entity="ana", points=1, reason="a rat bites")
    expect(page.locator(".toast")).to_be_visible()
    found = Axe().run(page, options={"runOnly": RULES})
    assert found.violations_count == 0, found.generate_report()
    page.get_by_label(LINE).fill("")
    page.get_by_label(LINE).blur()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert Axe().run(page, options={"runOnly": RULES}).violations_count == 0


def test_nothing_overflows_at_320_pixels(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1", LAPTOP)
    page.set_viewport_size({"width": 320, "height": 640})
    write(page, "/r 2d6+1 for the old and very heavy door")
    expect(page.locator(".recent button")).to_have_count(1)
    page.get_by_label(LINE).fill("/")
    expect(page.get_by_role("listbox")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_page_of_an_older_console_says_so(windows: Open, evening: FreeEvening) -> None:
    page = evening.page(windows, "p1")
    page.evaluate("""dispatchEvent(new Event("vite:preloadError"))""")
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Fairlog was updated. Reload the page.")
    dialog.get_by_role("button", name="Reload").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".live")).to_have_text("Live")


def test_who_looks_at_another_page_is_still_there(windows: Open, evening: FreeEvening) -> None:
    gm, ana = evening.page(windows, "gm"), evening.page(windows, "p1")
    ana.goto(f"/s/{evening.session}/luck")
    expect(ana.get_by_role("heading", level=1)).to_have_text("The salt mine")
    ana.wait_for_timeout(6000)
    there = gm.evaluate(
        "async path => (await (await fetch(path)).json()).seats", f"{evening.path}/connections"
    )
    assert "p1" in there
