"""Bearer tokens and invitations: stored as hashes in the log's database, and revocable."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from domain.codec import encode
from domain.decider import Role
from service.sessions import idempotency
from service.sessions.idempotency import RequestIdentity
from service.store.recorder import IntegrityError, Recorder, SideRow

TOKEN_PREFIX, CODE_PREFIX = "flt_", "fli_"  # prefixes that secret scanners find
NOT_REVOKED = 0
DAY_MS = 86_400_000
HOLDER_SELECT = (
    "SELECT session, seat, revoked, at,"
    " (SELECT MAX(originator_version) FROM stored_events WHERE originator_id=session)"
    " FROM tokens WHERE hash=?"
)


class Holder(msgspec.Struct, frozen=True):
    """The seat of a token; `newest` is the session's version when the token was looked up."""

    session: str
    seat: str
    revoked: bool
    newest: int


class Invitation(msgspec.Struct, frozen=True):
    """An invitation: `uses` left, `expires` in ms since 1970.

    Without a seat, its taker chooses one.
    """

    id: str
    session: str
    role: Role
    seat: str | UnsetType
    uses: int
    expires: int


class IssuedToken(NamedTuple):
    """A valid token: its hash, and when it was issued and expires.

    Times are in ms since 1970; `expires` is 0 if the token never does.
    """

    hash: bytes
    seat: str
    at: int
    expires: int

    @property
    def id(self) -> str:
        return self.hash.hex()[:16]


class AuditorReading(NamedTuple):
    """A reading by an auditor; `at` is in ms since 1970."""

    number: int
    seat: str
    at: int
    what: str


