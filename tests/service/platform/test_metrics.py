"""The metrics' files are large enough for every label, and survive the process that writes them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.platform.metrics import (
    FILE_SIZES,
    METRICS_FOLDER_VARIABLE,
    UNLABELED_SIZE,
    allocate_files,
)
from tests.support.processes import ROOT

EVERY_LABEL = """
import re, sys
from pathlib import Path

from service.http.errors import PROBLEMS
from service.platform import metrics
from service.sessions.app import build
from service.ops.migrate import prepare
from service.platform.settings import Settings
from service.web.app import create_app

settings = Settings.read({"FAIRLOG_DATA": sys.argv[1]})
prepare(settings)
flask = create_app(build(settings))
metrics.use_slot(1)
met = {(method, rule.rule) for rule in flask.url_map.iter_rules() for method in rule.methods}
assert {method for method, _ in met} <= metrics.METHODS
for method, rule in met | {(method, "") for method in (*metrics.METHODS, "INVENTED", "OTHER")}:
    for status in (200, 300, 400, 500):
        metrics.observe_request(method, rule, status, 0.1)
for code in PROBLEMS:
    metrics.PROBLEMS.labels(code).inc()
for rule in sys.argv[2:]:
    metrics.REFUSALS.labels(rule).inc()
metrics.CONFLICTS.inc()
metrics.TURNS.observe(0.1)
"""


def refusals() -> set[str]:
    """Every rule that the source names, found by its form: more strings than there are rules."""
    sources = (*ROOT.glob("domain/**/*.py"), *ROOT.glob("service/**/*.py"))
    found = (re.findall(r'"([a-z]+(?:-[a-z]+)+)"', path.read_text()) for path in sources)
    return set().union(*found)


def test_the_files_have_room_for_every_label(tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    folder.mkdir()
    allocate_files(folder, 1)
    rules = refusals()
    assert len(rules) > 200
    subprocess.run(
        [sys.executable, "-c", EVERY_LABEL, str(tmp_path / "data"), *rules],
        env=os.environ | {METRICS_FOLDER_VARIABLE: str(folder)},
        check=True,
        cwd=ROOT,
    )
    for kind, size in FILE_SIZES.items():
        for slot, allocated in ((0, UNLABELED_SIZE), (1, size)):
            path = folder / f"{kind}_{slot}.db"
            used = int.from_bytes(path.read_bytes()[:4], sys.byteorder)
            print(f"{path.name}: {used} of {allocated} bytes")
            assert path.stat().st_size == allocated, "a file has grown: it was too small"
            assert path.stat().st_blocks * 512 >= allocated, "a file has holes"
            assert used < 0.9 * allocated
    assert {path.name for path in folder.iterdir()} == {
        f"{kind}_{slot}.db" for kind in FILE_SIZES for slot in (0, 1)
    }


def test_without_space_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "metrics"
    folder.mkdir()
    monkeypatch.setitem(FILE_SIZES, "histogram", 1 << 60)
    with pytest.raises(OSError, match=r"too large|No space"):
        allocate_files(folder, 1)
    assert not folder.exists()
