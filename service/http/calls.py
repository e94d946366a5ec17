"""What a stream says of draws: to each seat that one waits for, once, while it waits."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from domain.session.state import HOUSE, Session
from service.bootstrap import App
from service.http.awaited import DrawCalled
from service.http.events import iso
from service.live import Stream
from service.taking import deadline
from service.waiting import contributions


class Calls:
    """Those of one stream. They are its seat's own, so no other stream can share them."""

    def __init__(self, app: App, stream: Stream) -> None:
        self._app, self._stream = app, stream
        self._called = -1

    def due(self, now: Session) -> Iterator[DrawCalled]:
        """The draw that waits for the stream's seat, where all up to its declaration was sent and no word of it yet."""
        pending, seat = now.pending, self._stream.viewer.seat
        if pending is None or pending.k <= self._called or self._stream.version < pending.version:
            return
        self._called = pending.k
        if (
            seat is UNSET
            or seat == HOUSE
            or all(seat != asked for asked, _, _ in pending.contributors)
        ):
            return
        given = [each.seat for each in contributions(self._app, now)]
        yield DrawCalled(
            pending.k, pending.version, iso(deadline(now)), pending.contributors, given
        )
