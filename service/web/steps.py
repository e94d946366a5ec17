"""Where a page of a session leads from the version that it shows: a version, a turn, the start, the end."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from domain.session.state import Session
from service.store.event_log import EventLog

REACH = 32


class Steps(NamedTuple):
    """The versions next to one, None where it is the first or the last itself."""

    start: int | None
    turn_back: int | None
    back: int | None
    on: int | None
    turn_on: int | None


def steps(log: EventLog, session: Session, at: int) -> Steps:
    """`turn_on` is where the next turn to end ends, `turn_back` where the one before it ended."""
    head = session.version
    return Steps(
        0 if at else None,
        _turn_back(log, session.id, at) if at else None,
        at - 1 if at else None,
        at + 1 if at < head else None,
        _turn_on(log, session.id, at, head) if at < head else None,
    )


def _turn_back(log: EventLog, session: str, at: int) -> int:
    """The last version before that is its turn's last; 0 is before all turns."""
    [last] = log.read_events(session, at - 1, at)
    reach = REACH
    while True:
        facts = log.read_events(session, max(0, at - 1 - reach), at)
        for nth in range(len(facts) - 2, -1, -1):
            if facts[nth].turn != last.turn:
                return facts[nth].version
        if at - 1 <= reach:
            return 0
        reach *= 4


def _turn_on(log: EventLog, session: str, at: int, head: int) -> int:
    """The first version behind that is its turn's last."""
    reach = REACH
    while True:
        facts = log.read_events(session, at, min(head, at + reach))
        for one, other in pairwise(facts):
            if one.turn != other.turn:
                return one.version
        if at + reach >= head:
            return head
        reach *= 4
