"""The table's page as people use it: choose who acts, press an action, fill in its form, talk, and look."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import settle
from tests.browser.plots import Value
from tests.browser.windows import PHONE, Window

UNFOLD = (
    "each => { for (let at = each; at; at = at.parentElement?.closest('details')) at.open = true }"
)
"""Open what an element is folded into."""
MOVED_ON = "async ([path, before]) => (await (await fetch(path)).json()).version > before"
ASK = "async path => (await fetch(path, { headers: { Accept: 'application/json' } })).json()"


class TablePage:
    """The table in the window of one seat."""

    def __init__(self, window: Window, session: str) -> None:
        self.window, self.page, self.session = window, window.page, session
        self.path = f"/v1/sessions/{session}"

    def open(self) -> None:
        self.window.open(f"/s/{self.session}")
        self.expect_live()

    def expect_live(self) -> None:
        expect(self.page.locator(".live")).to_have_text("Live")

    def ask(self, rest: str = "") -> Any:
        """Return what the API answers to this seat."""
        return self.page.evaluate(ASK, self.path + rest)

    def version(self) -> int:
        return int(self.ask()["version"])

    def shown(self) -> int:
        """Return the version that the log shows."""
        return int(self.page.locator("[role=log]").get_attribute("data-version") or 0)

    def show(self, panel: str) -> None:
        """Show a panel: on a phone they are behind tabs."""
        if self.window.look.width <= PHONE.width:
            self.page.locator("nav.nav").get_by_role("button", name=panel, exact=True).click()

    def entity(self, name: str) -> str:
        """Return the id of the entity with the name."""
        entities = self.ask()["table"].get("entities", {})
        [found] = [each for each, shown in entities.items() if shown["name"] == name]
        return str(found)

    def choose(self, name: str) -> None:
        """Choose who acts."""
        self.show("Party")
        being = self.page.locator(".party .being > .who-is").filter(has_text=name).first
        if being.get_attribute("aria-pressed") != "true":
            with self.page.expect_response(lambda each: "/commands?" in each.url):
                being.click()
        expect(being).to_have_attribute("aria-pressed", "true")

    def act(self, kind: str, fields: Mapping[str, Value], *, is_secret: bool = False) -> int:
        """Do an action, and return the version before it."""
        before, left = self.version(), dict(fields)
        self.show("Act")
        action = self.page.locator(f'.action:has(> [data-kind="{kind}"])').first
        expect(action).to_be_attached()
        settle(self.page)
        action.evaluate(UNFOLD)
        secret = self.page.locator(".opts input[type=checkbox]").first
        if secret.is_checked() != is_secret:
            secret.click()
        for name in fields:
            chips = self.page.locator(f'.actions > .chips[data-field="{name}"]')
            if chips.count():
                chips.locator(f'[data-value="{left.pop(name)}"]').click()
        more = action.locator("> .opt")
        (more if left and more.count() else action.locator("> .act")).click()
        form, chips = action.locator("> form"), action.locator("> .chips")
        if left or action.locator("> [aria-expanded=true]").count():
            expect(form.or_(chips)).to_be_visible()
        if form.count():
            for name, value in left.items():
                fill(form.locator(f'[data-field="{name}"]'), value)
            form.get_by_role("button", name="Do it").click()
        elif left:
            [value] = left.values()
            chips.locator(f"[data-value={json.dumps(json.dumps(value))}]").click()
        elif chips.count():
            chips.locator(".btn.main").click()
        self.page.wait_for_function(MOVED_ON, arg=[self.path, before])
        settle(self.page)
        expect(self.page.locator(".action .refusal")).to_have_count(0)
        return before

    def roll(self, notation: str, name: str, *, is_secret: bool = False) -> int:
        """Roll dice of the tray, or a saved roll by its name, and return the version before it."""
        before = self.version()
        self.show("Act")
        settle(self.page)
        secret = self.page.locator(".opts input[type=checkbox]").first
        if secret.is_checked() != is_secret:
            secret.click()
        actions = self.page.locator(".actions")
        if name:
            actions.get_by_role("button", name=name).click()
        else:
            number, sides, bonus = re.findall(r"(\d+)d(\d+)(?:\+(\d+))?", notation)[0]
            for _ in range(int(number)):
                actions.get_by_label(f"Add a d{sides}", exact=True).click()
            for _ in range(int(bonus or 0)):
                actions.get_by_label("One more", exact=True).click()
            actions.get_by_role("button", name=f"Roll {notation}").click()
        self.page.wait_for_function(MOVED_ON, arg=[self.path, before])
        settle(self.page)
        return before

    def say(self, words: str) -> None:
        self.show("Log")
        self.page.get_by_label("Say something").fill(words)
        self.page.keyboard.press("Enter")
        expect(self.page.locator("[role=log]")).to_contain_text(words)


def fill(field: Locator, value: Value) -> None:
    """Fill in a field of a form, whichever kind it is."""
    listed = field.locator("input[type=checkbox]")
    if listed.count():
        for each in value if isinstance(value, tuple) else (value,):
            field.locator(f"input[value={json.dumps(str(each))}]").check()
        return
    meant = json.dumps(list(value) if isinstance(value, tuple) else value)
    choices = field.locator("input[type=radio]")
    if choices.count():
        field.locator("label").filter(
            has=field.page.locator(f"input[value={json.dumps(meant)}]")
        ).click()
    elif field.locator("select").count():
        field.locator("select").select_option(meant)
    else:
        text = ", ".join(value) if isinstance(value, tuple) else str(value)
        field.locator("input").fill(text)


def newest(page: Page) -> Locator:
    """The newest entry of the log."""
    return page.get_by_role("log").locator("> *").last
