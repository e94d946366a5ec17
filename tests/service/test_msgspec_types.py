"""No request makes msgspec learn a shape: of two threads at that, one would end the process (docs/decisions/0032)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from domain.rulesets import RULESETS
from tests.support.processes import ROOT
from tests.support.scale import scale

FRESH = """
import sys
from pathlib import Path

from msgspec import _utils, inspect, structs

from domain.rulesets import RULESETS
from tests.support.server import TestServer, laid, settings_in

learnt = []

def look(frame, event, _):
    if event == "call" and frame.f_code is _utils.get_class_annotations.__code__:
        if frame.f_back.f_code.co_filename not in (inspect.__file__, structs.__file__):  # they but look
            learnt.append(str(frame.f_locals["obj"]))

house = TestServer(settings_in(Path(sys.argv[1])))
sys.setprofile(look)
for evening in [house.open(ruleset=room.name) for room in RULESETS[: int(sys.argv[2])]] + [laid(house)]:
    house.restart()
    house.follow()
    for path in ("", "?version=2", "/events", "/commands", "/lineage", "/export", "/statistics", "/audits"):
        assert evening.get("gm", path).status_code in (200, 202), path
    for page in ("", "/luck", "/transcript"):
        client = house.client
        client.set_cookie("fairlog-seat", evening.tokens["gm"])
        assert client.get(f"/s/{evening.session}{page}").status_code in (200, 202), page
sys.setprofile(None)
print(f"learnt {learnt}")
"""


def test_an_application_knows_every_shape_when_it_is_made(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", FRESH, str(tmp_path), str(scale(1, len(RULESETS)))],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=True,
    )
    assert said.stdout.splitlines()[-1] == "learnt []"
