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


class Served(NamedTuple):
    """`session` is listed and counted; `hidden` is not listed; `fresh` is listed, and not counted yet."""

    url: str
    session: str
    hidden: str
    fresh: str
    tokens: dict[str, str]
    hidden_token: str


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
