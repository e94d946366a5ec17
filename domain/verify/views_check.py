"""Level 5, views: computes tables, texts and tallies from the log.

The texts and the tallies are compared with those that the server shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.descriptions import describe, fill, names, tally
from domain.session.display_names import escape_forbidden
from domain.session.messages import SeatNamed
from domain.session.state import Session
from domain.tally import Counts
from domain.verify.bytes_check import FileEvent
from domain.verify.report import VerificationError
from domain.verify.rules_check import RULESET_ERRORS


class DescribedEvent(msgspec.Struct, frozen=True):
    """The server's text for an event.

    A sealed event has no text. The text contains either ids in braces or the corresponding names.
    """

    version: int
    text: str | UnsetType = UNSET
    sealed: bool = False
    told: str | UnsetType = UNSET
    """The name of `text` in files that a server before version 0.2 sent."""

    def __post_init__(self) -> None:
        if (self.line is UNSET) is not self.sealed:
            raise ValueError("an event must have either `text` or `sealed: true`, but not both")

    @property
    def line(self) -> str | UnsetType:
        return self.told if self.text is UNSET else self.text


class TalliedEvent(msgspec.Struct, frozen=True):
    version: int
    counts: Counts


class ServerViews(msgspec.Struct, frozen=True):
    """The timeline and the tallies that the server shows for some or all events."""

    events: tuple[DescribedEvent, ...]
    tallies: tuple[TalliedEvent, ...] = ()


def read_views(raw: bytes) -> ServerViews:
    """Parse views from a JSON page of the API, or from JSON lines with one event per line.

    Raises ValueError if `raw` is neither, or contains no events.
    """
    try:
        return msgspec.json.decode(raw, type=ServerViews)
    except ValueError:
        events = tuple(msgspec.json.Decoder(DescribedEvent).decode_lines(raw))
    if not events:
        raise ValueError("it contains no events")
    return ServerViews(events)


class ViewsCheck:
    """Computes the table, the text and the tally for each event.

    The texts and the tallies are compared with the server's views. Methods raise VerificationError
    if a check fails.
    """

    def __init__(self, sessions: Sequence[Session], views: ServerViews) -> None:
        self._sessions, self._at = sessions, sessions.__getitem__
        self._ruleset: AnyRuleset = sessions[-1].ruleset
        self._names = names(sessions[-1])
        self._sent_names = self._names | {
            f"@{seat}": held.name
            for seat, held in sessions[-1].info.seats.items()
            if held.name is not UNSET
        }
        self._timeline = {event.version: event.line for event in views.events}
        self._tallies = {tallied.version: tallied.counts for tallied in views.tallies}
        self._compared = range(min(self._timeline, default=1), max(self._timeline, default=0) + 1)
        for version in (*self._timeline, *self._tallies):
            if not 1 <= version < len(sessions):
                raise VerificationError(
                    len(sessions),
                    "E_OUTCOME",
                    f"the server's view of version {version}",
                    f"only views of versions 1 to {len(sessions) - 1}",
                )

    def read(self, line: FileEvent) -> None:
        if not isinstance(line, RecordedEvent):
            return
        try:
            self._present(line.version)
            text, counts = (
                describe(self._ruleset, line, self._at),
                tally(self._ruleset, line, self._at),
            )
        except RULESET_ERRORS as wrong:
            raise VerificationError(
                line.version,
                "E_OUTCOME",
                repr(wrong),
                "an event that the ruleset can display, describe and count",
            ) from None
        if line.version in self._compared:
            self._compare(line, text)
        if self._tallies.get(line.version, counts) != counts:
            raise VerificationError(line.version, "E_OUTCOME", self._tallies[line.version], counts)

    def _compare(self, line: RecordedEvent, text: str) -> None:
        """Compare the server's text with the text computed from the log.

        Names may also appear exactly as they were sent, as in earlier versions of the server.
        """
        seen = self._timeline.get(line.version, "no text for this event")
        if seen is UNSET:
            return
        if isinstance(line.body, SeatNamed):
            seen = escape_forbidden(seen)
        if seen not in (text, fill(text, self._names), fill(text, self._sent_names)):
            raise VerificationError(line.version, "E_OUTCOME", seen, text)

    def _present(self, version: int) -> None:
        session = self._sessions[version]
        if session.table is not self._sessions[version - 1].table:
            self._ruleset.show(session.table)
