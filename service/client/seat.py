"""Seat client: takes part in a session, checks each draw and contributes to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from unicodedata import normalize
from urllib.parse import urlencode

import msgspec
from msgspec import UNSET

from domain.codec import KINDS
from domain.proof import ProofError
from domain.proof.signed_note import Vkey, current_key, open_checkpoint, parse_vkey, vkey_text
from domain.session.messages import Contribution, Declared
from domain.session.state import HOUSE
from domain.verify.receipts import Receipt, SignedContribution
from service.client import contributions
from service.client.api import (
    ACCEPTED_STATUSES,
    ApiConnection,
    ApiResponse,
    EventPage,
    PendingDraw,
    ReceiptResponse,
    StreamNotice,
    UnexpectedResponseError,
    UnreachableError,
    parse_problem,
    require_accepted,
    require_ok,
)
from service.client.log_tree import LogTree, ReceivedEvent, SeenCheckpoint
from service.client.log_watcher import LogWatcher, check_entropy_sent
from service.client.seat_file import ContributedDraw, SeatFile, SentCommand
from service.platform import clock
from service.platform.ed25519 import verify

PAGE_SIZE = 200
MAX_UPKEEP_REQUESTS = 2  # one to anchor the next chain, and one to be present again
MAX_COMMAND_REQUESTS = 10
MAX_CHECKPOINT_REQUESTS = 3
MAYBE_RECORDED = (HTTPStatus.TOO_MANY_REQUESTS, *range(HTTPStatus.INTERNAL_SERVER_ERROR, 600))
"""Statuses after which an earlier attempt to send the same command may have been recorded."""
POSTPONED_RULES = ("draw-waits", "presence-unchanged", "seen-elsewhere", "session-closed")
LATE_RULES = ("draw-is-over", "no-draw-waits", "already-given")
STREAM_RETRY_SECONDS = 0.5
DECLARED = KINDS[Declared]
EventCallback = Callable[[ReceivedEvent], None]


class DrawPendingError(Exception):
    """The client sends no entropy while a draw is pending.

    Call `poll` until the draw has ended, then send the command again.
    """


class MalformedCommandError(ValueError):
    """The command has a wrong kind, field or value, so the client has not sent it."""


class BlindMissingError(Exception):
    """The log has no commitment to the blind of the next secret draw.

    Sessions of format 2 that were opened before such commitments existed have none. The server
    could then choose the values of a secret draw by choosing the blind, so the client sends no
    secret command.
    """


class SeatClient:
    """Thread-safe client for one seat.

    `poll` contributes to the pending draw once; `listen` contributes to every draw until it is
    stopped. `on_event` is called once for each event. After a restart, it is called again for
    events that no checkpoint had covered before the restart. Set `allow_other_clients` if other
    programs also send commands for the seat. The client then accepts commands in the log that it
    did not send itself.

    Every method raises ProofError if a check of the log fails. In that case, stop using the client
    and keep the seat file as evidence.
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
        self.on_dispute: Callable[[int], None] = lambda k: None
        """Called with the number of a voided draw that names the seat as missing, although the
        client contributed to it and got no receipt."""
        self.tree = LogTree(self.data.session)
        self.watcher = LogWatcher(seat_file, verify, allow_other_clients=allow_other_clients)
        self.last_response = (
            ""  # the response to the last poll: evidence if a check of the log fails
        )
        self._connection = ApiConnection(self.data.server, self.data.token)
        self._stream: ApiConnection | None = None
        self._lock = threading.RLock()
        self._stopped = threading.Event()
        self._stays = True

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.data.session}"

    def take_part(self) -> None:
        """Read the log, anchor a chain if the seat has none, and mark the seat as present.

        The server refuses to anchor a chain or change presence while a draw is pending. In that
        case, `poll` and `listen` send the requests after the draw.
        """
        with self._lock:
            seen = self._seen  # saved first, because a command sent by `on_event` updates it
            self.catch_up()
            self.tree.check_start(seen)
            version = self.watcher.version
            self.check_checkpoint()
            self._require_covered(version)
            if self.data.since is None:
                self.data.since = self.data.size
                self.file.save()
            if self.watcher.version < self.data.watched:
                raise ProofError(
                    "E_TRUNCATED",
                    f"{self.watcher.version} events",
                    f"at least {self.data.watched} events, because this seat has already read"
                    " that many",
                )
            self._send_upkeep()

    def set_presence(self, *, present: bool) -> None:
        """Mark the seat as present or absent for future draws. Raises RequestRefusedError."""
        with self._lock:
            self.check_checkpoint()
            before, self._stays = self._stays, present  # even if the response is lost
            body = contributions.presence_request(self.file, self.watcher, present=present)
            response = self._forget_if_refused(self._post("presence", body), body)
            if parse_problem(response).get("rule") not in (None, "presence-unchanged"):
                self._stays = before
            require_accepted(response)
            self.catch_up()

    def leave(self) -> None:
        """Give up the seat. Raises RequestRefusedError.

        To take the seat back, call `join` with the same file.
        """
        with self._lock:
            self.check_checkpoint()
            query = contributions.leave_request(self.file, self.watcher)
            path = f"{self.path}/seats/{self.data.seat}?{urlencode(query)}"
            require_ok(self._forget_if_refused(self._connection.delete(path), query))
            self._stays = False

    def command(self, command: object, **fields: Any) -> Any:
        """Send a command and return the turn that it created.

        `fields` are additional fields for the API request: `audience`, `target_version`, `faces`,
        `dice_name`.
        If the draw needs contributions from other seats, the response contains `waiting`, and the
        remaining events follow later. The client adds entropy, which is always the same for the
        same draw. If another command has taken the draw, the client sends the command again for the
        next draw. Finally, it checks that a signed checkpoint covers the command. Raises
        RequestRefusedError, MalformedCommandError, DrawPendingError and BlindMissingError.
        """
        with self._lock:
            for _ in range(MAX_COMMAND_REQUESTS):
                sent, body = self._record_command(command, fields)
                unseen = self.data.asked.count(sent)
                response = self._connection.post(f"{self.path}/commands", body)
                if response.status in ACCEPTED_STATUSES:
                    page = msgspec.json.decode(response.body, type=EventPage)
                    self._check_entropy(page, sent)
                    self._check_recorded(sent, unseen)
                    break
                code = parse_problem(response).get("code")
                if code and response.status not in MAYBE_RECORDED:
                    self.data.asked.remove(sent)
                if code != "draw-taken":
                    break
                self._check_taken(body["draw"])
            return require_accepted(response)

    def _check_entropy(self, page: EventPage, sent: SentCommand) -> None:
        """Raise ProofError unless the response shows the command, with the entropy that was sent.

        A response may hide a command with the audience "blind". If such a command causes no draw,
        even the seat that sent it cannot see it.
        """
        bodies = [event.body for event in page.events if event.kind == DECLARED]
        visible = [body for body in bodies if body is not UNSET]
        if not visible and sent.audience != "blind":
            raise ProofError(
                "E_ROLE", "a response without the command", "the command as it was sent"
            )
        for body in visible:
            try:
                declared = msgspec.json.decode(body, type=Declared)
            except msgspec.MsgspecError as error:
                raise ProofError("E_FORMAT", str(error), "an event") from error
            if declared.draw is not UNSET:
                check_entropy_sent(self.file, declared.draw, sent.k)

    def _check_recorded(self, sent: SentCommand, unseen: int) -> None:
        """Raise ProofError unless the log shows the command under a signed checkpoint.

        Without this check, the server could show the command in its response, but record a
        different one. `unseen` is the number of identical commands, including this one, that no
        checkpoint covered when the command was sent. The log may hide a command with the audience
        "blind". If such a command causes no draw, even the seat that sent it cannot see it.
        """
        self.check_checkpoint()
        if self.data.asked.count(sent) >= unseen and sent.audience != "blind":
            raise ProofError(
                "E_ROLE",
                f"a log of {self.data.size} events without the command",
                "the command as it was sent, under a signed checkpoint",
            )

    def _require_covered(self, version: int) -> None:
        """Raise ProofError unless the last checkpoint that the client has seen covers `version`."""
        if self.data.size < version:
            found = f"a checkpoint of size {self.data.size}"
            raise ProofError("E_UNSIGNED", found, f"one that covers version {version}")

    def _check_taken(self, k: int) -> None:
        """Raise ProofError unless the log shows that another command has taken draw `k`.

        Without this check, the server could keep refusing entropy until it likes the values.
        """
        self.check_checkpoint()
        if self.watcher.k <= k:
            raise ProofError(
                "E_DRAW_INDEX",
                f"draw {k} refused as already taken, but no event that uses it",
                f"an event that declares draw {k}",
            )

    def narrate(self, text: str, **fields: Any) -> Any:
        """Add a narration and return the turn that it created. Raises RequestRefusedError.

        `fields` are additional fields for the API request: `about`, `audience`.
        """
        with self._lock:
            body = {"text": text} | fields
            return require_accepted(self._connection.post(f"{self.path}/narrate", body))

    def poll(self) -> bool:
        """Read new events and contribute to the pending draw.

        Return True if the seat contributed.
        """
        with self._lock:
            response = self._connection.get(f"{self.path}/draws/pending")
            self.last_response = response.body.decode(errors="replace")
            if response.status == HTTPStatus.NOT_FOUND:
                self.catch_up()
                self._send_upkeep()
                return False
            pending = msgspec.json.decode(require_ok(response).body, type=PendingDraw)
            return self.data.seat not in pending.contributed and self._contribute(pending)

    def listen(self) -> None:
        """Read new events and contribute to each draw until `stop` is called.

        It goes on after the session was closed. Raises ProofError, UnreachableError,
        UnexpectedResponseError, and RequestRefusedError if the seat's token is no longer valid, for
        example because another client has taken the seat.
        """
        while not self._stopped.is_set():
            self.poll()
            # After a restart, `on_event` is not called again for events that a checkpoint covers.
            self.check_checkpoint()
            self._stream = ApiConnection(self.data.server, self.data.token)
            path = f"{self.path}/stream?after={self.watcher.version}&leaves=true"
            try:
                for line in self._stream.lines(path):
                    if self._stopped.is_set():
                        break
                    self._read_line(line)
            except UnreachableError:
                # Streams end regularly. If the server is down, the next `poll` raises an error.
                self._stopped.wait(STREAM_RETRY_SECONDS)

    def stop(self) -> None:
        """Make `listen` return. Call this from `on_event` or from another thread."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.hang_up()

    def close(self) -> None:
        self.stop()
        with self._lock:
            self.file.save()
            self._connection.close()

    def catch_up(self, size: int | None = None) -> None:
        """Read and check all new events, or those up to version `size`."""
        with self._lock:
            has_more = True
            while has_more and (size is None or self.watcher.version < size):
                before = self.watcher.version
                after = f"after={self.watcher.version}&limit={PAGE_SIZE}&leaves=true"
                path = f"{self.path}/events?{after}"
                response = require_ok(self._connection.get(path))
                page = msgspec.json.decode(response.body, type=EventPage)
                for event in page.events:
                    if size is None or event.version <= size:
                        self._read(event)
                has_more = page.next is not None
                if has_more and self.watcher.version == before:
                    raise UnexpectedResponseError(
                        f"GET {path} returned no new events, but said that more follow"
                    )

    def check_checkpoint(self) -> SeenCheckpoint:
        """Read the events up to the newest checkpoint, and check that it matches them.

        Store the newest checkpoint in the seat file and return it.
        """
        with self._lock:
            response = self._connection.get(f"{self.path}/checkpoint", "text/plain")
            self._check_note(require_ok(response).body.decode())
            self.file.save()
            return self._seen

    def _check_note(self, note: str) -> None:
        """Check a checkpoint, read the events up to it, and remember it as the last one seen."""
        now, size = open_checkpoint(note, self._log, verify), self.data.size
        if now.size > self.watcher.version:
            self.catch_up(now.size)
        if now.size < self.data.size and size < self.data.size:
            # While reading, `on_event` sent a command and so stored a newer checkpoint.
            self.tree.check(now, SeenCheckpoint(0, b""))
            return
        self.tree.check(now, self._seen)
        self.data.note, self.data.size, self.data.root = note, now.size, now.root.hex()
        self.data.watched = max(self.data.watched, now.size)
        self.watcher.confirm(now.size)
        # An older key is not trusted again, because it may have been stolen.
        self.data.log_key = vkey_text(current_key(note, self._log, verify))

    def cosign(self) -> bool:
        """Cosign the last checkpoint that the seat has seen.

        Return False if the server does not accept cosignatures.
        """
        with self._lock:
            if not self.data.note:
                self.check_checkpoint()
            body = contributions.cosignature_request(self.file, clock.now_ms() // 1000)
            response = self._connection.post(f"{self.path}/cosignatures", body)
            return response.status != HTTPStatus.NOT_FOUND and bool(require_accepted(response))

    @property
    def _log(self) -> Vkey:
        return parse_vkey(self.data.log_key)

    @property
    def _seen(self) -> SeenCheckpoint:
        return SeenCheckpoint(self.data.size, bytes.fromhex(self.data.root))

    def _read(self, event: ReceivedEvent) -> None:
        if event.version <= self.watcher.version:  # already received from the stream or a page
            return
        self.tree.add(event)
        self.watcher.read(event)
        if event.version > self.data.watched:
            self.on_event(event)
            if self.watcher.is_disputed:
                self.watcher.is_disputed = False
                self.on_dispute(self.watcher.k - 1)

    def _read_line(self, line: bytes) -> None:
        """Handle a line from the stream: an event, a draw update, or a heartbeat."""
        with self._lock:
            if line.startswith(b'{"version"'):
                self._read(msgspec.json.decode(line, type=ReceivedEvent))
                draw = self.watcher.open_draw
                if draw is None or draw.place(self.data.seat) is None:
                    self._send_upkeep()
            elif msgspec.json.decode(line, type=StreamNotice).draw is not None:
                self.poll()

    def _record_command(
        self, command: object, fields: dict[str, Any]
    ) -> tuple[SentCommand, dict[str, Any]]:
        """Save a command in the seat file before it is sent. Return it with the request's body.

        The server may log the command even if its response does not arrive. Raises ProofError and
        DrawPendingError.
        """
        if not self.watcher.version:
            self.catch_up()
        if "audience" in fields:
            fields.setdefault("salt", clock.random_bytes().hex())
        body, k = {"command": command} | fields, -1
        if self.watcher.log_format > 1 and "faces" not in fields:
            k = self._next_draw()
            if "audience" in fields and not self.watcher.has_next_blind:
                raise BlindMissingError("the server has not committed to the next draw's blind")
            body |= {"entropy": self.file.entropy_for(k), "draw": k}
        try:
            canonical = self.watcher.canonical_command(command)
        except msgspec.ValidationError as error:
            raise MalformedCommandError(f"the command is malformed: {error}") from None
        salt, faces = fields.get("salt", ""), tuple(fields.get("faces", ()))
        target = fields.get("target_version", -1)
        dice_name = normalize("NFC", fields.get("dice_name", ""))  # as the server stores it
        sent = SentCommand(canonical, fields.get("audience", ""), k, salt, faces, target, dice_name)
        self.data.asked.append(sent)
        self.file.save()
        return sent, body

    def _next_draw(self) -> int:
        """Return the number of the next draw.

        First make sure that a signed checkpoint covers the end of the last draw. By then, the
        server has committed to its part of the next draw. If the server received the seat's entropy
        earlier, it could choose a part that gives the values it wants. Raises ProofError and
        DrawPendingError.
        """
        for _ in range(MAX_CHECKPOINT_REQUESTS):  # other draws may end between the requests
            if self.watcher.open_draw is None and 0 < self.watcher.last_end <= self.data.size:
                return self.watcher.k
            self.catch_up()
            self.check_checkpoint()
        if self.watcher.open_draw is not None:
            k = self.watcher.open_draw.draw.k
            raise DrawPendingError(f"draw {k} is pending: send the command again when it has ended")
        if not self.watcher.last_end:
            raise ProofError(
                "E_ANCHOR", "a log without the server's seat", "the server's chain before any draw"
            )
        self._require_covered(self.watcher.last_end)
        return self.watcher.k

    def _contribute(self, pending: PendingDraw) -> bool:
        """Check the draw, send the seat's contribution, and store the receipt.

        Return False if the draw needs no link from the seat, if the seat has already revealed the
        link, or if the draw ended before the contribution arrived.
        """
        self._check_note(pending.checkpoint)
        self._require_covered(pending.version)
        draw = self.watcher.open_draw
        if draw is None or draw.version > self.data.size:
            return False  # another draw has begun since the checkpoint
        request = self.tree.leaf_hash(draw.version).hex()
        place = self.watcher.required_place(request)
        if place is None or contributions.was_link_revealed(self.file, place):
            return False
        k = draw.draw.k
        self.data.contributed = ContributedDraw(k, self.watcher.links_of_others(draw.draw))
        sent = contributions.create_contribution(self.file, k, request, place)
        body = {name: value for name, value in msgspec.to_builtins(sent).items() if name != "seat"}
        response = self._connection.post(f"{self.path}/draws/{k}/contributions", body)
        return self._store_receipt(response, k, request, sent)

    def _store_receipt(
        self, response: ApiResponse, k: int, request: str, sent: Contribution
    ) -> bool:
        """Check and store the receipt for a contribution.

        Return False if the draw had already ended or the seat had already contributed to it.
        """
        if response.status == HTTPStatus.CONFLICT:
            rule = response.json.get("rule")
            if rule == "another-log":
                expected = f"root {sent.seen_root} at size {sent.seen_size}, as signed by the seat"
                raise ProofError("E_FORK", response.body.decode(), expected)
            if rule in LATE_RULES:
                return False
        receipt = msgspec.convert(require_accepted(response), ReceiptResponse).receipt
        house = self.watcher.chains.state_of(HOUSE).key
        signed = contributions.check_receipt(self.file, k, request, sent, receipt, house)
        self.file.add_receipt(
            Receipt(msgspec.json.decode(signed, type=SignedContribution), receipt)
        )
        return True

    def _send_upkeep(self) -> None:
        """Send the chain and presence requests that the seat needs for future draws.

        Send nothing if the client has marked the seat as absent or given it up. Stop if the server
        refuses a request temporarily, for example while a draw is pending.
        """
        for _ in range(MAX_UPKEEP_REQUESTS):
            if not self._stays:
                return
            if self.watcher.chains.state_of(self.data.seat).is_away:
                self.check_checkpoint()  # a presence request names the last checkpoint seen
            request = contributions.next_request(self.file, self.watcher)
            if request is None:
                return
            response = self._forget_if_refused(self._post(*request), request[1])
            rule = response.json.get("rule") if response.status == HTTPStatus.CONFLICT else None
            if rule in POSTPONED_RULES:
                return
            version = self.watcher.version
            if rule == "link-wrong":
                self.catch_up()
                if self.watcher.version > version:
                    continue  # a draw has taken the next link since the last event that was read
            require_accepted(response)
            self.catch_up()

    def _forget_if_refused(self, response: ApiResponse, body: dict[str, Any]) -> ApiResponse:
        """Forget a signed statement that the server refused, and return the response.

        If the server records the statement anyway, the client will notice.
        """
        statements, signature = self.data.statements, body["signature"]
        if response.status == HTTPStatus.CONFLICT and signature in statements:
            statements.remove(signature)
            self.file.save()
        return response

    def _post(self, part: str, body: object) -> ApiResponse:
        return self._connection.post(f"{self.path}/seats/{self.data.seat}/{part}", body)
