"""Session review: branches, lineage, search, single events and rerolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from flask import Response, url_for
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.chance import Values
from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.search import Query, matches
from domain.session.lineage import Branch, Fate, Span, branches, lineage, within
from domain.session.messages import Contribution, Declared, Drawn, Rewound, SealOpened
from domain.session.rerolls import Reroll, rerolls
from domain.session.state import Session
from domain.visibility import Viewer, select_visible, turns_hidden_from
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import described_events, iso_time, rewinds, visible_events
from service.http.responses import json_response, with_next_link
from service.sessions.app import App
from service.sessions.pending_draws import find_request, turn_events
from service.store.errors import UnknownSessionError

blueprint = Blueprint("Review", __name__, tag="Events")


LineageSpans = Annotated[
    tuple[models.VersionSpan, ...],
    Meta(
        description="the versions that led to `version`, in ascending order; "
        "it omits versions that a rewind undid"
    ),
]


class BranchView(models.ResponseModel, frozen=True):
    """A branch: the versions undone by a rewind."""

    version: Annotated[int, Meta(description="the version of the rewind")]
    at: Annotated[str, Meta(description="the time of the rewind (ISO 8601, UTC)")]
    seat: Annotated[str, Meta(description="the id of the seat that rewound the table")]
    to: Annotated[int, Meta(description="the version to which the table was restored")]
    reason: Annotated[str, Meta(description="the reason that the seat gave for the rewind")]
    undone_spans: Annotated[
        tuple[models.VersionSpan, ...],
        Meta(description="the undone versions, in ascending order"),
    ]
    events: Annotated[int, Meta(description="the number of events in `undone_spans`")]
    turns: Annotated[int, Meta(description="the number of turns in `undone_spans`")]
    status: Annotated[
        Fate,
        Meta(
            description="whether the versions in `undone_spans` are still undone, or whether later "
            "rewinds restored them partly (`partly`) or completely (`redone`)"
        ),
    ]
    restored_spans: Annotated[
        tuple[models.VersionSpan, ...],
        Meta(
            description="the versions in `undone_spans` that later rewinds restored, in ascending "
            "order"
        ),
    ] = ()
    is_take_back: Annotated[
        bool, Meta(description="true if a player took back their own last command")
    ] = False


class Branches(models.ResponseModel, frozen=True):
    """A page of branches."""

    version: models.NewestVersion
    lineage: LineageSpans
    branches: Annotated[list[BranchView], Meta(description="the branches, oldest first")]
    next: models.NextPosition | UnsetType = UNSET


class Lineage(models.ResponseModel, frozen=True):
    """The lineage of a version."""

    version: models.DescribedVersion
    lineage: LineageSpans


class RollView(models.ResponseModel, frozen=True):
    """A roll and the events in its turn."""

    version: Annotated[
        int, Meta(description="the version of the event that declares the roll's command")
    ]
    values: Annotated[
        list[models.DieValue],
        Meta(description="the values, in the order in which the rules asked for them"),
    ]
    events: Annotated[
        list[models.Event], Meta(description="the events in the roll's turn, in order")
    ]


class RolledAgain(models.ResponseModel, frozen=True):
    """A roll that a rewind undid, and the next roll for the same kind of command and entity."""

    seat: Annotated[str, Meta(description="the id of the seat that made the undone roll")]
    undone: Annotated[RollView, Meta(description="the roll that a rewind undid")]
    again: Annotated[RollView, Meta(description="the next roll, which may be by another seat")]


class Rerolls(models.ResponseModel, frozen=True):
    version: models.NewestVersion
    rerolls: Annotated[
        list[RolledAgain],
        Meta(description="the undone rolls with the rolls that replaced them, oldest first"),
    ]
    next: models.NextPosition | UnsetType = UNSET


class DrawView(models.ResponseModel, frozen=True):
    """A completed draw, with its contributions and values."""

    number: models.DrawNumberView
    declared_version: Annotated[
        int, Meta(description="the version of the event that declared the draw")
    ]
    drawn_version: Annotated[
        int, Meta(description="the version of the event that completed the draw")
    ]
    contributions: Annotated[
        tuple[Contribution, ...],
        Meta(description="the contributions, including the server's, ordered by seat"),
    ]
    values: (
        Annotated[
            list[models.DieValue],
            Meta(
                description="the values, in the order in which the rules asked for them; "
                "absent if they are sealed"
            ),
        ]
        | UnsetType
    ) = UNSET


class EventLinks(models.ResponseModel, frozen=True):
    """The addresses of data related to an event, as paths with their queries."""

    inclusion: Annotated[str, Meta(description="the address of the event's inclusion proof")]
    after: Annotated[
        str, Meta(description="the address of the session with the table after the event")
    ]
    first: Annotated[str, Meta(description="the address of the first event in the event's turn")]
    last: Annotated[str, Meta(description="the address of the last event in the event's turn")]
    before: (
        Annotated[
            str,
            Meta(
                description="the address of the session with the table before the event; "
                "absent for the first event"
            ),
        ]
        | UnsetType
    ) = UNSET


class EventDetail(models.ResponseModel, frozen=True):
    """An event, with links to related data and the draw in its turn, if any."""

    event: Annotated[models.Event, Meta(description="the event")]
    turn: Annotated[
        models.VersionSpan,
        Meta(
            description="the versions of the first and the last event in the event's turn; events "
            "of other turns can come between them"
        ),
    ]
    links: Annotated[EventLinks, Meta(description="the addresses of related data")]
    draw: (
        Annotated[
            DrawView,
            Meta(description="the completed draw in the event's turn; absent if there is none"),
        ]
        | UnsetType
    ) = UNSET


class AuditRead(models.ResponseModel, frozen=True):
    """An auditor's request to read data from the session."""

    number: Annotated[int, Meta(description="the number of the record, which increases with time")]
    seat: Annotated[str, Meta(description="the id of the auditor's seat")]
    at: Annotated[str, Meta(description="the time of the request (ISO 8601, UTC)")]
    path: Annotated[str, Meta(description="the requested path with its query")]


