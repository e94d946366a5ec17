"""How much work a page's main thread does for each of many steps, from a trace of the browser."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import NamedTuple

from playwright.sync_api import Browser, Page

CATEGORIES = ["toplevel", "blink.user_timing"]
STEPS = """async ([steps, step]) => {
    const act = eval(step);
    const frame = () => new Promise(requestAnimationFrame);
    for (let nth = 0; nth < steps; nth++) {
        performance.mark("measured-step");
        act(nth);
        await frame();
        await frame();
    }
    performance.mark("measured-step");
}"""
"""Each step has two frames, so that what it draws is counted as its own."""


class Work(NamedTuple):
    """Milliseconds of main-thread work of each step, and of the longest task.

    They are processor time, because other programs share the machine.
    """

    steps: list[float]
    longest: float

    @property
    def p95(self) -> float:
        return sorted(self.steps)[int(0.95 * len(self.steps))]


def measure(browser: Browser, page: Page, steps: int, step: str) -> Work:
    """Do the steps in the page. `step` is a JavaScript function of the step's number."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate(STEPS, [steps, step])
    events = json.loads(browser.stop_tracing())["traceEvents"]
    marks = sorted(
        (each["ts"], each["pid"], each["tid"])
        for each in events
        if each["name"] == "measured-step" and each["ph"] in ("R", "I", "b", "n")
    )
    assert len(marks) == steps + 1, len(marks)
    _, process, thread = marks[0]
    tasks = sorted(
        (each["ts"], each.get("tdur", each["dur"]))
        for each in events
        if each["name"].endswith("RunTask")
        and each["ph"] == "X"
        and (each["pid"], each["tid"]) == (process, thread)
        and marks[0][0] <= each["ts"] < marks[-1][0]
    )
    assert tasks
    starts = [at for at, _, _ in marks]
    work = [
        sum(took for at, took in tasks if begin <= at < end) / 1000
        for begin, end in pairwise(starts)
    ]
    return Work(work, max(took for _, took in tasks) / 1000)
