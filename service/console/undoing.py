"""Before a rewind: the turns that it undoes or brings back, what it changes on the table, and the form that does it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, Response, request
from msgspec import UNSET

from domain.decider import Refused
from domain.session.decider import decide
from domain.session.draws import Head
from domain.session.lineage import Span, lineage, within
from domain.session.messages import Rewind
from domain.session.state import Session
from domain.view import Viewer
from service.bootstrap import App
from service.console import changed
from service.console.door import reader
from service.console.drawing import page
from service.console.forms import fresh_key
from service.console.inputs import number
from service.console.picture import Picture
from service.console.playing import UNTRIED, Tried
from service.console.refusals import No, no_of
from service.http import auth
from service.http.events import rewinds, told
from service.http.feed import table_at
from service.http.problems import Problem
from service.http.sessions import names_for
from service.http.shown import Event

MOST = 200  # events of each kind that are listed

blueprint = Blueprint("Undoing", __name__)


class Turns(NamedTuple):
    """Turns with their events, newest first; `more` events of the same kind are not listed."""

    turns: list[tuple[int, list[Event]]]
    more: int


class Both(Picture):
    """What is gone from the table has its name still."""

    def has(self, kind: str, name: str) -> bool:
        return super().has(kind, name) or name in (self.before or {}).get(kind, {})

    def name(self, name: str) -> str:
        entity = (self.before or {}).get("entities", {}).get(name)
        return str(entity["name"]) if entity and not super().has("entities", name) else super().name(name)


@blueprint.get("/s/<session:session>/rewind")
def rewind(session: str) -> Response:
    """The preview of a rewind to version `to`."""
    head, viewer = auth.viewed_by(reader(), session)
    return shown(head, viewer, number(request.args.get("to", "")))


def shown(head: Head, viewer: Viewer, to: int | str, status: int = 200, tried: Tried = UNTRIED) -> Response:
    """The page; of a version that is none Problem("malformed"), of one that is not there yet ("version-ahead")."""
    app, state = auth.edge().app, head.session
    if viewer.seat is UNSET:
        raise Problem("token-missing", "Send `Authorization: Bearer <token>`.")
    if not isinstance(to, int) or to < 1:
        raise Problem("malformed", "See errors, field by field.", errors={"to": ["A version of the session."]})
    if to > state.version:
        raise Problem("version-ahead", f"The session is at version {state.version}.", version=state.version)
    now, then = lineage(rewinds(app, state), state.version), lineage(rewinds(app, state), to)
    return page(
        "rewind.html", status, session=state.id, version=state.version, to=to, key=fresh_key(), tried=tried,
        no=_no(app, state, viewer, to), undone=_turns(app, state, viewer, now, then),
        back=_turns(app, state, viewer, then, now), changes=changed.changes(_picture(app, head, viewer, to)),
    )  # fmt: skip


def _no(app: App, state: Session, viewer: Viewer, to: int) -> No | None:
    """Why the rules would not let this seat do it."""
    try:
        decide(state, Rewind(to, "x"), state.by(str(viewer.seat)), app.log.past(state.id))
    except Refused as no:
        return no_of(state.room, no.rule, no.facts, names_for(app, state, viewer))
    return None


def _turns(app: App, state: Session, viewer: Viewer, here: Sequence[Span], there: Sequence[Span]) -> Turns:
    """What led to one version and did not lead to the other, without what no rewind undoes."""
    versions = [
        version for first, last in here for version in range(first, last + 1) if not within(tuple(there), version)
    ]
    if not versions:
        return Turns([], 0)
    listed = set(versions[-MOST:])
    after = min(listed) - 1
    events = [event for _, event in told(app, state, viewer, after, max(listed) - after) if event.version in listed]
    turns = [(turn, list(members)) for turn, members in groupby(reversed(_of_table(events)), lambda each: each.turn)]
    return Turns([(turn, members[::-1]) for turn, members in turns], len(versions) - len(listed))


def _of_table(events: Sequence[Event]) -> list[Event]:
    """Those whose turns changed the table, or may have: what seats and words left goes on."""
    wishes = {event.turn for event in events if event.sealed or not str(event.kind).startswith("session.")}
    return [event for event in events if event.turn in wishes]


def _picture(app: App, head: Head, viewer: Viewer, to: int) -> Both:
    """The table as it will be, beside the table as it is."""
    state = head.session
    now, then = (table_at(app, head, viewer, version) for version in (state.version, to))
    return Both(then, names_for(app, state, viewer), now)
