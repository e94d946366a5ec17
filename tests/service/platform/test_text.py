"""Numbers with what they count."""

from __future__ import annotations

import pytest

from service.platform.text import format_count


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("event",), "0 events"),
        (1, ("event",), "1 event"),
        (2000, ("event",), "2,000 events"),
        (1, ("declared die", "declared dice"), "1 declared die"),
        (3, ("declared die", "declared dice"), "3 declared dice"),
        (2.5, ("round",), "2.5 rounds"),
    ],
)
def test_one_is_said_as_one(number: float, words: tuple[str, ...], said: str) -> None:
    assert format_count(number, *words) == said
