"""A seat in a browser: it gives to every draw by itself, and to none where the log does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from service.client.join import resume
from service.client.seat_file import SeatFile
from tests.browser.seat_pages import Browsed, bend, caught, gives, giving, handed_over
from tests.browser.windows import PHONE, Window
from tests.client.lying_server import Bend, new_leaf
from tests.client.tables import served, valid, with_links
from tests.client.test_attacks import AFTER, BEFORE
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


@pytest.fixture
def table(url: str, tmp_path: Path) -> Iterator[Browsed]:
    with closing(Browsed(url, tmp_path)) as laid:
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


def test_two_browsers_and_the_client_draw_together(table: Browsed, windows: Open) -> None:
    ana, ben = table.sit(windows(), "p1", "Ana"), table.sit(windows(look=PHONE), "p2", "Ben")
    gives(ana)
    gives(ben)
    table.bring_by(ana)
    with giving(table.gm):
        k = table.ask_by(ana)
        ended = table.ended(k)
    assert (ended["status"], sorted(ended["contributed"])) == ("drawn", ["gm", "house", "p1", "p2"])
    assert table.grades(k) == ["A"]
    for page in (ana, ben):
        page.locator('#links [data-grade="A"]').wait_for()
    assert valid(table)


@pytest.mark.parametrize("host", HOSTS)
def test_of_two_tabs_one_gives(table: Browsed, windows: Open, host: str) -> None:
    """Also on plain http, where a page has neither WebCrypto nor locks."""
    window = windows(url=table.url.replace("127.0.0.1", host))
    first = table.sit(window, "p1")
    gives(first)
    has = first.evaluate("() => [crypto.subtle !== undefined, navigator.locks !== undefined]")
    assert has == [host == "127.0.0.1"] * 2
    given = contributions(first)
    second = first.context.new_page()
    more = contributions(second)
    second.goto(table.page)
    second.locator('#links [data-state="tab"]').wait_for()
    table.bring_by(second)
    with giving(table.gm):
        table.ended(table.ask_by(second))
        first.wait_for_timeout(100)  # what it sent is told
        assert (len(given), len(more)) == (1, 0)
        table.settle_by(second)
        first.close()
        gives(second)
        table.ended(table.ask_by(second))
    second.wait_for_timeout(100)
    assert len(more) == 1
    assert valid(table)


NEVER_SENT = """() => {
    const really = fetch;
    window.fetch = (address, more) => {
        if (!address.endsWith("/contributions")) return really(address, more);
        window.tried = true;
        return new Promise(() => {});
    };
}"""
"""What it gives is saved, and never gets away."""


def contributions(page: Page) -> list[str]:
    """What it gives from now on."""
    given: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/contributions"):
            given.append(request.url)

    page.on("request", note)
    return given


def test_a_tab_killed_while_it_gives_is_missed_and_comes_back(
    url: str, tmp_path: Path, windows: Open
) -> None:
    with closing(Browsed(url, tmp_path, deadline=1)) as table:
        window = windows()
        ana = table.sit(window, "p1")
        gives(ana)
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
            gives(again)
            again.locator("#links [data-part=missed]").wait_for()
            assert table.ended(table.ask_by(again))["status"] == "drawn"
            again.locator("#links [data-part=missed]").wait_for(state="detached")
        assert valid(table)


def lied_to(table: Browsed, windows: Open, bends: Bend) -> Page:
    """p1's browser, honestly told of one draw, and from then on by `bends`."""
    window = windows()
    window.expect(f"{table.gm.path}/draws/2")  # a draw of the lies: the page asks how long it waits
    ana = table.sit(window, "p1")
    gives(ana)
    table.bring_by(ana)
    with giving(table.gm):
        table.ended(table.ask_by(ana))
    table.settle_by(ana)
    bend(ana, "**/v1/sessions/*/draws/pending*", partial(bends, "/draws/pending"))
    bent = bend(ana, "**/v1/sessions/*/events*", partial(bends, "/events"))
    # A request from before may be answered after the next command, and honestly. The page reads the
    # log one request after the other, so none is left when one of its requests has been bent.
    table.narrate_by(ana)
    while not any("leaves=true" in address for address in bent):
        ana.wait_for_timeout(20)
    return ana


