"""Looking back in a real browser: the timeline, a moment of the past, rewinds, forks, and the end of a session."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from service.client.api import ApiConnection
from tests.browser.conftest import Open
from tests.browser.long_session import grown
from tests.browser.main_thread import measure
from tests.browser.pages import RULES, WIDER, menu_button
from tests.browser.test_table import Evening
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look, Window
from tests.support.scale import scale

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]

SECRET = "zqx-the-abbot-is-dead"
REASON = "That was the wrong door"
DRAG = """nth => {
    const slider = document.querySelector(".slider");
    const { left, width } = slider.getBoundingClientRect();
    const place = { clientX: left + width * (0.3 + 0.001 * nth), bubbles: true, pointerId: 1 };
    if (!nth) {
        slider.setPointerCapture = () => {};
        slider.dispatchEvent(new PointerEvent("pointerdown", place));
    }
    slider.dispatchEvent(new PointerEvent("pointermove", place));
}"""
"""A move of a pointer that drags the timeline."""


class Reviewed(Evening):
    """The same session after some checks.

    `rolls` has the last version of each check's turn, and `settled` the version after it was
    settled, which the log shows as one with the check.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        for seat, entity in (("p1", "ana"), ("p2", "ben"), ("p1", "ana")):
            self.command(seat, kind="Check", entity=entity)
            self.command(seat, kind="Settle", entity=entity)
        marks = self.marks()
        self.rolls = [mark["last"] for mark in marks if mark["sort"] == "roll"]
        self.settled = [
            marks[nth + 1]["last"] for nth, mark in enumerate(marks) if mark["sort"] == "roll"
        ]

    def read(self, path: str = "", seat: str = "gm") -> Any:
        with closing(ApiConnection(self.url, self.tokens[seat])) as api:
            return api.get(self.path + path).json

    def marks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.read("/timeline")["marks"]
        return found

    def look(self, windows: Open, at: int | str, seat: str = "gm", look: Look = LAPTOP) -> Page:
        """Open the review of a version."""
        window = windows(look)
        cookie = {"name": "fairlog-seat", "value": self.tokens[seat], "url": self.url}
        window.page.context.add_cookies([cookie])
        page = window.open(f"/s/{self.session}/at/{at}")
        expect(page.locator(".here")).to_be_visible()
        return page

    def rewind(self, to: int) -> None:
        self.send("gm", f"{self.path}/rewind", {"to": to, "reason": REASON})


@pytest.fixture
def evening(url: str) -> Reviewed:
    return Reviewed(url)


def shown_turn(page: Page) -> int:
    return int(page.locator(".slider .pht").text_content() or "")


@pytest.mark.smoke
def test_a_moment_is_shown_stepped_through_and_rewound_to(windows: Open, evening: Reviewed) -> None:
    first = evening.settled[0]
    page = evening.look(windows, evening.rolls[0])
    page.wait_for_url(f"**/at/{first}")  # the check and its end are one card, and one moment
    expect(page.locator(".here .die")).to_have_count(1)
    expect(page.locator(".look")).to_contain_text(re.compile(r"You are looking at turn \d+ · "))
    expect(page.locator(".here .die")).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_count(0)
    rolled = page.locator(".diff .rolled")
    expect(rolled).to_contain_text("Die")
    expect(rolled.locator("b")).to_have_text(page.locator(".here .die").inner_text())
    expect(rolled.get_by_role("link")).to_have_attribute("href", re.compile(r"/draws/\d+$"))
    before = shown_turn(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".slider .pht")).to_have_text(str(before + 2))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".slider .pht")).to_have_text(str(before))
    page.get_by_role("button", name="Rewind to here").click()
    dialog = page.locator("dialog[open]")
    expect(dialog.locator(".big3")).to_contain_text("4 turns")
    lines = dialog.locator(".lost-list > div")
    expect(lines).to_have_count(2)  # to settle a check is a part of its line
    expect(lines.last).to_contain_text("Ana makes a check")
    dialog.get_by_role("button", name="Rewind 4 turns").click()
    page.wait_for_url("**/s/*")
    assert evening.read()["table"]["boards"] == evening.read(f"?version={first}")["table"]["boards"]


