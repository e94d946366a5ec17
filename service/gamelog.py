"""The log of all sessions, on the eventsourcing library: read the head, append at it, any version, the rows of all."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from eventsourcing.application import Application
from eventsourcing.persistence import Mapper

from domain.fact import Fact, Row, leaf_of
from domain.proof import tree
from domain.ruleset import Room
from domain.session.decider import evolve
from domain.session.draws import Head
from domain.session.messages import Redacted
from domain.session.state import History, Session, initial
from service.settings import Settings
from service.storage.choosing import storage_of
from service.storage.recording import IntegrityError, Recorder, SideRows
from service.storage.rows import FactMapper, stored, stored_head
from service.storage.tables import KEEP, OF_KIND, OPENING

Made = dict[int, Session]
"""By version what one look back has come by: rewinds lead to the same versions again and again."""
FRESH: tree.Frontier = ()
PAGE = 1000
"""Facts in memory at once where a whole session is walked."""


class Unknown(Exception):
    """No such session, or no such version of it."""


class Conflict(Exception):
    """Another writer was first; `version` is the current one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class SessionBusy(Conflict):
    """A command that named no version lost every race: its client should send it again a moment later."""


class Step(NamedTuple):
    """One fact, and the session on both sides of it."""

    before: Session
    fact: Fact
    after: Session


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
        super().__init__({**storage_of(settings), "CREATE_TABLE": "y" if create else "n"})

    def construct_mapper(self) -> Mapper[str]:
        return FactMapper()

    def read(self, session: str, newest: int = 0) -> Head:
        """The head, with all that any process has appended, or had when somebody found `newest`. Raises Unknown."""
        kept = self.known(session)
        if kept and kept.session.version == newest:
            return kept
        kept = kept or self._snapshot(session, None)
        after = kept.session.version if kept else 0
        facts = self.facts(session, max(0, after - 1))
        if not facts:  # never there, or deleted meanwhile
            with self._keeping:
                self._heads.pop(session, None)
            raise Unknown(session)
        if kept and len(facts) == 1:  # its last event is there still
            return kept
        facts = facts[1:] if kept else facts
        if kept and _redacts(facts):  # what was kept may hold the words
            kept, facts = None, self.facts(session)
        head = self._forward(kept or Head(initial(session), FRESH), facts)
        self._keep(head)
        return head

    def known(self, session: str) -> Head | None:
        """The head as this process knows it, without a look at the database: another may have appended since."""
        return self._heads.get(session)

    def room(self, session: str) -> Room:
        """The session's ruleset, which it has for ever: mostly without a look at the database. Raises Unknown."""
        return (self.known(session) or self.read(session)).session.room

    def at(self, session: str, version: int) -> Session:
        """The session after `version` events. Raises Unknown."""
        return self._at(session, version, {})

    def _at(self, session: str, version: int, made: Made) -> Session:
        if version not in made:
            kept = self._snapshot(session, version)
            base = kept.session if kept else initial(session)
            state = self._project(base, self.facts(session, base.version, version), made)
            if version < 1 or state.version != version:
                raise Unknown(session, version)
            made[version] = state
        return made[version]

    def head_at(self, session: str, version: int) -> Head:
        """As `at`, with the tree. Raises Unknown."""
        kept = self._snapshot(session, version) or Head(initial(session), FRESH)
        head = self._forward(kept, self.facts(session, kept.session.version, version))
        if version < 1 or head.session.version != version:
            raise Unknown(session, version)
        return head

    def append(self, head: Head, facts: Sequence[Fact], side_rows: SideRows = ()) -> None:
        """Stores one turn on disk before anyone is told; `head` is the session after it. Raises Conflict."""
        self.append_together([(head, facts)], side_rows)

    def append_together(
        self, turns: Sequence[tuple[Head, Sequence[Fact]]], side_rows: SideRows = ()
    ) -> None:
        """As `append`, a turn each of several sessions, all or none. Raises Conflict of the first."""
        kept = [stored_head(head) for head, facts in turns if self._is_due(head, facts)]
        rows = [stored(fact) for _, facts in turns for fact in facts]
        try:
            self.recorder.insert_events(
                rows, side_rows=[*side_rows, (KEEP, kept)] if kept else side_rows
            )
        except IntegrityError:
            raise Conflict(self._version(turns[0][0].session.id)) from None
        for head, facts in turns:
            if not _redacts(facts):
                self._keep(head)

    def _is_due(self, head: Head, facts: Sequence[Fact]) -> bool:
        """Whether a snapshot is to be kept with these facts."""
        return (
            not _redacts(facts)
            and head.session.version // self._every != (facts[0].version - 1) // self._every
        )

    def facts(
        self, session: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[Fact]:
        """The facts of a session after a version, in order."""
        return list(self.events.get(session, gt=after, lte=upto, limit=limit))  # type: ignore[arg-type]

    def of_kind(self, session: str, kind: str, after: int = 0) -> list[Fact]:
        """The facts of one kind, as codec.KINDS names it, of a session after a version; the others are not read."""
        read: Any = self.mapper.to_domain_event
        return [read(row) for row in self.recorder.query(OF_KIND, (session, after, kind))]

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
            self.recorder.rest(min(self.recorder.look, left))

    def rest(self, seconds: float, least: float = 0.0) -> None:
        """Returns after so many seconds, or after `least` when it is heard that something was appended."""
        self.recorder.rest(seconds, least)

    def leaf_hashes(self, session: str, after: int, upto: int) -> Iterator[bytes]:
        """The hashed leaves of the session's tree behind a version. Raises Unknown where it does not go so far."""
        while after < upto:
            facts = self.facts(session, after, min(after + PAGE, upto))
            if not facts:
                raise Unknown(session, upto)
            yield from (tree.leaf_hash(leaf_of(fact)) for fact in facts)
            after = facts[-1].version

    def history(self, session: str) -> History:
        """What a turn of the session may look back at."""
        return self._past(session, {})

    def _past(self, session: str, made: Made) -> History:
        return History(
            lambda version: self._at(session, version, made),
            lambda after, upto: self.facts(session, after, upto),
        )

    def steps(self, session: str, after: int, upto: int) -> Iterator[Step]:
        """Each fact behind a version up to another, with the sessions around it. Raises Unknown."""
        state = self.at(session, after) if after else initial(session)
        past, states = self._past_of(state, {})
        for fact in self.facts(session, after, upto):
            before, state = state, evolve(state, fact, past)
            states.append(state)
            yield Step(before, fact, state)

    def _project(self, state: Session, facts: Sequence[Fact], made: Made) -> Session:
        """Replay: no hashing."""
        past, states = self._past_of(state, made)
        for fact in facts:
            state = evolve(state, fact, past)
            states.append(state)
        return state

    def _forward(self, head: Head, facts: Sequence[Fact]) -> Head:
        session, frontier = head.session, head.frontier
        past, states = self._past_of(session, {})
        for fact in facts:
            frontier = tree.push(frontier, fact.version - 1, tree.leaf_hash(leaf_of(fact)))
            session = evolve(session, fact, past)
            states.append(session)
        return Head(session, frontier)

    def _past_of(self, base: Session, made: Made) -> tuple[History, list[Session]]:
        """A rewind finds its table among the states since, which are to be added, or in an older snapshot."""
        states, stored, start = [base], self._past(base.id, made), base.version
        return History(
            lambda to: states[to - start] if to >= start else stored.state(to), stored.facts
        ), states

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


def _redacts(facts: Sequence[Fact]) -> bool:
    """Whether heads from before these hold words that are to be forgotten."""
    return any(isinstance(fact.body, Redacted) for fact in facts)
