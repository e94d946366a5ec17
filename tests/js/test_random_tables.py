"""Tables where seats do whatever comes to mind: both verifiers say the same of each, and grade the same.

Every second table is of format 2.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.js.node import Job, climb, named
from tests.js.sound_tables import custodial, narrate
from tests.js.tables import SECOND, Body, Table, entropy_of
from tests.support.scale import scale

TABLES = scale(60, 2000)


class Whims:
    """Mostly what the rules allow, sometimes not: one in eight acts is by nobody's leave."""

    def __init__(self, seed: int) -> None:
        self.source = Random(seed)
        self.format = 1 + seed % 2
        self.table = Table(
            self.source.choice(["table", "table", "table", "house"]),
            length=self.source.choice([20, 4]),
            log_format=self.format,
        )
        self.out: set[str] = set()
        self.refused: list[tuple[str, Body]] = []
        self.waiting: Body | None = None
        self.over: list[Body] = []

    def play(self) -> bytes:
        acts: list[Callable[[], object]] = [
            self.declare,
            self.declare,
            self.end,
            self.end,
            self.end,
            self.move,
            self.leave,
            self.sit,
            self.anchor,
            self.open,
            *([self.refuse] if self.format > 1 else []),
            lambda: narrate(self.table),
            lambda: custodial(self.table) if self.whim() else None,
        ]
        for _ in range(self.source.randrange(3, 24)):
            self.source.choice(acts)()
        return self.table.file()

    def whim(self, chance: float = 1 / 8) -> bool:
        return self.source.random() < chance

    def seat(self) -> str:
        return self.source.choice(["gm", "p1", "p2"])

    def declare(self) -> None:
        if self.waiting and not self.whim():
            return
        here = [
            name
            for name, seat in self.table.seats.items()
            if name not in self.out and self._has_links(name)
        ]
        names = self.source.sample(sorted(self.table.seats), 2) if self.whim() else here
        if all(map(self._has_links, names)):
            entropy = entropy_of(self.table.k) if self.format > 1 and self.whim(1 / 2) else None
            self.waiting = self.table.declare(
                self.seat(), names, secret=self.whim(), entropy=entropy
            )

    def _has_links(self, name: str) -> bool:
        return self.table.seats[name].position <= self.table.length_of(name)

    def end(self) -> None:
        if not self.waiting:
            return
        draw, self.waiting = self.waiting, None
        silent = [name for name, _, _ in draw["contributors"] if name != "house" and self.whim()]
        bent: Body = {}
        if self.format > 1 and self.whim():
            bent = {"at": SECOND * self.table.version} if silent else {"entropy": entropy_of(99)}
        self.table.end(draw, silent, **bent)
        self.over.append(draw)

    def move(self) -> None:
        name, present = self.seat(), self.source.random() < 2 / 3
        by, seen = "house" if self.whim() else None, Body()
        if self.format > 1 and not by and self.whim():
            seen = self.table.seen(self.source.randrange(self.table.version + 1))
        self.table.move(name, "PresenceSet", by=by, present=present, **seen)
        (self.out.discard if present else self.out.add)(name)

    def refuse(self) -> None:
        """A statement that the server does not record, or one that it records later."""
        if self.refused and self.whim(1 / 2):
            self.table.add(*self.refused.pop())
        elif self.whim(1 / 4):
            name = self.seat()
            self.refused.append((name, self.table.moved(name, "PresenceSet", present=False)))

    def leave(self) -> None:
        if self.whim():
            name = self.seat()
            self.table.move(name, "SeatLeft")
            self.out.add(name)

    def sit(self) -> None:
        for name in sorted(self.out) or ([self.seat()] if self.whim() else []):
            self.table.sit(name)
            self.out.discard(name)

    def anchor(self) -> None:
        name = self.source.choice(sorted(self.table.seats))
        if self.format == 1:
            self.table.anchor(name, shows=self._has_links(name))
        elif name != "house" or self.whim(1 / 4):
            self.table.anchor(name, shows=not self.whim())

    def open(self) -> None:
        secret = [draw for draw in self.over if "blind" in draw or self.whim()]
        if secret:
            self.table.open_seal(
                self.source.choice(secret), **({"values": []} if self.whim() else {})
            )


def test_both_say_the_same(tmp_path_factory: pytest.TempPathFactory) -> None:
    files = [Whims(seed).play() for seed in range(TABLES)]
    reports = climb(tmp_path_factory.mktemp("whims"), map(Job, files))
    verdicts = set()
    for nth, (file, report) in enumerate(zip(files, reports, strict=True)):
        own = verify(file.splitlines(keepends=True), ed25519)
        failure = own.failure and (own.failure.level, own.failure.code, own.failure.version)
        assert named(report) == failure, nth
        verdicts.add(failure and failure[1])
        if not failure:
            graded = [
                (draw["ended"], draw["grade"])
                for draw in report["draws"]
                if draw["status"] == "drawn"
            ]
            assert graded == [(each.version, each.grade) for each in own.grades], nth
    assert verdicts >= {None, "E_CONTRIBUTORS", "E_SIGNATURE", "E_ANCHOR", "E_ORDER", "E_FORK"}
