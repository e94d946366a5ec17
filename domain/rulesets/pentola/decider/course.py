"""How a moment goes on when what somebody did in it is over: whose turn comes, best first (RULES 7)."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.pentola import rules
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.moments import MomentEnded, Moved, TurnCame
from domain.rulesets.pentola.rules import Distance, Phase, Thing
from domain.rulesets.pentola.state import Deed, Moment, State


def after(state: State, entity: str, done: bool) -> tuple[Event, ...]:
    """What follows in the moment, if it was the entity's turn: a move that was done, and the next turn."""
    moment = state.moment
    if moment is UNSET or moment.phase is not Phase.ACTING or moment.at != entity:
        return ()
    turns = _turns(moment)
    place = next(place for place, deed in enumerate(turns) if deed.nth == moment.turn)
    moved = _moved(state, turns[place]) if done else ()
    return *moved, came(moment, turns[place + 1 :])


def first(moment: Moment) -> Event:
    """The turn that comes when all have declared."""
    return came(moment, _turns(moment))


def came(moment: Moment, turns: list[Deed]) -> Event:
    if not turns:
        return MomentEnded(moment.number)
    return TurnCame(turns[0].entity, turns[0].nth, turns[0].intent, turns[0].approach)


def _turns(moment: Moment) -> list[Deed]:
    """The actions in the order in which they take effect: who declared last acts first."""
    actions = (deed for deed in moment.deeds if deed.thing is not Thing.REACTION)
    return sorted(actions, key=lambda deed: (moment.ids.index(deed.entity), deed.nth))


def _moved(state: State, deed: Deed) -> tuple[Event, ...]:
    """A move that is done ends close to its target, if that is still in reach."""
    if deed.target is UNSET:
        return ()
    old = state.distances.get(rules.apart(deed.entity, deed.target))
    if old is None or not rules.in_reach(deed.thing, old):
        return ()
    return (Moved(deed.entity, deed.target, deed.thing, old, Distance.CLOSE),)
