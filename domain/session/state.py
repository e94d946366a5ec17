"""What a session is: the frame, which only goes on, and the table, which a rewind sets back."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec import UNSET, UnsetType

from domain.decider import By, Refused, Role
from domain.fact import Fact
from domain.ruleset import Option, Room
from domain.rulesets import ROOMS
from domain.session.messages import Audience

HOUSE = "house"
PUBLIC = ""
"""Stands for every seat that sees no secret, and for those who have no seat."""


class FrameOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that every session has, beside its room's."""

    declared_dice: bool = False
    listed: bool = False
    take_back: bool = False


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


class Seal(msgspec.Struct, frozen=True, gc=False):
    """A secret turn that is not open yet: its first version, who asked, for whom, and its draw if it made one."""

    version: int
    seat: str
    audience: Audience
    k: int | UnsetType = UNSET


class Secrets(msgspec.Struct, frozen=True, gc=False):
    """The unopened seals by turn; `since` the first secret's version, `turned` the last one's that changed who sees."""

    since: int = 0
    turned: int = 0
    seals: dict[int, Seal] = {}


NO_SECRETS = Secrets()


class Deed(msgspec.Struct, frozen=True, gc=False):
    """The last wish that led to the table: whose it was, and the version before it."""

    seat: str
    before: int


NO_DEED = Deed("", 0)


class Session(msgspec.Struct, frozen=True, gc=False):
    """The session after `version` events: the frame, which only goes on, and the table, which a rewind sets back.

    `table` is the house's. `sights` are the tables of those who do not see all of it: by seat, and under PUBLIC for
    everyone else; empty as long as nothing is hidden from anyone.
    """

    id: str
    version: int
    turn: int
    k: int
    chain: Chain
    frame: Frame
    table: object
    deed: Deed = NO_DEED
    secrets: Secrets = NO_SECRETS
    sights: dict[str, object] = {}

    @property
    def room(self) -> Room:
        return ROOMS[self.frame.ruleset, self.frame.edition]

    def by(self, seat: str) -> By:
        """The seat with its role. Refused("seat-unknown") where nobody sits."""
        held = self.frame.seats.get(seat)
        if held is None or not held.present:
            raise Refused("seat-unknown", seat=seat)
        return By(seat, held.role)


class Past(msgspec.Struct, frozen=True):
    """What may be looked back at: the session after a version; the facts behind a version up to another."""

    state: Callable[[int], Session]
    facts: Callable[[int, int], Iterable[Fact]]


def initial(session: str) -> Session:
    """Before the first event."""
    return Session(session, 0, 0, 0, Chain(0, 0, 0), Frame("", "", "", {}, "", {}, False), ())
