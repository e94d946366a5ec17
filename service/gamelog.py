"""The log of all sessions, on the eventsourcing library: read the head, append at it, any version, the rows of all."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, Mapper, StoredEvent

from domain.codec import decode, kind
from domain.fact import Fact, Row, leaf_of
from domain.proof import tree
from domain.rulesets import ROOMS
from domain.session.decider import evolve
from domain.session.draws import Head
from domain.session.state import Chain, Frame, Session, initial
from service.settings import Settings
from service.storage.sqlite import KEEP, OPENING, Beside, Recorder, Stored

HEAD_TOPIC = "session.Head"
LOOK = 0.02
"""Seconds between two looks at the end of the log (docs/decisions/0006)."""
FRESH: tree.Frontier = ()


class Unknown(Exception):
    """No such session, or no such version of it."""


class Conflict(Exception):
    """Another writer was first; `version` is the current one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class _Wire(msgspec.Struct, frozen=True, array_like=True):
    """Storage format of an event's row: positional, so fields are only ever appended."""

    at: int
    seat: str
    turn: int
    salt: bytes
    body: msgspec.Raw


class _HeadWire(msgspec.Struct, frozen=True, array_like=True):
    """Storage format of a snapshot: positional, so fields are only ever appended."""

    turn: int
    k: int
    chain: Chain
    frame: Frame
    table: msgspec.Raw
    frontier: tuple[bytes, ...]


_read_wire = msgspec.json.Decoder(_Wire).decode
_read_head = msgspec.json.Decoder(_HeadWire).decode
_write = msgspec.json.encode


class FactMapper(Mapper[str]):
    """Facts and heads <-> stored rows; topics are event kinds, never module paths."""

    def __init__(self) -> None:
        """Nothing is transcoded, compressed or enciphered by the library."""

    def to_stored_event(self, domain_event: Any) -> Any:
        if isinstance(domain_event, Head):
            return _stored_head(domain_event)
        return _stored(domain_event)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        row: Any = stored_event  # our recorders hand out plain tuples
        session, version, topic, state = row
        if topic == HEAD_TOPIC:
            return _head(session, version, state)
        wire = _read_wire(state)
        return Fact(session, version, wire.turn, wire.at, wire.seat, wire.salt, decode(wire.body), bytes(wire.body))


