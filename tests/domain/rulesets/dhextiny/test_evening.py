"""Dhextiny's evening shows every kind of secret, and the demo's own checks find what is amiss in it."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.dhextiny import ruleset
from domain.session.messages import SealOpened
from service.evening import Evening
from service.player import OffScript
from service.script import script_of
from tests.golden.play import script_of as steps_of
from tests.running import Running


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


def played(url: str) -> Evening:
    """All of it but its close."""
    script = script_of(ruleset)
    evening = Evening(
        url, replace(script, steps=tuple(step for step in script.steps if step.close is UNSET))
    )
    evening.open(listed=True)
    for _ in evening.play():
        pass
    return evening


def test_what_is_true_passes_and_what_is_not_is_off_the_script(tmp_path: Path) -> None:
    running = Running(tmp_path, "serve", "--only", "web", FAIRLOG_SYNCHRONOUS="NORMAL")
    try:
        evening = played(running.url())
        with closing(evening):
            eyes = evening.eyes
            found = evening.gm.get(f"{evening.path}/search?kind=session.Narrated&marked=true").json
            whisper, promise = (event["version"] for event in found["events"])
            rewound = evening.gm.get(f"{evening.path}/branches").json["branches"][-1]
            assert eyes.secret("p2", "gm", whisper - 1, whisper).insider == "gm"
            assert (
                eyes.back(rewound["version"], rewound["to"], redo=False).undone == rewound["events"]
            )
            for wrong in (
                lambda: eyes.secret("p2", "blind", whisper - 1, whisper),  # the asker sees it
                lambda: eyes.secret("p1", "gm", whisper - 1, whisper),  # the asker does not
                lambda: eyes.secret("gm", "gm", promise - 1, promise),  # it is open
                lambda: eyes.opening(
                    eyes.secret("p2", "gm", whisper - 1, whisper), SealOpened(turn=1)
                ),  # it is not
                lambda: eyes.aim(promise + 1, whisper),  # another aim
                lambda: eyes.aim(promise + 1, promise),  # told by now
                lambda: eyes.back(
                    rewound["version"], rewound["to"] - 3, redo=False
                ),  # another table
            ):
                with pytest.raises(OffScript):
                    wrong()
    finally:
        running.stop()
