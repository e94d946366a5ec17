"""The application as gunicorn loads it, in each process after its fork: `service.http.wsgi:app`."""

from __future__ import annotations

import os

import structlog

from service.bootstrap import build
from service.http import create_app
from service.settings import Settings

settings = Settings.read(os.environ)
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,  # no local variables: they hold tokens and bodies
        structlog.processors.JSONRenderer(),
    ],
    wrapper_class=structlog.make_filtering_bound_logger(settings.log),
    cache_logger_on_first_use=True,
)

app = create_app(build(settings))
