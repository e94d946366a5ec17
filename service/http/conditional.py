"""Conditional requests: the If-Match and If-None-Match headers (RFC 9110, 13.1)."""

from __future__ import annotations

import re

from flask import Response, request

from service.http.errors import ProblemError

_TAG = r'(W/)?"[!#-~]*"'
TAGS_PATTERN = f"{_TAG}( *, *{_TAG})*"
"""A list of tags in double quotes (RFC 9110, 8.8.3; ASCII only)."""
_TAGS = re.compile(TAGS_PATTERN)
_VERSION = re.compile(r'(?<!W/)"([1-9][0-9]{0,14})(?:\.[0-9a-f]{8})?"')


def expected_versions() -> frozenset[int] | None:
    """Return the versions in the If-Match header, or None if any version matches.

    A tag may have a suffix that tells representations of a version apart. Weak tags and tags that
    are not versions match no version. Raises ProblemError("unreadable") if
    the header is not a list of tags.
    """
    sent = request.headers.get("If-Match", "*").strip()
    if sent == "*":
        return None
    if _TAGS.fullmatch(sent) is None:
        raise ProblemError(
            "unreadable",
            'If-Match must list versions in double quotes, such as "41", or be *.',
        )
    return frozenset(map(int, _VERSION.findall(sent)))


def answer_unchanged(response: Response) -> None:
    """Turn the response into a 304 if the client already has this representation.

    The client names what it has in If-None-Match, or in If-Modified-Since if there is no ETag.
    """
    is_answer = request.method in ("GET", "HEAD") and response.status_code == 200
    if is_answer and not response.is_streamed:  # it would be read to its end to find its length
        response.make_conditional(request)
