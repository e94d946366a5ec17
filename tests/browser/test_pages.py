"""Every page in a real browser: nothing that axe finds, nothing from elsewhere, nothing beside the window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.served import SECRET, Served
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

PAGES = (
    "home",
    "status",
    "session",
    "stats",
    "seated",
    "pending",
    "enter",
    "closed",
    "unknown",
    "malformed",
    "refused",
)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPENED = scale(4, 1000)  # tables of numbers, which are all alike, and slow to judge
SMALL = """() => [...document.querySelectorAll("a, button, input, select, summary")].filter(each => {
    const box = (each.closest(".tick") ?? each).getBoundingClientRect();
    const aside = each.classList.contains("skip") || (each.closest("p, dd, td") && each.matches("a:not(.button)"));
    return !aside && each.checkVisibility() && (box.height < 44 || box.width < 44);
}).map(each => each.outerHTML)"""


def looked_at() -> Iterator[tuple[str, Look]]:
    """Each page once, each time another look; in the long run each with all of them."""
    return product(PAGES, LOOKS) if LONG else zip(PAGES, cycle(LOOKS))


def shown(
    house: Served, window: Open, name: str, look: Look = LAPTOP, javascript: bool = True
) -> Page:
    """The page of that name; `seated` is what the GM sees of the statistics."""
    opened = window(look, javascript)
    if name != "seated":
        return opened.open(*house.pages()[name])
    page = opened.open(f"/s/{house.session}/enter")
    page.get_by_label("Token of your seat").fill(house.tokens["gm"])
    page.get_by_role("button", name="Enter", exact=True).click()
    page.wait_for_url(f"{house.url}/s/{house.session}")
    return opened.open(house.stats())


@pytest.mark.smoke
@pytest.mark.parametrize(("name", "look"), list(looked_at()), ids=str)
def test_axe_finds_nothing(house: Served, window: Open, name: str, look: Look) -> None:
    page = shown(house, window, name, look)
    for details in page.locator("details").all()[:OPENED]:
        details.evaluate("each => { each.open = true }")
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PAGES)
def test_it_fits_a_small_window_and_a_zoomed_one(house: Served, window: Open, name: str) -> None:
    page = shown(house, window, name, Look(320, "light"))
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert page.evaluate(wide) == 0


@pytest.mark.parametrize("name", PAGES)
def test_targets_are_large_enough_for_a_finger(house: Served, window: Open, name: str) -> None:
    assert shown(house, window, name, PHONE).evaluate(SMALL) == []


@pytest.mark.parametrize("name", PAGES if LONG else ("home", "stats", "closed"))
def test_it_is_read_in_order_by_keyboard(house: Served, window: Open, name: str) -> None:
    page = shown(house, window, name)
    wanted = page.evaluate(
        "() => [...document.querySelectorAll('a, button, input, select, summary, [tabindex=\"0\"]')]"
        ".filter(each => each.checkVisibility({contentVisibilityAuto: true})).map(each => each.outerHTML)"
    )
    reached = []
    for _ in wanted:
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const focused = document.activeElement, css = getComputedStyle(focused);"
            " return [focused.outerHTML, parseFloat(css.outlineWidth), css.outlineStyle] }"
        )
        reached.append(found[0])
        assert found[1] >= 2, found
        assert found[2] == "solid", found
    assert reached == wanted
    assert "Skip to the content" in wanted[0]


def test_the_skip_link_leads_to_the_content(house: Served, window: Open) -> None:
    page = shown(house, window, "home")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("javascript", [True, False])
def test_an_event_leads_to_the_preview_of_a_rewind_to_the_end_of_its_turn(
    house: Served, window: Open, javascript: bool
) -> None:
    opened = window(javascript=javascript)
    page = opened.open(f"/s/{house.session}/enter")
    page.get_by_label("Token of your seat").fill(house.tokens["gm"])
    page.get_by_role("button", name="Enter", exact=True).click()
    page.wait_for_url(f"{house.url}/s/{house.session}")
    last = page.request.get(f"{house.url}/v1/sessions/{house.session}/events/59").json()["turn"][
        "last"
    ]
    opened.open(f"/s/{house.session}?at=59")
    page.get_by_text("Proof, link, rewind").click()
    page.locator("#event").get_by_role(
        "link", name=f"Rewind to {last}, the end of this turn"
    ).click()
    page.wait_for_url(f"{house.url}/s/{house.session}/rewind?to={last}")
    assert page.get_by_role("button", name="Rewind").is_enabled()


STILL = tuple(name for name in PAGES if name not in ("session", "verify"))
"""Pages that say the same with JavaScript; the files of the other two compare them."""
SCRIPTED = "[data-enters]"
"""What is there for scripts alone: a seat's file, brought into this browser."""


@pytest.mark.parametrize("name", STILL if LONG else ("home", "status", "stats", "closed"))
def test_it_is_read_without_javascript(house: Served, window: Open, name: str) -> None:
    with_it, without = (
        shown(house, window, name, javascript=javascript) for javascript in (True, False)
    )
    with_it.evaluate(
        "them => document.querySelectorAll(them).forEach(each => each.remove())", SCRIPTED
    )
    text, other = (
        re.sub("[0-9a-f]{32}", "", each.locator("main").inner_text()) for each in (without, with_it)
    )
    assert len(text) > 100
    assert text == other


def test_the_numbers_of_every_plot_are_a_table(house: Served, window: Open) -> None:
    page = shown(house, window, "stats", javascript=False)
    figures = page.locator("figure")
    assert figures.count() >= 5
    for nth in range(figures.count()):
        figure = figures.nth(nth)
        figure.locator("summary").click()
        assert figure.locator("svg title").text_content()
        assert figure.locator("tbody tr").first.is_visible()
        assert (
            figure.locator("thead th").count()
            == figure.locator("tbody tr").first.locator("th, td").count()
        )


def test_the_files_of_a_plot_are_loaded(house: Served, window: Open) -> None:
    opened = window()
    page = opened.open(house.stats("?undone=true"))
    links = page.locator(".files a")
    paths = [links.nth(nth).get_attribute("href") for nth in range(2)]
    table, picture = (page.request.get(f"{house.url}{path}") for path in paths)
    assert table.headers["content-type"] == "text/csv; charset=utf-8; header=present"
    assert picture.headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert all(path is not None and path.endswith("?undone=true") for path in paths)
    page = opened.open(str(paths[1]))
    assert (
        page.evaluate("() => getComputedStyle(document.querySelector('text')).fill")
        != "rgb(0, 0, 0)"
    )


def test_on_paper_the_tables_are_open_and_the_buttons_gone(house: Served, window: Open) -> None:
    page = shown(house, window, "stats", Look(1280, "dark"))
    page.emulate_media(media="print")
    assert page.locator("figure tbody").first.is_visible()
    assert not page.locator("form").first.is_visible()
    assert not page.locator(".top nav").is_visible()
    grounds = "() => [document.body, document.querySelector('svg')].map(each => getComputedStyle(each).backgroundColor)"
    assert page.evaluate(grounds) == ["rgb(255, 255, 255)"] * 2


@pytest.mark.parametrize("name", PAGES)
def test_a_secret_stands_on_no_page_of_those_who_may_not_see_it(
    house: Served, window: Open, name: str
) -> None:
    page = shown(house, window, name)
    if name != "seated":
        assert SECRET not in page.content()
        assert not any(token in page.content() for token in house.tokens.values())
