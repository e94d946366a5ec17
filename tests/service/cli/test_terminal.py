"""A session can be read on a terminal whose encoding lacks the signs that we draw with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LOG = Path(__file__).parents[2] / "golden" / "dhextiny-1.fairlog"


@pytest.mark.parametrize(
    ("command", "words"),
    [("stats", b"Ben  |----:::::|::::--#- |better than"), ("verify", b"? bytes  ")],
)
def test_signs_that_the_encoding_lacks_are_question_marks(command: str, words: bytes) -> None:
    environ = os.environ | {"PYTHONIOENCODING": "ascii"}
    run = [sys.executable, "-m", "service", command, str(LOG)]
    said = subprocess.run(run, env=environ, capture_output=True, check=False)
    assert (said.returncode, said.stderr) == (0, b"")
    assert words in said.stdout
