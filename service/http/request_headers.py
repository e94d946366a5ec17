"""Functions that read a request's idempotency key and raw body."""

from __future__ import annotations

import re

from flask import g, request
from werkzeug.exceptions import HTTPException

from service.http.errors import ProblemError
from service.platform import clock
from service.sessions.idempotency import RequestIdentity, request_hash

_KEY = re.compile(r"[!-~]{16,128}")


def request_identity(seat: str, under: str = "") -> RequestIdentity:
    """Return the identity of the current request. Retries have the same identity.

    It contains only a hash of the idempotency key, because the key that opened a session gives
    access to the GM's token.
    """
    digest = request_hash(f"{request.method} {request.path}\n".encode() + request_body())
    return RequestIdentity(
        seat, request_hash(idempotency_key().encode()).hex(), digest, under, g.get("newest", 0)
    )


def request_body() -> bytes:
    """Return the whole request body.

    Raises ProblemError("unreadable") if the body is incomplete.
    """
    try:
        raw = request.get_data()
    except HTTPException:
        raise
    except Exception as broken:  # WSGI does not define what a server raises for malformed chunks
        raise ProblemError(
            "unreadable", "The request body could not be read completely. Send it again."
        ) from broken
    if request.content_length not in (None, len(raw)):
        raise ProblemError(
            "unreadable", "The request body is shorter than its Content-Length. Send it again."
        )
    return raw


def idempotency_key() -> str:
    """Return the request's idempotency key, or generate one if the header is absent.

    The key is always sent back in the response. Raises ProblemError("unreadable") if the header is
    malformed.
    """
    if "idempotency_key" not in g:
        g.idempotency_key = _key_header() or clock.random_bytes().hex()
    made: str = g.idempotency_key
    return made


def _key_header() -> str:
    sent = request.headers.get("Idempotency-Key", "")
    if "Idempotency-Key" in request.headers and not _KEY.fullmatch(sent):
        raise ProblemError(
            "unreadable", "Idempotency-Key must consist of 16 to 128 visible ASCII characters."
        )
    return sent


def note_replay() -> None:
    """Note that the response repeats the stored result of an earlier request with the same key.

    The response then has the header Idempotency-Replayed.
    """
    g.is_replayed = True
