"""A table of seats that each keep a file, at a real server."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec

from domain.proof.signed_note import parse_vkey
from domain.verify import Evidence, verify
from service.cli.verify import read_lines
from service.client.api import ApiConnection
from service.client.join import join, resume, sit
from service.client.log_tree import ReceivedEvent
from service.client.seat import SeatClient
from service.client.seat_file import SeatFile, SeatFileChain, SeatFileData
from service.platform.clock import random_bytes
from service.platform.ed25519 import verify as ed25519
from tests.support.example import FIRST, as_json, brought, over, to_draw
from tests.support.processes import Running

PLAYERS = ("p1", "p2", "p3", "p4", "p5")


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[str]:
    """A server without follower and worker; its address."""
    running = Running(folder, "serve", "--only", "web", FAIRLOG_SYNCHRONOUS="NORMAL", **settings)
    try:
        yield running.url()
    finally:
        running.kill()


class Table:
    """A session that draws by the table: its seats' sittings by seat, the GM's first, and what each heard."""

    def __init__(
        self, url: str, folder: Path, deadline: int = 8, *, declared_dice: bool = False
    ) -> None:
        self.url, self.folder, self.deadline = url, folder, deadline
        self.sittings: dict[str, SeatClient] = {}
        self.heard: dict[str, list[ReceivedEvent]] = {}
        self._plain = ApiConnection(url)
        opening = {
            "ruleset": FIRST.name,
            "title": "Six at the mint",
            "draws": "table",
            "options": {"deadline": deadline, "declared_dice": declared_dice},
        }
        self._add(
            "gm",
            lambda on_event: sit(
                url,
                self._plain.post("/v1/sessions", opening).json,
                self.file("gm"),
                on_event=on_event,
            ),
        )

    @property
    def gm(self) -> SeatClient:
        return self.sittings["gm"]

    def file(self, seat: str) -> Path:
        return self.folder / f"{seat}.seat"

    def invite(self, seat: str) -> str:
        player = ApiConnection(self.url, self.gm.data.token)
        answer = player.post(f"{self.gm.path}/invitations", {"role": "player", "seat": seat})
        player.close()
        return str(answer.json["code"])

    def join(self, seat: str, url: str = "") -> SeatClient:
        code = self.invite(seat)
        return self._add(
            seat, lambda on_event: join(url or self.url, code, self.file(seat), on_event=on_event)
        )

    def _add(
        self, seat: str, make: Callable[[Callable[[ReceivedEvent], None]], SeatClient]
    ) -> SeatClient:
        heard = self.heard.setdefault(seat, [])
        self.sittings[seat] = make(heard.append)
        return self.sittings[seat]

    def bring(self, seat: str = "p1") -> None:
        """What is needed before the first draw."""
        self.sittings[seat].command(as_json(brought("ana", "Ana")))

    def ask(self, seat: str = "p1") -> Any:
        """A command that draws; the answer."""
        *ready, (_, draw) = to_draw(seat)
        for _, command in ready:
            self.sittings[seat].command(as_json(command))
        return self.sittings[seat].command(as_json(draw))

    def settle(self, seat: str = "p1") -> None:
        """What ends it, so that the next can come."""
        for _, command in over(seat):
            self.sittings[seat].command(as_json(command))

    def state(self, k: int) -> Any:
        player = ApiConnection(self.url, self.gm.data.token)
        answer = player.get(f"{self.gm.path}/draws/{k}")
        player.close()
        return answer.json

    def grades(self, k: int) -> list[str]:
        return [event["grade"] for event in self.state(k)["events"] if "grade" in event]

    def close(self) -> None:
        for sitting in self.sittings.values():
            sitting.close()
        self._plain.close()


def play(table: Table, *seats: str) -> int:
    """A draw that these seats give to in turn; its k."""
    table.ask()
    for seat in seats:
        assert table.sittings[seat].poll()
    table.settle()
    return table.gm.watcher.k - 1


def with_links(table: Table, links: int) -> SeatClient:
    """p2, whose first chain is that short."""
    plain = ApiConnection(table.url)
    ticket = plain.post("/v1/seats", {"code": table.invite("p2")}).json
    plain.close()
    own = {"server": table.url, "key": random_bytes().hex(), "witness": random_bytes().hex()}
    kept = msgspec.convert(ticket | own, SeatFileData)
    kept.chains.append(SeatFileChain(0, links, random_bytes().hex()))
    SeatFile(table.file("p2"), kept).save()
    table.sittings["p2"] = seat = resume(table.file("p2"))
    return seat


def valid(table: Table) -> bool:
    """The exported log, and that it holds what every seat has a receipt for."""
    player = ApiConnection(table.url, table.gm.data.token)
    file = player.get(f"{table.gm.path}/export", accept="application/x-fairlog").body
    player.close()
    receipts = tuple(
        receipt for sitting in table.sittings.values() for receipt in sitting.data.receipts
    )
    known = Evidence(parse_vkey(table.gm.data.log_key), receipts=receipts)
    report = verify(read_lines(io.BufferedReader(io.BytesIO(file))), ed25519, known)
    return report.valid and len(receipts) > 0


@contextmanager
def listening(*sittings: SeatClient) -> Iterator[list[Exception]]:
    """The seats follow the table, each in its own thread; what any of them raised."""
    raised: list[Exception] = []

    def listen(sitting: SeatClient) -> None:
        try:
            sitting.listen()
        except Exception as error:
            raised.append(error)

    threads = [Thread(target=listen, args=(sitting,)) for sitting in sittings]
    with ExitStack() as ending:
        for sitting, thread in zip(sittings, threads, strict=True):
            thread.start()
            ending.callback(thread.join)
            ending.callback(sitting.stop)
        yield raised
