"""Forks: a new session that goes on from any version of one that the seat may see."""

from __future__ import annotations

from flask import Response, url_for
from msgspec import UNSET

from domain.decider import Role
from domain.proof.note import ED25519, Vkey, vkey_text
from domain.session.messages import Fork, TakeSeat
from service.forking import fork_session
from service.http import auth, guard
from service.http.answering import json
from service.http.asking import asked, expected, key
from service.http.given import Forking
from service.http.openapi import Blueprint
from service.http.shown import Ticket

blueprint = Blueprint("Forks", __name__, description="What if, and to be continued.")


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/forks",
    body=Forking,
    gives=Ticket,
    status=201,
    keyed=True,
    matched=True,
)
def fork(session: str, body: Forking) -> Response:
    """Fork a session

    A new session begins with the table of a version of this one; both logs say so. Whoever forks is its GM; the answer
    holds the token, this once.
    """
    ticket = forked(session, auth.seated(session), body)
    response = json(ticket, 201, version=ticket.version)
    response.headers["Location"] = url_for("Sessions.session", session=ticket.session)
    return response


def forked(session: str, seat: str, body: Forking) -> Ticket:
    """The GM's seat in the fork that a seat asks for. Raises as `handle`."""
    guard.one_more_session()
    app, access = auth.edge().app, auth.edge().access
    under = f"fork:{session}:{seat}"
    child, token = access.fork_id(under, key()), access.token(session, under, key())
    origin = f"{app.settings.origin}/sessions/{child}"
    log_key = vkey_text(Vkey(origin, ED25519, app.keys.log.public))
    gm = TakeSeat(body.seat, Role.GM, body.name)
    title = app.log.read(session).session.frame.title if body.title is UNSET else body.title
    opened = fork_session(
        app,
        session,
        Fork(child, body.version),
        gm,
        title,
        log_key,
        asked(seat),
        expected(),
        [access.grant(child, body.seat, token)],
    )
    return Ticket(child, body.seat, Role.GM, token, opened.version, log_key, origin)