class AuditReads(models.ResponseModel, frozen=True):
    audit_reads: Annotated[
        list[AuditRead], Meta(description="the auditors' requests, oldest first")
    ]
    next: models.NextPosition | UnsetType = UNSET


SEARCH_LIMIT, SEARCH_BATCH = 2_000, 250
"""The maximum number of events that a search request reads in total, and in one batch."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)


@blueprint.operation(
    "listBranches",
    "GET",
    "/v1/sessions/<session:session>/branches",
    query=models.ReviewQuery,
    returns=Branches,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def branches_(session: str, query: models.ReviewQuery) -> Response:
    """List the branches.

    A branch contains the versions that a rewind undid. The response lists them from oldest to
    newest, with each rewind's reason and whether its versions are still undone. To get the next
    page, send the version of the last rewind as `after`. Rewinds change only the table. They do not
    undo narrations or changes to seats.
    """
    app, state = auth.services().app, auth.session_for_viewer(session, query.through)[0].session
    answer = list_branches(app, state, query.after, min(query.limit, app.settings.page))
    return with_next_link(json_response(answer, version=state.version), answer.next)


def list_branches(app: App, state: Session, after: int, limit: int) -> Branches:
    """Return the first `limit` branches made by rewinds after version `after`."""
    rewound = rewinds(app, state)
    found = branches(rewound, state.version, after, limit + 1)
    more = found[limit - 1].version if len(found) > limit else UNSET
    turns = _Turns(app, state.id)
    listed = [_branch_view(app, state, branch, turns) for branch in found[:limit]]
    led = to_spans(lineage(rewound, state.version))
    return Branches(state.version, led, listed, more)


@blueprint.operation(
    "getLineage",
    "GET",
    "/v1/sessions/<session:session>/lineage",
    query=models.VersionQuery,
    returns=Lineage,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def lineage_(session: str, query: models.VersionQuery) -> Response:
    """Read the lineage of a version.

    The lineage contains the versions that led to version `version`, or to the newest one. It omits
    versions that a rewind undid.
    """
    app, state = auth.services().app, auth.session_for_viewer(session, query.through)[0].session
    at = state.version if query.version is UNSET else query.version
    if at > state.version:
        raise UnknownSessionError(session, at)
    led = to_spans(lineage(rewinds(app, state), at))
    return json_response(Lineage(at, led), version=at)


def to_spans(spans: Iterable[Span]) -> tuple[models.VersionSpan, ...]:
    return tuple(models.VersionSpan(first, last) for first, last in spans)


@blueprint.operation(
    "searchEvents",
    "GET",
    "/v1/sessions/<session:session>/search",
    query=models.SearchQuery,
    returns=models.Events,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def search(session: str, query: models.SearchQuery) -> Response:
    """Search the log.

    The response contains the events that meet all conditions, in order. A sealed event can be found
    only by its seat, its time and whether it is undone. One request searches at most 2,000 events.
    If the response contains `next`, send it as `after` to continue, even if the page is empty.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    state, sought = head.session, _parse_query(query)
    led = lineage(rewinds(app, state), state.version)
    limit, last, hits = min(query.limit, app.settings.page), query.after, list[models.Event]()
    for fact, event in _scan(app, state, viewer, query.after):
        last = fact.version
        if is_hit(state, sought, fact, event, led):
            hits.append(event)
        if len(hits) == limit:
            break
    more = last if last < state.version else UNSET
    return with_next_link(
        json_response(models.Events(state.version, hits, more), version=state.version), more
    )


