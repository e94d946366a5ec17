"""What a screen reader says of the log: each turn once, whoever made it, also after a lost connection."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_playing import FreeEvening, write
from tests.browser.windows import LAPTOP, PHONE, Look, Window
from tests.client.tables import served

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]

LISTEN = """() => {
    const LIVE = "[role=log], [role=status], [role=alert], [role=timer], [aria-live]";
    const OFF = "[aria-live=off], [role=timer]";
    const SILENT = `${OFF}, [aria-hidden=true], dialog:not([open])`;
    window.announced = [];
    const says = node => {
        if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeType === Node.TEXT_NODE ? node.data : "";
        const copy = node.cloneNode(true);
        for (const each of copy.querySelectorAll(SILENT)) each.remove();
        return copy.textContent;
    };
    const announce = node => {
        const said = says(node).replace(/\\s+/g, " ").trim();
        if (said) announced.push(said);
    };
    new MutationObserver(records => {
        const fresh = new Set(records.flatMap(each =>
            each.type === "characterData" ? [each.target] : [...each.addedNodes]));
        for (const node of fresh) {
            const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
            if (!element?.isConnected) continue;
            let above = node.parentElement;
            while (above && !fresh.has(above)) above = above.parentElement;
            if (above) continue;
            const region = element.closest(LIVE);
            if (!region) element.querySelectorAll("[role=alert]").forEach(announce);
            else if (!region.matches(OFF) && !element.closest("[aria-hidden=true]")) announce(node);
        }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""Note what is added to live regions, and which of their texts change, as screen readers announce it."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that ends each stream after two seconds, so that pages connect again and again."""
    with served(tmp_path_factory.mktemp("streams"), FAIRLOG_STREAM_SECONDS="2") as at:
        yield at


@pytest.fixture
def evening(url: str) -> FreeEvening:
    return FreeEvening(url)


def announced(page: Page) -> list[str]:
    found: list[str] = page.evaluate("announced")
    return found


def times(page: Page, said: str) -> int:
    """Return how often the screen reader has said this."""
    return sum(each.count(said) for each in announced(page))


@pytest.mark.parametrize("look", [LAPTOP, PHONE], ids=str)
def test_each_turn_is_announced_once(windows: Open, evening: FreeEvening, look: Look) -> None:
    opened: list[Window] = []

    def open_(look: Look) -> Window:
        opened.append(windows(look))
        return opened[-1]

    ana = evening.page(open_, "p1", look)
    gm = evening.page(windows, "gm")
    ana.evaluate(LISTEN)
    log = ana.get_by_role("log")
    words = [f"Drop number {nth} falls." for nth in range(6)]

    def expect_shown(said: str) -> None:
        """Wait for both pages, because a command from a page that is behind is sent twice."""
        for page in (ana, gm):
            expect(page.get_by_role("log")).to_contain_text(said)

    write(ana, words[0])
    expect_shown(words[0])
    write(gm, words[1])
    expect_shown(words[1])
    write(ana, "/r 2d6+1 for the old door")
    expect_shown("the old door")
    write(ana, "/check")
    expect_shown("makes a check")
    write(gm, "/r d20 for the rat")
    expect_shown("the rat")
    settle = log.get_by_role("button", name=re.compile("^Keep"))
    if settle.count():  # some checks end at once
        # The line has the focus and shows recent commands. The press must not miss when they go.
        settle.first.click()
        for page in (ana, gm):
            expect(page.get_by_role("log").get_by_role("button", name="Keep")).to_have_count(0)
    write(gm, words[2])
    expect(log).to_contain_text(words[2])
    with opened[0].offline():
        write(gm, words[3])
        expect(gm.get_by_role("log")).to_contain_text(words[3])
        write(ana, words[4])
        expect(ana.locator(".unsent")).to_be_visible()
    expect(ana.locator(".live")).to_have_text("Live")
    expect(ana.locator(".unsent")).to_have_count(0)
    expect(log).to_contain_text(words[4])
    write(gm, words[5])
    expect(log).to_contain_text(words[5])
    told = announced(ana)
    expect(ana.get_by_role("log")).to_have_count(1)
    for said in (*words, "Ana makes a check", "the old door", "the rat"):
        assert times(ana, said) == 1, (said, told)
