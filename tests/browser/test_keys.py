"""The keys of a session's page, each with its button: where they lead, and that they leave those alone who type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.looking import go, ready, shows
from tests.browser.served import Served, served

pytestmark = pytest.mark.long

START = 100


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("keys"), 120) as running:
        yield running


@pytest.fixture
def page(house: Served, window: Open) -> Page:
    opened = ready(window().open(f"/s/{house.session}?at={START}"))
    opened.wait_for_function("() => document.querySelector('.density path')?.getAttribute('d')")
    return opened


def head(page: Page) -> int:
    return int(page.locator("#where").inner_text().split(" of ")[1])


def turns(page: Page, house: Served) -> list[int]:
    """Of each version from 1 on."""
    answer = page.request.get(f"{house.url}/v1/sessions/{house.session}/events?limit=1000").json()
    return [each["turn"] for each in answer["events"]]


def marks(page: Page, house: Served) -> list[int]:
    answer = page.request.get(
        f"{house.url}/v1/sessions/{house.session}/search?limit=500&marked=true"
    ).json()
    return [each["version"] for each in answer["events"]]


def rewinds(page: Page, house: Served) -> list[tuple[int, int]]:
    answer = page.request.get(f"{house.url}/v1/sessions/{house.session}/branches").json()
    return [(each["version"], each["to"]) for each in answer["branches"]]


def led(page: Page, house: Served) -> dict[str, int]:
    """Where each leads from version 100."""
    of = turns(page, house)
    stops = [at for at in range(1, len(of)) if of[at - 1] != of[at]]
    return {
        "back": START - 1,
        "on": START + 1,
        "start": 0,
        "turn-back": max(each for each in stops if each < START),
        "turn-on": min(each for each in stops if each > START),
    }


KEYS = {
    "back": ("ArrowLeft", "j"), "on": ("ArrowRight", "k"), "start": ("Home",),
    "turn-back": ("Shift+ArrowLeft",), "turn-on": ("Shift+ArrowRight",),
}  # fmt: skip


@pytest.mark.parametrize("name", list(KEYS))
def test_a_key_and_its_button_lead_to_the_same_version(
    page: Page, house: Served, name: str
) -> None:
    wanted = led(page, house)[name]
    for press in pressing(page, name, *KEYS[name]):
        go(page, START)
        shows(page, START)
        press()
        shows(page, wanted)
        assert page.url.endswith(f"?at={wanted}")


def pressing(page: Page, name: str, *keys: str) -> list[Callable[[], None]]:
    """Each of the keys, and the button."""
    return [
        *(partial(page.keyboard.press, key) for key in keys),
        page.locator(f"[data-does={name}]").click,
    ]


def test_the_end_is_live(page: Page) -> None:
    for press in pressing(page, "live", "End", "l"):
        go(page, START)
        expect(page.locator("#live")).to_have_text(f"Live ({head(page) - START} newer)")
        press()
        shows(page, head(page))
        assert "at=" not in page.url
        expect(page.locator("#live")).to_have_text("Live")


def test_brackets_lead_to_what_stands_out(page: Page, house: Served) -> None:
    marked = marks(page, house)
    after = min(each for each in marked if each > START)
    before = max(each for each in marked if each < START)
    for forth, back in zip(
        pressing(page, "mark-on", "]"), pressing(page, "mark-back", "["), strict=True
    ):
        go(page, START)
        forth()
        expect(page.locator("#where")).not_to_have_attribute("data-version", str(START))
        assert START < int(str(page.locator("#where").get_attribute("data-version"))) <= after
        go(page, START)
        back()
        expect(page.locator("#where")).not_to_have_attribute("data-version", str(START))
        assert before <= int(str(page.locator("#where").get_attribute("data-version"))) < START


def test_a_branch_is_chosen_at_a_fork(page: Page, house: Served) -> None:
    version, to = rewinds(page, house)[0]
    go(page, to)
    page.keyboard.press("b")
    shows(page, to + 1)
    page.keyboard.press("b")
    shows(page, version)
    expect(page.locator("#said")).to_have_text(f"Branch 2 of 2 behind version {to}.")
    page.locator("[data-does=branch]").click()
    shows(page, to + 1)
    page.locator("#slider").focus()
    page.keyboard.press("ArrowDown")
    shows(page, version)
    page.keyboard.press("ArrowUp")
    shows(page, to + 1)
    go(page, 2)
    page.keyboard.press("b")
    expect(page.locator("#said")).to_have_text("No branch was left before this version.")


def test_a_lane_leads_to_its_branch(page: Page, house: Served) -> None:
    version, _ = rewinds(page, house)[0]
    page.locator(".lanes .left").first.click()
    shows(page, version - 1)


def test_space_plays_and_pauses(page: Page) -> None:
    page.keyboard.press(" ")
    expect(page.locator("[data-does=play]")).to_have_text("Pause")
    expect(page.locator("#where")).not_to_have_attribute("data-version", str(START))
    page.keyboard.press(" ")
    expect(page.locator("[data-does=play]")).to_have_text("Play")
    at = int(str(page.locator("#where").get_attribute("data-version")))
    page.wait_for_timeout(600)
    assert page.url.endswith(f"?at={at}")
    page.locator("[data-does=play]").click()
    expect(page.locator("#where")).not_to_have_attribute("data-version", str(at))
    page.locator("[data-does=play]").click()


def test_the_others_do_what_they_say(page: Page) -> None:
    for press in pressing(page, "changed", "d"):
        press()
        expect(page.locator("#changed")).to_have_attribute("open", "")
        press()
        expect(page.locator("#changed")).not_to_have_attribute("open", "")
    for press in pressing(page, "keys", "?"):
        press()
        expect(page.get_by_role("heading", name="Keys")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("heading", name="Keys")).not_to_be_visible()
    page.keyboard.press("c")
    expect(page.locator("#said")).to_contain_text(f"?at={START}")
    for press in pressing(page, "filter", "/"):
        press()
        expect(page.locator("#text")).to_be_focused()
        page.locator("h1").click()


def test_every_key_of_the_dialog_has_a_visible_button(page: Page) -> None:
    page.keyboard.press("?")
    listed = page.locator("dialog dt").count()
    page.keyboard.press("Escape")
    buttons = page.locator("[data-does]:visible")
    assert buttons.count() == listed
    assert all(each.get_attribute("aria-keyshortcuts") for each in buttons.all())


def test_keys_leave_those_alone_who_type_or_mean_the_browser(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("jlk [b] dc")
    assert page.locator("#text").input_value() == "jlk [b] dc"
    assert page.locator("#where").get_attribute("data-version") == str(START)
    page.locator("#text").fill("")
    page.locator("h1").click()
    page.keyboard.press("Control+c")
    page.locator("#changed summary").focus()
    page.keyboard.press(" ")
    expect(page.locator("[data-does=play]")).to_have_text("Play")
    assert page.locator("#where").get_attribute("data-version") == str(START)


def test_a_run_of_keys_is_one_step_back(page: Page) -> None:
    for _ in range(5):
        page.keyboard.down("ArrowLeft")
    page.keyboard.up("ArrowLeft")
    shows(page, START - 5)
    page.go_back()
    shows(page, START)
