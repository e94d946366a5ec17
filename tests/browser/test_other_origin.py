"""A page of another origin, in a real browser: it joins, rolls and follows the stream, and never has the cookie."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from service.client.api import ApiConnection
from tests.support.processes import ROOT

EXAMPLES = ROOT / "examples"
ROLL = {"command": {"kind": "open.Roll", "notation": "2d6"}}
JOIN_AND_ROLL = """
async ([url, code, roll]) => {
  const send = (path, body, headers = {}) => fetch(url + path, {
    method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID(), ...headers },
  });
  const seat = await (await send("/v1/seats", { code })).json();
  const own = { Authorization: `Bearer ${seat.token}` };
  const path = `/v1/sessions/${seat.session}`;
  const before = await fetch(url + path, { headers: own });
  const tag = before.headers.get("ETag");
  const rolled = await send(`${path}/commands`, roll, { ...own, "If-Match": tag });
  const late = await send(`${path}/commands`, roll, { ...own, "If-Match": tag });
  const stream = await fetch(`${url}${path}/stream?after=0`, { headers: { ...own, Accept: "application/x-ndjson" } });
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  const turn = await rolled.json();
  let text = "";
  while (!text.includes(`"version":${turn.version},`)) text += (await reader.read()).value;
  await reader.cancel();
  return { seat, tag, status: rolled.status, late: late.status, turn, text };
}
"""
WITH_COOKIE = """
async ([url, session]) => {
  const told = [];
  for (const [method, path] of [["GET", ""], ["GET", "/events"], ["POST", "/narrate"]]) {
    const body = method === "POST" ? JSON.stringify({ text: "I was not here." }) : undefined;
    const headers = body ? { "Content-Type": "text/plain" } : {};
    try {
      const answer = await fetch(`${url}/v1/sessions/${session}${path}`, { method, body, headers, credentials: "include" });
      told.push(answer.status);
    } catch (error) {
      told.push(error.name);
    }
  }
  return told;
}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Serve the examples at another origin."""
    handler = functools.partial(Quiet, directory=str(EXAMPLES))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def opened(url: str, *, listed: bool = False) -> tuple[ApiConnection, str]:
    gm = ApiConnection(url)
    body = {"ruleset": "open", "title": "The mint", "options": {"listed": listed}}
    session = gm.post("/v1/sessions", body).json
    gm.token = session["token"]
    return gm, session["session"]


def test_it_joins_rolls_and_follows_the_stream(url: str, page: Page, elsewhere: str) -> None:
    gm, session = opened(url)
    with closing(gm):
        code = gm.post(f"/v1/sessions/{session}/invitations", {"role": "player"}).json["code"]
        page.goto(f"{elsewhere}/README.md")
        told = page.evaluate(JOIN_AND_ROLL, [url, code, ROLL])
        assert (told["status"], told["late"]) == (201, 412)
        assert told["tag"] == f'"{told["turn"]["version"] - len(told["turn"]["events"])}"'
        lines = [json.loads(line) for line in told["text"].splitlines() if line.startswith('{"v')]
        assert lines[-1]["kind"] == "open.DiceRolled"
        assert lines[-1]["seat"] == told["seat"]["seat"]


def test_the_overlay_shows_each_roll(url: str, page: Page, elsewhere: str) -> None:
    gm, session = opened(url, listed=True)
    with closing(gm):
        page.goto(f"{elsewhere}/overlay.html#{url}/v1/sessions/{session}")
        page.wait_for_function("after !== null")
        texts = []
        for _ in range(7):
            events = gm.post(f"/v1/sessions/{session}/commands", ROLL).json["events"]
            texts.append(events[-1]["text"])
        expect(page.locator("li")).to_have_text(texts[-5:])


def test_the_cookie_never_works_there(url: str, page: Page, elsewhere: str, tmp_path: Path) -> None:
    gm, session = opened(url)
    with closing(gm):
        page.context.add_cookies([{"name": "fairlog-seat", "value": gm.token, "url": url}])
        here = page.goto(f"{url}/s/{session}")
        assert here is not None
        assert here.status == 200, "the cookie works on the server's own pages"
        before = gm.get(f"/v1/sessions/{session}").json["version"]
        page.goto(f"{elsewhere}/README.md")
        told = page.evaluate(WITH_COOKIE, [url, session])
        assert [status for status in told if status not in ("TypeError", 401)] == []
        assert gm.get(f"/v1/sessions/{session}").json["version"] == before
