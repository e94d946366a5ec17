"""Text helpers for commands, pages and charts."""

from __future__ import annotations


def format_count(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun, such as "1 draw" or "2,000 draws"."""
    return f"{number:,.16g} {one if number == 1 else many or one + 's'}"


def printable(text: str) -> str:
    """Replace characters in untrusted text that could control the terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
