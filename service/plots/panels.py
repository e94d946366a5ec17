"""Small pictures of one kind beside and below each other, all on the same scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from service.plots.scale import Scale
from service.plots.svg import BOLD, SMALL, WIDTH, line, shortened, text, units

MOST = 12
ONE_ABREAST = 4
HEAD, FOOT, SIDE, GAP = 30, 20, 30, 14
TALL, LOW = 120, 74
"""Heights of a picture that is alone, and of one of several."""
Marks = Sequence[tuple[float, str]]


class Place(NamedTuple):
    """Where the values of one of them go; its heading is above, its axes left and below."""

    left: float
    top: float
    right: float
    bottom: float


def places(number: int, top: float) -> tuple[list[Place], float]:
    """One place each, from `top` on, and where they end."""
    across = 1 if number <= ONE_ABREAST else 2
    tall = TALL if number == 1 else LOW
    wide = (WIDTH - GAP * (across - 1)) / across
    found = []
    for nth in range(number):
        row, column = divmod(nth, across)
        left, y = column * (wide + GAP), top + row * (HEAD + tall + FOOT)
        found.append(Place(left + SIDE, y + HEAD, left + wide - 4, y + HEAD + tall))
    return found, found[-1].bottom + FOOT


def headed(place: Place, heading: str, note: str) -> list[Element]:
    """The heading with a note at the right, as far as there is room."""
    left = place.left - SIDE
    said = shortened(note, 0.6 * (place.right - left), SMALL)
    room = place.right - left - units(said, SMALL) - 6
    y = place.top - 11
    return [
        text(left, y, shortened(heading, room, BOLD), "head"),
        text(place.right, y, said, "quiet", "end"),
    ]


def axes(place: Place, across: Scale, up: Scale, x_marks: Marks, y_marks: Marks) -> list[Element]:
    """Lines at the y marks, the marks' words beside and below."""
    parts: list[Element] = []
    for at, words in y_marks:
        y = up(at)
        parts += [
            line((place.left, y), (place.right, y), "grid"),
            text(place.left - 4, y + 4, words, "tick", "end"),
        ]
    parts += [line((place.left, place.bottom), (place.right, place.bottom), "axis")]
    return parts + [_below(across(at), words, place) for at, words in x_marks]


def _below(x: float, words: str, place: Place) -> Element:
    """At the ends of the axis, no word stands out beyond it."""
    half = units(words, SMALL) / 2
    middle = min(max(x, place.left + half), place.right + 4 - half)
    return text(middle, place.bottom + 14, words, "tick", "middle")
