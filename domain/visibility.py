"""Visibility: what a viewer may see in a session.

These functions filter every response, list, file and statistic. `domain.session.secrets` decides
which seats a secret is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import DeclaredChance, NeedsDrawError, UndrawnChance
from domain.decider import By, Refused, Role
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declare
from domain.session.secrets import (
    ALL_SEEING,
    fold_visible,
    hidden_from,
    refuse_unseen,
    sees,
    visible_table,
)
from domain.session.state import PUBLIC, History, Session
from domain.session.turns import judge


class Viewer(msgspec.Struct, frozen=True):
    """A seat that views the session. If `seat` is not set, the viewer is the public.

    A GM or an auditor can view the session as another seat, named by `through`.
    """

    seat: str | UnsetType = UNSET
    through: str | UnsetType = UNSET

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats whose restrictions apply to the viewer.

        The viewer sees only what all of these seats may see.
        """
        seat = PUBLIC if self.seat is UNSET else self.seat
        return (seat,) if self.through is UNSET else (seat, self.through)


PUBLIC_VIEWER = Viewer()


def can_see_session(session: Session, viewer: Viewer) -> bool:
    """Return True if the session is publicly listed or the viewer still holds a seat in it."""
    if session.info.options.get("listed") is True:
        return True
    if viewer.seat is UNSET:
        return False
    held = session.info.seats.get(viewer.seat)
    return held is not None and held.present


def view_as(session: Session, viewer: Viewer, through: str | UnsetType) -> Viewer:
    """Return a viewer that sees only what both `viewer` and `through` may see.

    Returns `viewer` unchanged if `through` is UNSET. Raises Refused unless the viewer is the GM or
    an auditor and the seat `through` exists.
    """
    if through is UNSET:
        return viewer
    by = session.by(viewer.seat) if viewer.seat is not UNSET else By(PUBLIC, Role.SPECTATOR)
    if by.role not in (Role.GM, Role.AUDITOR):
        raise Refused("gm-only", role=by.role.value)
    if through not in session.info.seats:
        raise Refused("seat-unknown", seat=through)
    return Viewer(by.seat, through)


def is_visible(session: Session, viewer: Viewer, recorded: RecordedEvent) -> bool:
    """Return True if the viewer may now read the event's content."""
    return not recorded.sealed or all(sees(session, seat, recorded) for seat in viewer.seats)


def select_visible(
    session: Session, viewer: Viewer, events: Iterable[RecordedEvent]
) -> Iterator[RecordedEvent]:
    """Return the events whose content the viewer may now read."""
    return (recorded for recorded in events if is_visible(session, viewer, recorded))


def turns_hidden_from(session: Session, viewer: Viewer) -> frozenset[int]:
    """Return the secret turns that are currently hidden from the viewer."""
    return frozenset().union(*(hidden_from(session, seat) for seat in viewer.seats))


def visible_session(session: Session, viewer: Viewer, past: History) -> Session:
    """Return the session with its table reduced to what the viewer may see."""
    if not session.tables_by_seat:
        return session
    *_, last = viewer.seats
    hides = turns_hidden_from(session, viewer)
    table = (
        visible_table(session, last)
        if hides == hidden_from(session, last)
        else fold_visible(session, hides, session.version, past)
    )
    return replace(session, table=table, tables_by_seat={})


def visible_refusal(
    session: Session, by: By, command: Declare, refused: Refused, past: History
) -> Refused:
    """Return a refusal that reveals nothing that is hidden from the seat.

    The command is decided again, using the table that the seat can see. If it is refused there too,
    that refusal is returned. Otherwise, the function returns Refused("unseen"), because the real
    reason must stay hidden.
    """
    if not session.tables_by_seat or session.info.seats[by.seat].role in ALL_SEEING:
        return refused
    dice = UndrawnChance() if command.faces is UNSET else DeclaredChance(command.faces)
    try:
        with refuse_unseen(session):
            judge(visible_session(session, Viewer(by.seat), past), command, by, dice)
        _ = dice.values if isinstance(dice, DeclaredChance) else ()
    except Refused as no:
        return no
    except NeedsDrawError:
        pass
    return Refused("unseen")
