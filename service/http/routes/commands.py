"""Routes for play: ruleset commands, rewinds, narration, and closing a session."""

from __future__ import annotations

import msgspec
from flask import Response
from msgspec import UNSET

from domain.codec import encode
from domain.decider import Refused
from domain.ruleset import AnyRuleset
from domain.session.messages import Close, Declare, Narrate, Rewind
from service.http import auth, models
from service.http.errors import ProblemError, body_errors
from service.http.openapi import Blueprint
from service.http.responses import run_command

blueprint = Blueprint("Commands", __name__, tag="Commands")


@blueprint.operation(
    "sendCommand",
    "POST",
    "/v1/sessions/<session:session>/commands",
    body=models.CommandRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    also={202: models.TurnResponse},
    sends=["Location"],
    scope="play",
)
def command(session: str, body: models.CommandRequest) -> Response:
    """Send a command.

    The command must belong to the session's ruleset. The server draws random values, unless the
    session allows physical dice and the request contains their `faces`. If the draw needs
    contributions from seats, the response is 202. It contains the event that declares the command
    and the seats that must contribute. `Location` is the address of the draw. If you repeat a
    request with the same Idempotency-Key, you get all events recorded for the command so far.

    The response does not contain the table, because the table can be a thousand times as large as
    the response. Apply the patches from the feed to your copy of the table, or request the session.
    """
    seat = auth.require_seat(session)
    if (body.entropy is UNSET) is not (body.draw is UNSET):
        raise Refused("entropy-incomplete")
    return run_command(
        session, seat, declared_command(auth.services().app.log.ruleset(session), body)
    )


@blueprint.operation(
    "rewindSession",
    "POST",
    "/v1/sessions/<session:session>/rewind",
    body=Rewind,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    scope="play",
)
def rewind(session: str, body: Rewind) -> Response:
    """Rewind the table.

    This restores the table to its state at an earlier version. The undone events stay in the log.
    """
    return run_command(session, auth.require_seat(session), body)


@blueprint.operation(
    "narrate",
    "POST",
    "/v1/sessions/<session:session>/narrate",
    body=Narrate,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    scope="play",
)
def narrate(session: str, body: Narrate) -> Response:
    """Add a narration.

    A narration can be an interpretation of a result, a note or a chat message. `about` is the
    version of the event that the narration refers to.
    """
    return run_command(session, auth.require_seat(session), body)


@blueprint.operation(
    "closeSession",
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

    If `carry_over` is true, the log also records options to use in the next session. A closed
    session accepts no commands.
    """
    return run_command(session, auth.require_seat(session), body)


def declared_command(ruleset: AnyRuleset, body: models.CommandRequest) -> Declare:
    """Return the message that declares the command.

    The message contains the command as canonical JSON. Raises ProblemError("malformed") if the
    command belongs to a different ruleset, or if physical dice have a name but no faces.
    """
    if type(body.command) not in ruleset.commands:
        kinds = ", ".join(str(command.__struct_config__.tag) for command in ruleset.commands)
        errors = body_errors({"command": {"kind": [f"Must be one of: {kinds}."]}})
        raise ProblemError(
            "malformed",
            f"The command does not belong to the session's ruleset, {ruleset.name}.",
            errors=errors,
        )
    if body.dice_name is not UNSET and body.faces is UNSET:
        raise ProblemError(
            "malformed",
            "Only physical dice can have a name. Send their faces too, or leave out the name.",
            errors=body_errors({"dice_name": ["Requires `faces`."]}),
        )
    return Declare(
        msgspec.Raw(encode(body.command)),
        body.faces,
        body.audience,
        body.salt,
        body.target_version,
        body.entropy,
        body.draw,
        body.dice_name,
    )
