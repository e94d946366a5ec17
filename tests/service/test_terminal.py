"""An evening can be read on a terminal that lacks the signs that we draw with."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

EVENING = Path(__file__).parents[1] / "golden" / "dhextiny-1.fairlog"


@cache
def printed(command: str, encoding: str) -> str:
    environ = os.environ | {"PYTHONIOENCODING": encoding}
    run = [sys.executable, "-m", "service", command, str(EVENING)]
    said = subprocess.run(run, env=environ, capture_output=True, check=False)
    assert (said.returncode, said.stderr) == (0, b"")
    return said.stdout.decode(encoding)


def test_statistics_are_drawn_with_what_there_is() -> None:
    assert "# seen, | expected, . where 95 of 100" in printed("stats", "ascii")


def test_every_line_is_as_wide_as_with_the_signs_themselves() -> None:
    ours, theirs = (printed("stats", encoding) for encoding in ("utf-8", "ascii"))
    bars = [line for line in ours.splitlines() if "┃" in line]
    assert bars
    assert {len(line) for line in bars} <= {
        len(line) for line in theirs.splitlines() if "!" in line
    }


def test_what_holds_is_said() -> None:
    assert "  + bytes  " in printed("verify", "ascii")


def test_a_sign_that_nobody_thought_of_is_a_question_mark() -> None:
    program = "from service.terminal import forgive; forgive(); print('Zoë ├ \\udce9')"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert run.stdout == b"Zo? ? ?\n"
