"""The page's view, store, asking and a seat's file, by themselves: every check of page_checks.mjs."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests.js.node import HERE, checked

CHECKS = re.findall(
    r"^  (?:async )?(\w+)\(\) \{$", (HERE / "page_checks.mjs").read_text(), re.MULTILINE
)


@pytest.fixture(scope="module")
def found() -> Mapping[str, str | None]:
    told: Mapping[str, str | None] = checked("page_checks.mjs", None)
    return told


@pytest.mark.parametrize("check", CHECKS)
def test_it_holds(check: str, found: Mapping[str, str | None]) -> None:
    assert found[check] is None, found[check]


def test_every_check_is_looked_at(found: Mapping[str, str | None]) -> None:
    assert list(found) == CHECKS
    assert len(CHECKS) > 10
