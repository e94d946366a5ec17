"""Tallies: the counts, turns and rewinds from which statistics are computed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import UNSET

from domain import codec
from domain.recorded_event import LogRow, RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.descriptions import tally
from domain.session.evolve import fold_sessions
from domain.session.lineage import lineage, within
from domain.session.messages import Declared, Rewound
from domain.session.state import Session
from domain.tally import AnyCount
from projections.rewinds import select_rewinds, undone_changes
from projections.runner import Cursor, EventSource, ReadModel

Dice = Literal["drawn", "declared", ""]
"""The origin of a turn's random values, or "" if the turn has none."""

StateAt = Callable[[int], Session]

TURN_KIND = codec.KINDS[Declared]
TALLY_FORMAT = 3
"""The version of the tally format.

It is part of the table definition. If it changes, the tables are refilled from the log.
"""
MAX_ROWS = 5_000
"""How many rows are read at a time. An event has far fewer tallies than this."""
MAX_NUMBERS = 500
NEWEST_TURNS = 200
UNDO_TALLIES = "UPDATE tallies SET undone=? WHERE session=? AND version BETWEEN ? AND ?"
UNDO_TURNS = "UPDATE tally_turns SET undone=? WHERE session=? AND first BETWEEN ? AND ? AND kind=?"
UPSERT_TURN = (
    "INSERT INTO tally_turns VALUES (?,?,?,?,?,?,?,?,?,?,?)"
    " ON CONFLICT (session, first) DO UPDATE SET last=excluded.last"
)


class Tally(NamedTuple):
    """A single item that an event contributes to the statistics.

    `nth` is the index of the item among all items from the same event. `die` is the name of the
    physical die that showed the values, if the player gave it one.
    """

    version: int
    nth: int
    turn: int
    at: int
    seat: str
    dice: Dice
    sealed: bool
    undone: bool
    of: AnyCount
    die: str = ""


class TalliedTurn(NamedTuple):
    """A turn, with its first version and its last version so far.

    `at` (in milliseconds since the epoch), `seat`, `kind`, `dice`, `sealed` and `die` (the name of
    a physical die) are copied from the turn's first event.
    """

    turn: int
    first: int
    last: int
    at: int
    seat: str
    kind: str
    dice: Dice
    sealed: bool
    undone: bool
    die: str = ""


class TalliedRewind(NamedTuple):
    version: int
    at: int
    seat: str
    to: int


class SessionTallies(NamedTuple):
    """The tallies, turns and rewinds in a session up to `version`."""

    version: int
    tallies: tuple[Tally, ...]
    turns: tuple[TalliedTurn, ...]
    rewinds: tuple[TalliedRewind, ...]

    def open_to(self, hidden: Collection[int]) -> SessionTallies:
        """Return a copy without the secrets of the turns in `hidden`."""
        return self._replace(
            tallies=tuple(
                tally for tally in self.tallies if not (tally.sealed and tally.turn in hidden)
            ),
            turns=tuple(
                without_content(turn) if turn.sealed and turn.turn in hidden else turn
                for turn in self.turns
            ),
        )


