"""Sessions: opening one, the list of those that a viewer may see, and one of them at any version."""

from __future__ import annotations

from flask import Response, url_for
from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.proof.note import ED25519, Vkey, vkey_text
from domain.rulesets import RULESETS
from domain.session.draws import Head
from domain.session.messages import Open, TakeSeat
from domain.session.state import Session
from domain.session.telling import names
from domain.view import NOBODY, Viewer, may_see, seen
from projections.sessions import Entry
from service.access import Holder
from service.bootstrap import App
from service.gamelog import Unknown
from service.handle import open_session
from service.http import auth, guard
from service.http.answering import json
from service.http.asking import asked, key
from service.http.events import iso, without_views
from service.http.given import Moment, Opening, Page
from service.http.openapi import Blueprint
from service.http.shown import ChainShown, Line, Lines, SeatShown, SessionShown, Ticket

OPENING = "open:"  # whom the answer is kept under: no seat, which the body would choose

blueprint = Blueprint("Sessions", __name__, description="Evenings: one session is one log.")


@blueprint.operation(
    "POST",
    "/v1/sessions",
    body=Opening,
    gives=Ticket,
    status=201,
    token="none",
    keyed=True,
    problems=["opening-key"],
)
def open_(body: Opening) -> Response:
    """Open a session

    Whoever opens it is its GM; the answer holds the GM's token, this once. Take a random Idempotency-Key: who knows it
    can repeat the opening. A server may ask for its key, `Authorization: Bearer <key>`.
    """
    ticket, head = opened(body)
    response = json(ticket, 201, version=head)
    response.headers["Location"] = url_for("Sessions.session", session=ticket.session)
    return response


def opened(body: Opening) -> tuple[Ticket, int]:
    """The seat of whoever opens a session, and the session's version now. Raises Refused, KeyReused."""
    guard.may_open()
    app, access, request = auth.edge().app, auth.edge().access, asked(body.seat, OPENING)
    session = access.session_id(key())
    origin = f"{app.settings.origin}/sessions/{session}"
    log_key = vkey_text(Vkey(origin, ED25519, app.keys.log.public))
    opening = Open(
        body.ruleset, _edition(body), body.title, body.options, log_key, draws=body.draws
    )
    gm = TakeSeat(body.seat, Role.GM, body.name)
    token = access.token(session, OPENING, key())
    answer = open_session(
        app, session, opening, gm, request, [access.grant(session, body.seat, token)]
    )
    return Ticket(
        session, body.seat, Role.GM, token, answer.last, log_key, origin
    ), answer.session.version


def _edition(body: Opening) -> str:
    """The edition asked for, or the newest of the ruleset."""
    if body.edition is not UNSET:
        return body.edition
    return next(room.edition for room in reversed(RULESETS) if room.name == body.ruleset)


@blueprint.operation("GET", "/v1/sessions", query=Page, gives=Lines, token="optional")
def sessions(query: Page) -> Response:
    """List sessions

    The one of your token and all that were opened as listed, newest first.
    """
    app, holder = auth.edge().app, auth.holder()
    limit = min(query.limit, app.settings.page)
    found = lines(app, holder, query.after, limit)
    response = json(found)
    if found.next is not UNSET:
        response.headers["Link"] = (
            f'<{url_for("Sessions.sessions", after=found.next, limit=limit)}>; rel="next"'
        )
    return response


def lines(app: App, holder: Holder | None, after: int, limit: int) -> Lines:
    """The listed sessions and the holder's own behind number `after`, newest first."""
    candidates = _candidates(app, holder, after, limit + 1)
    seen = [
        line
        for number, session in candidates[:limit]
        if (line := _line(app, number, session, holder))
    ]
    return Lines(seen, candidates[limit - 1][0] if len(candidates) > limit else UNSET)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>",
    query=Moment,
    gives=SessionShown,
    token="optional",
    problems=["refused"],
)
def session(session: str, query: Moment) -> Response:
    """Read a session

    Its seats, its names and its table, now or as of version `at`.
    """
    app = auth.edge().app
    head, viewer = auth.viewed(session, query.through)
    state = head.session if query.at is UNSET else past(app, head, query.at)
    return json(_shown(app, seen(state, viewer, app.log.history(session))), version=state.version)


def past(app: App, head: Head, version: int) -> Session:
    """The session at a version that it has reached. Raises Unknown."""
    if version > head.session.version:
        raise Unknown(head.session.id, version)
    return head.session if version == head.session.version else app.log.at(head.session.id, version)


def names_for(app: App, session: Session, viewer: Viewer) -> dict[str, str]:
    """The names of the seats, under @, and of the entities, as the viewer sees them."""
    return names(seen(session, viewer, app.log.history(session.id)))


def seats_of(session: Session) -> dict[str, SeatShown]:
    return {
        seat: SeatShown(
            held.role, held.present, held.name, held.away, held.public_key, _chain(session, seat)
        )
        for seat, held in session.frame.seats.items()
    }


def _chain(session: Session, seat: str) -> ChainShown | UnsetType:
    """The chain that the seat has in use, or that the house has."""
    held = session.chains.get(seat)
    return UNSET if held is None else ChainShown(held.number, held.length, held.position)


def _candidates(app: App, holder: Holder | None, after: int, limit: int) -> list[tuple[int, str]]:
    """(number, session) behind number `after`, newest first; the viewer's own even before the list has it."""
    found: list[Entry] = []
    held = [holder.session] if holder else []
    with without_views():
        found = app.views.sessions.page(after, limit, held)
    if not found:
        app.log.end()  # where nothing can be read, nobody says that there is nothing
    candidates = {entry.number: entry.session for entry in found}
    for mine in held:
        number = app.log.opening(mine)
        if not after or number < after:
            candidates[number] = mine
    return sorted(candidates.items(), reverse=True)[:limit]


def _line(app: App, number: int, session: str, holder: Holder | None) -> Line | None:
    """The session's line as of its head, None where the viewer may not see it."""
    now = app.log.read(session).session
    viewer = Viewer(holder.seat) if holder is not None and holder.session == session else NOBODY
    if not may_see(now, viewer):
        return None
    frame = now.frame
    return Line(
        session,
        frame.title,
        frame.ruleset,
        frame.edition,
        now.version,
        _time(app, session, 1),
        frame.closed,
        frame.options.get("listed") is True,
        seats_of(now),
    )


def _shown(app: App, state: Session) -> SessionShown:
    frame = state.frame
    return SessionShown(
        state.id,
        frame.title,
        frame.ruleset,
        frame.edition,
        state.version,
        _time(app, state.id, state.version),
        state.turn,
        frame.closed,
        dict(sorted(frame.options.items())),
        seats_of(state),
        names(state),
        state.room.show(state.table),
    )


def _time(app: App, session: str, version: int) -> str:
    return iso(app.log.facts(session, version - 1, version)[0].at)
