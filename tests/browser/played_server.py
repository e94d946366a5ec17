"""A real server with played evenings in it: what the pages are about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from domain.example_session import read_script
from domain.rulesets import RULESETS
from projections.runner import catch_up
from service.cli.demo.player import SessionPlayer
from service.client.api import ApiConnection
from service.platform.settings import Settings
from service.sessions.app import build
from tests.support.processes import Running
from tests.support.server import NOWHERE
from workers.jobs import compute_statistics

SECRET = "zqthe-mask-of-carrow"
SEATED = ("acting", "seated")  # pages that the GM opens


class Served(NamedTuple):
    """`session` is listed and counted; `hidden` is not listed; `fresh` is listed, and not counted yet."""

    url: str
    session: str
    hidden: str
    fresh: str
    tokens: dict[str, str]
    hidden_token: str

    def stats(self, query: str = "") -> str:
        return f"/s/{self.session}/stats{query}"

    def pages(self) -> dict[str, tuple[str, int]]:
        """Name -> path and status of each page as it looks to everybody."""
        return {
            "home": ("/", 200),
            "status": ("/status", 200),
            "new": (f"/?ruleset={RULESETS[0].name}", 200),
            "ruleset": (f"/rulesets/{RULESETS[0].name}", 200),
            "session": (f"/s/{self.session}", 200),
            "past": (f"/s/{self.session}?at=63", 200),
            "people": (f"/s/{self.session}/people", 200),
            "branches": (f"/s/{self.session}/branches?from=20&to=60", 200),
            "print": (f"/s/{self.session}/print", 200),
            "verify": (f"/s/{self.session}/verify", 200),
            "join": ("/join", 200),
            "acting": (f"/s/{self.session}", 200),
            "seated": (self.stats(), 200),
            "stats": (self.stats(), 200),
            "pending": (f"/s/{self.fresh}/stats", 202),
            "enter": (f"/s/{self.session}/enter", 200),
            "closed": (f"/s/{self.hidden}/stats", 401),
            "unknown": ("/nowhere", 404),
            "malformed": (self.stats("?from=maybe"), 422),
            "refused": (self.stats("?as=gm"), 409),
        }


@contextmanager
def served(folder: Path, steps: int | None = None) -> Iterator[Served]:
    """The web alone, its queue away; the first room's evening, or so many steps of it, is played and counted."""
    running = Running(
        folder, "serve", "--only", "web", REDIS_URL=NOWHERE, FAIRLOG_SYNCHRONOUS="NORMAL"
    )
    try:
        url = running.url()
        session, tokens = _played(url, steps)
        _counted(running.settings, session)
        hidden, token = _opened(url, "Behind closed doors", listed=False)
        fresh, _ = _opened(url, "Just begun", listed=True)
        yield Served(url, session, hidden, fresh, tokens, token)
    finally:
        running.kill()


def _played(url: str, most: int | None) -> tuple[str, dict[str, str]]:
    script = read_script(RULESETS[0])
    steps = tuple(
        step for step in script.steps if step.close is msgspec.UNSET and step.fork is msgspec.UNSET
    )
    evening = SessionPlayer(url, msgspec.structs.replace(script, steps=steps[:most]))
    with closing(evening):
        evening.open(listed=True)
        for _ in evening.play():
            pass
        told = evening.gm.post(
            f"{evening.path}/narrate", {"text": f"Not a word of {SECRET}.", "audience": "gm"}
        )
        assert told.status == 201, told.body
    return evening.session, {seat: str(player.token) for seat, player in evening.seats.items()}


def _opened(url: str, title: str, *, listed: bool) -> tuple[str, str]:
    body = {"ruleset": RULESETS[0].name, "title": title, "options": {"listed": listed}}
    with closing(ApiConnection(url)) as player:
        answer = player.post("/v1/sessions", body)
        assert answer.status == 201, answer.body
        return answer.json["session"], answer.json["token"]


def _counted(settings: Settings, session: str) -> None:
    """What the follower and the worker do."""
    with closing(build(settings)) as app:
        for view in app.read_models.followed:
            catch_up(app.log, view)
        compute_statistics(app, session)
