"""What is hardly a file any more: both verifiers say the same of it, down to the code and the version."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from domain.proof import hash_chain
from domain.verify import verify
from service.cli.verify import read_lines
from service.platform.ed25519 import verify as ed25519
from tests.js.node import Job, climb, named
from tests.js.tables import Table, jcs

EVENT = Table().version + 1
Found = tuple[str, str, int] | None
FORMAT, NONCANONICAL = ("bytes", "E_FORMAT", EVENT), ("bytes", "E_NONCANONICAL", EVENT)
NO_FILE = ("bytes", "E_FORMAT", 0)
MOST_LINE = 1 << 20


def holding(raw: bytes) -> bytes:
    """A table's file whose last event has these bytes as its body."""
    table = Table()
    version = table.add("gm", {"kind": "nowhere.A"})
    leaf = json.loads(table.leaves[-1]) | {
        "body": hash_chain.labelled_hash("body", table.salt(version), raw).hex()
    }
    table.leaves[-1] = jcs(leaf).decode()
    return table.file().replace(b'{"kind":"nowhere.A"}', raw)


def fact(value: bytes) -> bytes:
    return holding(b'{"kind":"nowhere.A","x":' + value + b"}")


def named_so(kind: str) -> bytes:
    return holding(jcs({"kind": kind}))


def wishing(command: bytes) -> bytes:
    return holding(b'{"command":' + command + b',"kind":"session.Declared"}')


def nested(deep: int) -> bytes:
    """The line of the event is so deep: itself, its opening and its body with it."""
    return fact(b"[" * (deep - 3) + b"]" * (deep - 3))


def line_of(size: int, sign: str = "a") -> bytes:
    """The line of the event has so many bytes."""
    beside = len(fact(b'""').splitlines(keepends=True)[EVENT])
    count, rest = divmod(size - beside, len(sign.encode()))
    return fact(jcs(sign * count + "a" * rest))


def bent(file: bytes, old: bytes, new: bytes) -> bytes:
    """The line of the event with one thing in another's place."""
    lines = file.splitlines(keepends=True)
    assert old in lines[EVENT]
    lines[EVENT] = lines[EVENT].replace(old, new, 1)
    return b"".join(lines)


def spaced(file: bytes) -> bytes:
    return bent(file, b'{"leaf":', b'{"leaf": ')


def moved(file: bytes) -> bytes:
    """The leaf claims another version."""
    return bent(file, rb"\"version\":%d}" % EVENT, rb"\"version\":99}")


class Case(NamedTuple):
    what: str
    file: bytes
    found: Found


WHOLE = holding(b'{"kind":"nowhere.A"}')
PACKED = gzip.compress(WHOLE, mtime=0)
NARRATED = b'{"kind":"session.Narrated","text":%s}'

