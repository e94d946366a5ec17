"""Planted secrets and tokens: no page, request, response or store of a browser holds one that its seat may not see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Request, Response
from werkzeug.serving import make_server

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.browser.pages import settle, unfold
from tests.browser.windows import Window
from tests.service.planted_secrets import Field
from tests.support.scale import LONG
from tests.support.server import TestServer, settings_in

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

READERS = ("p1", "p2", "watcher", "judge", "nobody", "gm")
ASSETS = "/console/assets/"
"""The address of files that were built before any session: they are the same for everyone."""
OF_THE_GAME = ("", "/at/newest", "/luck", "/transcript")
"""The pages of a session that show what its ruleset says, as ends of its address."""
OF_ROLLS = ("/proof", "/draws/0", "/seat")
"""Those that look the same in every ruleset."""
STORES = """async () => {
    const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            found.push(request.url, await (await cache.match(request)).text());
        }
    }
    const done = request => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const plain = (_, value) => ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value;
    for (const { name } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name));
        for (const store of database.objectStoreNames) {
            const rows = database.transaction(store).objectStore(store);
            found.push(JSON.stringify(await done(rows.getAll()), plain), JSON.stringify(await done(rows.getAllKeys())));
        }
        database.close();
    }
    return found.join("\\n");
}"""
"""All that the page's scripts have stored."""


class Recording:
    """All that a browser sends, receives, shows and stores."""

    def __init__(self, window: Window) -> None:
        self.page, self.texts = window.page, list[tuple[str, str]]()
        self._responses: list[Response] = []
        self.page.on("request", self._on_request)
        self.page.on("response", self._on_response)
        cdp = self.page.context.new_cdp_session(self.page)
        cdp.on("Network.eventSourceMessageReceived", self._on_message)
        cdp.send("Network.enable")

    def visit(self, path: str) -> None:
        self.page.goto(path)
        settle(self.page)
        unfold(self.page)
        self.texts.append((f"page {path}", self.page.content()))
        self.texts.append((f"stores at {path}", self.page.evaluate(STORES)))
        for response in self._responses:
            is_stream = "text/event-stream" in response.headers.get("content-type", "")
            if not is_stream and ASSETS not in response.url:
                try:
                    self.texts.append((f"response {response.url}", response.text()))
                except (Error, UnicodeDecodeError):
                    continue  # a font, or a response without a body
        self._responses.clear()

    def find(self, marker: str) -> list[str]:
        return [where for where, text in self.texts if marker in text]

    def _on_request(self, request: Request) -> None:
        self.texts.append((f"request {request.url}", f"{request.url} {request.post_data or ''}"))

    def _on_response(self, response: Response) -> None:
        self._responses.append(response)

    def _on_message(self, message: dict[str, Any]) -> None:
        self.texts.append(("stream", message["data"]))


@contextmanager
def served(house: TestServer) -> Iterator[str]:
    """Serve the application of the test process to browsers."""
    server = make_server("127.0.0.1", 0, house.flask, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def read_all(browser: Browser, url: str, field: Field, reader: str) -> Recording:
    window = Window(browser, url)
    if reader in field.evening.tokens:
        window.sign_in(field.evening.tokens[reader])
    recording = Recording(window)
    pages = OF_THE_GAME + OF_ROLLS if field.ruleset is RULESETS[0] else OF_THE_GAME
    for end in pages if reader != "judge" else OF_THE_GAME[:1]:  # the auditor may see every secret
        recording.visit(f"/s/{field.evening.session}{end}")
    window.close()
    assert window.faults == []
    return recording


@pytest.mark.parametrize(
    "ruleset", RULESETS if LONG else RULESETS[:1], ids=lambda ruleset: ruleset.name
)
def test_a_secret_reaches_the_browsers_of_its_audience_alone(
    browser: Browser, tmp_path: Path, ruleset: AnyRuleset
) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="5"))
    field = Field(house, ruleset)
    field.evening.post("gm", "/narrate", {"text": "It rains."})
    with served(house) as url:
        for reader in READERS:
            recording = read_all(browser, url, field, reader)
            for planted in field.planted:
                found = recording.find(planted.marker)
                if reader in planted.seen_by:
                    assert any(where.startswith("page ") for where in found), (reader, planted)
                else:
                    assert found == [], (reader, planted)
            for seat, token in field.evening.tokens.items():
                assert recording.find(token) == [], (reader, seat)
    house.close()
