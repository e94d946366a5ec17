"""The spine: read, decide, append. Every command goes through here; only `moving` stores a log from a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from msgspec.structs import replace

from domain.decider import By, Refused, Role, fold
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.decider import evolve
from domain.session.draws import MARGIN, Head, take_turn
from domain.session.messages import Declare, Open, OpenSeal, TakeSeat
from domain.session.state import HOUSE, Past, Session, initial
from domain.view import refusal
from service import answers, meters, sources
from service.answers import Answer, Asked
from service.bootstrap import App
from service.gamelog import FRESH, Conflict, Unknown
from service.house import RESTORED, chain_name
from service.storage.recording import Beside
from service.taking import KEEP, Rows, Written, beside, means, turn_of
from service.waiting import current

RACES, TRIES = 4, 8
"""Tries beside the writers of other processes, and in all: behind the races the others wait (docs/decisions/0018)."""
PAUSE = 0.002
"""Seconds, at most and for each race so far, before the next."""
Alongside = Callable[[Session], Written]
"""Of a session as it stands, what is stored of another one in the same transaction."""


def handle(
    app: App,
    session: str,
    command: Message,
    asked: Asked,
    expected: int | None = None,
    beside: Beside = (),
    alongside: Alongside | None = None,
) -> Answer:
    """One command of a seat, with what is written `beside` its events and, of another session, `alongside`.

    Raises Refused, Conflict (with the current version), KeyReused, Unknown.
    """
    with meters.deciding(), turn_of(session):
        return _tried(app, session, command, asked, expected, beside, alongside)


def _tried(
    app: App,
    session: str,
    command: Message,
    asked: Asked,
    expected: int | None,
    beside: Beside,
    alongside: Alongside | None,
) -> Answer:
    for tries in range(TRIES):
        head = None
        try:
            with nullcontext() if tries < RACES else app.recorder.alone():
                head = current(app, session, asked.newest if tries == 0 else 0)
                return _once(app, head, command, asked, expected, beside, alongside)
        except (Refused, Conflict) as no:
            if head is None:  # a draw that waits cannot be ended
                raise
            # A key is looked up where it was not new: its turn cannot be appended twice.
            if answer := _told(app, session, asked):
                return answer
            if isinstance(no, Refused):
                raise _as_told(app, head.session, command, asked.seat, no) from None
            if expected is not None or tries == TRIES - 1:
                raise
            time.sleep(PAUSE * (tries + 1) * sources.fresh()[0] / 256)
    raise AssertionError


def _once(
    app: App,
    head: Head,
    command: Message,
    asked: Asked,
    expected: int | None,
    beside: Beside,
    alongside: Alongside | None,
) -> Answer:
    if expected not in (None, head.session.version):
        raise Conflict(head.session.version)
    turn = _turn(app, head, command, asked.seat)
    return _append(
        app, [turn] if alongside is None else [turn, alongside(head.session)], asked, beside
    )


def open_session(
    app: App, session: str, opening: Open, gm: TakeSeat, asked: Asked, beside: Beside = ()
) -> Answer:
    """A new evening: Opened, the house's seat and the GM's, in one append. Raises as `handle`."""
    try:
        with meters.deciding():
            return _append(app, [opening_turn(app, session, opening, gm)], asked, beside)
    except (Refused, Conflict):
        answer = _told(app, session, asked)
        if answer is None:
            raise
        return answer


def opening_turn(app: App, session: str, opening: Open, gm: TakeSeat) -> Written:
    """A new session up to its GM's seat. Raises Refused."""
    head, last, house = Head(initial(session), FRESH), sources.fresh(), By(HOUSE, Role.HOUSE)
    facts: list[Fact] = []
    ways = replace(means(app, session), past=_past_of(session, facts))
    commands = (
        (opening, house),
        (app.house.first(session, last), house),
        (gm, By(gm.seat, gm.role)),
    )
    for command, by in commands:
        head, more, _ = take_turn(head, command, by, ways)
        facts.extend(more)
    return Written(head, tuple(facts), [(KEEP, [(session, chain_name(0), last)])])


def _past_of(session: str, facts: Sequence[Fact]) -> Past:
    """Of a session that is not stored yet."""

    def state(version: int) -> Session:
        return fold(
            lambda state, fact: evolve(state, fact, past), initial(session), facts[:version]
        )

    past = Past(state, lambda after, upto: facts[after:upto])
    return past


def _turn(app: App, head: Head, command: Message, seat: str) -> Written:
    """The facts of the command, behind the house's next chain where the old one runs out."""
    session, ways, rows = head.session, means(app, head.session.id), Rows()
    if session.frame.seats[HOUSE].public_key != app.keys.house.public.hex():
        raise Refused("imported")
    by = By(seat, command.role) if isinstance(command, TakeSeat) else session.by(seat)
    anchored: tuple[Fact, ...] = ()
    chain = session.chains[HOUSE]
    if (
        isinstance(command, Declare)
        and session.pending is None
        and chain.length - chain.position <= MARGIN
    ):
        last = sources.fresh()
        rows.append((KEEP, [(session.id, chain_name(chain.number + 1), last)]))
        head, anchored, _ = take_turn(
            head, app.house.next(session, last), By(HOUSE, Role.HOUSE), ways
        )
    if isinstance(command, OpenSeal):
        command = replace(command, kept=app.house.kept(session.id, command.turn))
    taken = take_turn(head, command, by, ways)
    if taken.head.session.k != session.k:
        app.house.check_unseen(session.id)
    return Written(taken.head, anchored + taken.facts, [*rows, *beside(taken)])


def _as_told(app: App, session: Session, command: Message, seat: str, refused: Refused) -> Refused:
    """The refusal as its seat may be told it."""
    if not isinstance(command, Declare) or not session.sights or refused.rule == RESTORED:
        return refused
    return refusal(session, session.by(seat), command, refused, app.log.past(session.id))


def _told(app: App, session: str, asked: Asked) -> Answer | None:
    try:
        return answers.told(app.recorder, app.log.read(session).session, asked)
    except Unknown:  # never opened
        return None


def _append(app: App, turns: Sequence[Written], asked: Asked, more: Beside) -> Answer:
    head, facts, _ = turns[0]
    first, last = facts[0].version, facts[-1].version
    rows = [
        answers.row(head.session.id, asked, first, last),
        *more,
        *(row for turn in turns for row in turn.beside),
    ]
    rows += app.index.entries((turn.head, turn.facts) for turn in turns)
    app.log.append_together([(turn.head, turn.facts) for turn in turns], rows)
    return Answer(head.session, first, last, repeated=False, facts=facts)
