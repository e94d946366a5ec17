"""What a form of our own pages sends: its fields as the API's structs, and the key that a second press repeats."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from flask import g, request

from service import sources
from service.console.door import require_own_page
from service.http import schemas
from service.http.asking import body
from service.http.problems import Problem

T = TypeVar("T", bound=msgspec.Struct)
KEY = "key"
_OURS = (KEY, "act")


def fresh_key() -> str:
    """What a form is drawn with, so that its answer is given once."""
    return sources.fresh_id()


def sent() -> dict[str, list[str]]:
    """The fields that somebody has filled in. Problem("forbidden") of another site's form, Problem("unreadable")."""
    require_own_page()
    body()  # read before the form is, so that it can be read again
    key = request.form.get(KEY, "")
    if "Idempotency-Key" not in request.headers and 16 <= len(key) <= 128 and key.isascii() and key.isalnum():
        g.idempotency_key = key
    return {
        name: [value.strip() for value in values]
        for name, values in request.form.lists()
        if name not in _OURS and any(value.strip() for value in values)
    }


def read(struct: type[T], fields: dict[str, list[str]]) -> T:
    """The fields as the API's struct. Problem("malformed") with what is wrong with each."""
    return schemas.read_query(struct, fields)


def wrong(problem: Problem) -> dict[str, str]:
    """What is wrong, by field."""
    return {name: " ".join(map(str, said)) for name, said in dict(problem.more.get("errors", {})).items()}
