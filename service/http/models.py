"""Request models for bodies and query strings, and response models that routes share."""

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
    Meta(
        ge=1,
        le=10_000,
        description="the maximum number of items to return; the server may return fewer",
    ),
]
After = Annotated[
    int,
    Meta(
        ge=0,
        lt=2**53,
        description="start the page after this position; "
        "for the next page, send the value of `next`",
    ),
]

SearchText = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]

Through = Annotated[
    SeatId, Meta(description="view the session as this seat (GM and auditors only)")
]

Blind = Annotated[
    Hex32,
    Meta(
        description="32 random bytes in hex that hide the values of a secret draw; "
        "default: the server generates them"
    ),
]

# The union of all rulesets' commands has no static type. A loaded value is always a Message.
AnyCommand = Annotated[Any, Meta(extra={"of": "command"})]
Faces = Annotated[
    tuple[Face, ...],
    Meta(
        max_length=64,
        description="the faces rolled on physical dice, in the order that the rules use them",
    ),
]


class RequestModel(msgspec.Struct, frozen=True):
    """The base class for request bodies and query strings."""


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
    """A request to open a session. You become the GM, in the seat `seat`."""

    ruleset: Annotated[str, Meta(description="the name of the ruleset", extra={"of": "ruleset"})]
    title: Title
    edition: (
        Annotated[
            str,
            Meta(description="the ruleset's edition; default: the newest", extra={"of": "edition"}),
        ]
        | UnsetType
    ) = UNSET
    options: Annotated[
        dict[str, Option],
        Meta(
            description="the options to set; all others keep their default values",
            extra={"of": "options"},
        ),
    ] = {}
    seat: SeatId = "gm"
    name: SeatName | UnsetType = UNSET
    draws: Draws = "house"


