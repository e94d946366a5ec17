"""Pending draws: store the seats' contributions, and end a draw when the last has come or its time
is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import UNSET

from domain.decider import By, Refused, Role
from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.proof.chain import receipt_message
from domain.session import draws as turns
from domain.session.draws import DecidedTurn, Head, TurnContext
from domain.session.giving import check_contribution, contribution_json
from domain.session.messages import Contribution, Drawn, DrawVoided, SetPresence
from domain.session.state import HOUSE, Session
from service import ed25519, sources
from service.bootstrap import App
from service.drawn import declared_at, end_of
from service.gamelog import Conflict, SessionBusy
from service.storage.recording import SideRow
from service.taking import deadline, secret_row, session_lock, turn_context

MAX_ATTEMPTS = 12
CONTRIBUTIONS = "SELECT given FROM contributions WHERE session=? AND k=? ORDER BY seat"
# Inserts nothing if the draw does not wait here any more, or if the seat has contributed already.
CONTRIBUTIONS_INSERT = (
    "INSERT INTO contributions (session, k, seat, given)"
    " SELECT session, k, ?, ? FROM waiting WHERE session=? AND k=? ON CONFLICT DO NOTHING"
)
# Aborts the transaction if a contribution arrived since we read them: it sets `k` to NULL, which
# the table forbids. Otherwise a void could blame a seat that has a receipt.
ABORT_UNLESS_COUNT = (
    "UPDATE waiting SET k=CASE WHEN (SELECT COUNT(*) FROM contributions WHERE session=? AND k=?)=? THEN k END"
    " WHERE session=?"
)
PENDING_DELETES = (
    "DELETE FROM waiting WHERE session=?",
    "DELETE FROM contributions WHERE session=?",
)
OVERDUE = "SELECT session FROM waiting WHERE deadline<=?"
WAITS_HERE = "SELECT k FROM waiting WHERE session=?"
_read = msgspec.json.Decoder(Contribution).decode


class Receipt(msgspec.Struct, frozen=True):
    """Evidence that the house holds a contribution: the canonical JSON that it signed, and its
    signature.
    """

    contribution: bytes
    receipt: bytes


def current(app: App, session: str, newest: int = 0) -> Head:
    """Return the session's head, after ending a pending draw that can be ended.

    Raises Unknown, SessionBusy.

    `newest`: as in `GameLog.read`.
    """
    head = app.log.read(session, newest)
    return head if head.session.pending is None else complete_draw(app, session)


def complete_draw(app: App, session: str) -> Head:
    """End the pending draw if every seat has contributed or its time is over. Raises SessionBusy.

    A draw that waits in another server, which the session was exported from, stays as it is.
    """
    with session_lock(session):
        for _ in range(MAX_ATTEMPTS):
            head = app.log.read(session)
            pending = head.session.pending
            if pending is None or not _waits_here(app, session):
                return head
            given = contributions(app, head.session)
            missing = len(pending.contributors) - 1 - len(given)
            if missing and sources.now_ms() < deadline(head.session):
                return head
            # Another process may end the draw first, or store a contribution meanwhile: then look
            # again.
            with suppress(Conflict):
                _finish_or_void(app, head, given, void=bool(missing))
        raise SessionBusy(head.session.version)


def _finish_or_void(app: App, head: Head, given: Sequence[Contribution], *, void: bool) -> None:
    session, declared = head.session, _declared(app, head.session)
    context = turn_context(app, session.id)
    if void:
        decided = _mark_absent(turns.void_draw(head, declared, given, context), context)
    else:
        kept = app.house.kept(session.id, declared.turn)
        decided = turns.complete_draw(
            head, declared, None if kept is UNSET else kept, given, context
        )
    assert session.pending is not None
    guard = session.id, session.pending.k, len(given), session.id
    rows: list[SideRow] = [(ABORT_UNLESS_COUNT, [guard])]
    rows += [(statement, [(session.id,)]) for statement in PENDING_DELETES]
    if decided.kept is not None:
        rows.append(secret_row(session.id, declared.turn, decided.kept))
    app.log.append(decided.head, decided.facts, rows)


def _mark_absent(decided: DecidedTurn, context: TurnContext) -> DecidedTurn:
    """Add to a void that each missing seat is not present, so that play goes on without it."""
    head, facts, _ = decided
    voided = facts[0].body
    assert isinstance(voided, DrawVoided)
    for seat in voided.missing:
        absence = SetPresence(seat, present=False)
        head, more, _ = turns.decide_turn(head, absence, By(HOUSE, Role.HOUSE), context)
        facts += more
    return DecidedTurn(head, facts)


def contribute(app: App, session: str, k: int, given: Contribution) -> Receipt:
    """Store a seat's contribution, complete the draw if it was the last one, and return its
    receipt.

    Raises Refused, Unknown.
    """
    with session_lock(session):
        head = current(app, session)
        pending = head.session.pending
        if pending is None or pending.k != k:
            return _receipt_from_log(app, head.session, k, given)
        declared = _declared(app, head.session)
        root = _root(app, head, given.seen_size)
        check_contribution(head.session, declared, given, root, ed25519.verify)
        request = tree.leaf_hash(leaf_of(declared)).hex()
        row = (given.seat, msgspec.json.encode(given), session, k)
        if not app.recorder.write((CONTRIBUTIONS_INSERT, [row])):
            # Another process ended the draw or stored a contribution of this seat, or the draw
            # waits elsewhere.
            after = app.log.read(session).session
            if after.pending is None or after.pending.k != k:
                return _receipt_from_log(app, after, k, given)
            if not _waits_here(app, session):
                return _receipt_from_log(app, _reload_ended(app, session, k), k, given)
            if given not in contributions(app, after):
                raise Refused("already-given", seat=given.seat, k=k)
        # The contribution is stored before its receipt is signed, so a receipt always holds.
        receipt = _receipt(app, session, k, request, given)
        complete_draw(app, session)
        return receipt


def _root(app: App, head: Head, size: int) -> bytes:
    """Return the root of the session's tree of that size, or of the current tree if there is no
    such size.

    `check_contribution` refuses such a size.
    """
    version = head.session.version
    if size == version or not 1 <= size < version:
        return tree.root(head.frontier, version)
    return tree.root(app.log.head_at(head.session.id, size).frontier, size)


def _receipt_from_log(app: App, session: Session, k: int, given: Contribution) -> Receipt:
    """Return the receipt again if the ended draw has this very contribution. Raises Refused."""
    declared = declared_at(app, session, k)
    if declared is None:
        raise Refused("no-draw-waits", k=k)
    ended = end_of(app, session, declared)
    if (
        ended is None
        or not isinstance(ended.body, Drawn | DrawVoided)
        or given not in ended.body.contributions
    ):
        raise Refused("draw-is-over", k=k)
    return _receipt(app, session.id, k, tree.leaf_hash(leaf_of(declared)).hex(), given)


def _receipt(app: App, session: str, k: int, request: str, given: Contribution) -> Receipt:
    contribution = contribution_json(session, k, request, given)
    return Receipt(contribution, app.house.sign(receipt_message(contribution)))


def void(app: App, session: str, k: int) -> Head:
    """Return the head after draw `k` has ended; void it if its time is over.

    Raises Refused, Unknown.
    """
    head = current(app, session)
    pending = head.session.pending
    if k >= head.session.k:
        raise Refused("no-draw-waits", k=k)
    if pending is not None and pending.k == k:
        if not _waits_here(app, session):
            _reload_ended(app, session, k)
            return app.log.read(session)
        raise Refused("deadline-ahead", k=k, deadline=deadline(head.session), now=sources.now_ms())
    return head


def _waits_here(app: App, session: str) -> bool:
    """Return False for a draw of an imported session: it waits on the server where the session is
    played.
    """
    return bool(app.recorder.query(WAITS_HERE, (session,)))


def _reload_ended(app: App, session: str, k: int) -> Session:
    """Return the session after another process has ended draw `k`.

    Raises Refused if the draw is still pending.
    """
    after = app.log.read(session).session
    if after.pending is not None and after.pending.k == k:
        raise Refused("imported")
    return after


def _declared(app: App, session: Session) -> Fact:
    """Return the declaration of the pending draw."""
    assert session.pending is not None
    found = declared_at(app, session, session.pending.k)
    assert found is not None
    return found


def contributions(app: App, session: Session) -> list[Contribution]:
    """Return the contributions to the pending draw so far, in the order of their seats."""
    assert session.pending is not None
    rows = app.recorder.query(CONTRIBUTIONS, (session.id, session.pending.k))
    return [_read(raw) for (raw,) in rows]


def void_overdue_draws(app: App) -> None:
    """End every draw whose time is over, and raise the first error afterwards.

    The follower calls this regularly.
    """
    errors: list[Exception] = []
    for (session,) in app.recorder.query(OVERDUE, (sources.now_ms(),)):
        try:
            complete_draw(app, session)
        except Exception as error:  # one broken session must not keep the draws of others waiting
            errors.append(error)
    if errors:
        raise errors[0]
