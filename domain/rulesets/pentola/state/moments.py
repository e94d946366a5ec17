"""What events do to the moment: who takes part, how they rolled, what they declared, whose turn it is."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.pentola.messages.events.moments import (
    ActionDeclared,
    InitiativeRolled,
    InitiativeSet,
    MomentEnded,
    MomentStarted,
    Ordered,
    OrderSet,
    ReactionDeclared,
    SlotPassed,
    TurnCame,
)
from domain.rulesets.pentola.messages.events.play import OpponentNamed
from domain.rulesets.pentola.rules import Phase, Thing
from domain.rulesets.pentola.state import Deed, Moment, Part, Score, State

Declared = ActionDeclared | ReactionDeclared
Rolling = InitiativeSet | InitiativeRolled | Ordered | OrderSet
InMoment = Rolling | Declared | SlotPassed | TurnCame | OpponentNamed


def evolve(state: State, event: MomentStarted | MomentEnded | InMoment) -> State:
    """Where the moment's start was never seen, what happens in it leaves no trace here."""
    match event:
        case MomentStarted(number, ids):
            moment = Moment(number, Phase.ROLLING, ids, dict.fromkeys(ids, Part()))
            return replace(state, moments=number, participants=ids, moment=moment)
        case MomentEnded():
            return replace(state, moment=UNSET)
        case _:
            return (
                state
                if state.moment is UNSET
                else replace(state, moment=_going_on(state.moment, event))
            )


def _going_on(moment: Moment, event: InMoment) -> Moment:
    match event:
        case InitiativeSet() | InitiativeRolled() | Ordered() | OrderSet():
            return _rolling(moment, event)
        case ActionDeclared() | ReactionDeclared():
            part = _part(moment, event.entity, things=event.things, focus=event.focus)
            return replace(part, deeds=(*moment.deeds, _deed(event)))
        case SlotPassed(entity):
            return replace(moment, at=entity)
        case TurnCame(entity, nth):
            return replace(moment, phase=Phase.ACTING, at=entity, turn=nth)
        case OpponentNamed(nth=nth):
            return moment if nth is UNSET else replace(moment, spent=(*moment.spent, nth))


def _rolling(moment: Moment, event: Rolling) -> Moment:
    match event:
        case InitiativeSet(entity, difficulty):
            return _part(moment, entity, difficulty=difficulty)
        case InitiativeRolled(entity):
            return _part(moment, entity, score=Score(event.percent, event.steps, event.roll))
        case Ordered(ranking, at) | OrderSet(_, ranking, at):
            return replace(moment, phase=Phase.DECLARING, ids=ranking, at=at)


def _deed(event: Declared) -> Deed:
    match event:
        case ActionDeclared():
            return Deed(
                event.nth, event.entity, event.thing, event.intent, event.approach, event.target
            )
        case ReactionDeclared():
            return Deed(
                event.nth, event.entity, Thing.REACTION, "", event.approach, event.against, event.to
            )


def _part(moment: Moment, entity: str, **changes: object) -> Moment:
    if entity not in moment.parts:
        return moment
    return replace(moment, parts=moment.parts | {entity: replace(moment.parts[entity], **changes)})
