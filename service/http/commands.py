"""What changes a session: commands of its room, rewinding, narrating, closing. Each is one call of `handle`."""

from __future__ import annotations

import msgspec
from flask import Response

from domain.codec import encode
from domain.ruleset import Room
from domain.session.messages import Close, Declare, Narrate, Rewind
from service.http import auth
from service.http.answering import write
from service.http.given import Commanding
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.shown import Turn

blueprint = Blueprint("Play", __name__, description="Commands, and what they became.")


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/commands",
    body=Commanding,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
    also={202: Turn},
)
def command(session: str, body: Commanding) -> Response:
    """Command something

    A command of the session's ruleset. The house draws its values, or they are typed in as `faces` where the options
    allow that. Where seats draw together, a draw is answered by 202: its declaration, what it waits for, and its
    address. A repeat with the same key gives what has come of it.
    """
    seat = auth.seated(session)
    return write(session, seat, declared(auth.edge().app.log.room(session), body))


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/rewind",
    body=Rewind,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def rewind(session: str, body: Rewind) -> Response:
    """Rewind the table

    Sets the table back to an earlier version. Nothing is lost: what is undone stays in the log.
    """
    return write(session, auth.seated(session), body)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/narrate",
    body=Narrate,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def narrate(session: str, body: Narrate) -> Response:
    """Tell something

    A reading of a result, a note or chat; `about` names the version it is about.
    """
    return write(session, auth.seated(session), body)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/close",
    body=Close,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def close(session: str, body: Close) -> Response:
    """Close the evening

    With `carry` the log notes down what the next evening may start from.
    """
    return write(session, auth.seated(session), body)


def declared(room: Room, body: Commanding) -> Declare:
    """The wish, as canonical JSON. Problem("malformed") for a command of another ruleset."""
    if type(body.command) not in room.commands:
        error = {"command": {"kind": [f"Not a command of {room.name}."]}}
        raise Problem("malformed", "See errors, field by field.", errors=error)
    return Declare(
        msgspec.Raw(encode(body.command)), body.faces, body.audience, body.blind, body.target
    )
