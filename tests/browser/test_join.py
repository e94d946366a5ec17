"""From an invitation to a seat: looking uses nothing up, taking works without JavaScript, a no says what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from service.client.api import ApiConnection
from tests.browser.sitting import Browsed, gives, giving
from tests.browser.test_pages import RULES
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look, Window
from tests.client.tables import served
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

Open = Callable[..., Window]
WAYS = [("127.0.0.1", True), ("table.test", False), ("127.0.0.1", False), ("table.test", True)][
    : scale(2, 4)
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("join")) as at:
        yield at


@pytest.fixture(scope="module")
def table(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsed]:
    with closing(Browsed(url, tmp_path_factory.mktemp("gm"))) as laid:
        yield laid


@pytest.fixture
def windows(browser: Browser, url: str) -> Iterator[Open]:
    opened: list[Window] = []

    def open_(look: Look = LAPTOP, javascript: bool = True, at: str = url) -> Window:
        opened.append(Window(browser, at, look, javascript))
        return opened[-1]

    open_.opened = opened  # type: ignore[attr-defined]
    yield open_
    for each in opened:
        each.close()
    assert [fault for each in opened for fault in each.faults] == []


def invited(table: Browsed, **body: object) -> str:
    with closing(ApiConnection(table.url, table.gm.kept.token)) as player:
        answer = player.post(f"{table.gm.path}/invitations", {"role": "player", **body})
        assert answer.status == 201, answer.body
        return str(answer.json["code"])


@pytest.mark.parametrize(("host", "javascript"), WAYS)
def test_a_seat_is_taken(table: Browsed, windows: Open, host: str, javascript: bool) -> None:
    seat = f"{host[0] if host[0].isalpha() else 'n'}{int(javascript)}"
    code = invited(table, seat=seat)
    opened = windows(javascript=javascript, at=table.url.replace("127.0.0.1", host))
    for _ in range(2):  # a preview of the link, and then a look
        page = opened.open(f"/join/{code}")
        words = page.locator("main").inner_text()
        assert all(
            each in words for each in ("Six at the mint", "player", seat, "once more", "UTC")
        )
    page.get_by_label("Your name").fill("Ana & <b>")
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_url(f"{opened.url}{table.page}")
    assert "Ana & <b> (player)" in page.locator("main").inner_text()
    assert "flt_" not in page.content() + page.url
    assert page.evaluate("() => document.cookie") == ""
    assert table.seat(seat)["name"] == "Ana & <b>"
    opened.open(f"/join/{code}", 404)
    assert "This invitation cannot be used" in page.content()


def test_a_code_is_typed_in_or_its_whole_link(table: Browsed, windows: Open) -> None:
    code = invited(table)
    opened = windows()
    for typed in (code, f" {table.url}/join/{code} ", f"{table.url}/join#{code}"):
        page = opened.open("/")
        page.get_by_label("Code of an invitation").fill(typed)
        page.get_by_role("button", name="Look at it").click()
        page.wait_for_url(f"{table.url}/join/{code}")
    opened.open(f"/join#{code}")
    page.wait_for_url(f"{table.url}/join/{code}")


def test_what_is_wrong_is_said_beside_its_field(table: Browsed, windows: Open) -> None:
    code = invited(table, uses=2)
    opened = windows(javascript=False)
    page = opened.open(f"/join/{code}")
    page.get_by_label("Seat").evaluate("each => each.removeAttribute('pattern')")
    page.get_by_label("Your name").fill("Rollo")
    page.get_by_label("Seat").fill("No Seat!")
    opened.expect(f"/join/{code}")
    page.get_by_role("button", name="Take the seat").click()
    field = page.locator("input[aria-invalid]")
    assert field.get_attribute("id") == "seat"
    assert page.locator("#seat-wrong").is_visible()
    assert page.get_by_label("Your name").input_value() == "Rollo"
    page.get_by_label("Seat").fill("gm")
    page.get_by_role("button", name="Take the seat").click()
    page.get_by_role("alert").get_by_text("The seat gm is taken.").wait_for()
    page.get_by_label("Seat").fill("")
    page.get_by_role("button", name="Take the seat").click()
    page.wait_for_url(re.compile("/s/"))
    assert "Rollo (player)" in page.locator("main").inner_text()


def test_a_second_press_is_the_same_wish(table: Browsed, windows: Open) -> None:
    code = invited(table, seat="twice")
    first, second = (windows().open(f"/join/{code}") for _ in range(2))
    key = first.locator("input[name=key]").input_value()
    second.locator("input[name=key]").evaluate("(each, key) => { each.value = key }", key)
    for page in (first, second):
        page.get_by_role("button", name="Take the seat").click()
        page.wait_for_url(re.compile("/s/"))
        assert "twice (player)" in page.locator("main").inner_text()


def test_a_seat_that_was_left_comes_back_with_its_key(table: Browsed, windows: Open) -> None:
    opened = windows()
    page = table.sit(opened, "back")
    gives(page)
    opened.open(f"{table.page}/people")
    gives(page)
    page.get_by_role("button", name="Give the seat back").click()
    page.wait_for_url(f"{table.url}/")
    assert table.seat("back")["present"] is False
    key = table.seat("back")["public_key"]
    with giving(table.gm):
        page = table.sit(opened, "back")
        gives(page)
    assert (table.seat("back")["public_key"], table.seat("back")["chain"]["number"]) == (key, 1)
    stranger = windows(javascript=False)
    opened.open(f"{table.page}/people")
    gives(page)
    page.get_by_role("button", name="Give the seat back").click()
    page.wait_for_url(f"{table.url}/")
    code = invited(table, seat="back")
    page = stranger.open(f"/join/{code}")
    stranger.expect(f"/join/{code}")
    page.get_by_role("button", name="Take the seat").click()
    page.get_by_text("it comes back with its next chain alone").wait_for()


@pytest.mark.parametrize("look", LOOKS if LONG else (LAPTOP, PHONE), ids=str)
def test_axe_finds_nothing(table: Browsed, windows: Open, look: Look) -> None:
    opened = windows(look)
    for path, status in (
        (f"/join/{invited(table)}", 200),
        ("/join", 200),
        ("/join/fli_nothing", 404),
    ):
        page = opened.open(path, status)
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
