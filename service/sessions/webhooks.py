"""The webhooks of sessions: where the server sends events, and which events it has sent."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import Literal, NamedTuple

from domain.codec import encode
from service.platform import clock
from service.sessions import idempotency
from service.sessions.app import App
from service.sessions.idempotency import RequestIdentity
from service.store.recorder import IntegrityError, Recorder
from service.webhooks.delivery import SECRET_PREFIX
from service.webhooks.message import Format

State = Literal["active", "stopped", "gone"]
MAX_WEBHOOKS = 8
"""The maximum number of webhooks of a session."""
STOPPED_AFTER_MS = 3 * 86_400_000
"""A webhook stops if its receiver has accepted nothing for this long."""
COLUMNS = (
    "id, session, url, format, seat, at, state, delivered, failures, failing_since, due, problem"
)
LEASE_MS = 20_000
"""How long a worker's claim to a webhook lasts after each message.

One attempt takes 15 s at most.
"""
DUE_SELECT = (
    "SELECT id, session, delivered FROM webhooks"
    " WHERE state='active' AND due<=? AND lease<=? AND EXISTS"
    " (SELECT 1 FROM stored_events WHERE originator_id=webhooks.session"
    " AND originator_version=webhooks.delivered+1) ORDER BY due, id"
)


class Webhook(NamedTuple):
    """A webhook of a session.

    `seat` created it. `delivered` is the last version that the receiver accepted. `failures` counts
    the failures in a row since `failing_since`, and `due` is the time of the next attempt.
    `problem` describes the last failure. Times are in ms since the epoch, and 0 if there is none.
    A `stopped` webhook waits until it is resumed. The receiver of one that is `gone` has answered
    that it wants no more messages.
    """

    id: str
    session: str
    url: str
    format: Format
    seat: str
    at: int
    state: State
    delivered: int
    failures: int
    failing_since: int
    due: int
    problem: str


class TooManyWebhooksError(Exception):
    """The session has as many webhooks as it may have."""


def webhooks_of(app: App) -> Webhooks:
    return Webhooks(app.recorder, app.keys.secret, clock.now_ms)


class Webhooks:
    """Database access for webhooks. `now` returns the current time in ms since the epoch."""

    def __init__(self, store: Recorder, secret: bytes, now: Callable[[], int]) -> None:
        self._store, self._secret, self._now = store, secret, now

    def id_for(self, session: str, seat: str, key: str) -> str:
        """Derive the id of a new webhook, so that a repeated request gets the same webhook.

        `key` is the idempotency key.
        """
        return hashlib.sha256(b"id" + self._secret_of(session, seat, key)).hexdigest()[:16]

    def secret(self, webhook: str) -> str:
        """Return the secret with which the webhook's messages are signed.

        It is derived from the server's key, so the database does not contain it.
        """
        return SECRET_PREFIX + base64.b64encode(self._secret_of("secret", webhook)).decode()

    def create(self, request: RequestIdentity, version: int, webhook: Webhook) -> bool:
        """Store the webhook together with the answer to the request that created it.

        If the request's idempotency key was used before, store nothing and return False. Raises
        TooManyWebhooksError.
        """
        if len(self.of_session(webhook.session)) >= MAX_WEBHOOKS:
            raise TooManyWebhooksError
        marks = ",".join("?" * len(webhook))
        insert = f"INSERT INTO webhooks ({COLUMNS}) VALUES ({marks})"  # noqa: S608 our own columns
        try:
            self._store.write(
                (insert, [webhook]),
                idempotency.answer_row(webhook.session, request, version, version),
            )
        except IntegrityError:
            return False
        return True

    def of_session(self, session: str) -> list[Webhook]:
        """Return the session's webhooks, oldest first."""
        return self._select("session=? ORDER BY at, id", session)

    def find(self, session: str, webhook: str) -> Webhook | None:
        found = self._select("session=? AND id=?", session, webhook)
        return found[0] if found else None

    def delete(self, session: str, webhook: str) -> bool:
        """Delete the webhook. Return False if the session has no such webhook."""
        statement = "DELETE FROM webhooks WHERE session=? AND id=?"
        return self._store.write((statement, [(session, webhook)])) == 1

    def resume(self, session: str, webhook: str, after: int | None) -> bool:
        """Let the webhook send again at once, behind version `after` or where it stopped.

        Return False if the session has no such webhook.
        """
        statement = (
            "UPDATE webhooks SET state='active', failures=0, failing_since=0, due=0, problem='',"
            " delivered=COALESCE(?, delivered), claim='', lease=0 WHERE session=? AND id=?"
        )
        return self._store.write((statement, [(after, session, webhook)])) == 1

    def due(self) -> list[tuple[str, str, int]]:
        """Return the (id, session, last delivered version) of each webhook with an event to send.

        Webhooks that a worker has claimed are omitted.
        """
        now = self._now()
        rows = self._store.query(DUE_SELECT, (now, now))
        return [(webhook, session, delivered) for webhook, session, delivered in rows]

    def claim(self, webhook: str, claim: str) -> None:
        """Note that the worker with this claim sends the webhook's messages from now on.

        Only one worker may send at a time, because messages must arrive in order. The claim of any
        other worker ends.
        """
        statement = "UPDATE webhooks SET claim=?, lease=? WHERE id=?"
        self._store.write((statement, [(claim, self._now() + LEASE_MS, webhook)]))

    def release(self, webhook: str, claim: str) -> None:
        """End the claim, so that the next worker need not wait until it expires."""
        statement = "UPDATE webhooks SET lease=0 WHERE id=? AND claim=?"
        self._store.write((statement, [(webhook, claim)]))

    def claimed(self, webhook: str, claim: str) -> Webhook | None:
        """Return the active webhook, or None if the claim has ended."""
        found = self._select("id=? AND claim=? AND state='active'", webhook, claim)
        return found[0] if found else None

    def note_delivery(self, webhook: Webhook, claim: str, version: int) -> None:
        """Note that the receiver accepted the message about the event at `version`."""
        statement = (
            "UPDATE webhooks SET delivered=?, failures=0, failing_since=0, due=0, problem='',"
            " lease=? WHERE id=? AND claim=? AND delivered=?"
        )
        lease = self._now() + LEASE_MS
        self._store.write((statement, [(version, lease, webhook.id, claim, webhook.delivered)]))

    def note_failure(
        self, webhook: Webhook, claim: str, problem: str, *, pause: float, gone: bool = False
    ) -> State:
        """Note a failure, and return the webhook's new state.

        `pause` is the number of seconds until the next attempt. If `gone` is True, there is none.
        """
        now = self._now()
        since = webhook.failing_since or now
        state: State = "active"
        if gone:
            state = "gone"
        elif now - since >= STOPPED_AFTER_MS:
            state = "stopped"
        statement = (
            "UPDATE webhooks SET state=?, failures=failures+1, failing_since=?, due=?, problem=?"
            " WHERE id=? AND claim=?"
        )
        row = (state, since, now + int(pause * 1000), problem[:400], webhook.id, claim)
        self._store.write((statement, [row]))
        return state

    def _select(self, where: str, *values: object) -> list[Webhook]:
        rows = self._store.query(f"SELECT {COLUMNS} FROM webhooks WHERE {where}", values)  # noqa: S608 our own conditions
        return [Webhook(*row) for row in rows]

    def _secret_of(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, encode(("webhook", *parts)), "sha256")
