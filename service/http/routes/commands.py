"""Routes that change a session: ruleset commands, rewinds, narration and closing."""

from __future__ import annotations

import msgspec
from flask import Response

from domain.codec import encode
from domain.ruleset import AnyRuleset
from domain.session.messages import Close, Declare, Narrate, Rewind
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.responses import run_command

blueprint = Blueprint(
    "Commands", __name__, description="Play: commands, narration, rewinds and closing a session."
)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/commands",
    body=models.CommandRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    also={202: models.TurnResponse},
)
def command(session: str, body: models.CommandRequest) -> Response:
    """Send a command.

    It must be a command of the session's ruleset. The server draws the random values unless the
    session's options allow `faces` and the request contains them. If the draw needs contributions
    from seats, the response is 202. It then contains the event that declares the command and the
    seats that must contribute, and `Location` is the address of the draw. If you repeat a request
    with the same key, you get the result so far.
    """
    seat = auth.require_seat(session)
    return run_command(
        session, seat, declared_command(auth.services().app.log.ruleset(session), body)
    )


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/rewind",
    body=Rewind,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def rewind(session: str, body: Rewind) -> Response:
    """Rewind the table.

    This restores the table as it was at an earlier version. Undone events stay in the log.
    """
    return run_command(session, auth.require_seat(session), body)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/narrate",
    body=Narrate,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def narrate(session: str, body: Narrate) -> Response:
    """Add a narration.

    It can be an interpretation of a result, a note or a chat message. `about` is the version that
    the narration refers to.
    """
    return run_command(session, auth.require_seat(session), body)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/close",
    body=Close,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def close(session: str, body: Close) -> Response:
    """Close the session.

    With `carry`, the log records options for the next session. A closed session accepts no
    commands.
    """
    return run_command(session, auth.require_seat(session), body)


def declared_command(ruleset: AnyRuleset, body: models.CommandRequest) -> Declare:
    """Return the message that declares the command, which it contains as canonical JSON.

    Raises ProblemError("malformed") if the command belongs to another ruleset.
    """
    if type(body.command) not in ruleset.commands:
        error = {"command": {"kind": [f"Not a command of {ruleset.name}."]}}
        raise ProblemError("malformed", "See `errors` for what is wrong.", errors=error)
    return Declare(
        msgspec.Raw(encode(body.command)), body.faces, body.audience, body.blind, body.target
    )
