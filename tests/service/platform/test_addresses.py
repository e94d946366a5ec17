"""Which addresses leave the machine unencrypted."""

from __future__ import annotations

import pytest

from service.platform.addresses import is_exposed

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
