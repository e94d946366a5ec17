"""The picture of a roll for link previews: a card as the console shows it, as a PNG of 1200 x 630.

Chats show no SVG in previews. The letters are those of the console's own font.
"""

from __future__ import annotations

import io
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw, ImageFont

ASSETS = Path(__file__).parent / "dist" / "assets"
WIDTH, HEIGHT = 1200, 630
MARGIN, PADDING = 60, 60
DIE = 230
BACKGROUND, PANEL, RAISED, LINE = "#f6f5f2", "#ffffff", "#f1efea", "#e4e1da"
INK, SOFT, GOOD = "#1d1d22", "#66646c", "#0f7a4d"
LEVEL_COLOURS = {1: "#b3261e", 2: "#b25a00", 3: "#5c7c0a", 4: "#0f7a4d"}
MIN_SIZE = 22
SCRIPTS = (
    (0x0000, 0x00FF, "latin"),
    (0x0100, 0x02FF, "latin-ext"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x045F, "cyrillic"),
    (0x0460, 0x052F, "cyrillic-ext"),
    (0x1E00, 0x1E9F, "latin-ext"),
    (0x1EA0, 0x1EF9, "vietnamese"),
    (0x1F00, 0x1FFF, "greek-ext"),
    (0x2000, 0x206F, "latin"),
    (0x2190, 0x2193, "latin"),
)
"""Which of the font's files has which characters."""
CACHED_PICTURES = 128
ALIGNED = {"left": 0.0, "centre": 0.5, "right": 1.0}
"""Which part of a line is left of its place."""


class PictureCard(NamedTuple):
    """What the picture shows. `level` is 0 if the result is neither good nor bad."""

    session: str
    actor: str
    action: str
    big: str
    unit: str
    result: str
    level: int
    fairness: str
    is_fair: bool


@lru_cache(maxsize=CACHED_PICTURES)
def draw_picture(card: PictureCard) -> bytes:
    """Return the picture as a PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), BACKGROUND)
    draw = ImageDraw.Draw(image)
    pen = _Pen(draw)
    pen.write((MARGIN, 42), card.session, 34, SOFT, WIDTH - 2 * MARGIN - 180)
    pen.write((WIDTH - MARGIN, 42), "Fairlog", 34, INK, 180, weight=700, align="right")
    box = (MARGIN, 116, WIDTH - MARGIN, HEIGHT - MARGIN)
    draw.rounded_rectangle(box, 28, PANEL, LINE, 2)
    left, width = MARGIN + PADDING, WIDTH - 2 * MARGIN - 2 * PADDING
    end = pen.write((left, 158), card.actor, 40, INK, width * 0.55, weight=700)
    pen.write((end + 12, 158), card.action, 40, SOFT, left + width - end - 12)
    if card.big:
        _draw_die(draw, pen, card, left, 240)
        left, width = left + DIE + 46, width - DIE - 46
    colour = LEVEL_COLOURS.get(card.level, INK)
    if card.result:
        pen.write((left, 286), card.result, 62, colour, width, weight=700)
    if card.is_fair:
        draw.line([(left + 4, 400), (left + 15, 412), (left + 37, 386)], GOOD, 6, joint="curve")
    pen.write(
        (left + (52 if card.is_fair else 0), 380),
        card.fairness,
        34,
        GOOD if card.is_fair else SOFT,
        width - 52,
        weight=600,
    )
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=6)
    return written.getvalue()


def _draw_die(draw: ImageDraw.ImageDraw, pen: _Pen, card: PictureCard, left: int, top: int) -> None:
    draw.rounded_rectangle((left, top, left + DIE, top + DIE), 44, RAISED, LINE, 2)
    middle = left + DIE / 2
    raised = 26 if card.unit else 0
    pen.write((middle, top + 62 - raised), card.big, 96, INK, DIE - 30, 700, align="centre")
    if card.unit:
        pen.write((middle, top + 160), card.unit, 32, SOFT, DIE - 30, align="centre")


class _Pen:
    """Writes single lines. A line that is too long gets smaller, then shorter."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def write(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: str,
        width: float,
        weight: int = 450,
        align: Literal["left", "centre", "right"] = "left",
    ) -> float:
        """Write one line and return where it ends."""
        shown, least = _printable(text), max(MIN_SIZE, size * 2 // 3)
        baseline = at[1] + size
        while size > least and _length(shown, size, weight) > width:
            size -= 2
        if _length(shown, size, weight) > width:
            while shown and _length(shown + "…", size, weight) > width:
                shown = shown[:-1]
            shown = shown.rstrip() + "…"
        length = _length(shown, size, weight)
        left = at[0] - length * ALIGNED[align]
        for part, script in _runs(shown):
            self._draw.text((left, baseline), part, colour, _font(script, size, weight), "ls")
            left += _font(script, size, weight).getlength(part)
        return left


def _printable(text: str) -> str:
    """Return the text on one line, without characters that the font lacks."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(char for char in plain if _script(char)).strip()


def _script(char: str) -> str:
    code = ord(char)
    return next((script for low, high, script in SCRIPTS if low <= code <= high), "")


def _runs(text: str) -> list[tuple[str, str]]:
    """Split the text into parts whose characters are in the same file of the font."""
    runs: list[tuple[str, str]] = []
    for char in text:
        script = _script(char)
        if runs and runs[-1][1] == script:
            runs[-1] = (runs[-1][0] + char, script)
        else:
            runs.append((char, script))
    return runs


def _length(text: str, size: int, weight: int) -> float:
    return sum(_font(script, size, weight).getlength(part) for part, script in _runs(text))


@cache
def _font(script: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    """Return the console's font, or Pillow's own if the console is not built."""
    file = next(iter(sorted(ASSETS.glob(f"inter-{script}-wght-normal-*.woff2"))), None)
    if file is None:
        font = ImageFont.load_default(size)
        assert isinstance(font, ImageFont.FreeTypeFont)
        return font
    font = ImageFont.truetype(io.BytesIO(file.read_bytes()), size)
    font.set_variation_by_axes([weight])
    return font
