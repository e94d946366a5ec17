"""The command handler: loads a session, decides a command and appends the events.

Only two other modules append events: `pending_draws`, which ends draws, and `log_files`, which
imports sessions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from domain.decider import By, Refused, Role, fold
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.session.evolve import evolve
from domain.session.messages import Declare, Open, OpenSeal, TakeSeat
from domain.session.state import HOUSE, History, Session, initial
from domain.session.turns import EntropyOutdatedError, Head, decide_turn, must_anchor
from domain.visibility import visible_refusal
from service.platform import clock, metrics
from service.sessions import idempotency, turns
from service.sessions.app import App
from service.sessions.house import RESTORED, chain_name
from service.sessions.idempotency import CommandResult, KeyReusedError, RequestIdentity
from service.sessions.pending_draws import find_declaration, settled_head
from service.sessions.turns import SECRETS_UPSERT, SessionWrite, session_lock, turn_context
from service.store.errors import SessionBusyError, UnknownSessionError, VersionConflictError
from service.store.event_log import EMPTY_FRONTIER
from service.store.recorder import SideRow, SideRows


class DrawTakenError(Exception):
    """Raised if a command supplies entropy for a draw that another command has already used.

    `by` is the version of that command's Declared event. `next_k` is the number of the next draw.
    """

    def __init__(self, k: int, next_k: int, by: int) -> None:
        super().__init__(k)
        self.k, self.next_k, self.by = k, next_k, by


MAX_ATTEMPTS = 12
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.064
OtherSession = Callable[[Session], SessionWrite]
"""A function that produces the first events of a second session, such as a fork.

It receives the original session as it was before the command. The events of both sessions are
stored in one transaction.
"""

LateSideRows = Callable[[], SideRows]
"""A function that produces a command's side rows.

