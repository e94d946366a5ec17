"""Configuration of the server's log: one JSON object a line, with its request and session."""

from __future__ import annotations

import structlog


def configure(level: str) -> None:
    """Configure logging in this process.

    Tracebacks leave out local variables, which contain tokens and request bodies.
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
