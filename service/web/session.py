"""The page of a session: its table at a version, the log up to there, the event that led there, ways to go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, url_for
from markupsafe import Markup
from msgspec import UNSET

from domain.decider import Role
from domain.session.state import HOUSE, Session
from domain.session.turns import Head
from domain.visibility import Viewer
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.presenters import iso_time, rewinds
from service.http.routes.feed import table_at
from service.http.routes.review import EventDetail, event_detail
from service.http.routes.sessions import names_for, seats_of
from service.sessions.pending_draws import contributions
from service.sessions.turns import deadline
from service.web import changed, log
from service.web.drawing import page
from service.web.hints import hint_of
from service.web.looking import Looked, address, called, named, queried, watched
from service.web.picture import Picture
from service.web.playing import UNTRIED, Tried, acting
from service.web.steps import steps

AROUND = 12  # events whose bodies a hint is made from

blueprint = Blueprint("Session", __name__)


class Moment(NamedTuple):
    """What is shown of a session at a version, as the viewer sees it."""

    head: Head
    viewer: Viewer
    asked: Looked
    at: int
    names: Mapping[str, str]
    table: dict[str, Any]
    before: dict[str, Any]
    around: list[models.Event]  # the last ones up to `at`, in order
    found: log.Found
    detail: EventDetail | None

    @property
    def session(self) -> Session:
        return self.head.session


@blueprint.get("/s/<session:session>")
def session(session: str) -> Response:
    """The page as of `at`, or as of now."""
    asked = queried(Looked)
    return drawn(*auth.session_for_viewer(session, asked.through), asked)


def drawn(
    head: Head, viewer: Viewer, asked: Looked, status: int = 200, tried: Tried = UNTRIED
) -> Response:
    """The page as it is asked for; `tried` is what a form of it was sent with and did not do."""
    now = _moment(head, viewer, asked)
    doing = acting(auth.services().app, now.session, viewer, asked, now.names, tried)
    return page("session.html", status, data=_data(now), acting=doing, **_shown(now))


def _moment(head: Head, viewer: Viewer, asked: Looked) -> Moment:
    app, state = auth.services().app, head.session
    at = asked.version(state.version)
    if at > state.version:
        raise ProblemError(
            "version-unknown", f"The session is at version {state.version}.", version=state.version
        )
    return Moment(
        head,
        viewer,
        asked,
        at,
        names_for(app, state, viewer),
        table_at(app, head, viewer, at),
        table_at(app, head, viewer, max(0, at - 1)),
        log.newest(app, state, viewer, at, AROUND)[::-1],
        log.found(app, state, viewer, asked),
        event_detail(app, state, viewer, at) if at else None,
    )


def _shown(now: Moment) -> dict[str, Any]:
    """What the template draws."""
    state, viewer = now.session, now.viewer
    hint = hint_of([_plain(event) for event in now.around], now.table)
    picture = Picture(now.table, now.names, now.before if now.at else None, hint)
    seat = "" if viewer.seat is UNSET else viewer.seat
    body = _plain(now.detail.event).get("body", {}) if now.detail else {}
    return {
        "session": state.id,
        "info": state.info,
        "game": state.ruleset.title,
        "version": state.version,
        "at": now.at,
        "live": now.asked.at is UNSET,
        "asked": now.asked,
        "shown": picture,
        "found": now.found,
        "detail": now.detail,
        "fields": changed.fields(body),
        "changes": changed.changes(picture),
        "grades": changed.GRADES,
        "steps": steps(auth.services().app.log, state, now.at),
        "seat": seat,
        "seated": named(state, seat) if seat else "",
        "through": named(state, viewer.through) if viewer.through else "",
        "watched": watched(state, viewer),
        "seats": called(state, now.names),
        "waiting": _waiting(state, now),
        "iso": iso_time,
        "no_rewind": _no_rewind(state, viewer),
        "to": lambda **other: address(state.id, now.asked, **other),
    }


def _no_rewind(state: Session, viewer: Viewer) -> str:
    """Why the viewer cannot rewind; empty where it can."""
    if state.info.closed:
        return "The evening is closed."
    rewinds = viewer.seat is not UNSET and state.info.seats[viewer.seat].role is Role.GM
    return "" if rewinds else "The GM rewinds."


def _plain(event: models.Event) -> dict[str, Any]:
    """As the API says it."""
    said: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return said


def _name(now: Moment, seat: str) -> str:
    return now.names.get(f"@{seat}", seat)


def _waiting(state: Session, now: Moment) -> str:
    """The draw that waits, in words; empty where none does."""
    if state.pending is None:
        return ""
    gave = {HOUSE, *(given.seat for given in contributions(auth.services().app, state))}
    missing = [_name(now, seat) for seat, _, _ in state.pending.contributors if seat not in gave]
    until = iso_time(deadline(state))[11:16]
    return f"Draw {state.pending.k} waits for {', '.join(missing) or 'the house'}, until {until} UTC at most."


def _data(now: Moment) -> Markup:
    """The page's data block. `<` is escaped, so that no text in it can end the block."""
    state, viewer, info = now.session, now.viewer, now.session.info
    said = {
        "session": state.id,
        "path": url_for("Sessions.session", session=state.id),
        "page": url_for("Session.session", session=state.id),
        "title": info.title,
        "schema": url_for("Rulesets.ruleset", ruleset=info.ruleset),
        "version": state.version,
        "at": None if now.asked.at is UNSET else now.at,
        "seat": viewer.seat or None,
        "role": info.seats[viewer.seat].role if viewer.seat else None,
        "as": viewer.through or None,
        "closed": info.closed,
        "draws": info.draws,
        "names": now.names,
        "seats": seats_of(state),
        "table": now.table,
        "before": now.before,
        "events": _events(now),
        "detail": now.detail,
        "rewinds": rewinds(auth.services().app, state),
        "filter": now.asked.filters,
        "upto": now.asked.upto or None,
    }
    written = msgspec.json.encode(said).decode().replace("<", "\\u003c")
    return Markup(written)  # noqa: S704 JSON without "<"


def _events(now: Moment) -> list[models.Event]:
    """Those in the log and those behind the picture, once each, in order."""
    return [
        event
        for _, event in sorted(
            {event.version: event for event in now.around + now.found.events}.items()
        )
    ]
