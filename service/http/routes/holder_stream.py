"""The stream of notices for one person: what waits for that person in several sessions."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta

from domain.session.state import Session
from domain.table import Table
from domain.visibility import Viewer, visible_session
from projections.stores.errors import is_of_storage
from service.http import auth, models
from service.http.auth import ApiServices
from service.http.errors import ProblemError, log
from service.http.openapi import JSON, SSE, Blueprint
from service.http.routes.draws import DrawNotice
from service.http.routes.stream import (
    RETRY_MS,
    DrawNotices,
    StreamEnd,
    live_response,
    stream_end,
)
from service.http.validation import ref
from service.sessions.access import Holder
from service.sessions.live_streams import LiveStream
from service.store.errors import UnknownSessionError

MAX_SEATS = 32
OFFER_SECONDS = 2.0
"""Seconds between two looks for new invitations, because no log announces them."""
_TOKENS = re.compile(r"[A-Za-z0-9_-]{1,200}( *, *[A-Za-z0-9_-]{1,200})*")
TOKENS_HEADER = {
    "in": "header",
    "name": "Fairlog-Tokens",
    "schema": {"type": "string", "pattern": f"^{_TOKENS.pattern}$"},
    "description": f"Further tokens that you hold, separated by commas: up to {MAX_SEATS - 1}. The "
    "stream also sends the notices for their seats.",
}

blueprint = Blueprint("Notices", __name__, tag="Events")


class FollowedSeat(models.ResponseModel, frozen=True):
    """A seat whose notices the stream sends."""

    session: models.SessionId
    title: models.SessionTitle
    seat: models.OwnSeatId


class NoticesStart(models.ResponseModel, frozen=True):
    """The first message of the stream."""

    seats: Annotated[
        list[FollowedSeat],
        Meta(description="the seats of your tokens, whose notices the stream sends"),
    ]


class OwnTask(models.ResponseModel, frozen=True):
    """Something that the seat can do next."""

    label: Annotated[
        str, Meta(description="what the task is, such as check; `turn` in a turn order")
    ]
    waits: Annotated[
        str,
        Meta(
            description="what has to be done next; in a turn order, the id of the entity whose "
            "turn it is"
        ),
    ]


class YourTurn(models.ResponseModel, frozen=True):
    """It is the seat's turn, or there is a new task for it."""

    session: models.SessionId
    seat: models.OwnSeatId
    version: Annotated[
        int, Meta(description="the version of the session at which the tasks were waiting")
    ]
    tasks: Annotated[list[OwnTask], Meta(description="what waits for the seat")]


class DrawWaits(models.ResponseModel, frozen=True):
    """A draw waits for the seat's contribution."""

    session: models.SessionId
    seat: models.OwnSeatId
    draw: DrawNotice


class Invited(models.ResponseModel, frozen=True):
    """The GM invites the seat to a session that continues this one."""

    session: models.SessionId
    seat: models.OwnSeatId
    title: Annotated[str, Meta(description="the title of the new session")]
    new_session: Annotated[str, Meta(description="the id of the new session, 16 bytes in hex")]
    code: Annotated[str, Meta(description="the secret code with which you take the seat there")]
    url: Annotated[str, Meta(description="the URL of the page where you take the seat")]


class SeatRevoked(models.ResponseModel, frozen=True):
    """A token is no longer valid, so the stream sends no more notices for its seat."""

    session: models.SessionId
    seat: models.OwnSeatId


Notice = YourTurn | DrawWaits | Invited | SeatRevoked
NAMES = {
    NoticesStart: "start",
    YourTurn: "your-turn",
    DrawWaits: "draw-waits",
    Invited: "invited",
    SeatRevoked: "seat-revoked",
    StreamEnd: "end",
}


NoticeData = Annotated[
    str,
    Meta(
        description="JSON; depending on `event`, it is a NoticesStart (`start`), a YourTurn "
        "(`your-turn`), a DrawWaits (`draw-waits`), an Invited (`invited`), a SeatRevoked "
        "(`seat-revoked`) or a StreamEnd (`end`)",
        extra_json_schema={
            "contentMediaType": JSON,
            "contentSchema": {"anyOf": [{"$ref": ref(struct.__name__)} for struct in NAMES]},
        },
    ),
]


class NoticeMessage(models.ResponseModel, frozen=True):
    """A message in the stream of notices."""

    event: Annotated[
        Literal["start", "your-turn", "draw-waits", "invited", "seat-revoked", "end"],
        Meta(description="the type of the message"),
    ]
    data: NoticeData


def _encode(message: NoticesStart | Notice | StreamEnd) -> bytes:
    name = NAMES[type(message)].encode()
    return b"event: %b\ndata: %b\n\n" % (name, msgspec.json.encode(message))


