"""Session routes: open, fork, list and read sessions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from flask import Response, url_for
from msgspec import UNSET
from msgspec.json import Decoder
from msgspec.structs import astuple

from domain.decider import Role
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import RecordedEvent
from domain.rulesets import RULESETS
from domain.session import rolls
from domain.session.descriptions import names
from domain.session.display_names import display_names
from domain.session.messages import NEWEST_FORMAT, Fork, Open, TakeSeat
from domain.session.state import Session
from domain.session.turns import Head
from domain.table import Table
from domain.visibility import PUBLIC_VIEWER, Viewer, can_see_session, visible_session
from projections.sessions import SeatEntry, SessionEntry, seat_entries as stored_seats
from projections.tables import PublicTable as StoredTable
from service.http import auth, models
from service.http.conditional import expected_versions
from service.http.openapi import Blueprint
from service.http.presenters import iso_time, read_models_optional
from service.http.request_headers import idempotency_key, note_replay, request_identity
from service.http.responses import json_response
from service.sessions import seat_colours
from service.sessions.access import Holder
from service.sessions.app import App
from service.sessions.command_handler import handle, open_session
from service.sessions.forks import fork_opening
from service.sessions.idempotency import CommandResult, RequestIdentity
from service.sessions.seat_colours import Colour
from service.store.errors import UnknownSessionError
from service.store.recorder import SideRows

blueprint = Blueprint("Sessions", __name__, tag="Sessions")


_read_table = Decoder(Table).decode
OPENING = "open:"  # the idempotency key's scope; it cannot be the seat, which the body chooses


class NewSession(NamedTuple):
    """A session that a request opens, with the command that seats its GM, and the GM's token.

    `side_rows` are stored in the same transaction as the session's first events.
    """

    id: str
    title: str
    gm: TakeSeat
    token: str
    side_rows: SideRows = ()

    @property
    def origin(self) -> str:
        return f"{auth.services().app.settings.origin}/sessions/{self.id}"

    @property
    def log_key(self) -> str:
        return vkey_text(Vkey(self.origin, ED25519, auth.services().app.keys.log.public))

    @property
    def rows(self) -> SideRows:
        grant = auth.services().access.grant(self.id, self.gm.seat, self.token)
        return [grant, *self.side_rows]

    def ticket(self, version: int) -> models.Ticket:
        """Return the GM's ticket for the session, which is at `version`."""
        return models.Ticket(
            self.id, self.gm.seat, Role.GM, self.token, version, self.log_key, self.origin
        )


@blueprint.operation(
    "openSession",
    "POST",
    "/v1/sessions",
    body=models.OpenRequest,
    returns=models.Ticket,
    status=201,
    token="none",
    keyed=True,
    problems=["opening-key-required"],
    sends=["ETag", "Location"],
)
def open_(body: models.OpenRequest) -> Response:
    """Open a session.

    You become its GM. The response contains your token, which is not shown again. If you send a
    random Idempotency-Key, you can safely repeat the request. Some servers require a key to open a
    session. Send it as `Authorization: Bearer <key>`.
    """
    ticket, head = create_session(body)
    response = json_response(ticket, 201, version=head)
    response.headers["Location"] = url_for("Sessions.session", session=ticket.session)
    return response


def create_session(body: models.OpenRequest) -> tuple[models.Ticket, int]:
    """Open a session. Return the GM's ticket and the new session's version.

    Raises Refused, KeyReusedError or ProblemError.
    """
    auth.require_opening_key()
    access = auth.services().access
    session = access.session_id(idempotency_key())
    token = access.token(session, OPENING, idempotency_key())
    chosen = []
    if body.colour is not UNSET:
        chosen = [seat_colours.choice(session, body.seat, body.colour)]
    new = NewSession(session, body.title, TakeSeat(body.seat, Role.GM, body.name), token, chosen)
    answer = open_new(new, body, request_identity(body.seat, OPENING))
    if answer.repeated:
        note_replay()
    return new.ticket(answer.last), answer.session.version


def open_new(new: NewSession, body: models.OpenRequest, request: RequestIdentity) -> CommandResult:
    """Open the new session with the ruleset that `body` names.

    Raises the same exceptions as `open_session`.
    """
    opening = Open(
        body.ruleset,
        _edition(body),
        new.title,
        body.options,
        new.log_key,
        draws=body.draws,
        log_format=NEWEST_FORMAT,
        extensions=(rolls.NAME,) if body.free_rolls else UNSET,
    )
    return open_session(auth.services().app, new.id, opening, new.gm, request, new.rows)


