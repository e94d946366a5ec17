"""Forks: new sessions that continue from a version of a parent session.

The parent's event about the fork and the fork's first events are stored in one transaction.
"""

from __future__ import annotations

from msgspec import UNSET, Raw, UnsetType

from domain.codec import encode
from domain.proof import merkle_tree
from domain.session.decider import hides_part
from domain.session.messages import NEWEST_FORMAT, Audience, Fork, Open, Parent, TakeSeat
from domain.session.state import PUBLIC, Session
from service.sessions.app import App
from service.sessions.command_handler import OtherSession, opening_turn
from service.sessions.turns import SessionWrite


def fork_opening(app: App, fork: Fork, gm: TakeSeat, title: str, log_key: str) -> OtherSession:
    """Return a function that decides the fork's first events.

    `handle` calls it with the parent session, then stores the events of both sessions in one
    transaction.
    """

    def opening(parent: Session) -> SessionWrite:
        command = _open_command(app, parent, fork.version, title, log_key)
        return opening_turn(app, fork.child, command, gm)

    return opening


def _open_command(app: App, parent: Session, version: int, title: str, log_key: str) -> Open:
    """Return the command that opens the fork with the parent's table at `version`.

    If part of that table is hidden from the public, the fork's table becomes the GM's secret.
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
        NEWEST_FORMAT,
        info.extensions or UNSET,
    )
