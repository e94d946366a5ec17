"""python -m tests.service.store.hot_session DATA SESSION SECONDS: one of several processes that play at the same table."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from typing import Any

import msgspec

from domain.session.messages import Narrate
from service.platform.settings import Settings
from service.sessions import command_handler as handler
from service.sessions.app import build
from service.sessions.idempotency import RequestIdentity
from service.store.errors import VersionConflictError


class Played(msgspec.Struct):
    """`races`: turns that another writer was first at, and that were decided anew; `lost`: those that were given up."""

    turns: int = 0
    races: int = 0
    lost: int = 0
    longest: float = 0.0


def main(data: str, session: str, seconds: float) -> Played:
    played, once = Played(), handler._decide_and_append

    def counted(*given: Any) -> Any:
        try:
            return once(*given)
        except VersionConflictError:
            played.races += 1
            raise

    handler._decide_and_append = counted
    with closing(build(Settings.read({**os.environ, "FAIRLOG_DATA": data}))) as app:
        until = time.monotonic() + seconds
        while (began := time.monotonic()) < until:
            number = f"{os.getpid()}-{played.turns + played.lost}"
            try:
                handler.handle(
                    app,
                    session,
                    Narrate(f"Turn {number}."),
                    RequestIdentity("gm", number, number.encode()),
                )
                played.turns += 1
            except VersionConflictError:
                played.lost += 1
            played.longest = max(played.longest, time.monotonic() - began)
    return played


if __name__ == "__main__":
    print(msgspec.json.encode(main(sys.argv[1], sys.argv[2], float(sys.argv[3]))).decode())
