"""Who asks: the seat of a bearer token or of a browser's cookie, and what it sees. Unlisted looks like unknown."""

from __future__ import annotations

import re

import msgspec
from flask import current_app, g, request
from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.session.draws import Head
from domain.session.state import Session
from domain.view import NOBODY, Viewer, look_as, may_see
from service.access import Access, Holder
from service.bootstrap import App
from service.feed import Segments
from service.gamelog import Unknown
from service.http.problems import Problem, log
from service.limiting import Limits
from service.live import Streams
from service.waiting import current

COOKIE = "fairlog-seat"
READING = ("GET", "HEAD")
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE)


class Edge(msgspec.Struct, frozen=True):
    """What every view works with: the process's App, who speaks for which seat, open streams, packed segments."""

    app: App
    access: Access
    streams: Streams
    limits: Limits
    segments: Segments = msgspec.field(default_factory=Segments)

    def close(self) -> None:
        """Readers first, then what they read from: a database that is closed under a reader ends the process."""
        self.streams.close()
        self.app.close()


def edge() -> Edge:
    held: Edge = current_app.extensions["fairlog"]
    return held


def token() -> str | None:
    """The bearer token as it was sent, or else the one that a browser keeps; None without one."""
    header = request.headers.get("Authorization")
    if header is None:
        return _kept()
    found = _BEARER.fullmatch(header)
    if not found:
        raise Problem("token-unknown", "Send `Authorization: Bearer <token>`.")
    return found[1]


def _kept() -> str | None:
    """The token of the cookie. Another site's page can have a browser send it: then it reads, and changes nothing."""
    return request.cookies.get(COOKIE) if request.method in READING or is_own_page() else None


def is_own_page() -> bool:
    """Whether a page of ours sent the request: by Sec-Fetch-Site or, over plain http, which has none, by Origin."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site == "same-origin"
    return origin in (f"http://{request.host}", f"https://{request.host}")


def holder() -> Holder | None:
    """The seat of the token that was sent; None without a token."""
    sent = token()
    return None if sent is None else holder_of(sent)


def holder_of(sent: str) -> Holder:
    """The seat of a token. Problem("token-unknown")."""
    found = edge().access.holder(sent)
    if found is None or found.revoked:
        raise Problem("token-unknown", "This token is not known, or was revoked.")
    return found


def somebody() -> Holder:
    found = holder()
    if found is None:
        raise Problem("token-missing", "Send `Authorization: Bearer <token>`.")
    return found


def seated(session: str) -> str:
    """Return the seat of this session that the token speaks for. Raises Unknown."""
    found = somebody()
    if found.session != session:
        raise Unknown(session)
    g.newest = found.newest
    return found.seat


def note_reading(session: Session, viewer: Viewer) -> None:
    """Every reading by an auditor is kept, before it is answered: the GM sees who has read what."""
    if viewer.seat is not UNSET and session.frame.seats[viewer.seat].role is Role.AUDITOR:
        edge().access.note(session.id, viewer.seat, request.full_path.rstrip("?"))


def brought(session: str, newest: int = 0) -> Head:
    """The session, behind the end of a draw whose time is over. Raises Unknown."""
    app = edge().app
    try:
        return current(app, session, newest)
    except Unknown:
        raise
    except (
        Exception
    ) as error:  # whatever keeps a draw from its end, a full disk too: the session can be read
        head = app.log.read(session)
        log.error("draw not ended", session=session, exc_info=error)
        return head


def viewed(session: str, through: str | UnsetType = UNSET) -> tuple[Head, Viewer]:
    """The session and its viewer, where the one filter lets them see it; `through`: the seat that a GM looks as."""
    return viewed_by(holder(), session, through)


def viewed_by(
    found: Holder | None, session: str, through: str | UnsetType = UNSET
) -> tuple[Head, Viewer]:
    """The same for the seat that was found to ask."""
    viewer, newest = NOBODY, 0
    if found is not None and found.session == session:
        viewer, newest = Viewer(found.seat), found.newest
    try:
        head = brought(session, newest)
        if may_see(head.session, viewer):
            note_reading(head.session, viewer)
            return head, look_as(head.session, viewer, through)
    except Unknown:
        pass
    if found is None:  # whether it is there or not
        raise Problem("token-missing", "Send `Authorization: Bearer <token>`.")
    raise Unknown(session)
