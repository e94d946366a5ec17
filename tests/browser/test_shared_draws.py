"""Shared draws on the table: each browser contributes unasked, and to no log that is not valid."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, expect

from service.client.api import ApiConnection
from service.client.join import resume
from service.client.seat_file import SeatFile
from tests.browser.pages import menu_button
from tests.browser.seat_pages import Browsed, bend, giving
from tests.browser.windows import LOOKS, PHONE, Look, Window
from tests.client.lying_server import Bend, new_leaf
from tests.client.tables import served, valid, with_links
from tests.client.test_attacks import AFTER, BEFORE
from tests.support.example import as_json, brought
from tests.support.processes import eventually
from tests.support.scale import LONG

pytestmark = pytest.mark.long

Open = Callable[..., Window]
NAMED = "table.test"
HOSTS = ("127.0.0.1", NAMED) if LONG else (NAMED,)
LIES = BEFORE if LONG else [BEFORE[nth] for nth in (0, 7)]
LATER = AFTER if LONG else [AFTER[nth] for nth in (1,)]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("seats"), FAIRLOG_URL=f"http://{NAMED}") as at:
        yield at


class Seated(Browsed):
    """A session whose browsers are at the table of the console."""

    def __init__(self, url: str, folder: Path, deadline: int = 20) -> None:
        super().__init__(url, folder, deadline)
        self.page = self.page

    def sit(self, window: Window, seat: str, name: str = "") -> Page:
        """Let the browser take the seat, and open the table by its personal link."""
        with closing(ApiConnection(self.url)) as anyone:
            body = {"code": self.invite(seat), "name": name or seat.title()}
            token = anyone.post("/v1/seats", body).json["token"]
        page = window.open(f"/s/{self.gm.data.session}/seat#{token}")
        page.wait_for_url(f"{window.url}{self.page}")
        return page


@pytest.fixture
def table(url: str, tmp_path: Path) -> Iterator[Seated]:
    with closing(Seated(url, tmp_path)) as laid:
        yield laid


@pytest.fixture
def windows(browser: Browser, url: str) -> Iterator[Open]:
    opened: list[Window] = []

    def open_(**more: object) -> Window:
        opened.append(Window(browser, **{"url": url} | more))  # type: ignore[arg-type]
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
    assert [fault for each in opened for fault in each.faults] == []


def has_status(page: Page, status: str) -> None:
    """Wait until the browser's seat has this status."""
    page.locator(f'[data-draws="{status}"]').wait_for(state="attached")


def contributes(page: Page) -> None:
    has_status(page, "contributing")


def caught(page: Page) -> str:
    """Wait until the page warns of an invalid log, and return its words."""
    warning = page.locator(".banner.bad")
    expect(warning).to_contain_text("Stop playing here")
    return warning.inner_text()


