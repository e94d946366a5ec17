"""What a form of our own pages sends, the key that a second press repeats, and what is wrong with its fields."""

from __future__ import annotations

from flask import g, request
from msgspec import UNSET

from service.http.errors import ProblemError
from service.http.request_headers import request_body
from service.platform import clock
from service.web.door import require_own_page

KEY = "key"
_OURS = (KEY, "act")


def fresh_key() -> str:
    """What a form is drawn with, so that its answer is given once."""
    return clock.random_session_id()


def sent() -> dict[str, list[str]]:
    """The fields that somebody has filled in. Problem("forbidden") of another site's form, Problem("unreadable")."""
    require_own_page()
    request_body()  # read before the form is, so that it can be read again
    key = request.form.get(KEY, "")
    if (
        "Idempotency-Key" not in request.headers
        and 16 <= len(key) <= 128
        and key.isascii()
        and key.isalnum()
    ):
        g.idempotency_key = key
    return {
        # A browser sends line breaks as CRLF.
        name: [value.strip().replace("\r\n", "\n") for value in values]
        for name, values in request.form.lists()
        if name not in _OURS and any(value.strip() for value in values)
    }


def wrong(problem: ProblemError) -> dict[str, str]:
    """Return the messages about each field, keyed by the field's own name.

    Messages about an item of a list belong to the list's field.
    """
    found: dict[str, list[str]] = {}
    for error in problem.more.get("errors", []):
        path = [error.parameter] if error.pointer is UNSET else error.pointer.split("/")
        name = next(part for part in reversed(path) if not part.isdecimal())
        found.setdefault(name.removeprefix("#"), []).append(error.detail)
    return {name: " ".join(messages) for name, messages in found.items()}
