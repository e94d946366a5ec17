"""Request models, which validate bodies and queries, and response models that routes share."""

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
    Meta(ge=1, le=10_000, description="the maximum number to return; the server may return fewer"),
]
After = Annotated[
    int,
    Meta(
        ge=0,
        lt=2**53,
        description="return what comes after this: send the `next` of the previous page",
    ),
]

SearchText = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]

Through = Annotated[SeatId, Meta(description="view as this seat (GM and auditors only)")]

Blind = Annotated[
    Hex32,
    Meta(description="32 random bytes that hide a secret draw; absent: the server generates them"),
]

# The union of all rulesets' commands has no static type. A loaded value is always a Message.
AnyCommand = Annotated[Any, Meta(extra={"of": "command"})]
Faces = Annotated[
    tuple[Face, ...],
    Meta(
        max_length=64,
        description="the faces of physical dice, in the order in which the rules use them",
    ),
]


class RequestModel(msgspec.Struct, frozen=True):
    """The base of all bodies and queries."""


SeatName = Annotated[
    Name,
    Meta(
        description="the name to display; it is stored in NFC, contains a visible character, "
        "neither begins nor ends with white space, and contains no control, format, private-use, "
        "unassigned or invisible characters",
        extra={"of": "seat name"},
    ),
]


class OpenRequest(RequestModel, frozen=True):
    """Opens a session. The seat that opens it becomes its GM."""

    ruleset: Annotated[str, Meta(description="the name of the ruleset", extra={"of": "ruleset"})]
    title: Title
    edition: (
        Annotated[str, Meta(description="default: the newest", extra={"of": "edition"})] | UnsetType
    ) = UNSET
    options: Annotated[
        dict[str, Option],
        Meta(
            description="options that are left out have their default values",
            extra={"of": "options"},
        ),
    ] = {}
    seat: SeatId = "gm"
    name: SeatName | UnsetType = UNSET
    draws: Draws = "house"


class CommandRequest(RequestModel, frozen=True):
    """A command of the session's ruleset, and the faces of any physical dice."""

    command: AnyCommand
    faces: Faces | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    blind: Blind | UnsetType = UNSET
    target: (
        Annotated[
            Version, Meta(description="the version at which the aim of this command was declared")
        ]
        | UnsetType
    ) = UNSET


class OddsRequest(RequestModel, frozen=True):
    """A request for the odds of a command."""

    command: AnyCommand


class NameRequest(RequestModel, frozen=True):
    name: SeatName


class RedactRequest(RequestModel, frozen=True):
    of: Version
    reason: Reason


class OpenSealRequest(RequestModel, frozen=True):
    """Opens a secret turn."""

    turn: Turn


class ChainRequest(RequestModel, frozen=True):
    """A new hash chain for a seat.

    Only a seat's first chain has `public_key`. A later chain replaces the current one, starting
    with the next draw; `previous_link` is then the next link of the current chain. `signature`
    covers the SeatTaken or ChainAnchored event that records the new chain.
    """

    anchor: Hex32
    length: Length
    signature: Hex64
    public_key: Hex32 | UnsetType = UNSET
    previous_link: Hex32 | UnsetType = UNSET


class PresenceRequest(RequestModel, frozen=True):
    """Sets whether a seat takes part in draws.

    If a seat with a chain changes this itself, `signature` is required: it covers the PresenceSet
    event.
    """

    present: bool
    signature: Hex64 | UnsetType = UNSET


class LeaveQuery(RequestModel, frozen=True):
    signature: (
        Annotated[
            Hex64, Meta(description="required if the seat has a chain; it signs the SeatLeft event")
        ]
        | UnsetType
    ) = UNSET


class ContributionRequest(RequestModel, frozen=True):
    """A seat's link for the pending draw.

    `signature` also covers the size and root of a tree that the seat has checked.
    """

    chain: Index
    position: Index
    link: Hex32
    seen_size: Version
    seen_root: Hex32
    signature: Hex64


class PendingDrawQuery(RequestModel, frozen=True):
    seen: (
        Annotated[Version, Meta(description="the size of the last checkpoint that you checked")]
        | UnsetType
    ) = UNSET


class ForkRequest(RequestModel, frozen=True):
    """Forks a session. The seat that forks it becomes the GM of the new session."""

    version: Version
    title: Title | UnsetType = UNSET
    seat: SeatId = "gm"
    name: SeatName | UnsetType = UNSET


