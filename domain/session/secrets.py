"""Secrets: which seats may see a secret turn, and which table each seat sees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeGuard

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Refused, Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset, Message
from domain.session.messages import (
    EVENTS,
    Declared,
    Inherited,
    Narrated,
    Rewound,
    SealOpened,
    SeatTaken,
)
from domain.session.state import PUBLIC, History, Seal, Session

SESSION_EVENT_TYPES = frozenset(EVENTS)
ALL_SEEING = (Role.HOUSE, Role.AUDITOR)
_RULE_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


def is_secret(event: Message) -> TypeGuard[Declared | Narrated | Inherited]:
    """Return True if the event starts a secret turn."""
    return isinstance(event, Declared | Narrated | Inherited) and event.audience is not UNSET


def is_sealed(event: Message, in_secret: bool) -> bool:
    """Return True if the event's content is sealed.

    `in_secret` is True if the event belongs to a secret turn. All events in such a turn are sealed,
    except Declared, Drawn and DrawVoided if the turn has a draw.
    """
    if type(event) not in SESSION_EVENT_TYPES:
        return in_secret
    return is_secret(event) and not (isinstance(event, Declared) and event.draw is not UNSET)


def is_for(session: Session, seal: Seal, seat: str) -> bool:
    """Return True if the seat is in the audience of the secret turn.

    PUBLIC is never in the audience.
    """
    held = session.info.seats.get(seat)
    if held is None:
        return False
    if held.role in ALL_SEEING or (held.role is Role.GM and seal.audience != "self"):
        return True
    return seat == seal.seat and seal.audience != "blind"


def sees(session: Session, seat: str, recorded: RecordedEvent) -> bool:
    """Return True if the seat may currently see the event's content."""
    seal = session.secrets.seals.get(recorded.turn) if recorded.sealed else None
    return seal is None or is_for(session, seal, seat)


def visible_table(session: Session, seat: str) -> object:
    held = session.info.seats.get(seat)
    if not session.tables_by_seat or (held is not None and held.role in ALL_SEEING):
        return session.table
    return session.tables_by_seat.get(seat, session.tables_by_seat[PUBLIC])


def hidden_from(session: Session, seat: str, upto: int | None = None) -> frozenset[int]:
    """Return the secret turns that are currently hidden from the seat.

    If `upto` is given, turns after turn `upto` are ignored.
    """
    return frozenset(
        turn
        for turn, seal in session.secrets.seals.items()
        if (upto is None or turn <= upto) and not is_for(session, seal, seat)
    )


@contextmanager
def refuse_unseen(session: Session) -> Iterator[None]:
    """Convert errors that hidden events may have caused into Refused("unseen").

    A ruleset's `decide` may raise such errors if the table lacks the effects of hidden events.
    """
    try:
        yield
    except _RULE_ERRORS as missing:
        if not session.secrets.seals:
            raise
        raise Refused("unseen") from missing


def update_tables(
    before: Session, after: Session, recorded: RecordedEvent, history: History
) -> Session:
    """Return `after` with `tables_by_seat` updated.

    `before` is the session before the event. For a rewind, it is the session that the rewind
    returns to.
    """
    match recorded.body:
        case Rewound() | SealOpened() | SeatTaken():  # seats may see more or less from now on
            tables_by_seat = _recompute_tables(before, after, history)
        case Inherited() if recorded.sealed:
            tables_by_seat = _distinct_tables(after, {PUBLIC: before.table})
        case event if type(event) not in SESSION_EVENT_TYPES:
            tables_by_seat = _evolve_tables(before, after, recorded)
        case _:
            return after
    if tables_by_seat is after.tables_by_seat:
        return after
    return replace(after, tables_by_seat=tables_by_seat)


def fold_visible(session: Session, hidden: frozenset[int], upto: int, history: History) -> object:
    """Return the table at version `upto`, without the effects of `hidden` turns."""
    version = upto
    start = min((session.secrets.seals[turn].version for turn in hidden), default=upto + 1) - 1
    events, visible = {recorded.version: recorded for recorded in history.events(start, upto)}, []
    while version > start:
        match events.get(version):
            case RecordedEvent(body=Rewound(to=to)):
                version = to
                continue
            case RecordedEvent() as recorded if not (recorded.sealed and recorded.turn in hidden):
                visible.append(recorded.body)
        version -= 1
    table = history.state(version).table  # nothing was hidden before the first hidden turn
    for event in reversed(visible):
        table = _evolve_table(session.ruleset, table, event)
    return table


def _evolve_table(ruleset: AnyRuleset, table: object, event: Message) -> object:
    if isinstance(event, Inherited):
        return inherited_table(ruleset, event)
    return table if type(event) in SESSION_EVENT_TYPES else ruleset.decider.evolve(table, event)


def inherited_table(ruleset: AnyRuleset, event: Inherited) -> object:
    """Return the table that a fork starts with.

    Raises msgspec.ValidationError if the table is not a valid state of the ruleset.
    """
    return msgspec.json.decode(event.table, type=ruleset.state)


def _evolve_tables(before: Session, after: Session, recorded: RecordedEvent) -> dict[str, object]:
    """Return `tables_by_seat` after a ruleset event.

    If several seats share a table, the event is applied to that table only once.
    """
    tables_by_seat = before.tables_by_seat or {PUBLIC: before.table}
    known = {id(before.table): after.table}

    def evolve_once(table: object) -> object:
        if id(table) not in known:
            known[id(table)] = after.ruleset.decider.evolve(table, recorded.body)
        return known[id(table)]

    if not recorded.sealed:
        return (
            _distinct_tables(
                after, {seat: evolve_once(table) for seat, table in tables_by_seat.items()}
            )
            if before.tables_by_seat
            else {}
        )
    seats = dict.fromkeys((*tables_by_seat, *_restricted_seats(after)))
    held = {seat: tables_by_seat.get(seat, tables_by_seat[PUBLIC]) for seat in seats}
    return _distinct_tables(
        after,
        {
            seat: evolve_once(table) if sees(after, seat, recorded) else table
            for seat, table in held.items()
        },
    )


def _recompute_tables(before: Session, after: Session, history: History) -> dict[str, object]:
    """Return `tables_by_seat` after seats gained or lost access to secret turns.

    Existing tables are reused. Any other table is computed from the events.
    """
    tables = {
        hidden_from(before, seat): visible_table(before, seat)
        for seat in (PUBLIC, *_restricted_seats(before))
    }
    tables[frozenset()] = after.table
    tables_by_seat = {}
    for seat in (PUBLIC, *_restricted_seats(after)):
        hidden = hidden_from(after, seat, before.turn)
        if hidden not in tables:
            tables[hidden] = fold_visible(after, hidden, before.version, history)
        tables_by_seat[seat] = tables[hidden]
    return _distinct_tables(after, tables_by_seat)


def _distinct_tables(session: Session, tables_by_seat: dict[str, object]) -> dict[str, object]:
    """Return the public table, and the table of each seat that sees a different one.

    Returns {} if nothing is hidden.
    """
    whole = session.table
    shared = {seat: whole if table == whole else table for seat, table in tables_by_seat.items()}
    distinct = {
        seat: table for seat, table in shared.items() if seat == PUBLIC or table != shared[PUBLIC]
    }
    return distinct if len(distinct) > 1 or distinct[PUBLIC] is not whole else {}


def _restricted_seats(session: Session) -> list[str]:
    """Return the seats whose roles do not let them see all secrets."""
    return [seat for seat, held in session.info.seats.items() if held.role not in ALL_SEEING]
