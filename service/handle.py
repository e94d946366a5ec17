"""The spine: read, decide, append. Every command goes through here; only `moving` stores a log from a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from domain.decider import By, Refused, Role, fold
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.decider import evolve
from domain.session.draws import MARGIN, Head, decide_turn
from domain.session.messages import Declare, Open, OpenSeal, TakeSeat
from domain.session.state import HOUSE, History, Session, initial
from domain.view import refusal
from service import answers, meters, sources
from service.answers import Answer, Asked
from service.bootstrap import App
from service.gamelog import FRESH, Conflict, SessionBusy, Unknown
from service.house import RESTORED, chain_name
from service.storage.recording import Beside
from service.taking import KEEP, Rows, Written, beside, means, turn_of
from service.waiting import current

MAX_ATTEMPTS = 12
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.002, 0.064
OtherSession = Callable[[Session], Written]
"""From the current session, the turn of a second session that is stored in the same transaction: a fork's opening."""


def handle(
    app: App,
    session: str,
    command: Message,
    asked: Asked,
    expected: int | None = None,
    beside: Beside = (),
    other_session: OtherSession | None = None,
) -> Answer:
    """Decide one command of a seat, store its events and side rows, and return the answer.

    `expected` is the version that the client named. Raises Refused, Conflict, SessionBusy, KeyReused, Unknown.
    """
    # One lock for a session's writers in this process: they queue instead of racing each other.
    with meters.deciding(), turn_of(session):
        for attempt in range(MAX_ATTEMPTS):
            time.sleep(_pause_seconds(attempt))
            # After a lost race the version that was found with the token is out of date.
            head = current(app, session, asked.newest if attempt == 0 else 0)
            try:
                return _decide_and_append(
                    app, head, command, asked, expected, beside, other_session
                )
            except (Refused, Conflict) as error:
                # The client may have sent this request before, and the turn was stored then: a reused key, too,
                # fails the append. So the answer is looked up only here, and costs an accepted turn no query.
                if stored := _stored_response(app, session, asked):
                    return stored
                if isinstance(error, Refused):
                    raise _as_told(app, head.session, command, asked.seat, error) from None
                # The client named a version and it is gone: only the client can decide again.
                if expected is not None:
                    raise
        # A writer in another process came first each time; the client may send the command again (decision 18).
        raise SessionBusy(head.session.version)


def _pause_seconds(attempt: int) -> float:
    """Return a random pause before the attempt: up to twice as long after each lost race, none before the first.

    Chance separates processes that lost the same race, and longer pauses let one of them through.
    """
    if attempt == 0:
        return 0.0
    longest: float = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
    return longest * sources.fresh()[0] / 256


def _decide_and_append(
    app: App,
    head: Head,
    command: Message,
    asked: Asked,
    expected: int | None,
    beside: Beside,
    other_session: OtherSession | None,
) -> Answer:
    if expected not in (None, head.session.version):
        raise Conflict(head.session.version)
    turns = [_turn(app, head, command, asked.seat)]
    if other_session is not None:
        turns.append(other_session(head.session))
    return _append(app, turns, asked, beside)


def open_session(
    app: App, session: str, opening: Open, gm: TakeSeat, asked: Asked, beside: Beside = ()
) -> Answer:
    """A new evening: Opened, the house's seat and the GM's, in one append. Raises as `handle`."""
    try:
        with meters.deciding():
            return _append(app, [opening_turn(app, session, opening, gm)], asked, beside)
    except (Refused, Conflict):
        answer = _stored_response(app, session, asked)
        if answer is None:
            raise
        return answer


def opening_turn(app: App, session: str, opening: Open, gm: TakeSeat) -> Written:
    """A new session up to its GM's seat. Raises Refused."""
    head, last, house = Head(initial(session), FRESH), sources.fresh(), By(HOUSE, Role.HOUSE)
    facts: list[Fact] = []
    ways = replace(means(app, session), history=_past_of(session, facts))
    commands = (
        (opening, house),
        (app.house.first(session, last), house),
        (gm, By(gm.seat, gm.role)),
    )
    for command, by in commands:
        head, more, _ = decide_turn(head, command, by, ways)
        facts.extend(more)
    return Written(head, tuple(facts), [(KEEP, [(session, chain_name(0), last)])])


def _past_of(session: str, facts: Sequence[Fact]) -> History:
    """Of a session that is not stored yet."""

    def state(version: int) -> Session:
        return fold(
            lambda state, fact: evolve(state, fact, past), initial(session), facts[:version]
        )

    past = History(state, lambda after, upto: facts[after:upto])
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
        head, anchored, _ = decide_turn(
            head, app.house.next(session, last), By(HOUSE, Role.HOUSE), ways
        )
    if isinstance(command, OpenSeal):
        command = replace(command, kept=app.house.kept(session.id, command.turn))
    taken = decide_turn(head, command, by, ways)
    if taken.head.session.k != session.k:
        app.house.check_unseen(session.id)
    return Written(taken.head, anchored + taken.facts, [*rows, *beside(taken)])


def _as_told(app: App, session: Session, command: Message, seat: str, refused: Refused) -> Refused:
    """The refusal as its seat may be told it."""
    if not isinstance(command, Declare) or not session.sights or refused.rule == RESTORED:
        return refused
    return refusal(session, session.by(seat), command, refused, app.log.history(session.id))


def _stored_response(app: App, session: str, asked: Asked) -> Answer | None:
    try:
        return answers.stored_response(app.recorder, app.log.read(session).session, asked)
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
