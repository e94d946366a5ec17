"""Who sits at the table: inviting, naming, going and coming, the GM's role; what each may, and why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from tests.browser.sitting import Browsed, gives, giving
from tests.browser.test_join import Open, invited, windows
from tests.browser.test_pages import RULES, SMALL
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.client.tables import served
from tests.support.scale import LONG

pytestmark = pytest.mark.long

__all__ = ["windows"]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("people")) as at:
        yield at


@pytest.fixture
def table(url: str, tmp_path: Path) -> Iterator[Browsed]:
    with closing(Browsed(url, tmp_path)) as laid:
        yield laid


def people(
    table: Browsed, windows: Open, token: str, look: Look = LAPTOP, javascript: bool = True
) -> Page:
    """The page, as the seat of the token sees it."""
    opened = windows(look, javascript)
    page = opened.open(f"{table.page}/enter")
    page.get_by_label("Token of your seat").fill(token)
    page.get_by_role("button", name="Enter", exact=True).click()
    page.wait_for_url(f"{opened.url}{table.page}")
    return opened.open(f"{table.page}/people")


def of_gm(table: Browsed, windows: Open, look: Look = LAPTOP, javascript: bool = True) -> Page:
    """The GM's, whose key is in the Python client's file."""
    return people(table, windows, table.gm.kept.token, look, javascript)


def card(page: Page, seat: str) -> Locator:
    return page.locator(f"#seat-{seat}")


@pytest.mark.parametrize("javascript", [True, False] if LONG else [True])
def test_the_gm_invites_and_withdraws(table: Browsed, windows: Open, javascript: bool) -> None:
    page = of_gm(table, windows, javascript=javascript)
    page.get_by_label("spectator: looks on").check()
    page.get_by_label("Seat", exact=True).fill("vesna")
    page.get_by_label("Good for, in hours").fill("2")
    page.get_by_role("button", name="Make the invitation").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert re.fullmatch(rf"{table.url}/join/fli_[\w-]+", link)
    assert page.locator("#big").inner_text() == link.rpartition("/")[2]
    if javascript:
        page.get_by_role("button", name="Copy the link").click()
        page.get_by_text(re.compile(r"Copied\.|Copy it by hand")).wait_for()
    guest = windows().open(link.removeprefix(table.url))
    assert "spectator" in guest.locator("main").inner_text()
    page.goto(f"{table.page}/people")
    assert "fli_" not in page.content()  # it is shown once
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("heading", name="Open invitations").wait_for(state="detached")
    opened = windows()
    opened.open(link.removeprefix(table.url), 404)


def test_what_is_wrong_is_said_in_its_form(table: Browsed, windows: Open) -> None:
    page = of_gm(table, windows, javascript=False)
    with page.expect_response(f"**{table.page}/people") as answer:
        page.get_by_label("Good for, in hours").evaluate(
            "each => { each.type = 'text'; each.value = 'soon' }"
        )
        page.get_by_role("button", name="Make the invitation").click()
    assert answer.value.status == 422
    assert "hours" in page.locator("form[data-does=invite] [role=alert]").inner_text()
    forgive(windows)


def forgive(windows: Open) -> None:
    """The answer that is a no was meant to be one."""
    for window in windows.opened:  # type: ignore[attr-defined]
        window.faults.clear()


def test_everybody_names_themselves_and_the_gm_anybody(table: Browsed, windows: Open) -> None:
    ana = table.sit(windows(), "p1", "Ana")
    ana.goto(f"{table.page}/people")
    card(ana, "p1").get_by_label("Name").fill("Ana of the Mint")
    card(ana, "p1").get_by_role("button", name="Rename").click()
    ana.get_by_role("heading", name="Ana of the Mint").wait_for()
    assert card(ana, "gm").get_by_role("button").count() == 0
    assert ana.get_by_text("is for the GM").is_visible()
    page = of_gm(table, windows)
    card(page, "p1").get_by_label("Name").fill("Ana")
    card(page, "p1").get_by_role("button", name="Rename").click()
    page.get_by_role("heading", name="Ana", exact=True).wait_for()
    assert table.seat("p1")["name"] == "Ana"


def test_a_seat_with_a_key_goes_away_and_comes_back(table: Browsed, windows: Open) -> None:
    ana = table.sit(windows(), "p1")
    gives(ana)
    ana.goto(f"{table.page}/people")
    gives(ana)
    card(ana, "p1").get_by_role("button", name="Step away").click()
    ana.locator('#links [data-state="away"]').wait_for()
    assert table.seat("p1")["away"] is True
    ana.goto(table.page)
    ana.locator('#links [data-state="away"]').wait_for()  # it stays away
    ana.goto(f"{table.page}/people")
    card(ana, "p1").get_by_role("button", name="Take part again").click()
    gives(ana)
    assert not table.seat("p1").get("away")
    table.bring_by(ana)
    with giving(table.gm):
        assert table.ended(table.ask_by(ana))["status"] == "drawn"


def test_a_button_says_why_it_cannot_be_pressed(table: Browsed, windows: Open) -> None:
    gives(table.sit(windows(), "p1"))
    page = of_gm(table, windows, javascript=False)
    for seat, name, why in (
        ("p1", "Take the seat from them", "no draw was given up for it"),
        ("p1", "Say it is away", "only it can say"),
        ("gm", "Give the seat back", "Hand the GM's role"),
        ("gm", "Step away", "needs JavaScript"),
    ):
        button = card(page, seat).get_by_role("button", name=name)
        assert button.is_disabled()
        assert why in page.locator(f"#{button.get_attribute('aria-describedby')}").inner_text()


@pytest.mark.parametrize("javascript", [True, False] if LONG else [False])
def test_the_gm_takes_a_seat_without_a_key_and_hands_the_role_over(
    table: Browsed, windows: Open, javascript: bool
) -> None:
    for seat in ("p1", "p2"):
        opened = windows(javascript=False)
        opened.open(f"/join/{invited(table, seat=seat)}").get_by_role(
            "button", name="Take the seat"
        ).click()
        opened.page.wait_for_url(re.compile("/s/"))
    page = of_gm(table, windows, javascript=javascript)
    card(page, "p1").get_by_role("button", name="Say it is away").click()
    card(page, "p1").get_by_text("away", exact=True).wait_for()
    card(page, "p1").get_by_role("button", name="Take the seat from them").click()
    card(page, "p1").get_by_text("free again").wait_for()
    assert table.seat("p1")["present"] is False
    page.get_by_label("To", exact=True).select_option("p2")
    page.get_by_role("button", name="Hand over").click()
    page.get_by_text("is for the GM").wait_for()
    assert (table.seat("p2")["role"], table.seat("gm")["role"]) == ("gm", "player")


def test_who_has_no_seat_is_told_how_to_get_one(table: Browsed, windows: Open) -> None:
    opened = windows()
    page = opened.open(f"{table.page}/people", 401)
    assert page.get_by_label("Token of your seat").is_visible()


@pytest.mark.parametrize("look", LOOKS if LONG else (LAPTOP, PHONE), ids=str)
def test_axe_finds_nothing(table: Browsed, windows: Open, look: Look) -> None:
    gives(table.sit(windows(look), "p1"))
    page = of_gm(table, windows, look)
    page.get_by_role("button", name="Make the invitation").click()
    page.get_by_label("Link", exact=True).wait_for()
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true }")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(SMALL) == []
