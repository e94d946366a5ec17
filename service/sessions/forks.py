"""Forks: recorded in the parent and opened with its table, both in one transaction."""

from __future__ import annotations

from msgspec import UNSET, Raw, UnsetType

from domain.codec import encode
from domain.proof import merkle_tree
from domain.session.decider import hides_part
from domain.session.messages import Audience, Fork, Open, Parent, TakeSeat
from domain.session.state import PUBLIC, Session
from service.sessions.app import App
from service.sessions.command_handler import handle, opening_turn
from service.sessions.idempotency import RequestIdentity
from service.sessions.turns import SessionWrite
from service.store.recorder import SideRows


def fork_session(
    app: App,
    parent: str,
    fork: Fork,
    gm: TakeSeat,
    title: str,
    log_key: str,
    request: RequestIdentity,
    expected: int | None,
    side_rows: SideRows,
) -> Session:
    """Fork the parent and return the new session. Raises as `handle` does for the parent."""

    def opening(session: Session) -> SessionWrite:
        return opening_turn(
            app, fork.child, _opening(app, session, fork.version, title, log_key), gm
        )

    handle(app, parent, fork, request, expected, side_rows, opening)
    return app.log.read(fork.child).session


def _opening(app: App, parent: Session, version: int, title: str, log_key: str) -> Open:
    """Return the command that opens the fork.

    What is hidden from any seat at that version becomes the GM's secret.
    """
    then = app.log.head_at(parent.id, version)
    info, root = then.session.info, merkle_tree.root(then.frontier, version).hex()
    audience: Audience | UnsetType = (
        "gm" if hides_part(parent, PUBLIC, version, app.log.history(parent.id)) else UNSET
    )
    table = Raw(encode(then.session.table))
    origin = Parent(root, parent.id, version)
    return Open(
        info.ruleset,
        info.edition,
        title,
        dict(info.options),
        log_key,
        origin,
        table,
        audience,
        info.draws,
    )
