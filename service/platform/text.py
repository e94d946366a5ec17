"""Words of every command, page and chart: numbers with what they count, and printable text."""

from __future__ import annotations


def format_count(number: float, one: str, many: str = "") -> str:
    """Return "1 draw" or "2,000 draws"."""
    return f"{number:,.16g} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """Return text from a stranger's file without the characters that can drive a terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
