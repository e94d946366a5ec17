"""Webhooks: let the server send a session's events to an address."""

from __future__ import annotations

import ipaddress
from contextlib import suppress
from typing import Annotated
from urllib.parse import urlsplit

from flask import Response, url_for
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.decider import Refused
from domain.session.messages import Version
from service.http import auth, models
from service.http.errors import ProblemError, body_errors
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.request_headers import idempotency_key, note_replay, request_identity
from service.http.responses import json_response
from service.platform import clock
from service.sessions import idempotency
from service.sessions.webhooks import (
    MAX_WEBHOOKS,
    State,
    TooManyWebhooksError,
    Webhook,
    Webhooks,
    webhooks_of,
)
from service.webhooks.message import Format

blueprint = Blueprint("Webhooks", __name__, tag="Events")

MessageFormat = Annotated[
    Format,
    Meta(
        description="the form of the messages: JSON with the event as the API shows it "
        "(`standard`, docs/webhooks.md), an embed for a Discord channel (`discord`), or plain text "
        "(`text`)"
    ),
]


class WebhookRequest(models.RequestModel, frozen=True):
    """A request to create a webhook."""

    url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=1000,
            pattern=r"^https?://[!-~]+$(?!\n)",
            description="the http or https address that receives the messages",
        ),
    ]
    format: MessageFormat = "standard"
    after: (
        Annotated[
            Version,
            Meta(description="send the events after this version; default: only new events"),
        ]
        | UnsetType
    ) = UNSET


class ResumeRequest(models.RequestModel, frozen=True):
    """A request to let a webhook send again."""

    after: (
        Annotated[
            Version,
            Meta(
                description="send the events after this version; default: those that the receiver "
                "has not accepted yet"
            ),
        ]
        | UnsetType
    ) = UNSET


class WebhookView(models.ResponseModel, frozen=True):
    """A webhook of a session.

    A webhook stops if its receiver accepts nothing for three days. It stays, and can be resumed.
    """

    id: Annotated[str, Meta(description="the webhook's id, 8 bytes in hex")]
    url: Annotated[str, Meta(description="the address that receives the messages")]
    format: MessageFormat
    seat: Annotated[str, Meta(description="the id of the seat that created the webhook")]
    created_at: Annotated[
        str, Meta(description="the time when the webhook was created (ISO 8601, UTC)")
    ]
    state: Annotated[
        State,
        Meta(
            description="`active`; `stopped` if the receiver has accepted nothing for three days; "
            "`gone` if the receiver answered with the status 410, which asks for no more messages"
        ),
    ]
    delivered_version: Annotated[
        int, Meta(description="the last version that the receiver accepted, or 0")
    ]
    failures: Annotated[
        int, Meta(description="the number of failed attempts since the last accepted message")
    ]
    next_attempt_at: (
        Annotated[
            str,
            Meta(
                description="the time of the next attempt after a failure (ISO 8601, UTC); absent "
                "if no attempt has failed"
            ),
        ]
        | UnsetType
    ) = UNSET
    problem: (
        Annotated[str, Meta(description="why the last attempt failed; absent if it did not")]
        | UnsetType
    ) = UNSET
    secret: (
        Annotated[
            str,
            Meta(
                description="the secret with which the messages are signed (Standard Webhooks); "
                "present only when the webhook is created"
            ),
        ]
        | UnsetType
    ) = UNSET


class WebhookList(models.ResponseModel, frozen=True):
    webhooks: Annotated[list[WebhookView], Meta(description="the webhooks, oldest first")]


@blueprint.operation(
    "createWebhook",
    "POST",
    "/v1/sessions/<session:session>/webhooks",
    body=WebhookRequest,
    returns=WebhookView,
    status=201,
    keyed=True,
    problems=["refused"],
    sends=["Location"],
)
def create(session: str, body: WebhookRequest) -> Response:
    """Create a webhook.

    Only the GM may do this. From now on, the server sends each event of the session to the address,
    as everyone may see it: in order, and again until the receiver accepts it. The response contains
    the secret of the signatures, which is not shown again.
    """
    seat, now = auth.require_gm(session)
    app, request = auth.services().app, request_identity(seat)
    webhooks = webhooks_of(app)
    number = webhooks.id_for(session, seat, idempotency_key())
    if idempotency.stored_response(app.recorder, now, request) is None:
        _check_address(body.url, allows_private=app.settings.webhooks_private)
        after = now.version if body.after is UNSET else min(body.after, now.version)
        made = Webhook(
            number,
            session,
            body.url,
            body.format,
            seat,
            clock.now_ms(),
            "active",
            after,
            0,
            0,
            0,
            "",
        )
        try:
            if not webhooks.create(request, now.version, made):
                # A concurrent request used the key. This raises an error if it was different.
                idempotency.stored_response(app.recorder, now, request)
                note_replay()
        except TooManyWebhooksError:
            raise Refused("too-many-webhooks", most=MAX_WEBHOOKS) from None
    else:
        note_replay()
    view = replace(_view(_find(webhooks, session, number)), secret=webhooks.secret(number))
    response = json_response(view, 201)
    response.headers["Location"] = url_for("Webhooks.webhook", session=session, webhook=number)
    return response


