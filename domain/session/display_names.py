"""Display names: how seats' names are shown so that no seat can be mistaken for another.

A log contains names as they were sent. In old logs, they may contain any characters except ASCII
control characters. All code that shows a seat's name therefore uses `display_names`.
"""
# ruff: noqa: RUF001  # the table of look-alikes

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol
from unicodedata import category, normalize

from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.text import INVISIBLE, is_blank

FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Control, format, surrogate and private-use characters, and line and paragraph separators.

Unassigned characters are allowed, because each new version of Unicode assigns some of them.
"""
ROLE_NAMES = (*(role.value for role in Role), "Game Master", "referee", "server", "Fairlog")

_LOOK_ALIKES = str.maketrans(
    {
        char: letter
        for letter, chars in {
            "a": "АаΑαɑᴀᎪꓮ",
            "b": "ВвЬьΒβʙᏴꓐƀ",
            "c": "СсςϲϹᴄᏟꓚ",
            "d": "ԀԁᴅᎠꓓđĐɗ",
            "e": "ЕеЄєΕεᴇᎬꓰɇ",
            "f": "ϜƒꓝꜰϝԲ",
            "g": "ԌԍɡɢցᎶᏀꓖ",
            "h": "НнҺһΗʜհᎻꓧħĦ",
            "i": "ІіΙιıɩɪӀӏᎥꓲǀ|Ɩ",
            "j": "ЈјͿϳȷᴊյᎫꓙ",
            "k": "КкΚκᴋᏦꓗ",
            "l": "ʟᏞꓡłŁԼ",
            "m": "МмΜᴍᎷꓟ",
            "n": "ПпηΝɴոꓠ",
            "o": "ОоΟοσᴏօՕꓳøØӨө",
            "p": "РрΡρᴘᏢꓑ",
            "q": "Ԛԛզգ",
            "r": "ГгʀᎡꓣ",
            "s": "ЅѕꜱՏᏚꓢ",
            "t": "ТтΤτᴛᎢꓔŧŦ",
            "u": "υμᴜսՍꓴ",
            "v": "ѴѵνᴠᏙꓦ",
            "w": "ԜԝωᴡԱաᎳꓪ",
            "x": "ХхΧχꓫ",
            "y": "УуҮүΥγʏꓬ",
            "z": "ΖζᴢᏃꓜ",
            "3": "ЗзӠӡ",
        }.items()
        for char in chars
    }
)
_SIMILAR_LETTERS = str.maketrans("i10", "llo")
_WORD = re.compile(r"[^\W_]+")


class NamedSeat(Protocol):
    """A seat and the name that its holder gave it, if any."""

    @property
    def name(self) -> str | UnsetType: ...


def is_forbidden(char: str) -> bool:
    """Return True if names must not contain the character, for example because it is invisible."""
    return char in INVISIBLE or category(char) in FORBIDDEN_CATEGORIES


def escape_forbidden(text: str) -> str:
    """Replace each forbidden character with U+FFFD, so that it cannot change what is shown."""
    return "".join("\ufffd" if is_forbidden(char) else char for char in text)


class Look(NamedTuple):
    """What a name looks like, and whether it is misleading by itself.

    `whole` contains simplified forms of the name. Two names that share such a form can be mistaken
    for each other. `beginnings` contains the simplified forms of the name's first word, of its
    first two words, and so on. They matter because a line in the log starts with a name: the name
    "Gina: yes" could pass for something that Gina said. `doubtful` is True if the name is
    misleading regardless of the names of the other seats.
    """

    whole: frozenset[str]
    beginnings: frozenset[str]
    doubtful: bool


def display_names(seats: Mapping[str, NamedSeat]) -> dict[str, str]:
    """Return the name to show for each seat that has a name.

    If a name is doubtful, the seat's id is added to it, as in "Gina (p1)". A name is doubtful in
    each of these cases:

    - It looks like a role, or like the name or the id of another seat.
    - It begins with the name or the id of another seat.
    - It contains brackets, which could imitate an added id.
    - It would no longer be accepted as a new name.
    """
    names = {seat: held.name for seat, held in seats.items() if held.name is not UNSET}
    seats_by_look = defaultdict[str, set[str]](set)
    for seat in seats:
        for look in _look(seat).whole | _look(names.get(seat, seat)).whole:
            seats_by_look[look].add(seat)
    return {
        seat: f"{escape_forbidden(name).strip()} ({seat})".lstrip()
        if _is_doubtful(seat, _look(name), seats_by_look)
        else name
        for seat, name in names.items()
    }


def _is_doubtful(seat: str, look: Look, seats_by_look: Mapping[str, set[str]]) -> bool:
    return look.doubtful or any(
        seats_by_look.get(each, {seat}) != {seat} for each in look.whole | look.beginnings
    )


@lru_cache(maxsize=4096)
def _look(name: str) -> Look:
    readings = _readings(name)
    whole = frozenset(_joined(words) for words in readings)
    beginnings = frozenset(
        _joined(words[:last]) for words in readings for last in range(1, len(words))
    )
    doubtful = (
        is_blank(name)
        or name != name.strip()
        or any(is_forbidden(char) or category(char) in ("Ps", "Pe") for char in name)
        or "" in whole
        or not whole.isdisjoint(_role_looks())
    )
    return Look(whole, beginnings, doubtful)


@lru_cache
def _role_looks() -> frozenset[str]:
    names = [each for name in ROLE_NAMES for each in (name, f"the {name}")]
    return frozenset(_joined(words) for name in names for words in _readings(name))


def _readings(name: str) -> list[list[str]]:
    """Return the name's words in lower case, without accents and with look-alikes replaced.

    Look-alikes are replaced by the Latin letters that they resemble. There are two readings,
    because the upper-case and lower-case forms of a letter, such as the Greek eta, can resemble
    different Latin letters.
    """
    decomposed = normalize("NFKD", name)
    readings = decomposed.casefold().translate(_LOOK_ALIKES), decomposed.translate(_LOOK_ALIKES)
    return [_WORD.findall(_without_marks(reading.casefold())) for reading in readings]


def _joined(words: Sequence[str]) -> str:
    return "".join(words).translate(_SIMILAR_LETTERS).replace("rn", "m").replace("vv", "w")


def _without_marks(text: str) -> str:
    return "".join(
        char
        for char in normalize("NFKD", text)
        if category(char)[0] != "M" and not is_forbidden(char)
    )
