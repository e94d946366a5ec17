"""What the tests say in words: plain, with their numbers, and nobody's name."""

from __future__ import annotations

from math import floor, log10

from projections.statistics_model import ALPHA

CALM = (
    f"honest dice and decks make any of them come out in 1 of {round(1 / ALPHA)} evenings at most"
)


def uneven(value: str, seen: int, expected: float, adjusted: float) -> str:
    """Of the value that lies furthest from what was expected."""
    return f"{value} came {_times(seen)} where {expected:.1f} were expected; {_chance(adjusted)}"


def lucky(z: float, draws: int, adjusted: float) -> str:
    """Of a seat's draws, by what each was worth."""
    way = "better" if z > 0 else "worse"
    return f"{draws} draws came out {way} than chance by {abs(z):.1f} standard deviations; {_chance(adjusted)}"


def together(made: int, found: int) -> str:
    """Of all tests of a report."""
    if not made:
        return "Too few draws to test anything."
    tests = "1 test was made" if made == 1 else f"{made} tests were made"
    came = "none came out" if not found else f"{found} came out"
    return f"{tests}, {came}; {CALM}."


def _chance(adjusted: float) -> str:
    return f"chance alone gives as much in 1 of {_one_in(adjusted)} evenings like this one"


def _one_in(p: float) -> str:
    """1/p to two digits, downwards, so that nothing is made rarer than it is."""
    if p <= 0:
        return "a million million"
    ratio = min(1 / p, 1e12)
    unit = 10 ** max(0, floor(log10(ratio) + 1e-9) - 1)
    return f"{max(1, floor(ratio / unit + 1e-9) * unit):,}"


def _times(number: int) -> str:
    return "never" if number == 0 else "once" if number == 1 else f"{number} times"