class Tallies(ReadModel):
    name = "tallies"
    tables: ClassVar[Mapping[str, str]] = {
        "tallies": "(session TEXT NOT NULL, version INTEGER NOT NULL, nth INTEGER NOT NULL, "
        "turn INTEGER NOT NULL, at INTEGER NOT NULL, seat TEXT NOT NULL, dice TEXT NOT NULL, "
        "sealed INTEGER NOT NULL, undone INTEGER NOT NULL, "
        f"count TEXT NOT NULL /* {TALLY_FORMAT} */, die TEXT NOT NULL, "
        "PRIMARY KEY (session, version, nth)) WITHOUT ROWID",
        "tally_turns": "(session TEXT NOT NULL, turn INTEGER NOT NULL, first INTEGER NOT NULL, "
        "last INTEGER NOT NULL, at INTEGER NOT NULL, seat TEXT NOT NULL, kind TEXT NOT NULL, "
        "dice TEXT NOT NULL, sealed INTEGER NOT NULL, undone INTEGER NOT NULL, die TEXT NOT NULL, "
        "PRIMARY KEY (session, first), UNIQUE (session, turn)) WITHOUT ROWID",
        "tally_rewinds": "(session TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, "
        "seat TEXT NOT NULL, target INTEGER NOT NULL, "
        "PRIMARY KEY (session, version)) WITHOUT ROWID",
    }

    def of(self, session: str) -> SessionTallies:
        """Return all of the session's tallies in order, including secrets.

        If the session has no tallies, the returned `version` is 0.
        """
        version = self.version(session)
        return SessionTallies(
            version,
            tuple(self.after(session, 0, version)),
            tuple(self.turns_after(session, 0, version)),
            tuple(self.rewinds_after(session, 0)),
        )

    def after(self, session: str, version: int, upto: int) -> Iterator[Tally]:
        """Yield the session's tallies after `version` and up to `upto`, in order, with secrets."""
        select = (
            "SELECT * FROM tallies WHERE session=? AND version>? AND version<=?"
            " ORDER BY version, nth LIMIT ?"
        )
        while rows := self.store.select(select, session, version, upto, MAX_ROWS):
            tallies = [_tally(row) for row in rows]
            if len(rows) == MAX_ROWS:  # the last event may have more tallies than were read
                tallies = [each for each in tallies if each.version < tallies[-1].version]
            yield from tallies
            version = tallies[-1].version
            if len(rows) < MAX_ROWS:
                return

    def turns_after(self, session: str, version: int, upto: int) -> Iterator[TalliedTurn]:
        """Yield the session's turns that began after `version`, up to `upto`, in order."""
        select = (
            "SELECT * FROM tally_turns WHERE session=? AND first>? AND first<=?"
            " ORDER BY first LIMIT ?"
        )
        while rows := self.store.select(select, session, version, upto, MAX_ROWS):
            turns = [_turn(row) for row in rows]
            yield from turns
            version = turns[-1].first
            if len(rows) < MAX_ROWS:
                return

    def turns(self, session: str, numbers: Collection[int]) -> list[TalliedTurn]:
        """Return the turns with these numbers."""
        found, wanted = list[TalliedTurn](), sorted(numbers)
        for start in range(0, len(wanted), MAX_NUMBERS):
            chunk = wanted[start : start + MAX_NUMBERS]
            marks = ",".join("?" * len(chunk))
            select = f"SELECT * FROM tally_turns WHERE session=? AND turn IN ({marks})"  # noqa: S608 only placeholders
            found += [_turn(row) for row in self.store.select(select, session, *chunk)]
        return found

    def rewinds_after(self, session: str, version: int) -> list[TalliedRewind]:
        """Return the rewinds after `version`, in order."""
        select = (
            "SELECT version, at, seat, target FROM tally_rewinds WHERE session=? AND version>?"
            " ORDER BY version"
        )
        return [TalliedRewind(*row) for row in self.store.select(select, session, version)]

    def version(self, session: str) -> int:
        """Return the last tallied version of the session, or 0 if there is none.

        It belongs to one of the newest turns: the last one, or one that waited for a draw.
        """
        [(version,)] = self.store.select(
            "SELECT MAX(last) FROM"
            " (SELECT last FROM tally_turns WHERE session=? ORDER BY first DESC LIMIT ?) AS newest",
            session,
            NEWEST_TURNS,
        )
        return version or 0

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        tallies: list[tuple[object, ...]] = []
        turns: dict[tuple[str, int], TalliedTurn] = {}
        for _, fact in rows:
            key = fact.session, fact.turn
            turn = turns[key] = _extend_turn(turns.get(key) or _stored_turn(fact, cursor), fact)
            at = partial(log.at, fact.session)
            for *columns, count, die in event_tallies(
                self._rulesets.get(fact, log), fact, turn, at
            ):
                tallies.append((fact.session, *columns, msgspec.json.encode(count).decode(), die))
        cursor.executemany("INSERT INTO tallies VALUES (?,?,?,?,?,?,?,?,?,?,?)", tallies)
        cursor.executemany(UPSERT_TURN, [(session, *turn) for (session, _), turn in turns.items()])
        _rewind(rows, cursor)


