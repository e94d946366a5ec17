"""The header's menu and the people of a session: invite, rename, remove, hand over, leave, and come back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER, menu_button, open_menu
from tests.browser.test_table import SECRET, Evening
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]


@pytest.fixture
def evening(url: str) -> Evening:
    return Evening(url)


def arrive(windows: Open, evening: Evening, seat: str) -> Page:
    """Open the table by the seat's personal link, as people do."""
    page = windows(LAPTOP).open(f"/s/{evening.session}/seat#{evening.tokens[seat]}")
    page.wait_for_url(f"**/s/{evening.session}")
    expect(page.locator(".live")).to_have_text("Live")
    return page


def sheet(page: Page, name: str) -> Locator:
    """Open a sheet by the menu, and return it."""
    open_menu(page)
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
    return page.get_by_role("dialog").last


def person(page: Page, name: str) -> Locator:
    """Open the people, and what may be done to one of them."""
    found = sheet(page, "People").locator(".person", has_text=name)
    found.locator("summary").click()
    return found


def press(within: Locator | Page, name: str) -> None:
    within.get_by_role("button", name=name, exact=True).click()


@pytest.mark.smoke
def test_the_gm_invites_and_sees_who_comes(windows: Open, evening: Evening) -> None:
    page = evening.page(windows, "gm")
    press(page, "Invite")
    link = page.get_by_role("dialog").locator("code").inner_text()
    assert link.startswith(f"{evening.url}/join/fli_")
    evening.send("", "/v1/seats", {"code": link.rpartition("/")[2], "name": "Cleo"})
    press(page.get_by_role("dialog"), "Close")
    expect(page.locator(".faces .face")).to_have_count(4)
    expect(sheet(page, "People").locator(".person", has_text="Cleo")).to_contain_text("Player")


@pytest.mark.smoke
def test_signing_out_shows_the_way_back_first(windows: Open, evening: Evening) -> None:
    page = arrive(windows, evening, "gm")
    menu_button(page).click()
    expect(page.get_by_role("button", name="Leave the seat")).to_have_count(0)
    press(page.get_by_role("dialog"), "Sign out of this browser…")
    asked = page.get_by_role("dialog")
    link = asked.locator("code").inner_text()
    expect(asked.get_by_role("button", name="Sign out", exact=True)).to_be_disabled()
    asked.get_by_label("I have saved my personal link").check()
    press(asked, "Sign out")
    page.wait_for_url("**/")
    page.goto(link)
    page.wait_for_url(f"**/s/{evening.session}")
    expect(page.get_by_role("button", name="Invite", exact=True)).to_be_visible()


def test_who_leaves_is_told_what_it_means_and_comes_back_with_a_new_link(
    windows: Open, evening: Evening
) -> None:
    ana = arrive(windows, evening, "p1")
    asked = sheet(ana, "Leave the seat…")
    expect(asked).to_contain_text("ask the GM for a new link")
    press(asked, "Stay")
    press(sheet(ana, "Leave the seat…"), "Leave the seat")
    ana.wait_for_url("**/")
    gm = evening.page(windows, "gm")
    row = person(gm, "P1")
    expect(row).to_contain_text("has left")
    press(row, "Invite back")
    link = gm.get_by_role("dialog").last.locator("code").inner_text()
    offer = {"code": link.rpartition("/")[2], "name": "P1"}
    assert evening.send("", "/v1/seats", offer)["seat"] == "p1"


def test_a_player_is_removed_only_after_a_question(windows: Open, evening: Evening) -> None:
    gm = evening.page(windows, "gm")
    press(person(gm, "P2"), "Remove")
    asked = gm.get_by_role("dialog").last
    expect(asked).to_contain_text("Invite back")
    press(asked, "Cancel")
    row = gm.locator(".person", has_text="P2")
    expect(row).to_contain_text("Player")
    press(row, "Remove")
    ben = arrive(windows, evening, "p2")
    ben.wait_for_timeout(1000)  # what the page reads at first has been answered
    press(gm.get_by_role("dialog").last, "Remove P2")
    expect(row).to_contain_text("has left")
    expect(ben.locator(".banner")).to_contain_text("You are signed out of this seat")


