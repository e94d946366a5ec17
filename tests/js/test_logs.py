"""Whole files: what Python says of the first three rungs, JavaScript says too."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.codec import encode
from domain.proof.signed_note import vkey_text
from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_logs as b
from tests.domain.broken_logs import Fault
from tests.domain.house_faults import DRAW
from tests.domain.proof.test_succession import HANDED, SECOND
from tests.domain.verify.test_tamper import FAULTS
from tests.js.node import COMMAND, Job, climb, named, node
from tests.support.rows import check_rows
from tests.support.scale import LONG

GOLDEN = [
    path
    for path in sorted((Path(__file__).parents[1] / "golden").glob("*.fairlog"))
    if LONG or path.stem in {"fansys-2", "open-1", "named-dice-2", "table-1", "table-2"}
]
"""The golden logs. The gate takes the largest game, the open table and the tables that draw."""
RUNGS = ("bytes", "tree", "draws")

OTHERWISE: dict[str, tuple[str, str, int] | None] = {
    "a wish of no rule": ("draws", "E_SIGNATURE", DRAW + 1),
    "a table of no room here": None,
    "a parent that was bent": ("tree", "E_ROOT", 1),
}
"""What is said otherwise: a room's own shapes and rules are not known here, so what is found is what else breaks."""


@pytest.fixture(scope="module")
def bent(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The report on every bent log, by what is bent."""
    reports = climb(tmp_path_factory.mktemp("bent"), map(job, FAULTS))
    return {row.what: report for row, report in zip(FAULTS, reports, strict=True)}


def job(row: Fault) -> Job:
    known = row.known()
    parent = None if known.parent is None else b"".join(known.parent)
    return Job(
        b"".join(row.bent()),
        known.key and vkey_text(known.key),
        known.checkpoints,
        parent,
        tuple(json.loads(encode(each)) for each in known.receipts),
        witnesses=tuple(map(vkey_text, known.witnesses)),
    )


@pytest.mark.long
def test_whatever_is_bent_is_named_alike(bent: dict[str, dict[str, Any]]) -> None:
    def is_named_alike(row: Fault) -> None:
        report = bent[row.what]
        same = (row.level, row.code, row.version) if row.level in RUNGS else None
        expected = OTHERWISE.get(row.what, same)
        assert named(report) == expected
        assert expected or report["reached"] == "draws"

    check_rows(FAULTS, is_named_alike)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Sequence[dict[str, Any]]:
    """The reports on the golden logs, as they are, then gzipped, then without WebCrypto."""
    files = [file.read_bytes() for file in GOLDEN]
    jobs = [
        *map(Job, files),
        *(Job(gzip.compress(file)) for file in files),
        *(Job(file, native=False) for file in files),
    ]
    return climb(tmp_path_factory.mktemp("golden"), jobs)


@pytest.mark.parametrize("nth", range(len(GOLDEN)), ids=lambda nth: GOLDEN[nth].stem)
def test_golden_logs_hold(nth: int, golden: Sequence[dict[str, Any]]) -> None:
    report, *others = golden[nth :: len(GOLDEN)]
    assert (report["failure"], report["reached"]) == (None, "draws")
    bodies = [
        json.loads(line).get("opening", {}).get("body", {})
        for line in GOLDEN[nth].read_bytes().splitlines()
    ]
    drawn = [(body["k"], body["values"]) for body in bodies if body.get("kind") == "session.Drawn"]
    made = [draw for draw in report["draws"] if draw["status"] == "drawn"]
    assert [(draw["k"], [] if draw["isSecret"] else draw["values"]) for draw in made] == drawn
    graded = verify(GOLDEN[nth].read_bytes().splitlines(keepends=True), ed25519).grades
    assert [(draw["ended"], draw["grade"]) for draw in made] == [
        (each.version, each.grade) for each in graded if each.grade != "D"
    ]
    assert others == [report, report]


def test_a_gzip_that_is_not_whole_is_no_file(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(b.lines()))
    cut, bent = packed[:-30], packed[:40] + bytes(40) + packed[80:]
    failures = [report["failure"] for report in climb(tmp_path, [Job(cut), Job(bent)])]
    assert [(failure["rung"], failure["code"]) for failure in failures] == [
        ("bytes", "E_FORMAT")
    ] * 2


def test_the_command_ends_as_fairlog_verify_does(tmp_path: Path) -> None:
    whole, cut, note = tmp_path / "whole", tmp_path / "cut", tmp_path / "note"
    whole.write_bytes(b"".join(b.lines()))
    cut.write_bytes(b"".join(b.lines()[:-1]))
    note.write_text(b.note_of(b.facts(), 5))
    trusting = ("--key", vkey_text(b.vkey()), "--checkpoint", str(note))
    report = json.loads(node(COMMAND, whole, *trusting, "--json"))
    assert report["failure"] is None
    assert (
        node(COMMAND, whole)
        .decode()
        .startswith(f"{whole}: VALID. {report['counts']['events']} events, draws: ")
    )
    failed = json.loads(node(COMMAND, cut, "--lines", expected=2))["failure"]
    assert failed["code"] == "E_UNSIGNED"
    assert (
        node(COMMAND, cut, expected=2).decode()
        == f"{cut}: NOT VALID. E_UNSIGNED at version {failed['version']}, level tree.\n"
    )
    assert node(COMMAND, "--help").startswith(b"Usage: fairlog-verify FILE")
    for wrong in (
        (tmp_path / "none",),
        (whole, "--key", "none"),
        (whole, "--checkpoint", whole),
        (),
    ):
        node(COMMAND, *wrong, expected=3)


def test_the_modules_need_only_each_other_and_noble() -> None:
    """Only the command imports from Node, so a page can load the other modules."""
    folder = COMMAND.parent
    for module in sorted(folder.glob("*.ts")):
        needed = re.findall(r'from "([^"]+)"', module.read_text())
        if module == COMMAND:
            needed = [name for name in needed if not name.startswith("node:")]
        assert all(
            name.startswith("@noble/")
            or (re.fullmatch(r"\./[a-z0-9-]+\.ts", name) and (folder / name).is_file())
            for name in needed
        ), module


def test_endless_texts_do_not_make_it_raise(tmp_path: Path) -> None:
    line = b'{"leaf": "' + rb"\"" * 400_000 + b'"}\n'
    deep = b'{"leaf":' + b"[" * 90_000 + b"]" * 90_000 + b"}\n"
    note = b'{"checkpoint":"a\\n1\\nb\\n\\n\xe2\x80\x94 a ' + b"A" * 800_000 + b'\\n"}\n'
    files = [
        b"".join([*b.lines()[:1], line]),
        b"".join([*b.lines()[:1], deep]),
        b"".join([*b.lines()[:-1], note]),
    ]
    codes = [report["failure"]["code"] for report in climb(tmp_path, map(Job, files))]
    assert codes == ["E_NONCANONICAL", "E_FORMAT", "E_NOTE_FORMAT"]


def test_a_log_that_goes_on_under_another_key_holds(tmp_path: Path) -> None:
    keys = [None, b.evening().log_key, SECOND]
    jobs = [
        Job(
            b"".join(handed()),
            None if trusted is None else vkey_text(b.vkey(trusted)),
            (b.note_of(b.facts(), 20),),
        )
        for handed in HANDED.values()
        for trusted in keys
    ]
    reports = climb(tmp_path, jobs)
    assert [(report["failure"], report["reached"]) for report in reports] == [
        (None, "draws")
    ] * len(jobs)
