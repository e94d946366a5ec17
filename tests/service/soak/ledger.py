"""What any client was shown and told in the course of a soak: events by session and version, commands by their key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from threading import Lock
from typing import NamedTuple

import msgspec
from msgspec import Raw

from domain.codec import kind
from domain.recorded_event import RecordedEvent


class Event(msgspec.Struct, frozen=True):
    """As it is shown: a sealed one has neither kind nor body."""

    version: int
    turn: int
    at: str
    seat: str
    kind: str = ""
    body: Raw = Raw()
    sealed: bool = False


class Shown(NamedTuple):
    """What stands fast of an event; `kind` and `body` are empty until somebody was shown them. `at` in ms."""

    at: int
    turn: int
    seat: str
    kind: str
    body: bytes

    @classmethod
    def of(cls, event: Event) -> Shown:
        at = round(datetime.fromisoformat(event.at).timestamp() * 1000)
        return cls(at, event.turn, event.seat, event.kind, bytes(event.body))

    def agrees(self, other: Shown) -> bool:
        return self[:3] == other[:3] and (not self.kind or not other.kind or self == other)

    def is_of(self, fact: RecordedEvent) -> bool:
        """Whether that is what the log holds, its body byte for byte."""
        return self.agrees(Shown(fact.at, fact.turn, fact.seat, kind(fact.body), fact.raw))


class Accepted(NamedTuple):
    """One command that was accepted: `verb` is the last part of its address, `first` its first version, 0 if none."""

    session: str
    verb: str
    key: str
    first: int


class Ledger:
    """Filled by all clients at once. `amiss` has what must never be seen."""

    def __init__(self) -> None:
        self.shown: defaultdict[str, dict[int, Shown]] = defaultdict(dict)
        self.accepted: dict[str, Accepted] = {}
        self.told: Counter[str] = Counter()
        self.amiss: list[str] = []
        self.longest = 0.0
        self._lock = Lock()

    def count(self, *what: str) -> None:
        with self._lock:
            self.told.update(what)

    def took(self, seconds: float) -> None:
        with self._lock:
            self.longest = max(self.longest, seconds)

    def saw(self, session: str, events: Iterable[Event]) -> None:
        """The same version must be the same event whenever and by whomever it is seen."""
        with self._lock:
            known = self.shown[session]
            for event in events:
                self.told["shown"] += 1
                shown = Shown.of(event)
                before = known.setdefault(event.version, shown)
                if not before.agrees(shown):
                    self.amiss.append(
                        f"{session} {event.version} was shown as {before}, then as {shown}"
                    )
                elif not before.kind:
                    known[event.version] = shown

    def took_in(self, accepted: Accepted) -> None:
        with self._lock:
            before = self.accepted.setdefault(accepted.key, accepted)
            if before != accepted:
                self.amiss.append(f"the key {accepted.key} was answered {before}, then {accepted}")

    def wrong(self, what: str) -> None:
        with self._lock:
            self.amiss.append(what)
