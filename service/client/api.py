"""HTTP connection from a seat's client to the API, and the API's response types."""

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

from service.client.log_tree import ReceivedEvent
from service.platform.clock import random_session_id

UNAVAILABLE_STATUSES = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""HTTP statuses of a server or proxy that is temporarily unavailable. Retry later."""
RETRY_PAUSES_SECONDS = (
    0.05,
    0.5,
    2.0,
)  # pauses before an unanswered request is retried; its idempotency key makes retries safe

MAX_RESPONSE_BYTES = 64 << 20
"""The maximum size of a response, and of a line of a stream."""


class UnreachableError(Exception):
    """The server did not respond to any attempt, or reported that it is unavailable."""


class UnexpectedResponseError(Exception):
    """The server sent a response that the client cannot handle."""


class ApiResponse(NamedTuple):
    """An HTTP response. `json` raises ValueError if the body is not JSON."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class ApiConnection:
    """A persistent connection from one seat's client to a server. Not thread-safe."""

    def __init__(
        self, url: str, token: str = "", pauses: tuple[float, ...] = RETRY_PAUSES_SECONDS
    ) -> None:
        self.token = token
        self._pauses = pauses
        self._connection = _create_connection(url)

    def get(self, path: str, accept: str = "application/json") -> ApiResponse:
        return self._send("GET", path, b"", {"Accept": accept})

    def post(
        self, path: str, body: object, *, key: str = "", version: int | None = None
    ) -> ApiResponse:
        """Send a POST request.

        `key` is the idempotency key. To retry a request safely, pass the same key again. If
        `version` is set, the server refuses the request unless the session is at that version.
        """
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": key or random_session_id(),
        }
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._send("POST", path, json.dumps(body).encode(), headers)

    def delete(self, path: str) -> ApiResponse:
        return self._send("DELETE", path, b"", {"Idempotency-Key": random_session_id()})

    def lines(self, path: str, accept: str = "application/x-ndjson") -> Iterator[bytes]:
        """Yield the lines of a streaming response as they arrive.

        The stream ends when the server or `hang_up` ends it. Raises UnexpectedResponseError or
        UnreachableError.
        """
        headers = {"Accept": accept} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        try:
            self._connection.request("GET", path, None, headers)
            answer = self._connection.getresponse()
            if answer.status in UNAVAILABLE_STATUSES:
                raise UnreachableError(f"GET {path} returned {answer.status}: try again later")
            if answer.status != HTTPStatus.OK:
                raise UnexpectedResponseError(
                    f"GET {path} returned {answer.status}: {_read(answer).decode(errors='replace')}"
                )
            while line := _within_limit(answer.readline(MAX_RESPONSE_BYTES + 1)):
                yield line
        except (OSError, ValueError, http.client.HTTPException) as error:
            # ValueError: `hang_up` closed the stream while it was read.
            raise UnreachableError(f"no response to GET {path}: {error!r}") from error
        finally:
            self._connection.close()

    def hang_up(self) -> None:
        """End a stream that another thread is reading."""
        sock = self._connection.sock
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._connection.close()

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> ApiResponse:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for pause in self._pauses:
            with suppress(OSError, http.client.HTTPException):
                return self._once(method, path, body, headers)
            time.sleep(pause)
        try:
            return self._once(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise UnreachableError(f"no response to {method} {path}: {error!r}") from error

    def _once(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> ApiResponse:
        try:
            self._connection.request(method, path, body or None, headers)
            answer = self._connection.getresponse()
            return ApiResponse(answer.status, answer.headers, _read(answer))
        except BaseException:
            self._connection.close()  # the next request reopens it
            raise


def _read(answer: http.client.HTTPResponse) -> bytes:
    """Return the whole body. Raises http.client.IncompleteRead if the connection was lost."""
    content = _within_limit(answer.read(MAX_RESPONSE_BYTES + 1))
    if answer.length:  # `read` with a size does not check this
        raise http.client.IncompleteRead(content, answer.length)
    return content


def _within_limit(content: bytes) -> bytes:
    """Return the content, or raise UnexpectedResponseError if it is too large.

    Without this check, a malicious server could fill the client's memory.
    """
    if len(content) > MAX_RESPONSE_BYTES:
        raise UnexpectedResponseError(f"the response is larger than {MAX_RESPONSE_BYTES >> 20} MiB")
    return content


def _create_connection(url: str) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.netloc, timeout=30)


ACCEPTED_STATUSES = (HTTPStatus.CREATED, HTTPStatus.ACCEPTED)


class RequestRefusedError(Exception):
    """The server refused a request.

    `status` is the status of the response. The other attributes are from the problem document in
    the response, or empty if there is none: `rule` is the slug of the rule or else the code,
    `detail` says in sentences what is wrong and what to do, and `facts` are the facts of a refusal.
    """

    def __init__(self, answer: ApiResponse) -> None:
        problem = parse_problem(answer)
        self.status = answer.status
        self.rule = str(problem.get("rule") or problem.get("code") or "")
        facts = problem.get("facts")
        self.facts: dict[str, Any] = facts if isinstance(facts, dict) else {}
        errors = problem.get("errors")
        said = [str(problem.get("detail") or "")]
        said += [
            f"{each.get('pointer') or each.get('parameter')}: {each.get('detail')}"
            for each in (errors if isinstance(errors, list) else [])
            if isinstance(each, dict)
        ]
        self.detail = " ".join(filter(None, said))
        reason = f" ({self.rule})" if self.rule else ""
        text = self.detail or answer.body.decode(errors="replace")
        super().__init__(f"the server responded with status {answer.status}{reason}: {text}")


def parse_problem(answer: ApiResponse) -> dict[str, Any]:
    """Return the problem document in the response, or {} if there is none.

    There is none if, for example, a proxy sent an HTML error page.
    """
    try:
        problem = answer.json
    except (ValueError, RecursionError):
        return {}
    return problem if isinstance(problem, dict) else {}


class EventPage(msgspec.Struct, frozen=True):
    """A page of events.

    `next` is the version after which the next page starts, or None on the last page.
    """

    events: tuple[ReceivedEvent, ...]
    next: int | None = None


class PendingDraw(msgspec.Struct, frozen=True):
    """A pending draw, with a checkpoint that covers its declaration at `version`.

    `contributed` lists the seats that have contributed.
    """

    number: int
    version: int
    checkpoint: str
    contributed: tuple[str, ...] = ()


class ReceiptResponse(msgspec.Struct, frozen=True):
    receipt: str


class StreamNotice(msgspec.Struct, frozen=True):
    """A line in the event stream that is not an event.

    It reports a change to the pending draw, or is a heartbeat.
    """

    draw: dict[str, Any] | None = None


def require_accepted(answer: ApiResponse) -> Any:
    """Return the JSON body of the response if the server accepted the change.

    Raises RequestRefusedError, or UnreachableError if the server is unavailable.
    """
    if answer.status not in ACCEPTED_STATUSES:
        raise _refusal(answer)
    return answer.json


def require_ok(answer: ApiResponse) -> ApiResponse:
    """Return the response if its status is 200.

    Raises RequestRefusedError, or UnreachableError if the server is unavailable.
    """
    if answer.status != HTTPStatus.OK:
        raise _refusal(answer)
    return answer


def _refusal(answer: ApiResponse) -> RequestRefusedError | UnreachableError:
    """Return the exception to raise for a response that reports a failure.

    This is UnreachableError if the server is unavailable, and RequestRefusedError otherwise.
    """
    refused = RequestRefusedError(answer)
    return UnreachableError(str(refused)) if answer.status in UNAVAILABLE_STATUSES else refused
