"""What rewinds do to the events that are already told: the versions they leave, and the versions they bring back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domain import codec
from domain.recorded_event import LogRow
from domain.ruleset import Message
from domain.session.lineage import Span, lineage
from domain.session.messages import EVENTS, Declared, Drawn, Rewound

RewindTargets = Sequence[tuple[int, int]]
"""(version, to) of a session's rewinds, by rising version."""
UndoneChange = tuple[bool, str, int, int]
"""Undone or not from now on, a session, its first and last version that this holds for."""

KINDS_NEVER_UNDONE: tuple[str, ...] = tuple(
    codec.KINDS[event] for event in EVENTS if event not in (Declared, Drawn)
)
"""Kinds that no rewind undoes: the frame goes on. A turn's Declared and Drawn share its fate."""


def is_never_undone(event: Message) -> bool:
    """Whether the event belongs to the frame, which no rewind undoes."""
    return codec.kind(event) in KINDS_NEVER_UNDONE


def undone_changes(
    rows: Sequence[LogRow], known: Callable[[str], RewindTargets]
) -> list[UndoneChange]:
    """What the rewinds among the rows change, in the rows themselves (not undone so far) and in those before them.

    `known` are a session's rewinds before these rows.
    """
    rewinds: dict[str, list[tuple[int, int]]] = {}
    for _, fact in rows:
        match fact.body:
            case Rewound(to=to):
                rewinds.setdefault(fact.session, []).append((fact.version, to))
    return [
        flip
        for session, new in rewinds.items()
        for flip in _flips(session, known(session), new, _span(session, rows))
    ]


def _span(session: str, rows: Sequence[LogRow]) -> Span:
    versions = [fact.version for _, fact in rows if fact.session == session]
    return versions[0], versions[-1]


def _flips(
    session: str, known: RewindTargets, new: RewindTargets, rows: Span
) -> Iterator[UndoneChange]:
    shown = [*lineage(known, rows[0] - 1), rows]
    led = lineage([*known, *new], rows[1])
    same = next(
        (nth for nth, (one, other) in enumerate(zip(shown, led, strict=False)) if one != other),
        len(led),
    )
    yield from ((True, session, *span) for span in _without(shown[same:], led[same:]))
    yield from ((False, session, *span) for span in _without(led[same:], shown[same:]))


def _without(spans: Sequence[Span], others: Sequence[Span]) -> Iterator[Span]:
    """What lies in the spans and in none of the others; both rise."""
    for first, last in spans:
        for start, end in others:
            if start <= last and end >= first:
                if start > first:
                    yield first, start - 1
                first = end + 1
        if first <= last:
            yield first, last
