"""One browser and one server for each file; windows that fail on whatever a page must not do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import NoBrowser, find
from tests.browser.played_server import Served, served
from tests.browser.windows import LAPTOP, TIMEOUT_MILLISECONDS, Look, Window
from tests.client.tables import served as bare
from tests.support.scale import scale

Open = Callable[..., Window]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        path = find()
    except NoBrowser as missing:
        pytest.fail(str(missing), pytrace=False)
    expect.set_options(timeout=TIMEOUT_MILLISECONDS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=path, args=["--host-resolver-rules=MAP table.test 127.0.0.1"]
        )
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("console"), scale(120, 10_000)) as running:
        yield running


@pytest.fixture
def window(browser: Browser, server: Served) -> Iterator[Open]:
    """Opens windows; behind the test none of them may have a fault."""
    opened: list[Window] = []

    def open_(look: Look = LAPTOP, javascript: bool = True, url: str = server.url) -> Window:
        opened.append(Window(browser, url, look, javascript))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
    assert [fault for each in opened for fault in each.faults] == []


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server without an evening."""
    with bare(tmp_path_factory.mktemp("bare")) as at:
        yield at


@pytest.fixture
def windows(browser: Browser, url: str) -> Iterator[Open]:
    """Opens windows at that server, as `window`."""
    opened: list[Window] = []

    def open_(look: Look = LAPTOP, javascript: bool = True) -> Window:
        opened.append(Window(browser, url, look, javascript))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()
    assert [fault for each in opened for fault in each.faults] == []