class _Turns:
    """A cache of turn numbers, keyed by version."""

    def __init__(self, app: App, session: str) -> None:
        self._log, self._session = app.log, session
        self._known: dict[int, int] = {}

    def of(self, version: int) -> int:
        if version not in self._known:
            [fact] = self._log.read_events(self._session, version - 1, version)
            self._known[version] = fact.turn
        return self._known[version]

    def within(self, span: Span) -> int:
        """Return the number of turns in `span`.

        The span must consist of whole turns.
        """
        first, last = span
        return self.of(last) - self.of(first) + 1


def _branch_view(app: App, head: Session, branch: Branch, turns: _Turns) -> BranchView:
    [fact] = app.log.read_events(head.id, branch.version - 1, branch.version)
    assert isinstance(fact.body, Rewound)
    return BranchView(
        branch.version,
        iso_time(fact.at),
        fact.seat,
        branch.to,
        fact.body.reason,
        to_spans(branch.left),
        branch.events,
        sum(map(turns.within, branch.left)),
        branch.fate,
        to_spans(branch.back),
        _is_take_back(app, head, fact),
    )


def _is_take_back(app: App, head: Session, rewound: RecordedEvent) -> bool:
    """Return True if the rewind is a player's take-back of their own last command."""
    if head.info.options.get("take_back") is not True:
        return False
    has_turned = head.secrets.turned > rewound.version  # the roles may have been different then
    then = app.log.at(head.id, rewound.version) if has_turned else head
    return then.info.seats[rewound.seat].role is Role.PLAYER


def _scan(
    app: App, session: Session, viewer: Viewer, after: int
) -> Iterator[tuple[RecordedEvent, models.Event]]:
    """Yield at most SEARCH_LIMIT events after version `after`.

    Each event is paired with its representation for the viewer.
    """
    for start in range(after, min(after + SEARCH_LIMIT, session.version), SEARCH_BATCH):
        yield from visible_events(app, session, viewer, start, SEARCH_BATCH)


def is_hit(
    session: Session, sought: Query, fact: RecordedEvent, event: models.Event, led: tuple[Span, ...]
) -> bool:
    """Return True if the event matches the query.

    A sealed event does not say whether it was undone, because that would reveal whether it changed
    the table. Instead, it counts as undone if its version is outside the lineage `led`.
    """
    undone = not within(led, fact.version) if event.undone is UNSET else event.undone
    return matches(
        sought, session.ruleset, fact, None if event.text is UNSET else event.text, undone
    )


