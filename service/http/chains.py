"""What a seat says of itself under its own key: the chain that it brings, and whether it takes part in draws."""

from __future__ import annotations

from flask import Response
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import AnchorChain, Anchored, BringChain, SetPresence
from service.http import auth
from service.http.answering import write
from service.http.given import Chaining, Presenting
from service.http.openapi import Blueprint
from service.http.shown import Turn

blueprint = Blueprint(
    "Chains", __name__, description="What seats bring to a table that draws together."
)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/chain",
    body=Chaining,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def chain(session: str, seat: str, body: Chaining) -> Response:
    """Bring a chain

    Everyone their own. With `public_key` it is the seat's first, number 0; without, the one after that in use, for
    the draws to come. `previous_link` shows the next link of the chain before.
    """
    mine = auth.seated(session)
    if mine != seat:
        raise Refused("not-your-seat", seat=seat, by=mine)
    if body.public_key is UNSET:
        return write(
            session, mine, AnchorChain(body.length, body.anchor, body.signature, body.previous_link)
        )
    if body.previous_link is not UNSET:
        raise Refused("first-chain", seat=mine)
    return write(
        session,
        mine,
        BringChain(Anchored(body.public_key, body.length, body.anchor, body.signature)),
    )


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/presence",
    body=Presenting,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def presence(session: str, seat: str, body: Presenting) -> Response:
    """Take part in draws, or not

    A seat with a chain signs it; the GM may say of a seat without one that it is away, and of one with a chain once a
    void has named it.
    """
    return write(session, auth.seated(session), SetPresence(seat, body.present, body.signature))
