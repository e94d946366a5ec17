"""Links to single rolls: everyone with a link sees one roll and its proof, until it is revoked.

Each seat has at most one link to a roll at a time. The database contains only hashes of the codes.
A code is derived from the server's secret, so that its seat can read it again.
"""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import Callable
from typing import NamedTuple

from domain.codec import encode
from service.platform import clock
from service.sessions.access import secret_text, token_hash
from service.sessions.app import App
from service.store.recorder import IntegrityError, Recorder

CODE_PREFIX = "flr_"  # so that secret scanners can recognize it


class RollLink(NamedTuple):
    """A link that is not revoked. `at` is the time of its creation in ms since the epoch."""

    session: str
    k: int
    seat: str
    at: int


def roll_links_of(app: App) -> RollLinks:
    return RollLinks(app.recorder, app.keys.secret, clock.now_ms)


class RollLinks:
    """Database access for links to rolls. `now` returns the time in ms since the epoch."""

    def __init__(self, store: Recorder, secret: bytes, now: Callable[[], int]) -> None:
        self._store, self._secret, self._now = store, secret, now

    def create(self, session: str, k: int, seat: str) -> str:
        """Return the code of the seat's link to draw `k`. Store a new link if it has none."""
        count = self._count(session, k, seat)
        newest = self._code(session, k, seat, count - 1)
        if count and self.find(newest) is not None:
            return newest
        code = self._code(session, k, seat, count)
        insert = "INSERT INTO roll_links (hash, session, k, seat, at) VALUES (?,?,?,?,?)"
        # A concurrent request of the same seat can have stored the same link.
        with contextlib.suppress(IntegrityError):
            self._store.write((insert, [(token_hash(code), session, k, seat, self._now())]))
        return code

    def find(self, code: str) -> RollLink | None:
        """Return the link with this code, or None if it is unknown or revoked."""
        statement = "SELECT session, k, seat, at FROM roll_links WHERE hash=? AND revoked=0"
        rows = self._store.query(statement, (token_hash(code),))
        return next((RollLink(*row) for row in rows), None)

    def revoke(self, session: str, k: int, seat: str | None) -> bool:
        """Revoke the seat's link to draw `k`, or those of all seats if `seat` is None.

        Return False if there is none.
        """
        statement = "UPDATE roll_links SET revoked=? WHERE session=? AND k=? AND revoked=0"
        row: tuple[object, ...] = (self._now(), session, k)
        if seat is not None:
            statement, row = f"{statement} AND seat=?", (*row, seat)
        return self._store.write((statement, [row])) > 0

    def _count(self, session: str, k: int, seat: str) -> int:
        statement = "SELECT COUNT(*) FROM roll_links WHERE session=? AND k=? AND seat=?"
        return int(self._store.query(statement, (session, k, seat))[0][0])

    def _code(self, session: str, k: int, seat: str, nth: int) -> str:
        """Return the code of the seat's link number `nth` to draw `k`, from 0."""
        parts = encode(("roll-link", session, str(k), seat, str(nth)))
        return CODE_PREFIX + secret_text(hmac.digest(self._secret, parts, "sha256"))