class InviteRequest(RequestModel, frozen=True):
    """Creates an invitation to take a seat.

    If the seat is held, its old tokens end when the invitation is used.
    """

    role: Annotated[
        Literal["player", "spectator", "auditor"], Meta(description="what the seat may do")
    ]
    seat: SeatId | UnsetType = UNSET
    uses: Annotated[
        int, Meta(ge=1, le=64, description="how many seats can be taken with the invitation")
    ] = 1
    hours: Annotated[
        int, Meta(ge=1, le=24 * 366, description="hours until the invitation expires")
    ] = 24 * 7


class TakeSeatRequest(RequestModel, frozen=True):
    """Takes a seat with an invitation's code.

    A `chain` requires `seat`, because the chain's signature covers the seat.
    """

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
    name: SeatName | UnsetType = UNSET
    chain: Anchored | UnsetType = UNSET


class PageQuery(RequestModel, frozen=True):
    after: After = 0
    limit: Limit = 50


class EventsQuery(PageQuery, frozen=True, rename={"through": "as"}):
    at: (
        Annotated[
            Version,
            Meta(description="show the events up to this version, with the texts they had then"),
        ]
        | UnsetType
    ) = UNSET
    last: (
        Annotated[
            Limit, Meta(description="return this many of the newest events, instead of `limit`")
        ]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class ReviewQuery(PageQuery, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class ViewerQuery(RequestModel, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class SearchQuery(PageQuery, frozen=True, rename={"through": "as"}):
    """The conditions of a search. The search finds the events that meet all of them."""

    kind: (
        Annotated[
            SearchText,
            Meta(description="a kind (dhextiny.Altered), or only its prefix or its name (Altered)"),
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
            SearchText, Meta(description="a die such as d6, or the name of a deck in the ruleset")
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
        Annotated[bool, Meta(description="true: only marked events; false: only the others")]
        | UnsetType
    ) = UNSET
    undone: (
        Annotated[
            bool, Meta(description="true: only events that rewinds undid; false: only the others")
        ]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class StreamQuery(RequestModel, frozen=True, rename={"through": "as"}):
    after: (
        Annotated[
            After, Meta(description="send the events after this version; absent: only new events")
        ]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class VersionQuery(RequestModel, frozen=True, rename={"through": "as"}):
    at: (
        Annotated[Version, Meta(description="the version to show; default: the newest")] | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class StatisticsQuery(
    RequestModel, frozen=True, rename={"through": "as", "first": "from", "last": "to"}
):
    undone: Annotated[bool, Meta(description="include events that rewinds undid")] = False
    through: Through | UnsetType = UNSET
    first: (
        Annotated[Version, Meta(description="the first version to include; default: 1")] | UnsetType
    ) = UNSET
    last: (
        Annotated[Version, Meta(description="the last version to include; default: the newest")]
        | UnsetType
    ) = UNSET


class InclusionQuery(RequestModel, frozen=True):
    version: Version
    size: (
        Annotated[Version, Meta(description="the tree's size; default: the newest version")]
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
            min_length=1,
            max_length=400,
            description="the verifier key of type 4, named `<origin>/w/<seat>`",
        ),
    ]


class IndexCheckpointQuery(RequestModel, frozen=True):
    cosigned: Annotated[
        bool, Meta(description="true: the newest checkpoint that a witness cosigned")
    ] = False


class IndexInclusionQuery(RequestModel, frozen=True):
    number: Annotated[Version, Meta(description="the entry's number")]
    size: (
        Annotated[Version, Meta(description="the tree's size; default: the newest")] | UnsetType
    ) = UNSET


class IndexConsistencyQuery(RequestModel, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="default: the newest")] | UnsetType = UNSET


class CompareQuery(
    RequestModel, frozen=True, rename={"older": "from", "newer": "to", "through": "as"}
):
    older: Version
    newer: Annotated[Version, Meta(description="default: the newest version")] | UnsetType = UNSET
    through: Through | UnsetType = UNSET


class ConsistencyQuery(RequestModel, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: Annotated[Version, Meta(description="default: the newest version")] | UnsetType = UNSET


class ResponseModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of response bodies. Fields with their default value are left out."""


class Event(ResponseModel, frozen=True):
    """An event as the viewer may see it.

    `grade`, from A to D, rates how trustworthy its random values are. `mark` explains why the event
    stands out. A `sealed` event shows only its seat, time and turn. The text of a `redacted` event
    has been deleted.
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
    """A pending draw: its deadline, and the seats that contribute to it."""

    k: int
    deadline: str
    contributors: list[str]


class TurnResponse(ResponseModel, frozen=True):
    """The events that a command caused.

    `repeated` is true if an earlier request with the same key ran the command. If `waiting` is
    present, the draw is pending, and the other events follow when it ends.
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
    """A seat's current chain.

    `position` is the position of the last link that a draw used, or 0 if no draw has used a link.
    """

    number: int
    length: int
    position: int


class SeatView(ResponseModel, frozen=True):
    """A seat.

    `present` is true if a person holds the seat, and `away` if the seat does not take part in
    draws. `name` is the name to display: if it can be mistaken, for example for the name of another
    seat, the seat's id follows in brackets.
    """

    role: Role
    present: bool
    name: str | UnsetType = UNSET
    away: bool = False
    public_key: str | UnsetType = UNSET
    chain: ChainView | UnsetType = UNSET


class SessionLine(ResponseModel, frozen=True):
    """A session in the list, as of `version`. `table` is the part that the viewer may see."""

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
    """A session at a version. `at` is the time at which that version was recorded."""

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
    """The exact chance of an outcome as (numerator, denominator).

    `percent` is the same chance as a rounded percentage.
    """

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
    """The proof that a version's leaf is in the tree of size `size`. Hashes are in hex."""

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
    """The proof that the tree of size `to` begins with the tree of size `from`.

    Hashes are in hex.
    """

    older: int
    newer: int
    older_root: str
    newer_root: str
    proof: list[str]


class Statistics(ResponseModel, frozen=True):
    """The statistics of a session.

    `figures` are as of `version`. `current` is true if that is the newest version.
    """

    session: str
    version: int
    head: int
    current: bool
    figures: Raw


class Pending(ResponseModel, frozen=True):
    """The statistics have not been computed yet. Ask again later, or check the job."""

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
    """A ruleset.

    `commands` and `options` are JSON schemas; `rules` is the rulebook in Markdown.
    """

    name: str
    edition: str
    title: str
    rules: str
    options: dict[str, Any]
    commands: dict[str, Any]


class Alive(ResponseModel, frozen=True):
    status: Literal["ok"]


class Ready(ResponseModel, frozen=True):
    """Whether the process can serve requests.

    `views` is the number of events by which each read model lags, and `waiting` is the number of
    jobs in the queue. `why` lists the problems and what to do about them.
    """

    status: Literal["ok", "degraded", "down"]
    log: Literal["ok", "down"]
    queue: Literal["ok", "away"]
    views: dict[str, int]
    why: list[str]
    waiting: int | UnsetType = UNSET


class JobView(ResponseModel, frozen=True):
    """A background job.

    The status `waiting` means that the next sweep will enqueue the job, and `queued` that the job
    is waiting for a worker. `result` is the address of the job's result. If the job failed, `todo`
    tells the operator what to do.
    """

    job: str
    kind: JobKind
    status: Stage
    result: str
    progress: JobProgress | UnsetType = UNSET
    todo: str | UnsetType = UNSET


class AuditView(ResponseModel, frozen=True):
    """An audit of the log.

    `report` is the output of `fairlog verify --json` for the export that you would get at
    `version`. `current` is true if that is the newest version.
    """

    version: int
    current: bool
    valid: bool
    whole: bool
    report: Raw


class Audits(ResponseModel, frozen=True):
    """The stored audits, the newest first."""

    session: str
    head: int
    audits: list[AuditView]


class SweepView(ResponseModel, frozen=True):
    """The last sweep.

    `statistics` is the number of sessions whose statistics were outdated, and `audits` is the
    number of closed sessions that had no audit report.
    """

    at: str
    statistics: int
    audits: int


class StatusView(ResponseModel, frozen=True):
    """The state of background work.

    `waiting` is the number of jobs that are waiting for a worker, and `views` is the number of
    events by which each read model lags. `failed` names only listed sessions. `todo` lists what the
    operator can do.
    """

    queue: str
    waiting: int
    running: int
    failed: tuple[FailedJobs, ...]
    workers: tuple[WorkerState, ...]
    views: dict[str, int]
    todo: tuple[str, ...]
    sweep: SweepView | UnsetType = UNSET
