"""The spine: read, decide, append, nudge. Everything that is ever written to a log goes through here."""

from __future__ import annotations

from typing import Any

from domain.decider import By, Refused, Role
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.draws import MARGIN, Head, Means, take_turn
from domain.session.messages import Declare, Open, TakeSeat
from domain.session.state import HOUSE, initial
from service import answers, sources
from service.answers import Answer, Asked
from service.bootstrap import App
from service.gamelog import FRESH, Conflict
from service.house import chain_name

TRIES = 3
Secrets = list[tuple[str, str, bytes]]


def handle(app: App, session: str, command: Message, asked: Asked, expected: int | None = None) -> Answer:
    """One command of a seat. Raises Refused, Conflict (with the current version), KeyReused, Unknown."""
    for tries in range(TRIES):
        head = app.log.read(session)
        try:
            return _once(app, head, command, asked, expected)
        except (Refused, Conflict) as no:
            # A key is looked up where it was not new: its turn cannot be appended twice.
            if answer := answers.told(app.recorder, app.log.read(session).session, asked):
                return answer
            if isinstance(no, Refused) or expected is not None or tries == TRIES - 1:
                raise
    raise AssertionError


def _once(app: App, head: Head, command: Message, asked: Asked, expected: int | None) -> Answer:
    if expected not in (None, head.session.version):
        raise Conflict(head.session.version)
    after, facts, secrets = _turn(app, head, command, asked.seat)
    return _append(app, after, facts, secrets, asked)


def open_session(app: App, session: str, opening: Open, gm: TakeSeat, asked: Asked) -> Answer:
    """A new evening: Opened, the house's seat and the GM's, in one append. Raises as `handle`."""
    head, last, house = Head(initial(session), FRESH), sources.fresh(), By(HOUSE, Role.HOUSE)
    means = _means(app, session)
    facts: tuple[Fact, ...] = ()
    commands = ((opening, house), (app.house.first(session, last), house), (gm, By(gm.seat, gm.role)))
    for command, by in commands:
        head, more = take_turn(head, command, by, means)
        facts += more
    try:
        return _append(app, head, facts, [(session, chain_name(0), last)], asked)
    except Conflict:
        answer = answers.told(app.recorder, app.log.read(session).session, asked)
        if answer is None:
            raise
        return answer


def _turn(app: App, head: Head, command: Message, seat: str) -> tuple[Head, tuple[Fact, ...], Secrets]:
    """The facts of the command, behind the house's next chain where the old one runs out."""
    session, means, secrets = head.session, _means(app, head.session.id), Secrets()
    if session.frame.seats[HOUSE].public_key != app.keys.house.public.hex():
        raise Refused("imported")
    by = By(seat, command.role) if isinstance(command, TakeSeat) else session.by(seat)
    if not isinstance(command, Declare) or session.chain.length - session.chain.position > MARGIN:
        return *take_turn(head, command, by, means), secrets
    last = sources.fresh()
    secrets.append((session.id, chain_name(session.chain.number + 1), last))
    anchor = app.house.next(session, last)
    head, anchored = take_turn(head, anchor, By(HOUSE, Role.HOUSE), means)
    head, facts = take_turn(head, command, by, means)
    return head, anchored + facts, secrets


def _means(app: App, session: str) -> Means:
    return Means(
        sources.now_ms(), sources.fresh, app.house.link, app.house.sign, lambda version: app.log.at(session, version)
    )  # fmt: skip


def _append(app: App, head: Head, facts: tuple[Fact, ...], secrets: Secrets, asked: Asked) -> Answer:
    first, last = facts[0].version, facts[-1].version
    beside: list[tuple[str, Any]] = [answers.row(head.session.id, asked, first, last)]
    if secrets:
        beside.append(("INSERT INTO secrets (session, name, value) VALUES (?,?,?)", secrets))
    app.log.append(head, facts, beside)
    app.queue.nudge(head.session.id)
    return Answer(head.session, first, last, repeated=False)