@pytest.mark.parametrize(("bends", "code"), [row[1:] for row in LIES], ids=[row[0] for row in LIES])
def test_before_it_gives_it_checks(table: Browsed, windows: Open, bends: Bend, code: str) -> None:
    ana = lied_to(table, windows, for_p1(bends))
    k = table.ask_by(ana)
    assert caught(ana).startswith(f"{code}: ")
    assert "p1" not in table.state(k)["contributed"]
    ana.unroute_all()
    ana.reload()
    assert caught(ana).startswith(f"{code}: ")  # it is kept: nothing is given any more
    assert "p1" not in table.state(k)["contributed"]


@pytest.mark.parametrize(
    ("bends", "code"), [row[1:] for row in LATER], ids=[row[0] for row in LATER]
)
def test_what_was_drawn_is_held_against_what_it_gave(
    table: Browsed, windows: Open, bends: Bend, code: str
) -> None:
    ana = lied_to(table, windows, for_p1(bends))
    with giving(table.gm):
        table.ask_by(ana)
        assert caught(ana).startswith(f"{code}: ")


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
"""What the seat keeps of another contributor's link is changed."""


def test_after_a_reload_the_links_of_others_are_those_to_which_it_gave(
    table: Browsed, windows: Open
) -> None:
    """A server that opens another anchor of the GM's looks like this."""
    ana = table.sit(windows(), "p1")
    gives(ana)
    table.bring_by(ana)
    k = table.ask_by(ana)
    assert eventually(lambda: "p1" in table.state(k)["contributed"])
    ana.reload()
    gives(ana)
    ana.evaluate(ANOTHER_LINK, [f"{table.gm.data.session}/p1", "gm", "02" * 32])
    ana.reload()
    assert caught(ana).startswith("E_ANCHOR: ")


def for_p1(bends: Bend) -> Bend:
    """The attacks are on p2, with p1 beside it; here on p1, with the GM beside it."""

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


def test_its_file_goes_on_in_the_python_client(
    table: Browsed, windows: Open, tmp_path: Path
) -> None:
    ana = table.sit(windows(), "p1")
    gives(ana)
    table.bring_by(ana)
    with giving(table.gm):
        table.ended(table.ask_by(ana))
        table.settle_by(ana)
        file = handed_over(ana, table.page, tmp_path / "p1.seat")
        kept = SeatFile.read(file).data
        assert (kept.server, kept.seat, len(kept.chains), len(kept.receipts)) == (
            table.url,
            "p1",
            1,
            1,
        )
        table.sittings["p1"] = resume(file, allow_other_clients=True)
        given = contributions(ana)
        ana.goto(table.page)
        ana.locator('#links [data-state="handed"]').wait_for()
        with giving(table.sittings["p1"]):
            assert table.ended(table.ask_by(ana))["status"] == "drawn"
        assert given == []
    assert valid(table)


def test_the_python_clients_file_goes_on_in_a_browser(table: Browsed, windows: Open) -> None:
    table.join("p1")
    table.bring()
    with giving(table.gm, table.sittings["p1"]):
        table.ended(table.ask()["waiting"]["number"])
    table.settle()
    table.sittings["p1"].close()
    ana = brought_in(table, windows(), table.file("p1"))
    gives(ana)
    with giving(table.gm):
        k = table.ask_by(ana)
        assert table.ended(k)["status"] == "drawn"
    assert valid(table)


def brought_in(table: Browsed, window: Window, file: Path) -> Page:
    """Another device enters with the seat's file."""
    page = window.open(table.page, 401)
    page.get_by_label("Your seat's file").set_input_files(file)
    page.wait_for_url(f"{window.url}{table.page}")
    page.get_by_role("heading", level=1).wait_for()
    return page


def test_with_few_links_left_it_goes_on_to_the_next_chain(table: Browsed, windows: Open) -> None:
    with_links(table, 65).close()
    ben = brought_in(table, windows(), table.file("p2"))
    gives(ben)
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
