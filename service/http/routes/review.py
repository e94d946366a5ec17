"""Session review: branches, lineage, search, single events and rerolls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Response, url_for
from msgspec import UNSET, UnsetType
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
from projections.timeline import timeline_lines
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import iso_time, rewinds, to_responses, visible_events
from service.http.responses import json_response, with_next_link
from service.sessions.app import App
from service.sessions.pending_draws import find_request, turn_events
from service.store.errors import UnknownSessionError

blueprint = Blueprint(
    "Review",
    __name__,
    description="Review a session: branches, lineage, search, single events and rerolls.",
)


class BranchView(models.ResponseModel, frozen=True):
    """A branch: the versions undone by the rewind at `version`.

    `left` lists the undone spans as (first version, last version) pairs. `back` lists the spans
    that a later rewind restored. `take_back` is true if a player took back their own last command.
    """

    version: int
    at: str
    seat: str
    to: int
    reason: str
    left: tuple[Span, ...]
    events: int
    turns: int
    fate: Fate
    back: tuple[Span, ...] = ()
    take_back: bool = False


class Branches(models.ResponseModel, frozen=True):
    """A page of branches.

    `lineage` lists the spans of versions that led to the newest version, as (first, last) pairs.
    """

    version: int
    lineage: tuple[Span, ...]
    branches: list[BranchView]
    next: int | UnsetType = UNSET


class Lineage(models.ResponseModel, frozen=True):
    """The spans of versions that led to `version`, as (first, last) pairs."""

    version: int
    lineage: tuple[Span, ...]


class RollView(models.ResponseModel, frozen=True):
    """A roll and the events in its turn. The values are (sides, face) pairs."""

    version: int
    values: Values
    events: list[models.Event]


class RolledAgain(models.ResponseModel, frozen=True):
    """A roll that a rewind undid, and the next roll for the same kind of command and entity."""

    seat: str
    undone: RollView
    again: RollView


class Rerolls(models.ResponseModel, frozen=True):
    version: int
    rerolls: list[RolledAgain]
    next: int | UnsetType = UNSET


class DrawView(models.ResponseModel, frozen=True):
    """Draw number `k`, with its contributions and values.

    `declared` and `drawn` are the versions of the events that declared and completed the draw. Each
    value is a (sides, face) pair. Sealed values are omitted.
    """

    k: int
    declared: int
    drawn: int
    contributions: tuple[Contribution, ...]
    values: Values | UnsetType = UNSET


class TurnSpan(models.ResponseModel, frozen=True):
    first: int
    last: int


class EventLinks(models.ResponseModel, frozen=True):
    """The addresses of data related to an event.

    `inclusion` leads to the event's inclusion proof. `before` and `after` lead to the table before
    and after the event. `first` and `last` lead to the first and last events in its turn.
    """

    inclusion: str
    after: str
    first: str
    last: str
    before: str | UnsetType = UNSET


class EventDetail(models.ResponseModel, frozen=True):
    """An event, with links to related data and the draw in its turn, if any."""

    event: models.Event
    turn: TurnSpan
    links: EventLinks
    draw: DrawView | UnsetType = UNSET


class Reading(models.ResponseModel, frozen=True):
    """An auditor's request to read data from the session."""

    number: int
    seat: str
    at: str
    what: str


class Readings(models.ResponseModel, frozen=True):
    readings: list[Reading]
    next: int | UnsetType = UNSET


SEARCH_LIMIT, SEARCH_BATCH = 2_000, 250
"""The maximum number of events that a search request reads in total, and in one batch."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/branches",
    query=models.ReviewQuery,
    returns=Branches,
    token="optional",
    problems=["refused"],
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
    return Branches(state.version, lineage(rewound, state.version), listed, more)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/lineage",
    query=models.VersionQuery,
    returns=Lineage,
    token="optional",
    problems=["refused"],
)
def lineage_(session: str, query: models.VersionQuery) -> Response:
    """Read the lineage of a version.

    The lineage contains the versions that led to version `at`, or to the newest version. It omits
    versions that a rewind undid.
    """
    app, state = auth.services().app, auth.session_for_viewer(session, query.through)[0].session
    at = state.version if query.at is UNSET else query.at
    if at > state.version:
        raise UnknownSessionError(session, at)
    return json_response(Lineage(at, lineage(rewinds(app, state), at)), version=at)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/search",
    query=models.SearchQuery,
    returns=models.Events,
    token="optional",
    problems=["refused"],
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
        branch.left,
        branch.events,
        sum(map(turns.within, branch.left)),
        branch.fate,
        branch.back,
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
        sought, session.ruleset, fact, None if event.told is UNSET else event.told, undone
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
        query.marked,
        query.undone,
    )


REACH = 16
"""The number of events initially read on each side of an event to find its whole turn."""
ROLLS_BATCH = 1_000


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/events/<version:version>",
    query=models.ViewerQuery,
    returns=EventDetail,
    token="optional",
    problems=["refused"],
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
    span = TurnSpan(turn[0].version, turn[-1].version)
    [one] = _to_responses(app, state, viewer, [fact for fact in turn if fact.version == number])
    return EventDetail(
        one, span, _links(state.id, number, span, viewer.through), _draw(app, state, viewer, turn)
    )


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/rerolls",
    query=models.ReviewQuery,
    returns=Rerolls,
    token="optional",
    problems=["refused"],
)
def rerolls_(session: str, query: models.ReviewQuery) -> Response:
    """List the rerolls.

    A reroll is a roll that a rewind undid, together with the same seat's next roll of the same
    kind. It is listed only if you may see the values of both rolls. To get the next page, send the
    version of the last undone roll as `after`. In a long session, the request can be slow.
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


def _to_responses(
    app: App, session: Session, viewer: Viewer, facts: Sequence[RecordedEvent]
) -> list[models.Event]:
    lines = timeline_lines(
        session.ruleset,
        facts,
        rewinds(app, session),
        session.version,
        app.log.history(session.id).state,
    )
    return to_responses(app, session, viewer, facts, lines)


def _links(session: str, version: int, turn: TurnSpan, through: str | UnsetType) -> EventLinks:
    looking: dict[str, Any] = {} if through is UNSET else {"as": through}

    def table(at: int) -> str:
        return url_for("Sessions.session", session=session, at=at, **looking)

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
            values: Values | UnsetType = body.values or UNSET
            return DrawView(body.k, turn[0].version, fact.version, body.contributions, values)
    return UNSET


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
    for one in _to_responses(
        app, session, viewer, [fact for turn in turns.values() for fact in turn]
    ):
        events.setdefault(one.turn, []).append(one)

    def roll(version: int | UnsetType, values: Values | UnsetType) -> RollView:
        assert version is not UNSET
        assert values is not UNSET
        return RollView(version, values, events[turns[version][0].turn])

    return [
        RolledAgain(
            turns[pair.undone][0].seat,
            roll(pair.undone, pair.undone_values),
            roll(pair.next, pair.next_values),
        )
        for pair in pairs
    ]
