"""The state of a session: its seats, chains, secrets, tables and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.decider import By, Refused, Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset, Option
from domain.rulesets import RULESETS_BY_EDITION
from domain.session import rolls
from domain.session.messages import Audience, Draws, LogFormat

HOUSE = "house"
EXTENSIONS = frozenset({rolls.NAME})
"""The extensions of the log's format that this version of Fairlog supports."""
PUBLIC = ""
"""The key of the public table.

Viewers without a seat see this table, and so do seats whose own table would be the same.
"""


Deadline = Annotated[
    int,
    Meta(ge=1, le=600, description="the number of seconds a draw waits for seats to contribute"),
]


DeclaredDice = Annotated[
    bool, Meta(description="allow players to roll physical dice and enter the faces")
]
Listed = Annotated[
    bool,
    Meta(description="list the session publicly and let everyone see it, apart from its secrets"),
]
TakeBack = Annotated[
    bool, Meta(description="allow players to take back their own last command before it is settled")
]


class SessionOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that exist in every session. Rulesets add options of their own."""

    deadline: Deadline = 8
    declared_dice: DeclaredDice = False
    listed: Listed = False
    take_back: TakeBack = False


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat. It keeps its role and key after its holder leaves.

    `nth` is the number of its SeatLeft and PresenceSet events so far. `away` is True if the seat
    does not take part in draws. `missed` becomes True if the seat fails to contribute to a draw. It
    becomes False again when the seat contributes, resumes taking part in draws, or is taken again
    after its holder left. `unsigned` is True if the seat did not sign its last SeatLeft or
    PresenceSet event. It becomes False when the seat is taken again.
    """

    role: Role
    present: bool
    nth: int = 0
    name: str | UnsetType = UNSET
    public_key: str | UnsetType = UNSET
    away: bool = False
    missed: bool = False
    unsigned: bool = False


class LastCommand(msgspec.Struct, frozen=True, gc=False):
    """The last command that has been neither undone nor voided.

    `seat` is the seat that sent the command. `before` is the version before the command.
    """

    seat: str
    before: int


NO_COMMAND = LastCommand("", 0)


class Chain(msgspec.Struct, frozen=True, gc=False):
    """A seat's current chain.

    `position` is the last position that a draw requested, or 0. `link` is the last link that the
    seat revealed, and `shown` is the position of that link. `requested_at` is the version of the
    last Declared event that named the seat as a contributor, or 1.
    """

    number: int
    length: int
    position: int
    link: str
    shown: int = 0
    requested_at: int = 1


class Pending(msgspec.Struct, frozen=True, gc=False):
    """A declared draw that is waiting for contributions.

    `version`, `turn`, `seat` and `at` (in milliseconds) come from its Declared event.
    `last_command` is the session's last command before that event.
    """

    version: int
    turn: int
    seat: str
    at: int
    k: int
    contributors: tuple[tuple[str, int, int], ...]
    # Snapshots store this field by its name.
    last_command: LastCommand = msgspec.field(name="deed")


class SessionInfo(msgspec.Struct, frozen=True, gc=False):
    """The settings and seats of a session, without its table.

    `anchors` contains the anchors of all chains so far. `redacted` is the version of the last
    Redacted event, or 0. States that were cached before this version may contain the redacted text.
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
    log_format: LogFormat = 1
    extensions: tuple[str, ...] = ()


class Seal(msgspec.Struct, frozen=True, gc=False):
    """A secret turn that has not been opened.

    `version` is the turn's first version. `k` is the number of the turn's draw, if it has one.
    """

    version: int
    seat: str
    audience: Audience
    k: int | UnsetType = UNSET


class Secrets(msgspec.Struct, frozen=True, gc=False):
    """The secret turns that have not been opened.

    `since` is the version of the first secret. `turned` is the last version that changed which
    seats may see a secret. `seals` maps the number of each unopened turn to its seal.
    """

    since: int = 0
    turned: int = 0
    seals: dict[int, Seal] = {}


NO_SECRETS = Secrets()


class Session(msgspec.Struct, frozen=True, gc=False):
    """A session after `version` events.

    `turn` is the number of the last turn, and `k` is the number of the next draw. `table` is the
    complete table, which the house and auditors always see. While something is hidden,
    `tables_by_seat` contains the public table under PUBLIC, and the tables of seats that see a
    different one. Otherwise, it is empty. `at` is the time of the last event in ms. `next_chain` is
    the server's next chain, if it is anchored but not in use yet (format 2). `next_blind` is the
    server's commitment to the blind of draw `k`. It is empty in format 1, and in older sessions of
    format 2 that have no such commitments.
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
    at: int = 0
    next_chain: Chain | None = None
    next_blind: str = ""

    @property
    def ruleset(self) -> AnyRuleset:
        return ruleset_of(self.info.ruleset, self.info.edition, self.info.extensions)

    def by(self, seat: str) -> By:
        """Return the seat with its role.

        Raises Refused("seat-unknown") if the seat is not taken.
        """
        held = self.info.seats.get(seat)
        if held is None or not held.present:
            raise Refused("seat-unknown", seat=seat)
        return By(seat, held.role)


class History(msgspec.Struct, frozen=True):
    """Access to earlier states and events of a session.

    `state(version)` returns the session at that version. `events(after, upto)` returns the events
    from version `after` + 1 to version `upto`.
    """

    state: Callable[[int], Session]
    events: Callable[[int, int], Iterable[RecordedEvent]]


def ruleset_of(name: str, edition: str, extensions: Iterable[str]) -> AnyRuleset:
    """Return a session's ruleset, with the messages that its extensions add."""
    ruleset = RULESETS_BY_EDITION[name, edition]
    return rolls.with_rolls(ruleset) if rolls.NAME in extensions else ruleset


def initial(session: str) -> Session:
    return Session(session, 0, 0, 0, {}, SessionInfo("", "", "", {}, "", {}, False), ())


_SESSION_OPTION_NAMES = frozenset(SessionOptions.__struct_fields__)


def all_options(ruleset: AnyRuleset, given: Mapping[str, Option]) -> dict[str, Option]:
    """Return all options of the session and its ruleset, including defaults.

    Raises msgspec.ValidationError if an option is unknown or its value is invalid.
    """
    info = msgspec.convert(
        {name: value for name, value in given.items() if name in _SESSION_OPTION_NAMES},
        SessionOptions,
    )
    return {**msgspec.to_builtins(info), **msgspec.to_builtins(ruleset_options(ruleset, given))}


def ruleset_options(ruleset: AnyRuleset, options: Mapping[str, Option]) -> object:
    return msgspec.convert(
        {name: value for name, value in options.items() if name not in _SESSION_OPTION_NAMES},
        ruleset.options,
    )
