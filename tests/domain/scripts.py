"""Random sessions of a ruleset without the log around it, for the laws of all rulesets and of each one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings, strategies as st

from domain.chance import SeededChance
from domain.decider import By, Refused, fold
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from tests.support.commands import SEATS, random_kind, random_options, random_wish
from tests.support.scale import scale
from tests.support.simulation import BY, Table, scenes_of

SCENES = 16
KINDS = 4
ATTEMPTS = 8
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


def seeded(drawn: bytes) -> SeededChance:
    return SeededChance(lambda: drawn)


class Accepted(NamedTuple):
    """An accepted command with the states before and after it."""

    state: Any
    command: Message
    by: By
    drawn: bytes
    events: tuple[Any, ...]
    after: Any


class Script(Table):
    """A random session: its states, turns and events, and the rules that refused commands.

    Scenes reach the deeper rules; random commands come between them.
    """

    def __init__(self, ruleset: AnyRuleset, seed: int) -> None:
        super().__init__(ruleset, seed)
        self.state = ruleset.decider.initial(random_options(self.random, ruleset))
        self.states = [self.state]
        self.accepted: list[Accepted] = []
        self.events: list[Message] = []
        self.refused: list[str] = []
        scenes = scenes_of(ruleset)
        scenes.prepare(self)
        for _ in range(SCENES):
            scenes.scene(self)
            for _ in range(KINDS):
                kind = random_kind(self.random, ruleset)
                any(self._try(kind) for _ in range(ATTEMPTS))

    def _try(self, kind: type) -> bool:
        by = self.random.choice(SEATS)
        return self.judge(by, random_wish(self.random, self.ruleset, self.state, kind))

    def do(self, seat: str, command: Message, chance: object = None) -> bool:
        return self.judge(BY[seat], command)

    def judge(self, by: By, command: Message) -> bool:
        """Return True if the rules accept the command."""
        state, drawn = self.state, self.random.randbytes(32)
        try:
            events = self.ruleset.decider.decide(state, command, by, seeded(drawn))
        except Refused as refused:
            self.refused.append(refused.rule)
            return False
        self.state = fold(self.ruleset.decider.evolve, state, events)
        self.accepted.append(Accepted(state, command, by, drawn, events, self.state))
        self.events.extend(events)
        self.states.append(self.state)
        return True


@lru_cache(maxsize=1024)
def script(ruleset: AnyRuleset, seed: int) -> Script:
    return Script(ruleset, seed)
