"""The tokens of a session's seats: which are good, since when and how long; renewed, or ended by an id."""

from __future__ import annotations

from flask import Response
from msgspec import UNSET, UnsetType

from service import answers
from service.access import Given
from service.http import auth
from service.http.answering import json
from service.http.asking import asked, key
from service.http.events import iso
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.seats import still_seated
from service.http.shown import Shown

blueprint = Blueprint("Tokens", __name__, description="What speaks for a seat, and for how long.")


class TokenShown(Shown, frozen=True):
    """`current`: the one that asks. The token itself is shown once only, when it is given."""

    id: str
    seat: str
    given: str
    expires: str | UnsetType = UNSET
    current: bool = False


class Tokens(Shown, frozen=True):
    tokens: list[TokenShown]


class Renewed(Shown, frozen=True):
    """The seat's token from now on."""

    token: str
    seat: str


@blueprint.operation("GET", "/v1/sessions/<session:session>/tokens", gives=Tokens)
def tokens(session: str) -> Response:
    """List the tokens

    Those that are good: of every seat for the GM, of the own seat for everyone else. By its id one can be ended.
    """
    mine, sent = _mine(session), auth.token()
    return json(Tokens([_shown(each, sent) for each in mine]))


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/tokens",
    gives=Renewed,
    status=201,
    keyed=True,
    problems=["refused"],
)
def renew(session: str) -> Response:
    """Renew the token

    The answer holds a new one for the seat that asks, this once; all others of the seat die with it. Sent again under
    the same key, by the token that has just died, it gives the same one.
    """
    seat, edge = still_seated(session), auth.edge()
    under = f"renew:{seat}"
    token, request = edge.access.token(session, under, key()), asked(seat)
    now = edge.app.log.read(session).session
    rows = edge.access.revoke_seat(session, seat), edge.access.grant(session, seat, token)
    if not edge.access.write(answers.row(session, request, now.version, now.version), *rows):
        answers.stored_response(
            edge.app.recorder, now, request
        )  # the key is not new: with another request it is no repeat
    return json(Renewed(token, seat), 201)


@blueprint.operation(
    "DELETE", "/v1/sessions/<session:session>/tokens/<token:token>", gives=None, status=204
)
def end(session: str, token: str) -> Response:
    """End a token

    By its id: the GM any, everyone else one of their own seat. The seat stays held.
    """
    found = next((each for each in _mine(session) if each.id == token), None)
    if found is None:
        raise Problem("not-found", "No such token, or not one of your seat.")
    auth.edge().access.write(auth.edge().access.end(found.hash))
    return Response(status=204)


def _mine(session: str) -> list[Given]:
    """The good tokens that the seat which asks may know of, oldest first."""
    seat = auth.seated(session)
    given = auth.edge().access.given(session)
    is_gm = auth.brought(session).session.by(seat).is_gm
    return [each for each in given if is_gm or each.seat == seat]


def _shown(given: Given, sent: str | None) -> TokenShown:
    current = sent is not None and auth.edge().access.is_of(given, sent)
    return TokenShown(
        given.id, given.seat, iso(given.at), iso(given.expires) if given.expires else UNSET, current
    )
