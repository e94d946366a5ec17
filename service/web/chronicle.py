"""The chronicle of a session as a page for paper: every told line by turn, with what was undone struck through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, Response
from msgspec import UNSET

from domain.session.descriptions import without_command
from domain.session.state import Session
from domain.visibility import Viewer
from service.http import auth, models
from service.http.presenters import visible_events
from service.http.routes.sessions import names_for
from service.sessions.app import App
from service.web.drawing import streamed
from service.web.looking import called, onlooker, queried

BATCH = 500  # events that are in memory at once

blueprint = Blueprint("Chronicle", __name__)


class Turn(NamedTuple):
    """The events of a turn; `day` where it is another than before, `again` where the turn goes on behind another.

    `grade` is that of its draw or physical dice, or "" without any.
    """

    turn: int
    who: str
    at: str
    day: bool
    again: bool
    grade: str
    events: Sequence[models.Event]


@blueprint.get("/s/<session:session>/print")
def chronicle(session: str) -> Response:
    """All of it, drawn while it is read."""
    query = queried(models.ViewerQuery)
    head, viewer = auth.session_for_viewer(session, query.through)
    state, app = head.session, auth.services().app
    seats = called(state, names_for(app, state, viewer))
    return streamed(
        "chronicle.html",
        session=state.id,
        title=state.info.title,
        game=state.ruleset.title,
        info=state.info,
        version=state.version,
        seats=seats,
        reader=onlooker(state, viewer),
        turns=turns(_events(app, state, viewer), seats),
    )


def _events(app: App, session: Session, viewer: Viewer) -> Iterator[models.Event]:
    for after in range(0, session.version, BATCH):
        for _, event in visible_events(
            app, session, viewer, after, min(BATCH, session.version - after)
        ):
            yield event


def turns(events: Iterator[models.Event], seats: dict[str, str]) -> Iterator[Turn]:
    """The events by turn; other turns can stand between the halves of one whose draw waited."""
    day, last = "", 0
    for turn, together in groupby(events, lambda event: event.turn):
        found = list(together)
        at = found[0].at
        yield Turn(
            turn,
            seats.get(found[0].seat, found[0].seat),
            at,
            at[:10] != day,
            turn <= last,
            next((event.grade for event in found if event.grade is not UNSET), ""),
            without_command(found, _kind),
        )
        day, last = at[:10], max(last, turn)


def _kind(event: models.Event) -> str:
    """Return the kind of an event, or "" if its line stays: it is sealed, or says that the turn is secret."""
    return "" if event.kind is UNSET or event.highlight == "secret" else event.kind
