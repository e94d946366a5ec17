"""Reader texts: what people read of an event, on pages and in the printed transcript.

The text of an event (`describe`) has only what the log records: numbers of versions, ids of seats,
and the rulebook's word for the GM. A verifier can compute it. Readers know people and turns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from msgspec import UNSET

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.session.descriptions import audience_suffix
from domain.session.display_names import escape_forbidden
from domain.session.lineage import Rewinds, beyond
from domain.session.messages import (
    Declared,
    Drawn,
    Forked,
    Narrated,
    Opened,
    Redacted,
    Rewound,
    SeatNamed,
    SeatTaken,
)
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import HOUSE, History, Session

MAX_COUNTED_EVENTS = 2000
"""Of a rewind that undid more events, the turns are not counted."""
_ARRIVALS = {
    Role.GM: "runs the game",
    Role.PLAYER: "sits down",
    Role.SPECTATOR: "watches",
    Role.AUDITOR: "watches as an auditor",
}
_ROLES = {
    Role.GM: "the GM",
    Role.PLAYER: "a player",
    Role.SPECTATOR: "a spectator",
    Role.AUDITOR: "an auditor",
    Role.HOUSE: "the server",
}


class LoggedEvent(Protocol):
    """An event of the log, which may be sealed."""

    @property
    def seat(self) -> str: ...
    @property
    def version(self) -> int: ...


class ReaderTexts(NamedTuple):
    """Makes the texts for readers of a session.

    `names` has the names that the reader sees, keyed like those of `descriptions.names`. `rewinds`
    has the session's rewinds.
    """

    session: Session
    names: Mapping[str, str]
    past: History
    rewinds: Rewinds

    def asker(self, first: LoggedEvent) -> str:
        """Return the seat whose turn it is that begins or continues with the event."""
        if first.seat != HOUSE or first.version == 1:
            return first.seat
        pending = self.past.state(first.version - 1).pending
        return HOUSE if pending is None else pending.seat

    def text(self, recorded: RecordedEvent, filled: str, asker: str) -> str:
        """Return the text of an event for readers, or "" if it would say nothing to them.

        `filled` is the text of the event with names, and `asker` the seat whose turn it is.
        """
        if recorded.committed:
            return filled
        if type(recorded.body) not in SESSION_EVENT_TYPES:
            return self._with_name_of_gm(filled, asker)
        return self._session_text(recorded, filled)

    def _with_name_of_gm(self, filled: str, asker: str) -> str:
        """Name the person instead of the rulebook's word for the GM.

        Only the GM can do what such a text says, so the GM's name is that of the seat whose turn it
        is.
        """
        name = self.names.get(f"@{asker}")
        if name is None or asker == HOUSE:
            return filled
        found = _mention_of_gm(self.session.ruleset.gm_title).search(filled)
        return f"{filled[: found.start()]}{name}{filled[found.end() :]}" if found else filled

    def _session_text(self, recorded: RecordedEvent, filled: str) -> str:
        by = self._name(recorded.seat)
        match recorded.body:
            case Opened(title=title, parent=parent):
                begins = "begins" if parent is UNSET else "continues another one"
                return f"The session {begins}: {title}."
            case SeatTaken() as taken:
                return self._arrival(recorded, taken)
            case SeatNamed() as named:
                return self._new_name(recorded, named)
            case Forked(version=version):
                return f"{by} starts another session from turn {self.turn(version)}."
            case Rewound() as rewound:
                end = "" if rewound.reason.endswith((".", "!", "?")) else "."
                return f"{by} {self._rewind(recorded, rewound)}: “{rewound.reason}”{end}"
            case Narrated(text=text, about=int(about)) as narrated:
                heard = audience_suffix(narrated.audience)
                return f"{by} on turn {self.turn(about)}{heard}: {text}"
            case Redacted(of=of, reason=reason):
                return f"{by} redacts the words of turn {self.turn(of)} ({reason})."
        return filled

    def _arrival(self, recorded: RecordedEvent, taken: SeatTaken) -> str:
        if taken.role is Role.HOUSE:
            return ""
        before = self.past.state(recorded.version - 1).info.seats.get(taken.seat)
        name = self._name(taken.seat)
        if before is None:
            return f"{name} {_ARRIVALS[taken.role]}."
        if not before.present:
            return f"{name} is back."
        return f"{name} is now {_ROLES[taken.role]}."

    def _new_name(self, recorded: RecordedEvent, named: SeatNamed) -> str:
        """Say that a seat was renamed, unless the line before it says who takes the seat."""
        before = self.past.state(recorded.version - 1)
        if before.turn == recorded.turn:
            return ""
        seat = before.info.seats[named.seat]
        if seat.name is UNSET:
            role = _ROLES[seat.role]
            old = f"{role[0].upper()}{role[1:]}"
        else:
            old = f"“{escape_forbidden(seat.name)}”"
        return f"{old} is now called “{escape_forbidden(named.name)}”."

    def _rewind(self, recorded: RecordedEvent, rewound: Rewound) -> str:
        """Say how many turns of the game a rewind undid or brought back."""
        before = recorded.version - 1
        for verb, tip, to in (("undid", before, rewound.to), ("brought back", rewound.to, before)):
            turns = self._count_turns(tip, to)
            if turns is None:
                break
            if turns:
                return f"{verb} {turns} turn{'s' if turns > 1 else ''}"
        return f"rewound to turn {self.turn(rewound.to)}"

    def _count_turns(self, tip: int, to: int) -> int | None:
        """Return the number of turns that led to `tip` but not to `to`; None for a long span."""
        spans = beyond(self.rewinds, tip, to)
        if sum(last - first + 1 for first, last in spans) > MAX_COUNTED_EVENTS:
            return None
        events = (event for first, last in spans for event in self.past.events(first - 1, last))
        return len({event.turn for event in events if isinstance(event.body, Declared | Drawn)})

    def turn(self, version: int) -> int:
        """Return the number of the turn at a version, which is 0 before the first one."""
        return self.past.state(version).turn if version else 0

    def _name(self, seat: str) -> str:
        held = self.session.info.seats.get(seat)
        is_gm = held is not None and held.role is Role.GM
        return self.names.get(f"@{seat}", "The GM" if is_gm else seat)


@lru_cache
def _mention_of_gm(title: str) -> re.Pattern[str]:
    """Match the word for the GM at the beginning of a sentence, or after what a roll is for."""
    return re.compile(rf"(?:^|(?<=: )|(?<=[.!?] ))[Tt]he {re.escape(title)}\b")
