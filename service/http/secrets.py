"""Secrets: opening a sealed turn for everyone; which readings of the auditors have been kept for the GM."""

from __future__ import annotations

from flask import Response, url_for
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import OpenSeal
from service.http import auth
from service.http.answering import json, write
from service.http.events import iso
from service.http.given import Page, Unsealing
from service.http.openapi import Blueprint
from service.http.reviewed import Reading, Readings
from service.http.shown import Turn

blueprint = Blueprint(
    "Secrets",
    __name__,
    description="What not everyone sees, how it is opened, and who has read it.",
)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/open",
    body=Unsealing,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def open_seal(session: str, body: Unsealing) -> Response:
    """Open a secret turn

    For everyone and for good, by a seat that may see it. With a draw the log now holds what proves that it was so all
    along.
    """
    return write(session, auth.seated(session), OpenSeal(body.turn))


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/readings",
    query=Page,
    gives=Readings,
    problems=["refused"],
)
def readings(session: str, query: Page) -> Response:
    """List what the auditors have read

    For the GM, oldest first: an auditor sees every secret, and each reading is kept.
    """
    app, access, seat = auth.edge().app, auth.edge().access, auth.seated(session)
    by = auth.brought(session).session.by(seat)
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)
    limit = min(query.limit, app.settings.page)
    found = access.readings(session, query.after, limit + 1)
    more = found[limit - 1].number if len(found) > limit else UNSET
    shown = [Reading(each.number, each.seat, iso(each.at), each.what) for each in found[:limit]]
    response = json(Readings(shown, more))
    if more is not UNSET:
        address = url_for("Secrets.readings", session=session, after=more, limit=limit)
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response
