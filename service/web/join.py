"""An invitation as a page: what one joins and as whom, and the form that takes the seat. Looking does not use it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, request, url_for
from msgspec import UNSET

from domain.decider import Refused
from domain.rulesets import RULESETS
from domain.session.display_names import display_names
from domain.session.state import Session
from service.http import auth, models, validation
from service.http.errors import PROBLEMS, ProblemError
from service.http.presenters import iso_time
from service.http.routes import seats
from service.sessions.access import Invitation
from service.web import forms, seat_cookie
from service.web.drawing import go_to, page
from service.web.fields import number
from service.web.saying import said

CHAIN = ("public_key", "length", "anchor", "signature", "previous_link")
FIELDS = ("name", "seat")
MEANS = {
    "player": "You play: what your characters do is yours to say.",
    "spectator": "You look on. You see what everybody at the table sees, and command nothing.",
    "auditor": "You look at everything, secrets too, and command nothing. The GM sees what you have read.",
}

blueprint = Blueprint("Join", __name__)


@blueprint.get("/join")
def by_code() -> Response:
    """Where a code that was told or read aloud is typed in; the page of the invitation comes next."""
    code = request.args.get("code", "").strip()
    if not code:
        return page("join_code.html")
    last = code.rstrip("/").rpartition("#")[2].rpartition("/")[2]  # the whole link is as good
    return go_to(f"/join/{quote(last, safe='')}")


@blueprint.get("/join/<code:code>")
def offer(code: str) -> Response:
    """What the code is for."""
    return _page(code)


@blueprint.post("/join/<code:code>")
def take(code: str) -> Response:
    """Takes the seat: its token goes into a cookie of the session, and the browser to the table."""
    fields = {name: values[0] for name, values in forms.sent().items()}
    try:
        ticket, _ = seats.take_seat(_taking(code, fields))
    except Refused as no:
        return _page(
            code,
            PROBLEMS["refused"].status,
            refused=said(no),
            given=fields,
            owes=_owed_link(no, fields),
        )
    except ProblemError as no:
        if no.code == "not-found":
            return _page(code)
        if no.code != "malformed":
            raise
        return _page(code, PROBLEMS[no.code].status, errors=forms.wrong(no), given=fields)
    response = go_to(url_for("Session.session", session=ticket.session))
    seat_cookie.store(response, ticket.session, ticket.token)
    return response


def _taking(code: str, fields: dict[str, str]) -> models.TakeSeatRequest:
    """What the API takes. A seat with a key comes back with the chain that its browser has put beside the fields."""
    chain = {
        name: number(fields[name]) if name == "length" else fields[name]
        for name in CHAIN
        if name in fields
    }
    given: dict[str, Any] = {"code": code} | {
        name: fields[name] for name in FIELDS if name in fields
    }
    return validation.read_body(
        models.TakeSeatRequest, json.dumps(given | ({"chain": chain} if chain else {})).encode()
    )


def _owed_link(no: Refused, fields: dict[str, str]) -> str:
    """Return the chain and position of the link that the seat must reveal to come back, or "".

    The browser reveals a link once, so a second refusal is shown to the user.
    """
    if no.rule != "link-wrong" or "previous_link" in fields:
        return ""
    return f"{no.facts['chain']} {no.facts['position']}"


def _page(code: str, status: int = 200, **more: Any) -> Response:
    found = auth.services().access.invitation(code)
    if found is None:
        return page("join_spent.html", PROBLEMS["not-found"].status)
    state = auth.services().app.log.read(found.session).session
    shown = {"refused": None, "errors": {}, "given": {}, "owes": ""} | more
    return page(
        "join.html", status, code=code, key=forms.fresh_key(), offer=_offer(found, state), **shown
    )


def _offer(found: Invitation, state: Session) -> dict[str, Any]:
    """What the page says of it."""
    info, seat = state.info, "" if found.seat is UNSET else found.seat
    held = info.seats.get(seat)
    titles = {ruleset.name: ruleset.title for ruleset in RULESETS}
    return {
        "session": found.session,
        "title": info.title,
        "game": titles.get(info.ruleset, info.ruleset),
        "role": found.role.value,
        "means": MEANS.get(found.role.value, ""),
        "seat": seat,
        "uses": found.uses,
        "expires": iso_time(found.expires),
        "closed": info.closed,
        "table": info.draws == "table",
        "is_held": held is not None and held.present,
        "name": display_names(info.seats).get(seat, ""),
        "has_key": held is not None and held.public_key is not UNSET,
    }
