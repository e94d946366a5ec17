"""Totals for the whole log.

They include the numbers of events and turns by ruleset, draws by grade, voided draws, and sessions
opened and closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from domain.recorded_event import LogRow, RecordedEvent
from domain.session.annotations import grade
from domain.session.messages import Closed, Declared, DrawVoided, Opened
from projections.runner import Cursor, EventSource, ReadModel

ADD = (
    "INSERT INTO totals (name, label, value) VALUES (?,?,?)"
    " ON CONFLICT (name, label) DO UPDATE SET value=totals.value+excluded.value"
)
TotalKey = tuple[str, str]
"""The name and label of a total, such as ("draws", "C")."""


class Totals(ReadModel):
    name = "totals"
    tables: ClassVar[Mapping[str, str]] = {
        "totals": "(name TEXT NOT NULL, label TEXT NOT NULL, "
        "value INTEGER NOT NULL, PRIMARY KEY (name, label))",
    }

    def all(self) -> dict[TotalKey, int]:
        """Return all totals, keyed by name and label.

        The label is the ruleset for "events" and "turns", and the grade for "draws".
        """
        rows = self.store.select("SELECT name, label, value FROM totals ORDER BY name, label")
        return {(name, label): value for name, label, value in rows}

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        counts = Counter(count for _, fact in rows for count in self._counts(fact, log))
        cursor.executemany(ADD, [(*count, value) for count, value in counts.items()])

    def _counts(self, fact: RecordedEvent, log: EventSource) -> Iterator[TotalKey]:
        ruleset = self._rulesets.get(fact, log).name
        yield "events", ruleset
        match fact.body:
            case Opened():
                yield "sessions", "opened"
            case Closed():
                yield "sessions", "closed"
            case Declared():
                yield "turns", ruleset
            case DrawVoided():
                yield "voids", ""
        if graded := grade(fact, partial(log.at, fact.session)):
            yield "draws", graded
