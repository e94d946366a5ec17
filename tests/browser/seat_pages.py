"""A table whose GM is the Python client, and browsers that sit down at it by its invitations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from playwright.sync_api import Error, Page, Route

from service.client.api import ApiConnection
from service.client.seat import SeatClient
from tests.client.tables import Table
from tests.support.example import as_json, brought, over, to_draw
from tests.support.processes import eventually

COMMAND = """async ([path, body]) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
}"""


class Browsed(Table):
    """A Table at which some seats are browsers'; the GM brings what is needed and asks."""

    def __init__(self, url: str, folder: Path, deadline: int = 20) -> None:
        super().__init__(url, folder, deadline)
        self.page = f"/s/{self.gm.data.session}"

    def wish(self, page: Page, command: object) -> Any:
        """A command of the browser's own seat, by its cookie."""
        status, told = page.evaluate(COMMAND, [f"{self.gm.path}/commands", {"command": command}])
        assert status in (201, 202), told
        return told

    def bring_by(self, page: Page, seat: str = "p1") -> None:
        self.wish(page, as_json(brought("ana", "Ana")))

    def ask_by(self, page: Page, seat: str = "p1") -> int:
        """A roll; its k."""
        turns = [self.wish(page, as_json(command)) for _, command in to_draw(seat)]
        return int(turns[-1]["waiting"]["number"])

    def narrate_by(self, page: Page) -> None:
        status, told = page.evaluate(COMMAND, [f"{self.gm.path}/narrate", {"text": "A pause."}])
        assert status == 201, told

    def settle_by(self, page: Page, seat: str = "p1") -> None:
        for _, command in over(seat):
            self.wish(page, as_json(command))

    def seat(self, seat: str) -> Any:
        """As the API shows it."""
        with closing(ApiConnection(self.url, self.gm.data.token)) as player:
            return player.get(self.gm.path).json["seats"][seat]

    def ended(self, k: int, seconds: float = 30) -> Any:
        """The draw's state when it is over."""
        assert eventually(lambda: self.state(k)["status"] != "waiting", seconds)
        return self.state(k)


@contextmanager
def giving(*sittings: SeatClient) -> Iterator[None]:
    """The clients give to whatever waits, as often as this is asked for."""
    over = Event()

    def give(sitting: SeatClient) -> None:
        while not over.wait(0.05):
            sitting.poll()

    threads = [Thread(target=give, args=(sitting,)) for sitting in sittings]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def bend(page: Page, pattern: str, change: Callable[[Any], None]) -> list[str]:
    """The server's JSON at these addresses is bent before the page has it; those bent so far."""
    bent: list[str] = []

    def fulfil(route: Route) -> None:
        with suppress(Error):  # the page is gone meanwhile
            # The server can close an idle connection just as it is used again. Without another try,
            # the page would wait forever.
            answer = route.fetch(max_retries=3)
            told = answer.json()
            if answer.ok:
                change(told)
            route.fulfill(response=answer, json=told)
            bent.append(route.request.url)

    page.route(pattern, fulfil)
    return bent
