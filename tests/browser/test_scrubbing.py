"""Scrubbing through 10,000 events, and the budgets of the page: printed always, gated at twice."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.grown import Grown, grown
from tests.browser.looking import ready, shows

pytestmark = pytest.mark.long

SCRIPT, STYLE, FEED = 40_000, 8_000, 300_000
"""Bytes, gzipped: all modules and all styles that the page loads, the feed of 10,000 events."""
COLD, FRAME = 800, 25
"""ms from asking for the page to its keys, and a frame of a drag, of which one in twenty may be longer."""
STEPS = 300
LONG_TASK = 50  # ms, as the browser has it

DRAG = """async (steps) => {
    const slider = document.querySelector("#slider"), most = Number(slider.max);
    const long = [], frames = [];
    const watch = new PerformanceObserver(list => long.push(...list.getEntries().map(each => each.duration)));
    watch.observe({ type: "longtask" });
    const frame = () => new Promise(requestAnimationFrame);
    let last = await frame();
    for (let step = 1; step <= steps; step += 1) {
        slider.value = Math.round(most * (1 - Math.abs(1 - 2 * step / steps)));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        const now = await frame();
        frames.push(now - last);
        last = now;
    }
    slider.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise(done => setTimeout(done, 500));
    watch.disconnect();
    return { long, frames };
}"""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grown]:
    with grown(tmp_path_factory.mktemp("night")) as running:
        yield running


def settled(page: Page) -> Page:
    """The page, once all of the session is in it."""
    ready(page).wait_for_function("() => document.documentElement.dataset.whole === 'true'")
    return page


def test_dragging_is_smooth(night: Grown, window: Open) -> None:
    page = settled(window(url=night.url).open(night.path()))
    found = page.evaluate(DRAG, STEPS)
    frames = sorted(found["frames"])
    p95 = frames[int(0.95 * len(frames))]
    print(
        f"\nscrub: {len(frames)} frames, p95 {p95:.1f} ms, longest {frames[-1]:.1f} ms; long tasks {found['long']}"
    )
    assert p95 < 2 * FRAME
    assert [each for each in found["long"] if each > 2 * LONG_TASK] == []
    shows(page, 0)
    assert page.url.endswith("?at=0")


def test_letting_go_is_one_step_back(night: Grown, window: Open) -> None:
    page = settled(window(url=night.url).open(night.path("?at=4000")))
    page.evaluate(DRAG, 40)
    shows(page, 0)
    page.go_back()
    shows(page, 4000)


def test_it_weighs_little(night: Grown, window: Open) -> None:
    opened = window(url=night.url)
    bodies: dict[str, bytes] = {}
    opened.page.on(
        "response",
        lambda answer: bodies.update(
            {answer.url: answer.body()} if "/static/" in answer.url else {}
        ),
    )
    settled(opened.open(night.path()))
    weights = {
        kind: sum(
            len(gzip.compress(body)) for url, body in bodies.items() if url.endswith(f".{kind}")
        )
        for kind in ("js", "css")
    }
    feed = sum(
        _zipped(f"{night.url}/v1/sessions/{night.session}/feed/{number}") for number in range(10)
    )
    print(f"\nscript {weights['js']}, style {weights['css']}, feed {feed} bytes gzipped")
    assert 0 < weights["js"] < 2 * SCRIPT
    assert 0 < weights["css"] < 2 * STYLE
    assert 0 < feed < 2 * FEED


def _zipped(url: str) -> int:
    with urlopen(Request(url, headers={"Accept-Encoding": "gzip"})) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        return len(answer.read())


def test_its_keys_work_soon(night: Grown, window: Open) -> None:
    page = ready(window(url=night.url).open(night.path("?at=9000")))
    page.keyboard.press("ArrowLeft")
    shows(page, 8999)
    took = page.evaluate("() => performance.getEntriesByName('ready')[0].startTime")
    print(f"\nkeys cold: {took:.0f} ms")
    assert took < 2 * COLD
