"""Logging configuration.

Each log entry is a line of JSON, with the ids of the request and the session if there are any.
"""

from __future__ import annotations

import structlog


def configure(level: str) -> None:
    """Configure logging in this process for messages of at least `level`.

    Tracebacks omit local variables, because these may contain tokens and request bodies.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
