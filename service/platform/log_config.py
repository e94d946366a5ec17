"""The server's own log: a JSON object a line, with the request and the session that it is about."""

from __future__ import annotations

import structlog


def configure(level: str) -> None:
    """From now on, in this process. No local variables of a traceback: they hold tokens and bodies."""
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
