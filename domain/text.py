"""Detection of texts without visible characters."""

from __future__ import annotations

from unicodedata import category

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and symbols that are invisible."""


def is_blank(text: str) -> bool:
    """Return True if the text has no visible letter, number, punctuation mark or symbol."""
    return not any(category(char)[0] in "LNPS" and char not in INVISIBLE for char in text)