def session_tallies(
    ruleset: AnyRuleset, facts: Iterable[RecordedEvent], at: StateAt | None = None
) -> SessionTallies:
    """Compute tallies from a session's events.

    `at` returns the session's state after a given version. If `at` is None, states are computed
    from `facts`, which must then include all events of the session.
    """
    facts = tuple(facts)
    at = at or fold_sessions(facts)
    turns: dict[int, TalliedTurn] = {}
    tallies, rewinds = list[Tally](), list[TalliedRewind]()
    for fact in facts:
        turn = turns[fact.turn] = _extend_turn(turns.get(fact.turn), fact)
        tallies += event_tallies(ruleset, fact, turn, at)
        if isinstance(fact.body, Rewound):
            rewinds.append(TalliedRewind(fact.version, fact.at, fact.seat, fact.body.to))
    version = _version(turns.values())
    spans = lineage([(rewind.version, rewind.to) for rewind in rewinds], version)
    return SessionTallies(
        version,
        tuple(tally._replace(undone=not within(spans, tally.version)) for tally in tallies),
        tuple(
            turn._replace(undone=turn.kind == TURN_KIND and not within(spans, turn.first))
            for turn in sorted(turns.values(), key=lambda turn: turn.first)
        ),
        tuple(rewinds),
    )


def event_tallies(
    ruleset: AnyRuleset, fact: RecordedEvent, turn: TalliedTurn, at: StateAt
) -> list[Tally]:
    return [
        Tally(
            fact.version,
            nth,
            fact.turn,
            fact.at,
            fact.seat,
            turn.dice,
            fact.sealed,
            False,
            count,
            turn.die,
        )
        for nth, count in enumerate(tally(ruleset, fact, at, turn.seat))
    ]


def _stored_turn(fact: RecordedEvent, cursor: Cursor) -> TalliedTurn | None:
    """Return the event's turn if it was stored in an earlier batch, otherwise None.

    A Declared event always begins a new turn.
    """
    if not isinstance(fact.body, Declared):
        cursor.execute(
            "SELECT * FROM tally_turns WHERE session=? AND turn=?", (fact.session, fact.turn)
        )
        for row in cursor.fetchall():
            return _turn(row)
    return None


def _rewind(rows: Sequence[LogRow], cursor: Cursor) -> None:
    changed = undone_changes(rows, partial(select_rewinds, cursor, "tally_rewinds"))
    cursor.executemany(UNDO_TALLIES, changed)
    cursor.executemany(UNDO_TURNS, [(*change, TURN_KIND) for change in changed])
    rewound = [
        (fact.session, fact.version, fact.at, fact.seat, fact.body.to)
        for _, fact in rows
        if isinstance(fact.body, Rewound)
    ]
    cursor.executemany("INSERT INTO tally_rewinds VALUES (?,?,?,?,?)", rewound)


def _extend_turn(turn: TalliedTurn | None, fact: RecordedEvent) -> TalliedTurn:
    if turn is not None:
        return turn._replace(last=fact.version)
    kind = codec.kind(fact.body)
    return TalliedTurn(
        fact.turn,
        fact.version,
        fact.version,
        fact.at,
        fact.seat,
        kind,
        _dice(fact),
        fact.sealed,
        False,
        _die_name(fact),
    )


def without_content(turn: TalliedTurn) -> TalliedTurn:
    """Return what a viewer may know of a secret turn: when it was, and whose."""
    return turn._replace(kind="", dice="", undone=False, die="")


def _dice(fact: RecordedEvent) -> Dice:
    match fact.body:
        case Declared(dice="declared"):
            return "declared"
        case Declared(draw=draw) if draw is not UNSET:
            return "drawn"
    return ""


def _die_name(fact: RecordedEvent) -> str:
    match fact.body:
        case Declared(dice_name=str(name)):
            return name
    return ""


def _version(turns: Iterable[TalliedTurn]) -> int:
    return max((turn.last for turn in turns), default=0)


def _tally(row: Any) -> Tally:
    _, *columns, sealed, undone, count, die = row
    return Tally._make((*columns, bool(sealed), bool(undone), _count(count), die))


def _turn(row: Any) -> TalliedTurn:
    _, *columns, sealed, undone, die = row
    return TalliedTurn._make((*columns, bool(sealed), bool(undone), die))


_count: Callable[[str], AnyCount] = msgspec.json.Decoder(AnyCount).decode