def test_the_table_leads_to_the_past_and_back(windows: Open, evening: Reviewed) -> None:
    page = evening.page(windows, "p1")
    bar = page.locator(".time .slider")
    bar.hover(position={"x": 150, "y": 12})
    expect(page.locator(".turn-tip")).to_contain_text(re.compile("this minute|ago"))
    bar.click(position={"x": 150, "y": 12})
    page.wait_for_url("**/at/*")
    expect(page.locator(".here")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".here .die")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/at/{evening.settled[-2]}")
    turn = shown_turn(page)
    assert evening.marks()[turn - 1]["last"] == evening.settled[-2]
    page.reload()
    expect(page.locator(".slider .pht")).to_have_text(str(turn))
    expect(page.get_by_role("button", name="Rewind")).to_have_count(0)
    page.go_back()
    page.wait_for_url("**/s/*")


def test_each_version_shows_the_table_as_it_was(windows: Open, evening: Reviewed) -> None:
    page = evening.look(windows, 1)
    ring = page.locator(".ring")
    ends = dict(zip(evening.rolls, evening.settled, strict=True))
    for mark in evening.marks()[-7:]:
        page.goto(f"{evening.url}/s/{evening.session}/at/{mark['last']}")
        shown = ends.get(mark["last"], mark["last"])
        table = evening.read(f"?version={shown}")["table"]
        [board] = table["boards"].values()
        expect(ring).to_have_attribute(
            "aria-label", re.compile(re.escape(board["points"][board["index"]]))
        )
        expect(page.locator(".party .being")).to_have_count(len(table["entities"]))


def test_what_was_undone_is_a_branch_that_can_be_compared_and_brought_back(
    windows: Open, evening: Reviewed
) -> None:
    tip = evening.read()["version"]
    rolled = evening.read()["table"]["boards"]
    evening.rewind(evening.rolls[0])
    page = evening.look(windows, "newest")
    expect(page.locator(".here .rewound")).to_contain_text(f"Gwen undid 5 turns: “{REASON}”")
    branch = page.locator(".branch")
    expect(branch).to_contain_text("still undone")
    branch.get_by_role("button", name="Compare").click()
    expect(branch.locator(".diff, .soft").last).to_be_visible()
    branch.get_by_role("button", name="Bring back").click()
    dialog = page.locator("dialog[open]")
    expect(dialog.locator(".big3")).to_contain_text("5 turns")
    expect(dialog.locator(".big3")).to_contain_text("come back")
    dialog.get_by_role("button", name="Bring back 5 turns").click()
    page.wait_for_url("**/s/*")
    assert evening.read()["table"]["boards"] == rolled
    assert evening.read()["version"] == tip + 2


