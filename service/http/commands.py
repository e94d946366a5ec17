"""What changes a session: commands of its room, rewinding, narrating, closing. Each is one call of `handle`."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Response

from domain.codec import encode
from domain.ruleset import Message, Room
from domain.session.messages import Close, Declare, Narrate, Rewind
from service.access import Holder
from service.answers import Answer
from service.gamelog import Unknown
from service.handle import handle_known
from service.http import auth
from service.http.answering import told, write
from service.http.asking import asked, expected
from service.http.blueprint import Blueprint
from service.http.given import Commanding
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
    return _play(session, lambda: declared(auth.edge().app.log.room(session), body))


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
    return _play(session, lambda: body)


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
    return _play(session, lambda: body)


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
    return _play(session, lambda: body)


def _play(session: str, say: Callable[[], Message]) -> Response:
    """A command of the seat that asks, and its answer.

    A token that the process knows is asked for where the turn is stored, and not before (docs/decisions/0031).
    """
    edge = auth.edge()
    known = auth.take_known(session)
    if known is not None and (answer := _at_once(session, known, say)):
        edge.access.know(known)
        return told(edge.app, answer, known.seat)
    found = auth.speaker(session)
    head = edge.app.log.known(session)
    response = write(session, found.seat, say())
    if head is not None and head.session.version == found.newest:
        edge.access.know(found)
    return response


def _at_once(session: str, known: Holder, say: Callable[[], Message]) -> Answer | None:
    """None where nothing was stored, whyever: that is told to a token that was looked at."""
    try:
        request = asked(known.seat, token=known.hash)
        return handle_known(auth.edge().app, session, say(), request, expected())
    except (Problem, Unknown, msgspec.ValidationError):
        return None


def declared(room: Room, body: Commanding) -> Declare:
    """The wish, as canonical JSON. Problem("malformed") for a command of another ruleset."""
    if type(body.command) not in room.commands:
        error = {"command": {"kind": [f"Not a command of {room.name}."]}}
        raise Problem("malformed", "See errors, field by field.", errors=error)
    return Declare(
        msgspec.Raw(encode(body.command)), body.faces, body.audience, body.blind, body.target
    )
