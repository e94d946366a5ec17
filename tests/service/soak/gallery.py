"""Those who watch: streams in a thread of their own, each resumed behind whatever cut it, up to its session's end."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from threading import Lock, Thread
from typing import NamedTuple

import msgspec

from tests.service.sessions.stream_reader import Watcher
from tests.service.soak.ledger import Event

LIVES = 5.0, 60.0  # seconds until a client cuts its stream
_event = msgspec.json.Decoder(Event)


class Place(NamedTuple):
    url: str
    path: str


class Following(NamedTuple):
    """One client of a session's stream, from the first version on."""

    watcher: Watcher
    last: asyncio.Future[int]
    done: Future[None]

    @property
    def session(self) -> str:
        return self.watcher.table.path.rpartition("/")[2]

    def events(self) -> Iterator[Event]:
        return map(_event.decode, self.watcher.seen.values())


class Gallery:
    """`follow` and `ends_at` may be called from any thread."""

    def __init__(self, url: str, seed: int) -> None:
        self.followed: list[Following] = []
        self._url, self._dice = url, random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="gallery", daemon=True)
        self._lock = Lock()
        self._thread.start()

    def follow(self, path: str, token: str) -> Following:
        with self._lock:
            watcher = Watcher(
                Place(self._url, path), token, {}, random.Random(self._dice.random()), LIVES
            )
            last = self._loop.create_future()
            done = asyncio.run_coroutine_threadsafe(watcher.watch(last), self._loop)
            self.followed.append(following := Following(watcher, last, done))
        return following

    def ends_at(self, following: Following, version: int) -> None:
        """From now on it is known how far that stream goes."""
        self._loop.call_soon_threadsafe(following.last.set_result, version)

    def failed(self) -> list[str]:
        """Streams that ended by what must not be."""
        with self._lock:
            ended = [each for each in self.followed if each.done.done()]
        return [
            f"the stream of {each.session}: {each.done.exception()!r}"
            for each in ended
            if each.done.exception()
        ]

    def settle(self, seconds: float) -> None:
        """Until each has its last version. Raises TimeoutError, and what a stream raised."""
        for each in self.followed:
            try:
                each.done.result(seconds)
            except TimeoutError:
                at = f"{each.watcher.version} of {each.last.result()}"
                raise AssertionError(
                    f"a stream of {each.session} stays at {at}: {each.watcher.told}"
                ) from None

    def told(self) -> Counter[str]:
        return sum((each.watcher.told for each in self.followed), Counter[str]())

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(_end_all(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(20)
        self._loop.close()


async def _end_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
