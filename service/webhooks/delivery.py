"""Delivery of one webhook message: signature, address check and HTTP request."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
from contextlib import closing
from typing import NamedTuple
from urllib.parse import urlsplit

from service.webhooks.message import Message

SECRET_PREFIX = "whsec_"  # noqa: S105 the prefix of every secret, by Standard Webhooks
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64
TIMEOUT_SECONDS = 15
GONE = 410
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.2, 3600.0


class InvalidSecretError(ValueError):
    """The text is not a secret in the form of Standard Webhooks."""


class AddressRefusedError(Exception):
    """The receiver's address is not allowed, or its name cannot be resolved."""


class DeliveryFailedError(Exception):
    """The receiver did not accept the message.

    `status` is the HTTP status, or 0 if there was no response. `retry_after` is the number of
    seconds that the receiver asked to wait, or 0.
    """

    def __init__(self, reason: str, status: int = 0, retry_after: float = 0.0) -> None:
        super().__init__(reason)
        self.status, self.retry_after = status, retry_after

    @property
    def is_gone(self) -> bool:
        """True if the receiver wants no more messages."""
        return self.status == GONE


class Target(NamedTuple):
    """A receiver. `secret` is the key of the signature, or b"" to send no signature."""

    url: str
    secret: bytes = b""
    allows_private: bool = False


def parse_secret(text: str) -> bytes:
    """Return the key in a secret: `whsec_`, then 24 to 64 bytes in base64.

    Raises InvalidSecretError.
    """
    try:
        key = base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError:
        key = b""
    if not text.startswith(SECRET_PREFIX) or not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise InvalidSecretError(
            f"a secret consists of {SECRET_PREFIX} and {MIN_SECRET_BYTES} to {MAX_SECRET_BYTES}"
            " bytes in base64"
        )
    return key


def signature(key: bytes, message: Message, timestamp: int) -> str:
    """Return the value of the header `webhook-signature` (Standard Webhooks 1.0)."""
    signed = f"{message.id}.{timestamp}.".encode() + message.body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def deliver(target: Target, message: Message, timestamp: int) -> None:
    """Send the message once. `timestamp` is the current time in seconds since the epoch.

    Raises DeliveryFailedError unless the receiver answers with a status from 200 to 299, and
    AddressRefusedError if the address is not allowed. Redirects are not followed.
    """
    parts = urlsplit(target.url)
    headers = {
        "Content-Type": message.content_type,
        "User-Agent": "Fairlog",
        "webhook-id": message.id,
        "webhook-timestamp": str(timestamp),
    }
    if target.secret:
        headers["webhook-signature"] = signature(target.secret, message, timestamp)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    with closing(_connect(target)) as connection:
        try:
            connection.request("POST", path, message.body, headers)
            answer = connection.getresponse()
            answer.read(1)  # the body does not matter, but its beginning must arrive
        except (OSError, http.client.HTTPException) as error:
            raise DeliveryFailedError(f"no response from {parts.hostname}: {error!r}") from None
    if not 200 <= answer.status < 300:
        wait = answer.headers.get("Retry-After", "")
        raise DeliveryFailedError(
            f"{parts.hostname} answered with status {answer.status}",
            answer.status,
            float(wait) if wait.isdecimal() else 0.0,
        )


def pause_seconds(failures: int) -> float:
    """Return the pause after the given number of failures in a row. It doubles each time."""
    return min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(failures - 1, 20))


def _connect(target: Target) -> http.client.HTTPConnection:
    """Return a connection to an address that the target's name resolves to and that is allowed.

    The connection is to the address that was checked. Otherwise, the name could resolve to another
    address when the connection opens it (DNS rebinding).
    """
    parts = urlsplit(target.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise AddressRefusedError(f"{target.url} is not an http or https address")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = _allowed_address(parts.hostname, port, allows_private=target.allows_private)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            parts.hostname, port, timeout=TIMEOUT_SECONDS, context=context
        )
    else:
        connection = http.client.HTTPConnection(parts.hostname, port, timeout=TIMEOUT_SECONDS)

    def connect(_: object, timeout: float, source: tuple[str, int] | None = None) -> socket.socket:
        return socket.create_connection((address, port), timeout, source)

    connection._create_connection = connect  # type: ignore[attr-defined]
    return connection


def _allowed_address(host: str, port: int, *, allows_private: bool) -> str:
    """Return the first address of the host that messages may be sent to.

    In a private network, the request could reach services that trust its sender.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise DeliveryFailedError(f"the name {host} cannot be resolved: {error}") from None
    for *_, place in found:
        address = ipaddress.ip_address(str(place[0]).partition("%")[0])
        if allows_private or (address.is_global and not address.is_multicast):
            return str(place[0])
    raise AddressRefusedError(
        f"{host} is an address of a private network, to which no messages are sent"
    )