def test_a_lost_seat_gets_a_new_link_and_old_devices_are_signed_out(
    windows: Open, evening: Evening
) -> None:
    gm = evening.page(windows, "gm")
    press(person(gm, "P1"), "New link")
    link = gm.get_by_role("dialog").last.locator("code").inner_text()
    made = evening.send("", "/v1/seats", {"code": link.rpartition("/")[2]})
    assert (made["seat"], made["token"] == evening.tokens["p1"]) == ("p1", False)
    window = windows(LAPTOP)
    cookie = {"name": "fairlog-seat", "value": evening.tokens["p1"], "url": evening.url}
    window.page.context.add_cookies([cookie])
    window.open(f"/s/{evening.session}", 401)


def test_the_gm_hands_over_after_a_question(windows: Open, evening: Evening) -> None:
    gm = evening.page(windows, "gm")
    press(person(gm, "P1"), "Make GM")
    asked = gm.get_by_role("dialog").last
    expect(asked).to_contain_text("ask P1 to hand it back")
    press(asked, "Make P1 the GM")
    expect(gm.locator(".person", has_text="P1")).to_contain_text("GM")
    expect(gm.locator(".person", has_text="Gwen")).to_contain_text("Player")


def test_names_and_absence_are_changed(windows: Open, evening: Evening) -> None:
    ana = evening.page(windows, "p1")
    row = person(ana, "P1")
    row.get_by_label("Name of P1").fill("Ana Lyn")
    press(row, "Rename")
    row = ana.locator(".person", has_text="Ana Lyn")
    press(row, "Mark as away")
    expect(row).to_contain_text("away")
    press(row, "Mark as back")
    expect(row).to_contain_text("here")
    expect(ana.locator(".person", has_text="P2").locator("summary")).to_have_count(0)


def test_other_devices_are_signed_out_with_a_new_personal_link(
    windows: Open, evening: Evening
) -> None:
    page = arrive(windows, evening, "gm")
    found = sheet(page, "People")
    found.locator("summary", has_text="Where I am signed in").click()
    press(found, "Sign out all other devices")
    press(page.get_by_role("dialog").last, "Sign them out")
    link = page.get_by_role("dialog").locator("code")
    expect(link).to_be_visible()
    assert evening.tokens["gm"] not in link.inner_text()
    page.reload()
    expect(page.locator(".live")).to_have_text("Live")


def test_links_are_made_for_a_role_and_withdrawn(windows: Open, evening: Evening) -> None:
    page = evening.page(windows, "gm")
    press(page, "Invite")
    found = page.get_by_role("dialog")
    found.locator("summary", has_text="Another kind of link").click()
    found.get_by_label("Auditor").check()
    press(found, "Make this link")
    expect(found).to_contain_text("They see every secret.")
    expect(found.locator("summary", has_text="Links that still work: 2")).to_be_visible()
    code = found.locator("code").inner_text().rpartition("/")[2]
    auditor = evening.send("", "/v1/seats", {"code": code})
    assert auditor["role"] == "auditor"
    found.locator("summary", has_text="Links that still work: 2").click()
    found.get_by_role("button", name="Withdraw the link: Auditor: 1 left").click()
    expect(found.locator("summary", has_text="Links that still work: 1")).to_be_visible()


def test_the_gm_sees_the_table_as_a_player_does(windows: Open, evening: Evening) -> None:
    evening.command("gm", "gm", kind="CreateNpc", entity="ghost", name=SECRET)
    page = evening.page(windows, "gm")
    expect(page.locator(".party")).to_contain_text(SECRET)
    sheet(page, "View as…").get_by_role("link", name="P1").click()
    expect(page.locator(".banner")).to_contain_text("You see the table as P1 sees it.")
    expect(page.locator(".party")).not_to_contain_text(SECRET)
    expect(page.get_by_label("Say something")).to_have_count(0)
    page.get_by_role("link", name="Back to my own view").click()
    expect(page.locator(".party")).to_contain_text(SECRET)


