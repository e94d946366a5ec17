"""A seat's connection that outlives whatever is killed: it asks again under the same key until it has its answer."""

from __future__ import annotations

import http.client
import json
import re
import time
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from service.client.api import ApiConnection, ApiResponse, UnexpectedResponseError, UnreachableError
from service.sessions.idempotency import request_hash
from tests.service.soak.ledger import Accepted, Event, Ledger

PATIENCE = 150.0  # seconds: nothing that is killed here stays away for so long
PAUSE = 0.2
IDLE = 1.0  # seconds after which a server may close the connection, which is no loss
ACCEPTED = (HTTPStatus.CREATED, HTTPStatus.ACCEPTED)
SESSION = re.compile(r"/v1/sessions/([0-9a-f]+)\b")
NOES = {409: "refused", 412: "version-conflict"}
_events = msgspec.json.Decoder(list[Event])


class _Answered(msgspec.Struct):
    session: str = ""
    events: msgspec.Raw = msgspec.Raw(b"[]")


class Request(NamedTuple):
    method: str
    path: str
    body: bytes
    headers: dict[str, str]


class Patient(ApiConnection):
    """A client that writes each response into the ledger.

    Raises UnexpectedResponseError for a status that no soak request should have.
    """

    def __init__(self, ledger: Ledger, url: str, token: str = "") -> None:
        super().__init__(url, token, ())
        self._ledger = ledger
        self._last: tuple[Request, ApiResponse] | None = None
        self._idle = time.monotonic()

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> ApiResponse:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(method, path, body, headers)
        if time.monotonic() - self._idle > IDLE:
            self._connection.close()
        answer, troubles = self._until_answered(request)
        self._idle = time.monotonic()
        self._note(request, answer)
        if troubles:
            self._ask_again()
        if answer.status == HTTPStatus.CREATED and method == "POST":
            self._last = request, answer
        return answer

    def _until_answered(self, request: Request) -> tuple[ApiResponse, int]:
        """The answer, and how often there was none or a 503 before it."""
        began, troubles = time.monotonic(), 0
        while time.monotonic() - began < PATIENCE:
            sent = time.monotonic()
            try:
                answer = self._once(*request)
            except (OSError, http.client.HTTPException):
                self._ledger.count("lost" if request.method == "POST" else "lost reads")
            else:
                self._ledger.took(time.monotonic() - sent)
                if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
                    return answer, troubles
                self._ledger.count(f"503 {answer.json['code']}")
            troubles += 1
            time.sleep(PAUSE)
        raise UnreachableError(f"{request.method} {request.path}: for {PATIENCE:g} s")

    def _note(self, request: Request, answer: ApiResponse) -> None:
        if answer.status >= 500 or answer.status in (400, 401, 403, 422, 429):
            raise UnexpectedResponseError(
                f"{request.method} {request.path} was answered {answer.status}: {answer.body!r}"
            )
        if request.method == "POST" and answer.status in NOES:
            self._ledger.count(NOES[answer.status])
        if answer.status > 202 or not answer.headers["Content-Type"].startswith("application/json"):
            return
        said = msgspec.json.decode(answer.body, type=_Answered)
        found = SESSION.match(request.path)
        session = found[1] if found else said.session
        events = _events.decode(said.events)
        self._ledger.saw(session, events)
        if request.method == "POST" and answer.status in ACCEPTED:
            verb = request.path.rpartition("/")[2]
            own = said.session if verb == "sessions" else session
            first = next((event.version for event in events), 0)
            key = request_hash(request.headers["Idempotency-Key"].encode()).hex()  # as it is stored
            self._ledger.took_in(Accepted(own, verb, key, first))

    def _ask_again(self) -> None:
        """What was accepted before the trouble is answered now as it was then."""
        if self._last is None:
            return
        request, before = self._last
        again, _ = self._until_answered(request)
        self._ledger.count("asked again")
        if again.status != before.status or _fast(again.json) != _fast(before.json):
            self._ledger.wrong(
                f"{request.path} was answered {before.body!r}, and then {again.body!r}"
            )


def _fast(told: dict[str, Any]) -> Any:
    """Of an answer what no later turn changes."""
    events = [
        [event[name] for name in ("version", "turn", "at", "seat")]
        for event in told.get("events", ())
    ]
    return json.dumps(
        [events, *(told.get(name) for name in ("turn", "token", "code", "session", "seat"))]
    )
