"""What JSON here may not hold beside the shapes (docs/log-format.md, Canonical JSON). Each check raises ValueError."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

LIMIT = 2**53
MOST_LINE = 1 << 20
"""Bytes, the line end with them."""
DEEPEST = 200
"""Arrays and objects within one another."""
_TEXTS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BESIDE_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class _Pairs(tuple[tuple[str, object], ...]):
    """The members of an object, each as it stands."""

    __slots__ = ()


def check_line(line: bytes) -> None:
    """That the line is UTF-8 and neither too long nor too deep."""
    if len(line) > MOST_LINE:
        raise ValueError(f"a line of more than {MOST_LINE} bytes")
    line.decode()
    if line.count(b"[") + line.count(b"{") > DEEPEST:
        _check_depth(line)


def _check_depth(line: bytes) -> None:
    depth = 0
    for mark in _TEXTS.sub(b"", line).translate(None, delete=_BESIDE_BRACKETS):
        depth += 1 if mark in b"[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"nested more than {DEEPEST} deep")


def check_keys(text: str, beside: Sequence[str] = ()) -> None:
    """That no key stands twice in an object of JSON, but within what is at the path `beside`."""
    _check_pairs(json.loads(text, object_pairs_hook=_Pairs, parse_int=str), tuple(beside))


def _check_pairs(value: object, beside: tuple[str, ...]) -> None:
    if isinstance(value, _Pairs):
        if len(dict(value)) < len(value):
            raise ValueError("a key twice")
        for key, part in value:
            if beside != (key,):
                _check_pairs(part, beside[1:] if beside[:1] == (key,) else ())
    elif isinstance(value, list):
        for part in value:
            _check_pairs(part, ())


def check_parts(value: object) -> None:
    """That there are no floats, nulls, large numbers and keys beyond ASCII."""
    for part in _parts(value):
        if (
            part is None
            or isinstance(part, float)
            or (isinstance(part, int) and abs(part) >= LIMIT)
        ):
            raise ValueError(f"no {part}")


def _parts(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, dict):
        for key, part in value.items():
            if not key.isascii():
                raise ValueError(f"key {key}")
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)
