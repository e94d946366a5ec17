"""Secrets: opening a sealed turn, listing what auditors have read, and redaction."""

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
    "Secrets", __name__, description="Secret turns, the auditors' readings, and redaction."
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

    Everyone can see it from then on. Any seat that may see the turn can open it. If the turn has a
    draw, the log then contains the proof of its values.
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
    """List what the auditors have read.

    Only the GM may read this list. The oldest request is first. Auditors see every secret, so each
    of their requests is recorded.
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

    The author or the GM can permanently delete the text of a narration or a seat's name. The log
    records the redaction. Later exports lack the text and can still be verified; earlier exports
    still contain it.
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