@blueprint.operation(
    "listWebhooks",
    "GET",
    "/v1/sessions/<session:session>/webhooks",
    returns=WebhookList,
    problems=["refused"],
)
def webhooks(session: str) -> Response:
    """List the webhooks.

    Only the GM may read this list. It shows how far each webhook has come, and why it fails.
    """
    auth.require_gm(session)
    found = webhooks_of(auth.services().app).of_session(session)
    return json_response(WebhookList([_view(each) for each in found]))


@blueprint.operation(
    "getWebhook",
    "GET",
    "/v1/sessions/<session:session>/webhooks/<webhook:webhook>",
    returns=WebhookView,
    problems=["refused"],
)
def webhook(session: str, webhook: str) -> Response:
    """Read a webhook.

    Only the GM may do this.
    """
    auth.require_gm(session)
    return json_response(_view(_find(webhooks_of(auth.services().app), session, webhook)))


@blueprint.operation(
    "resumeWebhook",
    "POST",
    "/v1/sessions/<session:session>/webhooks/<webhook:webhook>/resume",
    body=ResumeRequest,
    returns=WebhookView,
    problems=["refused"],
)
def resume(session: str, webhook: str, body: ResumeRequest) -> Response:
    """Resume a webhook.

    Only the GM may do this. The server tries again at once. It begins with the first event that the
    receiver has not accepted, or after the version that you name.
    """
    _, now = auth.require_gm(session)
    found = webhooks_of(auth.services().app)
    after = None if body.after is UNSET else min(body.after, now.version)
    if not found.resume(session, webhook, after):
        raise _no_webhook(webhook)
    return json_response(_view(_find(found, session, webhook)))


@blueprint.operation(
    "deleteWebhook",
    "DELETE",
    "/v1/sessions/<session:session>/webhooks/<webhook:webhook>",
    returns=None,
    status=204,
    problems=["refused"],
)
def delete(session: str, webhook: str) -> Response:
    """Delete a webhook.

    Only the GM may do this. A message that is being sent can still arrive.
    """
    auth.require_gm(session)
    if not webhooks_of(auth.services().app).delete(session, webhook):
        raise _no_webhook(webhook)
    return Response(status=204)


def _check_address(url: str, *, allows_private: bool) -> None:
    """Raise ProblemError("malformed") if no message could ever be sent to the address.

    Names are resolved when messages are sent, because they can change.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port != 0 else None
    except ValueError:
        host = None
    if not host:
        raise _wrong_address("Must be an http or https address with a host.")
    with suppress(ValueError):  # a name
        if not ipaddress.ip_address(host).is_global and not allows_private:
            raise _wrong_address(
                "Must not be an address of a private network. Run `fairlog relay --private` on a "
                "machine of that network instead, or ask the operator to set "
                "FAIRLOG_WEBHOOKS_PRIVATE=yes."
            )


def _wrong_address(reason: str) -> ProblemError:
    return ProblemError(
        "malformed",
        "Some fields are not valid. See `errors` for the reasons.",
        errors=body_errors({"url": [reason]}),
    )


def _find(webhooks: Webhooks, session: str, webhook: str) -> Webhook:
    found = webhooks.find(session, webhook)
    if found is None:
        raise _no_webhook(webhook)
    return found


def _no_webhook(webhook: str) -> ProblemError:
    detail = f"The session has no webhook {webhook}. Use an id from the list of webhooks."
    return ProblemError("not-found", detail)


def _view(found: Webhook) -> WebhookView:
    return WebhookView(
        found.id,
        found.url,
        found.format,
        found.seat,
        iso_time(found.at),
        found.state,
        found.delivered,
        found.failures,
        iso_time(found.due) if found.due and found.state == "active" else UNSET,
        found.problem or UNSET,
    )
