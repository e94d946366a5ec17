"""Dhextiny's example session: every kind of secret, each shown to its audience alone."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from domain.example_session import read_script
from domain.rulesets.dhextiny import ruleset
from service.cli.demo.player import SessionPlayer
from tests.golden.play import script_of as steps_of
from tests.support.processes import Running
from tests.support.session_checks import play_checked


def test_it_has_every_audience_a_whisper_a_promise_and_a_take_back() -> None:
    script = steps_of(ruleset)
    steps, roles = script["steps"], {seat["seat"]: seat["role"] for seat in script["seats"]}
    opened = {step["open"] for step in steps if "open" in step}
    sealed = [
        step
        for step, after in pairwise(steps)
        if "audience" in step and after.get("mark") not in opened
    ]
    assert {step["audience"] for step in sealed if "do" in step} == {"gm", "blind", "self"}
    assert any("narrate" in step for step in sealed)
    assert {step["target"] for step in steps if "target" in step} <= opened
    assert any("target" in step for step in steps)
    assert script["options"]["take_back"]
    assert any(
        "rewind" in step and roles[step["by"]] == "player"
        for step in steps
        if "refused" not in step
    )


@pytest.mark.long
def test_every_seat_sees_what_it_may_and_nothing_else(tmp_path: Path) -> None:
    running = Running(tmp_path, "serve", "--only", "web", FAIRLOG_SYNCHRONOUS="NORMAL")
    try:
        with closing(SessionPlayer(running.url(), read_script(ruleset))) as player:
            player.open(listed=True)
            assert sum(1 for _ in play_checked(player)) > 200
    finally:
        running.stop()