class Access:
    """Tokens, invitations and readings.

    `now` returns ms since 1970; a token is valid for `days`, or for ever if 0.
    """

    def __init__(
        self, store: Recorder, secret: bytes, now: Callable[[], int], days: int = 0
    ) -> None:
        self._store, self._secret, self._now, self._lifetime_ms = store, secret, now, days * DAY_MS

    def holder(self, token: str) -> Holder | None:
        """Return the token's holder, or None if the token was never issued."""
        for session, seat, revoked, at, newest in self._store.query(HOLDER_SELECT, (_hash(token),)):
            is_invalid = revoked != NOT_REVOKED or at <= self._oldest()
            return Holder(session, seat, is_invalid, newest or 0)
        return None

    def invalid_tokens(self, tokens: Collection[str]) -> set[str]:
        """Return those of the tokens that are unknown, revoked or expired."""
        hashes = {_hash(token): token for token in tokens}
        marks = ",".join("?" * len(hashes))
        rows = f"SELECT hash FROM tokens WHERE revoked=? AND at>? AND hash IN ({marks})"
        good = (
            {
                bytes(row[0])
                for row in self._store.query(rows, (NOT_REVOKED, self._oldest(), *hashes))
            }
            if hashes
            else ()
        )
        return {token for digest, token in hashes.items() if digest not in good}

    def issued_tokens(self, session: str) -> list[IssuedToken]:
        """Return the session's valid tokens, oldest first."""
        rows = (
            "SELECT hash, seat, at FROM tokens"
            " WHERE session=? AND revoked=? AND at>? ORDER BY at, hash"
        )
        found = self._store.query(rows, (session, NOT_REVOKED, self._oldest()))
        return [
            IssuedToken(bytes(digest), seat, at, at + self._lifetime_ms if self._lifetime_ms else 0)
            for digest, seat, at in found
        ]

    def matches_token(self, issued: IssuedToken, token: str) -> bool:
        return hmac.compare_digest(issued.hash, _hash(token))

    def _oldest(self) -> int:
        """Return the time at or before which an issued token has expired, in ms since 1970."""
        return self._now() - self._lifetime_ms if self._lifetime_ms else -1

    def token(self, session: str, under: str, key: str) -> str:
        """Return a new token.

        The same idempotency key of the same requester returns the same token.
        """
        return TOKEN_PREFIX + _base64(self._secret_of("token", session, under, key))

    def session_id(self, key: str) -> str:
        """Return the id of the session that is opened under this idempotency key."""
        return self._secret_of("session", key)[:16].hex()

    def fork_id(self, under: str, key: str) -> str:
        """Return the id of the session that a seat forks under this idempotency key."""
        return self._secret_of("session", under, key)[:16].hex()

    def record_reading(self, session: str, seat: str, what: str) -> None:
        """Store what an auditor is about to read."""
        statement = "INSERT INTO readings (session, seat, at, what) VALUES (?,?,?,?)"
        self._store.write((statement, [(session, seat, self._now(), what)]))

    def readings(self, session: str, after: int, limit: int) -> list[AuditorReading]:
        """Return the auditors' readings after a number, oldest first."""
        statement = (
            "SELECT number, seat, at, what FROM readings"
            " WHERE session=? AND number>? ORDER BY number LIMIT ?"
        )
        return [
            AuditorReading(*row) for row in self._store.query(statement, (session, after, limit))
        ]

    def grant(self, session: str, seat: str, token: str) -> SideRow:
        """Return the statement that makes a new token valid."""
        row = (_hash(token), session, seat, self._now())
        return "INSERT INTO tokens (hash, session, seat, at) VALUES (?,?,?,?)", [row]

    def revoke(self, token: str) -> SideRow:
        return self.revoke_hash(_hash(token))

    def revoke_hash(self, digest: bytes) -> SideRow:
        return "UPDATE tokens SET revoked=? WHERE hash=? AND revoked=0", [(self._now(), digest)]

    def revoke_seat(self, session: str, seat: str) -> SideRow:
        return "UPDATE tokens SET revoked=? WHERE session=? AND seat=? AND revoked=0", [
            (self._now(), session, seat)
        ]

    def seating(self, invitation: Invitation, seat: str, token: str) -> tuple[SideRow, ...]:
        """Return the statements that use the invitation once and replace the seat's tokens."""
        # Aborts the transaction if the invitation has no use left, is revoked or has expired: it
        # sets `uses` to NULL, which the table forbids.
        use = (
            "UPDATE invitations SET"
            " uses=CASE WHEN uses>0 AND revoked=0 AND expires>? THEN uses-1 END WHERE id=?"
        )
        session = invitation.session
        used = use, [(self._now(), invitation.id)]
        return used, self.revoke_seat(session, seat), self.grant(session, seat, token)

    def invite(
        self,
        request: RequestIdentity,
        session: str,
        version: int,
        invitation: Invitation,
        code: str,
    ) -> bool:
        """Store the invitation with the answer to its request.

        Return False if the key is not new.
        """
        seat = "" if invitation.seat is UNSET else invitation.seat
        row = (
            invitation.id,
            _hash(code),
            session,
            invitation.role.value,
            seat,
            invitation.uses,
            invitation.expires,
            self._now(),
        )
        columns = "id, hash, session, role, seat, uses, expires, at"
        statement = f"INSERT INTO invitations ({columns}) VALUES (?,?,?,?,?,?,?,?)"
        return self.write(
            (statement, [row]), idempotency.answer_row(session, request, version, version)
        )

    def code(self, session: str, seat: str, key: str) -> tuple[str, str]:
        """Return an invitation's id and code.

        The same key of the inviting seat returns the same ones.
        """
        secret = self._secret_of("invitation", session, seat, key)
        return hashlib.sha256(b"id" + secret).hexdigest()[:16], CODE_PREFIX + _base64(secret)

    def invitations(self, session: str) -> list[Invitation]:
        """Return the invitations that can still be used, oldest first."""
        return self._invitations(
            "session=? AND revoked=0 AND uses>0 AND expires>? ORDER BY at, id", session
        )

    def invitation(self, code: str) -> Invitation | None:
        """Return the code's invitation, or None if it is unknown, used up, expired or withdrawn."""
        found = self._invitations("hash=? AND revoked=0 AND uses>0 AND expires>?", _hash(code))
        return found[0] if found else None

    def find_invitation(self, code: str) -> Invitation | None:
        """Return the code's invitation, even if it can no longer be used, or None."""
        found = self._invitations("hash=? AND ?>0", _hash(code))
        return found[0] if found else None

    def withdraw(self, session: str, invitation: str) -> bool:
        """Withdraw the invitation. Return False if the session has no such invitation."""
        statement = "UPDATE invitations SET revoked=? WHERE id=? AND session=?"
        return self._store.write((statement, [(self._now(), invitation, session)])) == 1

    def write(self, *statements: SideRow) -> bool:
        """Run the statements in one transaction.

        Return False, with nothing written, if a row or use is taken.
        """
        try:
            self._store.write(*statements)
        except IntegrityError:
            return False
        return True

    def _invitations(self, where: str, value: str | bytes) -> list[Invitation]:
        columns = "id, session, role, seat, uses, expires"
        rows = self._store.query(
            f"SELECT {columns} FROM invitations WHERE {where}", (value, self._now())
        )
        return [
            Invitation(name, session, Role(role), seat or UNSET, uses, expires)
            for name, session, role, seat, uses, expires in rows
        ]

    def _secret_of(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, encode(parts), "sha256")


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _base64(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
