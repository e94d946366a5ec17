"""A page says that its connection is not encrypted, if it leaves the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from service.client.api import ApiConnection
from tests.browser.conftest import Open
from tests.browser.pages import WIDER
from tests.browser.windows import PHONE
from tests.client.tables import served

pytestmark = pytest.mark.long

NAMED = "table.test"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("exposed")
    with served(folder, FAIRLOG_URL=f"http://{NAMED}") as at:
        yield at


def test_a_page_says_that_its_connection_is_not_encrypted(url: str, windows: Open) -> None:
    with closing(ApiConnection(url)) as api:
        body = {"ruleset": "dhextiny", "title": "Open", "options": {"listed": True}}
        session = api.post("/v1/sessions", body).json["session"]
    opened = windows(PHONE)
    page = opened.open(f"/s/{session}/luck")
    note = page.get_by_role("note").filter(has_text="not encrypted")
    expect(page.get_by_role("heading", name="Open")).to_be_visible()
    expect(note).to_have_count(0)
    other = opened.page.context.new_page()
    other.goto(f"http://{NAMED}:{urlsplit(url).port}/s/{session}")
    note = other.get_by_role("note").filter(has_text="not encrypted")
    expect(note).to_be_visible()
    expect(other.locator(".live")).to_be_visible()
    assert other.evaluate(WIDER) == 0
    assert other.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    note.get_by_role("button", name="Close").click()
    other.reload()
    expect(other.locator(".live")).to_be_visible()
    expect(note).to_have_count(0)
