"""Seat client: takes part in a session, checks each draw, and contributes to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec

from domain.proof import ProofError
from domain.proof.signed_note import parse_vkey
from domain.session.state import HOUSE
from domain.verify.receipts import Receipt, SignedContribution
from service.client import contributions
from service.client.api import (
    ACCEPTED_STATUSES,
    ApiConnection,
    ApiResponse,
    EventPage,
    ReceiptResponse,
    StreamNotice,
    UnreachableError,
    require_accepted,
    require_ok,
)
from service.client.draw_checks import (
    CheckedDraw,
    PendingDraw,
    SeenCheckpoint,
    check_extension,
    check_pending_draw,
)
from service.client.log_watcher import LogWatcher, ReceivedEvent
from service.client.seat_file import SeatFile, SentCommand
from service.platform import clock
from service.platform.ed25519 import verify

PAGE_SIZE = 200
MAX_UPKEEP_REQUESTS = 3  # absent, the next chain, present again
POSTPONED_RULES = ("draw-waits", "presence-unchanged", "session-closed")
LATE_RULES = ("draw-is-over", "no-draw-waits", "already-given")
STREAM_RETRY_SECONDS = 0.5
EventCallback = Callable[[ReceivedEvent], None]


class SeatClient:
    """Client of one seat, safe between threads.

    `poll` contributes to the pending draw once, `listen` to each draw until it is stopped.
    `on_event` is called once for each event. Set `allow_other_clients` if the seat also sends
    commands from other programs: the client then accepts commands that it did not send.

    Each method raises ProofError if the log does not hold: then stop, and keep the file.
    """

    def __init__(
        self,
        seat_file: SeatFile,
        on_event: EventCallback | None = None,
        *,
        allow_other_clients: bool = False,
    ) -> None:
        self.file, self.data = seat_file, seat_file.data
        self.on_event = on_event or (lambda event: None)
        self.watcher = LogWatcher(seat_file, verify, allow_other_clients=allow_other_clients)
        self.last_response = ""  # to the last poll; evidence if the log does not hold
        self._log = parse_vkey(self.data.log_key)
        self._connection = ApiConnection(self.data.server, self.data.token)
        self._stream: ApiConnection | None = None
        self._lock = threading.RLock()
        self._stopped = threading.Event()
        self._stays = True

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.data.session}"

    def take_part(self) -> None:
        """Read the log, anchor a chain if the seat has none, and sign present if it was absent.

        The server accepts neither while a draw is pending; `poll` and `listen` send them after it.
        """
        with self._lock:
            self.check_checkpoint()
            self.catch_up()
            self._send_upkeep()

    def set_presence(self, *, present: bool) -> None:
        """Sign that the seat takes part in the next draws, or not. Raises RequestRefusedError."""
        with self._lock:
            self.catch_up()
            self._stays = present
            if present and contributions.is_next_link_revealed(self.file, self.watcher):
                body = contributions.next_chain_request(self.file, self.watcher)
                require_accepted(self._post("chain", body))
                self.catch_up()
            body = contributions.presence_request(self.file, self.watcher, present=present)
            require_accepted(self._post("presence", body))
            self.catch_up()

    def leave(self) -> None:
        """Give the seat up, until `join` with the file. Raises RequestRefusedError."""
        with self._lock:
            self.catch_up()
            signature = contributions.leave_signature(self.file, self.watcher)
            path = f"{self.path}/seats/{self.data.seat}?signature={signature}"
            require_ok(self._connection.delete(path))
            self._stays = False

    def command(self, command: object, **fields: Any) -> Any:
        """Send a command and return its turn. Raises RequestRefusedError.

        `fields` are further fields of the API's request: `audience`, `target`, `faces`. If
        the draw needs other seats, the response has `waiting`, and more events follow later.
        """
        with self._lock:
            sent = self._record_command(command, fields)
            body = {"command": command} | fields
            response = self._connection.post(f"{self.path}/commands", body)
            if response.status not in ACCEPTED_STATUSES:
                self.data.asked.remove(sent)
            return require_accepted(response)

    def narrate(self, text: str, **fields: Any) -> Any:
        """Add a narration and return its turn. Raises RequestRefusedError.

        `fields` are further fields of the API's request: `about`, `audience`.
        """
        with self._lock:
            body = {"text": text} | fields
            return require_accepted(self._connection.post(f"{self.path}/narrate", body))

    def poll(self) -> bool:
        """Read new events, and contribute to the pending draw. Return True if it contributed."""
        with self._lock:
            seen = f"?seen={self.data.size}" if self.data.size else ""
            response = self._connection.get(f"{self.path}/draws/pending{seen}")
            self.last_response = response.body.decode(errors="replace")
            if response.status == HTTPStatus.NOT_FOUND:
                self.catch_up()
                self._send_upkeep()
                return False
            if response.status == HTTPStatus.CONFLICT:
                expected = f"at least {self.data.size} events, the size seen before"
                raise ProofError("E_TRUNCATED", response.body.decode(), expected)
            pending = msgspec.json.decode(require_ok(response).body, type=PendingDraw)
            if pending.version > self.watcher.version:
                self.catch_up()
            return self.data.seat not in pending.came and self._contribute(pending)

    def listen(self) -> None:
        """Read new events, and contribute to each draw, until `stop` is called.

        Raises also UnreachableError, UnexpectedResponseError.
        """
        while not self._stopped.is_set():
            self.poll()
            self._stream = ApiConnection(self.data.server, self.data.token)
            path = f"{self.path}/stream?after={self.watcher.version}"
            try:
                for line in self._stream.lines(path):
                    if self._stopped.is_set():
                        break
                    self._read_line(line)
            except UnreachableError:
                # A stream may just end. If the server is down, the next `poll` raises.
                self._stopped.wait(STREAM_RETRY_SECONDS)

    def stop(self) -> None:
        """End `listen`, from `on_event` or from another thread."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.hang_up()

    def close(self) -> None:
        self.stop()
        with self._lock:
            self.file.save()
            self._connection.close()

    def catch_up(self) -> None:
        """Read every event up to the head."""
        with self._lock:
            has_more = True
            while has_more:
                path = f"{self.path}/events?after={self.watcher.version}&limit={PAGE_SIZE}"
                response = require_ok(self._connection.get(path))
                page = msgspec.json.decode(response.body, type=EventPage)
                for event in page.events:
                    self._read(event)
                has_more = page.next is not None
            if self.data.since is None:
                self.data.since = self.watcher.version
                self.file.save()

    def check_checkpoint(self) -> SeenCheckpoint:
        """Check that the newest checkpoint extends the last one seen; store and return it."""
        with self._lock:
            response = self._connection.get(f"{self.path}/checkpoint", "text/plain")
            note = require_ok(response).body.decode()
            size = check_extension(note, (), self._log, SeenCheckpoint(0, b""), verify).size
            proof: tuple[str, ...] = ()
            if 0 < self.data.size < size:
                path = f"{self.path}/proofs/consistency?from={self.data.size}&to={size}"
                proof = tuple(require_ok(self._connection.get(path)).json["proof"])
            now = check_extension(note, proof, self._log, self._seen, verify)
            self._store_checkpoint(note, SeenCheckpoint(now.size, now.root))
            self.file.save()
            return self._seen

    def cosign(self) -> bool:
        """Cosign the last checkpoint checked. Return False if the server takes no cosignatures."""
        with self._lock:
            if not self.data.note:
                self.check_checkpoint()
            body = contributions.cosignature_request(self.file, clock.now_ms() // 1000)
            response = self._connection.post(f"{self.path}/cosignatures", body)
            return response.status != HTTPStatus.NOT_FOUND and bool(require_accepted(response))

    @property
    def _seen(self) -> SeenCheckpoint:
        return SeenCheckpoint(self.data.size, bytes.fromhex(self.data.root))

    def _store_checkpoint(self, note: str, seen: SeenCheckpoint) -> None:
        self.data.note, self.data.size, self.data.root = note, seen.size, seen.root.hex()

    def _read(self, event: ReceivedEvent) -> None:
        if event.version <= self.watcher.version:  # both the stream and a page had it
            return
        self.watcher.read(event)
        if event.version > self.data.watched:
            self.data.watched = event.version
            self.on_event(event)

    def _read_line(self, line: bytes) -> None:
        """Read a line of the stream: an event, a change of the pending draw, or a heartbeat."""
        with self._lock:
            if line.startswith(b'{"version"'):
                self._read(msgspec.json.decode(line, type=ReceivedEvent))
                draw = self.watcher.open_draw
                if draw is None or draw.place(self.data.seat) is None:
                    self._send_upkeep()
            elif msgspec.json.decode(line, type=StreamNotice).draw is not None:
                self.poll()

    def _record_command(self, command: object, fields: dict[str, Any]) -> SentCommand:
        """Save the command before it is sent: it may be in the log even if no response arrives."""
        if not self.watcher.version:
            self.catch_up()
        if fields.get("audience") in ("gm", "self"):
            fields.setdefault("blind", clock.random_bytes().hex())
        canonical = self.watcher.canonical_command(command)
        sent = SentCommand(canonical, fields.get("audience", ""), fields.get("blind", ""))
        self.data.asked.append(sent)
        self.file.save()
        return sent

    def _contribute(self, pending: PendingDraw) -> bool:
        """Check the draw, save and send the link, and store the receipt. Return True if sent."""
        checked = check_pending_draw(pending, self.data.session, self._log, self._seen, verify)
        place = self.watcher.required_place(pending.version, checked)
        self._store_checkpoint(pending.checkpoint, checked.seen)
        if place is None or contributions.was_link_revealed(self.file, place):
            return False
        sent = contributions.create_contribution(self.file, checked, place)
        body = {name: value for name, value in msgspec.to_builtins(sent).items() if name != "seat"}
        path = f"{self.path}/draws/{pending.k}/contributions"
        return self._store_receipt(self._connection.post(path, body), checked, sent)

    def _store_receipt(self, response: ApiResponse, checked: CheckedDraw, sent: Any) -> bool:
        """Check and store the receipt. Return False if the draw ended before."""
        if response.status == HTTPStatus.CONFLICT:
            rule = response.json.get("rule")
            if rule == "another-log":
                expected = f"{sent.seen_root} of {sent.seen_size}, as the seat signed"
                raise ProofError("E_FORK", response.body.decode(), expected)
            if rule in LATE_RULES:
                return False
        receipt = msgspec.convert(require_accepted(response), ReceiptResponse).receipt
        house = self.watcher.chains.state_of(HOUSE).key
        signed = contributions.check_receipt(self.file, checked, sent, receipt, house)
        self.file.add_receipt(
            Receipt(msgspec.json.decode(signed, type=SignedContribution), receipt)
        )
        return True

    def _send_upkeep(self) -> None:
        """Send the chain and presence that the next draws need, unless the session is paused."""
        for _ in range(MAX_UPKEEP_REQUESTS):
            if not self._stays:
                return
            request = contributions.next_request(self.file, self.watcher)
            if request is None:
                return
            response = self._post(*request)
            is_refused = response.status == HTTPStatus.CONFLICT
            if is_refused and response.json.get("rule") in POSTPONED_RULES:
                return
            require_accepted(response)
            self.catch_up()

    def _post(self, part: str, body: object) -> ApiResponse:
        return self._connection.post(f"{self.path}/seats/{self.data.seat}/{part}", body)
