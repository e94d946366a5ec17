"""Request models, which validate bodies and queries, and the response models that routes share."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.decider import Detail, Role
from domain.ruleset import Option
from domain.session.annotations import Grade, Mark
from domain.session.messages import (
    Anchored,
    Audience,
    Draws,
    Face,
    Hex32,
    Hex64,
    Index,
    Length,
    Name,
    Reason,
    SeatId,
    Title,
    Turn,
    Version,
)
from domain.table import Table
from service.jobs.definitions import JobKind
from service.jobs.inspection import JobProgress, Stage, WorkerState
from service.jobs.status import FailedJobs

Limit = Annotated[
    int,
    Meta(ge=1, le=10_000, description="the largest number to return; the server may return fewer"),
]
After = Annotated[
    int, Meta(ge=0, lt=2**53, description="the `next` of the page before; returns what follows")
]

SearchText = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]

Through = Annotated[SeatId, Meta(description="view as this seat (GM and auditors only)")]

Blind = Annotated[
    Hex32,
    Meta(description="32 random bytes that hide a secret draw; absent: the server makes them"),
]

# The union of all rulesets' commands has no static type. A loaded value is always a Message.
AnyCommand = Annotated[Any, Meta(extra={"of": "command"})]
Faces = Annotated[
    tuple[Face, ...],
    Meta(
        max_length=64,
        description="faces of physical dice, in the order in which the rules use them",
    ),
]


class RequestModel(msgspec.Struct, frozen=True):
    """The base of bodies and queries."""


class OpenRequest(RequestModel, frozen=True):
    """Opens a session. The seat that opens it is its GM."""

    ruleset: Annotated[str, Meta(description="the name of the ruleset", extra={"of": "ruleset"})]
    title: Title
    edition: (
        Annotated[str, Meta(description="absent: the newest", extra={"of": "edition"})] | UnsetType
    ) = UNSET
    options: Annotated[
        dict[str, Option], Meta(description="absent ones are the defaults", extra={"of": "options"})
    ] = {}
    seat: SeatId = "gm"
    name: Name | UnsetType = UNSET
    draws: Draws = "house"


class CommandRequest(RequestModel, frozen=True):
    """A command of the session's ruleset, with the faces of physical dice if any."""

    command: AnyCommand
    faces: Faces | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    blind: Blind | UnsetType = UNSET
    target: (
        Annotated[Version, Meta(description="the version that declared the aim")] | UnsetType
    ) = UNSET


class OddsRequest(RequestModel, frozen=True):
    """A command whose odds are wanted."""

    command: AnyCommand


class NameRequest(RequestModel, frozen=True):
    name: Name


class RedactRequest(RequestModel, frozen=True):
    of: Version
    reason: Reason


class OpenSealRequest(RequestModel, frozen=True):
    """Opens a secret turn."""

    turn: Turn


class ChainRequest(RequestModel, frozen=True):
    """A seat's hash chain. The first one has `public_key`; later ones start with the next draw.

    The signature covers its SeatTaken or ChainAnchored. `previous_link` is the next link of the
    chain before.
    """

    anchor: Hex32
    length: Length
    signature: Hex64
    public_key: Hex32 | UnsetType = UNSET
    previous_link: Hex32 | UnsetType = UNSET


class PresenceRequest(RequestModel, frozen=True):
    """Whether a seat takes part in draws. A seat with a chain signs its PresenceSet."""

    present: bool
    signature: Hex64 | UnsetType = UNSET


class LeaveQuery(RequestModel, frozen=True):
    signature: (
        Annotated[Hex64, Meta(description="required of a seat with a chain, over its SeatLeft")]
        | UnsetType
    ) = UNSET


class ContributionRequest(RequestModel, frozen=True):
    """A seat's link for the pending draw, signed under the tree that the seat has seen."""

    chain: Index
    position: Index
    link: Hex32
    seen_size: Version
    seen_root: Hex32
    signature: Hex64


class PendingDrawQuery(RequestModel, frozen=True):
    seen: (
        Annotated[Version, Meta(description="the size of the checkpoint that you hold")] | UnsetType
    ) = UNSET


class ForkRequest(RequestModel, frozen=True):
    """Forks a session. The seat that forks is the GM of the new session."""

    version: Version
    title: Title | UnsetType = UNSET
    seat: SeatId = "gm"
    name: Name | UnsetType = UNSET


class InviteRequest(RequestModel, frozen=True):
    """Invites to a seat. If the seat is held, its old tokens end when the invitation is used."""

    role: Annotated[
        Literal["player", "spectator", "auditor"], Meta(description="what the seat may do")
    ]
    seat: SeatId | UnsetType = UNSET
    uses: Annotated[
        int, Meta(ge=1, le=64, description="the number of seats that can be taken with it")
    ] = 1
    hours: Annotated[int, Meta(ge=1, le=24 * 366, description="hours until it expires")] = 24 * 7


class TakeSeatRequest(RequestModel, frozen=True):
    """Takes a seat with an invitation's code. `chain` needs `seat`, which its signature covers."""

    code: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=80,
            pattern=r"^[A-Za-z0-9_-]+$(?!\n)",
            description="the invitation's code",
        ),
    ]
    seat: SeatId | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    chain: Anchored | UnsetType = UNSET


