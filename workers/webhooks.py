"""Delivery of events to the webhooks of sessions, in order and at least once."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import structlog

from domain.visibility import PUBLIC_VIEWER
from service.http.presenters import events_page
from service.jobs import definitions
from service.jobs.queue import QueueUnavailableError
from service.platform import clock
from service.sessions.app import App
from service.sessions.webhooks import Webhook, Webhooks, webhooks_of
from service.store.errors import UnknownSessionError
from service.webhooks.delivery import (
    AddressRefusedError,
    DeliveryFailedError,
    Target,
    deliver,
    parse_secret,
    pause_seconds,
)
from service.webhooks.message import build_message

MAX_SECONDS = 20.0
"""A job that has taken this long ends after its current message. The follower enqueues another."""

log = structlog.get_logger("fairlog.webhooks")


def enqueue_webhooks(app: App) -> None:
    """Enqueue a job for each webhook that has an event to send now.

    If the queue is unavailable, the next call tries again.
    """
    due = webhooks_of(app).due()
    with suppress(QueueUnavailableError):
        for webhook, session, delivered in due:
            app.queue.enqueue(definitions.webhook(session, webhook, delivered + 1))


def send_events(app: App, session: str, webhook: str) -> None:
    """Send the webhook's next events, one after the other.

    Return when it has them all, after a failure, or after MAX_SECONDS. A message is sent only after
    the receiver has accepted the one before, so messages arrive in order. If a worker ends between
    the receiver's answer and the note of it, the next worker sends that message again, with the
    same id.
    """
    webhooks, claim, end = (
        webhooks_of(app),
        clock.random_bytes()[:16].hex(),
        clock.now() + MAX_SECONDS,
    )
    webhooks.claim(webhook, claim)
    while clock.now() < end:
        found = webhooks.claimed(webhook, claim)
        if found is None or not _send_next(app, webhooks, found, claim):
            break
    webhooks.release(webhook, claim)


def _send_next(app: App, webhooks: Webhooks, webhook: Webhook, claim: str) -> bool:
    """Send the event after the last one that was delivered. Return True if there can be more."""
    try:
        now = app.log.read(webhook.session).session
    except UnknownSessionError:  # deleted meanwhile, and the webhook with it
        return False
    # A channel has readers who hold no seat.
    page = events_page(app, now, PUBLIC_VIEWER, webhook.delivered, 1)
    if not page:
        return False
    event = msgspec.json.decode(msgspec.json.encode(page[0]))
    message = build_message(webhook.session, now.info.title, event, webhook.format)
    target = Target(
        webhook.url,
        parse_secret(webhooks.secret(webhook.id)),
        allows_private=app.settings.webhooks_private,
    )
    try:
        deliver(target, message, clock.now_ms() // 1000)
    except (DeliveryFailedError, AddressRefusedError) as failed:
        is_gone = isinstance(failed, DeliveryFailedError) and failed.is_gone
        wait = failed.retry_after if isinstance(failed, DeliveryFailedError) else 0.0
        pause = max(pause_seconds(webhook.failures + 1), wait)
        state = webhooks.note_failure(webhook, claim, str(failed), pause=pause, gone=is_gone)
        log.info("webhook failed", webhook=webhook.id, state=state, problem=str(failed))
        return False
    webhooks.note_delivery(webhook, claim, event["version"])
    return True
