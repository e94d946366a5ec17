"""The one filter: what a viewer may see of a session. Every answer, list, file and statistic passes through it."""

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
    """Who looks: a seat of this session, or nobody in particular. `through` is the seat that a GM looks as."""

    seat: str | UnsetType = UNSET
    through: str | UnsetType = UNSET

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that must all be allowed to see a thing."""
        seat = PUBLIC if self.seat is UNSET else self.seat
        return (seat,) if self.through is UNSET else (seat, self.through)


PUBLIC_VIEWER = Viewer()


def can_see_session(session: Session, viewer: Viewer) -> bool:
    """A session is there for its seats, and for everyone where it was opened as listed."""
    if session.info.options.get("listed") is True:
        return True
    if viewer.seat is UNSET:
        return False
    held = session.info.seats.get(viewer.seat)
    return held is not None and held.present


def view_as(session: Session, viewer: Viewer, through: str | UnsetType) -> Viewer:
    """The viewer as a GM or an auditor who looks at what another seat sees. Raises Refused."""
    if through is UNSET:
        return viewer
    by = session.by(viewer.seat) if viewer.seat is not UNSET else By(PUBLIC, Role.SPECTATOR)
    if by.role not in (Role.GM, Role.AUDITOR):
        raise Refused("gm-only", role=by.role.value)
    if through not in session.info.seats:
        raise Refused("seat-unknown", seat=through)
    return Viewer(by.seat, through)


def is_visible(session: Session, viewer: Viewer, fact: RecordedEvent) -> bool:
    """Whether what a fact says is open to the viewer, as things stand in the session."""
    return not fact.sealed or all(sees(session, seat, fact) for seat in viewer.seats)


def select_visible(
    session: Session, viewer: Viewer, facts: Iterable[RecordedEvent]
) -> Iterator[RecordedEvent]:
    """The facts that are open to the viewer."""
    return (fact for fact in facts if is_visible(session, viewer, fact))


def turns_hidden_from(session: Session, viewer: Viewer) -> frozenset[int]:
    """The turns whose secrets the viewer may not see, as things stand."""
    return frozenset().union(*(hidden_from(session, seat) for seat in viewer.seats))


def visible_session(session: Session, viewer: Viewer, past: History) -> Session:
    """The session with the table as the viewer saw it at its version, and no other table in it."""
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
    """A wish's refusal as its seat may be told it: by what the seat sees, or that something unseen is in the way."""
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