def _edition(body: models.OpenRequest) -> str:
    if body.edition is not UNSET:
        return body.edition
    return next(ruleset.edition for ruleset in reversed(RULESETS) if ruleset.name == body.ruleset)


@blueprint.operation(
    "listSessions",
    "GET",
    "/v1/sessions",
    query=models.PageQuery,
    returns=models.SessionList,
    token="optional",
)
def sessions(query: models.PageQuery) -> Response:
    """List sessions.

    The list contains every session with the option `listed` and the session that your token belongs
    to, newest first. Each entry describes the session as of `version`, which may be slightly out of
    date.
    """
    app, holder = auth.services().app, auth.holder()
    limit = min(query.limit, app.settings.page)
    found = session_lines(app, holder, query.after, limit)
    response = json_response(found)
    if found.next is not UNSET:
        response.headers["Link"] = (
            f'<{url_for("Sessions.sessions", after=found.next, limit=limit)}>; rel="next"'
        )
    return response


def session_lines(app: App, holder: Holder | None, after: int, limit: int) -> models.SessionList:
    """Return a page of the session list, newest first.

    Listed sessions come from the read models, and the holder's own session comes from the log. If
    `after` is not 0, the page contains only sessions numbered below `after`.
    """
    entries, tables = list[SessionEntry](), dict[str, StoredTable]()
    with read_models_optional():
        entries = app.read_models.sessions.page(after, limit + 1)
        tables = app.read_models.tables.of([entry.session for entry in entries])
    colours = seat_colours.chosen(app.recorder, [entry.session for entry in entries])
    newest = app.log.read_at({entry.session: entry.version for entry in entries})
    if not entries:
        app.log.end()  # raises if the log cannot be read: an empty list would be wrong
    found = {
        entry.number: _listed_line(
            app,
            entry,
            newest.get(entry.session),
            tables.get(entry.session),
            colours[entry.session],
        )
        for entry in entries
    }
    if holder:
        number = app.log.opening(holder.session)
        if not after or number < after:
            found[number] = _line(app, holder.session, Viewer(holder.seat))
    numbers = sorted(found, reverse=True)
    lines = [line for number in numbers[:limit] if (line := found[number])]
    return models.SessionList(lines, numbers[limit - 1] if len(numbers) > limit else UNSET)


