"""A session's statistics, continued from what earlier jobs have stored.

A job adds the events that are new. After a rewind, it returns to a stored state from before the
versions that were undone, and after the opening of a secret, to one from before the secret.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import NamedTuple

import msgspec

from domain.recorded_event import RecordedEvent
from domain.session.state import Session
from projections.statistics_model import DRAWN, SessionReport
from projections.statistics_states import StoredState
from projections.tallies import TalliedRewind, Tallies, without_content
from service.sessions.app import App
from workers.statistics.report import Chosen, Scope, chosen_seats, in_order, report
from workers.statistics.running import Running
from workers.voided_draws import voided_results

VOID_WINDOW = 2_000
"""The result of a voided draw is looked for in this many newest versions."""


class View(NamedTuple):
    """What some viewers may see of a session.

    `hidden` maps each turn that is hidden from them to its first version. `chosen` has the seats of
    whose secret values some are hidden, so that the others may have been chosen to be seen.
    """

    hidden: Mapping[int, int]
    chosen: frozenset[Chosen]

    def hidden_until(self, version: int) -> tuple[int, ...]:
        return tuple(sorted(turn for turn, first in self.hidden.items() if first <= version))


class Base(NamedTuple):
    """The stored states from which the live part and the other part can continue."""

    live: Running
    ever: Running


def view_of(tallies: Tallies, session: Session, hidden: Collection[int]) -> View:
    """Return what viewers see from whom the turns in `hidden` are hidden."""
    turns = tallies.turns(session.id, hidden)
    may_declare = bool(session.info.options.get("declared_dice", False))
    drawn = {turn.turn for turn in turns if turn.dice == DRAWN}
    seats = {turn.turn: turn.seat for turn in turns}
    chosen = chosen_seats(seats, drawn, may_declare=may_declare)
    return View({turn.turn: turn.first for turn in turns}, chosen)


def update(app: App, session: Session, view: View) -> tuple[Running, SessionReport]:
    """Return the running statistics up to the session's version, and their report.

    The running statistics are stored with the results of the tests, so that the next job only runs
    the tests whose draws have changed.
    """
    states = [
        state
        for state in app.read_models.statistics_states.of(session.id)
        if _matches(state, view, session.version)
    ]
    base = _base(app, session, states, view)
    running = _continue(app, session, base, view)
    _find_voided_results(app, session, running, view.hidden)
    computed = _report(app, session, running)
    _save(app, session.id, running, view)
    return running, computed


def prune(app: App, session: Session, views: Collection[View]) -> None:
    """Delete the stored states that no view needs any more."""
    states = app.read_models.statistics_states.of(session.id)
    useful = [
        [state for state in states if _matches(state, view, session.version)] for view in views
    ]
    app.read_models.statistics_states.prune(session.id, session.version, states, useful)


def _matches(state: StoredState, view: View, version: int) -> bool:
    """Return True if the state hides from the viewers what is hidden from them, and no more."""
    return state.version <= version and state.hidden == view.hidden_until(state.version)


def _base(app: App, session: Session, states: list[StoredState], view: View) -> Base:
    """Return the newest states from which the statistics can continue.

    The part that counts in the end must not contain anything that a later rewind undid.
    """
    ever, limit = None, session.version
    for state in states:
        if ever is not None and state.version > limit:
            continue
        running = _load(app, session.id, state, view)
        if running is None:
            continue
        ever = ever or running
        rewinds = [
            each.to
            for each in app.read_models.tallies.rewinds_after(session.id, state.version)
            if each.version <= session.version
        ]
        limit = min(rewinds, default=state.version)
        if limit >= state.version:
            return Base(running, ever)
    return Base(Running(), ever or Running())


def _load(app: App, session: str, state: StoredState, view: View) -> Running | None:
    """Return the stored running statistics, or None if they do not suit the view.

    They do not if they contain secret values of a seat and compare them with chance, and the view
    must not, or the other way round.
    """
    body = app.read_models.statistics_states.body(session, state)
    if not body:
        return None
    running = _decode(body)
    different = view.chosen ^ {Chosen(*each) for each in state.chosen}
    is_unsuitable = any(f"{each.origin}/{each.seat}" in running.ever.sealed for each in different)
    return None if is_unsuitable else running


def _continue(app: App, session: Session, base: Base, view: View) -> Running:
    """Add what the stored states do not contain yet."""
    tallies, head = app.read_models.tallies, session.version
    live, ever = base.live.version, base.ever.version
    running = Running(head, base.live.live, base.ever.ever)
    for turn in tallies.turns_after(session.id, min(live, ever), head):
        shown = without_content(turn) if turn.sealed and turn.turn in view.hidden else turn
        running.add_turn(shown, is_live=turn.first > live, is_ever=turn.first > ever)
    rewinds = (each for each in tallies.rewinds_after(session.id, ever) if each.version <= head)
    new = tallies.after(session.id, min(live, ever), head)
    for each in in_order(rewinds, new):
        if isinstance(each, TalliedRewind):
            running.return_to(each)
            continue
        is_hidden = each.turn in view.hidden
        if each.sealed and is_hidden:
            continue
        running.add(
            each,
            is_compared=not (each.sealed and (each.dice, each.seat) in view.chosen),
            is_hidden=is_hidden,
            is_live=each.version > live,
            is_ever=each.version > ever,
        )
    return running


def _report(app: App, session: Session, running: Running) -> SessionReport:
    oldest = running.ever.rolls[0].version if running.ever.rolls else session.version
    rewinds = app.read_models.tallies.rewinds_after(session.id, oldest - 1)
    scope = Scope(1, session.version, session.version, rewinds, is_final=session.info.closed)
    return report(running, scope, running.ever.voided)


def _save(app: App, session: str, running: Running, view: View) -> None:
    chosen = tuple(sorted((each.origin, each.seat) for each in view.chosen))
    state = StoredState(running.version, view.hidden_until(running.version), chosen)
    body = msgspec.json.encode(running).decode()
    app.read_models.statistics_states.put(session, state._replace(body=body))


def _find_voided_results(
    app: App, session: Session, running: Running, hidden: Mapping[int, int]
) -> None:
    """Look for the results of recent voided draws that are not known yet."""
    first, known = session.version - VOID_WINDOW, running.ever.voided
    open_voids = [
        void.draw
        for void in running.ever.voids
        if void.version > first and not _is_complete(running, void.draw)
    ]
    if not open_voids:
        return
    after = max(0, first - VOID_WINDOW // 10)  # the declarations of the first of these draws
    events: list[RecordedEvent] = app.log.read_events(session.id, after, session.version)
    found = voided_results(
        events,
        partial(app.log.at, session.id),
        hidden,
        log_format=session.info.log_format,
        is_known=not any(version <= after for version in hidden.values()),
    )
    known.update({draw: found[draw] for draw in open_voids if draw in found})


def _is_complete(running: Running, draw: int) -> bool:
    found = running.ever.voided.get(draw)
    return found is not None and bool(found.result) and bool(found.again)


_decode = msgspec.json.Decoder(Running).decode
