"""Bodies made from the document, with integers as we write them."""

from __future__ import annotations

from typing import Any


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
