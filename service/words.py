"""Numbers with what they count, as every command, page and plot says them."""

from __future__ import annotations


def counted(number: float, one: str, many: str = "") -> str:
    """ "1 draw", "2,000 draws"."""
    return f"{number:,.16g} {one if number == 1 else many or one + 's'}"
