"""Every fault of the tamper tables has its code, on its level and at its version."""

from __future__ import annotations

import re
from pathlib import Path

from domain.verify.messages import FAILURES
from tests.domain import broken_logs as b, format_2_faults, house_faults, table_faults
from tests.domain.broken_logs import BYTES, DRAWS, RULES, TREE, VIEWS, Fault
from tests.support.rows import check_rows

FAULTS = [
    *house_faults.ROWS,
    *(row._replace(what=f"at the table: {row.what}") for row in table_faults.ROWS),
    *(row._replace(what=f"format 2: {row.what}") for row in format_2_faults.ROWS),
]


def test_whatever_is_bent_is_named() -> None:
    check_rows(FAULTS, is_named)


def is_named(row: Fault) -> None:
    found = b.check(row.bent(), row.known()).failure
    assert found is not None
    assert (found.level, found.code, found.version) == (row.level, row.code, row.version), found


def test_every_fault_has_a_name_of_its_own() -> None:
    assert len({row.what for row in FAULTS}) == len(FAULTS)


def test_every_code_that_a_file_can_cause_is_caught_once() -> None:
    caught = {row.code for row in FAULTS}
    assert caught == set(FAILURES) - {"E_INCLUSION"}  # of the proof of one roll: test_roll.py


def test_the_page_of_the_format_says_on_which_rungs() -> None:
    caught: dict[str, set[str]] = {}
    for row in FAULTS:
        caught.setdefault(row.level, set()).add(row.code)
    page = (Path(__file__).parents[3] / "docs" / "log-format.md").read_text()
    rows = re.findall(
        r"^\| (\w+) \| [^|]+ \| ((?:`E_\w+` ?)+)(?:; with .*)? \|$", page, re.MULTILINE
    )
    told = {
        level: set(codes.replace("`", "").split())
        for level, codes in rows
        if level in (BYTES, TREE, DRAWS, RULES, VIEWS)
    }
    assert told == caught
