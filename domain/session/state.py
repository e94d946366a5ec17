"""State of a session: its seats, chains, secrets and tables, and its options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.decider import By, Refused, Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset, Option
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import Audience, Draws

HOUSE = "house"
PUBLIC = ""
"""Stands for every seat that sees no secret, and for viewers without a seat."""


Deadline = Annotated[
    int,
    Meta(ge=1, le=600, description="seconds that a draw waits for the contributions of its seats"),
]


DeclaredDice = Annotated[
    bool, Meta(description="players may roll physical dice and enter the faces")
]
Listed = Annotated[
    bool,
    Meta(description="everyone may see the session, except its secrets, and finds it in the list"),
]
TakeBack = Annotated[
    bool, Meta(description="a player may take back their own last command until it is settled")
]


class SessionOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of every session, in addition to its ruleset's."""

    deadline: Deadline = 8
    declared_dice: DeclaredDice = False
    listed: Listed = False
    take_back: TakeBack = False


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat. A seat that left keeps its role and key.

    `nth`: the number of its SeatLeft and PresenceSet events. `away`: it takes no part in draws.
    `missed`: a void named it, and it has not contributed or signed since.
    """

    role: Role
    present: bool
    nth: int = 0
    name: str | UnsetType = UNSET
    public_key: str | UnsetType = UNSET
    away: bool = False
    missed: bool = False


class LastCommand(msgspec.Struct, frozen=True, gc=False):
    """The last command that led to the table: its seat, and the version before it."""

    seat: str
    before: int


NO_COMMAND = LastCommand("", 0)


class Chain(msgspec.Struct, frozen=True, gc=False):
    """A seat's current chain.

    `position`: the last one that a draw used, or 0. `link`: the link at position `shown`.
    """

    number: int
    length: int
    position: int
    link: str
    shown: int = 0


class Pending(msgspec.Struct, frozen=True, gc=False):
    """A draw that waits for its seats: the version, turn, seat and time (ms) of its Declared."""

    version: int
    turn: int
    seat: str
    at: int
    k: int
    contributors: tuple[tuple[str, int, int], ...]
    # Snapshots store this field by its name.
    last_command: LastCommand = msgspec.field(name="deed")


class SessionInfo(msgspec.Struct, frozen=True, gc=False):
    """What a session is, whatever its ruleset; `anchors` are those of all its chains.

    `redacted`: the version of the last Redacted, or 0. States cached before it may hold the
    redacted text.
    """

    ruleset: str
    edition: str
    title: str
    options: dict[str, Option]
    log_key: str
    seats: dict[str, Seat]
    closed: bool
    draws: Draws = "house"
    anchors: tuple[str, ...] = ()
    redacted: int = 0


class Seal(msgspec.Struct, frozen=True, gc=False):
    """A secret turn that is not opened yet: first version, seat, audience, and its draw if any."""

    version: int
    seat: str
    audience: Audience
    k: int | UnsetType = UNSET


class Secrets(msgspec.Struct, frozen=True, gc=False):
    """The unopened seals by turn.

    `since`: the first secret's version. `turned`: the last change of who sees them.
    """

    since: int = 0
    turned: int = 0
    seals: dict[int, Seal] = {}


NO_SECRETS = Secrets()


class Session(msgspec.Struct, frozen=True, gc=False):
    """The session after `version` events.

    `table` shows everything. `tables_by_seat` holds the tables of seats that do not see all of it,
    and under PUBLIC the table of everyone else. It is empty while nothing is hidden.
    """

    id: str
    version: int
    turn: int
    k: int
    chains: dict[str, Chain]
    info: SessionInfo
    table: object
    last_command: LastCommand = NO_COMMAND
    secrets: Secrets = NO_SECRETS
    tables_by_seat: dict[str, object] = {}
    pending: Pending | None = None

    @property
    def ruleset(self) -> AnyRuleset:
        return RULESETS_BY_EDITION[self.info.ruleset, self.info.edition]

    def by(self, seat: str) -> By:
        """Return the seat with its role.

        Raises Refused("seat-unknown") if no one holds the seat.
        """
        held = self.info.seats.get(seat)
        if held is None or not held.present:
            raise Refused("seat-unknown", seat=seat)
        return By(seat, held.role)


class History(msgspec.Struct, frozen=True):
    """Access to earlier parts of a session.

    `state` returns the session after a version. `events` returns those after one version up to
    another one.
    """

    state: Callable[[int], Session]
    events: Callable[[int, int], Iterable[RecordedEvent]]


def initial(session: str) -> Session:
    return Session(session, 0, 0, 0, {}, SessionInfo("", "", "", {}, "", {}, False), ())


_SESSION_OPTION_NAMES = frozenset(SessionOptions.__struct_fields__)


def all_options(ruleset: AnyRuleset, given: Mapping[str, Option]) -> dict[str, Option]:
    """Return the flat map of all options, with defaults.

    Raises msgspec.ValidationError if an option is unknown.
    """
    info = msgspec.convert(
        {name: value for name, value in given.items() if name in _SESSION_OPTION_NAMES},
        SessionOptions,
    )
    return {**msgspec.to_builtins(info), **msgspec.to_builtins(ruleset_options(ruleset, given))}


def ruleset_options(ruleset: AnyRuleset, options: Mapping[str, Option]) -> object:
    """Return the ruleset's part of the flat map."""
    return msgspec.convert(
        {name: value for name, value in options.items() if name not in _SESSION_OPTION_NAMES},
        ruleset.options,
    )
