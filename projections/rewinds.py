"""The effect of rewinds on other events: which versions they undo and restore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domain import codec
from domain.recorded_event import LogRow
from domain.ruleset import Message
from domain.session.lineage import Span, lineage
from domain.session.messages import EVENTS, Declared, Drawn, Rewound
from projections.runner import Cursor

RewindTargets = Sequence[tuple[int, int]]
"""A session's rewinds in order, as (version of the rewind, version it returns to) pairs."""
UndoneChange = tuple[bool, str, int, int]
"""The new status of a range of versions: (is undone, session, first version, last version)."""

KINDS_NEVER_UNDONE: tuple[str, ...] = tuple(
    codec.KINDS[event] for event in EVENTS if event not in (Declared, Drawn)
)
"""The kinds of session-level events that rewinds never undo.

Declared and Drawn are not included, because they belong to the turns of the game.
"""


def is_never_undone(event: Message) -> bool:
    return codec.kind(event) in KINDS_NEVER_UNDONE


def select_rewinds(cursor: Cursor, table: str, session: str) -> list[tuple[int, int]]:
    cursor.execute(
        f"SELECT version, target FROM {table} WHERE session=? ORDER BY version",  # noqa: S608 our own tables
        (session,),
    )
    return [(version, to) for version, to in cursor.fetchall()]


def undone_changes(
    rows: Sequence[LogRow], known: Callable[[str], RewindTargets]
) -> list[UndoneChange]:
    """Return the versions that the rewinds in `rows` undo or restore.

    These versions may be in `rows` or earlier. `known` returns a session's rewinds that precede
    `rows`. The function assumes that the events in `rows` are stored as not undone.
    """
    rewinds: dict[str, list[tuple[int, int]]] = {}
    for _, fact in rows:
        match fact.body:
            case Rewound(to=to):
                rewinds.setdefault(fact.session, []).append((fact.version, to))
    return [
        change
        for session, new in rewinds.items()
        for change in _session_changes(session, known(session), new, _span(session, rows))
    ]


def _span(session: str, rows: Sequence[LogRow]) -> Span:
    versions = [fact.version for _, fact in rows if fact.session == session]
    return versions[0], versions[-1]


def _session_changes(
    session: str, known: RewindTargets, new: RewindTargets, rows: Span
) -> Iterator[UndoneChange]:
    before = [*lineage(known, rows[0] - 1), rows]
    after = lineage([*known, *new], rows[1])
    same = next(
        (nth for nth, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        len(after),
    )
    yield from ((True, session, *span) for span in _subtract(before[same:], after[same:]))
    yield from ((False, session, *span) for span in _subtract(after[same:], before[same:]))


def _subtract(spans: Sequence[Span], others: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of `spans` that do not overlap `others`.

    Both sequences must be in ascending order.
    """
    for first, last in spans:
        for start, end in others:
            if start <= last and end >= first:
                if start > first:
                    yield first, start - 1
                first = end + 1
        if first <= last:
            yield first, last
