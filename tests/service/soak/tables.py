"""Those who play: evenings of all rooms, one after the other in each slot, and tables that several play at at once."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Protocol

from domain.example_session import read_script
from domain.ruleset import AnyRuleset, Option
from service.cli.demo.player import PlayedStep, SessionPlayer
from service.client.api import ApiConnection
from tests.service.sessions.crowd import PLAYERS, hero, table, wishes
from tests.service.soak.gallery import Following, Gallery
from tests.service.soak.ledger import Ledger
from tests.support.example import as_json, brought

WAITS = 600  # seconds that a draw waits for its seats: longer than anything is away
STALE = 10  # every so many commands at a crowded table are meant for the version before


class Table(Protocol):
    """Something that a thread makes a step at."""

    def step(self) -> None: ...


class Slot:
    """One evening after the other; where there is a folder, its seats hold chains and the table draws."""

    def __init__(
        self,
        url: str,
        rulesets: Iterator[AnyRuleset],
        gallery: Gallery | None,
        listed: bool,
        files: Path | None,
    ) -> None:
        self.url, self.rulesets, self.gallery, self.listed, self.files = (
            url,
            rulesets,
            gallery,
            listed,
            files,
        )
        self.evenings: list[SessionPlayer] = []
        self._steps: Iterator[PlayedStep] = iter(())
        self._followed: Following | None = None

    def step(self) -> None:
        if next(self._steps, None) is None:
            self.end()
            self._open()

    def end(self) -> None:
        """No further step; who watches need not wait for one."""
        if self._followed is not None and self.gallery is not None:
            self.gallery.ends_at(self._followed, version_of(self.evenings[-1]))
        self._followed = None
        if self.evenings:
            self.evenings[-1].close()

    def _open(self) -> None:
        evening = SessionPlayer(self.url, read_script(next(self.rulesets)), self.files)
        self.evenings.append(evening)
        options: dict[str, Option] = {
            "listed": self.listed,
            **({"deadline": WAITS} if self.files else {}),
        }
        evening.open(**options)
        self._steps = evening.play()
        if self.gallery is not None:
            self._followed = self.gallery.follow(
                evening.path, "" if self.listed else evening.gm.token
            )


class Crowd:
    """A table of four players, to be played at from several threads, by a `Chair` each."""

    def __init__(self, url: str, gallery: Gallery | None) -> None:
        self.evening = SessionPlayer(url, table())
        self.evening.open(listed=True)
        for nth in range(PLAYERS):
            wish = {"command": as_json(brought(hero(f"p{nth}"), f"Hero of p{nth}"))}
            assert (
                self.evening.seats[f"p{nth}"].post(f"{self.evening.path}/commands", wish).status
                == 201
            )
        self._gallery = gallery
        self._followed = gallery and gallery.follow(self.evening.path, "")

    def end(self) -> None:
        if self._gallery and self._followed:
            self._gallery.ends_at(self._followed, version_of(self.evening))
        self.evening.close()


class Chair:
    """One player of a crowded table, and the GM where it is the GM's turn, on connections of its own."""

    def __init__(self, crowd: Crowd, seat: str, connect: Callable[[str], ApiConnection]) -> None:
        self._path, self._seat, self._numbers = crowd.evening.path, seat, count(1)
        self._players = {who: connect(crowd.evening.seats[who].token) for who in (seat, "gm")}

    def step(self) -> None:
        nth = next(self._numbers)
        who, part, body = wishes(self._seat, nth)
        player, version = self._players[who], None
        if nth % STALE == 0:
            version = int(player.get(self._path).json["version"])
        answer = player.post(f"{self._path}/{part}", body, version=version)
        assert answer.status in (201, 409, 412), answer.body

    def close(self) -> None:
        for player in self._players.values():
            player.close()


class Hands:
    """Threads, each with its share of the tables, until `stop`; what one raises is the ledger's."""

    def __init__(self, ledger: Ledger, pause: float) -> None:
        self.over = Event()
        self._ledger, self._pause = ledger, pause
        self._threads: list[Thread] = []

    def play(self, tables: Sequence[Table], seed: int) -> None:
        thread = Thread(
            target=self._play,
            args=(tables, random.Random(seed)),
            name=f"hands {len(self._threads)}",
        )
        self._threads.append(thread)
        thread.start()

    def stop(self, seconds: float) -> None:
        """Each finishes the step that it is at."""
        self.over.set()
        for thread in self._threads:
            thread.join(seconds)
            if thread.is_alive():
                self._ledger.wrong(f"{thread.name} does not end")

    def _play(self, tables: Sequence[Table], dice: random.Random) -> None:
        while not self.over.is_set():
            for each in dice.sample(tables, len(tables)):
                if self.over.wait(dice.uniform(0, 2 * self._pause)):
                    return
                try:
                    each.step()
                except Exception:
                    self._ledger.wrong(traceback.format_exc())
                    return self.over.set()
                self._ledger.count("steps")
        return None


def version_of(evening: SessionPlayer) -> int:
    return int(evening.gm.get(evening.path).json["version"])
