"""Looking closely: one event with its draw and its proof, and the rolls that were made again after a rewind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flask import Response, url_for
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import Values
from domain.fact import Fact
from domain.session.lineage import lineage
from domain.session.messages import Declared, Drawn, Rewound, SealOpened
from domain.session.rerolls import Reroll, rerolls
from domain.session.state import Session
from domain.view import Viewer, hidden, opened
from projections.timeline import lines_of
from service.bootstrap import App
from service.drawn import asking, turn_since
from service.gamelog import Unknown
from service.http import auth
from service.http.answering import json, with_next
from service.http.events import rewinds, shown
from service.http.given import ReviewPage, Sight
from service.http.openapi import Blueprint
from service.http.reviewed import (
    DrawShown,
    EventDetail,
    EventLinks,
    Rerolls,
    RolledAgain,
    RollShown,
    TurnSpan,
)
from service.http.shown import Event

REACH = 16
"""So many events to either side are read first, to find a turn's ends."""
BATCH = 1_000

blueprint = Blueprint("Detail", __name__, description="Single events, and rolls beside each other.")


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/events/<version:version>",
    query=Sight,
    gives=EventDetail,
    token="optional",
    problems=["refused"],
)
def event(session: str, version: str, query: Sight) -> Response:
    """Read one event

    With the draw that its turn made, and the addresses of its proof, of the table before and after it, and of its
    turn's first and last event.
    """
    head, viewer = auth.viewed(session, query.through)
    detail = detail_of(auth.edge().app, head.session, viewer, int(version))
    return json(detail, version=head.session.version)


def detail_of(app: App, state: Session, viewer: Viewer, number: int) -> EventDetail:
    """The event of that version as the viewer sees it. Raises Unknown."""
    if number > state.version:
        raise Unknown(state.id, number)
    turn = _turn_around(app, state, number)
    span = TurnSpan(turn[0].version, turn[-1].version)
    [one] = _shown(app, state, viewer, [fact for fact in turn if fact.version == number])
    return EventDetail(
        one, span, _links(state.id, number, span, viewer.through), _draw(app, state, viewer, turn)
    )


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/rerolls",
    query=ReviewPage,
    gives=Rerolls,
    token="optional",
    problems=["refused"],
)
def rerolls_(session: str, query: ReviewPage) -> Response:
    """List the rolls made again

    Each roll that a rewind undid beside the same seat's next of its kind, both with what they gave, where you may see
    both. `after` is the version of an undone roll. Every page reads the session once.
    """
    app = auth.edge().app
    head, viewer = auth.viewed(session, query.through)
    answer = rerolls_of(app, head.session, viewer, query.after, min(query.limit, app.settings.page))
    return with_next(json(answer, version=answer.version), answer.next)


def rerolls_of(app: App, state: Session, viewer: Viewer, after: int, limit: int) -> Rerolls:
    """So many rolls behind a version that a rewind undid, each beside the one that came instead."""
    [(_, whole), *_] = lineage(rewinds(app, state), state.version)  # up to there nothing is undone
    found = rerolls(_rolls(app, state, viewer, max(after, whole)), state.version)
    pairs = [
        each for each in found if UNSET not in (each.next, each.undone_values, each.next_values)
    ]
    more = pairs[limit - 1].undone if len(pairs) > limit else UNSET
    return Rerolls(state.version, _beside(app, state, viewer, pairs[:limit]), more)


def _turn_around(app: App, session: Session, version: int) -> list[Fact]:
    """The facts of the version's turn; where its draw waited for seats, others stand between them."""
    near = _near(app, session, version)
    declared = next((found for fact in near if (found := asking(app, session, fact))), None)
    return near if declared is None else turn_since(app, session, declared)


def _near(app: App, session: Session, version: int) -> list[Fact]:
    """The facts of the version's turn that stand around it."""
    reach = REACH
    while True:
        facts = app.log.facts(
            session.id, max(0, version - 1 - reach), min(session.version, version + reach)
        )
        turn = [fact for fact in facts if fact.turn == facts[version - facts[0].version].turn]
        has_begun = turn[0] is not facts[0] or turn[0].version == 1
        has_ended = turn[-1] is not facts[-1] or turn[-1].version == session.version
        if has_begun and has_ended:
            return turn
        reach *= 4


