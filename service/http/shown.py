"""What answers hold: frozen structs that are encoded as they are and described in the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType

from domain.decider import Detail, Role
from domain.ruleset import Option
from domain.session.grading import Grade
from domain.session.marks import Mark
from domain.table import Table


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of an answer; what is absent is not said."""


class Event(Shown, frozen=True):
    """One event as its reader may see it; `grade` says how far the values that it has can be trusted.

    `mark` is what it stands out by. Of a `sealed` event nothing shows but who, when and in which turn; of a `redacted`
    one not what was said.
    """

    version: int
    turn: int
    at: str
    seat: str
    kind: str | UnsetType = UNSET
    told: str | UnsetType = UNSET
    body: Raw | UnsetType = UNSET
    undone: bool | UnsetType = UNSET
    sealed: bool = False
    grade: Grade | UnsetType = UNSET
    mark: Mark | UnsetType = UNSET
    redacted: bool = False


class Waiting(Shown, frozen=True):
    """The draw that waits for these seats' links, until the deadline at most."""

    k: int
    deadline: str
    contributors: list[str]


class Turn(Shown, frozen=True):
    """What a command became. `repeated`: this is the answer that was given before under the same key.

    `waiting` where that is the declaration alone: the rest of the turn comes with its draw.
    """

    version: int
    turn: int
    events: list[Event]
    repeated: bool
    waiting: Waiting | UnsetType = UNSET


class Ticket(Shown, frozen=True):
    """A seat and the token that speaks for it, shown this once."""

    session: str
    seat: str
    role: Role
    token: str
    version: int
    log_key: str
    origin: str


class ChainShown(Shown, frozen=True):
    """A seat's chain in use: `position` is the last that a draw took, 0 before the first."""

    number: int
    length: int
    position: int


class SeatShown(Shown, frozen=True):
    """`present`: somebody sits there; `away`: without taking part in draws."""

    role: Role
    present: bool
    name: str | UnsetType = UNSET
    away: bool = False
    public_key: str | UnsetType = UNSET
    chain: ChainShown | UnsetType = UNSET


class Line(Shown, frozen=True):
    """A session in the list."""

    session: str
    title: str
    ruleset: str
    edition: str
    version: int
    opened: str
    closed: bool
    listed: bool
    seats: dict[str, SeatShown]


class Lines(Shown, frozen=True):
    sessions: list[Line]
    next: int | UnsetType = UNSET


class SessionShown(Shown, frozen=True):
    """A session at a version; `at` is when that version came to be."""

    session: str
    title: str
    ruleset: str
    edition: str
    version: int
    at: str
    turn: int
    closed: bool
    options: dict[str, Option]
    seats: dict[str, SeatShown]
    names: dict[str, str]
    table: Table


class Events(Shown, frozen=True):
    version: int
    events: list[Event]
    next: int | UnsetType = UNSET


class DryRun(Shown, frozen=True):
    version: int
    allowed: bool
    draws: bool | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET


class Outcome(Shown, frozen=True):
    """An exact chance as (numerator, denominator), and rounded."""

    chance: tuple[int, int]
    percent: float


class ChoiceShown(Shown, frozen=True):
    kind: str
    allowed: bool
    example: dict[str, Any] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET
    odds: dict[str, Outcome] | UnsetType = UNSET


class Choices(Shown, frozen=True):
    version: int
    commands: list[ChoiceShown]


class Odds(Shown, frozen=True):
    version: int
    outcomes: dict[str, Outcome]


class Inclusion(Shown, frozen=True):
    """That a version's leaf stands in the tree of that size; hashes in hex."""

    version: int
    size: int
    leaf: str
    leaf_hash: str
    root: str
    proof: list[str]


class Consistency(
    Shown,
    frozen=True,
    rename={"older": "from", "newer": "to", "older_root": "from_root", "newer_root": "to_root"},
):
    """That the newer tree begins with the older one; hashes in hex."""

    older: int
    newer: int
    older_root: str
    newer_root: str
    proof: list[str]


class Statistics(Shown, frozen=True):
    """`figures` are as of `version`; `current` where that is the head."""

    session: str
    version: int
    head: int
    current: bool
    figures: Raw


class Pending(Shown, frozen=True):
    """There are no statistics yet; ask again, or look at the job."""

    session: str
    head: int
    job: str


class RulesetLine(Shown, frozen=True):
    name: str
    edition: str
    title: str


class Rulesets(Shown, frozen=True):
    rulesets: list[RulesetLine]


class RulesetShown(Shown, frozen=True):
    """`commands` and `options` are JSON schemas, `rules` is the text in Markdown."""

    name: str
    edition: str
    title: str
    rules: str
    options: dict[str, Any]
    commands: dict[str, Any]


class Alive(Shown, frozen=True):
    status: Literal["ok"]


class Ready(Shown, frozen=True):
    """`views` is how many positions each view is behind the log, `waiting` how many jobs wait in the queue.

    `why` says what is not as it should be, and what to do.
    """

    status: Literal["ok", "degraded", "down"]
    log: Literal["ok", "down"]
    queue: Literal["ok", "away"]
    views: dict[str, int]
    why: list[str]
    waiting: int | UnsetType = UNSET
