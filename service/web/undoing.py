"""Before a rewind: the turns that it undoes or brings back, what it changes on the table, and the form that does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, Response, request
from msgspec import UNSET

from domain.decider import Refused
from domain.session.decider import decide
from domain.session.lineage import Span, beyond
from domain.session.messages import Rewind
from domain.session.state import Session
from domain.session.turns import Head
from domain.visibility import Viewer
from service.http import auth, models
from service.http.errors import ProblemError, body_errors
from service.http.presenters import rewinds, visible_events
from service.http.routes.feed import table_at
from service.http.routes.sessions import names_for
from service.sessions.app import App
from service.web import changed
from service.web.drawing import page
from service.web.fields import number
from service.web.forms import fresh_key
from service.web.picture import Picture
from service.web.playing import UNTRIED, Tried
from service.web.refusals import no_of
from service.web.saying import No

MOST = 200  # events of each kind that are listed

blueprint = Blueprint("Undoing", __name__)


class Turns(NamedTuple):
    """Turns with their events, newest first; `more` events of the same kind are not listed."""

    turns: list[tuple[int, list[models.Event]]]
    more: int


class Both(Picture):
    """What is gone from the table has its name still."""

    def has(self, kind: str, name: str) -> bool:
        return super().has(kind, name) or name in (self.before or {}).get(kind, {})

    def name(self, name: str) -> str:
        entity = (self.before or {}).get("entities", {}).get(name)
        return (
            str(entity["name"])
            if entity and not super().has("entities", name)
            else super().name(name)
        )


@blueprint.get("/s/<session:session>/rewind")
def rewind(session: str) -> Response:
    """The preview of a rewind to version `to`."""
    head, viewer = auth.session_for_viewer(session)
    return shown(head, viewer, number(request.args.get("to", "")))


def shown(
    head: Head, viewer: Viewer, to: int | str, status: int = 200, tried: Tried = UNTRIED
) -> Response:
    """The page; of a version that is none Problem("malformed"), of one that is not there yet ("version-unknown")."""
    app, state = auth.services().app, head.session
    if viewer.seat is UNSET:
        raise ProblemError("token-missing", "Send `Authorization: Bearer <token>`.")
    if not isinstance(to, int) or to < 1:
        raise ProblemError(
            "malformed",
            "See errors, field by field.",
            errors=body_errors({"to": ["A version of the session."]}),
        )
    if to > state.version:
        raise ProblemError(
            "version-unknown", f"The session is at version {state.version}.", version=state.version
        )
    rewound = rewinds(app, state)
    return page(
        "rewind.html",
        status,
        session=state.id,
        version=state.version,
        to=to,
        key=fresh_key(),
        tried=tried,
        no=_no(app, state, viewer, to),
        undone=_turns(app, state, viewer, beyond(rewound, state.version, to)),
        back=_turns(app, state, viewer, beyond(rewound, to, state.version)),
        changes=changed.changes(_picture(app, head, viewer, to)),
    )


def _no(app: App, state: Session, viewer: Viewer, to: int) -> No | None:
    """Why the rules would not let this seat do it."""
    try:
        decide(state, Rewind(to, "x"), state.by(str(viewer.seat)), app.log.history(state.id))
    except Refused as no:
        return no_of(state.ruleset, no.rule, no.facts, names_for(app, state, viewer))
    return None


def _turns(app: App, state: Session, viewer: Viewer, left: Sequence[Span]) -> Turns:
    """What led to one version and did not lead to the other, without what no rewind undoes."""
    listed = list(_newest(left))
    events = [
        event
        for first, last in listed[::-1]
        for _, event in visible_events(app, state, viewer, first - 1, last - first + 1)
    ]
    turns = [
        (turn, list(members))
        for turn, members in groupby(reversed(_of_table(events)), lambda each: each.turn)
    ]
    return Turns([(turn, members[::-1]) for turn, members in turns], _size(left) - _size(listed))


def _newest(left: Sequence[Span]) -> Iterator[Span]:
    """The last spans, with MOST versions in all."""
    ruleset = MOST
    for first, last in reversed(left):
        if ruleset > 0:
            yield max(first, last - ruleset + 1), last
            ruleset -= last - first + 1


def _size(spans: Sequence[Span]) -> int:
    return sum(last - first + 1 for first, last in spans)


def _of_table(events: Sequence[models.Event]) -> list[models.Event]:
    """Those whose turns changed the table, or may have: what seats and words left goes on."""
    wishes = {
        event.turn for event in events if event.sealed or not str(event.kind).startswith("session.")
    }
    return [event for event in events if event.turn in wishes]


def _picture(app: App, head: Head, viewer: Viewer, to: int) -> Both:
    """The table as it will be, beside the table as it is."""
    state = head.session
    now, then = (table_at(app, head, viewer, version) for version in (state.version, to))
    return Both(then, names_for(app, state, viewer), now)
