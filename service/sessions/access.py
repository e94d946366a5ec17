"""Access to sessions: tokens, invitations, and records of what auditors read.

Tokens and invitation codes can be revoked. The database contains only their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec import UNSET, UnsetType

from domain.codec import encode
from domain.decider import Role
from service.sessions import idempotency
from service.sessions.idempotency import RequestIdentity
from service.store.recorder import IntegrityError, Recorder, SideRow

TOKEN_PREFIX, CODE_PREFIX = "flt_", "fli_"  # so that secret scanners can recognize them
NOT_REVOKED = 0
DAY_MS = 86_400_000
NEVER = 2**53
"""The expiry time of a token that never expires."""
Scope = Literal["read", "play", "contribute", "manage"]
"""What a token allows: to read, to send commands, to contribute to draws, or to manage the seat."""
SCOPES: frozenset[Scope] = frozenset(get_args(Scope))
# A token without a row in named_tokens is the seat's own.
HOLDER_SELECT = (
    "SELECT tokens.session, seat, revoked, at, COALESCE(scopes, ''), COALESCE(expires, 0),"
    " (SELECT MAX(originator_version) FROM stored_events WHERE originator_id=tokens.session)"
    " FROM tokens LEFT JOIN named_tokens ON named_tokens.hash=tokens.hash WHERE tokens.hash=?"
)


class Holder(msgspec.Struct, frozen=True):
    """The session and the seat that a token gives access to.

    `revoked` is True if the token was revoked or has expired. `newest` is the session's newest
    version at the time of the lookup. `scopes` contains what the token allows.
    """

    session: str
    seat: str
    revoked: bool
    newest: int
    scopes: frozenset[Scope] = SCOPES


class Invitation(msgspec.Struct, frozen=True):
    """An invitation to a session. It can be accepted `uses` more times.

    `expires` is the expiry time in ms since the epoch. If `seat` is unset, the invitation is not
    for a particular seat.
    """

    id: str
    session: str
    role: Role
    seat: str | UnsetType
    uses: int
    expires: int


class IssuedToken(NamedTuple):
    """A valid token, identified by its hash.

    `at` and `expires` are the times of issue and expiry in ms since the epoch. `expires` is NEVER
    if the token never expires. `name` is "" for the seat's own token.
    """

    hash: bytes
    seat: str
    at: int
    expires: int
    name: str
    scopes: frozenset[Scope]

    @property
    def id(self) -> str:
        return self.hash.hex()[:16]


class AuditorReading(NamedTuple):
    """A record of one request by an auditor.

    `what` is the requested path with its query, and `at` is the time in ms since the epoch.
    """

    number: int
    seat: str
    at: int
    what: str


class Access:
    """Database access for tokens, invitations and records of what auditors read.

    `now` returns the current time in ms since the epoch. Tokens expire after `days` days, or never
    if `days` is 0.
    """

    def __init__(
        self, store: Recorder, secret: bytes, now: Callable[[], int], days: int = 0
    ) -> None:
        self._store, self._secret, self._now, self._lifetime_ms = store, secret, now, days * DAY_MS

    def holder(self, token: str) -> Holder | None:
        """Return the token's session and seat, or None if the token is unknown."""
        rows = self._store.query(HOLDER_SELECT, (token_hash(token),))
        for session, seat, revoked, at, scopes, expires, newest in rows:
            is_invalid = revoked != NOT_REVOKED or self._expiry(at, expires) <= self._now()
            return Holder(session, seat, is_invalid, newest or 0, _scopes_of(scopes))
        return None

    def invalid_tokens(self, tokens: Collection[str]) -> set[str]:
        """Return the given tokens that are unknown, revoked or expired."""
        hashes = {token_hash(token): token for token in tokens}
        marks = ",".join("?" * len(hashes))
        rows = (
            "SELECT tokens.hash, at, COALESCE(expires, 0)"  # noqa: S608 only placeholders
            " FROM tokens LEFT JOIN named_tokens ON named_tokens.hash=tokens.hash"
            f" WHERE revoked=? AND tokens.hash IN ({marks})"
        )
        found = self._store.query(rows, (NOT_REVOKED, *hashes)) if hashes else ()
        now = self._now()
        good = {bytes(digest) for digest, at, expires in found if self._expiry(at, expires) > now}
        return {token for digest, token in hashes.items() if digest not in good}

    def issued_tokens(self, session: str) -> list[IssuedToken]:
        """Return the session's valid tokens, oldest first."""
        rows = (
            "SELECT tokens.hash, seat, at, COALESCE(expires, 0), COALESCE(name, ''),"
            " COALESCE(scopes, '')"
            " FROM tokens LEFT JOIN named_tokens ON named_tokens.hash=tokens.hash"
            " WHERE tokens.session=? AND revoked=? ORDER BY at, tokens.hash"
        )
        now = self._now()
        issued = [
            IssuedToken(
                bytes(digest), seat, at, self._expiry(at, expires), name, _scopes_of(scopes)
            )
            for digest, seat, at, expires, name, scopes in self._store.query(
                rows, (session, NOT_REVOKED)
            )
        ]
        return [token for token in issued if token.expires > now]

    def matches_token(self, issued: IssuedToken, token: str) -> bool:
        return hmac.compare_digest(issued.hash, token_hash(token))

    def _expiry(self, at: int, expires: int) -> int:
        """Return when a token issued at `at` expires, in ms since the epoch, or NEVER.

        `expires` is the token's own expiry time, or 0 if it has none.
        """
        return min(expires or NEVER, at + self._lifetime_ms if self._lifetime_ms else NEVER)

    def token(self, session: str, under: str, key: str) -> str:
        """Derive a token from `session`, `under` and `key`.

        `under` identifies the requester, and `key` is the idempotency key. A repeated request
        therefore gets the same token.
        """
        return TOKEN_PREFIX + secret_text(self._secret_of("token", session, under, key))

    def session_id(self, key: str) -> str:
        """Derive the id of a new session from the request's idempotency key."""
        return self._secret_of("session", key)[:16].hex()

    def fork_id(self, under: str, key: str) -> str:
        """Derive the id of a fork from the requester (`under`) and the idempotency key."""
        return self._secret_of("session", under, key)[:16].hex()

    def record_reading(self, session: str, seat: str, what: str) -> None:
        """Record that the auditor in the seat `seat` is about to read `what`."""
        statement = "INSERT INTO readings (session, seat, at, what) VALUES (?,?,?,?)"
        self._store.write((statement, [(session, seat, self._now(), what)]))

    def readings(self, session: str, after: int, limit: int) -> list[AuditorReading]:
        """Return at most `limit` records of auditors' requests, oldest first.

        Only records with numbers above `after` are returned.
        """
        statement = (
            "SELECT number, seat, at, what FROM readings"
            " WHERE session=? AND number>? ORDER BY number LIMIT ?"
        )
        return [
            AuditorReading(*row) for row in self._store.query(statement, (session, after, limit))
        ]

    def grant(self, session: str, seat: str, token: str) -> SideRow:
        """Return the side row that stores a new token for the seat."""
        row = (token_hash(token), session, seat, self._now())
        return "INSERT INTO tokens (hash, session, seat, at) VALUES (?,?,?,?)", [row]

    def named_grant(
        self,
        session: str,
        seat: str,
        token: str,
        *,
        name: str,
        scopes: Collection[Scope],
        expires: int,
    ) -> tuple[SideRow, ...]:
        """Return the side rows that store a named token for the seat.

        `expires` is the expiry time in ms since the epoch, or 0 if only the server's setting
        applies.
        """
        statement = (
            "INSERT INTO named_tokens (hash, session, name, scopes, expires) VALUES (?,?,?,?,?)"
        )
        row = (token_hash(token), session, name, " ".join(sorted(scopes)), expires)
        return self.grant(session, seat, token), (statement, [row])

    def renewal(self, session: str, seat: str, old: str, token: str) -> tuple[SideRow, ...]:
        """Return the side rows that store the seat's new own token and revoke its earlier ones.

        Named tokens stay valid. `old` is the token that the request was sent with. The transaction
        fails if `old` is revoked before the commit.
        """
        # Aborts the transaction if `old` was revoked after it was checked, by setting `session` to
        # NULL, which the table forbids. Otherwise a renewal could undo a take-over: it would revoke
        # the new holder's token and give the old holder a valid one.
        grant = (
            "INSERT INTO tokens (hash, session, seat, at)"
            " VALUES (?,(SELECT session FROM tokens WHERE hash=? AND revoked=0),?,?)"
        )
        revoke = (
            "UPDATE tokens SET revoked=? WHERE session=? AND seat=? AND revoked=0 AND hash<>?"
            " AND hash NOT IN (SELECT hash FROM named_tokens)"
        )
        now, new = self._now(), token_hash(token)
        return (
            (grant, [(new, token_hash(old), seat, now)]),
            (revoke, [(now, session, seat, new)]),
        )

    def unrevoked(self, token: str) -> SideRow:
        """Return a side row that makes its transaction fail if the token was revoked meanwhile."""
        # Sets `at` to NULL, which the table forbids.
        statement = "UPDATE tokens SET at=CASE WHEN revoked=0 THEN at END WHERE hash=?"
        return statement, [(token_hash(token),)]

    def revoke(self, token: str) -> SideRow:
        return self.revoke_hash(token_hash(token))

    def revoke_hash(self, digest: bytes) -> SideRow:
        return "UPDATE tokens SET revoked=? WHERE hash=? AND revoked=0", [(self._now(), digest)]

    def revoke_now(self, digest: bytes) -> bool:
        """Revoke the token, and return False if it was revoked already."""
        return self._store.write(self.revoke_hash(digest)) > 0

    def revoke_seat(self, session: str, seat: str) -> SideRow:
        return "UPDATE tokens SET revoked=? WHERE session=? AND seat=? AND revoked=0", [
            (self._now(), session, seat)
        ]

    def replacement(self, session: str, seat: str, token: str) -> tuple[SideRow, ...]:
        """Return the side rows that store the seat's new own token and revoke its earlier ones.

        Named tokens stay valid.
        """
        revoke = (
            "UPDATE tokens SET revoked=? WHERE session=? AND seat=? AND revoked=0"
            " AND hash NOT IN (SELECT hash FROM named_tokens)"
        )
        return (revoke, [(self._now(), session, seat)]), self.grant(session, seat, token)

    def revoke_all(self) -> tuple[SideRow, ...]:
        """Return the side rows that revoke every token and withdraw every invitation.

        They also delete the stored responses, so that a revoked token cannot be used to request
        them again. People of campaigns lose their personal tokens.
        """
        now = [(self._now(),)]
        return (
            ("UPDATE tokens SET revoked=? WHERE revoked=0", now),
            ("UPDATE campaign_people SET hash=NULL, renewed=NULL", [()]),
            ("UPDATE invitations SET revoked=? WHERE revoked=0", now),
            ("UPDATE roll_links SET revoked=? WHERE revoked=0", now),
            ("DELETE FROM answers", [()]),
        )

    def seating(self, invitation: Invitation, seat: str, token: str) -> tuple[SideRow, ...]:
        """Return the side rows that give `seat` to the person who accepts the invitation.

        They reduce the invitation's remaining uses by one, revoke the seat's existing tokens and
        store the new token.
        """
        # Aborts the transaction if the invitation is used up, revoked or expired, by setting `uses`
        # to NULL, which the table forbids.
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
        offer: tuple[str, str] | None = None,
    ) -> bool:
        """Store the invitation together with the answer to the request that created it.

        `offer` is a session whose seat of the same id is told about the invitation, and the
        idempotency key. If the request's idempotency key was used before, store nothing and return
        False.
        """
        seat = "" if invitation.seat is UNSET else invitation.seat
        row = (
            invitation.id,
            token_hash(code),
            session,
            invitation.role.value,
            seat,
            invitation.uses,
            invitation.expires,
            self._now(),
        )
        columns = "id, hash, session, role, seat, uses, expires, at"
        statement = f"INSERT INTO invitations ({columns}) VALUES (?,?,?,?,?,?,?,?)"  # noqa: S608 the columns above
        insert = "INSERT INTO offers (invitation, session, parent, inviter, key) VALUES (?,?,?,?,?)"
        offers = (
            [] if offer is None else [(invitation.id, session, offer[0], request.seat, offer[1])]
        )
        return self.write(
            (statement, [row]),
            (insert, offers),
            idempotency.answer_row(session, request, version, version),
        )

    def offers(self, session: str, seat: str) -> list[tuple[Invitation, str]]:
        """Return the invitations that this session's seat is told about, with their codes."""
        found = self._invitations(
            "seat=? AND revoked=0 AND uses>0 AND expires>?"
            " AND id IN (SELECT invitation FROM offers WHERE parent=?) ORDER BY at, id",
            seat,
            session,
        )
        rows = self._store.query(
            "SELECT invitation, inviter, key FROM offers WHERE parent=?", (session,)
        )
        made = {invitation: (inviter, key) for invitation, inviter, key in rows}
        return [(each, self.code(each.session, *made[each.id])[1]) for each in found]

    def code(self, session: str, seat: str, key: str) -> tuple[str, str]:
        """Derive an invitation's id and code from `session`, `seat` and `key`.

        `seat` is the inviting seat, and `key` is the idempotency key. A repeated request therefore
        gets the same id and code.
        """
        secret = self._secret_of("invitation", session, seat, key)
        return hashlib.sha256(b"id" + secret).hexdigest()[:16], CODE_PREFIX + secret_text(secret)

    def invitations(self, session: str) -> list[Invitation]:
        """Return the session's invitations that can still be used, oldest first."""
        return self._invitations(
            "session=? AND revoked=0 AND uses>0 AND expires>? ORDER BY at, id", session
        )

    def invitation(self, code: str) -> Invitation | None:
        """Return the invitation with this code if it can still be used, otherwise None."""
        found = self._invitations("hash=? AND revoked=0 AND uses>0 AND expires>?", token_hash(code))
        return found[0] if found else None

    def find_invitation(self, code: str) -> Invitation | None:
        """Return the invitation with this code, even if it can no longer be used.

        Return None if the code is unknown.
        """
        found = self._invitations("hash=? AND ?>0", token_hash(code))
        return found[0] if found else None

    def withdraw(self, session: str, invitation: str) -> bool:
        """Withdraw the invitation. Return False if the session has no such invitation."""
        statement = "UPDATE invitations SET revoked=? WHERE id=? AND session=?"
        return self._store.write((statement, [(self._now(), invitation, session)])) == 1

    def write(self, *statements: SideRow) -> bool:
        """Run the statements in one transaction and return True.

        If they violate a constraint, write nothing and return False. This happens, for example, if
        an idempotency key was used before or an invitation is used up.
        """
        try:
            self._store.write(*statements)
        except IntegrityError:
            return False
        return True

    def _invitations(self, where: str, value: str | bytes, *more: str) -> list[Invitation]:
        columns = "id, session, role, seat, uses, expires"
        rows = self._store.query(
            f"SELECT {columns} FROM invitations WHERE {where}",  # noqa: S608 our own conditions
            (value, self._now(), *more),
        )
        return [
            Invitation(name, session, Role(role), seat or UNSET, uses, expires)
            for name, session, role, seat, uses, expires in rows
        ]

    def _secret_of(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, encode(parts), "sha256")


def _scopes_of(stored: str) -> frozenset[Scope]:
    """Return the scopes in the text, or all if it is empty, as for a seat's own token."""
    return frozenset(scope for scope in SCOPES if scope in stored.split()) if stored else SCOPES


def token_hash(secret: str) -> bytes:
    """Return the hash under which a token or the code of an invitation is stored."""
    return hashlib.sha256(secret.encode()).digest()


def secret_text(secret: bytes) -> str:
    """Return the secret as it follows the prefix of a token or code."""
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