class GameLog(Application[str]):
    """One per process. Sessions are frozen; the cache holds the newest head of each."""

    is_snapshotting_enabled = True
    name = "fairlog"
    recorder: Recorder

    def __init__(self, settings: Settings, *, create: bool = False) -> None:
        self._every = settings.snapshot_every
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._most_heads = 1000
        self._keeping = threading.Lock()
        env = {
            "PERSISTENCE_MODULE": "service.storage.sqlite:Factory",
            "SQLITE_DBNAME": str(settings.log_file),
            "SQLITE_SYNCHRONOUS": settings.synchronous,
            "ORIGINATOR_ID_TYPE": "text",
            "CREATE_TABLE": "y" if create else "n",
        }
        super().__init__(env)

    def construct_mapper(self) -> Mapper[str]:
        return FactMapper()

    def read(self, session: str) -> Head:
        """The head, with everything that any process has appended. Raises Unknown."""
        kept = self._heads.get(session) or self._snapshot(session, None)
        after = kept.session.version if kept else 0
        facts = self.facts(session, after)
        if kept and not facts:
            return kept
        if kept is None and not facts:
            raise Unknown(session)
        head = self._forward(kept or Head(initial(session), FRESH), facts)
        self._keep(head)
        return head

    def at(self, session: str, version: int) -> Session:
        """The session after `version` events. Raises Unknown."""
        kept = self._snapshot(session, version)
        past = kept.session if kept else initial(session)
        state = self._project(past, self.facts(session, past.version, version))
        if version < 1 or state.version != version:
            raise Unknown(session, version)
        return state

    def append(self, head: Head, facts: Sequence[Fact], beside: Beside = ()) -> None:
        """Stores one turn on disk before anyone is told; `head` is the session after it. Raises Conflict."""
        session, before = head.session, facts[0].version - 1
        if session.version // self._every != before // self._every:
            beside = [*beside, (KEEP, [_stored_head(head)])]
        try:
            self.recorder.insert_events([_stored(fact) for fact in facts], beside=beside)
        except IntegrityError:
            raise Conflict(self._version(session.id)) from None
        self._keep(head)

    def facts(self, session: str, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Fact]:
        """The facts of a session after a version, in order."""
        return list(self.events.get(session, gt=after, lte=upto, limit=limit))  # type: ignore[arg-type]

    def rows(self, after: int, limit: int) -> list[Row]:
        """The facts of all sessions after a position, in order."""
        found: Any = self.recorder.select_notifications(after, limit, inclusive_of_start=False)
        read: Any = self.mapper.to_domain_event
        return [Row(row.id, read(row[1:])) for row in found]

    def end(self) -> int:
        """The last position; 0 in an empty log."""
        return self.recorder.max_notification_id() or 0

    def opening(self, session: str) -> int:
        """The position of the session's first event. Raises Unknown."""
        rows = self.recorder.query(OPENING, (session,))
        if not rows:
            raise Unknown(session)
        return int(rows[0][0])

    def wait(self, after: int, timeout: float) -> None:
        """Returns when something stands after the position, at the latest after so many seconds."""
        until = time.monotonic() + timeout
        while self.end() <= after and (left := until - time.monotonic()) > 0:
            time.sleep(min(LOOK, left))

    def leaf_hashes(self, session: str, size: int) -> list[bytes]:
        """The hashed leaves of the session's tree of that size. Raises Unknown."""
        facts = self.facts(session, 0, size)
        if len(facts) != size:
            raise Unknown(session, size)
        return [tree.leaf_hash(leaf_of(fact)) for fact in facts]

    def _project(self, state: Session, facts: Sequence[Fact]) -> Session:
        """Replay: no hashing, and a rewind finds its table among the states since, or in an older snapshot."""
        base, states = state.version, [state]
        past = self._past(state.id, base, states)
        for fact in facts:
            state = evolve(state, fact.turn, fact.body, past)
            states.append(state)
        return state

    def _forward(self, head: Head, facts: Sequence[Fact]) -> Head:
        session, frontier = head.session, head.frontier
        states = [session]
        past = self._past(session.id, session.version, states)
        for fact in facts:
            frontier = tree.push(frontier, fact.version - 1, tree.leaf_hash(leaf_of(fact)))
            session = evolve(session, fact.turn, fact.body, past)
            states.append(session)
        return Head(session, frontier)

    def _past(self, session: str, base: int, states: list[Session]) -> Callable[[int], Session]:
        return lambda to: states[to - base] if to >= base else self.at(session, to)

    def _version(self, session: str) -> int:
        rows = self.recorder.select_events(session, desc=True, limit=1)
        return rows[0].originator_version if rows else 0

    def _keep(self, head: Head) -> None:
        with self._keeping:
            held = self._heads.get(head.session.id)
            if held is None or held.session.version < head.session.version:
                self._heads[head.session.id] = head
            self._heads.move_to_end(head.session.id)
            if len(self._heads) > self._most_heads:
                self._heads.popitem(last=False)

    def _snapshot(self, session: str, upto: int | None) -> Head | None:
        assert self.snapshots is not None
        for head in self.snapshots.get(session, lte=upto, desc=True, limit=1):
            return head  # type: ignore[return-value]
        return None


def _stored(fact: Fact) -> Any:
    state = _write(_Wire(fact.at, fact.seat, fact.turn, fact.salt, msgspec.Raw(fact.raw)))
    return Stored(fact.session, fact.version, kind(fact.body), state)


def _stored_head(head: Head) -> Any:
    state = head.session
    wire = _HeadWire(
        state.turn, state.k, state.chain, state.frame, msgspec.Raw(_write(state.table)), head.frontier
    )  # fmt: skip
    return Stored(state.id, state.version, HEAD_TOPIC, _write(wire))


def _head(session: str, version: int, state: bytes) -> Head:
    wire = _read_head(state)
    room = ROOMS[wire.frame.ruleset, wire.frame.edition]
    table = msgspec.json.decode(wire.table, type=room.state)
    kept = Session(session, version, wire.turn, wire.k, wire.chain, wire.frame, table)
    return Head(kept, wire.frontier)
