"""Who asks: the bearer token's seat, and what it may look at. From outside, unlisted looks like unknown."""

from __future__ import annotations

import re

import msgspec
from flask import current_app, request

from domain.session.draws import Head
from domain.view import NOBODY, Viewer, may_see
from service.access import Access, Holder
from service.bootstrap import App
from service.gamelog import Unknown
from service.http.problems import Problem

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE)


class Edge(msgspec.Struct, frozen=True):
    """What every view works with: the process's App, and who may speak for which seat."""

    app: App
    access: Access


def edge() -> Edge:
    held: Edge = current_app.extensions["fairlog"]
    return held


def token() -> str | None:
    """The bearer token as it was sent, None without one."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    found = _BEARER.fullmatch(header)
    if not found:
        raise Problem("token-unknown", "Send `Authorization: Bearer <token>`.")
    return found[1]


def holder() -> Holder | None:
    """The seat of the token that was sent; None without a token."""
    sent = token()
    if sent is None:
        return None
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
    """The seat, of this session, that the token speaks for."""
    found = somebody()
    if found.session != session:
        raise Unknown(session)
    return found.seat


def viewed(session: str) -> tuple[Head, Viewer]:
    """The session and its viewer, where the one filter lets them see it."""
    found = holder()
    viewer = Viewer(found.seat) if found is not None and found.session == session else NOBODY
    try:
        head = edge().app.log.read(session)
        if may_see(head.session, viewer):
            return head, viewer
    except Unknown:
        pass
    if found is None:  # whether it is there or not
        raise Problem("token-missing", "Send `Authorization: Bearer <token>`.")
    raise Unknown(session)
