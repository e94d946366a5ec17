"""The example session over HTTP, with table draws: its log holds in both verifiers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from domain.example_session import read_script
from domain.proof.signed_note import parse_vkey
from domain.rulesets.open import ruleset
from domain.verify import Evidence, verify
from service.cli.demo.player import SessionPlayer
from service.platform.ed25519 import verify as ed25519
from tests.client.tables import served
from tests.js.node import Job, climb

pytestmark = pytest.mark.long


def test_a_session_with_table_draws_holds_in_python_and_in_javascript(tmp_path: Path) -> None:
    (seats := tmp_path / "seats").mkdir()
    with (
        served(tmp_path / "data") as url,
        closing(SessionPlayer(url, read_script(ruleset), seats)) as player,
    ):
        player.open()
        for _ in player.play():  # raises if a step is not accepted or refused as the script says
            pass
        export = player.gm.get(f"{player.path}/export", accept="application/x-fairlog")
    known = Evidence(parse_vkey(player.log_key))
    report = verify(export.body.splitlines(keepends=True), ed25519, known)
    assert report.failure is None
    assert report.whole
    assert report.counts.turns >= 120
    assert set(report.letters) == {"A", "D"}
    [checked] = climb(tmp_path, [Job(export.body, player.log_key)])
    assert (checked["failure"], checked["reached"]) == (None, "draws")
    assert [
        (draw["ended"], draw["grade"]) for draw in checked["draws"] if draw["status"] == "drawn"
    ] == [(each.version, each.grade) for each in report.grades if each.grade != "D"]
