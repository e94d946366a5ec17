"""A client of the live stream that loses it again and again, resumes it, and wants each version once and in order."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import Protocol
from urllib.parse import urlsplit

LIVES = 0.2, 3.0  # seconds until a client cuts its stream
AGAIN = 0.1, 0.5  # seconds until it comes back where the server was gone


class Place(Protocol):
    """A session at a server: `path` is its address there."""

    @property
    def url(self) -> str: ...
    @property
    def path(self) -> str: ...


class Watcher:
    """One client of the stream that loses it again and again; `seen` is shared by those who see the same."""

    def __init__(
        self,
        table: Place,
        token: str,
        seen: dict[int, bytes],
        dice: random.Random,
        lives: tuple[float, float] = LIVES,
    ) -> None:
        self.table, self.token, self.seen, self.dice, self.lives = table, token, seen, dice, lives
        self.version = 0
        self.told = Counter[str]()

    async def watch(self, last: asyncio.Future[int]) -> None:
        """Until it has the last version, which is known once all has been played."""
        while not last.done() or self.version < last.result():
            try:
                await self.once(last)
            except (OSError, asyncio.IncompleteReadError):
                self.told["lost"] += 1
                await asyncio.sleep(self.dice.uniform(*AGAIN))

    async def once(self, last: asyncio.Future[int]) -> None:
        where = urlsplit(self.table.url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1 << 20)
        try:
            writer.write(self.request())
            status = await reader.readuntil(b"\r\n\r\n")
            self.told[status.split(b" ")[1].decode()] += 1
            if b" 200 " not in status:
                assert b" 503 " in status, status
                await asyncio.sleep(0.2)
                return
            await asyncio.wait_for(self.read(reader, last), self.dice.uniform(*self.lives))
        except TimeoutError:
            self.told["cut"] += 1
        finally:
            writer.transport.abort()

    def request(self) -> bytes:
        """Half of them resume by the header, half by the address."""
        by_header = self.dice.random() < 0.5
        resumed = f"\r\nLast-Event-ID: {self.version}" if by_header else ""
        query = "" if by_header else f"?after={self.version}"
        own = f"\r\nAuthorization: Bearer {self.token}" if self.token else ""
        host = urlsplit(self.table.url).netloc
        return (
            f"GET {self.table.path}/stream{query} HTTP/1.1\r\nHost: {host}{own}{resumed}\r\n\r\n"
        ).encode()

    async def read(self, reader: asyncio.StreamReader, last: asyncio.Future[int]) -> None:
        async for chunk in chunks(reader):
            messages = [message for message in chunk.split(b"\n\n") if b"data: " in message]
            if self.dice.random() < 0.02:  # lost in the middle of what was on its way
                self.told["cut"] += 1
                messages = messages[: self.dice.randint(0, len(messages))]
                self.take(messages)
                return
            self.take(messages)
            if last.done() and self.version >= last.result():
                return

    def take(self, messages: list[bytes]) -> None:
        for message in messages:
            if b"event: start\n" in message:
                continue
            if message.startswith(b"event: "):  # of its end, or of a draw that waits for this seat
                said = json.loads(message.partition(b"data: ")[2])
                self.told[said.get("code", "draw")] += 1
                continue
            named, _, data = message.partition(b"\ndata: ")
            self.version += 1
            assert named == b"id: %d" % self.version, (
                f"{named!r} came after {self.version - 1}"
            )  # none left out or twice
            assert self.seen.setdefault(self.version, data) == data, (
                f"{self.version} is now {data!r}"
            )


async def chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Raises IncompleteReadError where the server is gone in the middle."""
    while size := int(await reader.readuntil(b"\n"), 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
