"""The pages say that a connection is not encrypted, if it leaves the machine."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from service.platform.addresses import is_exposed
from tests.support.server import TestServer, settings_in

FOR_PEOPLE = {"Accept": "text/html"}
EXPOSED = {
    "http://example.org": True,
    "http://192.0.2.7:8321": True,
    "http://[2001:db8::1]": True,
    "http://127.0.0.1:8321": False,
    "http://[::1]:8321": False,
    "http://localhost": False,
    "https://example.org": False,
}


@pytest.mark.parametrize(("url", "expected"), EXPOSED.items())
def test_what_leaves_the_machine_unencrypted(url: str, *, expected: bool) -> None:
    assert is_exposed(url) is expected


@pytest.mark.parametrize(
    ("url", "is_told"), [("http://192.0.2.7:8321", True), ("http://localhost", False)]
)
def test_a_page_says_it(tmp_path: Path, url: str, *, is_told: bool) -> None:
    with closing(TestServer(settings_in(tmp_path))) as house:
        page = house.client.get("/", base_url=url, headers=FOR_PEOPLE)
        assert page.status_code == 200
        assert ("This connection is not encrypted" in page.text) is is_told
