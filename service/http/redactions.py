"""Redactions: a person's words taken out of the log, with the tree whole."""

from __future__ import annotations

from flask import Response

from domain.session.messages import Redact
from service.http import auth
from service.http.answering import told
from service.http.asking import asked, expected
from service.http.given import Redacting
from service.http.openapi import Blueprint
from service.http.shown import Turn
from service.redacting import redact

blueprint = Blueprint("Redactions", __name__, description="Words that are to be forgotten.")


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/redact",
    body=Redacting,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def redact_(session: str, body: Redacting) -> Response:
    """Take words out of the log

    Those of a narration or of a seat's name, for good, by who said them or by the GM. That it was done is an event of
    its own. Files that are taken from now on lack the opening, and verify; what somebody took home before is theirs.
    """
    seat = auth.seated(session)
    answer = redact(auth.edge().app, session, Redact(body.of, body.reason), asked(seat), expected())
    return told(auth.edge().app, answer, seat)
