"""How long each kind of process is away: from its kill until what it does is done again, not until it runs."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from projections.results import STATISTICS
from projections.stores.errors import is_of_storage
from service.sessions.app import App

LOOK, TIMEOUT = 0.1, 2.0  # seconds


class Away:
    """What was killed and does not do its work yet; `end` of the log and `counted` as they were at the first look."""

    def __init__(self, kind: str) -> None:
        self.kind, self.killed = kind, time.monotonic()
        self.end = self.goal = 0
        self.counted: Mapping[str, int] = {}


class Returns:
    """Looks in a thread of its own, as others would: over HTTP, and into the views. `killed` when something was."""

    def __init__(self, app: App, url: str) -> None:
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.away: list[Away] = []
        self._app, self._netloc, self._over = app, urlsplit(url).netloc, Event()
        self._thread = Thread(target=self._look, name="returns")
        self._thread.start()

    def killed(self, kind: str) -> None:
        self.away.append(Away(kind))

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK):
            for away in list(self.away):
                if self._is_back(away):
                    self.away.remove(away)
                    self.seconds[away.kind].append(time.monotonic() - away.killed)

    def _is_back(self, away: Away) -> bool:
        match away.kind:
            case "web" | "postgres":
                return self._ready().get("log") == "ok"
            case "queue":
                return self._ready().get("queue") == "ok"
        try:
            return self._follows(away) if away.kind == "follower" else self._counts(away)
        except Exception as error:
            if not is_of_storage(error):
                raise
            return False

    def _follows(self, away: Away) -> bool:
        """Every view has come to something that was appended since."""
        end = self._app.log.end()
        away.end = away.end or end
        if end > away.end:
            away.goal = away.goal or end
        return away.goal > 0 and all(
            view.store.position(view.name) >= away.goal for view in self._app.read_models.followed
        )

    def _counts(self, away: Away) -> bool:
        """Statistics of some session are newer."""
        counted = self._app.read_models.results.versions(STATISTICS)
        away.counted = away.counted or counted
        return counted != away.counted

    def _ready(self) -> dict[str, Any]:
        connection = HTTPConnection(self._netloc, timeout=TIMEOUT)
        try:
            connection.request("GET", "/readyz")
            found: dict[str, Any] = json.loads(connection.getresponse().read())
        except (OSError, HTTPException, ValueError):
            return {}
        else:
            return found
        finally:
            with suppress(OSError):
                connection.close()
