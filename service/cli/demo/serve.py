"""`fairlog serve --demo`: run a server with sessions that users can continue."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from functools import partial
from http import HTTPStatus
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.example_session import Script, read_script
from domain.rulesets import RULESETS
from service.cli.demo.player import SessionPlayer
from service.cli.demo.run import EXPECTED_ERRORS, redirect_output
from service.client.api import ApiConnection
from service.ops.migrate import prepare
from service.ops.supervisor import Supervisor
from service.platform.files import write_private
from service.platform.settings import Settings


def serve_demo(settings: Settings) -> None:
    """Run the demo server until SIGTERM or SIGINT. Raises any of EXPECTED_ERRORS."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = settings.data / "demo.log"
    with redirect_output(log) as terminal:
        say = partial(print, file=terminal, flush=True)
        try:
            DemoServer(settings, prepare=prepare, say=say, log_hint=f"its output is in {log}").run()
        except EXPECTED_ERRORS:
            say(f"The server's output is in {log}. Its last lines:")
            raise


class DemoServer(Supervisor):
    """A server that plays the demo sessions when it is started for the first time.

    Each time it starts, it prints how to continue these sessions.
    """

    def start(self) -> None:
        super().start()
        file = self.settings.data / "demo.json"
        if not (file.exists() and all(map(self._exists, json.loads(file.read_text())))):
            sessions = [self._play(read_script(ruleset)) for ruleset in RULESETS if self._goes_on]
            if self._goes_on:
                write_private(file, json.dumps(sessions).encode())  # contains the seats' tokens
        if self._goes_on:
            self._say(f"\nAPI documentation: {self.settings.public_url}/docs")
            for session in json.loads(file.read_text()):
                self._print_next_turn(session)

    @property
    def _goes_on(self) -> bool:
        return not self._is_stopping

    def _exists(self, session: dict[str, Any]) -> bool:
        with closing(ApiConnection(self.settings.local_url)) as player:
            return player.get(f"/v1/sessions/{session['session']}").status == HTTPStatus.OK

    def _play(self, script: Script) -> dict[str, Any]:
        """Play a script without closing the session.

        Return the session's title, its id, and the seats' tokens.
        """
        self._say(f"playing {script.title}")
        steps = tuple(step for step in script.steps if step.close is UNSET)
        with closing(
            SessionPlayer(self.settings.local_url, replace(script, steps=steps))
        ) as player:
            player.open(listed=True)
            for _ in player.play():
                self.tend()
                if self._is_stopping:
                    break
            tokens = {seat: connection.token for seat, connection in player.seats.items()}
        return {"title": script.title, "session": player.session, "tokens": tokens}

    def _print_next_turn(self, session: dict[str, Any]) -> None:
        """Print how to go on: links for a browser, and a curl command for a seat that may draw."""
        path = f"/v1/sessions/{session['session']}"
        url = f"{self.settings.public_url}{path}"
        table = f"{self.settings.public_url}/s/{session['session']}/seat"
        self._say(
            f"\n{session['title']}: {url}\n"
            f"Open its table in a browser, as the player p1 or as the GM:\n"
            f"  {table}#{session['tokens']['p1']}\n  {table}#{session['tokens']['gm']}"
        )
        for seat, token in reversed(session["tokens"].items()):
            if command := self._find_draw(path, token):
                body = shlex.quote(json.dumps({"command": command}))
                self._say(
                    f"Play the next turn as {seat}:\n  curl -X POST {url}/commands \\\n"
                    f"    -H 'Authorization: Bearer {token}' \\\n"
                    f"    -H 'Content-Type: application/json' \\\n    -d {body}"
                )
                return

    def _find_draw(self, path: str, token: str) -> Any:
        """Return a command that triggers a draw and is allowed for the seat now, or None."""
        with closing(ApiConnection(self.settings.local_url, token)) as player:
            for choice in player.get(f"{path}/commands").json["commands"]:
                if choice["allowed"] and "example" in choice:
                    body = {"command": choice["example"]}
                    if player.post(f"{path}/commands/dry-run", body).json.get("draws"):
                        return choice["example"]
        return None
