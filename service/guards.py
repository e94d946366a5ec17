"""The settings that guard a server which strangers reach: keys, limits, the proxies in front of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from service.bounds import Setting, matching, whole

KEY = matching(r"([!-~]{16,200})?", "unset, or 16 to 200 visible ASCII characters")


@dataclass(frozen=True)
class Guards:
    """Of `Settings`, which see."""

    metrics_key: Annotated[
        str,
        Setting(
            "FAIRLOG_METRICS_KEY",
            "",
            KEY,
            "What `/metrics` wants as a bearer token. Unset: nothing.",
            True,
        ),
    ] = field(repr=False)
    opening_key: Annotated[
        str,
        Setting(
            "FAIRLOG_OPENING_KEY",
            "",
            KEY,
            "What opening a session asks for. Unset: anybody may.",
            True,
        ),
    ] = field(repr=False)
    proxies: Annotated[
        int,
        Setting(
            "FAIRLOG_PROXIES",
            "0",
            whole(0, 16),
            "Proxies in front that say who asks, each trusted.",
        ),
    ]
    rate_token: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_TOKEN",
            "0",
            whole(0, 10**6),
            "Requests of one token in a minute. 0: any number.",
        ),
    ]
    rate_address: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_ADDRESS",
            "0",
            whole(0, 10**6),
            "Requests of one address in a minute. 0: any number.",
        ),
    ]
    openings: Annotated[
        int,
        Setting(
            "FAIRLOG_OPENINGS",
            "0",
            whole(0, 10**6),
            "Sessions that one address opens in an hour. 0: any number.",
        ),
    ]
    streams_each: Annotated[
        int,
        Setting(
            "FAIRLOG_STREAMS_EACH",
            "0",
            whole(0, 4096),
            "Live streams of a token in a process. 0: any number.",
        ),
    ]
    retention: Annotated[
        int,
        Setting(
            "FAIRLOG_RETENTION",
            "0",
            whole(0, 36_500),
            "Days after its close that a session is deleted. 0: never.",
        ),
    ]
    stop_seconds: Annotated[
        int,
        Setting(
            "FAIRLOG_STOP_SECONDS",
            "10",
            whole(1, 3600),
            "What open requests and running jobs get at the end.",
        ),
    ]
    token_days: Annotated[
        int,
        Setting(
            "FAIRLOG_TOKEN_DAYS",
            "0",
            whole(0, 36_500),
            "Days that a seat's token is good for. 0: for ever.",
        ),
    ]
