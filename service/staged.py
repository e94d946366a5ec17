"""`fairlog serve --demo`: serves with every room's evening in it, left open, and says how its next turn is played."""

from __future__ import annotations

import http
import json
import shlex
from contextlib import closing
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET

from domain.rulesets import RULESETS
from service.bootstrap import prepare
from service.demo import EXPECTED, aside
from service.evening import Evening
from service.player import Player
from service.script import Script, script_of
from service.settings import Settings
from service.supervisor import Supervisor


def serve_open(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT. Raises what EXPECTED lists."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = settings.data / "demo.log"
    with aside(log) as terminal:
        say = partial(print, file=terminal, flush=True)
        try:
            Staged(settings, prepare=prepare, say=say, heard=f"what it said is in {log}").run()
        except EXPECTED:
            say(f"What the server said is in {log}, and at its end:")
            raise


class Staged(Supervisor):
    """Serves with every room's evening in it, left open."""

    def start(self) -> None:
        super().start()
        if self._is_stopping:
            return
        file = self.settings.data / "demo.json"
        if not (file.exists() and all(map(self._is_there, json.loads(file.read_text())))):
            stages = []
            for room in RULESETS:
                stages.append(self._play(script_of(room)))
                if self._is_stopping:
                    return
            file.touch(mode=0o600)  # the tokens stand in it
            file.write_text(json.dumps(stages))
        self._say(f"\nThe page of the API: {self.settings.public_url}/docs")
        for stage in json.loads(file.read_text()):
            self._advertise(stage)

    def _is_there(self, stage: dict[str, Any]) -> bool:
        with closing(Player(self.settings.local_url)) as player:
            return player.get(f"/v1/sessions/{stage['session']}").status == http.HTTPStatus.OK

    def _play(self, script: Script) -> dict[str, Any]:
        """All but its close."""
        self._say(f"playing {script.title}")
        steps = tuple(step for step in script.steps if step.close is UNSET)
        evening = Evening(self.settings.local_url, msgspec.structs.replace(script, steps=steps))
        with closing(evening):
            evening.open(listed=True)
            for _ in evening.play():
                self.tend()
                if self._is_stopping:
                    break
        tokens = {seat: player.token for seat, player in evening.seats.items()}
        return {"title": script.title, "session": evening.session, "tokens": tokens}

    def _advertise(self, stage: dict[str, Any]) -> None:
        url, path = self.settings.public_url, f"/v1/sessions/{stage['session']}"
        self._say(f"\n{stage['title']}: {url}{path}")
        for seat, token in reversed(stage["tokens"].items()):
            command = self._next_turn(path, token)
            if command is not None:
                self._say(
                    f"Play the next turn as {seat}:\n{_curl(f'{url}{path}/commands', token, command)}"
                )
                return

    def _next_turn(self, path: str, token: str) -> Any:
        """A command that the rules allow this seat now and that needs a die or a card, or else None."""
        with closing(Player(self.settings.local_url, token)) as player:
            for choice in player.get(f"{path}/commands").json["commands"]:
                if choice["allowed"] and "example" in choice:
                    tried = player.post(
                        f"{path}/commands/dry-run", {"command": choice["example"]}
                    ).json
                    if tried.get("draws"):
                        return choice["example"]
        return None


def _curl(url: str, token: str, command: Any) -> str:
    body = shlex.quote(json.dumps({"command": command}))
    return (
        f"  curl -X POST {url} \\\n    -H 'Authorization: Bearer {token}' \\\n"
        f"    -H 'Content-Type: application/json' \\\n    -d {body}"
    )
