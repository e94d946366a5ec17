"""Draws that wait for their seats: what came is kept until the last has given or the time is over; then they end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import UNSET

from domain.decider import By, Refused, Role
from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.proof.chain import receipt_message
from domain.session.draws import (
    DecidedTurn,
    Head,
    TurnContext,
    complete_draw,
    decide_turn,
    void_draw,
)
from domain.session.giving import check_contribution, contribution_json
from domain.session.messages import Contribution, Drawn, DrawVoided, SetPresence
from domain.session.state import HOUSE, Session
from service import ed25519, sources
from service.bootstrap import App
from service.drawn import declared_at, end_of
from service.gamelog import Conflict, SessionBusy
from service.taking import Rows, deadline, kept, means, turn_of

CAME = "SELECT given FROM contributions WHERE session=? AND k=? ORDER BY seat"
GIVE = (
    "INSERT INTO contributions (session, k, seat, given)"
    " SELECT session, k, ?, ? FROM waiting WHERE session=? AND k=? ON CONFLICT DO NOTHING"
)
# Fails, and the turn with it, where somebody gave meanwhile: a void never names a seat that holds a receipt.
GUARD = (
    "UPDATE waiting SET k=CASE WHEN (SELECT COUNT(*) FROM contributions WHERE session=? AND k=?)=? THEN k END"
    " WHERE session=?"
)
ENDED = ("DELETE FROM waiting WHERE session=?", "DELETE FROM contributions WHERE session=?")
MAX_ATTEMPTS = 12
DUE = "SELECT session FROM waiting WHERE deadline<=?"
HERE = "SELECT k FROM waiting WHERE session=?"
_read = msgspec.json.Decoder(Contribution).decode


class Receipt(msgspec.Struct, frozen=True):
    """The house's word that it holds a contribution: the canonical JSON that was signed, and its signature."""

    contribution: bytes
    receipt: bytes


def current(app: App, session: str, newest: int = 0) -> Head:
    """The head, behind the end of a draw whose seats have all given or whose time is over. Raises Unknown.

    `newest`: as `GameLog.read` takes it.
    """
    head = app.log.read(session, newest)
    return head if head.session.pending is None else settle(app, session)


def settle(app: App, session: str) -> Head:
    """Ends the draw that waits if it can be ended. Raises SessionBusy."""
    with turn_of(session):
        for _ in range(MAX_ATTEMPTS):
            head = app.log.read(session)
            pending = head.session.pending
            if pending is None or not _waits_here(app, session):
                return head
            given = came(app, head.session)
            missing = len(pending.contributors) - 1 - len(given)
            if missing and sources.now_ms() < deadline(head.session):
                return head
            # Another process may end the draw first, or store a contribution meanwhile: then look again.
            with suppress(Conflict):
                _end(app, head, given, void=bool(missing))
        raise SessionBusy(head.session.version)


def _end(app: App, head: Head, given: Sequence[Contribution], *, void: bool) -> None:
    session, declared = head.session, _declared(app, head.session)
    ways = means(app, session.id)
    if void:
        taken = _without_missing(void_draw(head, declared, given, ways), ways)
    else:
        hidden = app.house.kept(session.id, declared.turn)
        taken = complete_draw(head, declared, None if hidden is UNSET else hidden, given, ways)
    assert session.pending is not None
    k = session.pending.k
    rows: Rows = [(GUARD, [(session.id, k, len(given), session.id)])]
    rows += [(statement, [(session.id,)]) for statement in ENDED]
    if taken.kept is not None:
        rows.append(kept(session.id, declared.turn, taken.kept))
    app.log.append(taken.head, taken.facts, rows)


def _without_missing(taken: DecidedTurn, ways: TurnContext) -> DecidedTurn:
    """Behind a void the house says of each that did not answer that it is not there: play goes on without it."""
    head, facts, _ = taken
    voided = facts[0].body
    assert isinstance(voided, DrawVoided)
    for seat in voided.missing:
        head, more, _ = decide_turn(
            head, SetPresence(seat, present=False), By(HOUSE, Role.HOUSE), ways
        )
        facts += more
    return DecidedTurn(head, facts)


def contribute(app: App, session: str, k: int, given: Contribution) -> Receipt:
    """Keeps what a seat gives, then ends the draw if it was the last. Raises Refused, Unknown."""
    with turn_of(session):
        head = current(app, session)
        pending = head.session.pending
        if pending is None or pending.k != k:
            return _given_before(app, head.session, k, given)
        declared = _declared(app, head.session)
        root = _root(app, head, given.seen_size)
        check_contribution(head.session, declared, given, root, ed25519.verify)
        request = tree.leaf_hash(leaf_of(declared)).hex()
        if not app.recorder.write((GIVE, [(given.seat, msgspec.json.encode(given), session, k)])):
            after = app.log.read(session).session
            if (
                after.pending is None or after.pending.k != k
            ):  # another process has ended it meanwhile
                return _given_before(app, after, k, given)
            if not _waits_here(app, session):
                return _given_before(app, _over(app, session, k), k, given)
            if given not in came(app, after):
                raise Refused("already-given", seat=given.seat, k=k)
        receipt = _receipt(app, session, k, request, given)
        settle(app, session)
        return receipt


def _root(app: App, head: Head, size: int) -> bytes:
    """The session's own root of that size; of none, that of its head: the size is refused then."""
    version = head.session.version
    if size == version or not 1 <= size < version:
        return tree.root(head.frontier, version)
    return tree.root(app.log.head_at(head.session.id, size).frontier, size)


def _given_before(app: App, session: Session, k: int, given: Contribution) -> Receipt:
    """The receipt again, where the log has that very contribution. Raises Refused."""
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
    """The head behind the draw's end; once its time is over anyone may ask for that. Raises Refused, Unknown."""
    head = current(app, session)
    pending = head.session.pending
    if k >= head.session.k:
        raise Refused("no-draw-waits", k=k)
    if pending is not None and pending.k == k:
        if not _waits_here(app, session):
            _over(app, session, k)
            return app.log.read(session)
        raise Refused("deadline-ahead", k=k, deadline=deadline(head.session), now=sources.now_ms())
    return head


def _waits_here(app: App, session: str) -> bool:
    """A draw of a session that is stored here from a file waits where that is played."""
    return bool(app.recorder.query(HERE, (session,)))


def _over(app: App, session: str, k: int) -> Session:
    """The session behind the end of draw k, which somebody has just made. Raises Refused where it still waits."""
    after = app.log.read(session).session
    if after.pending is not None and after.pending.k == k:
        raise Refused("imported")
    return after


def _declared(app: App, session: Session) -> Fact:
    """The declaration that waits."""
    assert session.pending is not None
    found = declared_at(app, session, session.pending.k)
    assert found is not None
    return found


def came(app: App, session: Session) -> list[Contribution]:
    """What has been given to the draw that waits, by seat."""
    assert session.pending is not None
    return [_read(raw) for (raw,) in app.recorder.query(CAME, (session.id, session.pending.k))]


def look(app: App) -> None:
    """The follower's look: ends every draw whose time is over. Raises what kept the first of the others from it."""
    broken: list[Exception] = []
    for (session,) in app.recorder.query(DUE, (sources.now_ms(),)):
        try:
            settle(app, session)
        except (
            Exception
        ) as error:  # whatever is wrong with one session, the draws of the others end
            broken.append(error)
    if broken:
        raise broken[0]
