"""The event log for all sessions, built on the eventsourcing library."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from eventsourcing.application import Application
from eventsourcing.persistence import Mapper

from domain.proof import merkle_tree
from domain.recorded_event import LogRow, RecordedEvent, leaf_of
from domain.ruleset import AnyRuleset
from domain.session.evolve import evolve
from domain.session.messages import Redacted
from domain.session.state import History, Session, initial
from domain.session.turns import Head
from service.platform.settings import Settings
from service.store.errors import UnknownSessionError, VersionConflictError
from service.store.recorder import IntegrityError, Recorder, SideRows
from service.store.schema import (
    EVENTS_OF_KIND_SELECT,
    EVENTS_SELECT,
    OPENING_POSITION_SELECT,
    STORED_SNAPSHOTS_INSERT,
)
from service.store.serialization import EventMapper, event_to_row, head_to_row


def storage_settings(settings: Settings) -> dict[str, str]:
    """Return the settings that tell the eventsourcing library which database to open."""
    if settings.is_on_postgres:
        return {
            "PERSISTENCE_MODULE": "service.store.postgres:PostgresLogFactory",
            "DATABASE_URL": settings.database,
            "SYNCHRONOUS": settings.synchronous,
        }
    return {
        "PERSISTENCE_MODULE": "service.store.sqlite:SqliteLogFactory",
        "SQLITE_DBNAME": str(settings.log_file),
        "SQLITE_SYNCHRONOUS": settings.synchronous,
        "ORIGINATOR_ID_TYPE": "text",
    }


StatesByVersion = dict[int, Session]
"""Session states by version, cached because rewinds often return to the same versions."""
EMPTY_FRONTIER: merkle_tree.Frontier = ()
PAGE_EVENTS = 1000
"""The maximum number of events held in memory while a whole session is being read."""


class LogStep(NamedTuple):
    """An event, with the session's state before and after it."""

    before: Session
    event: RecordedEvent
    after: Session


