"""A real server with a campaign in it: three people, several sessions, and their statistics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from projections.runner import catch_up
from service.client.api import ApiConnection
from service.platform.settings import Settings
from service.sessions.app import build
from tests.support.processes import Running
from tests.support.server import NOWHERE
from workers.campaign_statistics import compute_campaign
from workers.jobs import compute_statistics

NAMES = {"mo": "Mo", "ana": "Ana", "ben": "Ben"}
TITLE = "The long road"


class PlayedCampaign(NamedTuple):
    """`tokens` are the personal tokens. The last session is open, and the others are closed."""

    url: str
    campaign: str
    sessions: list[str]
    tokens: dict[str, str]

    def send(self, token: str, path: str, body: dict[str, Any]) -> Any:
        return _send(self.url, token, path, body)


@contextmanager
def played_campaign(folder: Path, sessions: int = 2, checks: int = 8) -> Iterator[PlayedCampaign]:
    """Serve the web alone, without a queue. The statistics are computed before the first request."""
    running = Running(
        folder, "serve", "--only", "web", REDIS_URL=NOWHERE, FAIRLOG_SYNCHRONOUS="NORMAL"
    )
    try:
        url = running.url()
        body = {"title": TITLE, "person": "mo", "name": NAMES["mo"]}
        created = _send(url, "", "/v1/campaigns", body)
        campaign, tokens = created["campaign"], {"mo": created["token"]}
        for person in ("ana", "ben"):
            body = {"person": person, "name": NAMES[person]}
            made = _send(url, tokens["mo"], f"/v1/campaigns/{campaign}/people", body)
            tokens[person] = made["token"]
        played = [_play(url, campaign, tokens, nth, checks) for nth in range(1, sessions + 1)]
        for session, gm in played[:-1]:
            _send(url, gm, f"/v1/sessions/{session}/close", {"carry_over": True})
        found = [session for session, _ in played]
        _compute(running.settings, campaign, found)
        yield PlayedCampaign(url, campaign, found, tokens)
    finally:
        running.kill()


def _play(
    url: str, campaign: str, tokens: dict[str, str], number: int, checks: int
) -> tuple[str, str]:
    """Play a session. Return it and the token of its GM."""
    path = f"/v1/campaigns/{campaign}/sessions"
    body = {"title": f"Session {number}", "ruleset": "dhextiny"}
    opened = _send(url, tokens["mo"], path, body)
    session = opened["session"]
    for person in ("ana", "ben"):
        seat = _send(url, tokens[person], f"{path}/{session}/join", {})["token"]
        _command(url, seat, session, kind="CreatePc", entity=person, name=NAMES[person])
        for _ in range(checks):
            _command(url, seat, session, kind="Check", entity=person)
            _command(url, seat, session, kind="Settle", entity=person)
    return session, opened["token"]


def _command(url: str, token: str, session: str, **command: Any) -> None:
    command["kind"] = f"dhextiny.{command['kind']}"
    _send(url, token, f"/v1/sessions/{session}/commands", {"command": command})


def _send(url: str, token: str, path: str, body: dict[str, Any]) -> Any:
    with closing(ApiConnection(url, token)) as api:
        answer = api.post(path, body)
    assert answer.status in (200, 201), answer.body
    return answer.json


def _compute(settings: Settings, campaign: str, sessions: list[str]) -> None:
    with closing(build(settings)) as app:
        for view in app.read_models.followed:
            catch_up(app.log, view)
        for session in sessions:
            compute_statistics(app, session)
        compute_campaign(app, campaign)
