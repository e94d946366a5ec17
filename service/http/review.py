"""Looking back at a session: its branches, the lineage of a version, a search through the log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from flask import Response
from msgspec import UNSET

from domain.decider import Role
from domain.fact import Fact
from domain.search import Query, finds
from domain.session.lineage import Branch, Span, branches, lineage, within
from domain.session.messages import Rewound
from domain.session.state import Session
from domain.view import Viewer
from service.bootstrap import App
from service.gamelog import Unknown
from service.http import auth
from service.http.answering import json, with_next
from service.http.events import iso, rewinds, told
from service.http.given import Moment, ReviewPage, Search
from service.http.openapi import Blueprint
from service.http.reviewed import Branches, BranchShown, Lineage
from service.http.shown import Event, Events

SCANNED, BATCH = 2_000, 250
"""So many events a search looks at in one request, and how many at a time."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MS = timedelta(milliseconds=1)

blueprint = Blueprint("Review", __name__, description="Looking back, across rewinds.")


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/branches",
    query=ReviewPage,
    gives=Branches,
    token="optional",
    problems=["refused"],
)
def branches_(session: str, query: ReviewPage) -> Response:
    """List the branches

    What each rewind left behind, in order: the versions, why, and whether they are undone still. `after` is a rewind's
    version. What the table did not hold, such as seats and narration, goes on wherever it stands.
    """
    app, state = auth.edge().app, auth.viewed(session, query.through)[0].session
    answer = branches_of(app, state, query.after, min(query.limit, app.settings.page))
    return with_next(json(answer, version=state.version), answer.next)


def branches_of(app: App, state: Session, after: int, limit: int) -> Branches:
    """What so many rewinds behind a version left, as it stands at the session's head."""
    rewound = rewinds(app, state)
    found = branches(rewound, state.version, after, limit + 1)
    more = found[limit - 1].version if len(found) > limit else UNSET
    turns = _Turns(app, state.id)
    listed = [_branch(app, state, branch, turns) for branch in found[:limit]]
    return Branches(state.version, lineage(rewound, state.version), listed, more)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/lineage",
    query=Moment,
    gives=Lineage,
    token="optional",
    problems=["refused"],
)
def lineage_(session: str, query: Moment) -> Response:
    """Read a lineage

    The versions that led to the newest one, or to version `at`: what rewinds left out is not among them.
    """
    app, state = auth.edge().app, auth.viewed(session, query.through)[0].session
    at = state.version if query.at is UNSET else query.at
    if at > state.version:
        raise Unknown(session, at)
    return json(Lineage(at, lineage(rewinds(app, state), at)), version=at)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/search",
    query=Search,
    gives=Events,
    token="optional",
    problems=["refused"],
)
def search(session: str, query: Search) -> Response:
    """Search the log

    The events for which all conditions hold, in order. A sealed event is found by seat, time and whether it is undone,
    and by nothing else. One request looks at 2,000 events at most: go on after `next`, also where nothing was found.
    """
    app = auth.edge().app
    head, viewer = auth.viewed(session, query.through)
    state, sought = head.session, _sought(query)
    led = lineage(rewinds(app, state), state.version)
    limit, last, hits = min(query.limit, app.settings.page), query.after, list[Event]()
    for fact, event in _scanned(app, state, viewer, query.after):
        last = fact.version
        if is_hit(state, sought, fact, event, led):
            hits.append(event)
        if len(hits) == limit:
            break
    more = last if last < state.version else UNSET
    return with_next(json(Events(state.version, hits, more), version=state.version), more)


class _Turns:
    """Which turn a version belongs to, each looked up once."""

    def __init__(self, app: App, session: str) -> None:
        self._log, self._session = app.log, session
        self._known: dict[int, int] = {}

    def of(self, version: int) -> int:
        if version not in self._known:
            [fact] = self._log.facts(self._session, version - 1, version)
            self._known[version] = fact.turn
        return self._known[version]

    def within(self, span: Span) -> int:
        """How many there are: a rewind goes from the end of a turn to the end of one."""
        first, last = span
        return self.of(last) - self.of(first) + 1


def _branch(app: App, head: Session, branch: Branch, turns: _Turns) -> BranchShown:
    [fact] = app.log.facts(head.id, branch.version - 1, branch.version)
    assert isinstance(fact.body, Rewound)
    return BranchShown(
        branch.version,
        iso(fact.at),
        fact.seat,
        branch.to,
        fact.body.reason,
        branch.left,
        branch.events,
        sum(map(turns.within, branch.left)),
        branch.fate,
        branch.back,
        _takes_back(app, head, fact),
    )


def _takes_back(app: App, head: Session, rewound: Fact) -> bool:
    """Whether a player did it: by option a player takes back, the GM alone rewinds."""
    if head.frame.options.get("take_back") is not True:
        return False
    has_turned = head.secrets.turned > rewound.version  # roles may have been others then
    then = app.log.at(head.id, rewound.version) if has_turned else head
    return then.frame.seats[rewound.seat].role is Role.PLAYER


def _scanned(
    app: App, session: Session, viewer: Viewer, after: int
) -> Iterator[tuple[Fact, Event]]:
    """The facts behind a version, as the viewer sees them: as many as one request may look at."""
    for start in range(after, min(after + SCANNED, session.version), BATCH):
        yield from told(app, session, viewer, start, BATCH)


def is_hit(
    session: Session, sought: Query, fact: Fact, event: Event, led: tuple[Span, ...]
) -> bool:
    """Of a sealed event not even that shows whether the table held it: it is undone where its version is."""
    undone = not within(led, fact.version) if event.undone is UNSET else event.undone
    return finds(sought, session.room, fact, None if event.told is UNSET else event.told, undone)


def _sought(query: Search) -> Query:
    """Events are timed in whole ms: `since` is the first that is no earlier, `until` the last that is no later."""
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
