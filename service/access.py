"""Who may speak for a seat: bearer tokens and invitations, kept as hashes beside the log, revocable."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from domain.codec import encode
from domain.decider import Role
from service import answers
from service.answers import Asked

TOKEN, CODE = "flt_", "fli_"  # prefixes that secret scanners find
NOT_YET = 0
Statement = tuple[str, Sequence[tuple[Any, ...]]]


class Holder(msgspec.Struct, frozen=True):
    """The seat that a token speaks for; `revoked` where it once did."""

    session: str
    seat: str
    revoked: bool


class Invitation(msgspec.Struct, frozen=True):
    """`uses` are those left; `expires` is ms since 1970; without a seat its taker chooses one."""

    id: str
    session: str
    role: Role
    seat: str | UnsetType
    uses: int
    expires: int


class Store(Protocol):
    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...
    def write(self, *beside: tuple[str, Sequence[tuple[Any, ...]]]) -> int: ...


class Access:
    """`secret` is the server's own; `fresh` gives 32 random bytes, `now` ms since 1970."""

    def __init__(self, store: Store, secret: bytes, fresh: Callable[[], bytes], now: Callable[[], int]) -> None:
        self._store, self._secret, self._fresh, self._now = store, secret, fresh, now

    def holder(self, token: str) -> Holder | None:
        """Whose token it is, None for one that was never given."""
        rows = self._store.query("SELECT session, seat, revoked FROM tokens WHERE hash=?", (_hash(token),))
        return Holder(rows[0][0], rows[0][1], rows[0][2] != NOT_YET) if rows else None

    def token(self, session: str, seat: str, key: str) -> str:
        """A seat's new token; the same again for the same idempotency key, fresh without one ("")."""
        return TOKEN + _text(self._secret_of("token", session, seat, key) if key else self._fresh())

    def session_id(self, key: str) -> str:
        """The id of the session that is opened under this idempotency key."""
        return self._secret_of("session", key)[:16].hex()

    def grant(self, session: str, seat: str, token: str) -> Statement:
        """Makes the token good, unless it was known and revoked since."""
        row = (_hash(token), session, seat, self._now())
        return "INSERT INTO tokens (hash, session, seat, at) VALUES (?,?,?,?) ON CONFLICT DO NOTHING", [row]

    def revoke(self, token: str) -> Statement:
        return "UPDATE tokens SET revoked=? WHERE hash=? AND revoked=0", [(self._now(), _hash(token))]

    def revoke_seat(self, session: str, seat: str, but: str = "") -> Statement:
        """All tokens of a seat die, but for one that may be given by the same request twice at once."""
        row = (self._now(), session, seat, _hash(but))
        return "UPDATE tokens SET revoked=? WHERE session=? AND seat=? AND hash<>? AND revoked=0", [row]

    def invite(self, asked: Asked, session: str, version: int, invitation: Invitation, code: str) -> None:
        """Stores it with the answer to its request."""
        seat = "" if invitation.seat is UNSET else invitation.seat
        row = (
            invitation.id, _hash(code), session, invitation.role.value, seat, invitation.uses, invitation.expires,
            self._now(),
        )  # fmt: skip
        columns = "id, hash, session, role, seat, uses, expires, at"
        statement = f"INSERT INTO invitations ({columns}) VALUES (?,?,?,?,?,?,?,?)"
        self._store.write((statement, [row]), answers.row(session, asked, version, version))

    def code(self, session: str, seat: str, key: str) -> tuple[str, str]:
        """An invitation's id and its code, the same again for the same idempotency key of the inviting seat."""
        secret = self._secret_of("invitation", session, seat, key) if key else self._fresh()
        return hashlib.sha256(b"id" + secret).hexdigest()[:16], CODE + _text(secret)

    def invitations(self, session: str) -> list[Invitation]:
        """Those that can still be used, oldest first."""
        return self._invitations("session=? AND revoked=0 AND uses>0 AND expires>? ORDER BY at, id", session)

    def invitation(self, code: str) -> Invitation | None:
        """What a code is good for; None if it never was, or is used up, expired or withdrawn."""
        found = self._invitations("hash=? AND revoked=0 AND uses>0 AND expires>?", _hash(code))
        return found[0] if found else None

    def issued(self, code: str) -> Invitation | None:
        """What a code was given for, whether or not it is still good."""
        found = self._invitations("hash=? AND ?>0", _hash(code))
        return found[0] if found else None

    def use(self, invitation: str) -> bool:
        """Takes one of its uses; False where there is none left. Two at once never share the last."""
        statement = "UPDATE invitations SET uses=uses-1 WHERE id=? AND uses>0 AND revoked=0 AND expires>?"
        return self._store.write((statement, [(invitation, self._now())])) == 1

    def give_back(self, invitation: str) -> None:
        """The use that `use` took, where no seat was taken by it."""
        self._store.write(("UPDATE invitations SET uses=uses+1 WHERE id=?", [(invitation,)]))

    def withdraw(self, session: str, invitation: str) -> bool:
        """False where the session has no such invitation."""
        statement = "UPDATE invitations SET revoked=? WHERE id=? AND session=?"
        return self._store.write((statement, [(self._now(), invitation, session)])) == 1

    def seat_answered(self, session: str, key: str, request: bytes) -> str | None:
        """The seat that this very request was answered for before; its body holds a code, so it cannot be guessed."""
        rows = self._store.query(
            "SELECT seat FROM answers WHERE session=? AND key=? AND request=?", (session, key, request)
        )
        return rows[0][0] if rows else None

    def write(self, *statements: Statement) -> None:
        """Statements of `grant` and `revoke` in one transaction."""
        self._store.write(*statements)

    def _invitations(self, where: str, value: str | bytes) -> list[Invitation]:
        columns = "id, session, role, seat, uses, expires"
        rows = self._store.query(f"SELECT {columns} FROM invitations WHERE {where}", (value, self._now()))
        return [
            Invitation(id, session, Role(role), seat or UNSET, uses, expires)
            for id, session, role, seat, uses, expires in rows
        ]

    def _secret_of(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, encode(parts), "sha256")


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _text(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
