"""Outages in a real browser: nothing is lost, nothing is done twice, and the page says what is going on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from service.client.api import ApiConnection
from tests.browser.outages import Network, Server, network, served
from tests.browser.seat_pages import giving
from tests.browser.test_playing import LINE, FreeEvening, write
from tests.browser.test_shared_draws import Seated, has_status
from tests.browser.windows import Window
from tests.support.processes import eventually

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

CUT_SECONDS = 60
SLEEP_SECONDS = 40
SOON_SECONDS = 12
"""How long a page may take to say that the server is gone, and to catch up when it is back."""
BANNER = "No connection since"
DRAFT = "half a sentence that no one has s"
ROUTINE = ("session.PresenceSet", "session.ChainAnchored")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("outages")) as running:
        yield running


@pytest.fixture
def cable(server: Server) -> Iterator[Network]:
    with network(server) as opened:
        yield opened


@pytest.fixture
def evening(server: Server) -> FreeEvening:
    return FreeEvening(server.url)


Seat = Callable[[str, str], Page]


@pytest.fixture
def seat(browser: Browser, evening: FreeEvening) -> Iterator[Seat]:
    """Open the table of a seat at an address. After the test, check that no script failed."""
    opened: list[Window] = []

    def open_(seat: str, url: str) -> Page:
        def window(*_: object) -> Window:
            opened.append(Window(browser, url))
            return opened[-1]

        return evening.page(window, seat)

    yield open_
    for each in opened:
        each.close()
    faults = [fault for each in opened for fault in each.faults]
    assert [fault for fault in faults if fault.startswith("page error")] == []


def turns(url: str, path: str, token: str) -> list[Any]:
    with closing(ApiConnection(url, token)) as api:
        return [
            turn
            for turn in api.get(f"{path}/turns?limit=200").json["turns"]
            if turn.get("kind") not in ROUTINE
        ]


def next_draw(evening: FreeEvening) -> int:
    with closing(ApiConnection(evening.url, evening.tokens["gm"])) as api:
        return int(api.get(evening.path).json["next_draw"])


def times(evening: FreeEvening, words: str) -> int:
    """Return how many turns of the log contain the words."""
    found = turns(evening.url, evening.path, evening.tokens["gm"])
    return sum(words in json.dumps(turn) for turn in found)


def seconds(what: str, expected: Callable[[], object]) -> None:
    began = time.monotonic()
    expected()
    print(f"\n  {what}: {time.monotonic() - began:.1f} s", end="")


def banner(page: Page) -> Locator:
    return page.locator(".banner.lost")


def expect_lost(page: Page) -> None:
    limit = SOON_SECONDS * 1000
    seconds("banner", lambda: expect(banner(page)).to_contain_text(BANNER, timeout=limit))


def expect_back(page: Page, *words: str) -> None:
    limit = SOON_SECONDS * 1000
    seconds("banner gone", lambda: expect(banner(page)).to_have_count(0, timeout=limit))
    for each in words:
        log = page.get_by_role("log")
        seconds(f"shows {each!r}", lambda: expect(log).to_contain_text(each, timeout=limit))
    expect(page.locator(".unsent")).to_have_count(0, timeout=limit)
    expect(page.locator(".live")).to_have_text("Live", timeout=limit)


def test_a_killed_server_is_started_again(server: Server, evening: FreeEvening, seat: Seat) -> None:
    page, other = seat("p1", server.url), seat("p2", server.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    server.kill()
    expect_lost(page)
    write(page, "/me waits at the killed server")
    write(page, "/r d20 for a hasty repair")
    page.get_by_label(LINE).fill(DRAFT)
    expect(page.locator(".unsent").first).to_contain_text("kept, and sent once")
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("No connection")
    server.start()
    expect(page.locator(".live")).to_have_text("Live")
    expect_back(page, "waits at the killed server", "a hasty repair")
    expect_back(other, "waits at the killed server")
    expect(page.get_by_label(LINE)).to_have_value(DRAFT)
    assert times(evening, "waits at the killed server") == 1
    assert times(evening, "a hasty repair") == 1


def test_a_server_is_killed_while_commands_are_sent(
    server: Server, evening: FreeEvening, seat: Seat
) -> None:
    page = seat("p1", server.url)
    for nth in range(8):
        write(page, f"/me sends number {nth};")
        write(page, f"/r d6 for roll {nth};")
        if nth == 3:
            server.kill()
    expect_lost(page)
    page.wait_for_timeout(3000)
    server.start()
    expect_back(page, "sends number 7;", "roll 7;")
    for nth in range(8):
        assert times(evening, f"sends number {nth};") == 1
        assert times(evening, f"roll {nth};") == 1


def test_a_network_hangs_for_a_minute(
    server: Server, cable: Network, evening: FreeEvening, seat: Seat
) -> None:
    page, other = seat("p1", cable.url), seat("p2", server.url)
    cable.cut()
    began = time.monotonic()
    write(page, "/me waits without a network")
    write(page, "/r d20 for the cable")
    page.get_by_label(LINE).fill(DRAFT)
    expect_lost(page)
    expect(page.locator(".unsent")).to_have_count(2)
    expect(page.locator(".unsent").first).to_contain_text("kept, and sent once")
    write(other, "/me talks meanwhile")
    page.wait_for_timeout((CUT_SECONDS - (time.monotonic() - began)) * 1000)
    expect(banner(page)).to_be_visible()
    cable.restore()
    expect_back(page, "waits without a network", "the cable", "talks meanwhile")
    expect(page.get_by_label(LINE)).to_have_value(DRAFT)
    assert times(evening, "waits without a network") == 1
    assert times(evening, "the cable") == 1


def test_the_answer_is_lost(
    server: Server, cable: Network, evening: FreeEvening, seat: Seat
) -> None:
    """The server has done what was sent, and the page cannot know."""
    page = seat("p1", cable.url)
    cable.cut_answers()
    write(page, "/me is heard once")
    write(page, "/r d20 for one die")
    expect_lost(page)
    page.wait_for_timeout(10_000)
    cable.restore()
    expect_back(page, "is heard once", "one die")
    assert times(evening, "is heard once") == 1
    assert times(evening, "one die") == 1


def test_two_tabs_of_one_seat_send_at_once(
    server: Server, evening: FreeEvening, seat: Seat
) -> None:
    page = seat("p1", server.url)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".live")).to_have_text("Live")
    for nth in range(5):
        for tab, name in ((page, "left"), (other, "right")):
            tab.get_by_label(LINE).fill(f"/r d20 for {name} {nth};")
            # Return before the page has sent it, so that both are under way together.
            tab.evaluate("setTimeout(() => document.querySelector('form.compose').requestSubmit())")
    for tab in (page, other):
        for name in ("left", "right"):
            expect(tab.get_by_role("log")).to_contain_text(f"{name} 4;")
        assert tab.locator(".refusal").all_inner_texts() == []
        expect(tab.locator(".unsent")).to_have_count(0)
    for nth in range(5):
        for name in ("left", "right"):
            assert eventually(lambda words=f"{name} {nth};": times(evening, words) > 0, 20), (
                name,
                nth,
            )  # type: ignore[misc]
    for nth in range(5):
        assert (times(evening, f"left {nth};"), times(evening, f"right {nth};")) == (1, 1)


def test_a_laptop_sleeps(server: Server, cable: Network, evening: FreeEvening, seat: Seat) -> None:
    """Scripts stand still, and the connections are dead when it wakes."""
    page, other = seat("p1", cable.url), seat("p2", server.url)
    page.get_by_label(LINE).fill(DRAFT)
    laptop = page.context.new_cdp_session(page)
    laptop.send("Page.setWebLifecycleState", {"state": "frozen"})
    cable.cut()
    write(other, "/me talks while it sleeps")
    expect(other.get_by_role("log")).to_contain_text("talks while it sleeps")
    time.sleep(SLEEP_SECONDS)
    cable.restore()
    laptop.send("Page.setWebLifecycleState", {"state": "active"})
    limit = SOON_SECONDS * 1000
    log = page.get_by_role("log")
    seconds("caught up", lambda: expect(log).to_contain_text("while it sleeps", timeout=limit))
    expect_back(page)
    expect(page.get_by_label(LINE)).to_have_value(DRAFT)
    write(page, "/me wakes up")
    expect_back(page, "wakes up")
    assert times(evening, "wakes up") == 1


def pages(session: str, draw: int) -> tuple[str, ...]:
    ends = ("/at/newest", "/at/2", "/luck", "/proof", f"/draws/{draw}", "/transcript")
    return (*(f"/s/{session}{end}" for end in ends), "/", "/games", "/join", "/start", "/status")


def walk(page: Page, session: str, draw: int) -> None:
    """Open each page; reload it, go back to the table, forward, reload, and back."""
    line, heading = page.get_by_label(LINE), page.get_by_role("heading").first
    for nth, path in enumerate(pages(session, draw)):
        draft = f"{DRAFT} {nth}"
        line.fill(draft)
        page.goto(path)
        expect(heading, path).to_be_visible()
        for step in (page.reload, page.go_back, page.go_forward, page.reload, page.go_back):
            step()
            if page.url.endswith(f"/s/{session}"):
                expect(page.locator(".live"), path).to_have_text("Live")
                expect(line, path).to_have_value(draft)
            else:
                expect(heading, path).to_be_visible()
    line.fill("")
    page.reload()
    expect(line).to_have_value("")


def test_back_and_reload_at_each_page(server: Server, evening: FreeEvening, seat: Seat) -> None:
    page = seat("gm", server.url)
    write(page, "/r d20 for each page")
    expect(page.get_by_role("log")).to_contain_text("each page")
    before = turns(evening.url, evening.path, evening.tokens["gm"])
    walk(page, evening.session, next_draw(evening) - 1)
    page.locator("button.faces").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    page.reload()
    expect(page.locator(".live")).to_have_text("Live")
    page.goto(f"/s/{evening.session}/at/{before[-2]['last']}")
    page.get_by_role("button", name="Rewind").first.click()
    expect(page.get_by_role("dialog", name="Rewind to turn")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Rewind").first).to_be_visible()
    page.get_by_role("button", name="Rewind").first.click()
    page.go_back()
    expect(page.locator(".live")).to_have_text("Live")
    assert turns(evening.url, evening.path, evening.tokens["gm"]) == before


@pytest.fixture
def shared(server: Server, tmp_path: Path) -> Iterator[Seated]:
    with closing(Seated(server.url, tmp_path)) as seated:
        yield seated


def test_a_table_that_draws_for_itself(browser: Browser, server: Server, shared: Seated) -> None:
    """Back and reload at each page, then a kill while a draw waits."""
    session, path, token = shared.gm.data.session, shared.gm.path, str(shared.gm.data.token)
    with ExitStack() as ending:
        window = Window(browser, server.url)
        ending.callback(window.close)
        page = shared.sit(window, "p1")
        page.goto(shared.page)
        expect(page.locator(".live")).to_have_text("Live")
        # The page registers the seat's chain once, unasked: that is a turn, too.
        has_status(page, "contributing")
        shared.bring_by(page)
        with giving(shared.gm):
            k = shared.ask_by(page)
            assert shared.ended(k)["status"] == "drawn"
        shared.settle_by(page)
        before = turns(server.url, path, token)
        walk(page, session, k)
        assert turns(server.url, path, token) == before
        k = shared.ask_by(page)
        server.kill()
        expect_lost(page)
        write(page, "/me waits for the draw")
        expect(page.locator(".unsent")).to_contain_text("kept, and sent once")
        server.start()
        with giving(shared.gm):
            state = shared.ended(k)
        assert state["status"] == "drawn", state
        expect_back(page, "waits for the draw")
        found = turns(server.url, path, token)
        assert sum("waits for the draw" in json.dumps(turn) for turn in found) == 1
        shared.settle_by(page)
        with giving(shared.gm):
            assert shared.ended(shared.ask_by(page))["status"] == "drawn"
        assert [fault for fault in window.faults if fault.startswith("page error")] == []
