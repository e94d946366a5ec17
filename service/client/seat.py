"""A seat at a table: it takes part, gives to every draw that it has checked, and says where the log lies."""

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
    MADE,
    Answer,
    ApiConnection,
    Page,
    Received,
    Said,
    Unreachable,
    had,
    made,
)
from service.client.draw_checks import Awaited, Checked, Seen, check_awaited, check_grown
from service.client.log_watcher import Told, Watch
from service.client.seat_file import Ask, SeatFile
from service.platform import clock
from service.platform.ed25519 import verify

PAGE = 200
NOT_NOW = ("draw-waits", "presence-unchanged", "session-closed")
STEPS = 3  # absent, the next chain, present again
LATE = ("draw-is-over", "no-draw-waits", "already-given")
Hear = Callable[[Told], None]


class SeatClient:
    """One seat, safe between threads. Its methods raise Broken where the log lies: then leave, and keep the file.

    `look` gives to a draw that waits; `listen` does so by itself as long as it runs. `hear` is told each event once.
    `elsewhere`: this seat also sends commands from other programs, which are then not held against what this one sent.
    """

    def __init__(
        self, keeping: SeatFile, hear: Hear | None = None, *, elsewhere: bool = False
    ) -> None:
        self.keeping, self.kept, self.hear = keeping, keeping.kept, hear or (lambda told: None)
        self.watch = Watch(keeping, verify, elsewhere=elsewhere)
        self._log = parse_vkey(self.kept.log_key)
        self._player = ApiConnection(self.kept.server, self.kept.token)
        self._stream: ApiConnection | None = None
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._stays = True
        self.answered = ""  # what the server said of the last draw that waited

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.kept.session}"

    def take_part(self) -> None:
        """Catches up, brings a chain where the seat has none, and signs present where it was away.

        While a draw waits the table stands still: `look` or `listen` does it then, as soon as that is over.
        """
        with self._lock:
            self.see()
            self.catch_up()
            self._keep_up()

    def be(self, *, present: bool) -> None:
        """Signs that the seat takes part in the draws to come, or not. Raises Refused."""
        with self._lock:
            self.catch_up()
            self._stays = present
            if present and contributions.is_ahead(self.keeping, self.watch):
                made(self._post("chain", contributions.next_chain(self.keeping, self.watch)))
                self.catch_up()
            made(
                self._post(
                    "presence", contributions.presence(self.keeping, self.watch, present=present)
                )
            )
            self.catch_up()

    def leave(self) -> None:
        """Gives the seat back; an invitation and the file bring it back. Raises Refused."""
        with self._lock:
            self.catch_up()
            signature = contributions.leaving(self.keeping, self.watch)
            had(self._player.delete(f"{self.path}/seats/{self.kept.seat}?signature={signature}"))
            self._stays = False

    def command(self, command: object, **more: Any) -> Any:
        """Commands something; `more` as the API takes it (`audience`, `target`, `faces`). The turn. Raises Refused.

        Where its draw waits for seats, the answer has `waiting`, and the rest of the turn comes with the draw.
        """
        with self._lock:
            ask = self._asking(command, more)
            answer = self._player.post(f"{self.path}/commands", {"command": command} | more)
            if answer.status not in MADE:
                self.kept.asked.remove(ask)
            return made(answer)

    def narrate(self, text: str, **more: Any) -> Any:
        """Tells something; `more` as the API takes it (`about`, `audience`). The turn. Raises Refused."""
        with self._lock:
            return made(self._player.post(f"{self.path}/narrate", {"text": text} | more))

    def look(self) -> bool:
        """Reads what is new, and gives to the draw that waits; whether it gave."""
        with self._lock:
            seen = f"?seen={self.kept.size}" if self.kept.size else ""
            answer = self._player.get(f"{self.path}/draws/pending{seen}")
            self.answered = answer.body.decode(errors="replace")
            if answer.status == HTTPStatus.NOT_FOUND:
                self.catch_up()
                self._keep_up()
                return False
            if answer.status == HTTPStatus.CONFLICT:
                raise ProofError(
                    "E_TRUNCATED",
                    answer.body.decode(),
                    f"{self.kept.size} events, as was seen before",
                )
            awaited = msgspec.json.decode(had(answer).body, type=Awaited)
            if awaited.version > self.watch.version:
                self.catch_up()
            return self.kept.seat not in awaited.came and self._give(awaited)

    def listen(self) -> None:
        """Follows the table, and gives to each draw, until `stop`. Raises also Unreachable, OffScript."""
        while not self._over.is_set():
            self.look()
            self._stream = ApiConnection(self.kept.server, self.kept.token)
            try:
                for line in self._stream.lines(f"{self.path}/stream?after={self.watch.version}"):
                    if self._over.is_set():
                        break
                    self._heard(line)
            except Unreachable:
                self._over.wait(0.5)  # `look` says whether the server is gone

    def stop(self) -> None:
        """Ends `listen` in another thread."""
        self._over.set()
        if self._stream is not None:
            self._stream.hang_up()

    def close(self) -> None:
        self.stop()
        with self._lock:
            self.keeping.save()
            self._player.close()

    def catch_up(self) -> None:
        """Reads every event up to the head."""
        with self._lock:
            more = True
            while more:
                answer = self._player.get(
                    f"{self.path}/events?after={self.watch.version}&limit={PAGE}"
                )
                page = msgspec.json.decode(had(answer).body, type=Page)
                for told in page.events:
                    self._read(told)
                more = page.next is not None
            if self.kept.since is None:
                self.kept.since = self.watch.version
                self.keeping.save()

    def see(self) -> Seen:
        """Checks the newest checkpoint against the last one that was seen, and keeps it."""
        with self._lock:
            note = had(self._player.get(f"{self.path}/checkpoint", "text/plain")).body.decode()
            size, proof = check_grown(note, (), self._log, Seen(0, b""), verify).size, ()
            if 0 < self.kept.size < size:
                answer = self._player.get(
                    f"{self.path}/proofs/consistency?from={self.kept.size}&to={size}"
                )
                proof = tuple(had(answer).json["proof"])
            now = check_grown(note, proof, self._log, self._seen, verify)
            self._keep(note, Seen(now.size, now.root))
            self.keeping.save()
            return self._seen

    def cosign(self) -> bool:
        """Cosigns the last checkpoint that was checked; False where the server takes no cosignatures."""
        with self._lock:
            if not self.kept.note:
                self.see()
            body = contributions.cosignature(self.keeping, clock.now_ms() // 1000)
            answer = self._player.post(f"{self.path}/cosignatures", body)
            return answer.status != HTTPStatus.NOT_FOUND and bool(made(answer))

    @property
    def _seen(self) -> Seen:
        return Seen(self.kept.size, bytes.fromhex(self.kept.root))

    def _keep(self, note: str, seen: Seen) -> None:
        self.kept.note, self.kept.size, self.kept.root = note, seen.size, seen.root.hex()

    def _read(self, told: Told) -> None:
        if told.version <= self.watch.version:  # both the stream and a page had it
            return
        self.watch.read(told)
        if told.version > self.kept.watched:
            self.kept.watched = told.version
            self.hear(told)

    def _heard(self, line: bytes) -> None:
        with self._lock:
            if line.startswith(b'{"version"'):
                self._read(msgspec.json.decode(line, type=Told))
                waits = self.watch.waiting
                if waits is None or waits.place(self.kept.seat) is None:
                    self._keep_up()
            elif msgspec.json.decode(line, type=Said).draw is not None:
                self.look()

    def _asking(self, command: object, more: dict[str, Any]) -> Ask:
        """What is about to be asked, saved first: it may be declared though no answer comes back."""
        if not self.watch.version:
            self.catch_up()
        if more.get("audience") in ("gm", "self"):
            more.setdefault("blind", clock.random_bytes().hex())
        ask = Ask(self.watch.canonical(command), more.get("audience", ""), more.get("blind", ""))
        self.kept.asked.append(ask)
        self.keeping.save()
        return ask

    def _give(self, awaited: Awaited) -> bool:
        """Checks the draw; where all holds, saves and sends the link, and keeps the receipt."""
        checked = check_awaited(awaited, self.kept.session, self._log, self._seen, verify)
        place = self.watch.place_in(awaited.version, checked)
        self._keep(awaited.checkpoint, checked.seen)
        if place is None or contributions.was_shown(self.keeping, place):
            return False
        given = contributions.contribution(self.keeping, checked, place)
        body = {name: value for name, value in msgspec.to_builtins(given).items() if name != "seat"}
        answer = self._player.post(f"{self.path}/draws/{awaited.k}/contributions", body)
        return self._received(answer, checked, given)

    def _received(self, answer: Answer, checked: Checked, given: Any) -> bool:
        if answer.status == HTTPStatus.CONFLICT:
            rule = answer.json.get("rule")
            if rule == "another-log":
                raise ProofError(
                    "E_FORK",
                    answer.body.decode(),
                    f"{given.seen_root} of {given.seen_size}, as it signed",
                )
            if rule in LATE:
                return False
        received = msgspec.convert(made(answer), Received)
        house = self.watch.chains.of(HOUSE).key
        said = contributions.check_receipt(self.keeping, checked, given, received.receipt, house)
        self.keeping.hold(
            Receipt(msgspec.json.decode(said, type=SignedContribution), received.receipt)
        )
        return True

    def _keep_up(self) -> None:
        """Brings what the draws to come will need of this seat, as far as the table does not stand still."""
        for _ in range(STEPS):
            if (
                not self._stays
                or (needed := contributions.needed(self.keeping, self.watch)) is None
            ):
                return
            if (answer := self._post(*needed)).status == HTTPStatus.CONFLICT and answer.json.get(
                "rule"
            ) in NOT_NOW:
                return
            made(answer)
            self.catch_up()

    def _post(self, what: str, body: object) -> Answer:
        return self._player.post(f"{self.path}/seats/{self.kept.seat}/{what}", body)
