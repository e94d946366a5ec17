"""Bodies made from the document, with integers as we write them and names that can be given."""

from __future__ import annotations

import re
from typing import Any
from unicodedata import category, normalize

from domain.session.display_names import is_forbidden
from domain.text import is_blank


def without_points(body: Any) -> Any:
    """JSON Schema takes 1.0 for an integer; we take what we would write, and that is 1."""
    match body:
        case float() if body.is_integer():
            return int(body)
        case dict():
            return {name: without_points(value) for name, value in body.items()}
        case list():
            return [without_points(value) for value in body]
    return body


def addressed(body: Any) -> Any:
    """The document cannot say what the host in an address may be."""
    match body:
        case {"url": str(url)} if re.fullmatch(r"https?://[!-~]+", url):
            return {**body, "url": "http://127.0.0.1/hook"}
    return body


def nameable(body: Any) -> Any:
    """The document cannot list the characters that no name of a seat can contain."""
    match body:
        case {"name": str(name)} if re.fullmatch(r"[^\x00-\x1f\x7f]{1,80}", name):
            shown = "".join(
                "?" if is_forbidden(char) or char.isspace() or category(char) == "Cn" else char
                for char in name
            )
            return {**body, "name": "?" if is_blank(shown) else normalize("NFC", shown)[:80]}
    return body
