"""A ruleset in a distribution of its own plays beside an unchanged Fairlog."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "ruleset-d20"
PROGRAM = """
import sys
from pathlib import Path
from tests.support.server import TestServer, settings_in
from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from workers.jobs import compute_statistics

server = TestServer(settings_in(Path(sys.argv[1])))
table = server.open(ruleset="d20")
table.seat("p1", "player")
odds = table.post("p1", "/odds", {"command": {"kind": "d20.Check", "difficulty": 11}}).json
assert odds["success"] == {"numerator": 1, "denominator": 2, "percent": 50.0}, odds
turn = table.post("p1", "/commands", {"command": {"kind": "d20.Check", "difficulty": 11}})
assert turn.json["events"][-1]["kind"] == "d20.Checked", turn.json
rules = server.client.get("/v1/rulesets/d20").json
assert rules["rules"].startswith("# d20") and "d20.Check" in rules["commands"]
assert "d20.Checked" in server.client.get("/openapi.json").text
compute_statistics(server.app, table.session)
counted = table.get("p1", "/statistics").json
assert counted["version"] == table.version(), counted
pages = ("", "/luck", "/transcript")
for page in pages:
    shown = server.client.get(f"/s/{table.session}{page}", headers=table.headers("p1"))
    assert shown.status_code == 200, (page, shown.text)
assert server.client.get("/rulesets/d20").status_code == 200
report = verify(table.get("p1", "/export").data.splitlines(keepends=True), ed25519)
assert report.valid and report.reached == "views", report
server.close()
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that contains the wheel's files, as pip would install them."""
    built, place = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("site")
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    made = subprocess.run(
        [sys.executable, "-c", code, str(built)],
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        check=True,
    )
    with zipfile.ZipFile(built / made.stdout.split()[-1]) as wheel:
        wheel.extractall(place)
    return place


def run(installed: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(installed), str(ROOT)])
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_the_laws_hold_for_the_example(installed: Path) -> None:
    ran = run(installed, "-m", "fairlog", "ruleset", "check", "d20", "--sessions", "30")
    assert ran.returncode == 0, ran.stderr
    assert "laws hold in 30 random sessions" in ran.stdout


def test_it_plays_over_http_and_on_the_pages(installed: Path, tmp_path: Path) -> None:
    ran = run(installed, "-c", PROGRAM, str(tmp_path))
    assert ran.returncode == 0, ran.stderr


def test_without_it_the_ruleset_is_unknown() -> None:
    ran = run(ROOT, "-m", "fairlog", "ruleset", "check", "d20")
    assert ran.returncode == 1
    assert "no ruleset is called d20" in ran.stderr
