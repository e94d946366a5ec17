"""docs/client.md: its bot runs as it stands there, and its codes are those that the protocol has."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from domain.verify.messages import FAILURES
from tests.client.tables import Table, listening, served
from tests.support.processes import ROOT, eventually

PAGE = (ROOT / "docs" / "client.md").read_text()


def test_the_bot_runs_as_written(tmp_path: Path) -> None:
    [bot] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with served(tmp_path / "data") as url, closing(Table(url, tmp_path)) as table:
        table.join("p1")
        table.bring()
        process = subprocess.Popen(
            [sys.executable, "-c", bot, url, table.invite("rollo")],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        with listening(*table.sittings.values()) as raised:
            assert eventually(lambda: table.gm.watcher.chains.state_of("rollo").can_contribute), (
                raised
            )
            table.ask()
            said, _ = process.communicate(timeout=30)
        assert (process.returncode, raised) == (0, [])
        assert "I am here for the draws." in said
        assert "grade A." in said
        assert said.rstrip().endswith("takes no part in draws for now.")
        assert table.grades(0) == ["A"]


def test_its_codes_are_those_of_the_protocol() -> None:
    assert set(re.findall(r"E_[A-Z_]+", PAGE)) <= set(FAILURES)
