"""Roll links: show one roll and its proof to everyone with the link, until the link is revoked."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from flask import Response
from msgspec import UNSET, Meta
from msgspec.structs import replace

from domain.decider import Refused
from domain.session.descriptions import names
from domain.session.messages import Declared
from domain.session.turns import Head
from domain.visibility import PUBLIC_VIEWER, visible_session
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.responses import json_response
from service.http.routes.draws import ROLL, roll_response
from service.http.routes.turns import TurnView, turn_of_draw
from service.sessions.app import App
from service.sessions.pending_draws import find_declaration
from service.sessions.roll_links import roll_links_of
from service.store.errors import UnknownSessionError

blueprint = Blueprint("RollLinks", __name__, tag="Draws")

NO_LINK = "The link is not valid: it does not exist, or it was revoked. Ask for a new one."
NO_OWN_LINK = "There is no link to this roll."
NOT_PUBLIC = (
    "Draw {k} cannot be shared: it does not exist, it is not over, or not everyone at the table may"
    " see it."
)


class RollLinkView(models.ResponseModel, frozen=True):
    """The link of your seat to a roll."""

    code: Annotated[str, Meta(description="the secret code with which anyone can see the roll")]
    url: Annotated[str, Meta(description="the URL of the page that shows the roll")]


class SharedRoll(models.ResponseModel, frozen=True):
    """A roll that a link shows, as everyone at the table may see it."""

    title: models.SessionTitle
    number: models.DrawNumberView
    turn: TurnView
    names: Annotated[
        dict[str, str],
        Meta(description="the names of the entities and of the seats (`@` and id) in the roll"),
    ]


@blueprint.operation(
    "createRollLink",
    "PUT",
    "/v1/sessions/<session:session>/draws/<draw:draw>/link",
    returns=RollLinkView,
    problems=["refused"],
)
def create(session: str, draw: str) -> Response:
    """Create a link to a roll.

    Everyone with the link sees the roll and its proof. The proof names the session and the seats
    that contributed. The roll must be over, and everyone at the table must be allowed to see it. If
    your seat has a link already, you get the same one.
    """
    seat, app = auth.require_seat(session), auth.services().app
    head = auth.current_head(session)
    head.session.by(seat)  # refuses a seat that has left
    k = int(draw)
    if public_turn(app, head, k) is None:
        raise ProblemError("not-found", NOT_PUBLIC.format(k=k))
    return json_response(_to_response(app, roll_links_of(app).create(session, k, seat)))


@blueprint.operation(
    "revokeRollLink",
    "DELETE",
    "/v1/sessions/<session:session>/draws/<draw:draw>/link",
    returns=None,
    status=204,
)
def revoke(session: str, draw: str) -> Response:
    """Revoke the link to a roll.

    A seat revokes its own link. The GM revokes the links of all seats to the roll.
    """
    seat, app = auth.require_seat(session), auth.services().app
    if not roll_links_of(app).revoke(session, int(draw), None if _is_gm(session, seat) else seat):
        raise ProblemError("not-found", NO_OWN_LINK)
    return Response(status=204)


@blueprint.operation(
    "getSharedRoll", "GET", "/v1/rolls/<code:code>", returns=SharedRoll, token="none"
)
def shared(code: str) -> Response:
    """Read the roll that a link shows."""
    app = auth.services().app
    head, k, turn = shared_roll(app, code)
    session = head.session
    named = names(visible_session(session, PUBLIC_VIEWER, app.log.history(session.id)))
    mentioned = _mentioned(turn) | _seats(app, head, k)
    return json_response(
        SharedRoll(
            session.info.title,
            k,
            replace(turn, changes=(), highlight=UNSET),
            {each: name for each, name in named.items() if each in mentioned},
        )
    )


@blueprint.operation(
    "exportSharedRoll", "GET", "/v1/rolls/<code:code>/proof", returns={ROLL: None}, token="none"
)
def shared_proof(code: str) -> Response:
    """Export the proof of the roll that a link shows.

    The file is the same as that of `exportDraw` for a reader without a seat.
    """
    app = auth.services().app
    head, k, _ = shared_roll(app, code)
    return roll_response(app, head, PUBLIC_VIEWER, k)


def shared_roll(app: App, code: str) -> tuple[Head, int, TurnView]:
    """Return the session, the number of the draw and its turn. Raises ProblemError("not-found")."""
    found = roll_links_of(app).find(code)
    if found is None:
        raise ProblemError("not-found", NO_LINK)
    try:
        head = auth.current_head(found.session)
    except UnknownSessionError:
        raise ProblemError("not-found", NO_LINK) from None
    turn = public_turn(app, head, found.k)
    if turn is None:
        raise ProblemError("not-found", NO_LINK)
    return head, found.k, turn


def public_turn(app: App, head: Head, k: int) -> TurnView | None:
    """Return the turn of draw `k`, or None unless it is over and everyone may see it."""
    turn = turn_of_draw(app, head, PUBLIC_VIEWER, k)
    is_public = turn and turn.grade is not UNSET and not turn.sealed and turn.audience is UNSET
    return turn if is_public else None


def _is_gm(session: str, seat: str) -> bool:
    try:
        return auth.current_head(session).session.by(seat).is_gm
    except Refused:  # a seat that has left can still revoke its own link
        return False


def _mentioned(turn: TurnView) -> set[str]:
    """Return the ids of the entities that the turn's cards and outcomes name."""
    written = msgspec.json.encode(turn.cards).decode()
    entities = {card.entity for card in turn.cards} | {value.entity for value in turn.values}
    entities |= {outcome.entity for outcome in turn.outcomes}
    return {*re.findall(r"\{([^{}\"]+)\}", written), *entities}


def _seats(app: App, head: Head, k: int) -> set[str]:
    """Return the seats that contributed to the draw or asked for it, as names are keyed."""
    declared = find_declaration(app, head.session, k)
    assert declared is not None
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    return {f"@{declared.seat}", *(f"@{seat}" for seat, _, _ in declared.body.draw.contributors)}


def _to_response(app: App, code: str) -> RollLinkView:
    return RollLinkView(code, f"{app.settings.public_url}/r/{code}")