def contributions(page: Page) -> list[str]:
    """Return the list of contributions that the page sends from now on."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/contributions"):
            sent.append(request.url)

    page.on("request", note)
    return sent


@pytest.mark.smoke
def test_two_browsers_and_the_client_draw_together(table: Seated, windows: Open) -> None:
    ana, ben = table.sit(windows(), "p1", "Ana"), table.sit(windows(look=PHONE), "p2", "Ben")
    contributes(ana)
    contributes(ben)
    table.bring_by(ana)
    with giving(table.gm):
        k = table.ask_by(ana)
        ended = table.ended(k)
    assert (ended["status"], sorted(ended["contributed"])) == ("drawn", ["gm", "house", "p1", "p2"])
    assert table.grades(k) == ["A"]
    for page in (ana, ben):
        page.locator(".proof").first.wait_for()
    assert valid(table)


def test_each_page_of_a_session_contributes(table: Seated, windows: Open) -> None:
    ana = table.sit(windows(), "p1", "Ana")
    contributes(ana)
    table.bring_by(ana)
    ana.goto(f"{table.page}/luck")
    contributes(ana)
    with giving(table.gm):
        assert table.ended(table.ask_by(ana))["status"] == "drawn"


@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_axe_finds_nothing(url: str, tmp_path: Path, windows: Open, look: Look) -> None:
    with closing(Seated(url, tmp_path, deadline=6)) as table:
        ana = table.sit(windows(look=look), "p1", "Ana")
        contributes(ana)
        table.bring_by(ana)
        table.ask_by(ana)
        ana.get_by_role("timer").wait_for()
        is_clean(ana)
        ana.locator(".voided").wait_for()
        is_clean(ana)
        open_seat_file(ana)
        is_clean(ana)
        token = json.loads(ana.evaluate(TOKEN, table.gm.data.session))["token"]
        second = windows(look=look).open(f"/s/{table.gm.data.session}/seat#{token}")
        has_status(second, "other-device")
        is_clean(second)


def is_clean(page: Page) -> None:
    """Assert that axe finds nothing, and that the page is not wider than its window."""
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("host", HOSTS)
def test_one_of_two_tabs_contributes(table: Seated, windows: Open, host: str) -> None:
    """Also on plain http, where a page has neither WebCrypto nor locks."""
    window = windows(url=table.url.replace("127.0.0.1", host))
    first = table.sit(window, "p1")
    contributes(first)
    has = first.evaluate("() => [crypto.subtle !== undefined, navigator.locks !== undefined]")
    assert has == [host == "127.0.0.1"] * 2
    given = contributions(first)
    second = first.context.new_page()
    more = contributions(second)
    second.goto(table.page)
    has_status(second, "other-tab")
    table.bring_by(second)
    with giving(table.gm):
        table.ended(table.ask_by(second))
        first.wait_for_timeout(100)  # until the sent request is reported
        assert (len(given), len(more)) == (1, 0)
        table.settle_by(second)
        first.close()
        contributes(second)
        table.ended(table.ask_by(second))
    second.wait_for_timeout(100)
    assert len(more) == 1
    assert valid(table)


def test_a_pending_roll_names_whom_it_waits_for(table: Seated, windows: Open) -> None:
    ana = table.sit(windows(), "p1", "Ana")
    contributes(ana)
    table.bring_by(ana)
    k = table.ask_by(ana)
    waits = ana.get_by_role("timer")
    expect(waits).to_contain_text("Waiting for")
    expect(waits).to_contain_text("seconds left")
    with giving(table.gm):
        assert table.ended(k)["status"] == "drawn"
    expect(waits).to_have_count(0)


def test_a_cancelled_roll_is_offered_again(url: str, tmp_path: Path, windows: Open) -> None:
    with closing(Seated(url, tmp_path, deadline=4)) as table:
        ana = table.sit(windows(), "p1", "Ana")
        contributes(ana)
        table.bring_by(ana)
        assert table.ended(table.ask_by(ana))["missing"] == ["gm"]
        expect(ana.locator(".voided")).to_contain_text("device did not respond")
        ana.reload()
        ana.get_by_role("button", name="Roll again").click()
        # The GM is away since the draw was cancelled, so that the roll does not wait for it.
        ana.locator(".proof").first.wait_for()
        assert table.grades(1) == ["B"]
        expect(ana.get_by_role("button", name="Roll again")).to_have_count(0)


def test_who_closes_the_page_is_shown_as_away(table: Seated, windows: Open) -> None:
    window = windows(look=PHONE)
    ana, ben = table.sit(windows(), "p1", "Ana"), table.sit(window, "p2", "Ben")
    contributes(ben)
    table.wish(ben, as_json(brought("ben", "Bron")))
    bron = ana.get_by_role("button", name="Bron")
    bron.wait_for()
    ana.wait_for_timeout(3000)  # until the page has asked who is connected
    assert "away" not in bron.inner_text()
    ben.close()
    expect(bron).to_contain_text("away")


def test_a_cancelled_secret_roll_is_offered_again(url: str, tmp_path: Path, windows: Open) -> None:
    with closing(Seated(url, tmp_path, deadline=4)) as table:
        ana = table.sit(windows(), "p1", "Ana")
        contributes(ana)
        table.bring_by(ana)
        check = ana.locator(".acts button.act", has_text="heck").first
        check.wait_for()
        ana.get_by_label("Secret").first.check()
        check.click()
        expect(ana.locator(".voided")).to_contain_text("Roll cancelled")
        ana.get_by_role("button", name="Roll again").click()
        ana.locator(".proof").first.wait_for()
        assert [table.state(k)["status"] for k in (0, 1)] == ["void", "drawn"]
        bodies = [table.state(k)["events"][0]["body"] for k in (0, 1)]
        assert [body.get("audience") for body in bodies] == ["gm", "gm"]
        assert all("command" not in body for body in bodies)


HIDE = """state => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Say that the page is hidden, as on a locked phone, or visible."""


def test_a_locked_phone_stays_out_of_draws(table: Seated, windows: Open) -> None:
    ana, ben = table.sit(windows(), "p1", "Ana"), table.sit(windows(look=PHONE), "p2", "Ben")
    contributes(ana)
    contributes(ben)
    table.bring_by(ana)
    is_coarse = ben.evaluate("() => matchMedia('(pointer: coarse)').matches")
    assert is_coarse
    ben.evaluate(HIDE, "hidden")
    assert eventually(lambda: table.seat("p2").get("away"))
    with giving(table.gm):
        ended = table.ended(table.ask_by(ana))
        assert (ended["status"], sorted(ended["contributed"])) == ("drawn", ["gm", "house", "p1"])
        table.settle_by(ana)
        ben.evaluate(HIDE, "visible")
        assert eventually(lambda: not table.seat("p2").get("away"))
        ended = table.ended(table.ask_by(ana))
        assert "p2" in ended["contributed"]
    assert valid(table)


def test_without_a_network_it_waits_and_contributes_again(table: Seated, windows: Open) -> None:
    window = windows()
    ana = table.sit(window, "p1", "Ana")
    contributes(ana)
    table.bring_by(ana)
    with window.offline():
        has_status(ana, "offline")
    with giving(table.gm):
        k = table.ask_by(ana)
        assert table.ended(k)["status"] == "drawn"
    assert valid(table)


NEVER_SENT = """() => {
    const really = fetch;
    window.fetch = (address, more) => {
        if (!address.endsWith("/contributions")) return really(address, more);
        window.tried = true;
        return new Promise(() => {});
    };
}"""
"""Store what the page contributes, and never send it."""


def test_a_tab_killed_while_it_contributes_is_missed_and_comes_back(
    url: str, tmp_path: Path, windows: Open
) -> None:
    with closing(Seated(url, tmp_path, deadline=1)) as table:
        window = windows()
        ana = table.sit(window, "p1")
        contributes(ana)
        table.bring_by(ana)
        ana.evaluate(NEVER_SENT)
        with giving(table.gm):
            k = table.ask_by(ana)
            ana.wait_for_function("() => window.tried")
            again = ana.context.new_page()
            ana.close()
            ended = table.ended(k)
            assert (ended["status"], ended["missing"]) == ("void", ["p1"])
            again.goto(table.page)
            contributes(again)
            again.locator("[data-part=missed]").wait_for()
            assert table.ended(table.ask_by(again))["status"] == "drawn"
            again.locator("[data-part=missed]").wait_for(state="detached")
        assert valid(table)


def lied_to(table: Seated, windows: Open, bends: Bend) -> Page:
    """Return p1's browser, to which the server told the truth about one draw, and lies from then on."""
    window = windows()
    window.expect(f"{table.gm.path}/draws/2")  # a draw of the lies: the page asks how long it waits
    ana = table.sit(window, "p1")
    contributes(ana)
    table.bring_by(ana)
    with giving(table.gm):
        table.ended(table.ask_by(ana))
    table.settle_by(ana)
    bend(ana, "**/v1/sessions/*/draws/pending*", partial(bends, "/draws/pending"))
    bent = bend(ana, "**/v1/sessions/*/events*", partial(bends, "/events"))
    # A request from before may be answered after the next command, and truly. The page reads the
    # log one request after the other, so none is left when one of its requests has been bent.
    table.narrate_by(ana)
    while not any("leaves=true" in address for address in bent):
        ana.wait_for_timeout(20)
    return ana