class SeatNotices:
    """The notices for one seat, each sent once."""

    def __init__(self, services: ApiServices, seat: str, live: LiveStream) -> None:
        self.session, self.seat, self.live = live.now.id, seat, live
        self._services, self._draws = services, DrawNotices(services.app, live)
        self._tasks: frozenset[OwnTask] = frozenset()
        self._offers: frozenset[str] = frozenset()
        self._read = -1

    def of_events(self) -> Iterator[Notice]:
        """Yield the notices that follow from events that the seat has not been told about."""
        now = self.live.now
        if now.version == self._read:
            return
        self._read = self.live.version = now.version
        tasks = frozenset(own_tasks(self._table(now), self.seat))
        if tasks - self._tasks and not now.info.closed:
            listed = sorted(tasks, key=lambda task: (task.label, task.waits))
            yield YourTurn(self.session, self.seat, now.version, listed)
        self._tasks = tasks
        for notice in self._draws.due(now):
            if self.seat not in notice.contributed:
                yield DrawWaits(self.session, self.seat, notice)

    def of_offers(self) -> Iterator[Notice]:
        """Yield the invitations for the seat that it has not been told about."""
        offers = self._services.access.offers(self.session, self.seat)
        for invitation, code in offers:
            if invitation.id in self._offers:
                continue
            with suppress(UnknownSessionError):  # it was deleted meanwhile
                title = self._services.app.log.read(invitation.session).session.info.title
                url = f"{self._services.app.settings.public_url}/join/{code}"
                yield Invited(self.session, self.seat, title, invitation.session, code, url)
        self._offers = frozenset(invitation.id for invitation, _ in offers)

    def _table(self, now: Session) -> Table:
        past = self._services.app.log.history(now.id)
        visible = visible_session(now, Viewer(self.seat), past)
        return visible.ruleset.show(visible.table)


def own_tasks(table: Table, seat: str) -> Iterator[OwnTask]:
    """Yield the tasks that are assigned to the seat, and the turns of its entities."""
    for task in table.tasks.values():
        if task.seat == seat:
            yield OwnTask(task.label, task.waits)
    for order in table.order.values():
        entity = UNSET if order.current is UNSET else table.entities.get(order.current, UNSET)
        if entity is not UNSET and entity.seat == seat and order.current is not UNSET:
            yield OwnTask("turn", order.current)


@blueprint.operation(
    "streamNotices",
    "GET",
    "/v1/me/stream",
    returns={SSE: NoticeMessage},
    problems=["streams-full"],
    headers=[TOKENS_HEADER],
)
def notices() -> Response:
    """Stream what waits for you.

    The stream sends a message if it is the turn of your seat or there is a new task for it
    (`your-turn`), if a draw waits for your contribution (`draw-waits`), and if the GM invites your
    seat to a session that continues this one (`invited`). If you hold several seats, send their
    tokens in `Fairlog-Tokens`. The first message is `event: start`, with the seats. Comments keep
    the connection open.

    The messages have no ids: at the beginning, the stream sends everything that is waiting.

    If a token is revoked, the stream sends `event: seat-revoked` and continues with the others. It
    ends with `event: end` and a `code`. After `rotate`, `stopping` or `unavailable`, reconnect.
    After `token-revoked`, do not reconnect.
    """
    services, held = auth.services(), _holders()
    until, woken = stream_end(), threading.Event()
    wire = request.environ.get("gunicorn.socket")
    followed = [
        SeatNotices(
            services,
            found.seat,
            LiveStream(
                auth.session_for_holder(found, found.session)[0].session,
                Viewer(found.seat),
                sent,
                0,
                until,
                wire,
                woken,
            ),
        )
        for sent, found in held.items()
    ]
    sent = iter(()) if request.method == "HEAD" else _frames(services, followed, woken, until)
    first = followed[0]
    return live_response(sent, SSE, [each.live for each in followed], (first.session, first.seat))


def _holders() -> dict[str, Holder]:
    """Return the holders of the request's tokens, the one of the Authorization header first.

    Raises ProblemError if a token is missing or invalid.
    """
    first = auth.require_holder()
    sent = request.headers.get("Fairlog-Tokens")
    if sent is not None and not _TOKENS.fullmatch(sent):
        raise ProblemError(
            "unreadable",
            "Fairlog-Tokens must list tokens, separated by commas, such as flt_a, flt_b.",
        )
    more = [token.strip() for token in sent.split(",")] if sent is not None else []
    tokens = dict.fromkeys([auth.token() or "", *more])
    if len(tokens) > MAX_SEATS:
        raise ProblemError("unreadable", f"Send at most {MAX_SEATS} tokens.")
    return {token: first if nth == 0 else auth.holder_of(token) for nth, token in enumerate(tokens)}


def _frames(
    services: ApiServices, followed: list[SeatNotices], woken: threading.Event, until: float
) -> Iterator[bytes]:
    """Yield the encoded messages until the stream ends: at the monotonic time `until` or before."""
    silence = services.app.settings.stream_heartbeat
    seats = [FollowedSeat(each.session, each.live.now.info.title, each.seat) for each in followed]
    due = looked = 0.0
    sent = b"retry: %d\n" % RETRY_MS + _encode(NoticesStart(seats))
    try:
        while True:
            if sent:
                yield sent
                due = time.monotonic() + silence
            found, still, end = list[Notice](), list[SeatNotices](), None
            is_look = time.monotonic() >= looked + OFFER_SECONDS
            for each in followed:
                notices = list(each.of_events()) + (list(each.of_offers()) if is_look else [])
                # After the reading, as in `LiveStream.end_reason`: a revoked token learns no more.
                if (reason := each.live.end_reason()) == "token-revoked":
                    found.append(SeatRevoked(each.session, each.seat))
                    services.streams.leave(each.live)
                else:
                    found += notices
                    still.append(each)
                    end = end or reason
            looked, followed = time.monotonic() if is_look else looked, still
            sent = b"".join(map(_encode, found))
            if end is not None or not followed:
                yield sent + _encode(StreamEnd(end or "token-revoked"))
                return
            if not sent:
                woken.wait(max(0.0, min(due, looked + OFFER_SECONDS, until) - time.monotonic()))
                woken.clear()
                sent = b": still here\n" if time.monotonic() >= due else b""
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("stream ended", exception=repr(error))
        yield _encode(StreamEnd("unavailable"))
