"""The table's page as people use it: choose who acts, press an action, fill in its form, talk, and look."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.plots import Value
from tests.browser.windows import PHONE, Window

UNFOLD = (
    "each => { for (let at = each; at; at = at.parentElement?.closest('details')) at.open = true }"
)
"""Open what an element is folded into."""
CURRENT = """version => {
    const log = Number(document.querySelector("[role=log]")?.dataset.version ?? 0);
    const actions = document.querySelector(".actions");
    return log >= version && (!actions || Number(actions.dataset.version) === log);
}"""
"""The page shows a version or a newer one, and what may be done in it."""
DONE = """([before, isPhone]) => {
    if (document.querySelector(".action .refusal, .action .wrong, .quick .refusal, .tray ~ .refusal")) return true;
    const log = Number(document.querySelector("[role=log]").dataset.version);
    const actions = document.querySelector(".actions");
    const isIdle = !document.querySelector(".act:disabled, .acts [aria-expanded=true], .throw :disabled");
    const isLog = !isPhone || document.querySelector("main").dataset.tab === "log";
    return log > before && Number(actions.dataset.version) === log && isIdle && !actions.querySelector(".opts .field") && isLog;
}"""
"""A command has succeeded, and the page has done what follows; or it was refused."""
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
        being = self.being(name).locator(".who-is")
        if being.get_attribute("aria-pressed") != "true":
            being.click()
        expect(being).to_have_attribute("aria-pressed", "true")

    def being(self, name: str) -> Locator:
        return self.page.locator(".party .being").filter(has_text=name).first

    def act(
        self,
        kind: str,
        fields: Mapping[str, Value],
        *,
        is_secret: bool = False,
        faces: tuple[int, ...] = (),
    ) -> int:
        """Do an action, and return the version before it."""
        before, left = self.prepare(is_secret, faces), dict(fields)
        action = self.page.locator(f'.action:has(> [data-kind="{kind}"])').first
        action.evaluate(UNFOLD)
        for name in fields:
            chips = self.page.locator(f'.actions > .chips[data-field="{name}"]')
            if chips.count():
                chips.locator(f'[data-value="{left.pop(name)}"]').click()
        more, press = action.locator("> .opt"), action.locator("> .act")
        is_simple = press.get_attribute("aria-expanded") is None
        if is_simple and not more.count():
            left.clear()  # there is only one choice of each, and the press sends them
        needs_form = len(left) > (0 if is_simple else 1)
        (more if needs_form and more.count() else press).click()
        form, chips = action.locator("> form"), action.locator("> .chips")
        if left or action.locator("> [aria-expanded=true]").count():
            expect(form.or_(chips)).to_be_visible()
        if form.count():
            for name, value in left.items():
                fill(form.locator(f'[data-field="{name}"]'), value)
            form.get_by_role("button", name="Do it").click()
        elif left:
            # Of the other fields there is only one choice.
            shown = [f"[data-value={json.dumps(json.dumps(value))}]" for value in left.values()]
            chips.locator(", ".join(shown)).click()
        elif chips.count():
            chips.locator(".btn.main").click()
        self.expect_done(before)
        return before

    def roll(
        self, notation: str, name: str, *, is_secret: bool = False, faces: tuple[int, ...] = ()
    ) -> int:
        """Roll dice of the tray, or a saved roll by its name, and return the version before it."""
        before = self.prepare(is_secret, faces)
        actions = self.page.locator(".actions")
        if name:
            actions.get_by_role("button", name=name).click()
        else:
            number, sides, bonus = re.findall(r"(\d+)d(\d+)(?:\+(\d+))?", notation)[0]
            # The tray begins with a single d20, which the first press of another die replaces.
            is_there = f"1d{sides}" in actions.locator(".throw .main").inner_text()
            for _ in range(int(number) - is_there):
                actions.get_by_label(f"Add a d{sides}", exact=True).click()
            for _ in range(int(bonus or 0)):
                actions.get_by_label("One more", exact=True).click()
            actions.get_by_role("button", name=f"Roll {notation}").click()
        self.expect_done(before)
        return before

    def prepare(self, is_secret: bool, faces: tuple[int, ...]) -> int:
        """Show the actions, say whether the next is secret and its real dice, and return the version."""
        self.show("Act")
        self.expect_current()
        secret = self.page.locator(".opts input[type=checkbox]").first
        if secret.is_checked() != is_secret:
            secret.click()
        if faces:
            self.page.get_by_label(re.compile("I (rolled|drew) real")).check()
            self.page.get_by_label("What they show").fill(" ".join(map(str, faces)))
        return self.shown()

    def tap(self, name: str, on: str, choice: str) -> None:
        """Press a bar, a condition or "+" of a card, and then a choice beside it."""
        self.show("Party")
        self.expect_current()
        before = self.shown()
        card = self.being(name) if name else self.page.locator(".party > .bars")
        if on == "+":
            button = card.locator(".tag.add")
        else:
            button = card.locator(".bar, .tag.hot").filter(has_text=on)
        if button.get_attribute("aria-expanded") != "true":
            button.click()

        card.locator(".quick").get_by_role("button", name=choice, exact=True).click()
        self.expect_current(before + 1)
        expect(self.page.locator(".quick .refusal, .quick :disabled")).to_have_count(0)

    def expect_current(self, version: int = 1) -> None:
        """Expect the page to show a version or a newer one, and what may be done then."""
        self.page.wait_for_function(CURRENT, arg=version)

    def expect_done(self, before: int) -> None:
        """Expect a command of this page to have succeeded."""
        is_phone = self.window.look.width <= PHONE.width
        self.page.wait_for_function(DONE, arg=[before, is_phone])
        expect(self.page.locator(".actions .refusal, .actions .wrong")).to_have_count(0)

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
        field.locator("input, textarea").fill(text)


def newest(page: Page) -> Locator:
    """The newest entry of the log."""
    return page.get_by_role("log").locator("> *").last