@pytest.mark.parametrize(("bends", "code"), [row[1:] for row in LIES], ids=[row[0] for row in LIES])
def test_it_checks_before_it_contributes(
    table: Seated, windows: Open, bends: Bend, code: str
) -> None:
    ana = lied_to(table, windows, for_p1(bends))
    k = table.ask_by(ana)
    assert f"{code}: " in caught(ana)
    assert "p1" not in table.state(k)["contributed"]
    ana.unroute_all()
    ana.reload()
    assert f"{code}: " in caught(ana)  # it is stored: nothing is contributed any more
    assert "p1" not in table.state(k)["contributed"]


@pytest.mark.parametrize(
    ("bends", "code"), [row[1:] for row in LATER], ids=[row[0] for row in LATER]
)
def test_a_draw_is_compared_with_what_was_contributed(
    table: Seated, windows: Open, bends: Bend, code: str
) -> None:
    ana = lied_to(table, windows, for_p1(bends))
    with giving(table.gm):
        table.ask_by(ana)
        assert f"{code}: " in caught(ana)


ANOTHER_LINK = """([id, seat, link]) => new Promise((done, no) => {
    const opened = indexedDB.open("fairlog", 1);
    opened.onsuccess = () => {
        const change = opened.result.transaction("seats", "readwrite");
        const seats = change.objectStore("seats");
        seats.get(id).onsuccess = ({ target: { result } }) => {
            result.kept.contributed.links[seat] = link;
            seats.put(result);
        };
        change.oncomplete = () => done();
        change.onabort = () => no(change.error);
    };
})"""
"""Change what the seat has stored of another contributor's link."""


