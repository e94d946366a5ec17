"""Relay of a session's stream to a webhook, in order and at least once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from service.client.api import ApiConnection, UnexpectedResponseError, UnreachableError, require_ok
from service.platform import clock
from service.webhooks.delivery import DeliveryFailedError, Target, deliver, pause_seconds
from service.webhooks.message import Format, build_message

RECONNECT_SECONDS = 2.0
Log = Callable[[str], None]


class Source(NamedTuple):
    """A session on a server. `token` may read it, and is empty if the session is listed."""

    server: str
    session: str
    token: str


class RelayState(msgspec.Struct):
    """The state that is stored in a file: the last version that the receiver accepted.

    It is None before the first connection.
    """

    server: str
    session: str
    delivered: int | None = None


class WrongStateFileError(Exception):
    """The state file belongs to another session or cannot be read."""


class Relay:
    """Sends each event of a session to a webhook, until it is stopped.

    A message is sent until the receiver accepts it, and only then the next one. After a restart,
    the relay continues behind the last version in its state file. It can then send one message
    again, with the same id.
    """

    def __init__(
        self,
        source: Source,
        target: Target,
        format_: Format,
        file: Path,
        log: Log,
        after: int | None = None,
    ) -> None:
        """Read the state file, or start a new one.

        A new relay sends the events after version `after`, or only new events. Raises
        WrongStateFileError.
        """
        self._after = after
        self._server, self._session, self._token = source
        self._target, self._format, self._file, self._log = target, format_, file, log
        self._state = _read_state(file, source.server, source.session)
        self._title = ""

    def run(self) -> None:
        """Follow the stream and deliver its events.

        Returns if the receiver wants no more messages. Raises RequestRefusedError or
        UnexpectedResponseError if the server refuses the token or the session.
        """
        while True:
            connection = ApiConnection(self._server, self._token)
            try:
                for event in self._events(connection):
                    if not self._deliver(event):
                        return
            except UnreachableError as away:
                self._log(f"{away}; trying again")
                time.sleep(RECONNECT_SECONDS)
            finally:
                connection.close()

    def _events(self, connection: ApiConnection) -> Iterator[dict[str, Any]]:
        path = f"/v1/sessions/{self._session}"
        if not self._title:
            session = require_ok(connection.get(path)).json
            self._title = session["title"]
            if self._state.delivered is None:
                self._state.delivered = session["version"] if self._after is None else self._after
                _write_state(self._file, self._state)
        for line in connection.lines(f"{path}/stream?after={self._state.delivered}"):
            message = msgspec.json.decode(line)
            if "version" in message:
                yield message
            elif message.get("end", {}).get("code") == "token-revoked":
                raise UnexpectedResponseError("the token was revoked: start the relay with another")

    def _deliver(self, event: dict[str, Any]) -> bool:
        """Send the event until the receiver accepts it. Return False if it wants no more."""
        message = build_message(self._session, self._title, event, self._format)
        failures = 0
        while True:
            try:
                deliver(self._target, message, clock.now_ms() // 1000)
                break
            except DeliveryFailedError as failed:
                if failed.is_gone:
                    self._log(f"{failed}: the receiver wants no more messages")
                    return False
                failures += 1
                pause = max(pause_seconds(failures), failed.retry_after)
                self._log(f"version {event['version']}: {failed}; trying again in {pause:.1f} s")
                time.sleep(pause)
        self._state.delivered = event["version"]
        _write_state(self._file, self._state)
        return True


def _read_state(file: Path, server: str, session: str) -> RelayState:
    if not file.exists():
        return RelayState(server, session)
    try:
        state = msgspec.json.decode(file.read_bytes(), type=RelayState)
    except msgspec.MsgspecError as wrong:
        raise WrongStateFileError(f"{file} is not the state of a relay: {wrong}") from None
    if (state.server, state.session) != (server, session):
        raise WrongStateFileError(
            f"{file} is the state for session {state.session} on {state.server}: name another file"
        )
    return state


def _write_state(file: Path, state: RelayState) -> None:
    """Replace the file in one step, so that a crash leaves the old state or the new one."""
    new = file.with_name(f"{file.name}.new")
    with new.open("wb") as opened:
        opened.write(msgspec.json.encode(state))
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
