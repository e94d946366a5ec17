"""The page of a session's branches: who left which, when and why, two versions compared, rolls made again, a fork."""

from __future__ import annotations

import http
from typing import Any, NamedTuple

from flask import Blueprint, Response, url_for
from msgspec import UNSET, UnsetType

from domain.decider import Refused
from domain.session.messages import Version
from domain.session.turns import Head
from domain.visibility import Viewer
from service.http import auth, models, validation
from service.http.errors import ProblemError
from service.http.routes.feed import table_at
from service.http.routes.review import list_branches, list_rerolls
from service.http.routes.sessions import create_fork, names_for
from service.web import forms, seat_cookie
from service.web.changed import Change, changes
from service.web.drawing import go_to, page
from service.web.lanes import picture
from service.web.looking import called, onlooker, queried
from service.web.picture import Picture
from service.web.saying import No, said

EACH = 40
"""So many branches, and so many rolls made again, on one page."""
LATELY = 2_000
"""So many versions are read for rolls made again, where nobody asks for those before."""

blueprint = Blueprint("Branches", __name__)


class Asked(
    models.ReviewQuery, frozen=True, rename={"through": "as", "older": "from", "newer": "to"}
):
    """`after` pages through the branches, `rolls` through the rolls made again; `from`, `to`: two versions."""

    older: Version | UnsetType = UNSET
    newer: Version | UnsetType = UNSET
    rolls: Version | UnsetType = UNSET


class Wrong(NamedTuple):
    """What is wrong with a fork that was asked for: by field, or by the rules; and what was sent."""

    errors: dict[str, str]
    refused: No | None
    sent: dict[str, str]


NOTHING = Wrong({}, None, {})


@blueprint.get("/s/<session:session>/branches")
def branches(session: str) -> Response:
    """The page."""
    return _drawn(session, NOTHING, http.HTTPStatus.OK)


@blueprint.post("/s/<session:session>/branches")
def fork(session: str) -> Response:
    """Forks the session as POST /v1/sessions/<id>/forks, and leads its new GM to it."""
    fields = forms.sent()
    sent = {name: values[0] for name, values in fields.items()}
    try:
        ticket = create_fork(
            session, auth.require_seat(session), validation.read_query(models.ForkRequest, fields)
        )
    except Refused as no:
        return _drawn(session, Wrong({}, said(no), sent), http.HTTPStatus.CONFLICT)
    except ProblemError as no:
        if no.code != "malformed":
            raise
        return _drawn(
            session, Wrong(forms.wrong(no), None, sent), http.HTTPStatus.UNPROCESSABLE_ENTITY
        )
    response = go_to(url_for("Session.session", session=ticket.session))
    seat_cookie.store(response, ticket.session, ticket.token)
    return response


def _drawn(session: str, wrong: Wrong, status: int) -> Response:
    asked = queried(Asked)
    head, viewer = auth.session_for_viewer(session, asked.through)
    state, app = head.session, auth.services().app
    found = list_branches(app, state, asked.after, EACH)
    since = max(0, state.version - LATELY) if asked.rolls is UNSET else asked.rolls
    again = list_rerolls(app, state, viewer, since, EACH)
    return page(
        "branches.html",
        status,
        session=session,
        title=state.info.title,
        version=state.version,
        asked=asked,
        lanes=picture(state.version, found.lineage, found.branches),
        found=found,
        again=again,
        since=0 if asked.rolls else since,
        seats=called(state, names_for(app, state, viewer)),
        reader=onlooker(state, viewer),
        seat=viewer.seat or "",
        looking={"as": viewer.through} if viewer.through else {},
        wrong=wrong,
        key=forms.fresh_key(),
        **_compared(head, viewer, asked),
    )


def _compared(head: Head, viewer: Viewer, asked: Asked) -> dict[str, Any]:
    """What differs between the two versions that are asked for, each with its branch's name; None where none are."""
    if asked.older is UNSET:
        return {"older": 1, "newer": head.session.version, "differs": None}
    newer = head.session.version if asked.newer is UNSET else asked.newer
    return {
        "older": asked.older,
        "newer": newer,
        "differs": _differs(head, viewer, asked.older, newer),
    }


def _differs(head: Head, viewer: Viewer, older: int, newer: int) -> list[Change]:
    app = auth.services().app
    at = max(older, newer)
    if at > head.session.version:
        now = head.session.version
        raise ProblemError("version-unknown", f"The session is at version {now}.", version=now)
    before, after = (table_at(app, head, viewer, version) for version in (older, newer))
    return changes(Picture(after, names_for(app, head.session, viewer), before))