def test_after_a_reload_the_links_of_others_are_those_to_which_it_contributed(
    table: Seated, windows: Open
) -> None:
    """A server that opens another anchor of the GM's looks like this."""
    ana = table.sit(windows(), "p1")
    contributes(ana)
    table.bring_by(ana)
    k = table.ask_by(ana)
    assert eventually(lambda: "p1" in table.state(k)["contributed"])
    ana.reload()
    contributes(ana)
    ana.evaluate(ANOTHER_LINK, [f"{table.gm.data.session}/p1", "gm", "02" * 32])
    ana.reload()
    assert "E_ANCHOR: " in caught(ana)


def for_p1(bends: Bend) -> Bend:
    """Turn an attack on p2 beside p1 into one on p1 beside the GM."""

    def bent(path: str, told: Any) -> None:
        leaves = leaves_of(told)
        other = renamed(told, {"p1": "p2", "gm": "p1"})
        bends(path, other)
        told.clear()
        told.update(renamed(other, {"p2": "p1", "p1": "gm"}))
        for event, old in zip(told.get("events", ()), leaves, strict=True):
            if event.get("leaf") != old:
                event["leaf"] = new_leaf(event)  # with the names renamed back

    return bent


def leaves_of(answer: Any) -> list[str | None]:
    return [event.get("leaf") for event in answer.get("events", ())]


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def open_seat_file(page: Page) -> None:
    menu_button(page).click()
    folded = page.get_by_role("dialog").locator("summary")  # on a phone only
    if folded.count():
        folded.click()
    page.get_by_role("button", name="Keys of your seat").click()


