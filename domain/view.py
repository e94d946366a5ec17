"""The one filter: what a viewer may see of a session. Every answer, list, file and statistic passes through it."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from domain.session.state import Session


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: a seat of this session, or nobody in particular."""

    seat: str | UnsetType = UNSET


NOBODY = Viewer()


def may_see(session: Session, viewer: Viewer) -> bool:
    """A session is there for its seats, and for everyone where it was opened as listed."""
    if session.frame.options.get("listed") is True:
        return True
    if viewer.seat is UNSET:
        return False
    held = session.frame.seats.get(viewer.seat)
    return held is not None and held.present
