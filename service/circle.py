"""The seats of an evening that hold chains: each keeps its file in a folder, and gives to every draw it checked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any

from domain.codec import complete
from service.client.joining import sit
from service.client.sitting import Sitting
from service.player import OffScript, Player


class Circle:
    """Those who sat down so far. `folder` takes their files; the evening sends their commands by itself."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self._folder = url, folder
        self._sittings: list[Sitting] = []
        complete()
        self._hands = ThreadPoolExecutor()

    def join(self, ticket: Any) -> int:
        """A seat brings its chain, by the ticket that it was given; the version after that."""
        file = self._folder / f"{ticket['session']}.{ticket['seat']}.seat"
        self._sittings.append(sitting := sit(self._url, ticket, file, elsewhere=True))
        return sitting.watch.version

    def finish(self, player: Player, draw: str) -> bytes:
        """The draw at this path, as the player is told it, after every seat has given to it. Raises OffScript."""
        list(self._hands.map(Sitting.look, self._sittings))
        answer = player.get(draw)
        if answer.status != HTTPStatus.OK or answer.json["status"] != "drawn":
            raise OffScript(
                f"{draw} should be drawn, was answered {answer.status}: {answer.body.decode()}"
            )
        return answer.body

    def close(self) -> None:
        self._hands.shutdown()
        for sitting in self._sittings:
            sitting.close()
