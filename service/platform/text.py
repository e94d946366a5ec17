"""Text helpers of commands, pages and charts: counts with their noun, printable text."""

from __future__ import annotations


def format_count(number: float, one: str, many: str = "") -> str:
    """Return "1 draw" or "2,000 draws"."""
    return f"{number:,.16g} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """Replace the characters of untrusted text that could control a terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
