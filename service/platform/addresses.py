"""Network addresses."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_exposed(url: str) -> bool:
    """Return True if requests to the server at `url` leave this machine unencrypted."""
    parts = urlsplit(url)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return False
    try:
        return not ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return True