def _parse_query(query: models.SearchQuery) -> Query:
    """Return the query with its times in whole milliseconds.

    `since` is rounded up, and `until` is rounded down.
    """
    since = UNSET if query.since is UNSET else -((EPOCH - query.since) // MS)
    until = UNSET if query.until is UNSET else (query.until - EPOCH) // MS
    return Query(
        query.kind,
        query.seat,
        query.entity,
        query.die,
        query.text,
        since,
        until,
        query.highlighted,
        query.undone,
    )


REACH = 16
"""The number of events initially read on each side of an event to find its whole turn."""
ROLLS_BATCH = 1_000


@blueprint.operation(
    "getEvent",
    "GET",
    "/v1/sessions/<session:session>/events/<version:version>",
    query=models.ViewerQuery,
    returns=EventDetail,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def event(session: str, version: str, query: models.ViewerQuery) -> Response:
    """Read one event.

    The response includes any draw in the event's turn. It also links to the event's inclusion
    proof, to the table before and after it, and to the first and last events in the turn.
    """
    head, viewer = auth.session_for_viewer(session, query.through)
    detail = event_detail(auth.services().app, head.session, viewer, int(version))
    return json_response(detail, version=head.session.version)


def event_detail(app: App, state: Session, viewer: Viewer, number: int) -> EventDetail:
    """Return the event at version `number` as the viewer sees it. Raises UnknownSessionError."""
    if number > state.version:
        raise UnknownSessionError(state.id, number)
    turn = _turn_of(app, state, number)
    span = models.VersionSpan(turn[0].version, turn[-1].version)
    [one] = described_events(app, state, viewer, [fact for fact in turn if fact.version == number])
    return EventDetail(
        one, span, _links(state.id, number, span, viewer.through), _draw(app, state, viewer, turn)
    )


@blueprint.operation(
    "listRerolls",
    "GET",
    "/v1/sessions/<session:session>/rerolls",
    query=models.ReviewQuery,
    returns=Rerolls,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def rerolls_(session: str, query: models.ReviewQuery) -> Response:
    """List the rerolls.

    A reroll is a roll that a rewind undid, together with the next roll for the same kind of command
    and the same entity. It is listed only if you may see the values of both rolls. To get the next
    page, send the version of the last undone roll as `after`. In a long session, the request can be
    slow.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    answer = list_rerolls(
        app, head.session, viewer, query.after, min(query.limit, app.settings.page)
    )
    return with_next_link(json_response(answer, version=answer.version), answer.next)


def list_rerolls(app: App, state: Session, viewer: Viewer, after: int, limit: int) -> Rerolls:
    """Return at most `limit` undone rolls, each with the roll that replaced it.

    Only rolls after version `after` are returned.
    """
    [(_, whole), *_] = lineage(rewinds(app, state), state.version)  # no version up to it is undone
    found = rerolls(_rolls(app, state, viewer, max(after, whole)), state.version)
    pairs = [
        each for each in found if UNSET not in (each.next, each.undone_values, each.next_values)
    ]
    more = pairs[limit - 1].undone if len(pairs) > limit else UNSET
    return Rerolls(state.version, _pairs_with_events(app, state, viewer, pairs[:limit]), more)


def _turn_of(app: App, session: Session, version: int) -> list[RecordedEvent]:
    """Return all events in the turn that contains `version`.

    In the log, events from other turns may come between them, because a draw can stay pending for a
    while.
    """
    near = _adjacent_facts(app, session, version)
    declared = next((found for fact in near if (found := find_request(app, session, fact))), None)
    return near if declared is None else turn_events(app, session, declared)


def _adjacent_facts(app: App, session: Session, version: int) -> list[RecordedEvent]:
    reach = REACH
    while True:
        facts = app.log.read_events(
            session.id, max(0, version - 1 - reach), min(session.version, version + reach)
        )
        turn = [fact for fact in facts if fact.turn == facts[version - facts[0].version].turn]
        has_begun = turn[0] is not facts[0] or turn[0].version == 1
        has_ended = turn[-1] is not facts[-1] or turn[-1].version == session.version
        if has_begun and has_ended:
            return turn
        reach *= 4


def _links(
    session: str, version: int, turn: models.VersionSpan, through: str | UnsetType
) -> EventLinks:
    looking: dict[str, Any] = {} if through is UNSET else {"as": through}

    def table(at: int) -> str:
        return url_for("Sessions.session", session=session, version=at, **looking)

    def one(at: int) -> str:
        return url_for("Review.event", session=session, version=at, **looking)

    inclusion = url_for("Proofs.inclusion", session=session, version=version)
    before = table(version - 1) if version > 1 else UNSET
    return EventLinks(inclusion, table(version), one(turn.first), one(turn.last), before)


def _draw(
    app: App, session: Session, viewer: Viewer, turn: Sequence[RecordedEvent]
) -> DrawView | UnsetType:
    """Return the draw in a turn, with the values that the viewer may see."""
    for fact in _unsealed(app, session, viewer, turn):
        if isinstance(fact.body, Drawn):
            body = fact.body
            values = _values(body.values) or UNSET
            return DrawView(body.k, turn[0].version, fact.version, body.contributions, values)
    return UNSET


def _values(values: Values) -> list[models.DieValue]:
    return [models.DieValue(sides, face) for sides, face in values]


def _rolls(app: App, session: Session, viewer: Viewer, after: int) -> list[RecordedEvent]:
    """Return the visible events after version `after` that are needed to find rerolls."""
    found = list[RecordedEvent]()
    while facts := app.log.read_events(session.id, after, session.version, ROLLS_BATCH):
        after = facts[-1].version
        rolls = [
            fact for fact in facts if isinstance(fact.body, Declared | Drawn | Rewound | SealOpened)
        ]
        found += _unsealed(app, session, viewer, select_visible(session, viewer, rolls))
    return found


def _unsealed(
    app: App, session: Session, viewer: Viewer, facts: Iterable[RecordedEvent]
) -> list[RecordedEvent]:
    """Return the events with the commands and values of secret draws filled in.

    Secrets that the viewer may not see are omitted.
    """
    unseen = turns_hidden_from(session, viewer)
    return [fact if fact.turn in unseen else _with_stored_secret(app, fact) for fact in facts]


def _with_stored_secret(app: App, fact: RecordedEvent) -> RecordedEvent:
    match fact.body:
        case Declared() if fact.body.command is UNSET:
            kept = app.house.stored_secret(fact.session, fact.turn)
            return (
                fact
                if kept is UNSET
                else replace(fact, body=replace(fact.body, command=kept.command))
            )
        case Drawn(values=()):
            kept = app.house.stored_secret(fact.session, fact.turn)
            return (
                fact
                if kept is UNSET
                else replace(fact, body=replace(fact.body, values=kept.values))
            )
    return fact


def _pairs_with_events(
    app: App, session: Session, viewer: Viewer, pairs: Sequence[Reroll]
) -> list[RolledAgain]:
    versions = {
        version for pair in pairs for version in (pair.undone, pair.next) if version is not UNSET
    }
    turns = {version: _turn_of(app, session, version) for version in sorted(versions)}
    events: dict[int, list[models.Event]] = {}
    for one in described_events(
        app, session, viewer, [fact for turn in turns.values() for fact in turn]
    ):
        events.setdefault(one.turn, []).append(one)

    def roll(version: int | UnsetType, values: Values | UnsetType) -> RollView:
        assert version is not UNSET
        assert values is not UNSET
        return RollView(version, _values(values), events[turns[version][0].turn])

    return [
        RolledAgain(
            turns[pair.undone][0].seat,
            roll(pair.undone, pair.undone_values),
            roll(pair.next, pair.next_values),
        )
        for pair in pairs
    ]
