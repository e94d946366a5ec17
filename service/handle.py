"""The spine: read, decide, append, nudge. Every command goes through here; only `moving` stores a log from a file."""

from __future__ import annotations

import threading

from domain.decider import By, Refused, Role
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.draws import MARGIN, Head, Means, take_turn
from domain.session.messages import Declare, Open, TakeSeat
from domain.session.state import HOUSE, initial
from service import answers, sources
from service.answers import Answer, Asked
from service.bootstrap import App
from service.gamelog import FRESH, Conflict, Unknown
from service.house import chain_name
from service.storage.sqlite import Beside

TRIES = 3
Secrets = list[tuple[str, str, bytes]]

# Writers of one process take turns instead of racing; between processes the log's versions decide. Sessions share a
# few locks, which costs them little: the database has one writer at a time anyway.
_TURNS = tuple(threading.RLock() for _ in range(64))


def turn_of(session: str) -> threading.RLock:
    """Held while a turn of the session is decided and written."""
    return _TURNS[hash(session) % len(_TURNS)]


def handle(
    app: App, session: str, command: Message, asked: Asked, expected: int | None = None, beside: Beside = ()
) -> Answer:
    """One command of a seat, with what is written `beside` its events or not at all.

    Raises Refused, Conflict (with the current version), KeyReused, Unknown.
    """
    with turn_of(session):
        answer = _tried(app, session, command, asked, expected, beside)
    return _nudged(app, answer)


def _tried(app: App, session: str, command: Message, asked: Asked, expected: int | None, beside: Beside) -> Answer:
    for tries in range(TRIES):
        head = app.log.read(session)
        try:
            return _once(app, head, command, asked, expected, beside)
        except (Refused, Conflict) as no:
            # A key is looked up where it was not new: its turn cannot be appended twice.
            if answer := _told(app, session, asked):
                return answer
            if isinstance(no, Refused) or expected is not None or tries == TRIES - 1:
                raise
    raise AssertionError


def _once(app: App, head: Head, command: Message, asked: Asked, expected: int | None, beside: Beside) -> Answer:
    if expected not in (None, head.session.version):
        raise Conflict(head.session.version)
    after, facts, secrets = _turn(app, head, command, asked.seat)
    return _append(app, after, facts, secrets, asked, beside)


def open_session(app: App, session: str, opening: Open, gm: TakeSeat, asked: Asked, beside: Beside = ()) -> Answer:
    """A new evening: Opened, the house's seat and the GM's, in one append. Raises as `handle`."""
    try:
        head, facts, secrets = _opening(app, session, opening, gm)
        return _nudged(app, _append(app, head, facts, secrets, asked, beside))
    except (Refused, Conflict):
        answer = _told(app, session, asked)
        if answer is None:
            raise
        return answer


def _opening(app: App, session: str, opening: Open, gm: TakeSeat) -> tuple[Head, tuple[Fact, ...], Secrets]:
    head, last, house = Head(initial(session), FRESH), sources.fresh(), By(HOUSE, Role.HOUSE)
    means = _means(app, session)
    facts: tuple[Fact, ...] = ()
    commands = ((opening, house), (app.house.first(session, last), house), (gm, By(gm.seat, gm.role)))
    for command, by in commands:
        head, more = take_turn(head, command, by, means)
        facts += more
    return head, facts, [(session, chain_name(0), last)]


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


def _told(app: App, session: str, asked: Asked) -> Answer | None:
    try:
        return answers.told(app.recorder, app.log.read(session).session, asked)
    except Unknown:  # never opened
        return None


def _append(app: App, head: Head, facts: tuple[Fact, ...], secrets: Secrets, asked: Asked, beside: Beside) -> Answer:
    first, last = facts[0].version, facts[-1].version
    rows = [answers.row(head.session.id, asked, first, last), *beside]
    if secrets:
        rows.append(("INSERT INTO secrets (session, name, value) VALUES (?,?,?)", secrets))
    app.log.append(head, facts, rows)
    return Answer(head.session, first, last, repeated=False)


def _nudged(app: App, answer: Answer) -> Answer:
    if not answer.repeated:
        app.queue.nudge(answer.session.id)
    return answer
