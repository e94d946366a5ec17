"""What a request says in its headers: the idempotency key that its answer is kept under, the version it expects."""

from __future__ import annotations

import re

from flask import g, request

from service import sources
from service.answers import Asked, request_hash
from service.http.problems import Problem

_KEY = re.compile(r"[!-~]{16,128}")
_MATCH = re.compile(r'"([1-9][0-9]{0,14})"')


def asked(seat: str) -> Asked:
    """The request as its answer is remembered."""
    return Asked(seat, key(), request_digest())


def request_digest() -> bytes:
    return request_hash(f"{request.method} {request.path}\n".encode() + request.get_data())


def key() -> str:
    """The request's idempotency key, made here where none was sent; it goes back in the answer's header."""
    sent = sent_key()
    if not sent:
        sent = sources.fresh().hex()
    g.idempotency_key = sent
    return sent


def sent_key() -> str:
    """The idempotency key that was sent, "" where none was."""
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
