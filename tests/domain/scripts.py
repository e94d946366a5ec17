"""Random sessions of a ruleset without the log around it, for the laws of all rulesets and of each one."""

from __future__ import annotations

from functools import lru_cache

import pytest
from hypothesis import HealthCheck, settings, strategies as st

from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from fairlog.testing.script import RandomScript
from tests.support.scale import scale
from tests.support.simulation import BY, Table, scenes_of

SCENES = 16
KINDS = 4
every_ruleset = pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
scripts = settings(
    max_examples=scale(8, 100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# Few seeds in the gate, so that the laws share their scripts.
seeds = st.integers(0, scale(19, 2**32 - 1))


class Script(RandomScript, Table):
    """A random session: its states, turns and events, and the rules that refused commands.

    Scenes reach the deeper rules; random commands come between them.
    """

    def __init__(self, ruleset: AnyRuleset, seed: int) -> None:
        Table.__init__(self, ruleset, seed)
        RandomScript.__init__(self, ruleset, seed)
        scenes = scenes_of(ruleset)
        scenes.prepare(self)
        for _ in range(SCENES):
            scenes.scene(self)
            self.play(KINDS)

    def do(self, seat: str, command: Message, chance: object = None) -> bool:
        return self.judge(BY[seat], command)


@lru_cache(maxsize=1024)
def script(ruleset: AnyRuleset, seed: int) -> Script:
    return Script(ruleset, seed)
