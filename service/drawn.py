"""Where a draw stands in its session's log, found at a cost that does not grow with the log."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import UNSET

from domain.fact import Fact
from domain.session.messages import Declared, Draw, Drawn, DrawVoided
from domain.session.state import Session
from service.bootstrap import App

WINDOW = 50


def declared_at(app: App, session: Session, k: int) -> Fact | None:
    """The declaration of draw k; None where there was none yet."""
    if not 0 <= k < session.k:
        return None
    if session.pending is not None and session.pending.k == k:
        return app.log.facts(session.id, session.pending.version - 1, session.pending.version)[0]
    past = app.log.history(session.id)
    version = bisect_left(
        range(session.version + 1), k + 1, lo=1, key=lambda version: past.state(version).k
    )
    fact = app.log.facts(session.id, version - 1, version)[0]
    return fact if isinstance(fact.body, Declared) and fact.body.draw is not UNSET else None


def shared(fact: Fact) -> Draw | None:
    """The draw that seats are asked for by a fact; None where the house draws alone, or nothing is drawn."""
    body = fact.body
    if not isinstance(body, Declared) or body.draw is UNSET or len(body.draw.contributors) == 1:
        return None
    return body.draw


def asking(app: App, session: Session, fact: Fact) -> Fact | None:
    """The declaration by which seats were asked for the draw that a fact declares or ends, if it does."""
    body = fact.body
    if isinstance(body, DrawVoided) or (isinstance(body, Drawn) and len(body.contributions) > 1):
        return declared_at(app, session, body.k)
    return fact if shared(fact) else None


def turn_since(app: App, session: Session, declared: Fact) -> list[Fact]:
    """The facts of the turn that a declaration began, as far as it has come. Others may stand between them."""
    last = last_of(app, session, declared)
    return [
        fact
        for fact in app.log.facts(session.id, declared.version - 1, last)
        if fact.turn == declared.turn
    ]


def end_of(app: App, session: Session, declared: Fact) -> Fact | None:
    """What ended the draw of a declaration, Drawn or DrawVoided; None while it waits."""
    for start in range(declared.version, session.version, WINDOW):
        for fact in app.log.facts(session.id, start, min(start + WINDOW, session.version)):
            if isinstance(fact.body, Drawn | DrawVoided) and fact.turn == declared.turn:
                return fact
    return None


def last_of(app: App, session: Session, declared: Fact) -> int:
    """The last version of the turn that a declaration began, as far as it has come."""
    end = end_of(app, session, declared)
    last = declared.version if end is None else end.version
    for fact in app.log.facts(session.id, last, None, WINDOW) if end else ():
        if fact.turn != declared.turn:
            break
        last = fact.version
    return last
