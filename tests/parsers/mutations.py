"""What parsers are given: bytes that were good and are bent, JSON with an odd value in it, and what was never good."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

ODD = (
    b'"',
    b"\\",
    b"\\ud800",
    b"\\u0000",
    b"\xed\xa0\x80",
    b"\xff",
    b"\x00",
    b"NaN",
    b"Infinity",
    b"-0",
    b"1.0",
    b"1e999",
    b"9" * 40,
    b"9" * 5000,
    b"null",
    b"true",
    b"[" * 300,
    b'{"a":' * 300,
    b"[" * 100_000,
    b"{}",
    b"[]",
    b'"v":1,"v":1,',
    b"\xe2\x80\xae",
    b"\r\n",
    b"\n",
    b"\n\n",
    b" ",
    b"\t",
    b"=",
    b"+",
    b"%00",
    b"../",
    b"0x1",
    b"1_000",
    b"\xd9\xa3",
)
"""Quotes, surrogates, bytes that are no UTF-8, numbers that are none or too long, depth, keys twice, ends of lines."""
ODD_VALUES: tuple[Any, ...] = (
    0,
    1,
    -1,
    2**31,
    2**53 - 1,
    2**53,
    2**63,
    2**64,
    10**40,
    10**5000,
    1.0,
    0.5,
    1e308,
    float("nan"),
    float("inf"),
    None,
    True,
    False,
    "",
    " ",
    "a",
    "ana",
    "gm",
    "\u0000",
    "\ud800",
    "\u202e",
    "\u0663",
    "é",
    "x" * 81,
    "y" * 10_000,
    "0" * 64,
    [],
    {},
    [[]],
    [None],
    {"": 0},
    {"kind": "session.Opened"},
    [1] * 100,
)
DIGITS = 5000
"""Python refuses to write integers with more digits than 4300; JSON that we are sent may hold them."""
Bend = tuple[str, int, int, bytes]
Edit = tuple[str, tuple[int, ...], Any]

_bends: st.SearchStrategy[list[Bend]] = st.lists(
    st.tuples(
        st.sampled_from(("put", "over", "cut", "twice", "flip", "end", "swap")),
        st.integers(0, 1 << 20),
        st.integers(1, 80),
        st.sampled_from(ODD) | st.binary(min_size=1, max_size=6),
    ),
    min_size=1,
    max_size=4,
)
_values = st.sampled_from(ODD_VALUES) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
_edits: st.SearchStrategy[list[Edit]] = st.lists(
    st.tuples(
        st.sampled_from(("set", "set", "set", "drop", "add", "twice", "turn")),
        st.tuples(*[st.integers(0, 1 << 16)] * 6),
        _values,
    ),
    min_size=1,
    max_size=3,
)


def bytes_of(*good: bytes) -> st.SearchStrategy[bytes]:
    """One of these, bent in one to four places; now and then as it is, or something else altogether."""
    chosen = st.sampled_from(good)
    return (
        st.tuples(chosen, _bends).map(lambda given: _bent(*given)) | chosen | st.binary(max_size=64)
    )


def texts_of(*good: str) -> st.SearchStrategy[str]:
    return bytes_of(*(text.encode() for text in good)).map(
        lambda raw: raw.decode(errors="surrogateescape")
    )


def json_of(*good: Any) -> st.SearchStrategy[Any]:
    """One of these documents with one to three odd values in it; or any document."""
    chosen = st.sampled_from(good)
    return st.tuples(chosen, _edits).map(lambda given: _edited(*given)) | chosen | _values


def written(document: Any) -> bytes:
    """As JSON, sorted and without whitespace, as canonical as it can be; lone surrogates as they are escaped."""
    text = json.dumps(_short(document), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return (
        text.replace(f'"{10**40}"', "9" * DIGITS)
        .encode("utf-8", "backslashreplace")
        .replace(b"\\\\ud", b"\\ud")
    )


def _short(value: Any) -> Any:
    """Integers that Python does not write stand for themselves as text."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**4000:
        return str(10**40)
    if isinstance(value, dict):
        return {str(name): _short(part) for name, part in value.items()}
    return [_short(part) for part in value] if isinstance(value, list) else value


def _bent(raw: bytes, bends: Sequence[Bend]) -> bytes:
    for how, place, length, odd in bends:
        raw = _BENDS[how](raw, place % (len(raw) + 1), length, odd)
    return raw


_BENDS: dict[str, Callable[[bytes, int, int, bytes], bytes]] = {
    "put": lambda raw, at, length, odd: raw[:at] + odd + raw[at:],
    "over": lambda raw, at, length, odd: raw[:at] + odd + raw[at + len(odd) :],
    "cut": lambda raw, at, length, odd: raw[:at] + raw[at + length :],
    "twice": lambda raw, at, length, odd: raw[: at + length] + raw[at:],
    "flip": lambda raw, at, length, odd: (
        raw[:at] + bytes(each ^ 1 << length % 8 for each in raw[at : at + 1]) + raw[at + 1 :]
    ),
    "end": lambda raw, at, length, odd: raw[:at],
    "swap": lambda raw, at, length, odd: (
        raw[:at]
        + raw[at + length : at + 2 * length]
        + raw[at : at + length]
        + raw[at + 2 * length :]
    ),
}


def _edited(document: Any, edits: Sequence[Edit]) -> Any:
    whole = [deepcopy(document)]
    for how, picks, value in edits:
        _edit(whole, how, picks, deepcopy(value))
    return whole[0]


def _edit(whole: list[Any], how: str, picks: tuple[int, ...], value: Any) -> None:
    """Goes down from pick to pick, and changes where there is no way further, or no pick."""
    within: Any = whole
    for nth, pick in enumerate(picks):
        names = sorted(within) if isinstance(within, dict) else range(len(within))
        if not names:
            break
        name = names[pick % len(names)]
        below = within[name]
        if (
            not isinstance(below, dict | list)
            or not below
            or nth == len(picks) - 1
            or pick % 5 == 4
        ):
            _change(within, name, how, value, whole)
            return
        within = below


def _change(within: Any, name: Any, how: str, value: Any, whole: list[Any]) -> None:
    if how == "drop" and within is not whole:
        del within[name]
    elif how == "add" and isinstance(within, dict):
        within[value if isinstance(value, str) else "more"] = value
    elif how == "twice" and isinstance(within, list) and within is not whole:
        within.append(within[name])
    elif how == "turn" and isinstance(within[name], list):
        within[name] = within[name][::-1]
    else:
        within[name] = value
