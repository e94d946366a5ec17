"""`fairlog demo` with one session: it is played, shown and verified, and nothing of it is left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from domain.rulesets import pentola
from domain.verify import Evidence, verify
from service.cli.demo import run
from service.platform.ed25519 import verify as ed25519
from tests.support.processes import processes

pytestmark = pytest.mark.long  # `.ci/run` plays the demo before the gate


def test_a_session_is_played_shown_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(run, "RULESETS", (pentola.ruleset,))
    monkeypatch.setenv("COLUMNS", "160")
    assert run.run_demo(tmp_path / "logs")
    assert processes(temporary) == set()
    assert list(temporary.iterdir()) == []
    said = re.sub(r"\s+", " ", capfd.readouterr().out)
    for words in (
        r"rewinds to version [0-9]+ \(.*\)\. .* undone events stay in the log",
        r"\(spectator\) sees: .*\[sealed\]",
        r"reveals what was drawn in secret: .*\. every seat can now see version [0-9]+: ",
        "starts another session from version [0-9]+",
        r"Refused commands \([0-9]+\): ",
        "at the table",
        "Statistics, computed by the worker",
        "VALID, [0-9]+ warnings: ",
        "statistics for all 1 sessions",
    ):
        assert re.search(words, said), words
    assert '"event": "request"' not in said
    logs = tmp_path / "logs"
    assert {file.stat().st_mode & 0o777 for file in logs.iterdir()} == {0o600}
    with (logs / "pentola.fairlog").open("rb") as log:
        report = verify(log, ed25519)
    assert report.whole
    assert set(report.letters) == {"A", "D"}
    with (
        (logs / "pentola-fork-1.fairlog").open("rb") as log,
        (logs / "pentola.fairlog").open("rb") as of,
    ):
        fork = verify(log, ed25519, Evidence(parent=of))
    assert fork.valid
    assert fork.origin is not None
    assert (fork.origin.session, fork.origin.table) == (report.session, True)
