"""The campaign page: who may see it, its evenings and luck, its members, and the next session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER
from tests.browser.played_campaign import TITLE, PlayedCampaign, played_campaign
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look, Window
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedCampaign]:
    with played_campaign(tmp_path_factory.mktemp("campaign")) as played:
        yield played


@pytest.fixture
def open_page(browser: Browser, campaign: PlayedCampaign) -> Iterator[Open]:
    opened: list[Window] = []

    def open_(look: Look = LAPTOP) -> Window:
        opened.append(Window(browser, campaign.url, look))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
    assert [fault for each in opened for fault in each.faults] == []


def page_of(open_page: Open, campaign: PlayedCampaign, person: str, look: Look = LAPTOP) -> Page:
    """Open the campaign by a personal link."""
    link = f"/c/{campaign.campaign}#{campaign.tokens[person]}"
    page: Page = open_page(look).open(link)
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    return page


@pytest.mark.smoke
def test_a_personal_link_shows_the_evenings_and_the_luck(
    open_page: Open, campaign: PlayedCampaign
) -> None:
    page = page_of(open_page, campaign, "ana")
    assert campaign.tokens["ana"] not in page.url
    expect(page.locator(".lead").first).to_contain_text(f"{len(campaign.sessions)} evenings")
    expect(page.locator(".eve")).to_have_count(len(campaign.sessions))
    expect(page.locator(".eve").first).to_contain_text("Dhextiny")
    expect(page.locator(".luck-row", has_text="Ana")).to_be_visible()
    expect(page.locator(".members li")).to_have_count(3)
    assert not page.get_by_role("button", name="Next session").count()
    page.reload()
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()


def test_others_see_nothing_of_it(open_page: Open, campaign: PlayedCampaign) -> None:
    window = open_page()
    page = window.open(f"/c/{campaign.campaign}")
    expect(page.get_by_role("heading", name="Only members see this campaign")).to_be_visible()
    assert TITLE not in page.content()
    window.expect(f"/c/{campaign.campaign}/sign-in")
    page.get_by_label("Your personal link").fill("flc_nothing")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("ask the person who runs the campaign")


def test_a_member_sits_down_in_the_open_session(open_page: Open, campaign: PlayedCampaign) -> None:
    page = page_of(open_page, campaign, "ben")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"**/s/{campaign.sessions[-1]}")
    expect(page.locator(".live")).to_have_text("Live")
    page.go_back()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"**/s/{campaign.sessions[-1]}")


def test_the_gm_adds_a_member_whose_link_works(open_page: Open, campaign: PlayedCampaign) -> None:
    page = page_of(open_page, campaign, "mo")
    page.get_by_role("button", name="Add a member").click()
    page.get_by_label("Name").fill("Cleo")
    page.get_by_role("button", name="Add, and show the link").click()
    link = page.get_by_role("dialog").locator("code").inner_text()
    expect(page.get_by_role("dialog")).to_contain_text("Send this link to Cleo only.")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    other = open_page(PHONE).open(link.removeprefix(campaign.url))
    expect(other.get_by_role("heading", name=TITLE)).to_be_visible()
    other.close()  # it would still ask for figures that are being computed
    page.get_by_role("button", name="Change Cleo").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("dialog").last).to_contain_text("stops working")
    page.get_by_role("button", name="Remove Cleo").click()
    expect(page.locator(".members li", has_text="Cleo")).to_have_count(0)


def test_the_next_session_begins_where_the_last_one_stopped(
    open_page: Open, campaign: PlayedCampaign
) -> None:
    page = page_of(open_page, campaign, "mo")
    page.get_by_role("button", name="Next session").click()
    page.get_by_label("Title").fill("The vault")
    page.get_by_role("button", name="Open it").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".party")).to_contain_text("Ana")
    expect(page.get_by_role("heading", name="The vault")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_axe_finds_nothing_and_it_fits(
    open_page: Open, campaign: PlayedCampaign, look: Look
) -> None:
    page = page_of(open_page, campaign, "mo", look)
    for name in ("", "Next session", "Add a member", "Change Ana"):
        if name:
            page.get_by_role("button", name=name).click()
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate(WIDER) == 0
        if name:
            page.keyboard.press("Escape")
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0
