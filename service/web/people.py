"""Who sits at the table, and the forms by which people are invited, named, sent away and handed the GM's role."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, request, url_for
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import HandOver
from domain.session.turns import Head
from domain.visibility import Viewer
from service.http import auth, models, validation
from service.http.app import CONVERTERS
from service.http.errors import PROBLEMS, ProblemError, body_errors
from service.http.presenters import iso_time
from service.http.routes import invitations, seats
from service.http.routes.invitations import InvitationView
from service.web import forms, seat_cookie, seated
from service.web.drawing import go_to, page
from service.web.saying import said

LOCAL = ("127.0.0.1", "localhost", "::1")
Fields = dict[str, list[str]]
Act = Callable[[str, Fields], Response]

blueprint = Blueprint("People", __name__)


@blueprint.get("/s/<session:session>/people")
def people(session: str) -> Response:
    """The page."""
    return _page(session)


@blueprint.post("/s/<session:session>/people")
def change(session: str) -> Response:
    """One of the page's forms, by what it is to `act`: the API's own operation, and then the page anew."""
    fields, act = forms.sent(), request.form.get("act", "")
    if act not in ACTS:
        raise ProblemError(
            "malformed",
            "No such form.",
            errors=body_errors({"act": [f"One of: {', '.join(ACTS)}."]}),
        )
    try:
        return ACTS[act](session, fields)
    except Refused as no:
        return _page(session, PROBLEMS["refused"].status, act=act, fields=fields, refused=said(no))
    except ProblemError as no:
        if no.code != "malformed":
            raise
        return _page(
            session, PROBLEMS[no.code].status, act=act, fields=fields, errors=forms.wrong(no)
        )


def _invite(session: str, fields: Fields) -> Response:
    made = invitations.create_invitation(
        session, validation.read_query(models.InviteRequest, fields)
    )
    link = auth.services().app.settings.url.rstrip("/") or request.host_url.rstrip("/")
    is_local = urlsplit(link).hostname in LOCAL
    return _page(
        session, made=made, is_local=is_local, link=f"{link}{url_for('Join.offer', code=made.code)}"
    )


def _withdraw(session: str, fields: Fields) -> Response:
    invitations.withdraw(session, _first(fields, "invitation"))
    return _back(session)


def _name(session: str, fields: Fields) -> Response:
    seat = _first(fields, "seat")
    seats.name(session, seat, validation.read_query(models.NameRequest, _without(fields, "seat")))
    return _back(session)


def _hand_over(session: str, fields: Fields) -> Response:
    seats.hand_over(session, validation.read_query(HandOver, fields))
    return _back(session)


def _presence(session: str, fields: Fields) -> Response:
    seats.presence(
        session,
        _first(fields, "seat"),
        validation.read_query(models.PresenceRequest, _without(fields, "seat")),
    )
    return _back(session)


def _leave(session: str, fields: Fields) -> Response:
    """Of one's own seat the browser forgets the token too."""
    seat, mine = _first(fields, "seat"), auth.require_seat(session)
    seats.leave(session, seat, validation.read_query(models.LeaveQuery, _without(fields, "seat")))
    if seat != mine:
        return _back(session)
    response = go_to(url_for("Home.home"))
    seat_cookie.delete(response, session)
    return response


ACTS: dict[str, Act] = {
    "invite": _invite,
    "withdraw": _withdraw,
    "name": _name,
    "hand-over": _hand_over,
    "presence": _presence,
    "leave": _leave,
}


def _first(fields: Fields, name: str) -> str:
    """A field that stands in the API's address. Problem("malformed") where the form's cannot be one."""
    value = " ".join(fields.get(name, ()))
    if not re.fullmatch(CONVERTERS[name], value):
        raise ProblemError(
            "malformed",
            "See errors, field by field.",
            errors=body_errors({name: ["There is no such one."]}),
        )
    return value


def _without(fields: Fields, name: str) -> Fields:
    return {each: values for each, values in fields.items() if each != name}


def _back(session: str) -> Response:
    return go_to(url_for("People.people", session=session))


def _page(session: str, status: int = 200, **more: Any) -> Response:
    """The page with what came of a form: what is `made`, or `refused` or wrong in the form of `act`."""
    head, viewer = auth.session_for_viewer(session)
    shown: dict[str, Any] = {
        "act": "",
        "fields": {},
        "refused": None,
        "errors": {},
        "made": None,
        "link": "",
        "is_local": False,
        "key": forms.fresh_key(),
    }
    shown |= _shown(head, viewer) | more
    return page("people.html", status, placed=_is_placed(shown), **shown)


def _is_placed(shown: dict[str, Any]) -> bool:
    """Whether the form that was refused stands on the page, so that the words stand in it."""
    seat = " ".join(shown["fields"].get("seat", ()))
    match shown["act"]:
        case "invite":
            return bool(shown["is_gm"])
        case "hand-over":
            return bool(shown["heirs"])
        case "name" | "presence" | "leave":
            on_page = {
                each.seat
                for each in shown["seats"]
                if each.may and (each.is_there or shown["act"] == "name")
            }
            return seat in on_page and bool(shown["is_gm"] or seat == shown["mine"])
    return False


def _shown(head: Head, viewer: Viewer) -> dict[str, Any]:
    state = head.session
    mine = "" if viewer.seat is UNSET else viewer.seat
    is_gm = bool(mine) and state.by(mine).is_gm
    return {
        "session": state.id,
        "title": state.info.title,
        "closed": state.info.closed,
        "is_gm": is_gm,
        "mine": mine,
        "table": state.info.draws == "table",
        "seats": seated.seats(state, mine),
        "data": seated.data(state, mine),
        "heirs": seated.heirs(state) if is_gm else {},
        "invitations": _open(state.id) if is_gm else [],
    }


def _open(session: str) -> list[InvitationView]:
    found = auth.services().access.invitations(session)
    return [
        InvitationView(each.id, each.role, each.uses, iso_time(each.expires), each.seat)
        for each in found
    ]
