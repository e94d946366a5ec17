"""Sessions whose seats act in a browser: opened over HTTP, entered by token; how their forms are found and filled."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page

from domain.ruleset import AnyRuleset
from service.client.api import Answer, ApiConnection
from tests.browser.looking import ready
from tests.browser.windows import Window
from tests.support.example import FIRST


class Evening(NamedTuple):
    """A session and the tokens of its seats."""

    url: str
    session: str
    tokens: dict[str, str]

    @property
    def api(self) -> str:
        return f"/v1/sessions/{self.session}"

    @property
    def path(self) -> str:
        return f"/s/{self.session}"

    def post(self, seat: str, path: str, body: object) -> Answer:
        with closing(ApiConnection(self.url, self.tokens[seat])) as player:
            answer = player.post(f"{self.api}{path}", body)
            assert answer.status < 300, answer.body
            return answer

    def get(self, path: str, seat: str = "gm") -> Any:
        with closing(ApiConnection(self.url, self.tokens[seat])) as player:
            return player.get(f"{self.api}{path}").json

    def version(self) -> int:
        return int(self.get("")["version"])

    def allowed(self, seat: str = "gm") -> dict[str, Mapping[str, Any]]:
        """By kind."""
        return {
            each["kind"]: each
            for each in self.get("/commands", seat)["commands"]
            if each["allowed"]
        }

    def act(self, seat: str, kind: str) -> None:
        """The example of a command that is possible."""
        self.post(seat, "/commands", {"command": self.allowed(seat)[kind]["example"]})

    def enter(self, window: Window, seat: str = "gm", query: str = "") -> Page:
        page = window.open(f"{self.path}/enter")
        page.get_by_label("Token of your seat").fill(self.tokens[seat])
        page.get_by_role("button", name="Enter").click()
        page.wait_for_load_state()
        page = window.open(f"{self.path}{query}")
        return ready(page) if window.javascript else page


def opened(url: str, ruleset: AnyRuleset = FIRST, **options: object) -> Evening:
    """A session with a GM and a player, p1."""
    with closing(ApiConnection(url)) as player:
        body = {
            "ruleset": ruleset.name,
            "edition": ruleset.edition,
            "title": "The mint of Carrow",
            "options": options,
        }
        ticket = player.post("/v1/sessions", body).json
        evening = Evening(url, ticket["session"], {"gm": ticket["token"]})
    code = evening.post("gm", "/invitations", {"role": "player", "seat": "p1"}).json["code"]
    with closing(ApiConnection(url)) as player:
        evening.tokens["p1"] = player.post(
            "/v1/seats", {"code": code, "name": "Ana's player"}
        ).json["token"]
    return evening


def form(page: Page, act: str) -> Locator:
    """The form of an act, opened."""
    found = page.locator(f'#actions form[data-act="{act}"]').first
    later = found.locator("xpath=ancestor::details[@class='later' and not(@open)]")
    if later.count():
        later.locator("summary").first.click()
    details = found.locator("xpath=..")
    if details.get_attribute("open") is None:
        details.locator("summary").first.click()
    return found


def fill(found: Locator, example: Mapping[str, Any]) -> None:
    """The words of an example that the form does not offer."""
    for name, value in example.items():
        field = found.locator(f'[name="c.{name}"]')
        if field.count() == 1 and field.evaluate(
            "each => each.matches('input:not([type=checkbox]), textarea')"
        ):
            field.fill(str(value))


def press(found: Locator) -> None:
    found.locator("button[type=submit]").click()


def tell(page: Page, words: str) -> None:
    """A narration by its form."""
    found = form(page, "narrate")
    found.get_by_label("Words").fill(words)
    press(found)
