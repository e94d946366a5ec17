"""How a page is drawn: its template, its headers, and the few words that every template has."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, render_template, stream_template
from jinja2 import StrictUndefined
from markupsafe import Markup, escape

from domain.session.descriptions import fill
from service.platform.addresses import is_exposed
from service.web.assets import asset
from service.web.saying import role_said

# A form's POST names its origin, which "no-referrer" would hide: the door looks at it.
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Vary": "Accept, Authorization, Cookie",
}


def prepare(app: Flask) -> None:
    """From now on templates know `asset`, and refuse a name that nobody gave them."""
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(asset=asset, is_exposed=is_exposed)
    app.jinja_env.filters.update(moment=moment, named=fill, coded=coded, role=role_said)


def page(template: str, status: int = 200, **shown: Any) -> Response:  # whatever the template shows
    """The drawn page."""
    return Response(
        render_template(template, **shown), status, HEADERS, content_type="text/html; charset=utf-8"
    )


def streamed(template: str, **shown: Any) -> Response:  # whatever the template shows
    """The page, sent while it is drawn: one that may be long."""
    return Response(
        stream_template(template, **shown), headers=HEADERS, content_type="text/html; charset=utf-8"
    )


def go_to(address: str) -> Response:
    """Leads there, as the answer to a form."""
    return Response(status=303, headers={"Location": address, "Cache-Control": "no-store"})


def coded(words: str) -> Markup:
    """The words, with what stands between backticks as code."""
    parts = [escape(part) for part in words.split("`")]
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if nth % 2 else part
        for nth, part in enumerate(parts)
    )


def moment(at: str) -> Markup:
    """A time of the API (ISO 8601, UTC) as people write it."""
    read = datetime.fromisoformat(at).astimezone(UTC)
    return Markup('<time datetime="{}">{} {}</time>').format(
        at, read.day, f"{read:%b %Y, %H:%M} UTC"
    )
