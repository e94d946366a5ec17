"""A soak: everybody plays and watches while what they play on is killed, one thing after the other."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from domain.codec import build_msgspec_types
from domain.rulesets import RULESETS
from projections.results import STATISTICS
from projections.runner import lag
from service.cli.demo.player import SessionPlayer
from service.client.api import ApiConnection
from service.sessions.app import App
from tests.service.sessions.crowd import PLAYERS
from tests.service.soak.checks import sessions_of
from tests.service.soak.deployment import KINDS, Deployment
from tests.service.soak.gallery import Gallery
from tests.service.soak.ledger import Ledger
from tests.service.soak.patient_connection import PATIENCE, Patient
from tests.service.soak.tables import Chair, Crowd, Hands, Slot
from tests.support.processes import eventually

THREADS, PAUSE = (
    8,
    0.1,
)  # of those who play evenings; seconds between two steps of a thread, at an average
BY_TABLE = 5  # of so many evenings at once one is played with chains
HOT = 4  # how much more often than the others the first crowded table is played at
CALM = 8.0  # seconds before the first kill and behind the last
AWAY = 0.1, 1.0  # seconds until what was killed is started again
TICK = 0.05  # seconds between two looks at what is due
SOON = 600.0  # seconds until all views and statistics are at the head, once nobody plays
ONE_OF_FOUR = "one web process"
KILLED = (*KINDS, ONE_OF_FOUR)


class Size(NamedTuple):
    """`kills` of each kind; `crowded` of the sessions are tables at which several play at once."""

    seconds: float
    kills: int
    sessions: int
    streams: int
    crowded: int


class Due(NamedTuple):
    """Seconds from the beginning of the attack, and what is killed or started again then."""

    at: float
    kind: str


class Soak:
    """`open`, `attack`, `settle`, then look at `ledger`, `gallery` and `evenings`."""

    def __init__(self, house: Deployment, app: App, size: Size, files: Path, seed: int) -> None:
        self.house, self.app, self.size, self.dice = house, app, size, random.Random(seed)
        build_msgspec_types()  # many threads of ours read what they are answered
        self.ledger, self.gallery = Ledger(), Gallery(house.url, seed)
        self.connect = partial(Patient, self.ledger)
        self.hands = Hands(self.ledger, PAUSE)
        self.kills: Counter[str] = Counter()
        self.slots = [self._slot(nth, files) for nth in range(size.sessions - size.crowded)]
        self.crowds: list[Crowd] = []
        self.chairs: list[Chair] = []

    @property
    def evenings(self) -> Iterator[SessionPlayer]:
        """All that were opened, with their forks."""
        for evening in [each for slot in self.slots for each in slot.evenings] + [
            each.evening for each in self.crowds
        ]:
            yield evening
            yield from evening.forks

    def open(self) -> None:
        """Everybody sits down and begins to play."""
        self.crowds += [Crowd(self.house.url, self.gallery) for _ in range(self.size.crowded)]
        for nth in range(THREADS):
            self.hands.play(self.slots[nth::THREADS], self.dice.randrange(1 << 32))
        for nth in range(PLAYERS):
            connect = partial(self.connect, self.house.url)
            own = [
                Chair(crowd, f"p{nth}", connect) for crowd in (*self.crowds, *self.crowds[:1] * HOT)
            ]
            self.chairs += own
            self.hands.play(own, self.dice.randrange(1 << 32))

    def attack(self) -> None:
        """Kills and starts again, at random, until the time is over; less where something is amiss already."""
        began, plan, due = time.monotonic(), self._plan(), list[Due]()
        while not self._is_amiss() and (
            plan or due or time.monotonic() - began < self.size.seconds
        ):
            now = time.monotonic() - began
            if plan and plan[0].at <= now:
                self._kill(plan.pop(0).kind, now, plan, due)
            for each in [each for each in due if each.at <= now]:
                due.remove(each)
                self.house.restart(each.kind)
            self.house.tend()
            time.sleep(TICK)

    def settle(self) -> None:
        """Nobody plays any more; streams, views and statistics come to the head."""
        self.hands.stop(PATIENCE)
        assert not self._is_amiss()
        ends: list[Slot | Crowd] = [*self.slots, *self.crowds]
        for each in ends:
            each.end()
        self.gallery.settle(SOON)
        heads = sessions_of(self.app)
        assert eventually(
            lambda: not any(lag(self.app.log, view) for view in self.app.read_models.followed), SOON
        )
        counted = self.app.read_models.results.versions
        if not eventually(lambda: counted(STATISTICS) == heads, SOON):
            late = {
                session: (counted(STATISTICS).get(session), head) for session, head in heads.items()
            }
            raise AssertionError({session: at for session, at in late.items() if at[0] != at[1]})

    def evidence(self) -> str:
        return "\n".join([*self.ledger.amiss, *self.gallery.failed(), self.house.evidence()])

    def close(self) -> None:
        self.hands.stop(PATIENCE)
        self.gallery.close()
        seats: list[SessionPlayer | Chair] = [*self.evenings, *self.chairs]
        for each in seats:
            each.close()

    def _slot(self, nth: int, files: Path) -> Slot:
        rulesets = cycle(RULESETS[nth % len(RULESETS) :] + RULESETS[: nth % len(RULESETS)])
        by_table = nth // len(RULESETS) % BY_TABLE == 0
        watched = nth < self.size.streams - self.size.crowded
        return Slot(
            self.house.url,
            rulesets,
            self.gallery if watched else None,
            nth % 2 == 0,
            files if by_table else None,
        )

    def _plan(self) -> list[Due]:
        """What is killed when."""
        times = sorted(
            self.dice.uniform(CALM, self.size.seconds - CALM) for _ in KILLED * self.size.kills
        )
        return list(map(Due, times, self.dice.sample(KILLED * self.size.kills, len(times))))

    def _kill(self, kind: str, now: float, plan: list[Due], due: list[Due]) -> None:
        """What is down already is started first; where there is no web process to kill, there is one soon."""
        if kind == ONE_OF_FOUR:
            if not self.house.kill_one_web_process(self.dice):
                return plan.insert(0, Due(now + AWAY[1], kind))
        else:
            for each in [each for each in due if each.kind == kind]:
                due.remove(each)
                self.house.restart(kind)
            self.house.kill(kind)
            due.append(Due(now + self.dice.uniform(*AWAY), kind))
        return self.kills.update([kind])

    def _is_amiss(self) -> bool:
        return bool(self.ledger.amiss or self.gallery.failed())


Patch = Callable[[str, Callable[..., ApiConnection]], None]


def everyone_is_patient(patch: Patch, connect: Callable[..., ApiConnection]) -> None:
    """The evening's seats, and their clients that give to draws, connect so that nothing ends them."""
    for module in ("service.cli.demo.player", "service.client.seat", "service.client.join"):
        patch(f"{module}.ApiConnection", connect)