def test_a_session_becomes_part_of_a_campaign(windows: Open, evening: Evening) -> None:
    page = arrive(windows, evening, "gm")
    asked = sheet(page, "Make a campaign of it…")
    asked.get_by_label("Title of the campaign").fill("The long road")
    press(asked, "Make it")
    page.wait_for_url("**/c/*")
    expect(page.get_by_role("heading", name="The long road")).to_be_visible()
    expect(page.locator(".eve")).to_have_count(1)
    press(page, "Sit down")
    page.wait_for_url(f"**/s/{evening.session}")
    menu_button(page).click()
    page.get_by_role("link", name="The campaign: The long road").click()
    expect(page.get_by_role("heading", name="The long road")).to_be_visible()


def test_a_seat_gets_another_colour(windows: Open, evening: Evening) -> None:
    page = evening.page(windows, "p1")
    row = person(page, "P1")
    row.get_by_role("radio", name="Teal").check()
    expect(row.locator("summary .face")).to_have_class(re.compile("c-3"))


def test_a_seat_with_a_key_signs_that_it_is_away_and_that_it_leaves(
    windows: Open, url: str
) -> None:
    body = {"ruleset": "dhextiny", "title": "Together", "name": "Gwen", "draws": "table"}
    together = Evening.__new__(Evening)
    together.url, together.tokens = url, {}
    opened = together.send("", "/v1/sessions", body)
    together.session, together.path = opened["session"], f"/v1/sessions/{opened['session']}"
    together.tokens["gm"] = opened["token"]
    code = together.send("gm", f"{together.path}/invitations", {"role": "player"})["code"]
    taken = together.send("", "/v1/seats", {"code": code, "seat": "p1", "name": "P1"})
    together.tokens["p1"] = taken["token"]
    page = arrive(windows, together, "p1")
    page.wait_for_function(
        "async path => (await (await fetch(path)).json()).seats.p1.chain !== undefined",
        arg=together.path,
    )
    row = person(page, "P1")
    press(row, "Mark as away")
    expect(row).to_contain_text("away")
    press(row, "Mark as back")
    expect(row).to_contain_text("here")
    press(row, "Leave the seat…")
    press(page.get_by_role("dialog"), "Leave the seat")
    page.wait_for_url("**/")


SHEETS: dict[str, Callable[[Page], object]] = {
    "menu": lambda page: menu_button(page).click(),
    "people": lambda page: person(page, "P1"),
    "question": lambda page: press(person(page, "P1"), "Remove"),
    "campaign": lambda page: sheet(page, "Make a campaign of it…"),
    "invite": lambda page: sheet(page, "Invite").locator("summary").first.click(),
    "link": lambda page: sheet(page, "My personal link"),
    "sign out": lambda page: sheet(page, "Sign out of this browser…"),
    "view as": lambda page: sheet(page, "View as…"),
}


@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_axe_finds_nothing_in_any_sheet_and_it_fits(
    windows: Open, evening: Evening, look: Look
) -> None:
    page = evening.page(windows, "gm", look)
    for open_ in SHEETS.values():
        page.reload()
        expect(page.locator(".live")).to_have_text("Live")
        open_(page)
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate(WIDER) == 0
        page.set_viewport_size({"width": 320, "height": 800})
        assert page.evaluate(WIDER) == 0
        page.set_viewport_size({"width": look.width, "height": 844})


def test_a_sheet_is_used_by_keyboard_alone(windows: Open, evening: Evening) -> None:
    page = evening.page(windows, "gm")
    menu_button(page).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(menu_button(page)).to_be_focused()