class EventLog(Application[str]):
    """The event log, with an in-memory cache of the newest head of each session.

    Threads can share cached heads, because sessions are immutable.
    """

    is_snapshotting_enabled = True
    name = "fairlog"
    recorder: Recorder

    def __init__(self, settings: Settings, *, create: bool = False) -> None:
        self._snapshot_interval = settings.snapshot_every
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._max_heads = 1000
        self._heads_lock = threading.Lock()
        super().__init__({**storage_settings(settings), "CREATE_TABLE": "y" if create else "n"})

    def construct_mapper(self) -> Mapper[str]:
        return EventMapper()

    def read(self, session: str, newest: int = 0) -> Head:
        """Return the session's head, including events that other processes have appended.

        If the cached head is at version `newest`, return it without a query. Raises
        UnknownSessionError.
        """
        cached = self.known(session)
        if cached and cached.session.version == newest:
            return cached
        cached = cached or self._snapshot(session, None)
        after = cached.session.version if cached else 0
        events = self.read_events(session, max(0, after - 1))
        if not events:  # the session never existed or was deleted
            with self._heads_lock:
                self._heads.pop(session, None)
            raise UnknownSessionError(session)
        if cached and len(events) == 1:  # only the cached head's last event: nothing was added
            return cached
        events = events[1:] if cached else events
        if cached and contains_redaction(events):  # the cached state may contain the redacted text
            cached, events = None, self.read_events(session)
        head = self._forward(cached or Head(initial(session), EMPTY_FRONTIER), events)
        self._cache(head)
        return head

    def known(self, session: str) -> Head | None:
        """Return the cached head without a query, or None if no head is cached.

        The head may be outdated, because other processes also append events.
        """
        return self._heads.get(session)

    def ruleset(self, session: str) -> AnyRuleset:
        """Return the session's ruleset, from the cache if possible.

        A session's ruleset never changes. Raises UnknownSessionError.
        """
        return (self.known(session) or self.read(session)).session.ruleset

    def at(self, session: str, version: int) -> Session:
        """Return the session after its first `version` events. Raises UnknownSessionError."""
        return self._at(session, version, {})

    def _at(self, session: str, version: int, known: StatesByVersion) -> Session:
        if version not in known:
            cached = self._snapshot(session, version)
            base = cached.session if cached else initial(session)
            state = self._project(base, self.read_events(session, base.version, version), known)
            if version < 1 or state.version != version:
                raise UnknownSessionError(session, version)
            known[version] = state
        return known[version]

    def head_at(self, session: str, version: int) -> Head:
        """Return the session and its Merkle frontier after the first `version` events.

        Raises UnknownSessionError.
        """
        cached = self._snapshot(session, version) or Head(initial(session), EMPTY_FRONTIER)
        head = self._forward(cached, self.read_events(session, cached.session.version, version))
        if version < 1 or head.session.version != version:
            raise UnknownSessionError(session, version)
        return head

    def append(self, head: Head, events: Sequence[RecordedEvent], side_rows: SideRows = ()) -> None:
        """Store the events of one turn. `head` is the session's head after the turn.

        Raises VersionConflictError if another writer appended first.
        """
        self.append_together([(head, events)], side_rows)

    def append_together(
        self, turns: Sequence[tuple[Head, Sequence[RecordedEvent]]], side_rows: SideRows = ()
    ) -> None:
        """Store turns from several sessions in one transaction.

        Raises VersionConflictError, with the current version of the first session, if another
        writer appended first.
        """
        snapshots = [head_to_row(head) for head, events in turns if self._is_due(head, events)]
        rows = [event_to_row(event) for _, events in turns for event in events]
        try:
            self.recorder.insert_events(
                rows,
                side_rows=[*side_rows, (STORED_SNAPSHOTS_INSERT, snapshots)]
                if snapshots
                else side_rows,
            )
        except IntegrityError:
            raise VersionConflictError(self.version(turns[0][0].session.id)) from None
        for head, events in turns:
            if not contains_redaction(events):
                self._cache(head)

    def _is_due(self, head: Head, events: Sequence[RecordedEvent]) -> bool:
        return (
            not contains_redaction(events)
            and head.session.version // self._snapshot_interval
            != (events[0].version - 1) // self._snapshot_interval
        )

    def read_events(
        self, session: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[RecordedEvent]:
        found: Any = self.events.get(session, gt=after, lte=upto, limit=limit)
        return list(found)

    def read_kind(self, session: str, kind: str, after: int = 0) -> list[RecordedEvent]:
        """Return the session's events of the given kind after version `after`.

        `kind` is a value from `codec.KINDS`.
        """
        read: Any = self.mapper.to_domain_event
        return [
            read(row) for row in self.recorder.query(EVENTS_OF_KIND_SELECT, (session, after, kind))
        ]

    def read_at(self, versions: Mapping[str, int]) -> dict[str, RecordedEvent]:
        """Return one event of each session, keyed by session, with a single query.

        `versions` maps each session to the version of its event. A session that does not have that
        version, because it was deleted, is missing from the result.
        """
        if not versions:
            return {}
        places = " OR ".join(["(originator_id=? AND originator_version=?)"] * len(versions))
        values = [value for place in versions.items() for value in place]
        read: Any = self.mapper.to_domain_event
        rows = self.recorder.query(f"{EVENTS_SELECT} WHERE {places}", values)
        return {row[0]: read(row) for row in rows}

    def rows(self, after: int, limit: int) -> list[LogRow]:
        """Return up to `limit` events from all sessions after position `after`, in order."""
        found: Any = self.recorder.select_notifications(after, limit, inclusive_of_start=False)
        read: Any = self.mapper.to_domain_event
        return [LogRow(row.id, read(row[1:])) for row in found]

    def end(self) -> int:
        """Return the position of the last event, or 0 if the log is empty."""
        return self.recorder.max_notification_id() or 0

    def opening(self, session: str) -> int:
        """Return the position of the session's first event.

        Raises UnknownSessionError if there is no such session.
        """
        rows = self.recorder.query(OPENING_POSITION_SELECT, (session,))
        if not rows:
            raise UnknownSessionError(session)
        return int(rows[0][0])

    def wait(self, after: int, timeout: float) -> None:
        """Wait up to `timeout` seconds for an event after position `after`."""
        until = time.monotonic() + timeout
        while self.end() <= after and (left := until - time.monotonic()) > 0:
            self.recorder.wait_for_change(min(self.recorder.poll_seconds, left))

    def wait_for_change(self, seconds: float, least: float = 0.0) -> None:
        """Wait for `seconds`, or for `least` seconds if that is longer.

        On PostgreSQL, return early when notified of new events, but not before `least` seconds have
        passed.
        """
        self.recorder.wait_for_change(seconds, least)

    def leaf_hashes(self, session: str, after: int, upto: int) -> Iterator[bytes]:
        """Yield the leaf hashes of the events with versions from `after` + 1 to `upto`.

        Raises UnknownSessionError if the session ends before `upto`.
        """
        while after < upto:
            events = self.read_events(session, after, min(after + PAGE_EVENTS, upto))
            if not events:
                raise UnknownSessionError(session, upto)
            yield from (merkle_tree.leaf_hash(leaf_of(event)) for event in events)
            after = events[-1].version

    def history(self, session: str, known: Iterable[Session] = ()) -> History:
        """Return an object that reads the session's earlier states and events.

        It does not read the states in `known`.
        """
        return self._stored_history(session, {state.version: state for state in known})

    def _stored_history(self, session: str, known: StatesByVersion) -> History:
        return History(
            lambda version: self._at(session, version, known),
            lambda after, upto: self.read_events(session, after, upto),
        )

    def steps(self, session: str, after: int, upto: int) -> Iterator[LogStep]:
        """Yield one step for each event with a version from `after` + 1 to `upto`.

        Raises UnknownSessionError.
        """
        state = self.at(session, after) if after else initial(session)
        history, states = self._growing_history(state, {})
        for event in self.read_events(session, after, upto):
            before, state = state, evolve(state, event, history)
            states.append(state)
            yield LogStep(before, event, state)

    def _project(
        self, state: Session, events: Sequence[RecordedEvent], known: StatesByVersion
    ) -> Session:
        """Apply the events to `state` without hashing them, and return the new state."""
        history, states = self._growing_history(state, known)
        for event in events:
            state = evolve(state, event, history)
            states.append(state)
        return state

    def _forward(self, head: Head, events: Sequence[RecordedEvent]) -> Head:
        """Apply the events to the session in `head`, and add their leaves to its frontier."""
        session, frontier = head.session, head.frontier
        history, states = self._growing_history(session, {})
        for event in events:
            frontier = merkle_tree.push(
                frontier, event.version - 1, merkle_tree.leaf_hash(leaf_of(event))
            )
            session = evolve(session, event, history)
            states.append(session)
        return Head(session, frontier)

    def _growing_history(
        self, base: Session, known: StatesByVersion
    ) -> tuple[History, list[Session]]:
        """Return a history, and a list to which the caller must append each new state.

        The history reads `base` and all later states from that list, and older states from the log.
        """
        states, stored, start = [base], self._stored_history(base.id, known), base.version
        return History(
            lambda to: states[to - start] if to >= start else stored.state(to), stored.events
        ), states

    def version(self, session: str) -> int:
        """Return the version of the session's last stored event, or 0 if it has none."""
        rows = self.recorder.select_events(session, desc=True, limit=1)
        return rows[0].originator_version if rows else 0

    def _cache(self, head: Head) -> None:
        with self._heads_lock:
            held = self._heads.get(head.session.id)
            if held is None or held.session.version < head.session.version:
                self._heads[head.session.id] = head
            self._heads.move_to_end(head.session.id)
            if len(self._heads) > self._max_heads:
                self._heads.popitem(last=False)

    def _snapshot(self, session: str, upto: int | None) -> Head | None:
        assert self.snapshots is not None
        for head in self.snapshots.get(session, lte=upto, desc=True, limit=1):
            return head  # type: ignore[return-value]  # our mapper stores heads as snapshots
        return None


def contains_redaction(events: Sequence[RecordedEvent]) -> bool:
    """Return True if one of the events is a redaction.

    States that were cached before a redaction may still contain the redacted text.
    """
    return any(isinstance(event.body, Redacted) for event in events)
