"""What a request says in its headers: the idempotency key that its answer is kept under, the version it expects."""

from __future__ import annotations

import re

from flask import g, request
from werkzeug.exceptions import HTTPException

from service import sources
from service.answers import Asked, request_hash
from service.http.problems import Problem

_KEY = re.compile(r"[!-~]{16,128}")
_MATCH = re.compile(r'"([1-9][0-9]{0,14})"')


def asked(seat: str, under: str = "") -> Asked:
    """The request as its answer is remembered. Who repeats an opening gets its token: of the key a hash is kept."""
    digest = request_hash(f"{request.method} {request.path}\n".encode() + body())
    return Asked(seat, request_hash(key().encode()).hex(), digest, under, g.get("newest", 0))


def body() -> bytes:
    """The request's body, as long as it says it is. Problem("unreadable")."""
    try:
        raw = request.get_data()
    except HTTPException:
        raise
    except (
        Exception
    ) as broken:  # what a server's reader raises over malformed chunks, WSGI does not say
        raise Problem("unreadable", "The body cannot be read to its end.") from broken
    if request.content_length not in (None, len(raw)):
        raise Problem("unreadable", "The body is shorter than its Content-Length.")
    return raw


def key() -> str:
    """The request's idempotency key, made here where none was sent; it goes back in the answer's header."""
    if "idempotency_key" not in g:
        g.idempotency_key = _sent_key() or sources.fresh().hex()
    made: str = g.idempotency_key
    return made


def _sent_key() -> str:
    sent = request.headers.get("Idempotency-Key", "")
    if "Idempotency-Key" in request.headers and not _KEY.fullmatch(sent):
        raise Problem("unreadable", "Idempotency-Key: 16 to 128 visible ASCII characters.")
    return sent


def expected() -> int | None:
    """The version that If-Match names; None where it names none."""
    sent = request.headers.get("If-Match")
    if sent is None or sent.strip() == "*":
        return None
    found = _MATCH.fullmatch(sent.strip())
    if not found:
        raise Problem("unreadable", 'If-Match: one version in double quotes, as in "41", or *.')
    return int(found[1])