def handed_over(page: Page, file: Path) -> Path:
    """Save the file of the browser's seat."""
    open_seat_file(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the file").click()
    download.value.save_as(file)
    return file


def brought_in(table: Seated, window: Window, file: Path) -> Page:
    """Sign in on another device with the seat's file."""
    page = window.open(f"/s/{table.gm.data.session}/seat")
    page.get_by_label("Open a seat file").set_input_files(file)
    page.wait_for_url(f"{window.url}{table.page}")
    page.get_by_role("heading", level=1).wait_for()
    return page


def test_its_file_continues_in_the_python_client(
    table: Seated, windows: Open, tmp_path: Path
) -> None:
    ana = table.sit(windows(), "p1")
    contributes(ana)
    table.bring_by(ana)
    with giving(table.gm):
        table.ended(table.ask_by(ana))
        table.settle_by(ana)
        file = handed_over(ana, tmp_path / "p1.seat")
        data = SeatFile.read(file).data
        assert (data.server, data.seat) == (table.url, "p1")
        assert (len(data.chains), len(data.receipts)) == (1, 1)
        table.sittings["p1"] = resume(file, allow_other_clients=True)
        given = contributions(ana)
        ana.goto(table.page)
        has_status(ana, "moved")
        with giving(table.sittings["p1"]):
            assert table.ended(table.ask_by(ana))["status"] == "drawn"
        assert given == []
    assert valid(table)


def test_the_python_clients_file_continues_in_a_browser(table: Seated, windows: Open) -> None:
    table.join("p1")
    table.bring()
    with giving(table.gm, table.sittings["p1"]):
        table.ended(table.ask()["waiting"]["number"])
    table.settle()
    table.sittings["p1"].close()
    ana = brought_in(table, windows(), table.file("p1"))
    contributes(ana)
    with giving(table.gm):
        k = table.ask_by(ana)
        assert table.ended(k)["status"] == "drawn"
    assert valid(table)


def test_a_seat_that_was_left_comes_back_with_its_next_chain(table: Seated, windows: Open) -> None:
    window = windows()
    ana = table.sit(window, "p1", "Ana")
    contributes(ana)
    table.bring_by(ana)
    menu_button(ana).click()
    ana.get_by_role("button", name="Leave the seat").click()
    ana.get_by_role("button", name="Leave the seat").last.click()
    assert eventually(lambda: not table.seat("p1")["occupied"])
    ana.wait_for_url(lambda url: "/s/" not in url)
    ana.goto(f"/join/{table.invite('p1')}")
    ana.get_by_role("button", name="Sit down").click()
    assert eventually(lambda: table.seat("p1")["occupied"])
    assert table.seat("p1")["chain"]["number"] == 1
    ana.wait_for_url(lambda url: "/s/" in url)
    ana.goto(table.page)
    contributes(ana)
    with giving(table.gm):
        assert table.ended(table.ask_by(ana))["status"] == "drawn"
    assert valid(table)


def test_a_second_device_without_the_keys_plays_and_says_so(table: Seated, windows: Open) -> None:
    ana = table.sit(windows(), "p1")
    contributes(ana)
    token = json.loads(ana.evaluate(TOKEN, table.gm.data.session))["token"]
    second = windows().open(f"/s/{table.gm.data.session}/seat#{token}")
    has_status(second, "other-device")
    table.bring_by(second)
    with giving(table.gm):
        assert table.ended(table.ask_by(second))["status"] == "drawn"


TOKEN = "async session => (await fetch(`/s/${session}/token`, { method: 'POST' })).text()"


def test_with_few_links_left_it_goes_on_to_the_next_chain(table: Seated, windows: Open) -> None:
    with_links(table, 65).close()
    ben = brought_in(table, windows(), table.file("p2"))
    contributes(ben)
    table.join("p1")
    table.bring()
    with giving(table.gm, table.sittings["p1"]):
        for chain in (0, 1):
            k = table.ask()["waiting"]["number"]
            state = table.ended(k)
            [place] = [each for each in state["contributors"] if each["seat"] == "p2"]
            assert place == {"seat": "p2", "chain": chain, "position": 1}
            table.settle()
            assert eventually(lambda: table.seat("p2")["chain"]["number"] == 1)
    assert valid(table)
