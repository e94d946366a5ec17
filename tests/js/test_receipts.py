"""Receipts that a seat's client kept, against the log: what the house signed it must hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from domain.verify.receipts import read_receipts
from tests.js.node import COMMAND, Job, climb, named, node
from tests.js.sound_tables import narrate
from tests.js.tables import Body, Table, jcs


class Case(NamedTuple):
    what: str
    make: Callable[[Table, Body], Body]
    """A receipt of p2 for the draw that waits, in a log that goes on."""
    found: tuple[str, int] | None
    """Code, and the version counted from the declaration on."""


def kept(
    *, missing: tuple[str, ...] = (), by: str = "house", **fields: object
) -> Callable[[Table, Body], Body]:
    def make(table: Table, draw: Body) -> Body:
        receipt = table.receipt(draw, "p2", by, **fields)
        table.end(draw, missing)
        return receipt

    return make


def waiting(table: Table, draw: Body) -> Body:
    narrate(table)
    return table.receipt(draw, "p2")


def of_another_wish(table: Table, draw: Body) -> Body:
    """What was signed over a declaration that is not in this log."""
    receipt = table.receipt(draw, "p2", request="00" * 32)
    table.end(draw)
    return receipt


CASES = [
    Case("held", kept(), None),
    Case("the draw waits", waiting, None),
    Case("a void that names who gave", kept(missing=("p2",)), ("E_ORDER", 1)),
    Case("another link", kept(link="00" * 32), ("E_ORDER", 1)),
    Case("signed by who is not the house", kept(by="p1"), ("E_SIGNATURE", 0)),
    Case("of another session", kept(session="00" * 16), ("E_SESSION", 0)),
    Case("under another tree", kept(seen_root="00" * 32), ("E_FORK", 0)),
    Case("of a draw that is not here", kept(draw=7), ("E_FORK", 0)),
    Case("of another wish", of_another_wish, ("E_FORK", 0)),
    Case("of a longer log", kept(seen_size=99), ("E_TRUNCATED", 2)),
]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, dict[str, Any]]]:
    """The version of the declaration, and the report, case by case."""
    jobs, versions = [], []
    for case in CASES:
        table = Table()
        draw = table.declare("p1")
        receipt = case.make(table, draw)
        jobs.append(Job(table.file(), receipts=(receipt,)))
        versions.append(draw["version"])
    found = climb(tmp_path_factory.mktemp("receipts"), jobs)
    return {case.what: (versions[nth], found[nth]) for nth, case in enumerate(CASES)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_receipts(case: Case, reports: dict[str, tuple[int, dict[str, Any]]]) -> None:
    version, report = reports[case.what]
    assert named(report) == (case.found and ("draws", case.found[0], version + case.found[1]))


@pytest.mark.parametrize(
    "wrap", [lambda each: each, lambda each: [each, each], lambda each: {"receipts": [each]}]
)
def test_the_command_reads_a_clients_file(wrap: Callable[[Body], object], tmp_path: Any) -> None:
    table = Table()
    receipt = kept(missing=("p2",))(table, table.declare("p1"))
    (tmp_path / "log").write_bytes(table.file())
    (tmp_path / "receipts").write_bytes(jcs(wrap(receipt)))
    node(COMMAND, tmp_path / "log", "--receipts", tmp_path / "receipts", expected=2)
    (tmp_path / "receipts").write_text("{}")
    node(COMMAND, tmp_path / "log", "--receipts", tmp_path / "receipts", expected=3)


READ = [
    ("a list", lambda one: b"[" + one + b"," + one + b"]", True),
    ("lines", lambda one: one + b"\n" + one, True),
    ("lines with blank ones between", lambda one: b"\n" + one + b"\n \n\r\n" + one + b"\n\n", True),
    ("under a name", lambda one: b'{"at": 1.5, "none": null, "receipts": [' + one + b"]}", True),
    ("a byte order mark", lambda one: b"\xef\xbb\xbf" + one, False),
    ("a float", lambda one: one.replace(b'"chain":0', b'"chain":0.0'), False),
    ("an exponent", lambda one: one.replace(b'"chain":0', b'"chain":0e0'), False),
    ("a seat that is none", lambda one: one.replace(b'"seat":"p2"', b'"seat":"P2"'), False),
    ("a field more", lambda one: one.replace(b'"chain":0', b'"chain":0,"x":1'), False),
    (
        "a field more beside it",
        lambda one: one.replace(b'{"contribution"', b'{"kept":null,"contribution"'),
        True,
    ),
    ("one over lines", lambda one: one.replace(b",", b",\n"), False),
    ("none under the name", lambda one: b'{"receipts": null}', False),
    ("an empty list", lambda one: b"[]", False),
    ("nothing", lambda one: b"", False),
]


@pytest.mark.parametrize(("what", "written", "is_read"), READ, ids=[row[0] for row in READ])
def test_both_read_the_same_files(
    what: str, written: Callable[[bytes], bytes], is_read: bool, tmp_path: Any
) -> None:
    table = Table()
    raw = written(jcs(kept()(table, table.declare("p1"))))
    (tmp_path / "log").write_bytes(table.file())
    (tmp_path / "receipts").write_bytes(raw)
    node(
        COMMAND,
        tmp_path / "log",
        "--receipts",
        tmp_path / "receipts",
        expected=0 if is_read else 3,
    )
    assert read_in_python(raw) is is_read


def read_in_python(raw: bytes) -> bool:
    try:
        return bool(read_receipts(raw).receipts)
    except ValueError:
        return False
