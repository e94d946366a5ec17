"""Plausible evenings of every room by decide, evolve and tally alone: no log, no bytes, no hashes; dice may be loaded.

evening = simulate(room, seed=7, scenes=40)             # fair: projections.tallies.Evening
evening = simulate_loaded(room, seed=7, draws=900)      # until the room's loaded die has fallen so often

A room's scenes stand beside its tests, in `tests/domain/rulesets/<room>/scenes.py`: `prepare(table)` brings everybody,
`scene(table)` plays one thing that somebody does, `LOADED` is what its evenings with a loaded die are played with.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol, TypeVar

from domain.decider import By, Refused, Role
from domain.ruleset import AnyRuleset, Message
from domain.tally import Rolled
from projections.tallies import TURN_KIND, SessionTallies, TalliedTurn, Tally

T = TypeVar("T")
EIGHT_O_CLOCK = 1_767_297_600_000
PLAYERS = ("p1", "p2", "p3")
BY = {"gm": By("gm", Role.GM), **{seat: By(seat, Role.PLAYER) for seat in PLAYERS}}
BUSY = 0.75
"""The share of scenes that a busy seat plays."""


class Loaded(NamedTuple):
    """The die or deck `source` as one seat draws from it: its `value`, one of so many, weighs `weight` times one."""

    seat: str
    source: str
    values: int
    value: str
    weight: float


class Fair:
    """Values of a seeded generator; counts how many were asked for."""

    def __init__(self, source: random.Random) -> None:
        self.random = source.random
        self.asked = 0

    def draw(self, sides: int) -> int:
        self.asked += 1
        return 1 + int(self.random() * sides)


class LoadedDie(Fair):
    """The same but for one die, whose highest face is heavy."""

    def __init__(self, source: random.Random, loaded: Loaded) -> None:
        super().__init__(source)
        self.sides, self.weight = loaded.values, loaded.weight

    def draw(self, sides: int) -> int:
        if sides != self.sides:
            return super().draw(sides)
        self.asked += 1
        return min(sides, 1 + int(self.random() * (sides - 1 + self.weight)))


class Scenes(Protocol):
    """What a room's file of scenes holds."""

    LOADED: Loaded

    def prepare(self, table: Table) -> None: ...

    def scene(self, table: Table) -> None: ...


class Table:
    """Four seats, what they play, and what it counts for."""

    def __init__(
        self, ruleset: AnyRuleset, seed: int, loaded: Loaded | None = None, busy: str = ""
    ) -> None:
        self.ruleset, self.loaded, self.busy = ruleset, loaded, busy
        self.random = random.Random(f"{ruleset.name} {seed}")
        self.state = ruleset.decider.initial(ruleset.options())
        self.version, self.at = 0, EIGHT_O_CLOCK
        self.heavy: list[int] = []  # versions of the draws of what is loaded
        self.tallies: list[Tally] = []
        self.turns: list[TalliedTurn] = []

    def do(self, seat: str, command: Message, chance: Fair | None = None) -> bool:
        """One command of a seat; whether the rules allowed it."""
        chance = chance or self.chance(seat)
        try:
            events = self.ruleset.decider.decide(self.state, command, BY[seat], chance)
        except Refused:
            return False
        self._count(seat, events, chance.asked)
        return True

    def all(self, *steps: tuple[str, Message]) -> bool:
        """One after the other, up to the first that is refused; whether none was."""
        return all(self.do(seat, command) for seat, command in steps)

    def chance(self, seat: str) -> Fair:
        loaded = self.loaded
        if loaded is None or loaded.seat != seat or loaded.source != f"d{loaded.values}":
            return Fair(self.random)
        return LoadedDie(self.random, loaded)

    def someone(self, seats: Sequence[str] = PLAYERS) -> str:
        """One of the seats; mostly the busy one."""
        return self.busy if self.busy in seats and self.maybe(BUSY) else self.random.choice(seats)

    def pick(self, choices: Sequence[T]) -> T:
        return self.random.choice(choices)

    def maybe(self, share: float) -> bool:
        return self.random.random() < share

    def evening(self) -> SessionTallies:
        return SessionTallies(self.version, tuple(self.tallies), tuple(self.turns), ())

    def _count(self, seat: str, events: Sequence[Message], asked: int) -> None:
        self.at += self.random.randint(5_000, 180_000)
        turn, first, dice = len(self.turns) + 1, self.version + 1, "drawn" if asked else ""
        self.version = first + (asked > 0)  # Declared, and Drawn
        for event in events:
            self.version += 1
            for nth, count in enumerate(self.ruleset.tally(event)):
                self.tallies.append(
                    Tally(self.version, nth, turn, self.at, seat, dice, False, False, count)
                )
                if (
                    self.loaded
                    and isinstance(count, Rolled)
                    and (seat, count.source) == self.loaded[:2]
                ):
                    self.heavy.append(self.version)
            self.state = self.ruleset.decider.evolve(self.state, event)
        self.turns.append(
            TalliedTurn(turn, first, self.version, self.at, seat, TURN_KIND, dice, False, False)
        )


def scenes_of(ruleset: AnyRuleset) -> Scenes:
    found: Scenes = import_module(f"tests.domain.rulesets.{ruleset.name}.scenes")
    return found


def simulate(ruleset: AnyRuleset, seed: int, scenes: int) -> SessionTallies:
    """A fair evening of so many scenes; the same for the same seed."""
    table = Table(ruleset, seed)
    played = scenes_of(ruleset)
    played.prepare(table)
    for _ in range(scenes):
        played.scene(table)
    return table.evening()


def simulate_loaded(ruleset: AnyRuleset, seed: int, draws: int) -> tuple[SessionTallies, list[int]]:
    """An evening in which the room's loaded die or deck is drawn from so often by its seat, and the draws' versions."""
    played = scenes_of(ruleset)
    table = Table(ruleset, seed, played.LOADED, busy=played.LOADED.seat)
    played.prepare(table)
    while len(table.heavy) < draws:
        played.scene(table)
    return table.evening(), table.heavy
