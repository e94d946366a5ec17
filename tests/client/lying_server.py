"""A server that lies: it stands in front of a real one, and bends what that answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from domain.proof.signed_note import Checkpoint, parse_checkpoint, parse_note, sign_checkpoint
from domain.recorded_event import commitment, leaf
from service.platform.keys import Signer

Bend = Callable[[str, Any], None]
"""Changes the JSON of an answer in place, by the path that was asked for. A note comes as {"note": text}."""


class Liar(ThreadingHTTPServer):
    """Honest until `bend` is set, and there until `is_away` is. It passes requests on and loses the answers while
    `loses_answers` is set."""

    daemon_threads = True

    def __init__(self, truth: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.truth = urlsplit(truth).netloc
        self.bend: Bend = honest
        self.is_away = self.loses_answers = False
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Liar

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.server.is_away:
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        with closing(HTTPConnection(self.server.truth, timeout=20)) as truth:
            truth.request(self.command, self.path, body, dict(self.headers.items()))
            answer = truth.getresponse()
            if self.server.loses_answers:
                answer.read()
                self.send_error(HTTPStatus.GATEWAY_TIMEOUT)
            else:
                self._answer(answer)

    def _answer(self, answer: HTTPResponse) -> None:
        if self.path.partition("?")[0].endswith("/stream"):
            self._follow(answer)
            return
        told = self._bent(answer.headers.get_content_type(), answer.read())
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def _follow(self, answer: HTTPResponse) -> None:
        """A stream is passed on as it comes."""
        self.send_response(answer.status)
        self.end_headers()
        with suppress(OSError):
            for line in answer:
                self.wfile.write(line)

    def _bent(self, kind: str, told: bytes) -> bytes:
        path = urlsplit(self.path).path
        if path.endswith("/checkpoint"):
            note = {"note": told.decode()}
            self.server.bend(path, note)
            return note["note"].encode()
        if not kind.endswith("json"):
            return told
        answer = json.loads(told)
        self.server.bend(path, answer)
        return json.dumps(
            answer, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        ).encode()

    do_GET = do_POST = _pass_on

    def log_message(self, format: str, *args: object) -> None:
        pass


def honest(path: str, answer: Any) -> None:
    pass


@contextmanager
def lying(truth: str) -> Iterator[Liar]:
    liar = Liar(truth)
    thread = Thread(target=liar.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield liar
    finally:
        liar.shutdown()
        liar.server_close()
        thread.join()


def of_the_draw(change: Callable[[Any], None]) -> Bend:
    """Bends the draw that waits."""

    def bend(path: str, answer: Any) -> None:
        if path.endswith("/draws/pending") and "number" in answer:
            change(answer)

    return bend


def of_events(kind: str, change: Callable[[Any], None], *, keep_leaf: bool = False) -> Bend:
    """Bends every event of a kind, as the pages of events tell it; of declarations those that draw.

    The event gets the leaf that it would have, unless `keep_leaf` is set. Events that are sent
    without their leaves, for display only, stay as they are.
    """

    def bend(path: str, answer: Any) -> None:
        if path.endswith("/events"):
            for event in answer["events"]:
                if (
                    event.get("kind") == f"session.{kind}"
                    and "leaf" in event
                    and (kind != "Declared" or "draw" in event["body"])
                ):
                    change(event)
                    if not keep_leaf:
                        event["leaf"] = new_leaf(event)

    return bend


def new_leaf(event: Any) -> str:
    """The leaf of an event that was bent. If it has no body, it has the commitment of before."""
    old = json.loads(event["leaf"])
    body = old["body"]
    if "body" in event:
        raw = json.dumps(event["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        body = commitment(bytes.fromhex(event["salt"]), raw.encode()).hex()
    turn, seat = event["turn"], event["seat"]
    return leaf(old["session"], event["version"], turn, old["at"], seat, body).decode()


def signed(note: str, key: Signer, root: bytes | None = None) -> str:
    """A note of the same origin and size, of another root where one is given, signed by that key."""
    old: Checkpoint = parse_checkpoint(parse_note(note).text)
    return sign_checkpoint(old.origin, old.size, root or old.root, key.public, key.sign)
