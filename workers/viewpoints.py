"""Viewpoints: the distinct sets of hidden turns in a session.

Results are computed once for each set.
"""

from __future__ import annotations

from domain.decider import Role
from domain.session.state import Session
from domain.visibility import PUBLIC_VIEWER, Viewer, turns_hidden_from


def viewers_by_hidden_turns(session: Session) -> dict[frozenset[int], Viewer]:
    """Map each distinct set of hidden turns to a viewer who cannot see those turns."""
    seats = session.info.seats
    gms = [seat for seat, held in seats.items() if held.role is Role.GM]
    # An auditor who views as a seat sees the same as that seat.
    looking = [Viewer(gm, seat) for gm in gms for seat in seats]
    ways: dict[frozenset[int], Viewer] = {}
    for viewer in (PUBLIC_VIEWER, *map(Viewer, seats), *looking):
        ways.setdefault(turns_hidden_from(session, viewer), viewer)
    return ways