It is called after each decision of the command, so it can read every event that the decision knew.
"""


def handle(
    app: App,
    session: str,
    command: Message,
    request: RequestIdentity,
    expected: Collection[int] | None = None,
    side_rows: SideRows | LateSideRows = (),
    other_session: OtherSession | None = None,
) -> CommandResult:
    """Decide a seat's command, store its events and side rows, and return the result.

    `expected` contains the session versions on which the client bases the command, or is None for
    any version. Raises Refused, VersionConflictError, DrawTakenError, SessionBusyError,
    KeyReusedError or UnknownSessionError.
    """
    # Writers to one session in this process queue at a lock instead of racing each other.
    with _measured(), session_lock(session):
        for attempt in range(MAX_ATTEMPTS):
            if attempt:  # even a sleep of 0 seconds yields the processor
                time.sleep(_pause_seconds(attempt))
            # After a lost race, the version that was read with the token is out of date.
            head = settled_head(app, session, request.newest if attempt == 0 else 0)
            try:
                return _decide_and_append(
                    app, head, command, request, expected, side_rows, other_session
                )
            except (Refused, VersionConflictError, EntropyOutdatedError) as error:
                # The client may be repeating a request whose turn is already stored: an append with
                # a used key also fails. Looking up the answer only after a failure saves a query
                # for each accepted turn.
                if stored := _stored_response(app, session, request):
                    return stored
                if isinstance(error, Refused):
                    raise _visible_refusal(
                        app, head.session, command, request.seat, error
                    ) from None
                if isinstance(error, EntropyOutdatedError):
                    raise _draw_taken(app, head.session, error.k) from None
                # The client's expected versions are outdated, so the client must decide what to do.
                if expected is not None:
                    raise
        # A writer in another process was faster each time; the client may send the command again
        # (docs/decisions/0018).
        raise SessionBusyError(head.session.version)


@contextmanager
def _measured() -> Iterator[None]:
    """Measure how long an accepted command takes, and count refusals and conflicts."""
    began = time.perf_counter()
    try:
        yield
    except Refused as refused:
        metrics.REFUSALS.labels(refused.rule).inc()
        raise
    except VersionConflictError:
        metrics.CONFLICTS.inc()
        raise
    metrics.TURNS.observe(time.perf_counter() - began)


def _pause_seconds(attempt: int) -> float:
    """Return a random pause before retry number `attempt`.

    The upper limit doubles with each attempt, up to LONGEST_PAUSE_SECONDS. Random pauses keep
    processes that lost the same race from colliding again.
    """
    longest: float = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
    return longest * clock.random_bytes()[0] / 256


def _decide_and_append(
    app: App,
    head: Head,
    command: Message,
    request: RequestIdentity,
    expected: Collection[int] | None,
    side_rows: SideRows | LateSideRows,
    other_session: OtherSession | None,
) -> CommandResult:
    if expected is not None and head.session.version not in expected:
        raise VersionConflictError(head.session.version)
    writes = [_decide(app, head, command, request.seat)]
    if other_session is not None:
        writes.append(other_session(head.session))
    return _append(app, writes, request, side_rows() if callable(side_rows) else side_rows)


def open_session(
    app: App,
    session: str,
    opening: Open,
    gm: TakeSeat,
    request: RequestIdentity,
    side_rows: SideRows = (),
) -> CommandResult:
    """Open a session, and seat the house and the GM.

    All events are stored in one transaction. Raises the same errors as `handle`, and KeyReusedError
    if the request's key opened a session that was deleted.
    """
    try:
        with _measured():
            return _append(app, [opening_turn(app, session, opening, gm)], request, side_rows)
    except (Refused, VersionConflictError) as error:
        stored = _stored_response(app, session, request)
        if stored is not None:
            return stored
        if isinstance(error, VersionConflictError) and not error.version:
            raise KeyReusedError(request.key) from error
        raise


def opening_turn(app: App, session: str, opening: Open, gm: TakeSeat) -> SessionWrite:
    """Decide the events that open a session and seat the house and the GM.

    Raises Refused.
    """
    head, last_link, house = (
        Head(initial(session), EMPTY_FRONTIER),
        clock.random_bytes(),
        By(HOUSE, Role.HOUSE),
    )
    events: list[RecordedEvent] = []
    context = replace(turn_context(app, session), history=_unstored_history(session, events))
    commands = (
        (opening, house),
        (app.house.first_chain(session, last_link, opening.log_format), house),
        (gm, By(gm.seat, gm.role)),
    )
    for command, by in commands:
        head, more, _ = decide_turn(head, command, by, context)
        events.extend(more)
    return SessionWrite(
        head, tuple(events), [(SECRETS_UPSERT, [(session, chain_name(0), last_link)])]
    )


def _unstored_history(session: str, events: Sequence[RecordedEvent]) -> History:
    """Return a history for a session whose events are not stored yet."""

    def state(version: int) -> Session:
        return fold(
            lambda state, event: evolve(state, event, history), initial(session), events[:version]
        )

    history = History(state, lambda after, upto: events[after:upto])
    return history


def _decide(app: App, head: Head, command: Message, seat: str) -> SessionWrite:
    """Decide the command, and return the events and side rows to store.

    If the command may draw and the house's chain is nearly used up, the events begin with the
    anchor of the house's next chain. Raises Refused.
    """
    session = head.session
    if session.info.seats[HOUSE].public_key != app.keys.house.public.hex():
        raise Refused("imported")
    by = By(seat, command.role) if isinstance(command, TakeSeat) else session.by(seat)
    context = turn_context(app, session.id)
    anchored: tuple[RecordedEvent, ...] = ()
    rows: list[SideRow] = []
    chain = session.chains[HOUSE]
    if isinstance(command, Declare) and session.pending is None and must_anchor(session):
        last_link = clock.random_bytes()
        rows.append((SECRETS_UPSERT, [(session.id, chain_name(chain.number + 1), last_link)]))
        anchor = app.house.next_chain(session, last_link)
        head, anchored, _ = decide_turn(head, anchor, By(HOUSE, Role.HOUSE), context)
    if isinstance(command, OpenSeal):
        command = replace(command, kept=app.house.stored_secret(session.id, command.turn))
    decided = decide_turn(head, command, by, context)
    if decided.head.session.k != session.k:
        app.house.check_not_restored(session.id)
    rows += turns.side_rows(decided)
    return SessionWrite(decided.head, anchored + decided.events, rows)


def _visible_refusal(
    app: App, session: Session, command: Message, seat: str, refused: Refused
) -> Refused:
    """Return the refusal without the details that the seat may not see."""
    if not isinstance(command, Declare) or not session.tables_by_seat or refused.rule == RESTORED:
        return refused
    return visible_refusal(session, session.by(seat), command, refused, app.log.history(session.id))


def _draw_taken(app: App, session: Session, k: int) -> DrawTakenError:
    declared = find_declaration(app, session, k)
    assert declared is not None
    return DrawTakenError(k, session.k, declared.version)


def _stored_response(app: App, session: str, request: RequestIdentity) -> CommandResult | None:
    try:
        return idempotency.stored_response(app.recorder, app.log.read(session).session, request)
    except UnknownSessionError:  # the opening was refused, so there is no session
        return None


def _append(
    app: App, writes: Sequence[SessionWrite], request: RequestIdentity, side_rows: SideRows
) -> CommandResult:
    """Store the writes, the request's answer and new index entries in one transaction.

    Return the result for the first write. Raises VersionConflictError.
    """
    head, events, _ = writes[0]
    first, last = events[0].version, events[-1].version
    stored = [(write.head, write.events) for write in writes]
    rows = [
        idempotency.answer_row(head.session.id, request, first, last),
        *side_rows,
        *(row for write in writes for row in write.side_rows),
        *app.index.entries(stored),
    ]
    app.log.append_together(stored, rows)
    return CommandResult(head.session, first, last, repeated=False, events=events)
