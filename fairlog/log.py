"""Logs in .fairlog files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain.codec import encode
from domain.transcript import Transcript, read_events, transcript
from domain.verify import Evidence, Report, verify
from domain.verify.bytes_check import FileEvent, SealedEvent
from service.platform import ed25519, log_reader


class Log:
    """A session's log in a .fairlog file, plain or gzipped.

    The file is read anew by each method, so a Log needs no closing. All methods raise OSError if
    the file cannot be opened.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def verify(self, evidence: Evidence | None = None) -> Report:
        """Verify the log on all levels.

        `evidence` is what you know from elsewhere, such as the log's key. The report contains the
        first failure, if any, as `failure`. An invalid log raises no exception.
        """
        return verify(self.lines(), ed25519.verify, evidence or Evidence())

    def transcript(self) -> Transcript:
        """Return the text of the session, turn by turn. This proves nothing: see `verify`.

        Raises ProofError if the log cannot be read, and UnreadableLogError if its ruleset is not
        installed.
        """
        return transcript(read_events(self.lines()))

    def events(self) -> list[dict[str, Any]]:
        """Return the events in order, as dictionaries.

        Each has `version`, `turn` and `seat`. A sealed event also has `sealed`, and any other event
        has `kind`, `body`, and `at` in ms since the epoch. Raises the same errors as `transcript`.
        """
        return [_to_dict(event) for event in read_events(self.lines())]

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file, with their line endings."""
        with self.path.open("rb") as opened:
            yield from log_reader.read_lines(opened)


def _to_dict(event: FileEvent) -> dict[str, Any]:
    fields: dict[str, Any] = {"version": event.version, "turn": event.turn, "seat": event.seat}
    if isinstance(event, SealedEvent):
        return fields | {"sealed": True}
    body = msgspec.json.decode(encode(event.body))
    return fields | {"at": event.at, "kind": body.pop("kind"), "body": body}


def open_log(path: str | os.PathLike[str]) -> Log:
    """Open a .fairlog file, plain or gzipped.

    Raises FileNotFoundError if there is no such file.
    """
    log = Log(path)
    log.path.stat()
    return log
