"""A further ruleset is one folder and one name in the list: everything else derives from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.long
def test_a_sixth_ruleset_registers_and_plays() -> None:
    command = [sys.executable, "-m", "tests.support.sixth_ruleset"]
    ran = subprocess.run(
        command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