CASES = [
    Case("a room's kind", named_so("nowhere.A"), None),
    Case("a kind with a dot more", named_so("nowhere.session."), None),
    *(
        Case(f"kind '{kind}'", named_so(kind), FORMAT)
        for kind in ("nowhere.", "nowhere", "yyy.A", "foreign", "")
    ),
    *(
        Case(f"kind '{kind}'", named_so(kind), FORMAT)
        for kind in ("Session.X", "session.X", "session.")
    ),
    Case("a kind that is no text", holding(b'{"kind":1}'), FORMAT),
    Case("no kind", holding(b'{"x":1}'), FORMAT),
    Case("no object", holding(b"[1]"), FORMAT),
    Case("another room's kind with a space", holding(b'{"kind": "yyy.A"}'), FORMAT),
    Case("a wish of another room with a space", wishing(b'{"kind": "yyy.A"}'), FORMAT),
    Case("a wish with a space", wishing(b'{"kind": "nowhere.A"}'), NONCANONICAL),
    Case("a wish that is a list", wishing(b"[]"), FORMAT),
    Case("a line as long as any", line_of(MOST_LINE), None),
    Case("a line too long by a byte", line_of(MOST_LINE + 1), FORMAT),
    Case("a line as long as any, of few characters", line_of(MOST_LINE, "\u00e9"), None),
    Case("a line too long, of few characters", line_of(MOST_LINE + 1, "\u00e9"), FORMAT),
    Case("a line too long, of fewer characters", line_of(MOST_LINE + 1, "\U0001f600"), FORMAT),
    *(Case(f"{deep} deep", nested(deep), None) for deep in (5, 200)),
    *(Case(f"{deep} deep", nested(deep), FORMAT) for deep in (201, 1000, 1100, 3000, 20_000)),
    Case("objects 200 deep", fact(b'{"a":' * 197 + b"1" + b"}" * 197), None),
    Case("objects 201 deep", fact(b'{"a":' * 198 + b"1" + b"}" * 198), FORMAT),
    Case("many beside each other", fact(b"[" + b",".join([b"[]"] * 500) + b"]"), None),
    Case("brackets in a text", fact(jcs('["{\\' * 500)), None),
    Case("too deep with a space", spaced(nested(201)), FORMAT),
    Case("two kinds", holding(b'{"kind":"yyy.A","kind":"nowhere.A"}'), FORMAT),
    Case("a kind twice", holding(b'{"kind":"nowhere.A","kind":"nowhere.A"}'), FORMAT),
    Case(
        "two kinds of the frame",
        holding(b'{"kind":"session.Declared","kind":"session.SealOpened"}'),
        FORMAT,
    ),
    Case("a key twice", holding(NARRATED % b'"a","text":"a"'), FORMAT),
    Case("a key twice, first of another type", holding(NARRATED % b'1,"text":"a"'), FORMAT),
    Case("a key twice in a wish", wishing(b'{"kind":"nowhere.A","kind":"nowhere.A"}'), FORMAT),
    Case("a key twice in a line", bent(WHOLE, b'{"leaf":', b'{"leaf":"","leaf":'), FORMAT),
    Case("a key twice in a leaf", bent(WHOLE, rb"\"v\":1,", rb"\"v\":1,\"v\":1,"), FORMAT),
    Case(
        "a key twice in a body, of another version",
        moved(fact(b'{"a":1,"a":1}')),
        ("bytes", "E_VERSION", EVENT),
    ),
    Case("a space in the line", spaced(WHOLE), NONCANONICAL),
    Case(
        "a space before the body of no kind",
        bent(holding(b'{"x":1}'), b'"body":{', b'"body": {'),
        NONCANONICAL,
    ),
    Case(
        "a space behind the body of no kind",
        bent(holding(b'{"x":1}'), b'},"salt"', b'} ,"salt"'),
        NONCANONICAL,
    ),
    *(
        Case(
            f"a space in the line, {value.decode()} in the body", spaced(fact(value)), NONCANONICAL
        )
        for value in (
            b"1.0",
            b"null",
            b"1e400",
            b"9007199254740992",
            '{"é":1}'.encode(),
            b'{"a":1,"a":1}',
        )
    ),
    *(
        Case(f"{value.decode()} in the body", fact(value), FORMAT)
        for value in (b"1.0", b"null", b"1e400", b"NaN")
    ),
    Case("half a character in the body", spaced(fact(rb'"\ud800"')), FORMAT),
    Case("half a character, of another version", moved(fact(rb'"\ud800"')), FORMAT),
    Case("no UTF-8 in the body", spaced(fact(b'"\xff"')), FORMAT),
    Case("no UTF-8, of another version", moved(fact(b'"\xff"')), FORMAT),
    Case("a float, of another version", moved(fact(b"1.0")), ("bytes", "E_VERSION", EVENT)),
    Case("gzip", PACKED, None),
    *(
        Case(f"gzip cut by {cut}", PACKED[:-cut], NO_FILE)
        for cut in (1, 4, 5, 8, 9, 12, 40, len(PACKED) - 2)
    ),
    Case("gzip with another checksum", PACKED[:-8] + bytes(4) + PACKED[-4:], NO_FILE),
    Case("gzip with another size", PACKED[:-4] + bytes(4), NO_FILE),
    Case("gzip of nothing", gzip.compress(b""), NO_FILE),
    Case("gzip of two members", gzip.compress(WHOLE[:3000]) + gzip.compress(WHOLE[3000:]), NO_FILE),
    Case("gzip with an empty member behind", PACKED + gzip.compress(b""), NO_FILE),
    Case("gzip with zeros behind", PACKED + bytes(20), NO_FILE),
    Case("gzip with something behind", PACKED + b"junk", NO_FILE),
    Case("gzip bent inside", PACKED[:60] + bytes(40) + PACKED[100:], NO_FILE),
    Case("nothing", b"", NO_FILE),
    Case("a byte order mark", b"\xef\xbb\xbf" + WHOLE, NO_FILE),
    Case("carriage returns", WHOLE.replace(b"\n", b"\r\n"), ("bytes", "E_NONCANONICAL", 0)),
    Case("no last line feed", WHOLE[:-1], NONCANONICAL),
    Case("an empty line behind", WHOLE + b"\n", FORMAT),
]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, dict[str, Any]]:
    assert len({case.what for case in CASES}) == len(CASES)
    found = climb(tmp_path_factory.mktemp("edges"), (Job(case.file) for case in CASES))
    return {case.what: report for case, report in zip(CASES, found, strict=True)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_javascript_says(case: Case, reports: Mapping[str, dict[str, Any]]) -> None:
    assert named(reports[case.what]) == case.found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_python_says(case: Case) -> None:
    failure = verify(read_lines(io.BufferedReader(io.BytesIO(case.file))), ed25519).failure
    assert (failure and (failure.level, failure.code, failure.version)) == case.found
