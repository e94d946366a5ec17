"""Cosignatures: a seat signs beside the log that this is the checkpoint it has seen."""

from __future__ import annotations

from flask import Response

from service import cosigning
from service.cosigning import Cosigned
from service.http import auth
from service.http.answering import json
from service.http.events import iso
from service.http.given import Cosigning
from service.http.openapi import Blueprint
from service.http.witnessed import Cosignatures, CosignatureShown

blueprint = Blueprint(
    "Cosignatures", __name__, description="Checkpoints that seats have signed beside the log."
)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/cosignatures",
    body=Cosigning,
    gives=CosignatureShown,
    status=201,
    problems=["refused"],
)
def cosign(session: str, body: Cosigning) -> Response:
    """Cosign a checkpoint

    By any seat, with a key of its own: the newest of each key is kept. Refused: `cosigner-key`, `cosigner-name`
    (another seat's), `not-a-checkpoint`, `other-log` (origin, size or root), `cosignature-missing`, `cosignature-bad`,
    `cosigned-ahead` (of the clock), `cosigned-later` (by this key), `too-many-keys`.
    """
    seat = auth.seated(session)
    head, _ = auth.viewed(session)
    return json(_shown(cosigning.take(auth.edge().app, head, seat, body.vkey, body.note)), 201)


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/cosignatures", gives=Cosignatures, token="optional"
)
def cosignatures(session: str) -> Response:
    """List the cosignatures

    The newest of each key. The keys are as the seats gave them: which ones you trust is for you to know.
    """
    head, _ = auth.viewed(session)
    found = cosigning.cosigned(auth.edge().app, session)
    return json(
        Cosignatures(head.session.version, [_shown(each) for each in found]),
        version=head.session.version,
    )


def _shown(each: Cosigned) -> CosignatureShown:
    return CosignatureShown(each.seat, each.vkey, each.size, iso(each.at * 1000))
