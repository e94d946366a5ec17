"""Three browsers at one table: what a GM and two players do by the pages, and what all three of them then show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from domain.ruleset import AnyRuleset
from tests.browser.forms import form, press
from tests.browser.seat_pages import gives
from tests.browser.session_page import WIDER, go, ready, shows
from tests.browser.windows import Window

NAMES = {"gm": "Mo", "p1": "Ana", "p2": "Ben"}
TITLE = "A short evening"
DEADLINE = 20
"""Seconds that a draw waits. Only the draw that is given up takes them.

`make long` runs load tests beside this one, and a seat's page can then take seconds to answer.
"""
ARRIVED = """head => document.querySelector("#where").dataset.version === head
    && document.querySelector("#actions [name=version]").value === head"""
UNSEEN = """() => [...document.querySelectorAll("#actions .act")]
    .filter(each => each.getBoundingClientRect().height === 0).map(each => each.dataset.part)"""
ASK = "async path => (await fetch(path, { headers: { Accept: 'application/json' } })).json()"

Value = str | int | bool | tuple[str, ...]


class Step(NamedTuple):
    """A command of the game's: by whom, and how the fields of its form are filled in."""

    by: str
    kind: str
    says: Mapping[str, Value]
    rolls: bool


def does(by: str, kind: str, /, **says: Value) -> Step:
    return Step(by, kind, says, rolls=False)


def rolls(by: str, kind: str, /, **says: Value) -> Step:
    """The same of a command that asks for chance."""
    return Step(by, kind, says, rolls=True)


