"""A room's RULES.md as parts of a page. It takes exactly the Markdown that these texts use, and refuses all other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup, escape

_SENTENCE = re.compile(r"- (\d+\.\d+) (.+)")
_CHAPTER = re.compile(r"## (\d+) (.+)")
_SPAN = re.compile(r"`([^`]+)`|\*([^*`]+)\*")
_LINE = re.compile(r"\|[ :|-]+\|")

NARROW, SHORT = 40, 12
"""Characters of a row that a telephone shows beside each other, of a cell that stays on one line."""


class Sentence(NamedTuple):
    """One rule; `number` as in 6.4."""

    number: str
    words: Markup


class Grid(NamedTuple):
    """A table: its first line, then the others."""

    head: Sequence[Markup]
    rows: Sequence[Sequence[Markup]]

    @property
    def is_long(self) -> bool:
        """Whether a row is too long for the narrowest window."""
        return any(len(" ".join(cell.striptags() for cell in row)) > NARROW for row in self.rows)

    @staticmethod
    def is_short(cell: Markup) -> bool:
        """Whether a cell is a number or few words, which do not go over two lines."""
        return len(cell) <= SHORT or not re.search("[a-z]", cell)


class Chapter(NamedTuple):
    number: str
    title: Markup
    parts: list[Sentence | Grid]


class Rulebook(NamedTuple):
    """`lead` are the paragraphs before the first chapter."""

    lead: list[Markup]
    chapters: list[Chapter]


@lru_cache
def rulebook_or_text(text: str) -> Rulebook:
    """Return the text's parts; a text in another form, such as that of a package, becomes paragraphs."""
    try:
        return rulebook(text)
    except ValueError:
        paragraphs = [Markup(" ").join(map(escape, block)) for block in _blocks(text)]
        return Rulebook(paragraphs, [])


@lru_cache
def rulebook(text: str) -> Rulebook:
    """The text's parts. Raises ValueError at a line of another kind."""
    book, blocks = Rulebook([], []), _blocks(text)
    if not next(blocks)[0].startswith("# "):
        raise ValueError("no title")
    for block in blocks:
        if re.search("[*`]", _SPAN.sub("", " ".join(block))):
            raise ValueError(f"a mark without its other: {block}")
        chapter = _CHAPTER.fullmatch(block[0])
        if chapter and len(block) == 1:
            book.chapters.append(Chapter(chapter[1], spans(chapter[2]), []))
        elif book.chapters:
            book.chapters[-1].parts.extend(_parts(block))
        else:
            book.lead.append(spans(" ".join(_plain(line) for line in block)))
    return book


def spans(text: str) -> Markup:
    """A line's `code` and *emphasis*."""
    found, at = Markup(), 0
    for span in _SPAN.finditer(text):
        found += escape(text[at : span.start()])
        found += (
            Markup("<code>{}</code>").format(span[1])
            if span[1]
            else Markup("<em>{}</em>").format(span[2])
        )
        at = span.end()
    return found + escape(text[at:])


def _blocks(text: str) -> Iterator[list[str]]:
    """Lines that stand together."""
    for is_blank, lines in groupby(text.splitlines(), lambda line: line == ""):
        if not is_blank:
            yield list(lines)


def _parts(block: list[str]) -> list[Sentence | Grid]:
    if block[0].startswith("|"):
        return [_grid(block)]
    return [_sentence(line) for line in block]


def _sentence(line: str) -> Sentence:
    found = _SENTENCE.fullmatch(line)
    if not found:
        raise ValueError(f"no sentence with a number: {line}")
    return Sentence(found[1], spans(found[2]))


def _grid(block: list[str]) -> Grid:
    head, line, *rows = block
    if not _LINE.fullmatch(line):
        raise ValueError(f"no line below the head of a table: {line}")
    return Grid(_cells(head), [_cells(row) for row in rows])


def _cells(row: str) -> list[Markup]:
    if not (row.startswith("|") and row.endswith("|")):
        raise ValueError(f"no row of a table: {row}")
    return [spans(cell.strip()) for cell in row[1:-1].split("|")]


def _plain(line: str) -> str:
    if line.startswith(("#", "-", "|", " ", ">")):
        raise ValueError(f"no paragraph: {line}")
    return line
