"""Pending draws: collect contributions, then complete or void each draw.

This module also finds a draw's events in the log.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import UNSET

from domain.decider import By, Refused, Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import receipt_message
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session import turns
from domain.session.contributions import check_contribution, contribution_json
from domain.session.messages import Contribution, Declared, Draw, Drawn, DrawVoided, SetPresence
from domain.session.state import HOUSE, Session
from domain.session.turns import DecidedTurn, Head, TurnContext
from service.platform import clock, ed25519
from service.sessions.app import App
from service.sessions.turns import deadline, root_at, secret_row, session_lock, turn_context
from service.store.errors import SessionBusyError, VersionConflictError
from service.store.recorder import SideRow

WINDOW_EVENTS = 50


def find_declaration(app: App, session: Session, k: int) -> RecordedEvent | None:
    """Return the event that declared draw `k`, or None if it has not been declared.

    A binary search over the versions avoids reading the whole log.
    """
    if not 0 <= k < session.k:
        return None
    if session.pending is not None and session.pending.k == k:
        return app.log.read_events(
            session.id, session.pending.version - 1, session.pending.version
        )[0]
    past = app.log.history(session.id)
    version = bisect_left(
        range(session.version + 1), k + 1, lo=1, key=lambda version: past.state(version).k
    )
    event = app.log.read_events(session.id, version - 1, version)[0]
    return event if isinstance(event.body, Declared) and event.body.draw is not UNSET else None


def shared_draw(event: RecordedEvent) -> Draw | None:
    """Return the draw that the event declares, if seats must contribute to it.

    Return None if the event declares no draw, or if only the house contributes.
    """
    body = event.body
    if not isinstance(body, Declared) or body.draw is UNSET or len(body.draw.contributors) == 1:
        return None
    return body.draw


def find_request(app: App, session: Session, event: RecordedEvent) -> RecordedEvent | None:
    """Return the event that asked seats to contribute to a draw.

    `event` is the event that declared or ended the draw. Return None if no seat was asked.
    """
    body = event.body
    if isinstance(body, DrawVoided) or (isinstance(body, Drawn) and len(body.contributions) > 1):
        return find_declaration(app, session, body.k)
    return event if shared_draw(event) else None


def turn_events(app: App, session: Session, declared: RecordedEvent) -> list[RecordedEvent]:
    """Return the events stored so far for the turn that began with `declared`.

    In the log, they may be interleaved with events from other turns.
    """
    last = last_version(app, session, declared)
    return [
        event
        for event in app.log.read_events(session.id, declared.version - 1, last)
        if event.turn == declared.turn
    ]


def find_end(app: App, session: Session, declared: RecordedEvent) -> RecordedEvent | None:
    """Return the event that ended the draw declared by `declared`.

    Return None if the draw is still pending.
    """
    for start in range(declared.version, session.version, WINDOW_EVENTS):
        for event in app.log.read_events(
            session.id, start, min(start + WINDOW_EVENTS, session.version)
        ):
            if isinstance(event.body, Drawn | DrawVoided) and event.turn == declared.turn:
                return event
    return None


def last_version(app: App, session: Session, declared: RecordedEvent) -> int:
    """Return the version of the newest event in the turn that began with `declared`."""
    end = find_end(app, session, declared)
    last = declared.version if end is None else end.version
    for event in app.log.read_events(session.id, last, None, WINDOW_EVENTS) if end else ():
        if event.turn != declared.turn:
            break
        last = event.version
    return last


MAX_ATTEMPTS = 12
CONTRIBUTIONS_SELECT = "SELECT given FROM contributions WHERE session=? AND k=? ORDER BY seat"
# Inserts nothing if the draw is not pending on this server or the seat has already contributed.
CONTRIBUTIONS_INSERT = (
    "INSERT INTO contributions (session, k, seat, given)"
    " SELECT session, k, ?, ? FROM waiting WHERE session=? AND k=? ON CONFLICT DO NOTHING"
)
# Aborts the transaction if a contribution has arrived since we read them, by setting `k` to NULL,
# which the table forbids. Otherwise a void could blame a seat that has a receipt.
ABORT_UNLESS_COUNT = (
    "UPDATE waiting SET k=CASE"
    " WHEN (SELECT COUNT(*) FROM contributions WHERE session=? AND k=?)=? THEN k END"
    " WHERE session=?"
)
PENDING_DELETES = (
    "DELETE FROM waiting WHERE session=?",
    "DELETE FROM contributions WHERE session=?",
)
OVERDUE_SELECT = "SELECT session FROM waiting WHERE deadline<=?"
WAITING_SELECT = "SELECT k FROM waiting WHERE session=?"
_decode_contribution = msgspec.json.Decoder(Contribution).decode


class SignedReceipt(msgspec.Struct, frozen=True):
    """The house's receipt, which proves that the server stored a contribution.

    `contribution` is canonical JSON, and `receipt` is the house's signature for it.
    """

    contribution: bytes
    receipt: bytes


def settled_head(app: App, session: str, newest: int = 0) -> Head:
    """End the session's pending draw if possible, and return the session's head.

    `newest` is passed to `EventLog.read`. Raises UnknownSessionError or SessionBusyError.
    """
    head = app.log.read(session, newest)
    return head if head.session.pending is None else complete_draw(app, session)


def complete_draw(app: App, session: str) -> Head:
    """End the pending draw if all seats have contributed or its deadline has passed.

    Return the session's head. In an imported session the draw stays pending, because another server
    collects the contributions. Raises SessionBusyError.
    """
    with session_lock(session):
        for _ in range(MAX_ATTEMPTS):
            head = app.log.read(session)
            pending = head.session.pending
            if pending is None or not _waits_here(app, session):
                return head
            given = contributions(app, head.session)
            missing = len(pending.contributors) - 1 - len(given)
            if missing and clock.now_ms() < deadline(head.session):
                return head
            # If another process ends the draw or stores a contribution first, try again.
            with suppress(VersionConflictError):
                _finish_or_void(app, head, given, void=bool(missing))
        raise SessionBusyError(head.session.version)


def _finish_or_void(app: App, head: Head, given: Sequence[Contribution], *, void: bool) -> None:
    session, declared = head.session, _pending_declaration(app, head.session)
    context = turn_context(app, session.id)
    if void:
        decided = _mark_absent(turns.void_draw(head, declared, given, context), context)
    else:
        kept = app.house.stored_secret(session.id, declared.turn)
        decided = turns.complete_draw(
            head, declared, None if kept is UNSET else kept, given, context
        )
    assert session.pending is not None
    guard = session.id, session.pending.k, len(given), session.id
    rows: list[SideRow] = [(ABORT_UNLESS_COUNT, [guard])]
    rows += [(statement, [(session.id,)]) for statement in PENDING_DELETES]
    if decided.secret is not None:
        rows.append(secret_row(session.id, declared.turn, decided.secret))
    app.log.append(decided.head, decided.events, rows)


def _mark_absent(decided: DecidedTurn, context: TurnContext) -> DecidedTurn:
    """Mark each missing seat as absent by adding events to the voided draw's turn.

    Play can then continue without these seats.
    """
    head, events, _ = decided
    voided = events[0].body
    assert isinstance(voided, DrawVoided)
    for seat in voided.missing:
        absence = SetPresence(seat, present=False)
        head, more, _ = turns.decide_turn(head, absence, By(HOUSE, Role.HOUSE), context)
        events += more
    return DecidedTurn(head, events)


def contribute(app: App, session: str, k: int, given: Contribution) -> SignedReceipt:
    """Store a seat's contribution and return a signed receipt for it.

    If this was the last missing contribution, complete the draw. Raises Refused,
    UnknownSessionError or SessionBusyError.
    """
    with session_lock(session):
        head = settled_head(app, session)
        pending = head.session.pending
        if pending is None or pending.k != k:
            return _receipt_from_log(app, head.session, k, given)
        declared = _pending_declaration(app, head.session)
        root = _root(app, head, given.seen_size)
        check_contribution(head.session, declared, given, root, ed25519.verify)
        request = merkle_tree.leaf_hash(leaf_of(declared)).hex()
        row = (given.seat, msgspec.json.encode(given), session, k)
        if not app.recorder.write((CONTRIBUTIONS_INSERT, [row])):
            # Another process ended the draw or stored a contribution from this seat, or the draw
            # is pending on another server.
            after = app.log.read(session).session
            if after.pending is None or after.pending.k != k:
                return _receipt_from_log(app, after, k, given)
            if not _waits_here(app, session):
                return _receipt_from_log(app, _reload_ended(app, session, k), k, given)
            if given not in contributions(app, after):
                raise Refused("already-given", seat=given.seat, draw=k)
        # A receipt is signed only after its contribution is stored, so it is never false.
        receipt = _receipt(app, session, k, request, given)
        complete_draw(app, session)
        return receipt


def _root(app: App, head: Head, size: int) -> bytes:
    """Return the root of the session's Merkle tree at size `size`.

    If the tree never had that size, return the current root. `check_contribution` then refuses the
    contribution.
    """
    version = head.session.version
    if size == version or not 1 <= size < version:
        return merkle_tree.root(head.frontier, version)
    return root_at(app, head.session.id, size)


def _receipt_from_log(app: App, session: Session, k: int, given: Contribution) -> SignedReceipt:
    """Return the receipt for a contribution to a draw that has already ended.

    Raises Refused if the draw does not contain the contribution.
    """
    declared = find_declaration(app, session, k)
    if declared is None:
        raise Refused("no-draw-waits", draw=k)
    ended = find_end(app, session, declared)
    if (
        ended is None
        or not isinstance(ended.body, Drawn | DrawVoided)
        or given not in ended.body.contributions
    ):
        raise Refused("draw-is-over", draw=k)
    return _receipt(app, session.id, k, merkle_tree.leaf_hash(leaf_of(declared)).hex(), given)


def _receipt(app: App, session: str, k: int, request: str, given: Contribution) -> SignedReceipt:
    contribution = contribution_json(session, k, request, given)
    return SignedReceipt(contribution, app.house.sign(receipt_message(contribution)))


def void_draw(app: App, session: str, k: int) -> Head:
    """Void draw `k` if its deadline has passed, and return the session's head.

    If the draw has already ended, the session is not changed. Raises Refused if the deadline has
    not passed or the draw was never declared. Also raises UnknownSessionError and SessionBusyError.
    """
    head = settled_head(app, session)
    pending = head.session.pending
    if k >= head.session.k:
        raise Refused("no-draw-waits", draw=k)
    if pending is not None and pending.k == k:
        if not _waits_here(app, session):
            _reload_ended(app, session, k)
            return app.log.read(session)
        raise Refused("deadline-ahead", draw=k, deadline=deadline(head.session), now=clock.now_ms())
    return head


def _waits_here(app: App, session: str) -> bool:
    """Return True if this server collects the contributions to the pending draw.

    In an imported session, another server collects them.
    """
    return bool(app.recorder.query(WAITING_SELECT, (session,)))


def _reload_ended(app: App, session: str, k: int) -> Session:
    """Reload the session and return it if draw `k` has ended in the meantime.

    Raises Refused if the draw is still pending.
    """
    after = app.log.read(session).session
    if after.pending is not None and after.pending.k == k:
        raise Refused("imported")
    return after


def _pending_declaration(app: App, session: Session) -> RecordedEvent:
    assert session.pending is not None
    found = find_declaration(app, session, session.pending.k)
    assert found is not None
    return found


def contributions(app: App, session: Session) -> list[Contribution]:
    """Return the contributions stored so far for the pending draw, ordered by seat."""
    assert session.pending is not None
    rows = app.recorder.query(CONTRIBUTIONS_SELECT, (session.id, session.pending.k))
    return [_decode_contribution(raw) for (raw,) in rows]


def void_overdue_draws(app: App) -> None:
    """End every pending draw whose deadline has passed.

    The follower calls this function periodically. An error in one draw does not prevent the others
    from ending, and the first error is raised at the end.
    """
    errors: list[Exception] = []
    for (session,) in app.recorder.query(OVERDUE_SELECT, (clock.now_ms(),)):
        try:
            complete_draw(app, session)
        except Exception as error:  # one broken session must not delay the draws in other sessions
            errors.append(error)
    if errors:
        raise errors[0]
