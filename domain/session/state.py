"""What a session is: the frame, which only goes on, and the table, which a rewind sets back."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET, UnsetType

from domain.decider import By, Refused, Role
from domain.ruleset import Option, Room
from domain.rulesets import ROOMS

HOUSE = "house"


class FrameOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that every session has, beside its room's."""

    declared_dice: bool = False
    listed: bool = False


class Seat(msgspec.Struct, frozen=True, gc=False):
    """`nth` counts comings and goings; a seat that left keeps its role for when it comes back."""

    role: Role
    present: bool
    nth: int = 0
    name: str | UnsetType = UNSET
    public_key: str | UnsetType = UNSET


class Chain(msgspec.Struct, frozen=True, gc=False):
    """The house's chain in use: `position` is of the last link it gave, 0 before the first."""

    number: int
    length: int
    position: int


class Frame(msgspec.Struct, frozen=True, gc=False):
    """What a session is, whatever is played in it."""

    ruleset: str
    edition: str
    title: str
    options: dict[str, Option]
    log_key: str
    seats: dict[str, Seat]
    closed: bool


class Session(msgspec.Struct, frozen=True, gc=False):
    """The session after `version` events: the frame, which only goes on, and the table, which a rewind sets back."""

    id: str
    version: int
    turn: int
    k: int
    chain: Chain
    frame: Frame
    table: object

    @property
    def room(self) -> Room:
        return ROOMS[self.frame.ruleset, self.frame.edition]

    def by(self, seat: str) -> By:
        """The seat with its role. Refused("seat-unknown") where nobody sits."""
        held = self.frame.seats.get(seat)
        if held is None or not held.present:
            raise Refused("seat-unknown", seat=seat)
        return By(seat, held.role)


Past = Callable[[int], Session]


def initial(session: str) -> Session:
    """Before the first event."""
    return Session(session, 0, 0, 0, Chain(0, 0, 0), Frame("", "", "", {}, "", {}, False), ())