def _shown(app: App, session: Session, viewer: Viewer, facts: Sequence[Fact]) -> list[Event]:
    lines = lines_of(
        session.room,
        facts,
        rewinds(app, session),
        session.version,
        app.log.history(session.id).state,
    )
    return shown(app, session, viewer, facts, lines)


def _links(session: str, version: int, turn: TurnSpan, through: str | UnsetType) -> EventLinks:
    looking: dict[str, Any] = {} if through is UNSET else {"as": through}

    def table(at: int) -> str:
        return url_for("Sessions.session", session=session, at=at, **looking)

    def one(at: int) -> str:
        return url_for("Detail.event", session=session, version=at, **looking)

    inclusion = url_for("Proofs.inclusion", session=session, version=version)
    before = table(version - 1) if version > 1 else UNSET
    return EventLinks(inclusion, table(version), one(turn.first), one(turn.last), before)


def _draw(
    app: App, session: Session, viewer: Viewer, turn: Sequence[Fact]
) -> DrawShown | UnsetType:
    """The draw of a turn, if it made one; that of a secret turn with its values where the viewer may see them."""
    for fact in _unsealed(app, session, viewer, turn):
        if isinstance(fact.body, Drawn):
            body = fact.body
            values: Values | UnsetType = body.values or UNSET
            return DrawShown(body.k, turn[0].version, fact.version, body.contributions, values)
    return UNSET


def _rolls(app: App, session: Session, viewer: Viewer, after: int) -> list[Fact]:
    """All that rolls behind a version are known by, as far as it is open to the viewer."""
    found = list[Fact]()
    while facts := app.log.facts(session.id, after, session.version, BATCH):
        after = facts[-1].version
        rolls = [
            fact for fact in facts if isinstance(fact.body, Declared | Drawn | Rewound | SealOpened)
        ]
        found += _unsealed(app, session, viewer, opened(session, viewer, rolls))
    return found


def _unsealed(app: App, session: Session, viewer: Viewer, facts: Iterable[Fact]) -> list[Fact]:
    """The facts with what the house keeps of secret draws, of those that the viewer may see."""
    unseen = hidden(session, viewer)
    return [fact if fact.turn in unseen else _with_kept(app, fact) for fact in facts]


def _with_kept(app: App, fact: Fact) -> Fact:
    match fact.body:
        case Declared() if fact.body.command is UNSET:
            kept = app.house.kept(fact.session, fact.turn)
            return (
                fact
                if kept is UNSET
                else replace(fact, body=replace(fact.body, command=kept.command))
            )
        case Drawn(values=()):
            kept = app.house.kept(fact.session, fact.turn)
            return (
                fact
                if kept is UNSET
                else replace(fact, body=replace(fact.body, values=kept.values))
            )
    return fact


def _beside(
    app: App, session: Session, viewer: Viewer, pairs: Sequence[Reroll]
) -> list[RolledAgain]:
    """Each pair with the events of both turns."""
    versions = {
        version for pair in pairs for version in (pair.undone, pair.next) if version is not UNSET
    }
    turns = {version: _turn_around(app, session, version) for version in sorted(versions)}
    events: dict[int, list[Event]] = {}
    for one in _shown(app, session, viewer, [fact for turn in turns.values() for fact in turn]):
        events.setdefault(one.turn, []).append(one)

    def roll(version: int | UnsetType, values: Values | UnsetType) -> RollShown:
        assert version is not UNSET
        assert values is not UNSET
        return RollShown(version, values, events[turns[version][0].turn])

    return [
        RolledAgain(
            turns[pair.undone][0].seat,
            roll(pair.undone, pair.undone_values),
            roll(pair.next, pair.next_values),
        )
        for pair in pairs
    ]
