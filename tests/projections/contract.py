"""What the contract suite compares: a view's rows, and the same rows worked out slowly from the facts alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

import msgspec

from domain.codec import encode, kind
from domain.recorded_event import RecordedEvent
from domain.session.annotations import grade
from domain.session.descriptions import describe, tally
from domain.session.messages import Declared, Rewound
from domain.session.state import Chain
from projections.registry import ReadModels
from projections.results import JobResult
from projections.runner import ReadModel
from tests.domain.replay import Replay
from tests.support.databases.places import SQLITE, place
from tests.support.sessions import MemoryLog

Rows = dict[str, list[tuple[Any, ...]]]
FRAME = (
    "Opened",
    "Inherited",
    "Forked",
    "SeatTaken",
    "SeatLeft",
    "SeatNamed",
    "ChainAnchored",
    "Rewound",
    "Narrated",
    "SealOpened",
    "Closed",
)


@contextmanager
def fresh(database: str = SQLITE) -> Iterator[ReadModels]:
    """Empty views in a place of their own."""
    with place(database) as made, closing(ReadModels(made, create=True)) as views:
        yield views


def mixed(evenings: Sequence[Sequence[RecordedEvent]]) -> MemoryLog:
    """The events of all of them in one log, in turn."""
    log, queues = MemoryLog(), [list(facts) for facts in evenings]
    while any(queues):
        for nth, queue in enumerate(queues):
            log.append(queue[: 1 + nth])
            del queue[: 1 + nth]
    return log


def rows_of(view: ReadModel) -> Rows:
    """Every row of the view, by table."""
    return {
        name: sorted(tuple(row) for row in view.store.select(f"SELECT * FROM {name}"))
        for name in sorted(view.tables)
    }


def results_of(views: ReadModels, session: str, name: str) -> list[JobResult]:
    """Every result that is there."""
    rows = views.store.select(
        "SELECT * FROM results WHERE session=? AND name=? ORDER BY hidden", session, name
    )
    return [JobResult._make((*columns, tuple(json.loads(hidden)))) for *columns, hidden in rows]


def chained(chain: Chain) -> dict[str, int]:
    return {"number": chain.number, "length": chain.length, "position": chain.position}


def expected(log: MemoryLog, name: str) -> Rows:
    """What the view of that name must hold at the end of the log."""
    made: Rows = {table: [] for table in TABLES[name]}
    if name == "totals":
        return {"totals": _totals(log)}
    for session in log.sessions():
        for table, rows in BY_HAND[name](log, session).items():
            made[table] += rows
    return {table: sorted(rows) for table, rows in made.items()}


def led(facts: Sequence[RecordedEvent]) -> set[int]:
    """The versions that led to the head, walked one by one."""
    versions, version = set[int](), len(facts)
    while version > 0:
        versions.add(version)
        body = facts[version - 1].body
        version = body.to if isinstance(body, Rewound) else version - 1
    return versions


def undone(fact: RecordedEvent, lineage: set[int]) -> bool:
    ruleset, _, name = kind(fact.body).partition(".")
    return fact.version not in lineage and not (ruleset == "session" and name in FRAME)


def _rewinds(facts: Sequence[RecordedEvent]) -> list[tuple[RecordedEvent, int]]:
    return [(fact, fact.body.to) for fact in facts if isinstance(fact.body, Rewound)]


def _timeline(log: MemoryLog, session: str) -> Rows:
    facts, ruleset = log.read_events(session), log.head(session).ruleset
    lineage = led(facts)
    lines = [
        (
            session,
            fact.version,
            fact.turn,
            fact.at,
            fact.seat,
            kind(fact.body),
            describe(ruleset, fact, partial(log.at, session)),
            undone(fact, lineage),
        )
        for fact in facts
    ]
    return {
        "timeline": lines,
        "timeline_rewinds": [(session, fact.version, to) for fact, to in _rewinds(facts)],
    }


def _tallies(log: MemoryLog, session: str) -> Rows:
    facts, ruleset = log.read_events(session), log.head(session).ruleset
    lineage, turns = led(facts), {fact.turn for fact in facts}
    tallies = [
        (
            session,
            fact.version,
            nth,
            fact.turn,
            fact.at,
            fact.seat,
            dice_of(fact.turn, facts),
            fact.sealed,
            undone(fact, lineage),
            msgspec.json.encode(count).decode(),
            die_of(fact.turn, facts),
        )
        for fact in facts
        for nth, count in enumerate(tally(ruleset, fact, partial(log.at, session)))
    ]
    rewinds = [(session, fact.version, fact.at, fact.seat, to) for fact, to in _rewinds(facts)]
    return {
        "tallies": tallies,
        "tally_turns": [
            _turn(session, [fact for fact in facts if fact.turn == turn], lineage) for turn in turns
        ],
        "tally_rewinds": rewinds,
    }


def dice_of(turn: int, facts: Sequence[RecordedEvent]) -> str:
    """Where the values of a turn came from."""
    for fact in facts:
        if fact.turn == turn and isinstance(fact.body, Declared):
            if fact.body.dice is not msgspec.UNSET:
                return "declared"
            return "" if fact.body.draw is msgspec.UNSET else "drawn"
    return ""


def die_of(turn: int, facts: Sequence[RecordedEvent]) -> str:
    """Return the name of the physical dice of a turn, or "" if they have none."""
    for fact in facts:
        if fact.turn == turn and isinstance(fact.body, Declared):
            return "" if fact.body.dice_name is msgspec.UNSET else fact.body.dice_name
    return ""


def _turn(session: str, turn: Sequence[RecordedEvent], lineage: set[int]) -> tuple[object, ...]:
    first, last = turn[0], turn[-1]
    gone = isinstance(first.body, Declared) and undone(first, lineage)
    named = (first.at, first.seat, kind(first.body), dice_of(first.turn, turn), first.sealed, gone)
    return session, first.turn, first.version, last.version, *named, die_of(first.turn, turn)


def _tables(log: MemoryLog, session: str) -> Rows:
    head = log.head(session)
    info, replay = head.info, Replay(head.ruleset, log.read_events(session))
    public = replay.table(head.version, replay.hidden(head.version)[""])
    shown = encode(head.ruleset.show(public)).decode()
    return {
        "tables": [
            (session, head.version, info.title, info.ruleset, info.edition, info.closed, shown)
        ],
    }


def _sessions(log: MemoryLog, session: str) -> Rows:
    head = log.head(session)
    [(number, opened)] = [
        (row.position, row.event)
        for row in log.rows(0, log.end())
        if row.event.session == session and row.event.version == 1
    ]
    seats = {
        seat: {"role": held.role.value, "present": held.present, "away": held.away}
        | ({} if held.name is msgspec.UNSET else {"name": held.name})
        | ({} if held.public_key is msgspec.UNSET else {"public_key": held.public_key})
        | ({"chain": chained(head.chains[seat])} if seat in head.chains else {})
        for seat, held in head.info.seats.items()
    }
    info = head.info
    return {
        "sessions": [
            (
                number,
                session,
                info.title,
                info.ruleset,
                info.edition,
                opened.at,
                head.version,
                encode(seats).decode(),
                info.closed,
                info.options["listed"],
            )
        ]
    }


def _totals(log: MemoryLog) -> list[tuple[str, str, int]]:
    """Of no session: the counts of them all."""
    counts: Counter[tuple[str, str]] = Counter()
    for session in log.sessions():
        facts, ruleset = log.read_events(session), log.head(session).ruleset
        kinds = Counter(kind(fact.body) for fact in facts)
        grades = Counter(grade(fact, partial(log.at, session)) for fact in facts)
        counts.update(
            {
                ("events", ruleset.name): len(facts),
                ("turns", ruleset.name): kinds["session.Declared"],
            }
        )
        counts.update({("sessions", "opened"): 1, ("sessions", "closed"): kinds["session.Closed"]})
        counts.update({("draws", letter): count for letter, count in grades.items() if letter})
        counts["voids", ""] += kinds["session.DrawVoided"]
    return sorted((*count, value) for count, value in counts.items() if value)


BY_HAND = {"timeline": _timeline, "tallies": _tallies, "tables": _tables, "sessions": _sessions}
TABLES = {
    "timeline": ("timeline", "timeline_rewinds"),
    "tallies": ("tallies", "tally_rewinds", "tally_turns"),
    "tables": ("tables",),
    "sessions": ("sessions",),
    "totals": ("totals",),
}
