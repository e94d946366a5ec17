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
NOT_COPIED = (".git", ".venv", ".*_cache", ".hypothesis", ".schemathesis", "__pycache__")
# What starts servers, waits for clocks or plays one thing at length does so whichever rooms there are: once is enough.
LEFT_OUT = (
    "domain/proof/*",
    "domain/test_lineages",
    "domain/rulesets/*/test_evening",
    "domain/rulesets/*/test_readme",
    "domain/rulesets/*/test_laws",
    "domain/rulesets/*/test_odds",
    "domain/rulesets/*/test_dice",
    "service/http/test_at_once",
    "service/http/test_contract",
    "service/http/test_dying",
    "service/http/test_feed",
    "service/http/test_stream",
    "service/http/test_wire",
    "workers/test_honest",
    "workers/test_loaded",
)
IGNORED = tuple(f"--ignore-glob=tests/{file}.py" for file in LEFT_OUT)
OVER_ROOMS = ("tests/domain", "tests/golden", "tests/projections", "tests/workers", *IGNORED)
REST = (
    *OVER_ROOMS,
    "tests/service/http",
    "tests/service/test_teller.py",
    "tests/service/test_verifier.py",
)
QUICK = (
    "tests/domain/session/test_frame.py",
    "tests/domain/session/test_marks.py",
    "tests/domain/session/test_telling.py",
    "tests/domain/test_examples.py",
    "tests/domain/test_tamper.py",
    "tests/golden",
    "tests/service/http/test_repeats.py",
    "tests/service/http/test_secrets.py",
)
ROOMS = tuple(room.name for room in RULESETS)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the whole checkout."""
    return Path(
        shutil.copytree(ROOT, tmp_path / "tree", ignore=shutil.ignore_patterns(*NOT_COPIED))
    )


def run(tree: Path, *tests: str) -> None:
    """Green, or what was not; prints the counts."""
    environ = os.environ | {"PYTHONPATH": str(tree), "FAIRLOG_TESTS": "short"}
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    command = [sys.executable, "-m", "pytest", *options, *tests]
    done = subprocess.run(
        command, cwd=tree, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:]
    print(done.stdout.splitlines()[-1])


def edit(tree: Path, pattern: str, new: str) -> None:
    """In the list of rooms, wherever it stands."""
    path = tree / NAMES
    before = path.read_text()
    path.write_text(re.sub(pattern, new, before))
    assert path.read_text() != before


def taken_out(tree: Path, name: str) -> None:
    shutil.rmtree(tree / "domain/rulesets" / name)
    shutil.rmtree(tree / "tests/domain/rulesets" / name)
    for golden in (tree / "tests/golden").glob(f"{name}-*"):
        golden.unlink()
    edit(tree, rf"\b{name}(\.ruleset)?, |, {name}(\.ruleset)?\b", "")


def copied(tree: Path, name: str) -> None:
    """Under a sixth name, and as the first room: so that every test that plays the first plays this one."""
    for folder in ("domain/rulesets", "tests/domain/rulesets"):
        copy = shutil.copytree(tree / folder / name, tree / folder / "sixth")
        for path in (
            path for suffix in ("py", "json", "md") for path in Path(copy).rglob(f"*.{suffix}")
        ):
            path.write_text(path.read_text().replace(name, "sixth"))
    edit(tree, rf"(import .*\b{name})\b", r"\1, sixth")
    edit(tree, r"= \(", "= (sixth.ruleset, ")


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ROOMS if LONG else ROOMS[:1])
def test_a_room_that_is_taken_out_leaves_every_other_test_green(tree: Path, name: str) -> None:
    taken_out(tree, name)
    left = [
        path for path in (tree / "domain", tree / "tests/golden") if list(path.rglob(f"*{name}*"))
    ]
    assert left == []
    run(tree, *(REST if LONG else QUICK))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ROOMS if LONG else ROOMS[-1:])
def test_a_copy_under_a_sixth_name_passes_the_same_tests(tree: Path, name: str) -> None:
    copied(tree, name)
    run(tree, "tests/golden", "--golden", "-k", "sixth")
    run(tree, *QUICK)
    if LONG:
        run(tree, *OVER_ROOMS, "-k", "sixth")
