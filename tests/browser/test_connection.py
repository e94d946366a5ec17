"""The console without a connection in a real browser: nothing is lost or done twice, and the page says what is going on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_playing import LINE, FreeEvening, write
from tests.browser.windows import Window

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]


@pytest.fixture
def evening(url: str) -> FreeEvening:
    return FreeEvening(url)


def seated(windows: Open, evening: FreeEvening) -> tuple[Window, Page]:
    opened: list[Window] = []

    def open_(*given: object) -> Window:
        opened.append(windows(*given))
        return opened[-1]

    page = evening.page(open_, "p1")
    return opened[-1], page


def test_what_is_sent_without_a_network_is_kept_and_done_once(
    windows: Open, evening: FreeEvening
) -> None:
    window, page = seated(windows, evening)
    with window.offline():
        write(page, "/me waits for the boat")
        expect(page.locator(".unsent")).to_contain_text("kept, and sent once")
    expect(page.locator(".say")).to_have_count(1)
    expect(page.locator(".unsent")).to_have_count(0)
    expect(page.get_by_label(LINE)).to_have_value("")


def test_a_roll_without_a_network_is_made_once(windows: Open, evening: FreeEvening) -> None:
    window, page = seated(windows, evening)
    with window.offline():
        write(page, "/r d20")
        expect(page.locator(".unsent")).to_contain_text("kept, and sent once")
    expect(page.locator(".roll")).to_have_count(1)
    page.reload()
    expect(page.locator(".roll")).to_have_count(1)


def test_what_is_unanswered_survives_a_reload(windows: Open, evening: FreeEvening) -> None:
    """The server has done it, but the answer was lost: the page asks again with the same key."""
    _, page = seated(windows, evening)
    page.evaluate(
        """(path) => sessionStorage.setItem("fairlog-outbox", JSON.stringify([{
          key: "0123456789abcdef0123456789abcdef", path: path + "/narrate",
          body: {text: "The bell rings."}, since: Date.now(), isWaiting: true}]))""",
        evening.path,
    )
    for _ in range(2):
        page.reload()
        expect(page.locator(".say")).to_have_count(1)
    expect(page.locator(".say")).to_contain_text("The bell rings.")


def test_two_tabs_show_the_same_table(windows: Open, evening: FreeEvening) -> None:
    _, page = seated(windows, evening)
    other = page.context.new_page()
    other.goto(page.url)
    write(page, "/r d6")
    for tab in (page, other):
        expect(tab.locator(".roll")).to_have_count(1)


def test_a_page_without_a_connection_says_so_and_comes_back(
    windows: Open, evening: FreeEvening
) -> None:
    window, page = seated(windows, evening)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    with window.offline():
        page.reload()
        expect(page.get_by_role("heading")).to_have_text("No connection")
    expect(page.locator(".live")).to_have_text("Live")


def test_the_shell_holds_no_data_of_a_session(windows: Open, evening: FreeEvening) -> None:
    _, page = seated(windows, evening)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.locator(".live")).to_have_text("Live")
    kept = page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys())
            for (const each of await (await caches.open(name)).keys()) found.push(new URL(each.url).pathname);
          return found;
        }"""
    )
    assert kept
    assert all(path.startswith(("/console/assets/", "/console/shell/offline.")) for path in kept)
