"""Starting a session, sitting down, creating a character and coming back, in a real browser."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from service.client.api import ApiConnection
from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER
from tests.browser.windows import LAPTOP, PHONE, Look, Window

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]

GAMES = ("dhextiny", "pentola", "deckahedron", "kingdoms", "fansys", "open")


def start(window: Window, game: str = "dhextiny", *ticks: str, **choices: str) -> Page:
    """Start a session as Gwen with the options of these labels, and leave its welcome open."""
    page = window.open(f"/start?game={game}")
    page.get_by_label("Title of the session").fill("The salt mine")
    page.get_by_label("Your name").fill("Gwen")
    for label in (*ticks, *choices):  # the game's own options come with its rules
        page.get_by_label(label).wait_for(state="attached")
    for fold in page.locator("form summary").all():
        fold.click()
    for label in ticks:
        page.get_by_label(label).check()
    for label, value in choices.items():
        page.get_by_label(label).select_option(value)
    page.get_by_role("button", name="Start the session").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your session is open")
    return page


def links(page: Page) -> list[str]:
    """Return the paths of the links that a dialog shows, also those that are folded."""
    closed = page.get_by_role("dialog").locator("details:not([open]) > summary")
    if closed.count():
        closed.click()
    found = page.get_by_role("dialog").locator("code")
    expect(found.first).to_be_visible()
    expect(found).to_have_count(2 if "is open" in page.get_by_role("dialog").inner_text() else 1)
    return [re.sub("^http://[^/]+", "", text) for text in found.all_inner_texts()]


def sit_down(window: Window, path: str, name: str, colour: str = "") -> Page:
    page = window.open(path)
    page.get_by_label("Your name").fill(name)
    if colour:
        page.get_by_label(colour, exact=True).check()
    page.get_by_role("button", name="Sit down").click()
    return page


def create(page: Page) -> None:
    """Create the character, without what completes it, and look at the table."""
    page.get_by_role("button", name="Create it and go on").click()
    page.get_by_role("link", name="To the table").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your personal link")


def check(page: Page) -> None:
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate(WIDER) == 0


@pytest.mark.smoke
def test_friends_start_and_join_without_an_id(windows: Open) -> None:
    gm = start(windows(LAPTOP))
    invitation, personal = links(gm)
    gm.get_by_role("button", name="To the table").click()
    pia = sit_down(windows(PHONE), invitation, "Pia", "Gold")
    expect(pia.get_by_role("heading", name="Welcome to the table, Pia")).to_be_visible()
    pia.get_by_label("Character's name").fill("Pia Lamplight")
    create(pia)
    expect(gm.locator(".party")).to_contain_text("Pia Lamplight")
    expect(gm.locator(".party .face.c-2").first).to_be_visible()
    again = windows(LAPTOP).open(personal)
    expect(again.locator(".live")).to_have_text("Live")
    assert "flt_" not in again.url


@pytest.mark.parametrize("game", GAMES)
def test_a_character_of_each_game_is_created_by_its_name(windows: Open, game: str) -> None:
    gm = start(windows(LAPTOP), game)
    page = sit_down(windows(PHONE), links(gm)[0], "Pia")
    page.get_by_label("Character's name").fill("Pia of the Lamps")
    check(page)
    while page.get_by_role("button", name="Next").count():
        page.get_by_role("button", name="Next").click()
    check(page)
    page.get_by_role("button", name="Create it and go on").click()
    expect(page.locator(".act").first).to_be_visible()
    check(page)
    page.get_by_role("link", name="To the table").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your personal link")
    gm.get_by_role("button", name="To the table").click()
    expect(gm.locator(".party")).to_contain_text("Pia of the Lamps")


def test_a_character_is_taken_over_from_the_last_session(windows: Open) -> None:
    window = windows(LAPTOP)
    for nth in range(2):
        gm = start(windows(LAPTOP), "fansys")
        page = sit_down(window, links(gm)[0], "Pia")
        if nth:
            page.get_by_role("button", name="Take over Pia the Small from last time").click()
            expect(page.get_by_label("Character's name")).to_have_value("Pia the Small")
        else:
            page.get_by_label("Character's name").fill("Pia the Small")
            page.locator("summary", has_text="More about").click()
            page.get_by_label("People").fill("halfling")
        page.get_by_role("button", name="Next").click()
        if nth:
            expect(page.get_by_label("Strength")).to_have_value("7")
        else:
            page.get_by_label("Strength").fill("7")
        create(page)


@pytest.mark.parametrize("look", [LAPTOP, PHONE], ids=str)
def test_axe_finds_nothing_on_the_way_in(windows: Open, look: Look) -> None:
    gm = start(windows(look))
    check(gm)
    page = windows(look).open(links(gm)[0])
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    check(page)
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0


def test_a_name_that_someone_has_is_not_taken_twice(windows: Open) -> None:
    gm = start(windows(LAPTOP))
    page = windows(PHONE).open(links(gm)[0])
    page.get_by_label("Your name").fill("gwen")
    expect(page.locator(".refusal").first).to_contain_text("gwen is taken here")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose another name")
    page.get_by_label("Your name").fill("Pia")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_label("Character's name")).to_have_value("")


def test_a_foreign_link_is_named(windows: Open) -> None:
    page = windows(LAPTOP).open("/join")
    page.get_by_label("Invitation link").fill("https://example.com/party")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a Fairlog link.")


def test_a_used_invitation_says_what_to_do(windows: Open) -> None:
    window = windows(LAPTOP)
    window.expect("/v1/invitations/fli_unknown")
    page = window.open("/join")
    page.get_by_label("Invitation link").fill("https://fairlog.example/join/fli_unknown")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This invitation no longer works")
    expect(page.get_by_role("main")).to_contain_text("ask your GM for a new invitation")
    check(page)


def test_a_seat_is_taken_over_by_its_own_invitation(windows: Open, url: str) -> None:
    gm = start(windows(LAPTOP))
    invitation, personal = links(gm)
    pia = sit_down(windows(LAPTOP), invitation, "Pia", "Teal")
    expect(pia.get_by_label("Character's name")).to_be_visible()
    session, token = re.findall(r"/s/(\w+)/seat#(\S+)", personal)[0]
    api = ApiConnection(url, token)
    body = {"role": "player", "seat": "player-1"}
    code = api.post(f"/v1/sessions/{session}/invitations", body).json["code"]
    api.close()
    phone = windows(PHONE).open(f"/join/{code}")
    expect(phone.get_by_role("main")).to_contain_text("Pia sits here.")
    expect(phone.get_by_label("Your name")).to_have_value("Pia")
    expect(phone.get_by_label("Teal", exact=True)).to_be_checked()
    phone.get_by_role("button", name="Sit down").click()
    expect(phone.get_by_role("dialog")).to_contain_text("Welcome to the table, Pia")


def test_a_new_personal_link_ends_the_old_one(windows: Open) -> None:
    window = windows(LAPTOP)
    gm = start(window)
    _, old = links(gm)
    dialog = gm.get_by_role("dialog")
    dialog.get_by_role("button", name="Make a new link").click()
    dialog.get_by_role("button", name="Make a new link").click()
    expect(dialog).to_contain_text("This is your new link.")
    _, new = links(gm)
    assert new != old
    gm.reload()
    expect(gm.locator(".live")).to_have_text("Live")
    other = windows(LAPTOP)
    other.expect(re.sub("/seat#.*", "/sign-in", old))
    page = other.open(old)
    expect(page.get_by_role("alert")).to_contain_text("token")
    page.get_by_label("Your personal link").fill(new)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".live")).to_have_text("Live")


def test_browsers_roll_together_after_start_and_join(windows: Open) -> None:
    gm = start(windows(LAPTOP), "dhextiny", "All browsers together")
    invitation, _ = links(gm)
    gm.get_by_role("button", name="To the table").click()
    pia = sit_down(windows(LAPTOP), invitation, "Pia")
    pia.get_by_label("Character's name").fill("Pia")
    create(pia)
    pia.get_by_role("button", name="To the table").click()
    pia.get_by_role("button", name="Check", exact=False).first.click()
    expect(pia.locator(".roll .die").first).to_be_visible()


def test_a_new_character_rolls_and_names_its_abilities(windows: Open) -> None:
    gm = start(windows(LAPTOP))
    window = windows(PHONE)
    page = sit_down(window, links(gm)[0], "Pia")
    page.get_by_label("Character's name").fill("Pia")
    page.get_by_role("button", name="Create it and go on").click()
    page.get_by_role("button", name=re.compile("^Roll.* abilities")).first.click()
    rolled = page.locator(".rolled")
    expect(rolled).to_contain_text(re.compile(r"[3-8] abilities.*everybody gets 2 more"))
    expect(rolled.locator(".proof")).to_be_visible()
    number = int(rolled.locator(".die").inner_text()) + 2
    fields = page.get_by_role("textbox", name="Ability")
    expect(fields).to_have_count(number)
    [session] = re.findall(r"/s/(\w+)/", page.url)
    window.expect(f"/v1/sessions/{session}/commands")  # one name is refused
    page.get_by_role("button", name="climbing").click()
    expect(fields.nth(0)).to_have_value("climbing")
    fields.nth(1).fill("Climbing")
    page.get_by_role("button", name="old songs").click()
    expect(fields.nth(2)).to_have_value("old songs")
    check(page)
    page.get_by_role("button", name="To the table").click()
    expect(fields.nth(1)).to_be_focused()
    expect(fields.nth(1)).to_have_accessible_description(re.compile("^Ability: .*already"))
    expect(fields.nth(0)).not_to_be_editable()
    expect(fields.nth(2)).not_to_be_editable()
    expect(page.locator(".preview")).to_contain_text("old songs")
    check(page)
    fields.nth(1).fill("lanterns")
    page.get_by_role("button", name="To the table").click()
    expect(page.get_by_role("dialog")).to_contain_text("Your personal link")
    page.get_by_role("button", name="To the table").click()
    expect(page.locator(".party")).to_contain_text("lanterns")
