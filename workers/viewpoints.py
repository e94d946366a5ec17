"""The ways of seeing a session: whatever is computed of it is computed for each."""

from __future__ import annotations

from domain.decider import Role
from domain.session.state import Session
from domain.visibility import PUBLIC_VIEWER, Viewer, turns_hidden_from


def viewers_by_hidden_turns(session: Session) -> dict[frozenset[int], Viewer]:
    """The turns that are hidden from a viewer, with one who sees so, for every way of seeing that there is."""
    seats = session.info.seats
    gms = [seat for seat, held in seats.items() if held.role is Role.GM]
    looking = [
        Viewer(gm, seat) for gm in gms for seat in seats
    ]  # an auditor who looks as a seat sees what that sees
    ways: dict[frozenset[int], Viewer] = {}
    for viewer in (PUBLIC_VIEWER, *map(Viewer, seats), *looking):
        ways.setdefault(turns_hidden_from(session, viewer), viewer)
    return ways
