"""Secrets: open a secret turn, list the auditors' requests, and redact text."""

from __future__ import annotations

from flask import Response, url_for
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import OpenSeal, Redact
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.request_headers import expected_version, request_identity
from service.http.responses import command_response, json_response, run_command
from service.http.routes.review import Reading, Readings
from service.sessions.redaction import redact

blueprint = Blueprint(
    "Secrets",
    __name__,
    description="Open secret turns, list the auditors' requests, and redact text.",
)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/open",
    body=models.OpenSealRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def open_seal(session: str, body: models.OpenSealRequest) -> Response:
    """Open a secret turn.

    Any seat that may see the turn can open it. From then on, everyone can see it. If the turn has a
    draw, the log then also contains the proof of the drawn values.
    """
    return run_command(session, auth.require_seat(session), OpenSeal(body.turn))


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/readings",
    query=models.PageQuery,
    returns=Readings,
    problems=["refused"],
)
def readings(session: str, query: models.PageQuery) -> Response:
    """List the auditors' requests.

    Only the GM may read this list. Auditors can see every secret, so each request that an auditor
    sends to read the session is recorded. The list starts with the oldest request.
    """
    app, access, seat = auth.services().app, auth.services().access, auth.require_seat(session)
    by = auth.current_head(session).session.by(seat)
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)
    limit = min(query.limit, app.settings.page)
    found = access.readings(session, query.after, limit + 1)
    more = found[limit - 1].number if len(found) > limit else UNSET
    page = [Reading(each.number, each.seat, iso_time(each.at), each.what) for each in found[:limit]]
    response = json_response(Readings(page, more))
    if more is not UNSET:
        address = url_for("Secrets.readings", session=session, after=more, limit=limit)
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/redact",
    body=models.RedactRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def redact_(session: str, body: models.RedactRequest) -> Response:
    """Redact text.

    The author or the GM can permanently delete the text of a narration or the name of a seat. The
    log records the redaction. Later exports do not contain the text, and they can still be
    verified. Earlier exports still contain it.
    """
    seat = auth.require_seat(session)
    answer = redact(
        auth.services().app,
        session,
        Redact(body.of, body.reason),
        request_identity(seat),
        expected_version(),
    )
    return command_response(auth.services().app, answer, seat)
