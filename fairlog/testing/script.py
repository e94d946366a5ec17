"""Random sessions of a ruleset, without the log around them."""

from __future__ import annotations

import random  # noqa: TID251  tests choose commands, not values of a game
from typing import Any, NamedTuple, Protocol

from domain.chance import SeededChance
from domain.decider import By, Refused, Role, fold
from domain.ruleset import AnyRuleset, Message
from fairlog.testing.random_commands import random_kind, random_options, random_wish

SEATS = (By("gm", Role.GM), By("p1", Role.PLAYER), By("p2", Role.PLAYER), By("s1", Role.SPECTATOR))
COMMANDS, ATTEMPTS = 64, 8


class Accepted(NamedTuple):
    """An accepted command with the states before and after it.

    `drawn` is the seed of the values that were drawn for it, 32 bytes.
    """

    state: Any
    command: Message
    by: By
    drawn: bytes
    events: tuple[Any, ...]
    after: Any


class Script(Protocol):
    """A session that was played: its states, turns and events, and the rules that refused commands.

    `states` begins with the initial state.
    """

    states: list[Any]
    accepted: list[Accepted]
    events: list[Message]
    refused: list[str]


class RandomScript:
    """A session of random commands. The same seed gives the same session."""

    def __init__(self, ruleset: AnyRuleset, seed: int) -> None:
        self.ruleset, self.random = ruleset, random.Random(seed)  # noqa: S311 not for secrets
        self.state = ruleset.decider.initial(random_options(self.random, ruleset))
        self.states: list[Any] = [self.state]
        self.accepted: list[Accepted] = []
        self.events: list[Message] = []
        self.refused: list[str] = []

    def play(self, commands: int = COMMANDS) -> None:
        """Send random commands. A kind that is refused is tried with other values."""
        for _ in range(commands):
            kind = random_kind(self.random, self.ruleset)
            any(self._try(kind) for _ in range(ATTEMPTS))

    def _try(self, kind: type) -> bool:
        by = self.random.choice(SEATS)
        return self.judge(by, random_wish(self.random, self.ruleset, self.state, kind))

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


def seeded(drawn: bytes) -> SeededChance:
    return SeededChance(lambda: drawn)