class Company:
    """The GM's window and the players', each with cookies and keys of its own."""

    def __init__(self, ruleset: AnyRuleset, windows: Mapping[str, Window]) -> None:
        self.ruleset, self.windows = ruleset, windows
        self.pages = {seat: window.page for seat, window in windows.items()}
        self.path = ""

    def begin(self) -> None:
        """The GM opens the evening on the first page; the table draws."""
        page = self.windows["gm"].open("/")
        page.get_by_role("link", name=self.ruleset.title, exact=True).click()
        page.get_by_label("Title of the evening").fill(TITLE)
        page.get_by_label("Your name, as the GM").fill(NAMES["gm"])
        page.get_by_label("The table: each seat").check()
        page.get_by_text("Options", exact=True).click()
        page.get_by_label("Deadline").fill(str(DEADLINE))
        page.get_by_role("button", name="Begin the evening").click()
        page.wait_for_url("**/s/*")
        self.path = urlsplit(page.url).path
        session = self.path.rpartition("/")[2]
        # A page asks whether a command is allowed, then for its odds. In between, another seat's
        # command can come first, and the answer is 409.
        for window in self.windows.values():
            window.expect(f"/v1/sessions/{session}/odds")

    def join(self, seat: str) -> None:
        """By the link of an invitation that the GM makes on the page of people."""
        link = self._invited(seat)
        page = self.windows[seat].open(urlsplit(link).path)
        page.get_by_label("Your name").fill(NAMES[seat])
        page.get_by_role("button", name="Take the seat").click()
        page.wait_for_url(f"**{self.path}")
        gives(page)

    def _invited(self, seat: str) -> str:
        page = self.to("gm", "People")
        page.get_by_label("Seat", exact=True).fill(seat)
        page.get_by_role("button", name="Make the invitation").click()
        link = page.get_by_label("Link", exact=True).input_value()
        self.to("gm", "Table")
        return link

    def to(self, seat: str, name: str) -> Page:
        """Another page of the session, by the way among them."""
        page = self.pages[seat]
        page.get_by_role("navigation", name="This session").get_by_role(
            "link", name=name, exact=True
        ).click()
        page.get_by_role("navigation", name="This session").locator(
            "[aria-current]", has_text=name
        ).wait_for()
        return page

    def ask(self, path: str = "", seat: str = "gm") -> Any:
        """What the API tells the seat's browser."""
        return self.pages[seat].evaluate(ASK, f"/v1/sessions/{self.path.rpartition('/')[2]}{path}")

    def tables(self) -> list[object]:
        """As each of the three may see it."""
        return [self.ask(seat=seat)["table"] for seat in self.pages]

    def together(self, *absent: str) -> int:
        """Until all who are there show the newest version and can act on it; that version."""
        head = int(self.ask()["version"])
        for page in (page for seat, page in self.pages.items() if seat not in absent):
            page.wait_for_function(ARRIVED, arg=str(head))
            shows(page, head, head)
        return head

    def declare(self, step: Step, audience: str = "", absent: tuple[str, ...] = ()) -> int:
        """The form is filled in and sent; the version that the turn began behind."""
        before = self.together(*absent)
        page = self.pages[step.by]
        found = form(page, f"{self.ruleset.name}.{step.kind}")
        for name, value in step.says.items():
            enter(found, f"c.{name}", value)
        if audience:
            found.locator("[data-part=more] > summary").click()
            found.get_by_label("For whom").select_option(audience)
        press(found)
        page.locator(f"#came .number:text-is('{before + 1}')").wait_for()
        return before

    def play(self, step: Step, audience: str = "") -> list[str]:
        """The step, done: with a roll that all three have given to. The lines that its seat is told of it."""
        before = self.declare(step, audience)
        page = self.pages[step.by]
        page.locator("#came strong:text-is('Done.')").wait_for()
        self.together()
        assert page.evaluate(WIDER) == 0
        self.nothing_lost(page)
        events = self.ask(f"/events?after={before}", step.by)["events"]
        graded = {event["version"]: event["grade"] for event in events if "grade" in event}
        assert (set(graded.values()) == {"A"}) == step.rolls, (step, graded)
        for each in self.pages.values() if step.rolls and not audience else ():
            expect(each.locator("#links [data-part=grade]")).to_contain_text(
                f"version {max(graded)}: grade A"
            )
        return [event["text"] for event in events]

    def nothing_lost(self, page: Page) -> None:
        """What may be done later is there when its closed group is opened."""
        for group in page.locator("#actions details.later > summary").all():
            group.click()
        assert page.evaluate(UNSEEN) == []
        for group in page.locator("#actions details.later > summary").all():
            group.click()

    def rewind(self, to: int, way: str, reason: str) -> Page:
        """By the GM's link with these words, up to the preview of what it would do."""
        page = self.pages["gm"]
        page.get_by_role("link", name=way, exact=True).click()
        page.get_by_role("heading", name=f"Rewind to version {to}").wait_for()
        page.get_by_label("Reason").fill(reason)
        return page

    def rewound(self) -> None:
        """The preview is agreed to."""
        page = self.pages["gm"]
        page.get_by_role("button", name="Rewind").click()
        page.wait_for_url("**/s/*did=*")
        gives(ready(page))

    def look_back(self, at: int) -> None:
        """The GM looks at that version."""
        go(self.pages["gm"], at)
        shows(self.pages["gm"], at)


def enter(found: Locator, name: str, value: Value) -> None:
    """One field of a form, whichever sort it is."""
    fields = found.locator(f'[name="{name}"]')
    match fields.first.evaluate("each => each.type"):
        case "radio":
            found.locator(f'[name="{name}"][value="{as_text(value)}"]').check()
        case "checkbox":
            fields.set_checked(bool(value))
        case "select-one":
            for nth, each in enumerate(value if isinstance(value, tuple) else (value,)):
                fields.nth(nth).select_option(as_text(each))
        case _:
            fields.fill(as_text(value))


def as_text(value: Value) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(value)
    return str(value)


def numbers(page: Page) -> list[int]:
    """The versions of the log's lines, as they stand there."""
    return [int(each) for each in page.locator("#rows .number").all_inner_texts()]
