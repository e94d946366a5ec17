"""Colours of seats: what people chose for themselves.

A colour is a preference about how a page looks. The log therefore does not contain it, and nothing
that is hashed or signed depends on it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from service.store.recorder import Recorder, SideRow

Colour = Literal["pink", "blue", "gold", "teal", "violet", "orange", "green", "red", "slate"]
"""The names of the colours. A page decides how each looks in its light and its dark theme."""


def choice(session: str, seat: str, colour: Colour) -> SideRow:
    """Return the side row that stores the seat's colour in the place of an earlier one."""
    statement = (
        "INSERT INTO seat_colours (session, seat, colour) VALUES (?,?,?)"
        " ON CONFLICT (session, seat) DO UPDATE SET colour=excluded.colour"
    )
    return statement, [(session, seat, colour)]


def chosen(store: Recorder, sessions: Collection[str]) -> dict[str, dict[str, Colour]]:
    """Return the colours that seats have chosen, keyed by session and seat."""
    found: dict[str, dict[str, Colour]] = {session: {} for session in sessions}
    if not found:
        return found
    marks = ",".join("?" * len(found))
    statement = f"SELECT session, seat, colour FROM seat_colours WHERE session IN ({marks})"  # noqa: S608 only placeholders
    for session, seat, colour in store.query(statement, tuple(found)):
        found[session][seat] = colour
    return found


def carried(store: Recorder, parent: str, seat: str, child: str, gm: str) -> list[SideRow]:
    """Return the side rows that give a fork's seats the colours of the parent's.

    `seat` forks the parent and becomes `gm` of the child, so its colour moves with it.
    """
    colours = chosen(store, [parent])[parent]
    own = colours.pop(seat, None)
    colours.pop(gm, None)
    if own is not None:
        colours[gm] = own
    return [choice(child, each, colour) for each, colour in colours.items()]


def tag(colours: Mapping[str, Colour]) -> str:
    """Return a text that differs if the colours do, or "" if no seat has chosen one."""
    return ",".join(f"{seat}={colour}" for seat, colour in sorted(colours.items()))