@blueprint.operation(
    "getSession",
    "GET",
    "/v1/sessions/<session:session>",
    query=models.VersionQuery,
    returns=models.SessionView,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def session(session: str, query: models.VersionQuery) -> Response:
    """Read a session.

    The response contains the session's seats, names and table, as of version `at` or the newest
    version.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    state = head.session if query.version is UNSET else head_at(app, head, query.version)
    colours = seat_colours.chosen(app.recorder, [session])[session]
    return json_response(
        _to_response(
            app,
            visible_session(state, viewer, app.log.history(session)),
            viewer,
            colours,
            public=visible_session(state, PUBLIC_VIEWER, app.log.history(session)),
        ),
        version=state.version,
        variant=seat_colours.tag(colours),
    )


def head_at(app: App, head: Head, version: int) -> Session:
    """Return the session as of `version`.

    Raises UnknownSessionError if the session has not reached that version.
    """
    if version > head.session.version:
        raise UnknownSessionError(head.session.id, version)
    return head.session if version == head.session.version else app.log.at(head.session.id, version)


def names_for(app: App, session: Session, viewer: Viewer) -> dict[str, str]:
    """Return the names of the seats and entities that the viewer may see.

    Entities are keyed by id, and seats by `@` followed by the seat's id.
    """
    return names(visible_session(session, viewer, app.log.history(session.id)))


def seats_of(
    session: Session, colours: Mapping[str, Colour] | None = None
) -> dict[str, models.SeatView]:
    """Return the session's seats, with the colours that they have chosen."""
    return _seat_views(stored_seats(session), colours or {})


def _seat_views(
    seats: Mapping[str, SeatEntry], colours: Mapping[str, Colour]
) -> dict[str, models.SeatView]:
    shown = display_names(seats)
    return {
        seat: models.SeatView(
            held.role,
            held.present,
            shown.get(seat, UNSET),
            held.away,
            held.public_key,
            UNSET if held.chain is UNSET else models.ChainView(*astuple(held.chain)),
            colours.get(seat, UNSET),
        )
        for seat, held in seats.items()
    }


def _listed_line(
    app: App,
    entry: SessionEntry,
    newest: RecordedEvent | None,
    stored: StoredTable | None,
    colours: Mapping[str, Colour],
) -> models.SessionLine | None:
    """Return the list entry for a listed session, whose event at the entry's version is `newest`.

    `newest` is None if the log no longer has the session, because its deletion was interrupted.

    If the read models are at different versions, the entry is read from the log instead.
    """
    if stored is None or stored.version != entry.version:
        try:
            return _line(app, entry.session, PUBLIC_VIEWER)
        except UnknownSessionError:  # it has just been deleted
            return None
    return models.SessionLine(
        entry.session,
        entry.title,
        entry.ruleset,
        entry.edition,
        entry.version,
        iso_time(entry.opened_at),
        entry.closed,
        entry.listed,
        _seat_views(entry.seats, colours),
        _read_table(stored.table),
        at=iso_time(newest.at) if newest else UNSET,
        turn=newest.turn if newest else UNSET,
    )


def _line(app: App, session: str, viewer: Viewer) -> models.SessionLine | None:
    """Return a session's list entry, or None if the viewer may not see the session.

    The entry describes the session's newest version.
    """
    now = app.log.read(session).session
    if not can_see_session(now, viewer):
        return None
    info, visible = now.info, visible_session(now, viewer, app.log.history(session))
    return models.SessionLine(
        session,
        info.title,
        info.ruleset,
        info.edition,
        now.version,
        _time(app, session, 1),
        info.closed,
        info.options.get("listed") is True,
        seats_of(now, seat_colours.chosen(app.recorder, [session])[session]),
        visible.ruleset.show(visible.table),
        at=_time(app, session, now.version),
        turn=now.turn,
    )


def _to_response(
    app: App, state: Session, viewer: Viewer, colours: Mapping[str, Colour], public: Session
) -> models.SessionView:
    """Return the session as the viewer sees it. `public` is what everyone sees of it."""
    info, table = state.info, state.ruleset.show(state.table)
    is_same = public.table is state.table
    known = table.entities if is_same else state.ruleset.show(public.table).entities
    return models.SessionView(
        state.id,
        info.title,
        info.ruleset,
        info.edition,
        state.version,
        _time(app, state.id, state.version),
        state.turn,
        info.closed,
        dict(sorted(info.options.items())),
        seats_of(state, colours),
        names(state),
        table,
        state.k,
        info.log_format,
        info.draws,
        viewer.seat if viewer.through is UNSET else viewer.through,
        tuple(entity for entity in table.entities if entity not in known),
    )


def _time(app: App, session: str, version: int) -> str:
    return iso_time(app.log.read_events(session, version - 1, version)[0].at)


@blueprint.operation(
    "forkSession",
    "POST",
    "/v1/sessions/<session:session>/forks",
    body=models.ForkRequest,
    returns=models.Ticket,
    status=201,
    keyed=True,
    matched=True,
    sends=["Location"],
)
def fork(session: str, body: models.ForkRequest) -> Response:
    """Fork a session.

    The new session starts with this session's table as of `version`. Both logs record the fork. You
    become the GM of the new session. The response contains your token for it, which is not shown
    again.
    """
    ticket = create_fork(session, auth.require_seat(session), body)
    response = json_response(ticket, 201, version=ticket.version)
    response.headers["Location"] = url_for("Sessions.session", session=ticket.session)
    return response


def create_fork(session: str, seat: str, body: models.ForkRequest) -> models.Ticket:
    """Fork a session for a seat. Return the ticket for the new session's GM.

    Raises the same exceptions as `handle`.
    """
    auth.count_session()
    app, access = auth.services().app, auth.services().access
    under = f"fork:{session}:{seat}"
    child, token = (
        access.fork_id(under, idempotency_key()),
        access.token(session, under, idempotency_key()),
    )
    title = app.log.read(session).session.info.title if body.title is UNSET else body.title
    new = NewSession(child, title, TakeSeat(body.seat, Role.GM, body.name), token)
    answer = fork_new(new, Fork(child, body.version), session, seat, expected_versions())
    if answer.repeated:
        note_replay()
    return new.ticket(app.log.read(child).session.version)


def fork_new(
    new: NewSession,
    fork: Fork,
    parent: str,
    seat: str,
    expected: Collection[int] | None = None,
) -> CommandResult:
    """Let a seat of the parent session fork it, so that the new session continues from it.

    Raises the same exceptions as `handle`.
    """
    app = auth.services().app
    opening = fork_opening(app, fork, new.gm, new.title, new.log_key)
    colours = seat_colours.carried(app.recorder, parent, seat, fork.child, new.gm.seat)
    rows = [*new.rows, *colours]
    return handle(app, parent, fork, request_identity(seat), expected, rows, opening)
