"""The settings that guard a server which strangers reach: keys, limits, the proxies in front of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from service.bounds import Setting, matching

KEY = matching(r"([!-~]{16,200})?", "unset, or 16 to 200 visible ASCII characters")


@dataclass(frozen=True)
class Guards:
    """Of `Settings`, which see."""

    metrics_key: Annotated[
        str, Setting("FAIRLOG_METRICS_KEY", "", KEY, "What `/metrics` wants as a bearer token. Unset: nothing.", True)
    ]
