"""A browser's window of one width and theme, which notes whatever a page must not do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response

from service.http.auth import COOKIE
from tests.support.scale import scale

WIDE, NARROW = 1280, 390
HEIGHT = 844
TIMEOUT_MILLISECONDS = scale(15_000, 60_000)
"""How long the page may take. `make long` runs load tests beside the browsers."""
QUIET = ("error", "warning")
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"


class Look(NamedTuple):
    """How a page is looked at: CSS pixels and the system's theme."""

    width: int
    theme: str

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}"


LOOKS = tuple(Look(width, theme) for width, theme in product((WIDE, NARROW), ("light", "dark")))
LAPTOP, PHONE = Look(WIDE, "light"), Look(NARROW, "dark")


class Window:
    """A context of its own, with cookies of its own. `faults`: console errors, page errors, requests off the host."""

    def __init__(
        self, browser: Browser, url: str, look: Look = LAPTOP, javascript: bool = True
    ) -> None:
        self.url, self.look, self.javascript = url, look, javascript
        self.faults: list[str] = []
        self._expected: set[str] = set()
        self._was_offline = False
        self._context = browser.new_context(
            base_url=url,
            viewport={"width": look.width, "height": HEIGHT},
            has_touch=look.width == NARROW,
            color_scheme="dark" if look.theme == "dark" else "light",
            java_script_enabled=javascript,
            reduced_motion="reduce",
        )
        self._context.set_default_timeout(TIMEOUT_MILLISECONDS)
        self.page = self._watched(self._context.new_page())

    def sign_in(self, token: str) -> None:
        """Give the browser the cookie of a seat, as the server sets it."""
        self._context.add_cookies(
            [{"name": COOKIE, "value": token, "url": self.url, "httpOnly": True, "sameSite": "Lax"}]
        )

    def open(self, path: str, status: int = 200) -> Page:
        """The page at the path, which the server must answer with this status."""
        if status >= 400:
            self._expected.add(f"{self.url}{path}")
        answer = self.page.goto(path)
        assert answer is not None
        assert answer.status == status, f"{path}: {answer.status}"
        return self.page

    def expect(self, path: str) -> None:
        """The answer at the path will be a no."""
        self._expected.add(f"{self.url}{path}")

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Without a network. A browser says so in its console of all that it asks for meanwhile: that is no fault."""
        self._was_offline = True
        self._context.set_offline(True)
        try:
            yield
        finally:
            self._context.set_offline(False)

    def close(self) -> None:
        self._context.close()

    def _watched(self, page: Page) -> Page:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        page.on("request", self._on_request)
        page.on("response", self._on_response)
        return page

    def _on_console(self, message: ConsoleMessage) -> None:
        if self._was_offline and message.text.endswith(OFFLINE):
            return
        if message.type in QUIET and message.location["url"] not in self._expected:
            self.faults.append(f"console: {message.text} ({message.location['url']})")

    def _on_request(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.url).netloc and not request.url.startswith(
            "data:"
        ):
            self.faults.append(f"off the host: {request.url}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400 and response.url not in self._expected:
            self.faults.append(f"{response.status}: {response.url}")
