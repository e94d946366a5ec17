"""Secrets: open a secret turn, list the auditors' requests, and redact text."""

from __future__ import annotations

from flask import Response, url_for
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import OpenSeal, Redact
from service.http import auth, models
from service.http.conditional import expected_versions
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.request_headers import request_identity
from service.http.responses import command_response, json_response, run_command
from service.http.routes.review import AuditRead, AuditReads
from service.sessions.redaction import redact

blueprint = Blueprint("Secrets", __name__, tag="Events")


@blueprint.operation(
    "openSecret",
    "POST",
    "/v1/sessions/<session:session>/open-secret",
    body=models.OpenSecretRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    scope="play",
)
def open_seal(session: str, body: models.OpenSecretRequest) -> Response:
    """Open a secret turn.

    Any seat that may see the turn can open it. From then on, everyone can see it. If the turn has a
    draw, the log then also contains the proof of the drawn values.
    """
    return run_command(session, auth.require_seat(session), OpenSeal(body.turn))


@blueprint.operation(
    "listAuditReads",
    "GET",
    "/v1/sessions/<session:session>/audit-reads",
    query=models.PageQuery,
    returns=AuditReads,
    problems=["refused"],
)
def audit_reads(session: str, query: models.PageQuery) -> Response:
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
    page = [
        AuditRead(each.number, each.seat, iso_time(each.at), each.what) for each in found[:limit]
    ]
    response = json_response(AuditReads(page, more))
    if more is not UNSET:
        address = url_for("Secrets.audit_reads", session=session, after=more, limit=limit)
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


@blueprint.operation(
    "redactEvent",
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
        Redact(body.version, body.reason),
        request_identity(seat),
        expected_versions(),
    )
    return command_response(auth.services().app, answer, seat)
