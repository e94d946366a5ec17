"""The timeline: descriptions of all events, including sealed and undone events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from domain import codec
from domain.recorded_event import LogRow, RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.descriptions import describe
from domain.session.lineage import lineage, within
from domain.session.messages import Redacted, Rewound
from domain.session.state import Session
from projections.rewinds import (
    KINDS_NEVER_UNDONE,
    RewindTargets,
    is_never_undone,
    select_rewinds,
    undone_changes,
)
from projections.runner import Cursor, EventSource, ReadModel

UNDO = (
    "UPDATE timeline SET undone=? WHERE session=? AND version BETWEEN ? AND ? "  # noqa: S608 only placeholders
    f"AND kind NOT IN ({','.join('?' * len(KINDS_NEVER_UNDONE))})"
)

REDACT = (
    "UPDATE timeline SET told='What {@' || seat || '} said here was redacted.'"
    " WHERE session=? AND version=?"
)
"""Replaces an event's text with the text from domain.session.descriptions for redacted events."""
TEXT_FORMAT = 2
"""The version of the texts. Increase it when the text of any event changes.

It is part of the table definition. If it changes, the table is refilled from the log.
"""


class TimelineLine(NamedTuple):
    """The description of an event.

    `at` is in milliseconds since the epoch. `told` contains ids in braces instead of names.
    """

    session: str
    version: int
    turn: int
    at: int
    seat: str
    kind: str
    told: str
    undone: bool


class Timeline(ReadModel):
    name = "timeline"
    tables: ClassVar[Mapping[str, str]] = {
        "timeline": "(session TEXT NOT NULL, version INTEGER NOT NULL, turn INTEGER NOT NULL, "
        "at INTEGER NOT NULL, seat TEXT NOT NULL, kind TEXT NOT NULL, "
        f"told TEXT NOT NULL /* {TEXT_FORMAT} */, "
        "undone INTEGER NOT NULL, "
        "PRIMARY KEY (session, version)) WITHOUT ROWID",
        "timeline_rewinds": "(session TEXT NOT NULL, version INTEGER NOT NULL, "
        "target INTEGER NOT NULL, "
        "PRIMARY KEY (session, version)) WITHOUT ROWID",
    }

    def page(self, session: str, after: int, limit: int) -> list[TimelineLine]:
        """Return up to `limit` lines after version `after`, in order.

        The caller must remove the lines that the viewer may not see.
        """
        sql = "SELECT * FROM timeline WHERE session=? AND version>? ORDER BY version LIMIT ?"
        return [
            TimelineLine._make((*line, bool(undone)))
            for *line, undone in self.store.select(sql, session, after, limit)
        ]

    def version(self, session: str) -> int:
        """Return the last version in the session's timeline, or 0 if the timeline is empty."""
        [(version,)] = self.store.select(
            "SELECT MAX(version) FROM timeline WHERE session=?", session
        )
        return version or 0

    def rewinds(self, session: str) -> list[tuple[int, int]]:
        """Return the session's rewinds as (version of the rewind, target version) pairs."""
        sql = "SELECT version, target FROM timeline_rewinds WHERE session=? ORDER BY version"
        return [(version, to) for version, to in self.store.select(sql, session)]

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        lines = [
            timeline_line(self._rulesets.get(fact, log), fact, partial(log.at, fact.session))
            for _, fact in rows
        ]
        cursor.executemany("INSERT INTO timeline VALUES (?,?,?,?,?,?,?,?)", lines)
        redacted = [
            (fact.session, fact.body.of) for _, fact in rows if isinstance(fact.body, Redacted)
        ]
        cursor.executemany(REDACT, redacted)
        cursor.executemany(
            UNDO,
            [
                (*flip, *KINDS_NEVER_UNDONE)
                for flip in undone_changes(
                    rows, partial(select_rewinds, cursor, "timeline_rewinds")
                )
            ],
        )
        rewound = [
            (fact.session, fact.version, fact.body.to)
            for _, fact in rows
            if isinstance(fact.body, Rewound)
        ]
        cursor.executemany("INSERT INTO timeline_rewinds VALUES (?,?,?)", rewound)


def timeline_line(
    ruleset: AnyRuleset, fact: RecordedEvent, at: Callable[[int], Session], undone: bool = False
) -> TimelineLine:
    """Return the timeline line that describes an event.

    `at` returns the session's state after a given version.
    """
    return TimelineLine(
        fact.session,
        fact.version,
        fact.turn,
        fact.at,
        fact.seat,
        codec.kind(fact.body),
        describe(ruleset, fact, at),
        undone,
    )


def timeline_lines(
    ruleset: AnyRuleset,
    facts: Sequence[RecordedEvent],
    rewinds: RewindTargets,
    head: int,
    at: Callable[[int], Session],
) -> list[TimelineLine]:
    """Return the lines for `facts` as the timeline shows them at version `head`.

    `rewinds` contains all rewinds up to that version, possibly with duplicates.
    """
    # The caller reads rewinds twice, so some of them may be duplicated.
    spans = lineage(sorted(set(rewinds)), head)
    return [
        timeline_line(
            ruleset, fact, at, not is_never_undone(fact.body) and not within(spans, fact.version)
        )
        for fact in facts
    ]
