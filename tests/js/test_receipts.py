"""Receipts that a seat's client kept, against the log: what the house signed it must hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.js.bent_tables import narrate
from tests.js.running import VERIFIER, Job, climb, named, node
from tests.js.tables import Body, Table, jcs

pytestmark = pytest.mark.xdist_group("js")


class Case(NamedTuple):
    what: str
    make: Callable[[Table, Body], Body]
    """A receipt of p2 for the draw that waits, in a log that goes on."""
    found: tuple[str, int] | None
    """Code, and the version counted from the declaration on."""


def kept(*, missing: tuple[str, ...] = (), by: str = "house", **fields: object) -> Callable[[Table, Body], Body]:
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


@pytest.mark.parametrize("wrap", [lambda each: each, lambda each: [each, each], lambda each: {"receipts": [each]}])
def test_the_command_reads_a_clients_file(wrap: Callable[[Body], object], tmp_path: Any) -> None:
    table = Table()
    receipt = kept(missing=("p2",))(table, table.declare("p1"))
    (tmp_path / "log").write_bytes(table.file())
    (tmp_path / "receipts").write_bytes(jcs(wrap(receipt)))
    node(VERIFIER / "cli.js", tmp_path / "log", "--receipts", tmp_path / "receipts", expected=2)
    (tmp_path / "receipts").write_text("{}")
    node(VERIFIER / "cli.js", tmp_path / "log", "--receipts", tmp_path / "receipts", expected=3)
