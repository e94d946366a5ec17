"""The page of a session: read without JavaScript, drawn alike with it, the same version by every way to it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.grown import FORK, Grown, grown
from tests.browser.looking import go, plain, ready, shows
from tests.browser.served import SECRET, Served, served
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RANDOM = random.Random(7)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grown]:
    with grown(tmp_path_factory.mktemp("night")) as running:
        yield running


def head(page: Page) -> int:
    said = page.locator("#where").inner_text()
    return int(said.split(" of ")[1])


def path(house: Served, query: str = "") -> str:
    return f"/s/{house.session}{query}"


def entered(house: Served, window: Open, seat: str, look: Look = LAPTOP) -> Page:
    page = window(look).open(path(house, "/enter"))
    page.get_by_label("Token of your seat").fill(house.tokens[seat])
    page.get_by_role("button", name="Enter").click()
    page.wait_for_selector("#where")
    return page


@pytest.mark.parametrize(
    "query", ["", "?at=0", "?at=1", "?at=60", "?kind=Drawn", "?text=ana&seat=p1", "?upto=70"]
)
def test_it_is_read_without_javascript(house: Served, window: Open, query: str) -> None:
    page = window(javascript=False).open(path(house, query))
    version = int(page.locator("#where").inner_text().split()[1])
    assert page.locator("#table").inner_text()
    assert page.locator("#event-title").inner_text() == (
        f"Version {version}" if version else "Before the first event"
    )
    assert (
        page.locator("#rows .row").count() == 0
        if version == 0
        else page.locator("#rows .row").count() > 0
    )
    assert page.locator("button[data-does]:visible").all_inner_texts() == []


def test_links_lead_from_version_to_version_without_javascript(house: Served, window: Open) -> None:
    page = window(javascript=False).open(path(house))
    newest = head(page)
    for name, version in (
        ("back", newest - 1),
        ("back", newest - 2),
        ("on", newest - 1),
        ("start", 0),
        ("on", 1),
    ):
        page.locator(f"[data-does={name}]").click()
        assert page.locator("#where").inner_text() == f"Version {version} of {newest}"
        assert page.title().endswith(f", version {version} - Fairlog")
    assert page.locator("[data-does=live]").inner_text() == f"Live ({newest - 1} newer)"
    page.locator("[data-does=live]").click()
    assert page.url.endswith(path(house))


def test_turns_and_older_lines_are_links_too(house: Served, window: Open) -> None:
    page = window(javascript=False).open(path(house, "?at=100"))
    turn = "#event .facts div:has(dt:text-is('Turn')) dd"
    at = int(page.locator(turn).inner_text().split(":")[0])
    page.locator("[data-does=turn-on]").click()
    page.locator("[data-does=turn-on]").click()
    assert int(page.locator(turn).inner_text().split(":")[0]) in (at + 1, at + 2)
    first = page.locator("#rows .number").last.inner_text()
    page.locator("#older").click()
    assert int(page.locator("#rows .number").first.inner_text()) == int(first) - 1
    page.locator("#newest").click()
    page.locator("#rows a").nth(3).click()
    assert page.locator("#rows a").first.get_attribute("aria-current") == "true"


def test_the_filter_finds_what_the_search_finds(house: Served, window: Open) -> None:
    opened = window(javascript=False)
    page = opened.open(path(house))
    page.locator("#log summary").click()
    page.get_by_label("Kind").fill("Drawn")
    page.get_by_role("button", name="Filter").click()
    found = page.locator("#rows .number").all_inner_texts()
    answer = page.request.get(
        f"{house.url}/v1/sessions/{house.session}/search?kind=Drawn&limit=500"
    ).json()
    assert found == [str(each["version"]) for each in answer["events"]][::-1][:60]
    page = ready(window().open(path(house)))
    page.keyboard.press("/")
    page.keyboard.type("ana")
    expect(page.locator("#found")).to_contain_text("found, newest first")
    told = page.locator("#rows a > :last-child").all_inner_texts()
    assert told
    assert all("ana" in each.lower() for each in told)
    page.get_by_role("link", name="All", exact=True).click()
    expect(page.locator("#found")).to_contain_text("Times are UTC")


def test_the_table_is_the_servers_at_any_version(night: Grown, window: Open) -> None:
    page = ready(window(url=night.url).open(night.path()))
    newest = head(page)
    wanted = [newest, 0, 1, 1000, 1001, *FORK, *RANDOM.sample(range(2, newest), scale(4, 20))]
    without = window(url=night.url, javascript=False)
    for version in wanted:
        go(page, version)
        shows(page, version, newest)
        server = without.open(night.path(f"?at={version}"))
        assert plain(page, "#table") == plain(server, "#table"), version
        assert plain(page, "#event > .says") == plain(server, "#event > .says"), version
        assert plain(page, "#changed") == plain(server, "#changed"), version


def test_lines_of_the_log_are_the_servers(house: Served, window: Open) -> None:
    opened, without = window(), window(javascript=False)
    page = ready(opened.open(path(house)))
    newest = head(page)
    page.wait_for_function("() => document.querySelector('.density path') !== null")
    for version in (newest - 61, 57, 130):
        go(page, version)
        shows(page, version)
        theirs = dict(zip(*rows(without.open(path(house, f"?at={version}"))), strict=True))
        for _ in range(100):  # the lines come a moment behind the table
            ours = dict(zip(*rows(page), strict=True))
            both = ours.keys() & theirs.keys()
            if len(both) > 20:
                break
            page.wait_for_timeout(50)
        assert len(both) > 20
        assert {each: ours[each] for each in both} == {each: theirs[each] for each in both}


def rows(page: Page) -> tuple[list[str], list[str]]:
    return page.locator("#rows .number").all_inner_texts(), plain(page, "#rows .row")


def test_an_event_is_told_in_full_by_both(house: Served, window: Open) -> None:
    page = ready(window().open(path(house)))
    without = window(javascript=False)
    for version in (2, 14, 60, 61, 62, 63):
        go(page, version)
        shows(page, version)
        expect(page.locator("#event details").last).to_contain_text("Proof")
        assert plain(page, "#event") == plain(
            without.open(path(house, f"?at={version}")), "#event"
        ), version


def test_back_reload_a_new_tab_and_a_copied_link_show_the_same_version(
    house: Served, window: Open
) -> None:
    opened = window()
    page = ready(opened.open(path(house)))
    newest = head(page)
    page.locator("[data-does=back]").click()
    shows(page, newest - 1)
    page.locator("#rows a").nth(5).click()
    shows(page, newest - 5)
    assert page.url.endswith(path(house, f"?at={newest - 5}"))
    assert page.title() == f"{page.locator('h1').inner_text()}, version {newest - 5} - Fairlog"
    page.go_back()
    shows(page, newest - 1)
    page.go_back()
    shows(page, newest)
    assert page.url.endswith(path(house))
    page.go_forward()
    shows(page, newest - 1)
    ready(page).reload()
    shows(ready(page), newest - 1)
    page.locator("[data-does=copy]").click()
    expect(page.locator("#said")).to_contain_text(path(house, f"?at={newest - 1}"))
    link = page.locator("#said").inner_text().split()[-1]
    assert link.startswith("http")
    other = window().open(link.removeprefix(house.url))
    shows(ready(other), newest - 1, newest)


def test_the_gm_looks_as_a_seat(house: Served, window: Open) -> None:
    page = entered(house, window, "gm")
    assert SECRET in page.locator("#log").inner_text()
    page.get_by_label("As this seat sees it").select_option("p1")
    page.get_by_role("button", name="Look").click()
    page.wait_for_url("**as=p1")
    ready(page)
    assert SECRET not in page.content()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(500)
    page.keyboard.press("End")
    page.wait_for_timeout(500)
    assert "as=p1" in page.url
    assert SECRET not in page.content()


@pytest.mark.parametrize("seat", ["", "p1"])
def test_a_secret_is_not_in_what_the_browser_holds(house: Served, window: Open, seat: str) -> None:
    heard: list[str] = []
    page = entered(house, window, seat) if seat else window().open(path(house))
    page.on("response", lambda answer: heard.append(answer.url))
    page.reload()
    ready(page)
    page.wait_for_function("() => document.querySelector('.density path') !== null")
    assert any("/feed/" in each for each in heard)
    assert SECRET not in page.content()
    for address in {each for each in heard if "/stream" not in each}:
        assert SECRET not in page.request.get(address).text()


@pytest.mark.parametrize("look", LOOKS if LONG else (LAPTOP, PHONE), ids=str)
def test_axe_finds_nothing(house: Served, window: Open, look: Look) -> None:
    page = ready(window(look).open(path(house, "?at=63")))
    shows(page, 63)
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true }")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    page.keyboard.press("?")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_a_small_window(house: Served, window: Open, width: int) -> None:
    page = ready(window(Look(width, "light")).open(path(house, "?at=63")))
    shows(page, 63)
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("evening"), 120) as running:
        yield running