class CommandRequest(RequestModel, frozen=True):
    """A command from the session's ruleset, with the faces of any physical dice."""

    command: AnyCommand
    faces: Faces | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    blind: Blind | UnsetType = UNSET
    target: (
        Annotated[
            Version,
            Meta(description="the version of an earlier event that states the command's target"),
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
    """A request to make a secret turn visible to everyone."""

    turn: Turn


class ChainRequest(RequestModel, frozen=True):
    """A new hash chain for a seat.

    Send `public_key` only with the seat's first chain. Each later chain replaces the current chain,
    starting with the next draw, and can include `previous_link`, the current chain's next link.
    `signature` covers the SeatTaken or ChainAnchored event that records the new chain.
    """

    anchor: Hex32
    length: Length
    signature: Hex64
    public_key: Hex32 | UnsetType = UNSET
    previous_link: Hex32 | UnsetType = UNSET


class PresenceRequest(RequestModel, frozen=True):
    """A request to change whether a seat takes part in draws.

    `signature` is required if a seat with a chain changes its own presence. It covers the
    PresenceSet event.
    """

    present: bool
    signature: Hex64 | UnsetType = UNSET


class LeaveQuery(RequestModel, frozen=True):
    signature: (
        Annotated[
            Hex64,
            Meta(
                description="the seat's signature for the SeatLeft event; "
                "required if a seat with a chain leaves"
            ),
        ]
        | UnsetType
    ) = UNSET


class ContributionRequest(RequestModel, frozen=True):
    """A seat's contribution to the pending draw: a link from its chain.

    `seen_size` and `seen_root` are the size and root of a tree that the seat has verified.
    `signature` covers both values and the link.
    """

    chain: Index
    position: Index
    link: Hex32
    seen_size: Version
    seen_root: Hex32
    signature: Hex64


class PendingDrawQuery(RequestModel, frozen=True):
    seen: (
        Annotated[Version, Meta(description="the tree size in the last checkpoint you verified")]
        | UnsetType
    ) = UNSET


class ForkRequest(RequestModel, frozen=True):
    """A request to fork a session.

    You become the new session's GM, in the seat `seat`.
    """

    version: Version
    title: Title | UnsetType = UNSET
    seat: SeatId = "gm"
    name: SeatName | UnsetType = UNSET


class InviteRequest(RequestModel, frozen=True):
    """A request to create an invitation to take a seat.

    If `seat` is already taken, its old tokens are revoked when the invitation is used.
    """

    role: Annotated[
        Literal["player", "spectator", "auditor"], Meta(description="the role of the seat")
    ]
    seat: SeatId | UnsetType = UNSET
    uses: Annotated[
        int,
        Meta(ge=1, le=64, description="the number of seats that can be taken with the invitation"),
    ] = 1
    hours: Annotated[
        int, Meta(ge=1, le=24 * 366, description="the number of hours until the invitation expires")
    ] = 24 * 7


class TakeSeatRequest(RequestModel, frozen=True):
    """A request to take a seat with an invitation code.

    If you send `chain`, you must also send `seat`, because the chain's signature covers the seat's
    id.
    """

    code: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=80,
            pattern=r"^[A-Za-z0-9_-]+$(?!\n)",
            description="the invitation code",
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
            Meta(description="return events up to this version, with the texts that they had then"),
        ]
        | UnsetType
    ) = UNSET
    last: (
        Annotated[
            Limit,
            Meta(description="return at most this many of the newest events, and ignore `limit`"),
        ]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class ReviewQuery(PageQuery, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class ViewerQuery(RequestModel, frozen=True, rename={"through": "as"}):
    through: Through | UnsetType = UNSET


class SearchQuery(PageQuery, frozen=True, rename={"through": "as"}):
    """The conditions for a search. A result is an event that meets all of them."""

    kind: (
        Annotated[
            SearchText,
            Meta(
                description="an event kind such as dhextiny.Altered, "
                "or just its prefix (dhextiny) or name (Altered)"
            ),
        ]
        | UnsetType
    ) = UNSET
    seat: Annotated[SeatId, Meta(description="the seat that caused the event")] | UnsetType = UNSET
    entity: (
        Annotated[SearchText, Meta(description="the id of an entity mentioned in the event")]
        | UnsetType
    ) = UNSET
    die: (
        Annotated[
            SearchText,
            Meta(description="a die such as d6, or the name of one of the ruleset's decks"),
        ]
        | UnsetType
    ) = UNSET
    text: (
        Annotated[SearchText, Meta(description="part of the event's text (case-insensitive)")]
        | UnsetType
    ) = UNSET
    since: (
        Annotated[datetime, Meta(description="only events recorded at this time or later")]
        | UnsetType
    ) = UNSET
    until: (
        Annotated[datetime, Meta(description="only events recorded at this time or earlier")]
        | UnsetType
    ) = UNSET
    marked: (
        Annotated[
            bool,
            Meta(description="true: only events with a mark; false: only events without a mark"),
        ]
        | UnsetType
    ) = UNSET
    undone: (
        Annotated[
            bool,
            Meta(
                description="true: only events that a rewind undid; "
                "false: only events that are not undone"
            ),
        ]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class StreamQuery(RequestModel, frozen=True, rename={"through": "as"}):
    after: (
        Annotated[
            After, Meta(description="send the events after this version; default: only new events")
        ]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class VersionQuery(RequestModel, frozen=True, rename={"through": "as"}):
    at: (
        Annotated[Version, Meta(description="the version to return; default: the newest")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class StatisticsQuery(
    RequestModel, frozen=True, rename={"through": "as", "first": "from", "last": "to"}
):
    undone: Annotated[bool, Meta(description="include events that a rewind undid")] = False
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
        Annotated[Version, Meta(description="the tree size; default: the session's newest version")]
        | UnsetType
    ) = UNSET


class CosignRequest(RequestModel, frozen=True):
    """A checkpoint of the session, with a seat's cosignature."""

    note: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=40_000,
            description="the checkpoint as a signed note (C2SP), including the cosignature line",
        ),
    ]
    vkey: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=400,
            description="the seat's verifier key (type 4), named `<origin>/w/<seat>`",
        ),
    ]


class IndexCheckpointQuery(RequestModel, frozen=True):
    cosigned: Annotated[
        bool, Meta(description="true: return the newest checkpoint that a witness has cosigned")
    ] = False


class IndexInclusionQuery(RequestModel, frozen=True):
    number: Annotated[Version, Meta(description="the number of the index entry")]
    size: (
        Annotated[Version, Meta(description="the tree size; default: the index's current size")]
        | UnsetType
    ) = UNSET


class IndexConsistencyQuery(RequestModel, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Annotated[Version, Meta(description="the size of the older tree")]
    newer: (
        Annotated[
            Version,
            Meta(description="the size of the newer tree; default: the index's current size"),
        ]
        | UnsetType
    ) = UNSET


class CompareQuery(
    RequestModel, frozen=True, rename={"older": "from", "newer": "to", "through": "as"}
):
    older: Version
    newer: (
        Annotated[Version, Meta(description="the version to compare with; default: the newest")]
        | UnsetType
    ) = UNSET
    through: Through | UnsetType = UNSET


class ConsistencyQuery(RequestModel, frozen=True, rename={"older": "from", "newer": "to"}):
    older: Version
    newer: (
        Annotated[Version, Meta(description="the newer version; default: the session's newest")]
        | UnsetType
    ) = UNSET


class ResponseModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base class for response bodies. Fields with default values are omitted."""


class Event(ResponseModel, frozen=True):
    """An event, without any data hidden from the viewer.

    `grade`, from A (best) to D, rates how fair the event's random values are. `mark` is the reason
    for highlighting the event. A `sealed` event shows only its version, turn, time and seat. The
    text of a `redacted` event has been deleted.
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
    """A pending draw, with its deadline and the seats that contribute to it."""

    k: int
    deadline: str
    contributors: list[str]


class TurnResponse(ResponseModel, frozen=True):
    """The events that a command produced.

    `repeated` is true if the server had already run the command for an earlier request with the
    same idempotency key. If `waiting` is present, the command's draw is pending. The remaining
    events are recorded when the draw ends.
    """

    version: int
    turn: int
    events: list[Event]
    repeated: bool
    waiting: Waiting | UnsetType = UNSET


class Ticket(ResponseModel, frozen=True):
    """A seat and its token. Store the token, because it is shown only once."""

    session: str
    seat: str
    role: Role
    token: str
    version: int
    log_key: str
    origin: str


class ChainView(ResponseModel, frozen=True):
    """A seat's current chain.

    `position` is the position of the last link used in a draw, or 0 if no link has been used.
    """

    number: int
    length: int
    position: int


class SeatView(ResponseModel, frozen=True):
    """A seat in a session.

    `present` is true if the seat is taken. `away` is true if the seat does not take part in draws.
    `name` is the name to display. If it can be mistaken, for example for the name of another seat,
    it is followed by the seat's id in brackets.
    """

    role: Role
    present: bool
    name: str | UnsetType = UNSET
    away: bool = False
    public_key: str | UnsetType = UNSET
    chain: ChainView | UnsetType = UNSET


class SessionLine(ResponseModel, frozen=True):
    """A session in the list, as of `version`.

    `table` contains only what the viewer may see.
    """

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
    """A session as of `version`. `at` is the time when that version was recorded."""

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


class OutcomeChance(ResponseModel, frozen=True):
    """The probability of an outcome.

    `chance` is the exact probability as (numerator, denominator). `percent` is rounded.
    """

    chance: tuple[int, int]
    percent: float


class ChoiceView(ResponseModel, frozen=True):
    kind: str
    allowed: bool
    example: dict[str, Any] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    facts: dict[str, Detail] | UnsetType = UNSET
    odds: dict[str, OutcomeChance] | UnsetType = UNSET


class Choices(ResponseModel, frozen=True):
    version: int
    commands: list[ChoiceView]


class Odds(ResponseModel, frozen=True):
    version: int
    outcomes: dict[str, OutcomeChance]


class Inclusion(ResponseModel, frozen=True):
    """A proof that the event at `version` is in the tree of size `size`.

    Hashes are in hex.
    """

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
    """A proof that the tree of size `from` is a prefix of the tree of size `to`.

    Hashes are in hex.
    """

    older: int
    newer: int
    older_root: str
    newer_root: str
    proof: list[str]


class Statistics(ResponseModel, frozen=True):
    """Statistics about a session.

    `figures` contains the statistics as of `version`. `head` is the session's newest version, and
    `current` is true if the two versions are equal.
    """

    session: str
    version: int
    head: int
    current: bool
    figures: Raw


class StatisticsPending(ResponseModel, frozen=True):
    """The response sent while statistics are being computed.

    Try again later, or check the state of the job.
    """

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
    """A ruleset with its rulebook, commands and options.

    `rules` is the rulebook in Markdown. `commands` contains a JSON schema for each command, and
    `options` is the JSON schema for all options.
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
    """Whether the process is ready to serve requests.

    `views` contains the lag of each read model, in events. `waiting` is the number of jobs in the
    queue. `why` lists the problems and their remedies.
    """

    status: Literal["ok", "degraded", "down"]
    log: Literal["ok", "down"]
    queue: Literal["ok", "away"]
    views: dict[str, int]
    why: list[str]
    waiting: int | UnsetType = UNSET


class JobView(ResponseModel, frozen=True):
    """A background job.

    A job with the status `waiting` will be enqueued by the next sweep. A job with the status
    `queued` is waiting for a worker. `result` is the address of the job's result. If the job
    failed, `todo` tells the operator what to do.
    """

    job: str
    kind: JobKind
    status: Stage
    result: str
    progress: JobProgress | UnsetType = UNSET
    todo: str | UnsetType = UNSET


class AuditView(ResponseModel, frozen=True):
    """An audit of a session's log at `version`.

    `report` has the format of `fairlog verify --json`. It covers the log that you could have
    exported at that version. `valid` is true if no check failed. `whole` is true if all levels of
    verification passed and every event was checked. `current` is true if `version` is the session's
    newest version.
    """

    version: int
    current: bool
    valid: bool
    whole: bool
    report: Raw


class Audits(ResponseModel, frozen=True):
    """A session's stored audits, newest first."""

    session: str
    head: int
    audits: list[AuditView]


class SweepView(ResponseModel, frozen=True):
    """The results of the last sweep for outdated statistics and missing audits.

    `statistics` is the number of sessions with outdated statistics. `audits` is the number of
    closed sessions without an audit report.
    """

    at: str
    statistics: int
    audits: int


class StatusView(ResponseModel, frozen=True):
    """The state of background work.

    `waiting` and `running` are the numbers of waiting and running jobs. `failed` groups the failed
    jobs by kind and names only listed sessions. `views` contains the lag of each read model, in
    events. `todo` tells the operator how to fix problems.
    """

    queue: str
    waiting: int
    running: int
    failed: tuple[FailedJobs, ...]
    workers: tuple[WorkerState, ...]
    views: dict[str, int]
    todo: tuple[str, ...]
    sweep: SweepView | UnsetType = UNSET