def test_a_fork_opens_the_new_session(windows: Open, evening: Reviewed) -> None:
    page = evening.look(windows, evening.rolls[0], "p1")
    page.get_by_role("button", name="Fork").click()
    page.locator("dialog[open]").get_by_role("button", name="Fork and open it").click()
    page.wait_for_url(lambda address: evening.session not in address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("The salt mine (from turn")
    expect(page.locator(".party")).to_contain_text("Ana")


def test_a_session_ends_and_the_next_one_starts_from_it(windows: Open, evening: Reviewed) -> None:
    page = evening.page(windows, "gm")
    player = evening.page(windows, "p1")
    menu_button(page).click()
    page.get_by_role("button", name="End session").click()
    page.locator("dialog[open]").get_by_role("button", name="End the session").click()
    expect(page.locator(".ended")).to_contain_text("This session has ended")
    page.get_by_role("button", name="Next session from here").click()
    dialog = page.locator("dialog[open]")
    expect(dialog.get_by_label("Title")).to_have_value("The salt mine 2")
    dialog.get_by_role("button", name="Start the next session").click()
    expect(dialog.locator(".seat-links li")).to_have_count(2)
    expect(player.locator(".live")).to_have_text("Ended")
    expect(player.get_by_role("log")).to_contain_text("This session has ended.")
    player.get_by_role("link", name="Join the next session").click()
    expect(player.get_by_role("main")).to_contain_text("You play Ana, as before.")
    link = (
        dialog.locator("li")
        .filter(has=page.get_by_text("P1", exact=True))
        .locator("code")
        .inner_text()
    )
    ana = windows(PHONE).open(link[link.index("/join/") :])
    expect(ana.get_by_label("Your name")).to_have_value("P1")
    expect(ana.get_by_role("main")).to_contain_text("You play Ana, as before.")
    ana.get_by_role("button", name="Sit down").click()
    ana.wait_for_url("**/s/*#welcome")
    ana.goto(ana.url.removesuffix("#welcome") + "/character")
    expect(ana.get_by_role("heading", level=1)).to_have_text("Ana is already yours")
    expect(ana.get_by_role("button", name="Make another character")).to_be_visible()
    ana.get_by_role("link", name="To the table").click()
    dialog.get_by_role("link", name="Go to the table").click()
    page.wait_for_url(lambda address: evening.session not in address)
    expect(page.locator(".party")).to_contain_text("Ana")


def test_undoing_twice_undoes_two_turns_and_redoing_twice_brings_both_back(
    windows: Open, evening: Reviewed
) -> None:
    page = evening.page(windows, "gm")
    rolled = evening.read()["table"]
    for nth in (1, 2):
        page.get_by_role("button", name="Undo the last turn").click()
        expect(page.locator(".time .track rect.u")).to_have_count(nth)
    assert len([turn for turn in evening.read("/turns")["turns"] if turn.get("undone")]) == 2
    for nth in (1, 0):
        page.get_by_role("button", name="Redo").click()
        expect(page.locator(".time .track rect.u")).to_have_count(nth)
    expect(page.get_by_role("button", name="Redo")).to_have_count(0)
    assert evening.read()["table"] == rolled


def test_a_secret_of_the_past_stays_with_its_audience(windows: Open, evening: Reviewed) -> None:
    body = {"text": SECRET, "audience": "gm"}
    evening.send("gm", f"{evening.path}/narrate", body)
    gm, ana = (evening.look(windows, "newest", seat) for seat in ("gm", "p1"))
    expect(gm.locator(".here")).to_contain_text(SECRET)
    expect(ana.locator(".here")).to_contain_text("in secret")
    ana.locator(".slider").hover()
    assert SECRET not in ana.content()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_looking_back_is_for_everyone(windows: Open, evening: Reviewed, look: Look) -> None:
    evening.rewind(evening.rolls[1])
    page = evening.look(windows, evening.rolls[0], look=look)
    expect(page.locator(".here .die")).to_be_visible()
    assert page.locator(".time").evaluate("each => each.offsetHeight") <= 56
    for dialog in ("", "Rewind", "Fork"):
        if dialog:
            page.get_by_role("button", name=dialog).first.click()
            expect(page.locator("dialog[open]")).to_be_visible()
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.response["violations"] == [], found.generate_report()
        assert page.evaluate(WIDER) == 0
        if dialog:
            page.keyboard.press("Escape")


def test_a_phone_scrubs_by_touch(windows: Open, evening: Reviewed) -> None:
    page = evening.look(windows, "newest", look=PHONE)
    box = page.locator(".slider").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 5, box["y"] + 20)
    expect(page.locator(".slider .pht")).to_have_text("1")


def test_dragging_through_a_long_session_is_little_work(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The limits are twice the budget of 8 ms, because other tests use the processor's caches, too."""
    with grown(tmp_path_factory.mktemp("long"), scale(2_500, 10_000)) as session:
        window = Window(browser, session.url)
        cookie = {"name": "fairlog-seat", "value": session.token, "url": session.url}
        window.page.context.add_cookies([cookie])
        page = window.open(session.path(f"/at/{session.version() // 2}"))
        expect(page.locator(".here")).to_be_visible()
        expect(page.locator(".track .b").last).to_be_attached()
        empty = measure(browser, page, 300, "() => {}")
        work = measure(browser, page, 300, DRAG)
        print(
            f"\ndragging over {session.version():,} events: p95 {work.p95:.1f} ms a step,"
            f" longest task {work.longest:.1f} ms; without a move {empty.p95:.1f} ms"
        )
        assert work.p95 <= 16, work
        assert work.longest <= 50, work
        assert window.faults == []
        window.close()
