"""What a server answers a seat."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from service.client.log_watcher import Told
from service.platform.clock import random_session_id

AWAY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""What a server says, or what stands in front of it, where asking again later is all that can be done."""
PAUSES = (0.05, 0.5, 2.0)  # seconds before a lost request is sent again; its key makes that safe


class Unreachable(Exception):
    """The server did not answer, however often it was asked."""


class OffScript(Exception):
    """The server's answer is not what the script says."""


class Answer(NamedTuple):
    """What came back. `json` raises ValueError where the body is something else."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class ApiConnection:
    """One seat's connection to a server, kept alive. Not safe between threads."""

    def __init__(self, url: str, token: str = "", pauses: tuple[float, ...] = PAUSES) -> None:
        self.token = token
        self._pauses = pauses
        self._connection = _connection(url)

    def get(self, path: str, accept: str = "application/json") -> Answer:
        return self._send("GET", path, b"", {"Accept": accept})

    def post(self, path: str, body: object, *, key: str = "", version: int | None = None) -> Answer:
        """A change; `key` names it where it is to be sent again, `version` is what it is meant for."""
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": key or random_session_id(),
        }
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._send("POST", path, json.dumps(body).encode(), headers)

    def delete(self, path: str) -> Answer:
        return self._send("DELETE", path, b"", {"Idempotency-Key": random_session_id()})

    def lines(self, path: str, accept: str = "application/x-ndjson") -> Iterator[bytes]:
        """A stream's lines as they come, until the server or `hang_up` ends it. Raises OffScript, Unreachable."""
        headers = {"Accept": accept} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        try:
            self._connection.request("GET", path, None, headers)
            answer = self._connection.getresponse()
            if answer.status in AWAY:
                raise Unreachable(f"GET {path} was answered {answer.status}")
            if answer.status != HTTPStatus.OK:
                raise OffScript(
                    f"GET {path} was answered {answer.status}: {answer.read().decode(errors='replace')}"
                )
            yield from answer
        except (
            OSError,
            ValueError,
            http.client.HTTPException,
        ) as error:  # ValueError: closed while it was read
            raise Unreachable(f"GET {path}: {error!r}") from error
        finally:
            self._connection.close()

    def hang_up(self) -> None:
        """Ends a stream that another thread reads."""
        wire = self._connection.sock
        if wire is not None:
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._connection.close()

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for pause in self._pauses:
            with suppress(OSError, http.client.HTTPException):
                return self._once(method, path, body, headers)
            time.sleep(pause)
        try:
            return self._once(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{method} {path}: {error!r}") from error

    def _once(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        try:
            self._connection.request(method, path, body or None, headers)
            answer = self._connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        except BaseException:
            self._connection.close()  # the next request opens it anew
            raise


def _connection(url: str) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.netloc, timeout=30)


MADE = (HTTPStatus.CREATED, HTTPStatus.ACCEPTED)


class CommandRefusedError(Exception):
    """The server refused: `rule` is the slug of its problem document, or its code."""

    def __init__(self, answer: Answer) -> None:
        problem = _problem(answer)
        self.status, self.rule = (
            answer.status,
            str(problem.get("rule") or problem.get("code") or ""),
        )
        super().__init__(f"{answer.status} {self.rule}: {answer.body.decode(errors='replace')}")


def _problem(answer: Answer) -> dict[str, Any]:
    """Its members; none where a server, or what stands in front of it, says no in other words."""
    try:
        problem = answer.json
    except (ValueError, RecursionError):
        return {}
    return problem if isinstance(problem, dict) else {}


class Page(msgspec.Struct, frozen=True):
    """Events, and where to go on; None at the head."""

    events: tuple[Told, ...]
    next: int | None = None


class Received(msgspec.Struct, frozen=True):
    receipt: str


class Said(msgspec.Struct, frozen=True):
    """A line of the stream that is no event."""

    draw: dict[str, Any] | None = None


def made(answer: Answer) -> Any:
    """The JSON of what came of a request. Raises Refused, Unreachable."""
    if answer.status not in MADE:
        raise _no(answer)
    return answer.json


def had(answer: Answer) -> Answer:
    """What was asked for. Raises Refused, Unreachable."""
    if answer.status != HTTPStatus.OK:
        raise _no(answer)
    return answer


def _no(answer: Answer) -> CommandRefusedError | Unreachable:
    """A server that cannot answer now has refused nothing."""
    refused = CommandRefusedError(answer)
    return Unreachable(str(refused)) if answer.status in AWAY else refused
