"""A room is one folder, its tests and one name: taken out or added, nothing else is touched and everything holds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.scale import LONG

ROOT = Path(__file__).resolve().parents[1]
NAMES = Path("domain/rulesets/__init__.py")
REST = ("tests/domain", "tests/golden", "tests/projections", "tests/workers")
QUICK = ("tests/domain/test_laws.py", "tests/golden", "tests/domain/session", "tests/projections")
TAKEN = tuple(room.name for room in RULESETS[1:])
"""The first room is the frame's own example in its tests."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the domain's tests need."""
    for folder in ("docs", "domain", "projections", "service", "workers", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run(tree: Path, *tests: str) -> None:
    environ = os.environ | {"PYTHONPATH": str(tree), "FAIRLOG_TESTS": "short"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    done = subprocess.run(command, cwd=tree, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]


def edit(tree: Path, pattern: str, new: str) -> None:
    """In the list of rooms, wherever it stands."""
    path = tree / NAMES
    path.write_text(re.sub(pattern, new, path.read_text()))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", TAKEN if LONG else TAKEN[:1])
def test_a_room_that_is_taken_out_leaves_every_other_test_green(tree: Path, name: str) -> None:
    shutil.rmtree(tree / "domain/rulesets" / name)
    shutil.rmtree(tree / "tests/domain/rulesets" / name)
    for golden in (tree / "tests/golden").glob(f"{name}-*"):
        golden.unlink()
    edit(tree, rf", {name}\b(\.ruleset)?|\b{name}, ", "")
    run(tree, *(REST if LONG else QUICK))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", TAKEN if LONG else TAKEN[-1:])
def test_a_copy_under_a_sixth_name_passes_the_same_laws(tree: Path, name: str) -> None:
    room = tree / "domain/rulesets" / name
    copy = room.with_name("sixth")
    shutil.copytree(room, copy)
    for path in (*copy.rglob("*.py"), *copy.rglob("*.json")):
        path.write_text(path.read_text().replace(name, "sixth"))
    edit(tree, rf"\b{name}(\.ruleset)?\b", rf"{name}\1, sixth\1")
    run(tree, "tests/golden", "--golden", "-k", "sixth")
    run(tree, "tests/domain/test_laws.py", "tests/golden", "-k", "sixth")
