"""The table's page as people use it: choose who acts, press an action, fill in its form, talk, and look."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.plots import Value
from tests.browser.windows import PHONE, Window

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
        being = self.page.locator(".party button.being").filter(has_text=name).first
        if being.get_attribute("aria-pressed") != "true":
            being.click()
        expect(being).to_have_attribute("aria-pressed", "true")

    def act(self, kind: str, fields: dict[str, Value], *, is_secret: bool = False) -> int:
        """Do an action, and return the version before it."""
        before = self.version()
        self.show("Act")
        button = self.page.locator(f'[data-kind="{kind}"]').first
        expect(button).to_be_attached()
        self._unfold(button)
        action = self.page.locator(".action").filter(has=self.page.locator(f'[data-kind="{kind}"]'))
        if is_secret:
            self.page.get_by_label("Secret", exact=False).first.check()
        details = action.locator("details.form")
        if fields and details.count():
            details.locator("summary").click()
        elif fields or button.get_attribute("aria-expanded") is not None:
            button.click()
        else:
            button.click()
            return self._sent(action, before)
        for name, value in fields.items():
            fill(action, name, value)
        action.get_by_role("button", name="Do it").click()
        return self._sent(action, before)

    def say(self, words: str) -> None:
        self.show("Log")
        self.page.get_by_label("Say something").fill(words)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("log")).to_contain_text(words)

    def _sent(self, action: Locator, before: int) -> int:
        self.page.wait_for_function(
            "async ([path, before]) => (await (await fetch(path)).json()).version > before",
            arg=[self.path, before],
        )
        expect(action.locator(".refusal")).to_have_count(0)
        return before

    def _unfold(self, element: Locator) -> None:
        """Open what the element is folded into."""
        element.evaluate(
            "each => { for (let at = each; at; at = at.parentElement?.closest('details')) at.open = true }"
        )


def fill(form: Locator, name: str, value: Value) -> None:
    """Fill in a field of a form, whichever kind it is."""
    fields = form.locator(f'[name="{name}"]')
    match fields.first.evaluate("each => each.type"):
        case "select-one":
            fields.select_option(option(fields, value))
        case "checkbox" | "radio":
            for each in value if isinstance(value, tuple) else (value,):
                form.locator(f'[name="{name}"][value={json.dumps(json.dumps(each))}]').check()
        case _:
            fields.fill(", ".join(value) if isinstance(value, tuple) else str(value))


def option(field: Locator, value: Value) -> str:
    """Return the option of a list that means the value."""
    wanted = list(value) if isinstance(value, tuple) else value
    offered = field.evaluate("each => [...each.options].map(option => option.value)")
    [found] = [each for each in offered if each and json.loads(each) == wanted]
    return str(found)


def newest(page: Page) -> Locator:
    """The newest entry of the log."""
    return page.get_by_role("log").locator("> *").last