class PageQuery(RequestModel, frozen=True):
    after: After = 0
    limit: Limit = 50


class EventsQuery(PageQuery, frozen=True, rename={"through": "as"}):
    at: Annotated[Version, Meta(description="as of this version")] | UnsetType = UNSET
    last: (
        Annotated[Limit, Meta(description="the number of newest events, instead of `limit`")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class ReviewQuery(PageQuery, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class ViewerQuery(RequestModel, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class SearchQuery(PageQuery, frozen=True, rename={"through": "as"}):
    """All given conditions must hold."""

    kind: (
        Annotated[
            SearchText,
            Meta(
                description="a kind (dhextiny.Altered), its prefix (dhextiny) or its name (Altered)"
            ),
        ]
        | UnsetType
    ) = UNSET
    seat: Annotated[SeatId, Meta(description="the seat that acted")] | UnsetType = UNSET
    entity: (
        Annotated[SearchText, Meta(description="the id of an entity that the event names")]
        | UnsetType
    ) = UNSET
    die: (
        Annotated[
            SearchText, Meta(description="a die such as d6, or a deck as the ruleset names it")
        ]
        | UnsetType
    ) = UNSET
    text: (
        Annotated[SearchText, Meta(description="part of the event's text; case does not matter")]
        | UnsetType
    ) = UNSET
    since: Annotated[datetime, Meta(description="at this time or later")] | UnsetType = UNSET
    until: Annotated[datetime, Meta(description="at this time or earlier")] | UnsetType = UNSET
    marked: (
        Annotated[bool, Meta(description="only marked events, or only the others")] | UnsetType
    ) = UNSET
    undone: (
        Annotated[bool, Meta(description="only events that rewinds undid, or only the others")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class StreamQuery(RequestModel, frozen=True, rename={"through": "as"}):
    after: (
        Annotated[After, Meta(description="continue after this version; absent: from now on")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class VersionQuery(RequestModel, frozen=True, rename={"through": "as"}):
    at: (
        Annotated[Version, Meta(description="the version to look at; absent: the newest")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class StatisticsQuery(
    RequestModel, frozen=True, rename={"through": "as", "first": "from", "last": "to"}
):
    undone: Annotated[bool, Meta(description="include events that rewinds undid")] = False
    through: Through | UnsetType = UNSET
    first: (
        Annotated[Version, Meta(description="the first version that counts; absent: 1")] | UnsetType
    ) = UNSET
    last: (
        Annotated[Version, Meta(description="the last version that counts; absent: the newest")]
        | UnsetType
    ) = UNSET


class InclusionQuery(RequestModel, frozen=True):
    version: Version
    size: (
        Annotated[Version, Meta(description="the tree's size; absent: the newest version")]
        | UnsetType
    ) = UNSET


class CosignRequest(RequestModel, frozen=True):
    """A checkpoint of this session with a seat's cosignature line."""

    note: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=40_000,
            description="the signed note (C2SP) with the cosignature line",
        ),
    ]
    vkey: Annotated[
        str,
        Meta(
            min_length=1, max_length=400, description="the key, named `<origin>/w/<seat>`, type 4"
        ),
    ]


class IndexCheckpointQuery(RequestModel, frozen=True):
    cosigned: Annotated[
        bool, Meta(description="true: the newest checkpoint that a witness cosigned")
    ] = False


class IndexInclusionQuery(RequestModel, frozen=True):
    number: Annotated[Version, Meta(description="the entry's number")]
    size: (
        Annotated[Version, Meta(description="the tree's size; absent: the newest")] | UnsetType
    ) = UNSET


class IndexConsistencyQuery(RequestModel, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest size")] | UnsetType = UNSET


class CompareQuery(
    RequestModel, frozen=True, rename={"older": "from", "newer": "to", "through": "as"}
):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest version")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class ConsistencyQuery(RequestModel, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="absent: the newest version")] | UnsetType = UNSET


class ResponseModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of response bodies. Fields with their default value are left out."""


class Event(ResponseModel, frozen=True):
    """One event as its reader may see it. `grade` says how far its values can be trusted.

    `mark` says why the event stands out. A `sealed` event shows only seat, time and turn; a
    `redacted` one lacks its text.
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


class Waiting(ResponseModel, frozen=True):
    """The pending draw: the seats that it waits for, and its deadline."""

    k: int
    deadline: str
    contributors: list[str]


class TurnResponse(ResponseModel, frozen=True):
    """The events of a command. `repeated`: an earlier request with the same key got them too.

    If `waiting` is present, only the declaration is there: the rest follows with the draw.
    """

    version: int
    turn: int
    events: list[Event]
    repeated: bool
    waiting: Waiting | UnsetType = UNSET


class Ticket(ResponseModel, frozen=True):
    """A seat and its token. The token is shown only once."""

    session: str
    seat: str
    role: Role
    token: str
    version: int
    log_key: str
    origin: str


class ChainView(ResponseModel, frozen=True):
    """A seat's current chain. `position` is the last one that a draw used, 0 before the first."""

    number: int
    length: int
    position: int


class SeatView(ResponseModel, frozen=True):
    """`present`: the seat is held. `away`: it takes no part in draws."""

    role: Role
    present: bool
    name: str | UnsetType = UNSET
    away: bool = False
    public_key: str | UnsetType = UNSET
    chain: ChainView | UnsetType = UNSET


class SessionLine(ResponseModel, frozen=True):
    """A session in the list, as of `version`. `table` is what the viewer may see of its table."""

    session: str
    title: str
    ruleset: str
    edition: str
    version: int
    opened: str
    closed: bool
    listed: bool
    seats: dict[str, SeatView]
    table: Table


class SessionList(ResponseModel, frozen=True):
    sessions: list[SessionLine]
    next: int | UnsetType = UNSET


class SessionView(ResponseModel, frozen=True):
    """A session at a version. `at` is the time of that version."""

    session: str
    title: str
    ruleset: str
    edition: str
    version: int
    at: str
    turn: int
    closed: bool
    options: dict[str, Option]
    seats: dict[str, SeatView]
    names: dict[str, str]
    table: Table


class Events(ResponseModel, frozen=True):
    version: int
    events: list[Event]
    next: int | UnsetType = UNSET


class DryRun(ResponseModel, frozen=True):
    version: int
    allowed: bool
    draws: bool | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET


class Outcome(ResponseModel, frozen=True):
    """An exact chance as (numerator, denominator), and its rounded percentage."""

    chance: tuple[int, int]
    percent: float


class ChoiceView(ResponseModel, frozen=True):
    kind: str
    allowed: bool
    example: dict[str, Any] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET
    odds: dict[str, Outcome] | UnsetType = UNSET


class Choices(ResponseModel, frozen=True):
    version: int
    commands: list[ChoiceView]


class Odds(ResponseModel, frozen=True):
    version: int
    outcomes: dict[str, Outcome]


class Inclusion(ResponseModel, frozen=True):
    """The proof that a version's leaf is in the tree of that size. Hashes are in hex."""

    version: int
    size: int
    leaf: str
    leaf_hash: str
    root: str
    proof: list[str]


class Consistency(
    ResponseModel,
    frozen=True,
    rename={"older": "from", "newer": "to", "older_root": "from_root", "newer_root": "to_root"},
):
    """The proof that the newer tree begins with the older one. Hashes are in hex."""

    older: int
    newer: int
    older_root: str
    newer_root: str
    proof: list[str]


class Statistics(ResponseModel, frozen=True):
    """`figures` are as of `version`. `current` is true if that is the newest version."""

    session: str
    version: int
    head: int
    current: bool
    figures: Raw


class Pending(ResponseModel, frozen=True):
    """There are no statistics yet. Ask again, or look at the job."""

    session: str
    head: int
    job: str


class RulesetLine(ResponseModel, frozen=True):
    name: str
    edition: str
    title: str


class Rulesets(ResponseModel, frozen=True):
    rulesets: list[RulesetLine]


class RulesetView(ResponseModel, frozen=True):
    """`commands` and `options` are JSON schemas, `rules` is the text in Markdown."""

    name: str
    edition: str
    title: str
    rules: str
    options: dict[str, Any]
    commands: dict[str, Any]


class Alive(ResponseModel, frozen=True):
    status: Literal["ok"]


class Ready(ResponseModel, frozen=True):
    """`views`: the positions that each read model lags. `waiting`: the jobs in the queue.

    `why` says what is wrong and what to do.
    """

    status: Literal["ok", "degraded", "down"]
    log: Literal["ok", "down"]
    queue: Literal["ok", "away"]
    views: dict[str, int]
    why: list[str]
    waiting: int | UnsetType = UNSET


class JobView(ResponseModel, frozen=True):
    """A background job. `waiting`: the next sweep enqueues it; `queued`: it waits for a worker.

    `result` is the address of its result; `todo`, if it failed, what the operator can do.
    """

    job: str
    kind: JobKind
    status: Stage
    result: str
    progress: JobProgress | UnsetType = UNSET
    todo: str | UnsetType = UNSET


class AuditView(ResponseModel, frozen=True):
    """What `fairlog verify --json` reports about the log as of `version`, as you would export it.

    `current` is true if that is the newest version.
    """

    version: int
    current: bool
    valid: bool
    whole: bool
    report: Raw


class Audits(ResponseModel, frozen=True):
    """The newest audit first."""

    session: str
    head: int
    audits: list[AuditView]


class SweepView(ResponseModel, frozen=True):
    """What the last sweep found: sessions with old statistics, closed sessions without a report."""

    at: str
    statistics: int
    audits: int


class StatusView(ResponseModel, frozen=True):
    """`waiting`: jobs that wait for a worker. `views`: the lag of each read model in events.

    `failed` names only listed sessions. `todo` says what the operator can do.
    """

    queue: str
    waiting: int
    running: int
    failed: tuple[FailedJobs, ...]
    workers: tuple[WorkerState, ...]
    views: dict[str, int]
    todo: tuple[str, ...]
    sweep: SweepView | UnsetType = UNSET
